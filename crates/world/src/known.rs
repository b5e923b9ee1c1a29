//! What is certain, and what isn't.

/// A value that is certain, or unknown. What is only likely is unknown: whoever acts on the world acts on what is certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known<T> {
    /// The value is this one.
    Certain(T),
    /// It may be any.
    #[default]
    Unknown,
}

impl<T> Known<T> {
    /// Returns the value, if it is certain.
    pub fn certain(self) -> Option<T> {
        match self {
            Known::Certain(value) => Some(value),
            Known::Unknown => None,
        }
    }

    /// Returns what `make` makes of a certain value.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Known<U> {
        self.certain().map(make).into()
    }

    /// Returns what `make` knows because of a certain value.
    pub fn and_then<U>(self, make: impl FnOnce(T) -> Known<U>) -> Known<U> {
        self.certain().map_or(Known::Unknown, make)
    }

    /// Returns whether it is certain that `is` holds of the value.
    pub fn is_certain_and(self, is: impl FnOnce(T) -> bool) -> bool {
        self.certain().is_some_and(is)
    }

    /// Returns whether the value is certain.
    pub fn is_certain(&self) -> bool {
        matches!(self, Known::Certain(_))
    }

    /// Borrows the value.
    pub fn as_ref(&self) -> Known<&T> {
        match self {
            Known::Certain(value) => Known::Certain(value),
            Known::Unknown => Known::Unknown,
        }
    }
}

impl<T: PartialEq> Known<T> {
    /// Returns what holds whichever of two accounts is right: what both say.
    pub fn agreed(self, other: Self) -> Self {
        if self == other { self } else { Known::Unknown }
    }
}

impl<T> From<Option<T>> for Known<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Known::Unknown, Known::Certain)
    }
}

#[cfg(test)]
mod tests {
    use super::Known::{self, Certain, Unknown};

    #[test]
    fn nothing_follows_from_what_is_unknown() {
        let unknown: Known<i32> = Unknown;
        assert_eq!((Certain(2).map(|value| value + 1), unknown.map(|value| value + 1)), (Certain(3), Unknown));
        assert_eq!((Certain(2).and_then(|_| unknown), unknown.and_then(Certain)), (Unknown, Unknown));
        assert!(Certain(2).is_certain_and(|value| value == 2) && !unknown.is_certain_and(|_| true));
        assert_eq!((Certain(2).agreed(Certain(2)), Certain(2).agreed(Certain(3))), (Certain(2), Unknown));
        assert_eq!((Certain(2).agreed(Unknown), unknown.agreed(Certain(2))), (Unknown, Unknown));
        assert_eq!((Known::from(Some(1)).certain(), Known::<i32>::from(None).as_ref().certain()), (Some(1), None));
    }
}
