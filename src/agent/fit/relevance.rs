//! What the current exchange asks for.

use std::sync::LazyLock;

use super::Fit;
use super::question::Question;
use crate::agent::transcript::{Kind, Role, Transcript};

pub static P: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let text = std::env::var("ASKED").unwrap_or_default();
    let mut list: Vec<f64> = vec![1.0, 0.3, 10.0, 4.0, 1.0, 1.0, 2.0, 0.5, 0.0, 0.5, 1.5, 24.0, 4.0, 0.3, 0.05, 0.0, 0.0, 0.0];
    for pair in text.split(',').filter(|x| !x.is_empty()) {
        let (at, value) = pair.split_once('=').unwrap();
        list[at.parse::<usize>().unwrap()] = value.parse().unwrap();
    }
    list
});

/// The parts that ask, and what they ask with.
pub fn current(transcript: &Transcript) -> (Question, Vec<bool>) {
    let mut question = Question::default();
    let parts = transcript.parts();
    let mut asks = vec![false; parts.len()];
    let Some(last) = parts.iter().rposition(|part| part.role == Role::User && part.kind == Kind::Text) else {
        return (question, asks);
    };
    let message = parts[last].message;
    for (index, part) in parts.iter().enumerate().rev() {
        if part.message == message && part.role == Role::User && part.kind == Kind::Text {
            question.add(transcript.text(index).prefix(4000), 1.0, 64);
            asks[index] = true;
        }
    }
    let p = &P[..];
    let since = f64::from(transcript.message_count() - 1 - message);
    let marks = [0x3F, 0xFF1F, 0x61F, 0x37E, 0x1367, 0x2047];
    let is_asked = parts.iter().enumerate().any(|(index, part)| part.message == message && {
        let text = transcript.text(index);
        (0..text.len()).any(|at| marks.contains(&text.unit(at)))
    });
    question.strength = 1.0 / (1.0 + since / p[12]) * (p[11] / question.terms.len() as f64).min(1.0).powi(2) * if is_asked { 1.0 } else { p[13] };
    question.prepare();
    (question, asks)
}

struct Hit { term: u16, item: u32 }

/// For each item how much it has to do with the question, from 0 on.
pub fn scores(fit: &Fit, question: &Question, asks: &[bool]) -> Vec<f64> {
    let p = &P[..];
    let transcript = &fit.transcript;
    let mut hits: Vec<Hit> = Vec::new();
    let count = fit.items.len();
    let terms = question.terms.len();
    let messages = transcript.message_count() as usize;
    let mut counts: Vec<Vec<u32>> = vec![vec![0; terms]; 0];
    counts.resize(messages, vec![0; terms]);
    for (part, items) in fit.of_part.iter().enumerate() {
        if asks[part] { continue; }
        let message = transcript.parts()[part].message as usize;
        if transcript.parts()[part].role == Role::System { continue; }
        let mut here = items.start;
        question.find(transcript.text(part), |term, at| {
            while here < items.end && fit.items[here as usize].range.end as usize <= at { here += 1; }
            counts[message][term as usize] += 1;
            if here < items.end && fit.items[here as usize].range.start as usize <= at {
                hits.push(Hit { term, item: here });
            }
        });
    }
    hits.sort_unstable_by_key(|hit| (hit.term, hit.item));
    hits.dedup_by_key(|hit| (hit.term, hit.item));
    // How rare each is.
    let mut df = vec![0.0; terms];
    hits.iter().for_each(|hit| df[hit.term as usize] += 1.0);
    let idf_of = |n: f64, df: f64| (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
    let mut weights = vec![0.0; terms];
    for term in 0..terms {
        let dm = counts.iter().filter(|counts| counts[term] > 0).count() as f64;
        let a = idf_of(count as f64, df[term]);
        let b = idf_of(messages as f64, dm);
        weights[term] = question.terms[term].weight * (p[8] * a + (1.0 - p[8]) * b).max(0.0);
        if df[term] == 0.0 { weights[term] = 0.0; }
    }
    // Coordinates.
    let mut place = vec![0.0; count];
    let mut x = 0.0;
    for i in 0..count {
        if i > 0 && fit.items[i].part != fit.items[i - 1].part {
            x += p[6];
        }
        place[i] = x + p[4] * 0.5 + fit.items[i].tokens * 0.5 / (20.0 * p[5]);
        x += p[4] + fit.items[i].tokens / (20.0 * p[5]);
    }
    let mut scores = vec![0.0; count];
    let reach = 6.0;
    let mut at = 0;
    while at < hits.len() {
        let hit = &hits[at];
        let here = hit.item as usize;
        let before = if at > 0 && hits[at - 1].term == hit.term { Some(hits[at - 1].item as usize) } else { None };
        let after = hits.get(at + 1).filter(|next| next.term == hit.term).map(|next| next.item as usize);
        let w = weights[hit.term as usize];
        let half = |item: usize| fit.items[item].tokens * 0.5 / (20.0 * p[5]);
        let kernel = |d: f64| 1.0 / (1.0 + d).powf(p[7] * 2.0);
        scores[here] += w;
        let mut i = here;
        while i > 0 {
            i -= 1;
            if let Some(before) = before && (i <= before || place[i] - place[before] <= place[here] - place[i]) { break; }
            let d = place[here] - place[i] - half(here) - half(i);
            if d > reach { break; }
            scores[i] += w * kernel(d);
        }
        let mut i = here + 1;
        while i < count {
            if let Some(after) = after && (i >= after || place[after] - place[i] < place[i] - place[here]) { break; }
            let d = place[i] - place[here] - half(here) - half(i);
            if d > reach { break; }
            scores[i] += w * kernel(d);
            i += 1;
        }
        at += 1;
    }
    // Messages.
    let mut lengths = vec![0.0; messages];
    for (part, tokens) in fit.whole.iter().enumerate() { lengths[transcript.parts()[part].message as usize] += tokens; }
    let mean = lengths.iter().sum::<f64>() / messages.max(1) as f64;
    let of_message: Vec<f64> = (0..messages).map(|m| {
        let norm = 1.2 * (0.25 + 0.75 * lengths[m] / mean);
        (0..terms).map(|t| { let tf = f64::from(counts[m][t]); weights[t] * tf * 2.2 / (tf + norm) }).sum::<f64>()
    }).collect();
    for i in 0..count {
        scores[i] += p[1] * of_message[transcript.parts()[fit.items[i].part as usize].message as usize];
    }
    let most = scores.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 { return Vec::new(); }
    let m = most / (1.0 + messages as f64).ln();
    let strength = question.strength * ((m - p[9]) / p[10]).clamp(0.0, 1.0);
    if strength > p[14] { scores.iter_mut().for_each(|score| *score = strength * (*score / most).powf(p[3])); }
    if std::env::var("DEBUGQ").is_ok() {
        let mut sorted = scores.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let sum: f64 = weights.iter().sum();
        eprintln!("strength {:.2} {:.2} m {:.1} items {} most {:.1} of {:.1} terms {} idfs {:?} top {:?}", question.strength, strength, m, count, most, sum, terms, weights.iter().map(|w| (w*10.0).round()/10.0).collect::<Vec<_>>(), sorted.iter().step_by((count/16).max(1)).map(|x| (x*100.0).round()/100.0).collect::<Vec<_>>());
    }
    if strength <= p[14] { return Vec::new(); }
    scores
}
