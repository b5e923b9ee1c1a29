//! A summary made of the best clauses of a text.

use super::marks::{Mark, read_marks};
use super::segment::{Edu, clause_score, segment};
use super::select::{Dependencies, select};
use crate::text::masks::Scanned;
use crate::text::{Text, TextBuf};

/// How many levels of what a clause depends on come with it.
const MAX_DEPTH: usize = 2;

/// Reads and summarises one text after the other.
#[derive(Debug, Default)]
pub struct Discourse {
    marks: Vec<Mark>,
    edus: Vec<Edu>,
    units: Vec<(usize, f64)>,
    dependencies: Dependencies,
}

impl Discourse {
    /// The clauses of `text`, with their scores.
    pub fn read(&mut self, text: Scanned<'_>) -> &[Edu] {
        read_marks(text, &mut self.marks);
        segment(text, &self.marks, &mut self.edus);
        &self.edus
    }

    /// What `text` is worth as one clause.
    pub fn score(&mut self, text: Scanned<'_>) -> f64 {
        read_marks(text, &mut self.marks);
        clause_score(text.bytes, &self.marks)
    }

    /// Makes `summary` the best clauses of `text`, which `scanned` has the masks of, that fit into `budget` units, in text
    /// order, each with what it depends on. Where none fits it is the beginning of the text.
    pub fn write(&mut self, text: Text<'_>, scanned: Scanned<'_>, budget: f64, summary: &mut TextBuf) {
        summary.clear();
        self.read(scanned);
        let Discourse { edus, units, dependencies, .. } = self;
        units.clear();
        dependencies.clear();
        for (place, edu) in edus.iter().enumerate() {
            units.push((edu.end - edu.start, edu.score));
            dependencies.push(edu.depends_on_last.then(|| place - 1));
        }
        let is_selected = select(units, dependencies, budget, MAX_DEPTH);
        for (edu, _) in edus.iter().zip(is_selected).filter(|(_, is_selected)| *is_selected) {
            summary.push_str(if summary.is_empty() { "" } else { " " });
            summary.push(text.slice(edu.start..edu.end));
        }
        if summary.is_empty() {
            summary.push(text.prefix(budget as usize).trim());
        }
    }
}
