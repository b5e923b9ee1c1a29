//! Soft reasons: addresses, numbers, paths and quotations.
//!
//! Only the exported classifier uses them, so they are regular expressions over the folded bytes.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::{Reason, Reasons};

/// The rules as regular expressions. `<S>` is white space, `<“>` and `<”>` are the curly quotes, `<°>` and `<µ>` the
/// signs. The latter four have no byte in ASCII, and `\w`, `\d` and `\b` match ASCII only.
const RULES: &[(&str, Reason)] = &[
    (r"https?://[^<S>]", Reason::Url),
    (r"[\w.+-]@[\w-]+\.[A-Za-z]{2}", Reason::Email),
    (r"\b\d{3}[-.<S>]?\d{3}[-.<S>]?\d{4}\b", Reason::Phone),
    (r"(?i)\b(?:v\d+\.\d+(?:\.\d+)?|version[<S>]+\d+)\b", Reason::VersionNumber),
    (r"[0-9A-Fa-f]{40}", Reason::HashOrSha),
    (r"/[\w.-]+/[\w.-]", Reason::FilePath),
    (r"\b\d+(?:\.\d+){1,5}\b", Reason::IpOrSemver),
    (r#""[^"]{3,}"[<S>]*[,:]"#, Reason::QuotedKey),
    (r#"["<“>][^<“><”>]{10,}["<”>]|"[^"]{10,}""#, Reason::DirectQuote),
    (r"(?i)\b\d+\.?\d*[<S>]*(?:km|m|kg|s|<°>C|<°>F|Hz|MHz|GHz|ms|<µ>s|ns|MB|GB|TB)\b", Reason::NumericWithUnits),
];

/// Adds the reasons of this file that apply to `text`.
pub(super) fn soft_reasons(text: &[u8], reasons: &mut Reasons) {
    static COMPILED: LazyLock<Vec<(Regex, Reason)>> = LazyLock::new(|| {
        let compile = |&(rule, reason): &(&str, Reason)| Some((Regex::new(&spelled_out(rule)).ok()?, reason));
        RULES.iter().filter_map(compile).collect()
    });
    for (regex, reason) in COMPILED.iter() {
        if regex.is_match(text) {
            reasons.insert(*reason);
        }
    }
}

/// Returns the rule with the folded bytes of `palimpsest_text::fold_into`.
fn spelled_out(rule: &str) -> String {
    let bytes = [("<S>", r"\t-\r \x81\x82"), ("<“>", r"\x86"), ("<”>", r"\x87"), ("<°>", r"\x88"), ("<µ>", r"\x89")];
    let rule = bytes.iter().fold(rule.to_owned(), |rule, (sign, byte)| rule.replace(sign, byte));
    format!("(?-u){rule}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::fold_unit;

    #[test]
    fn every_rule_compiles() {
        for (rule, _) in RULES {
            Regex::new(&spelled_out(rule)).unwrap_or_else(|error| panic!("{rule}: {error}"));
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_fold() {
        for (sign, byte) in [('\u{3000}', 0x81), ('\u{2028}', 0x82), ('“', 0x86), ('”', 0x87), ('°', 0x88), ('µ', 0x89)]
        {
            assert_eq!(fold_unit(sign as u16), byte);
        }
    }
}
