//! Demands: lines that say what must or must not be done.
//!
//! The lists have the words by which rules are written in the languages that the tests measure: "never", "always", "must not". A line with one
//! of them may still be none; what follows from a demand has a bound for that.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::Text;
use super::terms::{for_each_term, small_letters};

/// Words of which one makes a line a demand. In scripts without blanks and in Korean, two letters, as [`super::terms`] cuts them.
const WORDS: &str = "never always must avoid required mandatory forbidden prohibited critical shall \
    jamais toujours doit doivent devez dois interdit interdite obligatoire évitez évite impérativement \
    nie niemals immer muss müssen musst darf darfst dürfen verboten vermeide vermeiden zwingend unbedingt \
    mai sempre deve devono devi vietato obbligatorio evita evitare \
    nunca jamás siempre debe deben debes prohibido obligatorio evite \
    devem proibido obrigatório evite \
    jangan selalu harus wajib dilarang hindari \
    никогда всегда должен должна должно должны нельзя запрещено обязательно избегайте избегай \
    يجب أبدا أبدًا دائما دائمًا ممنوع تجنب \
    asla daima \
    不要 禁止 必须 必須 务必 請勿 请勿 绝不 絕不 总是 始终 不得 切勿 不能 不可 避免 严禁 只能 \
    必ず 常に 決し \
    절대 항상 반드 금지 마세 마십";

/// Words that do the same before `n't` is written with an apostrophe.
const CONTRACTED: &str = "don shouldn mustn";
/// Pairs of words that do the same side by side.
const PAIRS: [[&str; 2]; 10] = [
    ["do", "not"],
    ["should", "not"],
    ["may", "not"],
    ["can", "not"],
    ["from", "now"],
    ["stop", "using"],
    ["nicht", "mehr"],
    ["ab", "sofort"],
    ["ab", "jetzt"],
    ["de", "ahora"],
];
/// The apostrophes of typewriters and of print.
const APOSTROPHES: [u16; 2] = [0x27, 0x2019];

struct Demands {
    words: FxHashSet<Vec<u16>>,
    contracted: FxHashSet<Vec<u16>>,
    pairs: Vec<[Vec<u16>; 2]>,
}

static DEMANDS: LazyLock<Demands> = LazyLock::new(|| {
    let letters = |word: &str| word.encode_utf16().collect::<Vec<u16>>();
    let words = |list: &str| list.split_ascii_whitespace().map(letters).collect();
    Demands {
        words: words(WORDS),
        contracted: words(CONTRACTED),
        pairs: PAIRS.iter().map(|pair| pair.map(letters)).collect(),
    }
});

/// Whether a line or sentence says what must or must not be done.
pub fn demands(text: Text<'_>) -> bool {
    demands_within(text, usize::MAX)
}

/// Whether a sentence begins with a demand, after a word or two: "Please never …", "From now on …". What somebody says of themselves is none: "I
/// don't remember".
pub fn begins_with_demand(text: Text<'_>) -> bool {
    const TERMS: usize = 3;
    let is_own =
        |rest: &[u8]| matches!(rest, [b'I', next, ..] if !next.is_ascii_alphanumeric()) || rest.starts_with(b"we ");
    !is_own(text.bytes().trim_ascii_start()) && demands_within(text, TERMS)
}

/// Whether one of the first `most` terms of a text makes it a demand.
fn demands_within(text: Text<'_>, most: usize) -> bool {
    let Demands { words, contracted, pairs } = &*DEMANDS;
    let (mut found, mut count) = (false, 0);
    let (mut before, mut word) = (Vec::new(), Vec::new());
    for_each_term(text, |start, end| {
        if found || count == most {
            return;
        }
        count += 1;
        std::mem::swap(&mut before, &mut word);
        word.clear();
        word.extend(small_letters(text, start, end));
        let is_contracted = || end < text.len() && APOSTROPHES.contains(&text.unit(end)) && contracted.contains(&word);
        found =
            words.contains(&word) || is_contracted() || pairs.iter().any(|pair| pair[1] == word && pair[0] == before);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextBuf;

    #[test]
    fn what_somebody_says_of_themselves_is_no_demand() {
        let begins = |text: &str| begins_with_demand(TextBuf::from(text).as_text());
        for rule in ["Please never push.", "From now on, use pnpm.", "Don’t touch vendor.", "绝不提交密钥。"] {
            assert!(begins(rule), "{rule}");
        }
        for other in ["I don't remember the number.", "The flight of May 2 must be cancelled.", "Thanks!"] {
            assert!(!begins(other), "{other}");
        }
    }

    #[test]
    fn rules_of_many_languages_are_demands_and_reports_are_none() {
        for rule in [
            "- Never run git push without asking.",
            "Do not touch files under vendor/.",
            "Don’t commit secrets",
            "Use pnpm, never npm.",
            "You MUST follow them exactly as written.",
            "From now on, answer in French.",
            "Ne modifiez pas les tests, jamais.",
            "Niemals auf main pushen.",
            "Du darfst keine Migration löschen.",
            "Nunca borres una migración.",
            "Никогда не удаляй миграции.",
            "不要修改测试文件。",
            "必ずテストを実行すること。",
            "절대 main에 푸시하지 마세요.",
            "Jangan hapus file migrasi.",
        ] {
            assert!(demands(TextBuf::from(rule).as_text()), "{rule}");
        }
        for other in [
            "The export job fails in production.",
            "Ask Don about it.",
            "I looked at src/a.ts.",
            "42 passed, 1 failed",
            "",
        ] {
            assert!(!demands(TextBuf::from(other).as_text()), "{other}");
        }
    }
}
