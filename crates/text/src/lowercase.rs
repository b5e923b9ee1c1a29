//! Lowercase by the full Unicode rules, as in JavaScript's `toLowerCase`.

use super::tables::small;

/// Appends `units` in lowercase by the full Unicode rules to `lowered`, lone surrogates as they are.
pub(super) fn lowercase(units: &[u16], lowered: &mut Vec<u16>) {
    /// The only character with two lowercase forms, which depend on the letters around it.
    const SIGMA: char = 'Σ';
    let has_sigma = units.contains(&(SIGMA as u16));
    let mut word = String::new();
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok(character) if has_sigma => word.push(character),
            Ok(character) => push_lowercase(character, lowered),
            Err(lone) => {
                lowered.extend(word.to_lowercase().encode_utf16());
                word.clear();
                lowered.push(lone.unpaired_surrogate());
            }
        }
    }
    lowered.extend(word.to_lowercase().encode_utf16());
}

fn push_lowercase(character: char, lowered: &mut Vec<u16>) {
    // The table has one unit for each letter, which a letter with two in lowercase (U+0130) keeps.
    match u16::try_from(u32::from(character)).map(small) {
        _ if character.is_ascii() => lowered.push(character.to_ascii_lowercase() as u16),
        Ok(small) if small != 0 && character != '\u{130}' => lowered.push(small),
        _ => character.to_lowercase().for_each(|lower| lowered.extend_from_slice(lower.encode_utf16(&mut [0; 2]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(units: &[u16]) -> Vec<u16> {
        let mut lowered = Vec::new();
        lowercase(units, &mut lowered);
        lowered
    }

    #[test]
    fn lowercases_as_the_standard_library_does() {
        // Later characters have no case.
        let characters = ('\0'..'\u{20000}').map(String::from);
        let sigmas = ["Σ", "ΑΣ", "ΣΑ", "ΑΣ Σ", "ΑΣ.Α", "AΣ\u{301}", "ÀΣ’Ê"].map(String::from);
        for text in characters.chain(sigmas) {
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(lowered(&units), text.to_lowercase().encode_utf16().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn lone_surrogates_stay_and_end_a_word() {
        assert_eq!(lowered(&[0xD800, 0x41, 0xDC00]), [0xD800, 0x61, 0xDC00]);
        // Α Σ, a lone surrogate, Α: the sigma is the last letter of its word.
        assert_eq!(lowered(&[0x391, 0x3A3, 0xD800, 0x391]), [0x3B1, 0x3C2, 0xD800, 0x3B1]);
    }
}
