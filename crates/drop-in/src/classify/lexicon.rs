//! All phrases that rules look for anywhere in a text, and their meanings. They form one set, so that a single pass
//! over a text ([`palimpsest_text::masks`]) finds the few words with which a phrase may begin.

use std::sync::LazyLock;

use palimpsest_text::phrases::{Gap, Phrases, phrases};

/// Meaning of a phrase.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// A keyword that only SQL has.
    SqlStrong,
    /// A keyword of SQL that is rare elsewhere, with its number, to count distinct ones.
    SqlWeak(u8),
    /// A keyword of SQL that is a common word, with its number.
    SqlPlain(u8),
    /// Shows that the text is a chain of reasoning.
    Conclusion,
    /// A signal of reasoning, with its number: three distinct ones make a chain.
    ReasoningSignal(u8),
    /// Starts a heading such as `Analysis:`.
    ReasoningHeading,
    /// A word of contracts.
    Legal,
    /// A report of a failure.
    Failure,
    /// Start of a phrase such as `status code: 404`.
    HttpStatus,
    /// Start of a phrase such as `HTTP/1.1 404`.
    HttpVersion,
    /// Phrase that a status code may follow.
    HttpResponse,
    /// Raises the score of its sentence in a summary.
    Emphasis,
    /// Raises the score of its sentence too: it draws a conclusion.
    Inference,
}

const SQL_STRONG: &[&str] = &[
    "boolean",
    "cascade",
    "constraint",
    "cross join",
    "foreign key",
    "full join",
    "group by",
    "inner join",
    "integer",
    "left join",
    "natural join",
    "not null",
    "on conflict",
    "order by",
    "primary key",
    "returning",
    "right join",
    "truncate",
    "upsert",
    "varchar",
    "with recursive",
];
const SQL_WEAK: &[&str] = &[
    "cursor",
    "declare",
    "distinct",
    "grant",
    "having",
    "join",
    "merge",
    "offset",
    "procedure",
    "revoke",
    "trigger",
    "union",
    "values",
    "where",
];
const SQL_PLAIN: &[&str] = &[
    "alter", "create", "delete", "drop", "fetch", "from", "insert", "into", "limit", "schema", "select", "set",
    "update", "view",
];
const CONCLUSIONS: &[&str] = &[
    "it follows that",
    "we can conclude",
    "we can deduce",
    "we can infer",
    "this implies that",
    "this proves that",
    "qed",
];
const REASONING_SIGNALS: &[&str] = &[
    "accordingly",
    "as a result",
    "assuming that",
    "because of this",
    "consequently",
    "given that",
    "hence",
    "since we know",
    "therefore",
    "this means that",
    "thus",
    "which implies",
    "which means",
    "which shows",
    "first",
    "firstly",
    "second",
    "secondly",
    "third",
    "thirdly",
    "in conclusion",
    "in summary",
    "to summarize",
    "let me think",
    "let me reason",
    "let me analyze",
    "let's consider",
    "let's break this down",
];
const REASONING_HEADINGS: &[&str] =
    &["reasoning", "analysis", "conclusion", "proof", "derivation", "chain of thought", "step by step"];
const LEGAL: &[&str] = &["shall", "may not", "notwithstanding", "whereas", "hereby"];
const FAILURES: &[&str] = &[
    "execution failed",
    "authentication failed",
    "authentication error",
    "authorization failed",
    "authorization denied",
    "connection refused",
    "connection timeout",
    "connection timed out",
    "permission denied",
];

const EMPHASIS: &[&str] = &[
    "always",
    "critical",
    "crucial",
    "essential",
    "however",
    "importantly",
    "in particular",
    "key point",
    "must",
    "never",
    "notably",
    "note that",
    "require",
    "required",
    "requires",
    "significant",
    "specifically",
];
const INFERENCES: &[&str] = &[
    "accordingly",
    "as a result",
    "consequently",
    "given that",
    "hence",
    "in conclusion",
    "it follows that",
    "therefore",
    "this implies that",
    "this means that",
    "this proves that",
    "thus",
    "we can conclude",
    "we can deduce",
    "we can infer",
];

/// An occurrence of a phrase.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Meaning of the phrase.
    pub term: Term,
    /// Start, in UTF-16 code units.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
}

pub fn lexicon() -> &'static Phrases<Term> {
    static LEXICON: LazyLock<Phrases<Term>> = LazyLock::new(|| {
        let numbered = |texts: &'static [&'static str], gap, term: fn(u8) -> Term| {
            (0..).zip(texts).flat_map(move |(number, text)| phrases(gap, term(number), std::slice::from_ref(text)))
        };
        // Two-word keywords of SQL come first, so that their words do not count on their own.
        Phrases::new(
            phrases(Gap::Flexible, Term::SqlStrong, SQL_STRONG)
                .chain(numbered(SQL_WEAK, Gap::Flexible, Term::SqlWeak))
                .chain(numbered(SQL_PLAIN, Gap::Flexible, Term::SqlPlain))
                .chain(phrases(Gap::Blank, Term::Conclusion, CONCLUSIONS))
                .chain(numbered(REASONING_SIGNALS, Gap::Blank, Term::ReasoningSignal))
                .chain(phrases(Gap::BlankOrHyphen, Term::ReasoningHeading, REASONING_HEADINGS))
                .chain(phrases(Gap::Blank, Term::Legal, LEGAL))
                .chain(phrases(Gap::Flexible, Term::Failure, FAILURES))
                .chain(phrases(Gap::Flexible, Term::HttpStatus, &["status"]))
                .chain(phrases(Gap::Flexible, Term::HttpVersion, &["http"]))
                .chain(phrases(Gap::Flexible, Term::HttpResponse, &["response status code is"]))
                .chain(phrases(Gap::Blank, Term::Emphasis, EMPHASIS))
                .chain(phrases(Gap::Blank, Term::Inference, INFERENCES))
                .collect(),
        )
    });
    &LEXICON
}
