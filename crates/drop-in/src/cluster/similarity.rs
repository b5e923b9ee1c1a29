//! Similarity of texts.

use rustc_hash::FxHashSet;

use crate::quality::EntityId;

/// The features of a text that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Terms with their counts, ascending by number.
    pub terms: &'a [(u32, u32)],
    /// The first distinct entities.
    pub entities: &'a [EntityId],
}

/// The weights of the cosine of the terms and of the Jaccard index of the entities.
const WEIGHTS: (f64, f64) = (0.7, 0.3);

/// Returns the similarities of any two of `documents`, as a symmetric square matrix.
pub fn similarities(documents: &[Document<'_>]) -> Vec<f64> {
    let count = documents.len();
    let mut similarities = cosines(documents);
    let sets: Vec<FxHashSet<EntityId>> =
        documents.iter().map(|document| document.entities.iter().copied().collect()).collect();
    for a in 0..count {
        for b in a + 1..count {
            let common = documents[b].entities.iter().filter(|entity| sets[a].contains(entity)).count();
            let union = sets[a].len() + sets[b].len() - common;
            let jaccard = if union > 0 { common as f64 / union as f64 } else { 0.0 };
            let similarity = WEIGHTS.0 * similarities[a * count + b] + WEIGHTS.1 * jaccard;
            (similarities[a * count + b], similarities[b * count + a]) = (similarity, similarity);
        }
    }
    similarities
}

/// Returns the TF-IDF cosines of the terms of any two documents, above the diagonal only.
fn cosines(documents: &[Document<'_>]) -> Vec<f64> {
    let count = documents.len();
    // Term by term, so that only documents with a common term are visited.
    let mut postings: Vec<(u32, u32, u32)> = Vec::new();
    for (number, document) in (0..).zip(documents) {
        postings.extend(document.terms.iter().map(|&(term, times)| (term, number, times)));
    }
    postings.sort_unstable();
    let mut products = vec![0.0; count * count];
    let mut squares = vec![0.0; count];
    for of_term in postings.chunk_by(|a, b| a.0 == b.0) {
        let idf = (count as f64 / of_term.len() as f64).ln();
        if idf == 0.0 {
            continue;
        }
        for (place, &(_, a, times)) in of_term.iter().enumerate() {
            let weight = f64::from(times) * idf;
            squares[a as usize] += weight * weight;
            for &(_, b, times) in &of_term[place + 1..] {
                products[a as usize * count + b as usize] += weight * f64::from(times) * idf;
            }
        }
    }
    let norms: Vec<f64> = squares.into_iter().map(f64::sqrt).collect();
    for a in 0..count {
        for b in a + 1..count {
            let norm = norms[a] * norms[b];
            let product = &mut products[a * count + b];
            *product = if norm > 0.0 { *product / norm } else { 0.0 };
        }
    }
    products
}
