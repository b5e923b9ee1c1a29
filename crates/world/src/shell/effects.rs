//! What programs do to the files that their arguments name.

use super::Effect;
use super::git;
use super::place::{Place, is_device, named};
use super::programs::{Program, may_write, one_of};
use super::sed;
use super::syntax::Word;

/// Where a program runs, and whether it surely did what its arguments say.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'a> {
    pub(super) directory: Option<&'a Place>,
    pub(super) is_certain: bool,
}

impl At<'_> {
    /// Returns the place that a word names; `None` if that is not certain.
    pub(super) fn place(&self, word: &Word) -> Option<Place> {
        named(self.directory, word.literal()?).filter(|place| place.as_str() != "." && !is_device(place.as_str()))
    }

    /// Returns the effect that what a word names may change.
    pub(super) fn may_change(&self, word: &Word) -> Effect {
        if word.literal().is_some_and(is_device) {
            return Effect::MayChange(Place::new("/dev".to_owned()));
        }
        self.place(word).map_or(Effect::MayChangeAny, Effect::MayChange)
    }

    /// Returns the effect that what a word names was written anew.
    fn overwrite(&self, word: &Word) -> Effect {
        let is_file = !word.text.ends_with('/');
        match self.place(word).filter(|_| self.is_certain && is_file) {
            Some(place) => Effect::Overwrite(place),
            None => self.may_change(word),
        }
    }
}

/// Returns the effects of a program that is known.
pub(super) fn effects(
    name: &str,
    program: Program,
    arguments: &[Word],
    directory: Option<&Place>,
    is_certain: bool,
) -> Vec<Effect> {
    let at = At { directory, is_certain };
    match name {
        "rm" | "unlink" => delete(arguments, at),
        "mv" => moves(arguments, at),
        "cp" => copies(arguments, at),
        "tee" => tee(arguments, at),
        "touch" => change_operands(arguments, at, "acmfh"),
        "truncate" => truncate(arguments, at),
        // What is written to a link is written to what it leads to.
        "ln" => vec![Effect::MayChangeAny],
        "dd" => dd(arguments, at),
        "sed" => sed::effects(arguments, at),
        "git" => git::effects(arguments, at),
        "uniq" | "xxd" | "install" => several(arguments, at),
        "curl" => curl(arguments, at),
        "find" if !arguments.iter().any(|word| !is_plain(word) || acts(&word.text)) => Vec::new(),
        "find" if only_reads(arguments) => Vec::new(),
        "find" | "parallel" => vec![Effect::MayChangeAny],
        "xargs" if runs_reader(arguments) => Vec::new(),
        "mktemp" if arguments.iter().all(|word| matches!(word.literal(), Some("-d" | "-t" | "-u"))) => Vec::new(),
        "mktemp" => vec![Effect::MayChangeAny],
        "awk" | "gawk" | "mawk" | "nawk" if arguments.iter().any(|word| !word.is_literal || awk_writes(&word.text)) => {
            vec![Effect::MayChangeAny]
        }
        "black" | "isort" => format(arguments, at, None),
        "gofmt" | "clang-format" | "shfmt" => {
            format(arguments, at, Some(if name == "clang-format" { "-i" } else { "-w" }))
        }
        "prettier" => format(arguments, at, Some("--write")),
        "npx" => match arguments {
            [prettier, rest @ ..] if prettier.literal() == Some("prettier") => format(rest, at, Some("--write")),
            _ => vec![Effect::MayChangeAny],
        },
        _ if program.may_change_any || arguments.iter().any(|word| hides_option(name, word)) => {
            vec![Effect::MayChangeAny]
        }
        _ => Vec::new(),
    }
}

fn is_plain(word: &Word) -> bool {
    word.is_literal || word.is_never_option
}

/// Returns whether a word may be an option by which a program writes.
fn hides_option(name: &str, word: &Word) -> bool {
    if is_plain(word) {
        may_write(name, &word.text)
    } else {
        may_write(name, "-o") || may_write(name, "-i") || may_write(name, "-x")
    }
}

/// Returns the operands of a program whose options are these letters, or these names; `None` if it may have others.
pub(super) fn operands<'w>(arguments: &'w [Word], letters: &str, names: &[&str]) -> Option<Vec<&'w Word>> {
    let mut operands = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(word) = arguments.next() {
        let Some(text) = word.literal() else {
            if !word.is_never_option {
                return None;
            }
            operands.push(word);
            continue;
        };
        match text.strip_prefix('-') {
            Some("-") => operands.extend(arguments.by_ref()),
            Some(option) if option.starts_with('-') => {
                names.contains(&&option[1..]).then_some(())?;
            }
            Some(option) if !option.is_empty() => option.chars().all(|letter| letters.contains(letter)).then_some(())?,
            _ => operands.push(word),
        }
    }
    Some(operands)
}

