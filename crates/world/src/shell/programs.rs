//! The programs that are known: what they print, and whether they may change files. Everything else is unknown.
//!
//! One table, since a program that it doesn't have may print any file, change any file, or be a function of the user's that changes the
//! directory. It has what agents run: the tools of POSIX and of the languages that people use.

use std::sync::LazyLock;

use palimpsest_text::hashing::TextMap;

/// Returns whether a word is one of these, with blanks between them. Lists of this form take a third of the place of slices.
#[inline(never)]
pub(super) fn one_of(word: &str, words: &str) -> bool {
    // Most words are told from most others by their length alone.
    words.as_bytes().split(|byte| *byte == b' ').any(|one| one == word.as_bytes())
}

/// What a program prints, as far as it matters to who wants to quote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prints {
    /// Nothing, if it succeeds.
    Nothing,
    /// Names, figures and messages of its own.
    Report,
    /// Figures of what it reads, which is not in them.
    Digest,
    /// Lines of the files that its operands name, or else of its input.
    Lines,
    /// Lines that match, of files or of its input.
    Matches,
    /// What files hold, maybe.
    Files,
}

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) prints: Prints,
    /// Whether it may change any file. What a program does to the files that it names is in `effects.rs`.
    pub(super) may_change_any: bool,
}

/// Programs by what they print, and whether they may change any file.
const PROGRAMS: [(Prints, bool, &str); 9] = [
    (
        Prints::Nothing,
        false,
        ": true false mkdir rmdir chmod chown chgrp sleep wait mkfifo test [ sync rm mv cp ln touch truncate unlink install export unset \
         set shopt alias unalias umask trap readonly local declare typeset hash cd pushd popd exit return break continue read mapfile \
         readarray let shift exec eval source . builtin enable bind getopts disown",
    ),
    (
        // The table of `quotes.rs` tells more of `curl`, `find`, `echo`, `docker`.
        Prints::Report,
        false,
        "echo printf ls dir vdir ps df du pwd whoami id uname date hostname uptime free which whereis type env printenv basename dirname \
         realpath readlink stat file seq expr tree lsof pgrep pidof pstree nproc arch getconf locale tty groups users w who last dmesg \
         ping nslookup dig host ifconfig ip netstat ss jobs fg bg times help clear tput stty sw_vers ulimit getent lscpu lsblk nvidia-smi \
         vmstat iostat kill killall pkill curl find fd fdfind yes cal bc dc factor mktemp logger tokei cloc scc hyperfine exa eza",
    ),
    (Prints::Digest, false, "wc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 cksum sum b2sum cmp"),
    (
        Prints::Lines,
        false,
        "cat bat batcat less more most nl head tail tac rev sed awk gawk mawk nawk sort uniq cut paste tr fold expand unexpand column fmt \
         pr od xxd hexdump strings base64 iconv comm join shuf jq yq xmllint zcat bzcat xzcat envsubst tee ccat pygmentize highlight xq",
    ),
    (Prints::Matches, false, "grep egrep fgrep zgrep rg ag ack ugrep pcregrep"),
    (Prints::Files, false, "diff sdiff colordiff diff3 delta difft history man info"),
    (
        Prints::Report,
        true,
        "npm pnpm yarn cargo go make gmake cmake ninja meson gradle gradlew mvn mvnw ant sbt tsc vue-tsc eslint jest vitest mocha ava \
         karma cypress playwright pytest py.test tox nox pip pip3 pipx poetry pdm pipenv apt apt-get apt-cache dpkg yum dnf apk pacman brew \
         port choco winget scoop dotnet msbuild xcodebuild bazel buck rake bundle gem composer phpunit rspec rubocop terraform tofu pulumi \
         ansible ansible-playbook docker docker-compose podman nerdctl kubectl helm minikube kind systemctl service journalctl ruff mypy \
         pyright flake8 pylint black isort bandit rustup rustc gcc g++ cc c++ clang clang++ ld ar javac kotlinc swiftc webpack vite rollup \
         parcel turbo nx lerna next nuxt astro gatsby ng nest prisma drizzle-kit alembic golangci-lint staticcheck gofmt stylelint oxlint \
         biome prettier autopep8 yapf clang-format clang-tidy shfmt shellcheck hadolint wget patch tar unzip zip gzip gunzip bzip2 xz rsync \
         scp sftp crontab git-lfs pre-commit lefthook husky changeset semantic-release mkdocs hugo jekyll sphinx-build doxygen rustfmt \
         cross wasm-pack trunk vercel netlify wrangler firebase heroku fly flyctl conda mamba virtualenv venv corepack split csplit \
         dos2unix unix2dos mount umount",
    ),
    // Which of them are prefixes or shells, `prefixes.rs` says; which code prints files, `quotes.rs`.
    (
        Prints::Files,
        true,
        "git gh glab hub python python2 python3 node nodejs ruby perl php deno bun tsx ts-node npx bunx uvx uv lua Rscript \
         julia java scala groovy bash sh zsh dash ksh fish ssh psql mysql sqlite3 redis-cli mongosh aws gcloud az xargs parallel vim vi nvim \
         nano emacs ed ex ffmpeg convert magick openssl gpg tmux screen script expect watch entr su chroot wsl dd osascript open xdg-open code",
    ),
    // Prefixes, which `prefixes.rs` takes away.
    (
        Prints::Report,
        true,
        "sudo doas timeout nice nohup stdbuf time command ionice setsid gtimeout apply_patch applypatch",
    ),
];

