//! Every phrase that a rule looks for anywhere in a text, and what it stands for. One set, so that one look at a text
//! ([`crate::text::masks`]) tells the few words with which one of them may begin.

use std::sync::LazyLock;

use crate::text::phrases::{Gap, Phrases, phrases};

/// What a phrase stands for.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// A keyword that only SQL has.
    SqlStrong,
    /// A keyword of SQL that is rare elsewhere. Its number, for counting distinct ones.
    SqlWeak(u8),
    /// A keyword of SQL that is a common word. Its number.
    SqlPlain(u8),
    /// Says that the text is a chain of reasoning.
    Conclusion,
    /// A sign of reasoning, and its number: three distinct ones make a chain.
    ReasoningSign(u8),
    /// Starts a heading such as `Analysis:`.
    ReasoningHeading,
    /// A word of contracts.
    Legal,
    /// Something failed.
    Failure,
    /// Starts something such as `status code: 404`.
    HttpStatus,
    /// Starts something such as `HTTP/1.1 404`.
    HttpVersion,
    /// A status code may follow.
    HttpResponse,
    /// Makes its sentence worth more in a summary.
    Emphasis,
    /// So does this: its sentence draws a conclusion.
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
const REASONING_SIGNS: &[&str] = &[
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

/// Where a phrase of the lexicon stands.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// What it stands for.
    pub term: Term,
    /// Position of its first unit.
    pub start: u32,
    /// Position behind its last unit.
    pub end: u32,
}

/// The lexicon.
pub fn lexicon() -> &'static Phrases<Term> {
    static LEXICON: LazyLock<Phrases<Term>> = LazyLock::new(|| {
        let numbered = |texts: &'static [&'static str], gap, term: fn(u8) -> Term| {
            (0..).zip(texts).flat_map(move |(number, text)| phrases(gap, term(number), std::slice::from_ref(text)))
        };
        // Two-word keywords of SQL come first: where one stands, its words do not count by themselves.
        Phrases::new(
            phrases(Gap::Flexible, Term::SqlStrong, SQL_STRONG)
                .chain(numbered(SQL_WEAK, Gap::Flexible, Term::SqlWeak))
                .chain(numbered(SQL_PLAIN, Gap::Flexible, Term::SqlPlain))
                .chain(phrases(Gap::Blank, Term::Conclusion, CONCLUSIONS))
                .chain(numbered(REASONING_SIGNS, Gap::Blank, Term::ReasoningSign))
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
