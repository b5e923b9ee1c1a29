//! `shorten` writes results shorter, and nothing else; JSON stays JSON, a second time changes nothing, and what tools show of files stays.

use super::input::records;
use super::talk::Talk;
use palimpsest_agent::shorten::shorten as shortened;
use palimpsest_history::transcript::{Kind, PartIndex};
use palimpsest_text::json::is_json_structure;
use palimpsest_world::tools::{ToolKind, Tools};

/// Shortens the results of a conversation of records; see `Talk::new`.
pub fn shorten(bytes: &[u8]) {
    let (_, records) = records(bytes);
    let mut talk = Talk::new(records);
    let is_free = |&(_, part): &(usize, _)| {
        let part: &palimpsest_history::transcript::Part = part;
        part.kind == Kind::Result && !part.locked
    };
    let results: Vec<PartIndex> = talk.parts.iter().enumerate().filter(is_free).map(|(part, _)| part.into()).collect();
    let transcript = talk.transcript();
    let made = shortened(&transcript, &results, &[]);
    assert!(made.windows(2).all(|pair| pair[0].part < pair[1].part), "results are in order");
    for one in &made {
        assert!(results.contains(&one.part), "{:?} may not be shorter", one.part);
        let before = transcript.text(one.part);
        let after = one.text.as_text();
        assert!(after.len() < before.len() && !after.trim().is_empty(), "{before:?} became {after:?}");
        assert!(one.saved.iter().sum::<usize>() > 0);
        if is_json_structure(before) {
            assert!(is_json_structure(after), "{before:?} became {after:?}");
        }
        let call = transcript.parts()[one.part].call.expect("a result without a call stays");
        let kinds = Tools::new(&[]).named(transcript.name(call)).tools;
        let shows = |kind: ToolKind| matches!(kind, ToolKind::Read | ToolKind::Edit | ToolKind::Write);
        if kinds.iter().any(|tool| shows(tool.kind)) {
            let without = |text: palimpsest_text::Text<'_>| -> Vec<u8> {
                text.bytes().iter().copied().filter(|&byte| byte != b' ').collect()
            };
            // Blanks before numbers, of JSON also in strings that are spelled in another way.
            assert!(is_json_structure(before) || without(before) == without(after), "{before:?} became {after:?}");
        }
        // Marks that are there already may be said again.
        if before.units().is_none() {
            talk.texts[one.part.index()] = one.text.clone();
        }
    }
    let again = shortened(&talk.transcript(), &results, &[]);
    let is_first = |one: &palimpsest_agent::shorten::Shortened| transcript.text(one.part).units().is_none();
    assert!(!again.iter().any(is_first), "a second time finds {again:?}");
}
