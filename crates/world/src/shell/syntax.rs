//! What a script of a POSIX shell says, as far as its effects depend on it.

/// A word of a script, after its quotes are taken away.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    /// Its text; without what expansions would add.
    pub(super) text: String,
    /// Whether the shell makes exactly this text of it.
    pub(super) is_literal: bool,
    /// Whether a part of it is quoted, so that it is no reserved word.
    pub(super) is_quoted: bool,
    /// Whether no word that the shell makes of it can start with a hyphen.
    pub(super) is_never_option: bool,
    /// Length of the name, if it has the form of an assignment.
    pub(super) name: Option<usize>,
    /// Scripts that it substitutes.
    pub(super) inner: Vec<List>,
    /// Whether its expansion may fail, and end the script.
    pub(super) may_abort: bool,
    /// Whether its expansion may set variables.
    pub(super) may_assign: bool,
}

impl Word {
    /// The text, if it is certain.
    pub(super) fn literal(&self) -> Option<&str> {
        self.is_literal.then_some(self.text.as_str())
    }
}

/// Pipelines one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) items: Vec<Item>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) first: Pipeline,
    pub(super) rest: Vec<(Joint, Pipeline)>,
    /// Whether it runs beside what follows.
    pub(super) is_background: bool,
}

/// What joins two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    And,
    Or,
}

/// Commands joined by `|`.
#[derive(Clone, Debug)]
pub(super) struct Pipeline {
    pub(super) is_negated: bool,
    pub(super) is_timed: bool,
    pub(super) parts: Vec<Command>,
    /// Whether `|&` joins some of them.
    pub(super) joins_errors: bool,
}

/// A command with its redirections.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) kind: CommandKind,
    pub(super) redirects: Vec<Redirect>,
}

/// Kind of a command.
#[derive(Clone, Debug)]
pub(super) enum CommandKind {
    /// A program or a builtin, with assignments before it.
    Simple { assignments: Vec<Word>, words: Vec<Word> },
    /// `( … )`.
    Subshell(List),
    /// `{ …; }`.
    Group(List),
    /// `if`, `for`, `while`, `until`, `case`, `select`.
    Compound(Compound),
    /// `name() …`: nothing of it runs.
    Function(Box<Command>),
    /// `[[ … ]]`, with what it expands, and whether another shell would take a part of it for a redirection.
    Test { words: Vec<Word>, has_angle: bool },
    /// `(( … ))`.
    Arithmetic(Word),
}

/// A command of which each body may run or not.
#[derive(Clone, Debug, Default)]
pub(super) struct Compound {
    /// Words that it expands first.
    pub(super) words: Vec<Word>,
    /// The list that surely runs.
    pub(super) first: Option<List>,
    /// Lists that may run, maybe several times.
    pub(super) bodies: Vec<List>,
    /// Whether it sets a variable of its own.
    pub(super) sets_variable: bool,
    /// Whether a part of it may change the directory.
    pub(super) may_move: bool,
}

/// Operator of a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// `<`.
    Read,
    /// `>`, `>|`.
    Write,
    /// `>>`.
    Append,
    /// `<>`.
    ReadWrite,
    /// `<&`.
    CopyInput,
    /// `>&`.
    CopyOutput,
    /// `&>`.
    WriteBoth,
    /// `&>>`.
    AppendBoth,
    /// `<<`, `<<-`: the word is the text.
    Document,
    /// `<<<`.
    Text,
}

/// A redirection.
#[derive(Clone, Debug)]
pub(super) struct Redirect {
    pub(super) descriptor: Option<u32>,
    pub(super) operator: Operator,
    pub(super) word: Word,
}

impl List {
    /// Visits the here-documents of a list in the order in which they stand, but for those of substitutions.
    pub(super) fn each_document(&mut self, visit: &mut impl FnMut(&mut Redirect)) {
        for item in &mut self.items {
            item.first.each_document(visit);
            item.rest.iter_mut().for_each(|(_, pipeline)| pipeline.each_document(visit));
        }
    }
}

impl Pipeline {
    fn each_document(&mut self, visit: &mut impl FnMut(&mut Redirect)) {
        self.parts.iter_mut().for_each(|command| command.each_document(visit));
    }
}

impl Command {
    fn each_document(&mut self, visit: &mut impl FnMut(&mut Redirect)) {
        match &mut self.kind {
            CommandKind::Subshell(list) | CommandKind::Group(list) => list.each_document(visit),
            CommandKind::Compound(compound) => {
                let lists = compound.first.iter_mut().chain(&mut compound.bodies);
                lists.for_each(|list| list.each_document(visit));
            }
            CommandKind::Function(body) => body.each_document(visit),
            CommandKind::Simple { .. } | CommandKind::Test { .. } | CommandKind::Arithmetic(_) => {}
        }
        self.redirects.iter_mut().filter(|redirect| redirect.operator == Operator::Document).for_each(visit);
    }
}
