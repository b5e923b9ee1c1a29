//! What is certain of the shell in which a harness runs commands.

/// Whether something lasts from one call of a tool to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keeps {
    /// The next call starts where this one ended.
    Yes,
    /// Each call starts afresh.
    No,
    /// Neither is certain.
    #[default]
    Unsure,
}

/// Language of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// That of `sh`, `bash` and `zsh`.
    Posix,
    /// That of PowerShell.
    PowerShell,
    /// That of `cmd` on Windows.
    Cmd,
    /// None of them is certain.
    #[default]
    Unknown,
}

/// A harness's shell. What isn't certain is unsure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shell {
    /// Whether `cd` in a call moves the next one.
    pub keeps_directory: Keeps,
    /// Whether variables and aliases last.
    pub keeps_environment: Keeps,
    /// Language of its commands, whatever the system.
    pub dialect: Dialect,
    /// Language of its commands where the system isn't Windows.
    pub dialect_off_windows: Dialect,
    /// Whether what it prints may hold the escapes of a terminal. Some harnesses take them out, or show what a terminal shows.
    pub escapes: bool,
}

impl Shell {
    /// Nothing is certain.
    pub const UNKNOWN: Shell = Shell {
        keeps_directory: Keeps::Unsure,
        keeps_environment: Keeps::Unsure,
        dialect: Dialect::Unknown,
        dialect_off_windows: Dialect::Unknown,
        escapes: true,
    };
    /// Each call is a process of its own. On Windows it may be one of PowerShell or `cmd`.
    pub(super) const FRESH: Shell = Shell {
        keeps_directory: Keeps::No,
        keeps_environment: Keeps::No,
        dialect: Dialect::Unknown,
        dialect_off_windows: Dialect::Posix,
        escapes: true,
    };
    /// Each call is a process of its own, in the language of `sh` on any system.
    pub(super) const FRESH_POSIX: Shell = Shell { dialect: Dialect::Posix, ..Shell::FRESH };
    /// One shell for all calls.
    pub(super) const LASTING: Shell =
        Shell { keeps_directory: Keeps::Yes, keeps_environment: Keeps::Yes, ..Shell::FRESH };

    /// The same, where the harness takes escapes out, or keeps what a terminal would show.
    pub(super) const fn without_escapes(self) -> Shell {
        Shell { escapes: false, ..self }
    }

    /// Returns what holds whichever of two shells it is.
    pub fn agreed(self, other: Shell) -> Shell {
        fn both<T: PartialEq + Default>(one: T, other: T) -> T {
            if one == other { one } else { T::default() }
        }
        Shell {
            keeps_directory: both(self.keeps_directory, other.keeps_directory),
            keeps_environment: both(self.keeps_environment, other.keeps_environment),
            dialect: both(self.dialect, other.dialect),
            dialect_off_windows: both(self.dialect_off_windows, other.dialect_off_windows),
            escapes: self.escapes || other.escapes,
        }
    }
}
