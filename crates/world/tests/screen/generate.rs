//! Random outputs of programs that drive a terminal.

/// Random numbers that a seed repeats, by SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const WORDS: [&str; 16] = [
    "ok",
    "error",
    "a1b2: Pulling",
    "50%",
    "warning: it → broke",
    "x",
    "the lock of the database",
    "│ ██░ 7/9",
    "取得",
    "Готово",
    "0",
    "…",
    "    indented",
    "trailing   ",
    "done.",
    "[1/2]",
];
const ODD: [&str; 6] = ["👍", "e\u{301}", "👩‍👧", "☁️", "\u{200b}", "한\u{1160}"];

fn count(random: &mut Random) -> String {
    match random.below(10) {
        0 => String::new(),
        1 => "0".to_owned(),
        2..=7 => (1 + random.below(4)).to_string(),
        8 => (1 + random.below(90)).to_string(),
        _ => random.pick(&[23, 24, 25, 79, 80, 81, 200, 999, 99_999]).to_string(),
    }
}

/// A piece of a text, by how far it goes: 0 for colours and carriage returns, 1 for what stays in a line, 2 for rows near by, 3 for all.
fn piece(random: &mut Random, level: usize, text: &mut String) {
    let number = count(random);
    let csi = |letter: &str| format!("\x1B[{number}{letter}");
    let made = match random.below(12) {
        0..=3 => random.pick(&WORDS).to_owned(),
        4 => match random.below(12) {
            0..=1 if random.chance(40) => random.pick(&ODD).to_owned(),
            2..=3 => "\t".to_owned(),
            4 => "long and longer ".repeat(1 + random.below(9)),
            5 => "=".repeat(76 + random.below(8)),
            6 => "\x1B]8;;https://example.org\x1B\\link\x1B]8;;\x1B\\".to_owned(),
            7 => "\x1B]0;a title\x07".to_owned(),
            _ => random
                .pick(&["\x1B[1;31m", "\x1B[0m", "\x1B[m", "\x1B[?25l", "\x1B[?25h", "\x1B[38;5;4m", "\x07"])
                .to_owned(),
        },
        5 => "\r".to_owned(),
        6 => random.pick(&["\n", "\r\n"]).to_owned(),
        7 if level == 0 => "\x1B[K".to_owned(),
        7 => random.pick(&["\x1B[K", "\x1B[2K", "\x1B[1K", "\x08", "\x1B[G", "\r\x1B[K", "\r\x1B[2K"]).to_owned(),
        8 if level > 0 => csi(random.pick(&["C", "D", "G", "@", "P", "X", "`", "a"])),
        9 if level > 1 => csi(random.pick(&["A", "B", "E", "F", "A", "B", "L", "M"])),
        10 if level > 1 => {
            random.pick(&["\x1B[J", "\x1B[s", "\x1B[u", "\x1B7", "\x1B8", "\x1BM", "\x1B[A\r", "\x1B[1J"]).to_owned()
        }
        11 if level > 2 => return rare(random, &number, text),
        _ => random.pick(&WORDS).to_owned(),
    };
    text.push_str(&made);
}

