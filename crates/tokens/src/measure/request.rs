//! A request, and its tokens.

use super::provider::{Media, Provider};
use super::rules::{Extra, Rules};
use crate::{Tokenizer, estimate};

/// Content of a part, beside a call's name and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing, or nothing that is to be counted.
    Nothing,
    Text(u32),
    /// So many tokens, which are known.
    Tokens(u32),
    Media(Media),
    /// A value of unknown meaning, whose JSON has so many UTF-16 code units.
    Json(u32),
}

/// A part of a message. Its name and id are numbers of texts.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub message: u32,
    /// Whether it is a tool call.
    pub is_call: bool,
    pub content: Content,
    /// The name of the tool that it calls.
    pub name: Option<u32>,
    /// The id of the call, or of the call that it answers.
    pub id: Option<u32>,
}

/// A message. Its role and name are numbers of texts.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// `None`: nothing of the message is sent.
    pub role: Option<u32>,
    /// The name of its author.
    pub name: Option<u32>,
}

/// All that is sent, and what of it is counted as the text of which number.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The parts of all messages, in order.
    pub parts: Vec<Part>,
    pub messages: Vec<Message>,
    /// Rows beside the messages, each with its text.
    pub extras: Vec<(Extra, Option<u32>)>,
}

/// The tokens of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Tokens of each part; of a call with its name and id.
    pub parts: Vec<f64>,
    /// Tokens of each message beyond its parts.
    pub messages: Vec<f64>,
    /// Tokens of tools, and of the request itself.
    pub request: f64,
    /// Tokens of the system prompts beside the messages.
    pub system: f64,
}

impl Request {
    /// The tokens of the request. `counts` holds those of each text.
    ///
    /// # Panics
    ///
    /// A part's message or the number of a text is beyond the end of its list.
    pub fn measure(&self, provider: Provider, tokenizer: Tokenizer, counts: &[u32]) -> Measured {
        let rules = provider.rules();
        let tokens_of = |text: u32| f64::from(counts[text as usize]);
        let label = |text: Option<u32>| text.map_or(0.0, tokens_of);
        let of_part = |part: &Part| {
            let content = match part.content {
                Content::Nothing => 0.0,
                Content::Text(text) => tokens_of(text),
                Content::Tokens(tokens) => tokens.into(),
                Content::Media(media) => provider.media_tokens(media),
                Content::Json(units) => estimate(units as usize) as f64,
            };
            content + if part.is_call { rules.call + label(part.name) + label(part.id) } else { 0.0 }
        };
        let of_message = |message: &Message| {
            let Some(role) = message.role else { return 0.0 };
            let role = if rules.counts_role { tokens_of(role) } else { 0.0 };
            rules.message + role + message.name.map_or(0.0, |name| rules.name + tokens_of(name))
        };
        let mut messages: Vec<f64> = self.messages.iter().map(of_message).collect();
        let mut last = None;
        for part in self.parts.iter().filter(|part| !part.is_call && part.id.is_some()) {
            // A result that consists of several parts has one id.
            if last.replace((part.message, part.id)) != Some((part.message, part.id)) {
                messages[part.message as usize] += label(part.id);
            }
        }
        let (request, system) = self.measure_extras(rules, tokenizer, label);
        Measured { parts: self.parts.iter().map(of_part).collect(), messages, request, system }
    }

