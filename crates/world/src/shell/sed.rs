//! What `sed` does to files: in place, and by commands of its script.

use super::Effect;
use super::effects::At;
use super::syntax::Word;

/// Returns the effects of a command of `sed`.
pub(super) fn effects(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    let (mut is_in_place, mut suffix, mut has_script, mut is_tame) = (false, "", false, true);
    let mut operands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.literal() else {
            if !word.is_never_option {
                return vec![Effect::MayChangeAny];
            }
            operands.push(word);
            continue;
        };
        match text {
            "--" => operands.extend(words.by_ref()),
            "-n" | "-E" | "-r" | "-s" | "-u" | "-z" | "-nE" | "-nr" | "-En" | "-rn" | "--quiet" | "--silent"
            | "--regexp-extended" => {}
            "-e" | "-ne" | "-Ee" | "--expression" => {
                has_script = true;
                is_tame &= words.next().and_then(Word::literal).is_some_and(is_tame_sed);
            }
            "-i" | "--in-place" | "-Ei" | "-ri" | "-ni" => is_in_place = true,
            "-ie" => return vec![Effect::MayChangeAny],
            _ if text.starts_with("-i") || text.starts_with("--in-place=") => {
                is_in_place = true;
                suffix = text.strip_prefix("--in-place=").unwrap_or(&text[2..]);
            }
            _ if text.len() > 1 && text.starts_with('-') => return vec![Effect::MayChangeAny],
            _ => operands.push(word),
        }
    }
    let mut operands = operands.into_iter().peekable();
    if !has_script {
        // On a Mac, the suffix is a word of its own.
        if is_in_place && suffix.is_empty() {
            operands.next_if(|word| word.literal() == Some(""));
        }
        is_tame &= operands.next().and_then(Word::literal).is_some_and(is_tame_sed);
    }
    if !is_tame || suffix.contains(['*', '/']) {
        return vec![Effect::MayChangeAny];
    }
    if !is_in_place {
        return Vec::new();
    }
    let mut effects = Vec::new();
    for word in operands {
        effects.push(at.may_change(word));
        if !suffix.is_empty() {
            let kept = Word { text: format!("{}{suffix}", word.text), ..word.clone() };
            effects.push(at.may_change(&kept));
        }
    }
    effects
}

/// Returns whether a script of sed surely writes no file of its own choice, and runs nothing.
fn is_tame_sed(script: &str) -> bool {
    let bytes = script.as_bytes();
    let mut at = 0;
    // Returns where the text up to a delimiter ends.
    let past = |mut at: usize, delimiter: u8| loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if *byte == delimiter => return Some(at + 1),
            b'[' => at = past_brackets(bytes, at, delimiter)?,
            _ => at += 1,
        }
    };
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b' ' | b'\t' | b'\n' | b';' | b'{' | b'}' | b'0'..=b'9' | b'$' | b',' | b'+' | b'~' | b'!' | b'I' => at + 1,
            b'p' | b'd' | b'q' | b'=' | b'P' | b'D' | b'h' | b'H' | b'g' | b'G' | b'x' | b'n' | b'N' => at + 1,
            b'/' => match past(at + 1, b'/') {
                Some(at) => at,
                None => return false,
            },
            b's' | b'y' => {
                let Some(&delimiter) = bytes.get(at + 1).filter(|byte| byte.is_ascii_punctuation() && **byte != b'\\')
                else {
                    return false;
                };
                let Some(end) = past(at + 2, delimiter).and_then(|at| past(at, delimiter)) else { return false };
                let flags = bytes[end..].iter().take_while(|flag| b"gpiI0123456789".contains(flag)).count();
                if bytes.get(end + flags).is_some_and(|next| !b" \t\n;}".contains(next)) {
                    return false;
                }
                end + flags
            }
            // The text goes on to the end of the line, and over lines that end with a backslash.
            b'a' | b'i' | b'c' => {
                let mut end = at + 1;
                while bytes.get(end).is_some_and(|byte| *byte != b'\n' || bytes[end - 1] == b'\\') {
                    end += 1;
                }
                end
            }
            _ => return false,
        };
    }
    true
}

/// Returns where a set in brackets ends; `None` if it holds the delimiter, or may go on after what looks like its end.
fn past_brackets(bytes: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    let mut at = start + 1;
    at += usize::from(bytes.get(at) == Some(&b'^'));
    at += usize::from(bytes.get(at) == Some(&b']'));
    let length = memchr::memchr(b']', &bytes[at..])?;
    let held = &bytes[start + 1..at + length];
    let mut end = at + length + 1;
    if held.contains(&b'[') {
        // A class such as `[:space:]`, which has to be the last of the set.
        (bytes.get(end) == Some(&b']')).then_some(())?;
        end += 1;
    }
    (!held.contains(&delimiter) && !held.contains(&b'\n')).then_some(end)
}