/// Returns that each argument that may be a file may change.
pub(super) fn all_may_change(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    let end = arguments.iter().position(|word| word.literal() == Some("--")).unwrap_or(arguments.len());
    let is_option = |word: &&Word| word.is_literal && word.text.len() > 1 && word.text.starts_with('-');
    let named = arguments[..end].iter().filter(|word| !is_option(word)).chain(arguments.iter().skip(end + 1));
    named.map(|word| at.may_change(word)).collect()
}

fn change_operands(arguments: &[Word], at: At<'_>, letters: &str) -> Vec<Effect> {
    match operands(arguments, letters, &[]) {
        Some(operands) => operands.into_iter().map(|word| at.may_change(word)).collect(),
        None => vec![Effect::MayChangeAny],
    }
}

fn delete(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    let Some(operands) = operands(arguments, "frRvd", &["force", "recursive", "verbose", "dir"]) else {
        return all_may_change(arguments, at);
    };
    let delete = |word: &Word| match at.place(word).filter(|_| at.is_certain && !word.text.ends_with('/')) {
        Some(place) if !place.as_str().starts_with("..") || place.name().is_some() => Effect::Delete(place),
        _ => at.may_change(word),
    };
    operands.into_iter().map(delete).collect()
}

fn moves(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    let known = operands(arguments, "fvT", &["force", "verbose"]);
    let is_certain = at.is_certain && known.is_some();
    let words = known.or_else(|| operands(arguments, "fvTnui", &["no-clobber", "update", "interactive"]));
    let Some((to, from)) = words.as_deref().and_then(|words| words.split_last()).filter(|(_, from)| !from.is_empty())
    else {
        return vec![Effect::MayChangeAny];
    };
    let Some(there) = at.place(to).or_else(|| whole_directory(to, at)) else { return vec![Effect::MayChangeAny] };
    let is_directory = from.len() > 1 || to.text.ends_with('/') || there.as_str() == "." || there.name().is_none();
    let mut effects = Vec::new();
    for word in from {
        let place = at.place(word);
        let Some((from, inside)) = place.and_then(|place| Some((place.clone(), there.within(place.name()?)))) else {
            return vec![Effect::MayChangeAny];
        };
        let to = if is_directory { inside.clone() } else { there.clone() };
        effects.push(if is_certain { Effect::Move { from, to } } else { Effect::MayMove { from, to } });
        if !is_directory {
            effects.push(Effect::MayChange(inside));
        }
    }
    effects
}

/// Returns the place of a word that names the directory itself.
fn whole_directory(word: &Word, at: At<'_>) -> Option<Place> {
    named(at.directory, word.literal()?).filter(|place| !is_device(place.as_str()))
}

fn copies(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    // Others may copy links, and what is written to those is written elsewhere.
    let known =
        operands(arguments, "fpvLnui", &["force", "verbose", "preserve", "no-clobber", "update", "interactive"]);
    let is_certain = at.is_certain && operands(arguments, "fpvL", &["force", "verbose", "preserve"]).is_some();
    let Some((to, from)) = known.as_deref().and_then(|words| words.split_last()).filter(|(_, from)| !from.is_empty())
    else {
        return vec![Effect::MayChangeAny];
    };
    let Some(there) = whole_directory(to, at) else { return vec![Effect::MayChangeAny] };
    if !is_certain {
        return vec![if there.as_str() == "." { Effect::MayChangeAny } else { Effect::MayChange(there) }];
    }
    let is_directory = from.len() > 1 || to.text.ends_with('/') || there.as_str() == "." || there.name().is_none();
    let mut effects = Vec::new();
    for word in from {
        let path = word.literal().map(|path| path.trim_end_matches('/'));
        let name = path.and_then(|path| path.rsplit('/').next()).filter(|name| !matches!(*name, "" | "." | ".."));
        let Some(name) = name else { return vec![Effect::MayChangeAny] };
        if is_directory {
            effects.push(Effect::Overwrite(there.within(name)));
        } else {
            effects.extend([Effect::Overwrite(there.clone()), Effect::MayChange(there.within(name))]);
        }
    }
    effects
}

fn tee(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    match operands(arguments, "i", &[]) {
        Some(operands) => operands.into_iter().map(|word| at.overwrite(word)).collect(),
        None => all_may_change(arguments, at),
    }
}

fn truncate(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    match arguments {
        [size, zero, files @ ..] if size.literal() == Some("-s") && zero.literal() == Some("0") => {
            match operands(files, "", &[]) {
                Some(operands) => operands.into_iter().map(|word| at.overwrite(word)).collect(),
                None => vec![Effect::MayChangeAny],
            }
        }
        _ => vec![Effect::MayChangeAny],
    }
}

