//! Where the outputs of a command go, and what its redirections do to files.

use super::Effect;
use super::course::Course;
use super::place::{Place, is_device, named};
use super::printed::Text;
use super::state::{Known, Out, Quotes, Spot};
use super::syntax::{Operator, Redirect};

/// Where one of the outputs goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Where the shell's own go.
    Shown,
    /// Into a file, or nowhere.
    Gone,
    Unclear,
}

/// What a command reads.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// What the shell reads.
    Inherited,
    /// What the command before it in a pipeline prints.
    Piped,
    /// This file.
    File(Option<Place>),
    /// Text that stands in the script.
    Text(String),
}

/// Where a command's outputs go, and what it reads.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    pub(super) output: Stream,
    pub(super) errors: Stream,
    pub(super) input: Input,
    /// Whether it reads a file.
    pub(super) reads_file: bool,
    /// Whether errors go where the output goes.
    joins_errors: bool,
}

impl Streams {
    /// Returns whether who reads line by line and prints something may print lines of files.
    pub(super) fn quotes_of_input(&self) -> Quotes {
        match self.input {
            Input::Piped => Quotes::Input,
            _ if self.reads_file => Quotes::Maybe,
            _ => Quotes::No,
        }
    }

    /// Returns whether the output may go elsewhere than into the pipeline.
    pub(super) fn is_unclear(&self) -> bool {
        self.output == Stream::Unclear || self.errors == Stream::Unclear
    }

    /// Returns whether the output was not redirected.
    pub(super) fn shows_output(&self) -> bool {
        self.output == Stream::Shown
    }

    /// Returns whether nothing was redirected.
    pub(super) fn is_plain(&self) -> bool {
        (self.output, self.errors) == (Stream::Shown, Stream::Shown)
            && matches!(self.input, Input::Inherited | Input::Piped)
    }

    /// Returns what is shown of an output, of a program that prints nothing else if it succeeds, or maybe warnings.
    pub(super) fn pass(&self, mut out: Out, may_warn: bool) -> Out {
        match (self.output, self.errors) {
            (Stream::Shown, Stream::Shown) => {
                if let Text::File(lines) = &mut out.text {
                    lines.is_joined |= self.joins_errors;
                }
            }
            (Stream::Gone, Stream::Gone) => out = Out::SILENT,
            (Stream::Gone, Stream::Shown) => {
                out.quotes = Quotes::No;
                out.text = if may_warn && !matches!(out.text, Text::Silent) { Text::Other } else { Text::Silent };
            }
            (Stream::Shown, Stream::Gone) => {
                if let Text::File(lines) = &mut out.text {
                    lines.is_muted = true;
                }
            }
            (Stream::Unclear, _) | (_, Stream::Unclear) => out.text = Text::Other,
        }
        out
    }
}

impl Course {
    /// Follows redirections: what they do to files happens before the command runs.
    pub(super) fn redirect(&mut self, redirects: &[Redirect], spot: &Spot, known: Known) -> (Streams, Known) {
        let mut inner = known;
        let (mut output, mut errors) = (Stream::Shown, Stream::Shown);
        let mut input = if self.is_piped { Input::Piped } else { Input::Inherited };
        let (mut reads_file, mut joins_errors) = (false, false);
        self.expand(redirects.iter().map(|redirect| &redirect.word), spot);
        for redirect in redirects {
            let word = redirect.word.literal();
            let is_output = !matches!(
                redirect.operator,
                Operator::Read | Operator::CopyInput | Operator::Document | Operator::Text
            );
            let descriptor =
                redirect.descriptor.unwrap_or(u32::from(is_output && redirect.operator != Operator::ReadWrite));
            let mut set = |to: Stream, both: bool| {
                if descriptor == 1 || both {
                    output = to;
                }
                if descriptor == 2 || both {
                    errors = to;
                }
                if descriptor > 2 {
                    // What is copied from it later is not followed.
                    (output, errors) = (Stream::Unclear, Stream::Unclear);
                }
            };
            match redirect.operator {
                Operator::Write
                | Operator::Append
                | Operator::ReadWrite
                | Operator::WriteBoth
                | Operator::AppendBoth => {
                    let both = matches!(redirect.operator, Operator::WriteBoth | Operator::AppendBoth);
                    self.open(redirect, spot, known);
                    if redirect.operator == Operator::ReadWrite && descriptor == 0 {
                        reads_file = true;
                        input = Input::File(None);
                        continue;
                    }
                    if both {
                        // dash would run it beside the rest.
                        inner = Known::MAYBE;
                    }
                    // zsh prints into the pipeline, too.
                    let is_unclear = word.is_some_and(is_shown_device) || both || (self.feeds_pipe && descriptor == 1);
                    set(if is_unclear { Stream::Unclear } else { Stream::Gone }, both);
                }
                Operator::CopyOutput => match word {
                    Some("1") if descriptor == 2 => {
                        errors = output;
                        joins_errors = true;
                    }
                    // It does not go into the pipeline then.
                    Some("2") if descriptor == 1 => {
                        output = if errors == Stream::Gone { errors } else { Stream::Unclear }
                    }
                    Some("1") if descriptor == 1 => {}
                    Some("2") if descriptor == 2 => {}
                    // A `-` at the end of a name is cut off.
                    Some(word) if redirect.descriptor.is_none() && !is_descriptor(word) && !word.ends_with('-') => {
                        self.open(redirect, spot, known);
                        let is_unclear = is_shown_device(word) || self.feeds_pipe;
                        set(if is_unclear { Stream::Unclear } else { Stream::Gone }, true);
                    }
                    _ => {
                        if !word.is_some_and(is_descriptor) {
                            self.effects.push(Effect::MayChangeAny);
                        }
                        (output, errors) = (Stream::Unclear, Stream::Unclear);
                    }
                },
                Operator::Read => {
                    let is_empty = word == Some("/dev/null");
                    reads_file |= !is_empty;
                    let place = word.and_then(|word| named(spot.known(), word));
                    input = if is_empty { Input::Text(String::new()) } else { Input::File(place) };
                    if descriptor != 0 {
                        (output, errors) = (Stream::Unclear, Stream::Unclear);
                    }
                }
                Operator::CopyInput => (output, errors) = (Stream::Unclear, Stream::Unclear),
                Operator::Document | Operator::Text => input = Input::Text(redirect.word.text.clone()),
            }
        }
        self.may_fail_silently |= errors != Stream::Shown;
        (Streams { output, errors, input, reads_file, joins_errors }, inner)
    }

    /// Notes that a file was opened to be written.
    fn open(&mut self, redirect: &Redirect, spot: &Spot, known: Known) {
        let Some(word) = redirect.word.literal() else {
            self.effects.push(Effect::MayChangeAny);
            return;
        };
        if is_device(word) {
            return;
        }
        let is_certain = self.is_certain(known);
        let place = named(spot.known(), word).filter(|_| !word.ends_with('/'));
        self.effects.push(match (place, redirect.operator) {
            (None, _) => Effect::MayChangeAny,
            (Some(place), Operator::Append | Operator::AppendBoth | Operator::ReadWrite) => Effect::MayChange(place),
            (Some(place), _) if is_certain => Effect::Overwrite(place),
            (Some(place), _) => Effect::MayChange(place),
        });
    }
}

/// Returns whether `>& word` copies a stream.
fn is_descriptor(word: &str) -> bool {
    let digits = word.strip_suffix('-').unwrap_or(word);
    word == "-" || (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns whether a device shows what is written to it.
fn is_shown_device(path: &str) -> bool {
    is_device(path) && path != "/dev/null"
}
