//! Fingerprints, keys and places for `lib/agent`.

use napi::bindgen_prelude::{Error, Int32Array, Result, Uint32Array};
use napi_derive::napi;

use super::canonical::fingerprints_of;
use super::strings::{StringArray, Units};
use crate::layout::{cut_column, run_column};
use palimpsest_history::restore::cuts::{Run, cut_keys, joined, round_key};
use palimpsest_history::restore::fingerprint::{LENGTH, Print, prints_in};
use palimpsest_history::restore::marker::{self, NO_KEY, free_keys};
use palimpsest_history::restore::places::{Cut, Place, Round, Stubs, last_in_order, last_out_of_order};
use palimpsest_text::index::to_usize;

/// The text in front of a marker's key.
#[napi]
pub const MARKER_START: &str = marker::MARKER_START;

/// The fingerprint of each text, put together from pieces (`CANONICAL_PIECE`): eleven characters, the same in every version and on every
/// platform. They are joined to one text.
#[napi(catch_unwind)]
pub fn fingerprints(
    pieces: Uint32Array,
    #[napi(ts_arg_type = "string")] short: Units,
    #[napi(ts_arg_type = "string[]")] strings: StringArray<'_>,
) -> Result<String> {
    Ok(joined(&fingerprints_of(&pieces, &short, &strings)?))
}

/// A round of edits without its keys, as `lib/agent/originals.ts` gathers it.
#[napi(object, object_to_js = false)]
pub struct GatheredEdits<'env> {
    /// Fingerprints of messages, joined to one text. The messages are numbered, and these come first.
    #[napi(ts_type = "string")]
    pub known: Units,
    /// The canonical text of each other message, in pieces (`CANONICAL_PIECE`).
    pub pieces: Uint32Array,
    /// The short strings of the pieces, joined to one, and the others.
    #[napi(ts_type = "string")]
    pub short: Units,
    #[napi(ts_type = "string[]")]
    pub strings: StringArray<'env>,
    /// Number of messages that the round left.
    pub length: u32,
    /// The numbers of these messages; empty where nothing was removed or replaced.
    pub left: Uint32Array,
    /// The runs of messages that were removed or replaced, in columns (`RUN_COLUMN`).
    pub runs: Uint32Array,
    /// The numbers of the messages of all runs.
    pub taken: Uint32Array,
}

/// The fingerprints and keys of a round of edits, each list joined to one text: strings of their own take longer than what they hold.
#[napi(object, object_from_js = false)]
pub struct RoundKeys {
    /// Key of the round.
    pub round: String,
    /// Those of the given texts.
    pub prints: String,
    /// Those of the messages that the round left.
    pub left: String,
    /// Those of the messages of all runs.
    pub taken: String,
    /// The key of each run; blanks where the same messages replace it.
    pub cuts: String,
}

/// The fingerprints and keys of a round of edits.
#[napi(catch_unwind)]
pub fn round_keys(edits: GatheredEdits<'_>) -> Result<RoundKeys> {
    let mut prints: Vec<[u8; LENGTH]> =
        prints_in(&edits.known.0).iter().map(|print| print.map(|unit| unit as u8)).collect();
    let known = prints.len();
    prints.extend(fingerprints_of(&edits.pieces, &edits.short, &edits.strings)?);
    let print_of = |&number: &u32| prints.get(to_usize(number)).copied().ok_or_else(out_of_range);
    let left = edits.left.iter().map(print_of).collect::<Result<Vec<_>>>()?;
    let taken = edits.taken.iter().map(print_of).collect::<Result<Vec<_>>>()?;
    let mut rest = &taken[..];
    let mut run = |row: &[u32; run_column::COUNT]| {
        let [start, end, count] =
            [run_column::START, run_column::END, run_column::TAKEN].map(|column| to_usize(row[column]));
        let (taken, after) = rest.split_at_checked(count)?;
        rest = after;
        Some(Run { start, now: left.get(start..end)?, taken })
    };
    let runs = edits.runs.as_chunks().0.iter().map(&mut run).collect::<Option<Vec<_>>>().ok_or_else(out_of_range)?;
    let cuts = cut_keys(&left, &runs);
    let round = round_key(edits.length, cuts.iter().flatten().map(String::as_str));
    Ok(RoundKeys {
        round,
        prints: joined(&prints[known..]),
        left: joined(&left),
        taken: joined(&taken),
        cuts: cuts.iter().map(|key| key.as_deref().unwrap_or(NO_KEY)).collect(),
    })
}

/// A key for each seed that is none of `taken`.
#[napi(catch_unwind)]
pub fn free_marker_keys(
    #[napi(ts_arg_type = "string[]")] seeds: StringArray<'_>,
    taken: Vec<String>,
) -> Result<Vec<String>> {
    let mut texts = Vec::with_capacity(seeds.capacity());
    seeds.for_each(None, |_, units| texts.push(String::from_utf16_lossy(units)))?;
    Ok(free_keys(&texts, taken.into_iter().collect()))
}