fn dd(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for word in arguments {
        match word.literal().and_then(|word| word.split_once('=')) {
            Some(("of", path)) => {
                let word = Word { text: path.to_owned(), is_literal: true, ..Word::default() };
                effects.push(at.overwrite(&word));
            }
            Some(("if" | "bs" | "count" | "status", _)) => {}
            _ => return vec![Effect::MayChangeAny],
        }
    }
    effects
}

/// Programs whose second operand is written.
fn several(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    match arguments {
        [] => Vec::new(),
        [only] if is_plain(only) => Vec::new(),
        [option, only]
            if option.is_literal && option.text.len() > 1 && option.text.starts_with('-') && is_plain(only) =>
        {
            Vec::new()
        }
        _ if arguments.iter().all(|word| word.is_literal) => all_may_change(arguments, at),
        _ => vec![Effect::MayChangeAny],
    }
}

fn curl(arguments: &[Word], at: At<'_>) -> Vec<Effect> {
    const LONG: [&str; 14] = [
        "silent",
        "show-error",
        "fail",
        "location",
        "insecure",
        "header",
        "data",
        "request",
        "max-time",
        "head",
        "include",
        "user",
        "compressed",
        "data-raw",
    ];
    let mut effects = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if !is_plain(word) && !word.is_quoted {
            return vec![Effect::MayChangeAny];
        }
        match word.text.strip_prefix('-') {
            Some("o") => match words.next() {
                Some(file) => effects.push(at.may_change(file)),
                None => return vec![Effect::MayChangeAny],
            },
            Some(long) if long.starts_with('-') => {
                if !LONG.contains(&&long[1..]) {
                    return vec![Effect::MayChangeAny];
                }
                if one_of(&long[1..], "header data request max-time user data-raw") {
                    words.next();
                }
            }
            Some(letters) => {
                let valued = letters.find(|letter| "XHdmuAeb".contains(letter));
                let flags = &letters[..valued.unwrap_or(letters.len())];
                if !flags.chars().all(|letter| "sSLfkviIGgN#46".contains(letter)) {
                    return vec![Effect::MayChangeAny];
                }
                if valued.is_some_and(|at| at + 1 == letters.len()) {
                    words.next();
                }
            }
            None if !word.is_literal && !word.is_never_option => return vec![Effect::MayChangeAny],
            None => {}
        }
    }
    effects
}

/// Returns whether an argument of `find` makes it act on what it finds.
fn acts(text: &str) -> bool {
    ["-exec", "-ok", "-delete", "-fprint", "-fls"].iter().any(|action| text.starts_with(action))
}

/// Returns whether `find` only runs programs that read.
fn only_reads(arguments: &[Word]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            _ if !is_plain(word) => return false,
            "-exec" | "-execdir" if !words.next().is_some_and(is_reader) => return false,
            "-exec" | "-execdir" => {}
            text if acts(text) => return false,
            _ => {}
        }
    }
    true
}

/// Returns whether `xargs` only runs a program that reads.
fn runs_reader(arguments: &[Word]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.literal() {
            Some("-0" | "-r" | "-t" | "-0r" | "-r0") => {}
            Some("-n" | "-P" | "-I" | "-L") => drop(words.next()),
            _ => return is_reader(word),
        }
    }
    true
}

/// Returns whether a program only reads, whatever its arguments are.
fn is_reader(word: &Word) -> bool {
    matches!(
        word.literal(),
        Some(
            "cat"
                | "head"
                | "tail"
                | "wc"
                | "grep"
                | "egrep"
                | "fgrep"
                | "ls"
                | "file"
                | "stat"
                | "basename"
                | "dirname"
                | "nl"
                | "md5sum"
                | "sha256sum"
                | "echo"
                | "du"
                | "jq"
        )
    )
}

/// Returns whether a program of awk may write or run something. `>` may also compare.
fn awk_writes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let writes = |at: usize| match bytes[at] {
        b'>' => bytes.get(at + 1) != Some(&b'='),
        b'|' => bytes.get(at + 1) != Some(&b'|') && (at == 0 || bytes[at - 1] != b'|'),
        b'@' => true,
        _ => false,
    };
    (0..bytes.len()).any(writes)
        || text.contains("system")
        || (text.len() > 1 && text.starts_with('-') && !text.starts_with("-F") && !text.starts_with("-v"))
}

fn format(arguments: &[Word], at: At<'_>, flag: Option<&str>) -> Vec<Effect> {
    let Some(words) = arguments.iter().map(Word::literal).collect::<Option<Vec<_>>>() else {
        return vec![Effect::MayChangeAny];
    };
    let is_known =
        |word: &&str| !word.starts_with('-') || Some(*word) == flag || one_of(word, "--check --diff -q --quiet -l -d");
    if !words.iter().all(is_known) {
        return vec![Effect::MayChangeAny];
    }
    if flag.is_some_and(|flag| !words.contains(&flag)) || words.iter().any(|word| matches!(*word, "--check" | "--diff"))
    {
        return Vec::new();
    }
    all_may_change(arguments, at)
}
