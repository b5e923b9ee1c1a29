//! Where a result shows lines of a file that it does not number, so that marks can say which ones are gone.

use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::extent::Extent;
use crate::lines::count_lines;
use crate::operation::{FileAccess, Operation, Operations};
use palimpsest_history::transcript::{PartIndex, Transcript};
use palimpsest_text::Text;
use palimpsest_text::index::to_usize;
use palimpsest_text::lines::lf_lines;

/// The first line of a file that a text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstLine {
    /// Its position in the text.
    pub at: usize,
    /// Its number in the file.
    pub number: usize,
}

/// Maximum number of lines of a shell's own above what a program printed.
const MAX_HEAD: usize = 8;
/// What is below a shell's own lines.
const OUTPUT: &[u8] = b"Output:";
/// How the lines begin that Codex writes above the output of a command that has ended.
const HEAD: [&[u8]; 6] = [
    b"Chunk ID: ",
    b"Wall time",
    b"Process exited with code ",
    b"Original token count: ",
    b"Exit code: ",
    b"Script completed",
];
/// What stands in a long output that a shell has cut.
const TRUNCATED: [&[u8]; 2] = [b" tokens truncated", b" chars truncated"];

/// The first lines of all results that show lines of a file without numbers.
pub(super) fn first_lines(operations: &Operations, transcript: &Transcript) -> FxHashMap<PartIndex, FirstLine> {
    let first = |operation: &Operation| {
        let (part, number) = operation.first_line(transcript)?;
        let text = transcript.text(part);
        let at = start_of_output(text)?;
        let shown = count_lines(text.slice(at..text.len()));
        let is_more = operation.files.iter().any(|used| match used.does {
            FileAccess::Read(Extent::Lines(lines)) => shown > lines.last() - lines.first() + 1,
            _ => false,
        });
        // Some of more lines than were asked for are no lines of the file.
        (!is_more).then_some((part, FirstLine { at, number: to_usize(number) }))
    };
    operations.list.iter().filter_map(first).collect()
}

/// The position at which a program's output begins, below what its shell says of it. `None` if that is not known, or the output is not whole.
fn start_of_output(text: Text<'_>) -> Option<usize> {
    let bytes = text.bytes();
    if TRUNCATED.iter().any(|sign| memmem::find(bytes, sign).is_some()) {
        return None;
    }
    let mut is_head = true;
    for (start, end) in lf_lines(bytes).take(MAX_HEAD) {
        let line = &bytes[start..end];
        if line == OUTPUT {
            return is_head.then_some((end + 1).min(text.len()));
        }
        is_head &= HEAD.iter().any(|head| line.starts_with(head));
    }
    Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    #[test]
    fn output_begins_below_the_lines_of_the_shell() {
        let start = |text: &str| start_of_output(TextBuf::from(text).as_text());
        for head in [
            "Chunk ID: a1\nWall time: 0.0001 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\n",
            "Exit code: 0\nWall time: 0 seconds\nOutput:\n",
            "Script completed\nWall time 0.1 seconds\nOutput:\n",
        ] {
            assert_eq!(start(&format!("{head}a\nb")), Some(head.len()));
            assert_eq!(start(head.trim_end()), Some(head.len() - 1), "nothing was printed");
        }
        assert_eq!(start("a\nb"), Some(0));
        assert_eq!(start(&format!("{}Output:\n", "a\n".repeat(MAX_HEAD))), Some(0), "it is far down");
    }

    #[test]
    fn what_is_not_known_has_no_start() {
        let start = |text: &str| start_of_output(TextBuf::from(text).as_text());
        assert_eq!(start("Command executed successfully.\nOutput:\na"), None);
        assert_eq!(start("Chunk ID: a1\nProcess running with session ID 7\nOutput:\na"), None, "more may follow");
        assert_eq!(start("Exit code: 0\nOutput:\na\n…12 tokens truncated…\nb"), None);
    }
}
