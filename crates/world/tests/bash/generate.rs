//! Random scripts, most of them of what is hard to read.

use super::tree::{DIRECTORIES, FILES};

/// Makes scripts by random numbers.
pub(crate) struct Maker<'a, B> {
    pub(crate) below: &'a mut B,
    /// Where the script starts.
    pub(crate) start: String,
    /// How often a script may still go up.
    pub(crate) ups: usize,
    /// How many here-documents wait for the end of the line.
    documents: Vec<String>,
    number: usize,
    /// Whether the function may be called here.
    may_call: bool,
    /// Whether lines may end here.
    may_break: bool,
}

const PLAIN: [&str; 14] =
    ["new", "sub/new", "nodir/x", "a", "b", "c.txt", "sub/a", "sub/d", "lf", "ln/e", "dir2/a", "a", "b", "sub/a"];

impl<'a, B: FnMut(usize) -> usize> Maker<'a, B> {
    pub(crate) fn new(below: &'a mut B, start: String) -> Self {
        Maker { below, start, ups: 4, documents: Vec::new(), number: 0, may_break: true, may_call: true }
    }

    fn chance(&mut self, percent: usize) -> bool {
        (self.below)(100) < percent
    }

    fn one<'s>(&mut self, choices: &[&'s str]) -> &'s str {
        choices[(self.below)(choices.len())]
    }

    /// Makes a script.
    pub(crate) fn script(&mut self) -> String {
        let mut script = String::new();
        if self.chance(5) {
            script.push_str(self.one(&[
                "set -e\n",
                "set -euo pipefail\n",
                "set -u; ",
                "set -x; ",
                "set -C; ",
                "set -f; ",
                "set -eo pipefail && ",
            ]));
        }
        // Most are short: what is long is seldom claimed.
        let depth = [0, 1, 1, 1, 2, 3][(self.below)(6)];
        let list = self.list(depth);
        script.push_str(&list);
        if !self.documents.is_empty() {
            self.end_line(&mut script);
        }
        script
    }

    fn end_line(&mut self, script: &mut String) {
        script.push('\n');
        for document in std::mem::take(&mut self.documents) {
            script.push_str(&document);
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let mut list = String::new();
        let count = [1, 1, 1, 2, 2, 3][(self.below)(6)];
        for number in 0..count {
            if number > 0 {
                match (self.below)(12) {
                    0..5 => list.push_str("; "),
                    5 if self.documents.is_empty() => list.push_str(" & "),
                    6 => {
                        list.push_str(" # a comment > b; rm a");
                        self.end_line(&mut list);
                    }
                    7 | 8 if self.may_break => self.end_line(&mut list),
                    _ => list.push_str("; "),
                }
            }
            let item = self.item(depth);
            list.push_str(&item);
        }
        list
    }

    fn item(&mut self, depth: usize) -> String {
        let mut item = self.pipeline(depth);
        while self.chance(35) {
            item.push_str(self.one(&[" && ", " && ", " && ", " || ", " &&\\\n"]));
            let next = self.pipeline(depth);
            item.push_str(&next);
        }
        item
    }

    fn pipeline(&mut self, depth: usize) -> String {
        let mut pipeline = String::new();
        if self.chance(4) {
            pipeline.push_str(self.one(&["! ", "time ", "! "]));
        }
        let first = self.command(depth);
        pipeline.push_str(&first);
        while self.chance(14) {
            pipeline.push_str(self.one(&[" | ", " | ", " | ", " |& ", "|"]));
            let next = if self.chance(60) { self.filter() } else { self.command(depth) };
            pipeline.push_str(&next);
        }
        pipeline
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 || !self.chance(20) {
            return self.simple(depth);
        }
        let depth = depth - 1;
        let mut command = match (self.below)(13) {
            0 | 1 => format!("({})", self.closed(depth)),
            2 | 3 => format!("{{ {}; }}", self.closed(depth)),
            4 => format!("if {}; then {}; fi", self.closed(depth), self.closed(depth)),
            5 => format!("if {}; then {}; else {}; fi", self.closed(depth), self.closed(depth), self.closed(depth)),
            6 => format!("for v in {} {}; do {}; done", self.word(0), self.word(0), self.closed(depth)),
            7 => format!("while {}; do {}; break; done", self.closed(depth), self.closed(depth)),
            8 => format!("case {} in a|b) {};; *) {};; esac", self.word(0), self.closed(depth), self.closed(depth)),
            9 => {
                // A function that called itself would start shells without an end.
                let outer = std::mem::replace(&mut self.may_call, false);
                let body = self.closed(depth);
                self.may_call = outer;
                format!("f() {{ {body}; }}")
            }
            10 => {
                let test = self.test();
                format!("[[ {test} ]]")
            }
            11 => self.one(&["(( 1 > 0 ))", "(( n++ ))", "((1/0))", "(( 3 >> 1 ))"]).to_owned(),
            _ => {
                let inner = self.closed(0).replace('\'', "");
                format!("{} '{inner}'", self.one(&["bash -c", "sh -c", "eval", "bash -ec", "bash -lc"]))
            }
        };
        if self.chance(25) {
            let redirect = self.redirect();
            command.push_str(&redirect);
        }
        command
    }

    /// Makes a list without here-documents that are still open.
    fn closed(&mut self, depth: usize) -> String {
        let outer = std::mem::take(&mut self.documents);
        let mut list = self.list(depth.min(2));
        if !self.documents.is_empty() {
            self.end_line(&mut list);
            list.push(':');
        }
        self.documents = outer;
        list
    }

    fn test(&mut self) -> String {
        let word = self.word(0);
        match (self.below)(6) {
            0 => format!("-f {word}"),
            1 => format!("{word} > b"),
            2 => format!("{word} == a*"),
            3 => format!("{word} =~ (a|b) || -d sub"),
            4 => format!("! -e {word}"),
            _ => format!("-n {word} && 1 -lt 2"),
        }
    }

    fn file(&mut self) -> String {
        if self.chance(60) { self.one(&PLAIN).to_owned() } else { self.one(&FILES).to_owned() }
    }

    fn path(&mut self) -> String {
        let mut path = self.file();
        match (self.below)(40) {
            0 => path.insert_str(0, "./"),
            1 => path = format!("{}/{path}", self.start),
            2 if self.ups > 0 => {
                self.ups -= 1;
                path = self.one(&["../up", "sub/../a", "ln/../d", "../start/a", "..//up"]).to_owned();
            }
            3 => path = self.one(&DIRECTORIES[..3]).to_owned(),
            4 => path = self.one(&["sub/", "dir2/", "ln/", "sub/deep/"]).to_owned(),
            5 => path = self.one(&["ln", "sub//a", ".", "sub/."]).to_owned(),
            _ => {}
        }
        path
    }

    /// Makes a word for a path, in some of the ways in which a shell can say it.
    fn word(&mut self, depth: usize) -> String {
        let path = self.path();
        self.quoted(&path, depth)
    }

    fn quoted(&mut self, path: &str, depth: usize) -> String {
        match (self.below)(60) {
            0..6 => format!("'{path}'"),
            6..10 => format!("\"{path}\""),
            10 => "$V".to_owned(),
            11 => "\"$V\"".to_owned(),
            12 => "${D}/a".to_owned(),
            13 => format!("$(echo '{path}')"),
            14 => format!("\"`echo {}`\"", path.replace(' ', "\\ ")),
            15 => "a*".to_owned(),
            16 => "{a,b}".to_owned(),
            17 => "su?/a".to_owned(),
            18 => "~/x".to_owned(),
            19 => "''".to_owned(),
            20 => "$E".to_owned(),
            21 => "$'a'".to_owned(),
            22 => path.chars().map(|char| format!("\\{char}")).collect(),
            23 if path.len() > 1 && path.is_char_boundary(1) => {
                format!("{}\"{}\"", &path[..1].replace(' ', "\\ "), &path[1..])
            }
            24 => "\"${V:-b}\"".to_owned(),
            25 => self.one(&["-n", "-v", "--", "-", "--help", "-i"]).to_owned(),
            26 if depth > 0 => format!("$({})", self.closed(0)),
            27 => self.one(&["<(cat a)", "$((1+1))", "${#V}", "${V%a}", "${N?}", "${V:0:-9}", "$((1/0))"]).to_owned(),
            28 => "\"a\nb\"".to_owned(),
            29 => self
                .one(&["[a]", "~", "a#b", "#b", "!a", "a=b", "=a", "a\\\nb", "{}", "{a", "a}", "^a", "%", "@"])
                .to_owned(),
            _ => path.replace(' ', "\\ "),
        }
    }

    fn redirect(&mut self) -> String {
        // Nothing but a redirection may write to devices: who runs as root would replace them.
        let word = if self.chance(5) {
            self.one(&["/dev/null", "/dev/stdout", "/dev/stderr"]).to_owned()
        } else {
            self.word(0)
        };
        match (self.below)(26) {
            0..9 => format!(" > {word}"),
            9 => format!(" >| {word}"),
            10 | 11 => format!(" >> {word}"),
            12 => format!(" &> {word}"),
            13 => format!(" >& {word}"),
            14 => format!(" &>> {word}"),
            15 => " 2>&1".to_owned(),
            16 => " 2>/dev/null".to_owned(),
            17 => " > /dev/null 2>&1".to_owned(),
            18 => " 1>&2".to_owned(),
            19 if !word.starts_with("/dev/std") => format!(" <> {word}"),
            20 | 21 if !word.starts_with("/dev/std") => format!(" < {word}"),
            22 => format!(" <<< {word}"),
            23 => format!(" 2> {word}"),
            24 => self
                .one(&[
                    " 3> new",
                    " >&-",
                    " 2>&-",
                    " {fd}> new",
                    " 3>&1",
                    " <&-",
                    " 10> new",
                    " 2>&1 > new",
                    " > new 2>&1",
                ])
                .to_owned(),
            _ => self.document(),
        }
    }

    fn document(&mut self) -> String {
        self.number += 1;
        let end = format!("END{}", self.number);
        let text = self
            .one(&[
                "text of it\n",
                "$V and `echo x`\n",
                "> a; rm b\n",
                "$(rm a)\n",
                "it's \"open\n",
                "\\\n",
                "a \\\n",
                "E\\\n",
            ])
            .to_owned();
        let (said, strips) = match (self.below)(4) {
            0 => (format!("'{end}'"), false),
            1 => (format!("\\{end}"), false),
            2 => (end.clone(), true),
            _ => (end.clone(), false),
        };
        let tab = if strips && self.chance(50) { "\t" } else { "" };
        self.documents.push(format!("{tab}{text}{tab}{end}\n"));
        format!(" {}{said}", if strips { "<<-" } else { "<<" })
    }

    fn filter(&mut self) -> String {
        let mut filter = match (self.below)(16) {
            0 => "cat".to_owned(),
            1 => "cat -n".to_owned(),
            2 | 3 => "head -n 2".to_owned(),
            4 => "head -3".to_owned(),
            5 => "tail -n 2".to_owned(),
            6 => "tail -n +3".to_owned(),
            7 | 8 => "sed -n '2,4p'".to_owned(),
            9 => format!("tee {}", self.word(0)),
            10 => format!("tee -a {}", self.word(0)),
            11 => "wc -l".to_owned(),
            12 => "grep line".to_owned(),
            13 => self.one(&["xargs cat", "xargs rm -f", "xargs", "xargs wc", "xargs -n1 echo"]).to_owned(),
            14 => "while read -r l; do echo \"$l\"; done".to_owned(),
            _ => {
                self.one(&["sort", "nl -ba", "cut -c1-5", "tr a b", "awk 'NR>=2 && NR<=3'", "grep -c line"]).to_owned()
            }
        };
        if self.chance(12) {
            let redirect = self.redirect();
            filter.push_str(&redirect);
        }
        filter
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut simple = String::new();
        if self.chance(6) {
            simple.push_str(self.one(&[
                "X=1 ",
                "V=sub ",
                "LC_ALL=C ",
                "CDPATH=/ ",
                "CDPATH= ",
                "PATH=/nowhere ",
                "X=$(echo a) ",
                "> new ",
                "2>&1 ",
                "a[1]=2 ",
                "X=(a b); ",
            ]));
        }
        if self.chance(7) {
            simple.push_str(self.one(&[
                "command ",
                "builtin ",
                "env ",
                "env X=1 ",
                "timeout 5 ",
                "nice ",
                "nohup ",
                "exec ",
                "time -p ",
                "stdbuf -oL ",
                "env -i ",
                "\\",
                "env -C sub ",
                "timeout -s 9 5 ",
                "/usr/bin/env ",
            ]));
        }
        let file = self.word(depth);
        let other = self.word(depth);
        let words = match (self.below)(100) {
            0..16 => format!("echo {} {file}", self.one(&["x", "-n", "hello > b", "'> a'", "\"$V\"", "\\>"])),
            16 => format!("printf '%s\\n' {file}"),
            17..29 => format!("cat {file}"),
            29 => format!("cat {} {file}", self.one(&["-n", "-u", "-b", "-s", "--", "-A", other.as_str()])),
            30..33 => format!(
                "head {} {file}",
                self.one(&["-n 3", "-3", "-n3", "", "-c 9", "-n -2", "-n 0", "--lines=2", "-q"])
            ),
            33..36 => format!("tail {} {file}", self.one(&["-n 3", "-3", "-n +3", "-n +1", "-c 5", "", "-n 0", "+3"])),
            36..40 => format!(
                "sed {} {file}",
                self.one(&[
                    "-n '2,4p'",
                    "-n 3p",
                    "-n '2,$p'",
                    "-n '4,2p'",
                    "-n '2,+2p'",
                    "-n '2p;4p'",
                    "-n /line/p",
                    "3q",
                    "-n '2,4p;4q'",
                    "-n '9,99p'",
                    "-n -e 2p",
                    "-n '$='",
                    "-n '2,3p;1q'",
                    "s/a/b/",
                    "-n 1~2p",
                    "-n p",
                    "-n '1!p'",
                    "-n 2{p}"
                ])
            ),
            40 => format!("nl {} {file}", self.one(&["-ba", "", "-b a"])),
            41 => format!(
                "awk {} {file}",
                self.one(&[
                    "'NR>=2 && NR<=3'",
                    "'NR==2'",
                    "'NR>2'",
                    "'{print}'",
                    "'NR>=3{print}'",
                    "'{print > \"new\"}'"
                ])
            ),
            42..47 => format!(
                "rm {} {file}",
                self.one(&["", "-f", "-rf", "-r", "-i", "-f b", "-v", "-f --", "-d", "--force", "-- "])
            ),
            47..52 => format!("mv {} {file} {other}", self.one(&["", "", "-f", "-n", "-u", "-v", "-b", "-T", "a"])),
            52..56 => format!(
                "cp {} {file} {other}",
                self.one(&["", "", "-f", "-n", "-r", "-p", "-u", "-a", "b", "-l", "-s"])
            ),
            56 => format!("tee {} {file}", self.one(&["", "-a", "b"])),
            57 => format!("touch {file}"),
            58 | 59 => format!(
                "sed {} {file}",
                self.one(&[
                    "-i s/line/row/",
                    "-i.bak s/line/row/",
                    "-i '' s/line/row/",
                    "-n 'w new'",
                    "-i -e s/of/x/",
                    "-ni 2p",
                    "--in-place=~ 1d",
                    "'s/a/b/w new'",
                    "'1w new'",
                    "-n 's/x/y/;w new'"
                ])
            ),
            60 => format!(
                "dd if={file} of={} {}",
                self.one(&["b", "new", "sub/a"]),
                self.one(&["", "status=none", "conv=notrunc", "bs=1 count=3"])
            ),
            61 => format!("truncate -s {} {file}", self.one(&["0", "3", "+1"])),
            62 => format!("ln {} {file} {other}", self.one(&["-s", "-sf", ""])),
            63..71 => self.moves(),
            71 | 72 => self.one(&["true", "false", ":", "true", "test -f a", "[ -f a ]", "[ -d nodir ]"]).to_owned(),
            73 => format!("[ -f {file} ]"),
            74 | 75 => self
                .one(&[
                    "exit 0",
                    "exit 1",
                    "exit",
                    "return 1",
                    "exit 3",
                    "exit 256",
                    "break",
                    "return",
                    "{ echo no; exit 1; }",
                ])
                .to_owned(),
            76 => self
                .one(&[
                    "export V=b",
                    "X=2",
                    "V=b",
                    "unset V",
                    "export X",
                    "declare -r Q=1",
                    "readonly Q=2",
                    "UID=3",
                    "local x=1",
                    "let x=1",
                    "X+=1",
                    "declare -x Z=3",
                    "export -p",
                    "printf -v V b",
                ])
                .to_owned(),
            77 => self
                .one(&[
                    "alias cat=rm",
                    "shopt -s nullglob",
                    "trap 'rm a' EXIT",
                    "trap 'echo bye' 0",
                    "umask 022",
                    "set -e",
                    "set -C",
                    "set -x",
                    "set +e",
                    "set -- a b",
                    "ulimit -n 100",
                    "hash -r",
                    "enable -n echo",
                    "set -o noclobber",
                ])
                .to_owned(),
            78 if self.may_call => "f".to_owned(),
            79 => self
                .one(&["source ./source.sh", ". ./source.sh", "eval 'cd sub'", "eval rm a", "source nofile"])
                .to_owned(),
            80 | 81 => format!(
                "grep {} {file}",
                self.one(&["line", "-n line", "-c line", "-l line", "-q line", "nothing", "-r line", "-A1 3"])
            ),
            82 => format!("wc -l {file}"),
            83 => self
                .one(&[
                    "ls",
                    "pwd",
                    "ls sub",
                    "ls -la",
                    "find . -name a",
                    "find . -name d -delete",
                    "find sub -name a -exec cat {} +",
                    "find . -name a -exec rm {} ;",
                    "find . -type f -exec wc {} +",
                ])
                .replace(" ;", " \\;"),
            84 => format!("mkdir {} {file}", self.one(&["", "-p", "-v"])),
            85 => format!("sort {} {file}", self.one(&["", "-o new", "-r"])),
            86 => format!("uniq {file} {}", self.one(&["", "new"])),
            87 => format!("diff {file} {other}"),
            88 => format!("unknown-program {file}"),
            89 => self
                .one(&[
                    "wait",
                    "sleep 0",
                    "jobs",
                    "read x < a",
                    "mapfile m < a",
                    "exec > new",
                    "exec 3> new",
                    "exec 2>/dev/null",
                    "kill -0 $$",
                    "shift",
                    "type cat",
                    "command -v cat",
                    "cut -c1-9 a",
                    "tac a",
                ])
                .to_owned(),
            90 => format!("cat < {file}"),
            91 => format!("> {file}"),
            92 => format!("< {file}"),
            93 => format!("install {file} {other}"),
            94 => format!("unlink {file}"),
            95 => format!("{file} a"),
            96 => format!("cat {file} {} true", self.one(&["||", "&&", ";", "&"])),
            97 => format!("echo $(cat {file})"),
            98 => "printf 'x\\n' | cat - a".to_owned(),
            _ => format!("bash -c 'cat \"$1\"' _ {file}"),
        };
        simple.push_str(&words);
        if self.chance(18) {
            let redirect = self.redirect();
            simple.push_str(&redirect);
        }
        simple
    }

    fn moves(&mut self) -> String {
        match (self.below)(24) {
            0..9 => format!("cd {}", self.one(&["sub", "sub/deep", "dir2", "ln", "./sub", "sub//deep", "nodir", "a"])),
            9 | 10 => {
                let name = self.one(&["sub", "dir2", "nodir", ""]);
                format!("cd '{}/{name}'", self.start)
            }
            11 | 12 if self.ups > 0 => {
                self.ups -= 1;
                format!("cd {}", self.one(&["..", "../other", "sub/..", "ln/..", "../start"]))
            }
            13 => "cd".to_owned(),
            14 => "cd -".to_owned(),
            15 => "cd ~".to_owned(),
            16 => "cd $D".to_owned(),
            17 => "cd -P ln".to_owned(),
            18 => "cd sub dir2".to_owned(),
            19 => self
                .one(&[
                    "pushd sub",
                    "popd",
                    "pushd sub > /dev/null",
                    "builtin cd sub",
                    "command cd sub",
                    "cd su?",
                    "cd ''",
                    "cd -- sub",
                ])
                .to_owned(),
            20 => "cd sub 2>/dev/null".to_owned(),
            21 => "cd sub || exit 1".to_owned(),
            22 => "cd sub > new".to_owned(),
            _ => "mv sub moved".to_owned(),
        }
    }
}
