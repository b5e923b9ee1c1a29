//! The kinds of index that fitting has beside those of the transcript.

use palimpsest_text::index_types;

index_types! {
    /// A text that was read, in [`Facts::texts`](super::Facts::texts).
    FactsIndex;
    /// A span of a text that was read, in [`Facts::spans`](super::Facts::spans).
    SpanIndex;
    /// A distinct word: its number in the dictionary of the facts.
    WordIndex;
    /// A place in [`Facts::words`](super::Facts::words).
    WordPlace;
    /// A place in the words of a [`Vocabulary`](super::vocabulary::Vocabulary).
    ValuedPlace;
    /// A span of a part, in the list of all.
    ItemIndex;
    /// A group of messages.
    GroupIndex;
    /// A text that a rendering made.
    DraftIndex;
    /// A position in a text, in UTF-16 code units.
    Unit;
}
