//! The reasons, in report order.

use std::fmt;

macro_rules! reasons {
    ($($variant:ident $name:literal $hard:literal,)*) => {
        /// Reason to keep a text as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reason { $($variant),* }

        impl Reason {
            /// Every reason, in report order.
            pub const ALL: &'static [Reason] = &[$(Reason::$variant),*];

            /// Returns the name that users see.
            pub fn name(self) -> &'static str {
                match self { $(Reason::$variant => $name),* }
            }

            /// Returns whether the reason alone suffices to keep a text.
            pub fn is_hard(self) -> bool {
                match self { $(Reason::$variant => $hard),* }
            }
        }
    };
}

reasons! {
    CodeFence "code_fence" true,
    IndentedCode "indented_code" true,
    LatexMath "latex_math" true,
    UnicodeMath "unicode_math" true,
    JsonStructure "json_structure" true,
    YamlStructure "yaml_structure" true,
    VersePattern "verse_pattern" true,
    HighLineLengthVariance "high_line_length_variance" true,
    HighSpecialCharRatio "high_special_char_ratio" true,
    SqlContent "sql_content" true,
    ApiKey "api_key" true,
    ReasoningChain "reasoning_chain" true,
    Url "url" false,
    Email "email" false,
    Phone "phone" false,
    VersionNumber "version_number" false,
    HashOrSha "hash_or_sha" false,
    Base64Content "base64_content" true,
    FilePath "file_path" false,
    IpOrSemver "ip_or_semver" false,
    QuotedKey "quoted_key" false,
    LegalTerm "legal_term" false,
    DirectQuote "direct_quote" false,
    NumericWithUnits "numeric_with_units" false,
    ErrorTraceback "error_traceback" true,
    HttpError "http_error" true,
    FailureSignature "failure_signature" true,
}

/// A set of reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reasons(u32);

impl Reasons {
    /// Adds `reason`.
    pub fn insert(&mut self, reason: Reason) {
        self.0 |= 1 << reason as u32;
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the reasons in report order.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        Reason::ALL.iter().copied().filter(move |&reason| self.0 & 1 << reason as u32 != 0)
    }
}

/// Formats the names, joined by commas.
impl fmt::Display for Reasons {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, reason) in self.iter().enumerate() {
            let separator = if position == 0 { "" } else { "," };
            write!(formatter, "{separator}{}", reason.name())?;
        }
        Ok(())
    }
}
