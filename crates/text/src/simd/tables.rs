//! Tables for the instructions that look up sixteen bytes at once.

/// The entry for each low or high half of a byte.
pub(super) type Table = [u8; 16];

/// Returns a table that maps the low four bits of each of `members`, which must be distinct, to the byte itself. The
/// other entries equal no byte below 0x80.
const fn members(members: &[u8]) -> Table {
    let mut table = [0xFF; 16];
    let mut at = 0;
    while at < members.len() {
        table[members[at] as usize & 0x0F] = members[at];
        at += 1;
    }
    table
}

pub(super) static SPACES: Table = members(b"\t\n\x0B\x0C\r ");
pub(super) static SENTENCE_ENDS: Table = members(b".!?");
pub(super) static JOINTS: Table = members(b"./:-");
pub(super) static NAME_SIGNS: Table = members(b"_$@#");
pub(super) static VOWELS: Table = members(b"aeio");
pub(super) static MORE_VOWELS: Table = members(b"uy");
/// A byte is special if the entries for its low and its high four bits share a bit.
pub(super) static SPECIAL_LOW: Table = [4, 0, 0, 1, 1, 1, 1, 0, 1, 1, 3, 11, 10, 10, 10, 0];
pub(super) static SPECIAL_HIGH: Table = [0, 0, 1, 2, 4, 8, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0];