fn rare(random: &mut Random, number: &str, text: &mut String) {
    let (row, column) = (1 + random.below(26), 1 + random.below(82));
    let made = match random.below(22) {
        0..=2 => format!("\x1B[{row};{column}{}", random.pick(&["H", "f"])),
        3 => random
            .pick(&[
                "\x1B[H",
                "\x1B[H\x1B[J",
                "\x1B[H\x1B[2J",
                "\x1B[2J\x1B[H",
                "\x1B[H\x1B[2J\x1B[3J",
                "\x1B[2J",
                "\x1B[3J",
            ])
            .to_owned(),
        4 => format!("\x1B[{row}d"),
        5 => format!("\x1B[{}{}", number, random.pick(&["S", "T"])),
        6 => format!("\x1B[{};{}r", 1 + random.below(5), 2 + random.below(24)),
        7 => "\x1B[r".to_owned(),
        8 => random.pick(&["\x1B[4h", "\x1B[4l"]).to_owned(),
        9 => random.pick(&["\x1B[?7l", "\x1B[?7h"]).to_owned(),
        10 => random.pick(&["\x1B[?6h", "\x1B[?6l"]).to_owned(),
        11 => random.pick(&["\x1BH", "\x1B[g", "\x1B[3g", "\t"]).to_owned(),
        12 => format!("\x1B[{}{}", number, random.pick(&["I", "Z"])),
        13 => random.pick(&["\x1BD", "\x1BE", "\x1BM"]).to_owned(),
        14 => format!("-\x1B[{number}b"),
        15 => random.pick(&["\x1B[?1049h", "\x1B[?1049l", "\x1B[?47h", "\x1B[?47l"]).to_owned(),
        16 => "\x1B[?1049h\x1B[H\x1B[2J\x1B[?1049l".to_owned(),
        17 => random
            .pick(&[
                "\x0E", "\x0F", "\x0B", "\x0C", "\x1B(0", "\x1B(B", "\x1Bc", "\x1B[!p", "\x1B#8", "\x7F", "\u{9b}A",
            ])
            .to_owned(),
        18 => random
            .pick(&[
                "\x1B[?1l\x1B=",
                "\x1B>",
                "\x1B[c",
                "\x1B[6n",
                "\x1B[22;0;0t",
                "\x1B[>4;1m",
                "\x1B[?2004h",
                "\x1B[0 q",
            ])
            .to_owned(),
        19 => random
            .pick(&["\x1B[", "\x1B[3", "\x1B", "\x1B[3\x1B[m", "\x1B[1\x18", "\x1B[?1;2;", "\x1B[20h", "\x1B[5i"])
            .to_owned(),
        20 => format!("{}\n", "line\n".repeat(random.below(30))),
        _ => format!("\x1B[{number}{}", random.pick(&["L", "M", "A", "B", "e"])),
    };
    text.push_str(&made);
}

/// What programs write: layers of docker, bars, spinners, a table that is drawn anew.
fn program(random: &mut Random, text: &mut String) {
    let rows = 1 + random.below(6);
    let steps = 1 + random.below(12);
    match random.below(6) {
        0 => {
            (0..rows).for_each(|row| text.push_str(&format!("layer{row}: Pulling fs layer \n")));
            for step in 0..steps {
                let up = 1 + random.below(rows);
                let state = random.pick(&["Downloading", "Extracting", "Pull complete", "error: no space left"]);
                text.push_str(&format!("\x1B[{up}A\x1B[2K\rlayer{}: {state} {step}MB \r\x1B[{up}B", rows - up));
            }
        }
        1 => {
            for step in 0..steps {
                (0..rows)
                    .for_each(|row| text.push_str(&format!("bar {row}: {}% |{}\x1B[K\n", step * 8, "#".repeat(step))));
                if step + 1 < steps || random.chance(20) {
                    text.push_str(&format!("\x1B[{rows}A"));
                }
            }
        }
        2 => (0..steps).for_each(|step| {
            text.push_str(&format!("\x1B[1G\x1B[0K{} installing {step}", random.pick(&["⠙", "⠹", "|"])))
        }),
        3 => (0..steps).for_each(|step| text.push_str(&format!("\rstep {step:>2}% ({step}/100)"))),
        4 => {
            text.push_str("\x1B[H\x1B[J");
            for step in 0..steps {
                text.push_str(&format!("\x1B[{};{}Hcell {step}", 1 + random.below(10), 1 + random.below(60)));
            }
            text.push_str("\x1B[12;1H");
        }
        _ => {
            for step in 0..steps {
                let lines: String = (0..rows).map(|row| format!(" => step {row} {step}.0s\n")).collect();
                text.push_str(&format!("\x1B[?25l[+] Building {step}.1s\n{lines}\x1B[?25h\x1B[{}A\x1B[0G", rows + 1));
            }
            text.push_str(&"\n".repeat(rows + 1));
        }
    }
    text.push_str(random.pick(&["", "\n", "\r\n"]));
}

/// The output of a program.
pub(crate) fn output(random: &mut Random) -> String {
    let mut text = String::new();
    if random.chance(30) {
        (0..random.below(3)).for_each(|_| text.push_str("some line before\n"));
        program(random, &mut text);
    }
    if !random.chance(15) {
        let level = random.below(4);
        let most = random.pick(&[6, 14, 40]);
        for _ in 0..1 + random.below(most) {
            piece(random, level, &mut text);
        }
    }
    text
}
