//! Summaries from the best clauses of a text.

use super::marks::{Mark, read_marks};
use super::segment::{Edu, clause_score, segment};
use super::select::{Dependencies, select};
use palimpsest_text::masks::Scanned;
use palimpsest_text::{Text, TextBuf};

/// Levels of dependencies that are included with a clause.
const MAX_DEPTH: usize = 2;

/// Reads and summarises texts, reusing its buffers.
#[derive(Debug, Default)]
pub struct Discourse {
    marks: Vec<Mark>,
    edus: Vec<Edu>,
    /// Length and score of each clause.
    clauses: Vec<(usize, f64)>,
    dependencies: Dependencies,
}

impl Discourse {
    /// Returns the clauses of `text`, with their scores.
    pub fn read(&mut self, text: Scanned<'_>) -> &[Edu] {
        read_marks(text, &mut self.marks);
        segment(text, &self.marks, &mut self.edus);
        &self.edus
    }

    /// Returns the score of `text` as one clause.
    pub fn score(&mut self, text: Scanned<'_>) -> f64 {
        read_marks(text, &mut self.marks);
        clause_score(text.bytes, &self.marks)
    }

    /// Writes the best clauses of `text` that fit into `budget` UTF-16 code units to `summary`, in text order, each
    /// with its dependencies. If none fits, writes the beginning of the text. `scanned` has the masks of `text`.
    pub fn write(&mut self, text: Text<'_>, scanned: Scanned<'_>, budget: f64, summary: &mut TextBuf) {
        summary.clear();
        self.read(scanned);
        let Discourse { edus, clauses, dependencies, .. } = self;
        clauses.clear();
        dependencies.clear();
        for (place, edu) in edus.iter().enumerate() {
            clauses.push((edu.end - edu.start, edu.score));
            dependencies.push(edu.depends_on_last.then(|| place - 1));
        }
        let is_selected = select(clauses, dependencies, budget, MAX_DEPTH);
        for (edu, _) in edus.iter().zip(is_selected).filter(|(_, is_selected)| *is_selected) {
            summary.push_str(if summary.is_empty() { "" } else { " " });
            summary.push(text.slice(edu.start..edu.end));
        }
        if summary.is_empty() {
            summary.push(text.prefix(budget as usize).trim());
        }
    }
}
