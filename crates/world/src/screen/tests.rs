use super::*;

fn read(text: &str) -> String {
    let buffer = TextBuf::from(text);
    let shown = shown(buffer.as_text()).certain().unwrap_or(buffer);
    let text = shown.as_text();
    text.units().map_or_else(
        || String::from_utf8(text.bytes().to_vec()).expect("ASCII"),
        |units| String::from_utf16(units).expect("whole characters"),
    )
}

#[test]
fn a_line_is_as_it_was_last() {
    for (before, after) in [
        ("\x1B[1;31merror\x1B[0m: it → broke\x1B[K\n", "error: it → broke\n"),
        ("\x1B]0;title\x07$ ls\x1B]2;x\x1B\\", "$ ls"),
        ("\x1B(B\x1B[m\x1B=ok", "ok"),
        ("\x1BP1$r0m\x1B\\ok", "ok"),
        ("10%\r55%\r100%\ndone", "100%\ndone"),
        ("Fetching all\r\x1B[KDone", "Done"),
        ("Fetching all\x1B[2K\rDone\r\n", "Done\r\n"),
        ("Fetching all\rlinking\x1B[2K\x1B[1GDone", "Done"),
        ("Fetching all\x1B[1KDone", "            Done"),
        ("Fetching all\x1B[G\x1B[0KDone", "Done"),
        ("Fetching all\x1B[3D\x1B[1Kit", "         itl"),
        ("50%\x08\x08\x0870%", "70%"),
        ("ok\x1B[4Cdone\x1B[4D\x1B[1CONE", "ok    dONE"),
        ("取 50%\x1B[2K\r取 70%", "取 70%"),
        ("👍 50%\r\x1B[K👍 70%", "👍 70%"),
        ("a\r\nb\x1B[0m\r\n", "a\r\nb\r\n"),
        ("\x1B[1ma\tb\x1B[0m\n", "a\tb\n"),
        ("a\tb\r\x1B[3Cx\x1B[0m", "a  x    b"),
        ("-\x1B[3b\x1B[0m", "----"),
        ("\x1B[1m\x1B]8;;https://a.b\x1B\\a\x1B]8;;\x1B\\", "\x1B]8;;https://a.b\x1B\\a\x1B]8;;\x1B\\"),
        ("N\x08NA\x08AM\x08ME\x08E\n", "NAME\n"),
    ] {
        assert_eq!(read(before), after, "{before:?}");
    }
}

#[test]
fn rows_are_as_they_were_last() {
    let up = |rows: usize, text: &str| format!("\x1B[{rows}A\x1B[2K\r{text} \r\x1B[{rows}B");
    let layers =
        ["a1b2: Pulling fs layer \nc3d4: Pulling fs layer \n", &up(2, "a1b2: error"), &up(1, "c3d4: done")].concat();
    for (before, after) in [
        (&*layers, "a1b2: error\nc3d4: done\n"),
        ("\x1B[1;1Hworkers: 5\x1B[2;1H0 errors\x1B[3;1H12 waiting", "workers: 5\n0 errors\n12 waiting"),
        ("Downloading 100%\r\x1B[JDone", "Done"),
        ("progress: \x1B[s50%\x1B[u60% of it", "progress: 60% of it"),
        ("one: 10%|# |\nval_acc=0.207 DIVERGED\x1B[A\rone: 99%|##|\n", "one: 99%|##|\nval_acc=0.207 DIVERGED\n"),
        ("one\ntwo\nthree\x1B[H\x1B[Jfour", "four"),
        ("one\ntwo\nthree\r\x1B[A\x1B[Mfour\x1B[1B\n", "one\nfoure\n"),
        ("\x1B[H\x1B[Jone\x1B[1;1H\x1B[Lnone", "none\none"),
        ("\x1B[?1049h\x1B[H\x1B[2J\x1B[?1049lok", "ok"),
        ("one\r\ntwo\x1B[A\r\x1B[Kthree\r\n\x1B[K\r\n", "three\r\n"),
        ("\x1B[2;4r\x1B[2;1Ha\nb\nc\nd\x1B[r", "\nb\nc\nd"),
    ] {
        assert_eq!(read(before), after, "{before:?}");
    }
}

#[test]
fn a_mark_counts_the_states_that_went() {
    let bar = |last: usize| (0..=last).map(|step| format!("{:>3}%", step * 10)).collect::<Vec<_>>().join("\r");
    for (before, after) in [
        (format!("a\nFetching it:{}\nb\n", bar(2).replace('\r', "\rFetching it:")), "a\nFetching it: 20%\nb\n"),
        (format!("a\n{}\r\nb\n", bar(10)), "a\n100%\n[… 10 earlier states]\r\nb\n"),
        (format!("{}\n{}", bar(10), bar(10)), "100%\n100%\n[… 20 earlier states]"),
        (format!("{}\na\n{}\n", bar(10), bar(10)), "100%\n[… 10 earlier states]\na\n100%\n[… 10 earlier states]\n"),
        (["one\ntwo\n"; 6].join("\x1B[2A\x1B[J"), "one\ntwo\n[… 10 earlier states]\n"),
    ] {
        assert_eq!(read(&before), after, "{before:?}");
    }
}

