//! Calls of tools that read, write and change files.

use serde_json::Value;

use super::{Call, Reader};
use crate::arguments::{asked, string, strings};
use crate::extent::Extent;
use crate::known::Known;
use crate::lines::extent;
use crate::operation::{FileAccess, FileIndex, FileUse, Operation};
use crate::path::{is_absolute, join};
use crate::shell;
use crate::tools::ToolKind;
use palimpsest_text::Text;

impl Reader<'_> {
    /// Reads a call that names its files.
    pub(super) fn use_files(&mut self, operation: &mut Operation, call: &Call<'_, '_>) {
        let Call { named, tool, value, ref shown, server, .. } = *call;
        let paths: Vec<String> = match &self.open {
            Some(open) if server.is_empty() => vec![open.clone()],
            _ => strings(value, tool.path).into_iter().filter(|path| !path.is_empty()).map(str::to_owned).collect(),
        };
        let does = match operation.kind {
            ToolKind::Read => {
                // Agents share tool names but select lines differently. Tools with the same path argument take precedence.
                let tools = &named.tools;
                let mut ways = tools.iter().filter(|other| other.path == tool.path).chain(tools);
                let asked = ways.find_map(|tool| asked(value, tool.lines)).unwrap_or(Extent::Whole);
                match asked {
                    _ if shown.first().is_some_and(|&text| is_no_copy(text)) => return,
                    // The lines of several files cannot be told apart.
                    Extent::Whole if paths.len() > 1 => FileAccess::Read(Extent::Whole),
                    _ if paths.len() > 1 => FileAccess::Read(Extent::Part),
                    asked => FileAccess::Read(extent(asked, shown)),
                }
            }
            // Desktop Commander writes a long file in several calls.
            ToolKind::Write if string(value, "mode") == Some("append") => FileAccess::Edit,
            ToolKind::Write => FileAccess::Write,
            _ if ["old_string", "oldString"].iter().any(|name| value.get(name).is_some_and(|old| old == "")) => {
                FileAccess::Write
            }
            _ => {
                operation.new_texts = new_texts(call, value);
                FileAccess::Edit
            }
        };
        for path in paths {
            self.use_file(operation, server, &self.start.clone(), &path, does);
        }
    }

    /// Reads a patch, whose paths are relative to `directory`.
    pub(super) fn patch(&mut self, operation: &mut Operation, patch: &str, server: &str, directory: &Known<String>) {
        for (path, is_whole) in shell::patched_files(patch) {
            let does = if is_whole { FileAccess::Write } else { FileAccess::Edit };
            self.use_file(operation, server, directory, path, does);
        }
    }

    /// Adds the use of a file, if it is certain which one a path means.
    pub(super) fn use_file(
        &mut self,
        operation: &mut Operation,
        server: &str,
        directory: &Known<String>,
        path: &str,
        does: FileAccess,
    ) {
        if let Some(file) = self.file(server, directory, path) {
            operation.files.push(FileUse { file, does });
        }
    }

    /// Returns the number of a server's file. A relative path in a directory that isn't known is no file's.
    fn file(&mut self, server: &str, directory: &Known<String>, path: &str) -> Option<FileIndex> {
        let path = whole_path(server, directory, path)?;
        Some(self.files.number((server.to_owned(), path)))
    }
}

/// Returns the path that is the same for all names of a file.
pub(super) fn whole_path(server: &str, directory: &Known<String>, path: &str) -> Option<String> {
    if !server.is_empty() || is_absolute(path) || path.starts_with("file://") {
        return Some(join("", path));
    }
    directory.as_ref().certain().map(|directory| join(directory, path))
}

/// Returns the new texts of an edit, if its arguments name them.
fn new_texts(call: &Call<'_, '_>, value: &Value) -> Vec<String> {
    let mut texts = std::iter::once(call.tool).chain(&call.named.tools).map(|tool| strings(value, tool.text));
    let new_texts = texts.find(|texts| !texts.is_empty()).unwrap_or_default();
    new_texts.into_iter().map(str::to_owned).collect()
}

/// Returns whether a read's result only tells that nothing has changed, or that a copy was removed.
fn is_no_copy(shown: Text<'_>) -> bool {
    const LONGEST: usize = 400;
    if shown.len() >= LONGEST {
        return false;
    }
    let lower = shown.bytes().to_ascii_lowercase();
    let says = |sign: &[u8]| memchr::memmem::find(&lower, sign).is_some();
    says(b"unchanged since") || says(b"has been removed to save")
}