static BY_NAME: LazyLock<TextMap<&'static str, Program>> = LazyLock::new(|| {
    let all = PROGRAMS.iter().flat_map(|&(prints, may_change_any, names)| {
        names.split_whitespace().map(move |name| (name, Program { prints, may_change_any }))
    });
    all.collect()
});

/// Returns the program of a name, if it is known.
pub(super) fn program(name: &str) -> Option<Program> {
    BY_NAME.get(name).copied()
}

/// Builtins that change the directory or what is read next.
const MOVERS: [&str; 14] =
    ["", "cd", "chdir", "pushd", "popd", "eval", "source", ".", "builtin", "command", "exec", "trap", "alias", "set"];

/// Returns whether a command of this name may change the shell's directory. The name of an unknown program may be that of a function.
pub(super) fn may_move(name: &str) -> bool {
    MOVERS.contains(&name) || (program(name).is_none() && !name.contains('/'))
}

/// Returns whether code 1 of this program is no failure, so that some harnesses don't show it.
pub(super) fn may_be_benign(name: &str) -> bool {
    matches!(
        name,
        "grep"
            | "egrep"
            | "fgrep"
            | "zgrep"
            | "rg"
            | "ag"
            | "ack"
            | "ugrep"
            | "pcregrep"
            | "diff"
            | "sdiff"
            | "colordiff"
            | "cmp"
            | "diff3"
            | "test"
            | "["
            | "[["
            | "find"
            | "fd"
            | "pgrep"
            | "which"
            | "type"
            | "expr"
            | "comm"
            | "findstr"
            | "fc"
            | "where"
            | "robocopy"
    )
}

/// Options by which programs that else only print write to a file, or run another program.
const WRITERS: [(&str, &[&str]); 14] = [
    ("sort", &["-o", "--output", "--compress-program"]),
    ("tree", &["-o"]),
    ("yq", &["-i", "--inplace", "-s", "--split-exp"]),
    ("xmllint", &["--output", "-o", "--shell", "--path"]),
    ("less", &["-o", "-O", "--log-file", "--LOG-FILE", "-k"]),
    ("rg", &["--pre", "--hostname-bin"]),
    ("iconv", &["-o", "--output"]),
    ("shuf", &["-o", "--output"]),
    ("awk", &["-i", "--include", "-d", "-o", "-p", "-l", "-f", "-D"]),
    ("gawk", &["-i", "--include", "-d", "-o", "-p", "-l", "-f", "-D"]),
    ("base64", &["-o", "--output"]),
    ("pygmentize", &["-o", "-O"]),
    ("fd", &["-x", "-X", "--exec"]),
    ("diff", &["--output"]),
];

/// Returns whether an argument makes a program write that else only prints.
pub(super) fn may_write(name: &str, argument: &str) -> bool {
    let options = WRITERS.iter().find(|(program, _)| *program == name).map_or(&[][..], |(_, options)| options);
    let is_short = argument.starts_with('-') && !argument.starts_with("--");
    options.iter().any(|option| {
        let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
        // Short options may be written together, long ones shortened.
        match letter {
            Some(letter) => is_short && argument.contains(letter),
            None => {
                let name = argument.split('=').next().unwrap_or_default();
                name.len() > 2 && (option.starts_with(name) || name == *option)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_stands_once() {
        let names: Vec<&str> = PROGRAMS.iter().flat_map(|(_, _, names)| names.split_whitespace()).collect();
        assert_eq!(names.len(), BY_NAME.len());
    }
}