#[test]
fn what_is_not_certain_stays() {
    for text in [
        "",
        "a\r\nb\r\n",
        // What may have joined the column that is written over, or what is erased behind.
        "done.\u{200B}\x1B[G[1/2]",
        "e\u{301}\x1B[K\r0",
        "\x1B[?25le\u{301}\rx",
        "e\u{301}\r\x1B[1J",
        "e\u{301}\x1B[2G\x1B[K",
        // Rows move under a cursor whose column its row alone told.
        "\x1B[2;1H\x1B]8;;https://a.b\x1B\\a\x1B]8;;\x1B\\\x1B[Tb",
        "\x1B[H\x1B]8;;https://a.b\x1B\\a\x1B]8;;\x1B\\\x1BMb",
        "\x1B[2;3r\x1B[3;1H\x1B]8;;https://a.b\x1B\\a\x1B]8;;\x1B\\\x1BDb",
        // Half of a sequence, and what is none.
        "\x1B",
        "\x1B[1ma\x1B[31",
        "\x1B[1ma\x1B]0;no end",
        "\x1B[1ma\x1BPno end\x07",
        "\x1B[1mx\x1B\x07",
        // Sequences that emulators don't agree on, or that aren't known.
        "\x1B[1ma\x1B[20h",
        "\x1B[1ma\x1BPq#0~~\x1B\\",
        "\x1B[1ma\x1B(0qqq",
        "one\ntwo\x1B[2J\x1B[Hthree",
        "\x1B[?1049hthe page\x1B[?1049l",
        // Nobody knows how many columns these take.
        "👍\x1B[2Dab",
        "👍👍\r\x1B[2Cx\x1B[0m",
        // Nor how wide or how high the screen is, and what stands on it.
        "x\x1B[99999999999999999999C\x1B[1K\x1B[0m",
        "x\x1B[900Cx\x1B[900Cx",
        "one\x1B[5Atwo\x1B[0m",
        "one\x1B[5;1Htwo\x1B[0m",
        "one\n\x1B[99Btwo\x1B[0m",
        &format!("one\n{}\x1B[30Atwo\x1B[0m", "\n".repeat(30)),
        &format!("{}\x1B[1A\rtwo\x1B[0m", "=".repeat(90)),
        // Data.
        "MSH|^~\\&|LAB|H1\rPID|1||4711||DOE^J\rOBX|1|NM|K||6.9",
        "id,name\r1,a\r2,b\n\n",
        "\x1B[32mOK\x1B[0m\rid,name\r1,a\r2,b",
        "a \x08word\x08 b",
        // Old and new.
        "\x1B[1mdiff --git a/x b/x\x1B[m\n@@ -1 +1 @@\n const timeout = \x1B[31m100;\x1B[m\x1B[32m5000;\x1B[m\n",
        "\x1B[1mdiff --git a/x b/x\x1B[m\n\x1B[36m@@ -1 +1 @@\x1B[m\n const \x1B[31mtimeout\x1B[m = 1\n",
        " const timeout = \x1B[31m100;\x1B[m\x1B[32m5000;\x1B[m\n",
        "price \x1B[9m100\x1B[29m 50\n",
        "\x1B[48;2;63;0;1mlet a = 1;\x1B[0m\n\x1B[48;2;0;40;0mlet a = 2;\x1B[0m\n",
        "\x1B[31mlet a = 1;\x1B[0m       \x1B[32mlet a = 2;\x1B[0m\n",
    ] {
        assert_eq!(read(text), text);
    }
}

#[test]
fn colours_that_say_what_the_words_say_go() {
    for text in [
        "\x1B[1mdiff --git a/x b/x\x1B[m\n\x1B[36m@@ -1 +1 @@\x1B[m f()\n\x1B[31m-let a = 1;\x1B[m\n\x1B[32m+\x1B[m\x1B[32mlet a = 2;\x1B[m\n",
        "\x1B[32m.\x1B[0m\x1B[31mF\x1B[0m\x1B[32m.\x1B[0m [100%]\n\x1B[31m1 failed\x1B[0m, \x1B[32m2 passed\x1B[0m in 0.1s\n",
        "\x1B[41m FAIL \x1B[49m a\n\x1B[42m PASS \x1B[49m b\n",
        "\x1B[31mExpected\x1B[39m: 1\n\x1B[32mReceived\x1B[39m: 2\n",
    ] {
        assert!(!read(text).contains('\x1B'), "{text:?}");
    }
}

#[test]
fn any_units_are_read() {
    let mut state = 1_u32;
    let pieces: [u16; 16] =
        [0x1B, 0x5B, 0x41, 0x3B, 0x39, 0x48, 0x0D, 0x08, 0x0A, 0xD83D, 0xDE00, 0x4E00, 0x09, 0x4C, 0x72, 0x6D];
    for _ in 0..20_000 {
        let mut units = Vec::new();
        for _ in 0..24 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            units.push(pieces[(state >> 28) as usize]);
        }
        let mut text = TextBuf::new();
        text.push_units(&units);
        if let Some(shown) = shown(text.as_text()).certain() {
            assert!(shown.len() < text.len());
        }
    }
}
