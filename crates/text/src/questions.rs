//! Questions: how they are recognised, and the words in them that do not say what they are about.
//!
//! The lists are short on purpose. They have the most frequent function words of the languages that the tests measure, and no word that is
//! also a noun of another of these languages, such as French `son`.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::Text;
use super::terms::{for_each_term, small_letters};
use super::unit_rules::is_dense;

/// `?` in Latin, Chinese and Japanese, Arabic, Greek, Ethiopic and Armenian writing.
const QUESTION_MARKS: [u16; 6] = [0x3F, 0xFF1F, 0x61F, 0x37E, 0x1367, 0x55E];
/// か of Japanese, 吗 and 嗎 of Chinese and 까 of Korean, which end questions that need no mark.
const QUESTION_ENDINGS: [u16; 4] = [0x304B, 0x5417, 0x55CE, 0xAE4C];
/// The letters of Hiragana: two of them side by side are grammar more often than not.
const HIRAGANA: RangeInclusive<u16> = 0x3041..=0x3096;

/// Words that ask where a sentence begins with them. In scripts without blanks and in Korean, two letters, as [`super::terms`] cuts them, that
/// ask anywhere.
const INTERROGATIVES: &str = "what which who whom whose where when why how \
    qui quoi quel quelle quels quelles comment combien quand pourquoi où \
    wer wen wem wie wo wann warum wieso welche welcher welches welchen woher wohin \
    chi cosa quale quali quando quanto quanta quanti quante dove perché \
    qué quién cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo \
    quem qual quais onde \
    apa siapa mana kapan berapa bagaimana mengapa kenapa \
    что кто где когда как сколько почему какой какая какое какие какую чей куда откуда \
    ماذا متى أين كيف كم لماذا أي \
    什么 多少 哪里 哪家 哪儿 怎么 几点 为什 \
    どこ だれ なぜ 何時 何人 何を 何が 何の 誰が 誰の 誰に \
    무슨 어디 누구 언제 얼마 어떻 뭐였 뭐야 몇시";

/// Words that a question may begin with, before its interrogative: `remind me which port`, `and in what file`.
const OPENERS: &str = "remind tell show give me us again and so but ok okay well now then also please hmm thanks exactly \
    in on at to for from with of by about \
    rappelle rappelez dis dites moi donne et alors mais de à en pour avec dans \
    erinnere sag sage sagen mir mich und also aber bitte zu mit für von auf \
    ricordami dimmi mi allora ma di da con \
    recuérdame dime por para \
    напомни напомните скажи скажите мне и а в на с к от для \
    ذكرني أخبرني قل لي في من إلى على و \
    ingatkan beri tahu saya di ke dari";

/// Other words that every text may contain.
const OTHERS: &str = "the is are was were be been being have has had do does did will would could should may might can must \
    me my we us our you your he him his she her it its they them their this that these those there here \
    of in on at to for from with by about as into and or but not no if than then again also just only some any all \
    say said says tell told remind show give called many much long ever exactly \
    don didn doesn isn wasn ll ve re \
    le la les un une des du de et ou en au aux ce cet cette ces il elle nous vous ils elles je tu que est sont était avec dans sur ne pas \
    se sa ses ma mes \
    der das ein eine einen und oder mit auf für von zu im am ist sind waren wir ihr sie er es ich du nicht noch \
    lo gli una di da con su per tra fra che è sono era ho hai ha hanno mi ti si mio mia tuo tua come \
    el los las una del con por para es fue está están mi tu su nos yo \
    foi são ele ela \
    di ke dari yang itu saya kami kita anda untuk dengan pada adalah tidak \
    не на по из от до за да это то мы вы он она они мне нам его её их был была было были бы же ли \
    في على إلى عن مع هذا هذه ذلك كان كانت أن إن قد لا هل من التي الذي \
    我们 你们 他们 来着 一下 那家 这家 那个 这个 \
    였지 었지 했지 더라 이었 인가 는지 습니 니다 니까";

type Words = FxHashSet<Vec<u16>>;

fn words(list: &str) -> Words {
    list.split_ascii_whitespace().map(|word| word.encode_utf16().collect()).collect()
}

static ASKING: LazyLock<Words> = LazyLock::new(|| words(INTERROGATIVES));
static OPENING: LazyLock<Words> = LazyLock::new(|| words(OPENERS));
static FUNCTION: LazyLock<Words> = LazyLock::new(|| words(INTERROGATIVES).into_iter().chain(words(OTHERS)).collect());

/// Whether a term, in lowercase, is a function word, which does not say what a question is about.
pub fn is_function_word(letters: &[u16]) -> bool {
    letters.len() == 2 && letters.iter().all(|letter| HIRAGANA.contains(letter)) || FUNCTION.contains(letters)
}

/// Whether a text asks: it has the sign of a question, or a sentence of it begins with an interrogative.
pub fn asks(text: Text<'_>) -> bool {
    has_question_mark(text) || has_interrogative(text)
}

/// Whether a text has the sign of a question.
fn has_question_mark(text: Text<'_>) -> bool {
    match text.units() {
        None => memchr::memchr(b'?', text.bytes()).is_some(),
        Some(units) => {
            let ends = |unit: &u16| matches!(unit, 0x2E | 0x0A | 0x0D | 0x3002 | 0xFF0E | 0xFF61);
            let asks = |pair: &[u16]| QUESTION_ENDINGS.contains(&pair[0]) && ends(&pair[1]);
            units.iter().any(|unit| QUESTION_MARKS.contains(unit))
                || units.last().is_some_and(|last| QUESTION_ENDINGS.contains(last))
                || units.windows(2).any(asks)
        }
    }
}

/// Whether a sentence begins with an interrogative, or with openers and one; in a script without blanks, whether it has one.
fn has_interrogative(text: Text<'_>) -> bool {
    let (mut is_open, mut before, mut found) = (true, 0, false);
    for_each_term(text, |start, end| {
        if found {
            return;
        }
        is_open |= text.bytes()[before.min(start)..start].iter().any(|byte| b".!;\n\r".contains(byte));
        before = end;
        if !is_open && !is_dense(text.unit(start)) {
            return;
        }
        let word: Vec<u16> = small_letters(text, start, end).collect();
        // A hyphen makes another word of it: `what-if`, `кто-то`.
        found = ASKING.contains(&word) && text.bytes().get(end) != Some(&b'-');
        is_open = OPENING.contains(&word);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextBuf;

    #[test]
    fn questions_have_a_sign_or_begin_with_an_interrogative() {
        for text in [
            "port of the proxy again?",
            "remind me which port the proxy uses",
            "Thanks. Now, where is the parser",
            "Ricordami dove abita",
            "那家餐馆叫什么",
            "会議は何時でしたか。",
            "이름이 뭐였더라",
            "Где мой файл",
            "Thanks. And in which file is it",
        ] {
            assert!(asks(TextBuf::from(text).as_text()), "{text}");
        }
        for text in
            ["great, ship it", "Fix the parser, and do what the test says.", "好的，谢谢", "ありがとうございます", ""]
        {
            assert!(!asks(TextBuf::from(text).as_text()), "{text}");
        }
    }

    #[test]
    fn function_words_do_not_say_what_a_question_is_about() {
        let is = |word: &str| is_function_word(&word.encode_utf16().collect::<Vec<u16>>());
        assert!(["what", "the", "combien", "сколько", "什么", "です", "어디"].into_iter().all(is));
        assert!(!["port", "son", "main", "会議", "リモ", "代理"].into_iter().any(is));
    }
}
