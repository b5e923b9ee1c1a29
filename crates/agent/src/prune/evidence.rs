//! What shows that a text can go, in one line for the trace: the message that says it, the call, its command, and the directory in which that ran.

use rustc_hash::FxHashMap;

use super::context::PruneContext;
use super::outcome::{Edit, Rule};
use palimpsest_history::transcript::PartIndex;
use palimpsest_world::extent::Extent;
use palimpsest_world::operation::{FileAccess, FileIndex, Operation};
use palimpsest_world::tools::ToolKind;

/// Length up to which a command, or a line of a result, is quoted, in characters.
const QUOTED: usize = 80;

/// Returns what shows for each of `edits` that its text can go.
pub(super) fn evidence(context: &PruneContext<'_>, edits: &[Edit]) -> Vec<String> {
    let mut of_part: FxHashMap<PartIndex, usize> = FxHashMap::default();
    for (index, operation) in context.operations.list.iter().enumerate() {
        of_part.extend(std::iter::once(operation.call).chain(operation.answers()).map(|part| (part, index)));
    }
    let operation = |part: PartIndex| of_part.get(&part).map(|&index| &context.operations.list[index]);
    edits.iter().map(|edit| one(context, edit, operation(edit.part), edit.superseded_by.and_then(operation))).collect()
}

fn one(context: &PruneContext<'_>, edit: &Edit, gone: Option<&Operation>, by: Option<&Operation>) -> String {
    let says = |operation: Option<&Operation>, what: String| match operation {
        Some(operation) => format!("{} {what}", call(context, operation)),
        None => what,
    };
    let file = gone.and_then(|operation| operation.files.first()).map(|used| used.file);
    match edit.rule {
        Rule::StaleRead | Rule::StaleEdit | Rule::OverlappingRead => says(by, effect(context, by, file)),
        Rule::StaleCommand | Rule::StaleSearch => says(by, "is the same call again".to_owned()),
        Rule::IdenticalResult => says(by, "has the same result".to_owned()),
        Rule::FailedCommand => {
            let line =
                gone.and_then(|operation| Some((operation.results.first()?, operation.said.first()?.line.clone()?)));
            let line = line.map(|(&result, line)| context.transcript.text(result).slice(line).to_string_lossy());
            says(gone, line.map_or("is marked as failed".to_owned(), |line| format!("says {:?}", shortened(&line))))
        }
        Rule::OversizedOutput => {
            format!("its text has {} characters and shows no file", context.transcript.text(edit.part).len())
        }
        Rule::RepeatedMedia => match edit.superseded_by {
            Some(part) => format!("{} has the same", message(context, part)),
            None => String::new(),
        },
        Rule::EmptyMessage => "nothing is left in its message".to_owned(),
        Rule::Announcement => "the calls that it announces are gone".to_owned(),
    }
}

/// What an operation did to a file.
fn effect(context: &PruneContext<'_>, by: Option<&Operation>, file: Option<FileIndex>) -> String {
    let Some(file) = file else { return String::new() };
    let path = &context.operations.files[file];
    let mut uses = by.into_iter().flat_map(|operation| &operation.files).filter(|used| used.file == file);
    match uses.next_back().map(|used| used.does) {
        Some(FileAccess::Read(Extent::Whole)) => format!("shows all of {path}"),
        Some(FileAccess::Read(_)) => format!("shows these lines of {path}"),
        Some(FileAccess::Write) => format!("wrote {path}"),
        _ => format!("changed {path}"),
    }
}

/// Names a call: `message 14, Bash "cat a.ts" in /repo`.
fn call(context: &PruneContext<'_>, operation: &Operation) -> String {
    let mut said = format!("{}, {}", message(context, operation.call), context.transcript.name(operation.call));
    if operation.kind == ToolKind::Command {
        let command = operation.command(context.transcript, &context.options.tools);
        said.extend(command.map(|command| format!(" {:?}", shortened(&command))));
    }
    match operation.directory.as_deref() {
        Some("") => said.push_str(" in the directory of the start"),
        Some(directory) => said.extend([" in ", directory]),
        None => {}
    }
    said
}

fn message(context: &PruneContext<'_>, part: PartIndex) -> String {
    format!("message {}", context.transcript.parts()[part].message.index())
}

fn shortened(text: &str) -> String {
    let line: String = text.chars().take(QUOTED).collect();
    if line.len() < text.len() { format!("{line}…") } else { line }
}