/// A round of edits, as `lib/agent/restore.ts` gathers it. Fingerprints are joined to one text.
#[napi(object, object_to_js = false)]
pub struct GatheredRound {
    /// Those of the messages that the round left.
    #[napi(ts_type = "string")]
    pub left: Option<Units>,
    /// For each cut: its index in what the round left, how many messages stand for it, how many it took out, and 1 if it agrees
    /// with the round about the messages around it.
    pub cuts: Uint32Array,
    /// The fingerprints of what the cuts took out.
    #[napi(ts_type = "string")]
    pub of: Units,
}

/// Rounds of edits.
#[napi]
pub struct Rounds {
    rounds: Vec<Round>,
    stubs: Stubs,
}

#[napi]
impl Rounds {
    /// Reads the rounds. `stubs` are the fingerprints of messages with stubs, each with that of the message as it was after it.
    #[napi(constructor, catch_unwind)]
    pub fn new(rounds: Vec<GatheredRound>, #[napi(ts_arg_type = "string")] stubs: Units) -> Result<Self> {
        let pairs: &[[Print; 2]] = prints_in(&stubs.0).as_chunks().0;
        let stubs = Stubs::new(pairs.iter().map(|&[left, of]| (left, of)));
        let read = |round: GatheredRound| round.read(&stubs).ok_or_else(out_of_range);
        let rounds = rounds.into_iter().map(read).collect::<Result<_>>()?;
        Ok(Rounds { rounds, stubs })
    }

    /// The place of each cut of a round in the history of these fingerprints; -1 where it can't be told, -2 where the messages stand in the
    /// history again. After them, how many of its first messages are as the round left them.
    #[napi(catch_unwind)]
    pub fn places(&self, round: u32, #[napi(ts_arg_type = "string")] now: Units) -> Result<Int32Array> {
        let round = self.rounds.get(to_usize(round)).ok_or_else(out_of_range)?;
        let now = self.whole(&now);
        let places = round.places(&now);
        let cuts = places.cuts.into_iter().map(|place| match place {
            Place::At(place) => place as i32,
            Place::Unknown => -1,
            Place::Undone => -2,
        });
        Ok(Int32Array::new(cuts.chain([round.unchanged(&now) as i32]).collect()))
    }

    /// Which of some successive rounds was the last: an index in `rounds`.
    #[napi(catch_unwind)]
    pub fn last_in_order(&self, rounds: Uint32Array, #[napi(ts_arg_type = "string")] now: Units) -> Result<i32> {
        Ok(index(last_in_order(&self.named(&rounds)?, &self.whole(&now))))
    }

    /// Which of some rounds in no certain order was the last: an index in `rounds`; -1 where that is not certain.
    #[napi(catch_unwind)]
    pub fn last_out_of_order(&self, rounds: Uint32Array, #[napi(ts_arg_type = "string")] now: Units) -> Result<i32> {
        Ok(index(last_out_of_order(&self.named(&rounds)?, &self.whole(&now))))
    }
}

impl Rounds {
    /// The fingerprints of a history without stubs.
    fn whole(&self, now: &Units) -> Vec<Print> {
        let mut prints = prints_in(&now.0).to_vec();
        self.stubs.undo(&mut prints);
        prints
    }

    fn named(&self, numbers: &[u32]) -> Result<Vec<&Round>> {
        let round = |&number: &u32| self.rounds.get(to_usize(number)).ok_or_else(out_of_range);
        numbers.iter().map(round).collect()
    }
}

fn index(index: Option<usize>) -> i32 {
    index.map_or(-1, |index| index as i32)
}

fn out_of_range() -> Error {
    Error::from_reason("a column of the rounds is out of range")
}

impl GatheredRound {
    fn read(self, stubs: &Stubs) -> Option<Round> {
        let whole = |prints: &Units| {
            let mut prints = prints_in(&prints.0).to_vec();
            stubs.undo(&mut prints);
            prints
        };
        let of = whole(&self.of);
        let mut of = &of[..];
        let mut take = |count: usize| -> Option<Vec<Print>> {
            let (taken, rest) = of.split_at_checked(count)?;
            of = rest;
            Some(taken.to_vec())
        };
        let mut cut = |row: &[u32; cut_column::COUNT]| {
            let [at, left, taken] =
                [cut_column::AT, cut_column::LEFT, cut_column::TAKEN].map(|column| to_usize(row[column]));
            Some(Cut { at, left, of: take(taken)?, is_consistent: row[cut_column::IS_CONSISTENT] != 0 })
        };
        let cuts = self.cuts.as_chunks().0.iter().map(&mut cut).collect::<Option<_>>()?;
        Some(Round { left: self.left.as_ref().map(whole), cuts })
    }
}
