//! The policy: every constant that shapes what is kept, on one page, with its unit, its meaning, and the measurement that set it.
//!
//! Sizes of buffers, bounds of time and of searches stand where they are used. So do the weights of the [ranking](palimpsest_text::ranking),
//! which `recall` measures, and the words that rules look for.
//!
//! Names of measurements are headings of `research/fit.md`. *Unmeasured* is what was set by reasoning alone; what each constant is worth
//! today stands there under *What each constant is worth*. `npm run quality -- --ablate` measures it: the feature `ablate` builds an engine that
//! reads other values from `PALIMPSEST_ABLATE`, as in `plan.users_share=0,passages.value=0.1`.

/// Declares the policy, its values, and the table by which constants are set to their neutral values: those with which a rule changes nothing.
macro_rules! policy {
    ($(
        $(#[$about:meta])* $group:ident: $Group:ident {
            $( $(#[$doc:meta])* $name:ident: $type:ty = $value:expr, $unit:literal, neutral $neutral:expr; )*
        }
    )*) => {
        /// All constants of the choice.
        #[derive(Clone, Debug)]
        pub(super) struct Policy {
            $( $(#[$about])* pub $group: $Group, )*
        }

        $(
            $(#[$about])*
            #[derive(Clone, Debug)]
            pub(super) struct $Group {
                $( $(#[$doc])* pub $name: $type, )*
            }
        )*

        /// The policy in use.
        const POLICY: Policy = Policy { $( $group: $Group { $( $name: $value, )* }, )* };

        #[cfg(feature = "ablate")]
        impl Policy {
            /// All constants, in order.
            fn table() -> Vec<Constant> {
                vec![$( $( Constant {
                    name: concat!(stringify!($group), ".", stringify!($name)),
                    unit: $unit,
                    value: Value::write(&POLICY.$group.$name),
                    neutral: Value::write(&{ let neutral: $type = $neutral; neutral }),
                }, )* )*]
            }

            /// Sets a constant; `None` if there is none of this name, or if its value can't be read.
            fn set(&mut self, name: &str, value: &str) -> Option<()> {
                $( $( if name == concat!(stringify!($group), ".", stringify!($name)) {
                    self.$group.$name = Value::read(value)?;
                    return Some(());
                } )* )*
                None
            }
        }
    };
}

policy! {
    /// Words that may carry a fact.
    words: WordPolicy {
        /// Minimum length of the name of one thing: numbers up to 99 name nothing by themselves. Unmeasured.
        shortest_name: usize = 3, "UTF-16 code units", neutral 1;
        /// Minimum length of an ordinary word of ASCII; letters beyond it say as much in fewer. Unmeasured; the measure itself has facts of five letters.
        shortest_ordinary: usize = 5, "UTF-16 code units", neutral 1;
    }

    /// The value of a word: the chance that the next messages take it up.
    uses: UsePolicy {
        /// Messages after which the chance is about half of what it was. *The value of a word*: between 12 and 24 nothing changes by more than a point.
        half_after: f64 = 16.0, "messages", neutral f64::INFINITY;
        /// Chance that is left however long ago a word was said. *The value of a word*.
        floor: f64 = 0.02, "chance", neutral 0.0;
        /// Maximum number of messages that say an ordinary word for it to have a value. Unmeasured.
        max_ordinary: u32 = 3, "messages", neutral u32::MAX;
        /// Factor for words that more than one role says. *The value of a word*: use by someone else helps a little.
        taken_up: f64 = 1.5, "factor", neutral 1.0;
        /// Factor by the number of messages that say a word: the number to the power of 0.7. A table, so that every platform has the same.
        /// *The value of a word*: between 0.5 and 1 nothing changes by more than a point.
        by_messages: [f64; 13] = [
            0.0, 1.0, 1.6245, 2.1577, 2.6390, 3.0852, 3.5051, 3.9045, 4.2871, 4.6555, 5.0119, 5.3577, 5.6941,
        ], "factor", neutral [1.0; 13];
    }

    /// The value of a span, beside that of its words.
    weights: WeightPolicy {
        /// Factor for a line of an output that looks like an error. Unmeasured.
        error: f64 = 1.3, "factor", neutral 1.0;
        /// Factor for the first and the last line of an output. Unmeasured.
        ends: f64 = 1.2, "factor", neutral 1.0;
        /// Factor for superseded spans. *The steps so far*: a fifth, then a half.
        superseded: f64 = 0.5, "factor", neutral 1.0;
        /// Factor for results that the model asked for again: what came back once is needed once more. Unmeasured here.
        asked_again: f64 = 2.0, "factor", neutral 1.0;
        /// Factor for a word that a kept span already says. *Tried and rejected*: 0.3 lost 3 points at a half.
        repeated: f64 = 0.1, "factor", neutral 0.0;
        /// Minimum gain of a span for each of its tokens, so that all of the limit is used. Unmeasured.
        least_gain: f64 = 1e-6, "value per token", neutral 0.0;
        /// Maximum number of spans of a group that are weighed against the tokens of keeping the group at all. *Tried and rejected*: with 32 or 128,
        /// a quarter loses 1.2 and 1.1.
        most_first: usize = 64, "spans", neutral 1 << 20;
        /// Maximum tokens of a remark: a short text of the model, which tells little, but more than the mark in its place. *The steps so far*: up to
        /// 18 costs nothing, up to 24 0.4 points at a quarter.
        remark: f64 = 18.0, "tokens", neutral -1.0;
    }

    /// How texts are split into spans.
    spans: SpanPolicy {
        /// Extent of a line up to which it is one span; longer ones are split into sentences. *The steps so far*.
        longest_line: usize = 280, "UTF-16 code units of English", neutral 1 << 30;
        /// Extent below which a sentence is joined to the next one. *Tried and rejected*: spans of 40 to 60 ground nothing more.
        short_sentence: usize = 40, "UTF-16 code units of English", neutral 0;
        /// Approximate length at which longer sentences are split. Unmeasured.
        clause: usize = 160, "UTF-16 code units of English", neutral 1 << 20;
        /// Minimum number of lines of a log, whose first and last line stay with the others. Unmeasured.
        log: usize = 6, "lines", neutral 1 << 30;
        /// An element or member of JSON up to this length stays or goes as a whole; longer ones are opened. Unmeasured.
        element: usize = 1000, "UTF-16 code units", neutral 1 << 30;
        /// A longer string of JSON is split into lines. Unmeasured.
        string: usize = 200, "UTF-16 code units", neutral 1 << 30;
        /// A string in the arguments of a call can be cut if its JSON, quotes included, is longer; shorter ones stay with the call. *The steps so
        /// far*: from 200 on 91.6 / 73.3 / 46.4, from 400 on 91.8 / 73.4 / 46.6, from 600 on 91.7 / 73.3 / 45.7.
        argument: usize = 400, "UTF-16 code units", neutral 1 << 30;
        /// An object of a program's value with more members is a table, any of which can go, and no record, whose members are asked for by name.
        /// Unmeasured.
        record: usize = 32, "members", neutral 0;
    }

    /// The user's own words, told from what was pasted among them.
    speech: SpeechPolicy {
        /// Maximum length of a person's text that is never taken for a paste. Unmeasured.
        short: usize = 280, "UTF-16 code units", neutral 0;
        /// Inverse of the share of digits from which a line is data. Unmeasured.
        digits: usize = 6, "characters per digit", neutral 0;
        /// Minimum number of words of a sentence that names numbers. Unmeasured.
        sentence: usize = 4, "words", neutral 0;
    }

    /// The approximate tokens of marks, and what they may name.
    marks: MarkPolicy {
        /// A mark in the place of lines. *The steps so far*.
        text: f64 = 3.5, "tokens", neutral 0.0;
        /// A mark in an argument of a call. *The steps so far*: a mark of 13 tokens.
        argument: f64 = 13.0, "tokens", neutral 0.0;
        /// The same by the estimate of tokens.
        argument_estimated: f64 = 11.0, "tokens", neutral 0.0;
        /// A mark in the place of elements or members of JSON. Unmeasured.
        json: f64 = 4.0, "tokens", neutral 0.0;
        /// The same by the estimate of tokens.
        json_estimated: f64 = 2.5, "tokens", neutral 0.0;
        /// A text in arguments stays whole if what would go is at most this share of its quotes, beside the mark: a mark quotes two thirds of a text at
        /// most. *The steps so far*: a third, beside a half and a quarter.
        quoted: f64 = 0.5, "share", neutral 0.0;
        /// Maximum number of tools that a mark of messages names. Unmeasured.
        names: usize = 4, "tools", neutral 0;
        /// Maximum share of the tokens for names of tools in marks. *The steps so far*: 1 %.
        names_share: f64 = 0.01, "share", neutral 0.0;
        /// Tokens for names of tools where their share is less. Unmeasured.
        least_names: f64 = 20.0, "tokens", neutral 0.0;
    }

    /// The query, and what relevance to it is worth.
    query: QueryPolicy {
        /// Maximum value of a relevant span for each of its tokens, as a multiple of the conversation's average. *One ranking for fit and recall*.
        scale: f64 = 1000.0, "factor", neutral 0.0;
        /// Exponent of a span's share of the best score. *One ranking for fit and recall*: 8 costs older quotes 1 point at a tenth.
        sharpness: i32 = 10, "exponent", neutral 1;
        /// Score of the other spans of a passage, as a share of its best one's. *One ranking for fit and recall*: readers' questions 71.1 for 69.1.
        around: f32 = 0.95, "share", neutral 0.0;
        /// Number of words up to which a question counts in full: longer ones mostly state something. *The query*.
        brief: f64 = 24.0, "words", neutral f64::INFINITY;
        /// Strength of a text that is not recognised as a question, which may ask but rarely does. *The query*: a hundredth.
        statement: f64 = 0.001, "strength", neutral 0.0;
        /// Strength of a brief last message that is no question but has a number, or a name with one in it. *The query*: 40 of 40 orders for 1 to 6.
        named: f64 = 0.006, "strength", neutral 0.0;
        /// Number of words of such a message that counts in full. *The query*.
        named_brief: f64 = 7.0, "words", neutral f64::INFINITY;
        /// Strength of a call that waits for its result, and of a result that says what failed. *The query*: 3 %, today a tenth of that.
        step: f64 = 0.003, "strength", neutral 0.0;
        /// Number of messages of the model and its tools after which a question has a quarter of its strength, because they are about it. It falls
        /// with the second power. *One ranking for fit and recall*.
        quarter_after: f64 = 1.0, "messages", neutral f64::INFINITY;
        /// Minimum strength for which the words of a query are looked up. Unmeasured.
        least_asked: f64 = 0.001, "strength", neutral 0.0;
        /// Minimum strength that changes anything, once the words were found. Unmeasured.
        least_strength: f64 = 0.0003, "strength", neutral 0.0;
        /// Strength from which the words of the query itself do not count as covered. *The query*: 84 / 67 / 39 of the questions for 67 / 28 / 8.
        unsaid: f64 = 0.2, "strength", neutral f64::INFINITY;
        /// Share of the query that the best span has to cover for the query to count at all, in words that one message says each; of more frequent
        /// words it takes more. *One ranking for fit and recall*: 0.6 to 3, not 0.9 to 3.5.
        specific_from: f64 = 0.6, "words", neutral 0.0;
        /// How much more it has to cover to count in full.
        specific_over: f64 = 2.4, "words", neutral 1e-6;
    }

    /// Passages: texts of files, which the next edits quote.
    passages: PassagePolicy {
        /// Value of a token of a passage that was said just now, in the measure of the values of words. *Passages*: 0.05 to 0.1 were tried.
        value: f64 = 0.05, "value per token", neutral 0.0;
        /// Number of messages after which that is half as much. It falls with the third power. *Passages*: of 16,684 pairs, by messages since.
        half_after: f64 = 28.0, "messages", neutral f64::INFINITY;
        /// Factor for the last messages, on which the agent works. *Passages*.
        newest: f64 = 5.0, "factor", neutral 1.0;
        /// Number of messages before the last one that are among these. *Passages*.
        newest_messages: f64 = 4.0, "messages", neutral -1.0;
        /// An agent that reads more often for each change looks around, and quotes less. *Passages*.
        reads_per_change: f64 = 6.0, "reads", neutral f64::INFINITY;
        /// Number of changes that are expected of an agent that has only read so far. *Passages*.
        expected_changes: f64 = 2.0, "changes", neutral 0.0;
        /// Tokens within which passages are worth half as much: what is needed beside them takes about the same room whatever the limit. *The same
        /// text in fewer tokens*: 2,200, 2,600 and 3,200.
        half_within: f64 = 2600.0, "tokens", neutral 0.0;
        /// Free tokens from which the value of passages fades, until words compete alone. *The share in many tokens, the value in few*.
        fades_from: f64 = 2500.0, "tokens", neutral 1e12;
        /// Tokens over which it fades. *The share in many tokens, the value in few*.
        fades_over: f64 = 1000.0, "tokens", neutral 1.0;
        /// Free tokens from which the share of passages grows. It begins before the value fades, because each alone keeps too little. *The share in
        /// many tokens, the value in few*.
        share_from: f64 = 2000.0, "tokens", neutral 0.0;
        /// Tokens over which it grows. *The share in many tokens, the value in few*.
        share_over: f64 = 1000.0, "tokens", neutral 1.0;
        /// Maximum share of the free tokens for passages that stay whole. *The newest passages whole*: 0 to 0.85.
        share: f64 = 0.85, "share", neutral 0.0;
        /// The same where the newest messages stay whole anyway, as in sessions: they hold most of what is quoted. *The newest passages whole, in place
        /// of their value*: 88.7 % of the facts and 95.7 % of the quotes, 86.5 and 99.4 with 0.85.
        share_before_newest: f64 = 0.3, "share", neutral 0.85;
        /// Free tokens at which the share is 35 % of its maximum: a half to the power of 1.5. *The newest passages whole, in place of their value*.
        share_half_within: f64 = 2200.0, "tokens", neutral 0.0;
        /// Maximum part of the share for one passage older than the last messages, so that a passage that just fits displaces little. *The share in
        /// many tokens, the value in few*: a larger limit loses 12 % of the value at most, 18 % without.
        largest: f64 = 0.65, "share", neutral 1.0;
        /// Maximum share of the free tokens for the newest passage of all. *The share in many tokens, the value in few*.
        newest_share: f64 = 0.9, "share", neutral 0.0;
        /// Number of lines in a row by which it is told that a newer text shows them. Unmeasured.
        in_a_row: usize = 3, "lines", neutral 1 << 30;
        /// Maximum number of letters and digits of a line that tells nothing. Unmeasured.
        tells_nothing: usize = 2, "characters", neutral 0;
    }

    /// What stays before anything is chosen by its value.
    plan: PlanPolicy {
        /// Tokens up to which instructions stay wherever they stand: the mark in their place may cost as much. Unmeasured.
        short_instructions: f64 = 24.0, "tokens", neutral 0.0;
        /// Maximum share of the tokens for the current exchange to stay whole. *The steps so far*: four messages, then the exchange.
        current_share: f64 = 0.3, "share", neutral 0.0;
        /// Maximum share of the tokens for the groups before the last one, the newest first; less where few tokens are left, as of passages. *The newest
        /// steps*: 0.15 to 0.3.
        newest_share: f64 = 0.2, "share", neutral 0.0;
        /// Maximum share of the tokens for the message before the user's last one to stay, as short as it can be. Unmeasured.
        answer_share: f64 = 0.3, "share", neutral 0.0;
        /// Maximum tokens of a span of the user's last words that stays whatever the limit: longer than people's questions, shorter than a paste without
        /// line breaks. Unmeasured.
        last_span: f64 = 256.0, "tokens", neutral 0.0;
        /// Maximum share of the tokens for the user's words to stay. *The steps so far*: a fifth, beside a quarter.
        users_share: f64 = 0.2, "share", neutral 0.0;
        /// Maximum tokens of the user's words in a message that go before longer ones: a request, no paste. *Passages*: 100 / 100 / 98 of the requests for
        /// 99 / 95 / 92.
        request: f64 = 160.0, "tokens", neutral 0.0;
        /// Maximum share of what is left of the user's share for a longer message. Unmeasured.
        message_share: f64 = 0.5, "share", neutral 1.0;
        /// The user wrote most of a conversation whose tokens are less than so many times the user's. *The steps so far*: a third.
        most: f64 = 3.0, "factor", neutral 0.0;
        /// Share of the tokens that is left at first for the marks of dropped messages. *The steps so far*.
        marks_share: f64 = 0.02, "share", neutral 0.0;
        /// Share of the tokens below which nothing worse is tried at first where the best does not fit: better candidates may come. Unmeasured.
        rough_share: f64 = 0.02, "share", neutral 0.0;
    }

    /// Shares of the limit up to which obligations stay, whatever their value. All are measured in *Obligations*, if nothing else is said.
    obligations: ObligationPolicy {
        /// Demands in standing instructions.
        rules_demands: f64 = 0.3, "share", neutral 0.0;
        /// The lists of standing instructions.
        rules_lists: f64 = 0.2, "share", neutral 0.0;
        /// All of standing instructions.
        rules_whole: f64 = 0.1, "share", neutral 0.0;
        /// Demands of the task, and what they introduce.
        task_demands: f64 = 0.25, "share", neutral 0.0;
        /// Short fences of the task.
        task_fences: f64 = 0.3, "share", neutral 0.0;
        /// All of the task.
        task_whole: f64 = 0.4, "share", neutral 0.0;
        /// Open entries of the newest list, and demands of the newest summary.
        state_open: f64 = 0.2, "share", neutral 0.0;
        /// All of both.
        state_whole: f64 = 0.1, "share", neutral 0.0;
        /// Demands of the user and of notices: 0.3 cost support chats a point.
        said: f64 = 0.05, "share", neutral 0.0;
        /// Maximum tokens of a task that stays whole: a request with an example or two. What is longer is pasted.
        longest_task: f64 = 2048.0, "tokens", neutral f64::INFINITY;
        /// Maximum number of lines in a fence that is a command, a form or an example, and no paste.
        short_fence: usize = 6, "lines", neutral 0;
        /// A task of more than so many times the tokens of its prose is a paste: a log with a question. A test fails without it.
        pasted: f64 = 2.0, "factor", neutral f64::INFINITY;
    }
}

/// The policy in use.
#[cfg(not(feature = "ablate"))]
#[inline(always)]
pub(super) const fn policy() -> &'static Policy {
    &POLICY
}

#[cfg(feature = "ablate")]
pub use ablate::Constant;
#[cfg(feature = "ablate")]
use ablate::Value;
#[cfg(feature = "ablate")]
pub(super) use ablate::policy;

/// Other values of constants, from the environment.
#[cfg(feature = "ablate")]
mod ablate {
    use std::sync::LazyLock;

    use super::{POLICY, Policy};

    /// A constant, as the ablation prints it.
    #[derive(Clone, Debug)]
    pub struct Constant {
        pub name: &'static str,
        pub unit: &'static str,
        pub value: String,
        /// The value at which the rule changes nothing.
        pub neutral: String,
    }

    impl Constant {
        /// All constants of the choice, in order.
        pub fn all() -> Vec<Constant> {
            Policy::table()
        }
    }

    /// The policy in use: [`POLICY`] with the values of `PALIMPSEST_ABLATE`, which are read once.
    pub(in crate::fit) fn policy() -> &'static Policy {
        static USED: LazyLock<Policy> = LazyLock::new(|| {
            let mut policy = POLICY;
            let given = std::env::var("PALIMPSEST_ABLATE").unwrap_or_default();
            for change in given.split(',').filter(|change| !change.is_empty()) {
                let set = change.split_once('=').and_then(|(name, value)| policy.set(name, value));
                assert!(
                    set.is_some(),
                    "PALIMPSEST_ABLATE: `{change}` is no constant of the policy with a value of its type"
                );
            }
            policy
        });
        &USED
    }

    /// A value that can be written and read.
    pub(super) trait Value: Sized {
        fn write(&self) -> String;
        fn read(text: &str) -> Option<Self>;
    }

    macro_rules! values {
        ($($type:ty)*) => {
            $( impl Value for $type {
                fn write(&self) -> String {
                    self.to_string()
                }

                fn read(text: &str) -> Option<Self> {
                    text.parse().ok()
                }
            } )*
        };
    }

    values!(f64 f32 usize u32 i32);

    /// One value stands for all of a table.
    impl<const N: usize> Value for [f64; N] {
        fn write(&self) -> String {
            let (first, last) = (self[0], self[N - 1]);
            if first == last { first.to_string() } else { format!("{first} … {last}") }
        }

        fn read(text: &str) -> Option<Self> {
            text.parse().ok().map(|value| [value; N])
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn every_constant_can_be_set_to_its_neutral_value() {
            for Constant { name, value, neutral, .. } in Constant::all() {
                assert_ne!(value, neutral, "{name}");
                let mut policy = POLICY;
                assert_eq!(policy.set(name, &neutral), Some(()), "{name}");
                assert_ne!(format!("{policy:?}"), format!("{POLICY:?}"), "{name}");
            }
            assert_eq!(POLICY.clone().set("plan.unknown", "1"), None);
        }
    }
}
