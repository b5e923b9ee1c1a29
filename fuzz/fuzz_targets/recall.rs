#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| palimpsest_checks::recall(bytes));