    fn measure_extras(&self, rules: &Rules, tokenizer: Tokenizer, label: impl Fn(Option<u32>) -> f64) -> (f64, f64) {
        let (mut request, mut system) = (rules.request, 0.0);
        if self.extras.iter().any(|(extra, _)| *extra == Extra::Tool) {
            request += rules.tools;
        }
        for &(extra, text) in &self.extras {
            match extra {
                Extra::Prompt if rules.system_is_message => system += rules.message + label(text),
                Extra::Prompt => {}
                Extra::PromptText => system += label(text),
                _ => request += (rules.schema_row)(extra, tokenizer) + label(text),
            }
        }
        (request, system)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_text::TextBuf;

    /// Adds up requests whose texts are given in place of their numbers.
    #[derive(Default)]
    struct Texts(Vec<u32>);

    impl Texts {
        fn number(&mut self, text: &str, tokenizer: Tokenizer) -> u32 {
            self.0.push(tokenizer.count(TextBuf::from(text).as_text()) as u32);
            self.0.len() as u32 - 1
        }
    }

    /// The tokens of messages `(role, name, text)`, and of tools given as rows.
    fn total(
        provider: Provider,
        tokenizer: Tokenizer,
        messages: &[(&str, Option<&str>, &str)],
        extras: &[(Extra, &str)],
    ) -> f64 {
        let mut texts = Texts::default();
        let mut request = Request::default();
        for (index, (role, name, text)) in messages.iter().enumerate() {
            let content = Content::Text(texts.number(text, tokenizer));
            request.parts.push(Part { message: index as u32, is_call: false, content, name: None, id: None });
            let role = Some(texts.number(role, tokenizer));
            request.messages.push(Message { role, name: name.map(|name| texts.number(name, tokenizer)) });
        }
        request.extras = extras.iter().map(|&(extra, text)| (extra, Some(texts.number(text, tokenizer)))).collect();
        let measured = request.measure(provider, tokenizer, &texts.0);
        let all = measured.parts.iter().chain(&measured.messages).sum::<f64>();
        all + measured.request + measured.system
    }

    const USER: &str = "example_user";
    const ASSISTANT: &str = "example_assistant";

    /// OpenAI Cookbook, "How to count tokens with tiktoken", section 6; the API counts the same.
    #[test]
    fn openai_messages_and_names() {
        let jargon = [
            (
                "system",
                None,
                "You are a helpful, pattern-following assistant that translates corporate jargon into plain English.",
            ),
            ("system", Some(USER), "New synergies will help drive top-line growth."),
            ("system", Some(ASSISTANT), "Things working well together will increase revenue."),
            (
                "system",
                Some(USER),
                "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
            ),
            ("system", Some(ASSISTANT), "Let's talk later when we're less busy about how to do better."),
            ("user", None, "This late pivot means we don't have time to boil the ocean for the client deliverable."),
        ];
        assert_eq!(total(Provider::OpenAi, Tokenizer::O200kBase, &jargon, &[]), 124.0);
        assert_eq!(total(Provider::OpenAi, Tokenizer::Cl100kBase, &jargon, &[]), 129.0);
    }

    /// The same, section 7.
    #[test]
    fn openai_tools() {
        let weather = [
            ("system", None, "You are a helpful assistant that can answer to questions about the weather."),
            ("user", None, "What's the weather like in San Francisco?"),
        ];
        let tool = [
            (Extra::Tool, "get_current_weather:Get the current weather in a given location"),
            (Extra::Properties, ""),
            (Extra::Property, "location:string:The city and state, e.g. San Francisco, CA"),
            (Extra::Property, "unit:string:The unit of temperature to return"),
            (Extra::Enum, ""),
            (Extra::EnumValue, "celsius"),
            (Extra::EnumValue, "fahrenheit"),
        ];
        assert_eq!(total(Provider::OpenAi, Tokenizer::O200kBase, &weather, &tool), 101.0);
        assert_eq!(total(Provider::OpenAi, Tokenizer::Cl100kBase, &weather, &tool), 105.0);
    }

    /// Anthropic's guide to token counting, "How to count message tokens".
    #[test]
    fn anthropic_messages() {
        let system = [(Extra::Prompt, "system"), (Extra::PromptText, "You are a scientist")];
        let hello = [("user", None, "Hello, Claude")];
        // The documentation's prompt is a message as ours is with a text of its own: 3 tokens more.
        assert_eq!(total(Provider::Anthropic, Tokenizer::O200kBase, &hello, &system) + 3.0, 14.0);
    }

    /// Gemini's guide to tokens, "Count multi-turn (chat) tokens".
    #[test]
    fn gemini_messages() {
        let chat = [("user", None, "Hi my name is Bob"), ("model", None, "Hi Bob!")];
        assert_eq!(total(Provider::Gemini, Tokenizer::O200kBase, &chat, &[]), 10.0);
    }

    #[test]
    fn a_system_prompt_of_openai_is_a_message() {
        let among = [("system", None, "Be brief."), ("user", None, "Hi")];
        let beside = [(Extra::Prompt, "system"), (Extra::PromptText, "Be brief.")];
        for tokenizer in [Tokenizer::Estimate, Tokenizer::O200kBase, Tokenizer::Cl100kBase] {
            assert_eq!(
                total(Provider::OpenAi, tokenizer, &among, &[]),
                total(Provider::OpenAi, tokenizer, &among[1..], &beside)
            );
        }
    }

    #[test]
    fn calls_have_names_and_ids_a_result_has_one_id_and_what_is_not_sent_has_nothing() {
        // Texts of 10 (role), 20 (name), 30 (id) and 40 tokens.
        let counts = [10, 20, 30, 40];
        let part = |message, is_call, name| Part { message, is_call, content: Content::Text(3), name, id: Some(2) };
        let role = Message { role: Some(0), name: None };
        let request = Request {
            parts: vec![part(0, true, Some(1)), part(1, false, None), part(1, false, None), part(2, false, None)],
            messages: vec![role, role, role, Message { role: None, name: None }],
            extras: Vec::new(),
        };
        let measured = request.measure(Provider::OpenAi, Tokenizer::Estimate, &counts);
        assert_eq!(measured.parts, [3.0 + 40.0 + 20.0 + 30.0, 40.0, 40.0, 40.0]);
        assert_eq!(measured.messages, [3.0 + 10.0, 3.0 + 10.0 + 30.0, 3.0 + 10.0 + 30.0, 0.0]);
        assert_eq!((measured.request, measured.system), (3.0, 0.0));
    }

    #[test]
    fn unknown_values_count_by_their_length_and_unknown_media_as_usual_ones() {
        let media = |is_low_detail| Media { size: None, is_low_detail };
        let of = |provider: Provider, is_low_detail| provider.media_tokens(media(is_low_detail));
        assert_eq!(
            [Provider::OpenAi, Provider::Anthropic, Provider::Gemini].map(|one| of(one, false)),
            [765., 1600., 258.]
        );
        assert_eq!(of(Provider::OpenAi, true), 85.0);
        let contents = [Content::Nothing, Content::Tokens(12), Content::Json(0), Content::Json(7), Content::Json(8)];
        let parts = contents.map(|content| Part { message: 0, is_call: false, content, name: None, id: None });
        let request = Request { parts: parts.to_vec(), ..Request::default() };
        let measured = request.measure(Provider::Gemini, Tokenizer::O200kBase, &[]);
        assert_eq!(measured.parts, [0.0, 12.0, 0.0, 2.0, 3.0]);
        assert_eq!(measured.request, 0.0);
    }
}
