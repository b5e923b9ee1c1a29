//! A row of the screen.

/// A blank that was never written, or was erased.
pub(super) const EMPTY: u32 = 0;
/// The second column of a character that takes two.
const SECOND: u32 = 1 << 24;
/// A tab that was written where nothing stood, and its further columns.
const TAB: u32 = 1 << 24 | 1;
const TAB_REST: u32 = 1 << 24 | 2;

const BLANK: u32 = 0x20;

/// A row: what stands in its columns, and what follows of which nobody knows the columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// A character for each column, as a code point or half of a surrogate pair.
    cells: Vec<u32>,
    /// Characters behind them: from the first one that may take another number of columns, or that stands beyond the least width of a terminal.
    rest: Vec<u32>,
    /// The most columns that they may take.
    rest_columns: usize,
    /// Whether it may take more than one row of a terminal.
    pub is_long: bool,
    /// Whether a part of [`Row::rest`] is a link.
    pub has_link: bool,
    /// How often it showed something that went.
    pub states: usize,
    /// The movement of the cursor after which the last of these went.
    counted: usize,
    /// Whether a carriage return stood before its line end.
    pub has_return: bool,
}

/// An operation whose result depends on what nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unsure;

impl Row {
    /// Makes it an empty one.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.rest.clear();
        *self = Row { cells: std::mem::take(&mut self.cells), rest: std::mem::take(&mut self.rest), ..Row::default() };
    }

    pub(super) fn columns(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn has_rest(&self) -> bool {
        !self.rest.is_empty()
    }

    /// The most columns that it may take.
    pub(super) fn most_columns(&self) -> usize {
        self.cells.len() + self.rest_columns
    }

    /// Whether nothing but blanks stands in it.
    pub(super) fn is_blank(&self) -> bool {
        self.rest.is_empty() && self.cells.iter().all(|&cell| is_blank(cell))
    }

    /// Counts a state that goes, once for each movement of the cursor.
    fn count(&mut self, movement: usize) {
        if self.counted != movement {
            self.counted = movement;
            self.states += 1;
        }
    }

    /// Writes a character of `width` columns at `at`.
    pub(super) fn put(&mut self, at: usize, character: u32, width: usize, movement: usize) -> Result<(), Unsure> {
        let end = at + width;
        self.leaves_rest(end)?;
        if at >= self.cells.len() {
            self.cells.resize(at, EMPTY);
            self.cells.push(character);
        } else {
            self.open(at)?;
            self.open(end)?;
            let there = &self.cells[at..end.min(self.cells.len())];
            if there.iter().any(|&cell| !matches!(cell, EMPTY | TAB | TAB_REST) && cell != character) {
                self.count(movement);
            }
            self.cells[at] = character;
        }
        if width == 2 {
            match self.cells.get_mut(at + 1) {
                Some(second) => *second = SECOND,
                None => self.cells.push(SECOND),
            }
        }
        Ok(())
    }

    /// Writes a tab over `width` columns where nothing stands yet, as what it is.
    pub(super) fn put_tab(&mut self, at: usize, width: usize) {
        if at < self.cells.len() || self.has_rest() || width == 0 {
            return;
        }
        self.cells.resize(at, EMPTY);
        self.cells.push(TAB);
        self.cells.resize(at + width, TAB_REST);
    }

    /// Writes a character of at most `columns` columns behind all that is there, or at `at` behind it.
    pub(super) fn push(&mut self, at: usize, character: u32, columns: usize) {
        if self.rest.is_empty() {
            self.cells.resize(at.max(self.cells.len()), EMPTY);
        }
        self.rest.push(character);
        self.rest_columns += columns;
    }

    /// Unsure where what happens up to `end` touches the last column before [`Row::rest`]: what begins there may have joined it, as an accent does.
    fn leaves_rest(&self, end: usize) -> Result<(), Unsure> {
        if self.has_rest() && end >= self.cells.len().max(1) { Err(Unsure) } else { Ok(()) }
    }

    /// Makes blanks of the tab that covers the columns at both sides of `at`. Emulators differ in what becomes of a halved character.
    fn open(&mut self, at: usize) -> Result<(), Unsure> {
        match self.cells.get(at) {
            Some(&SECOND) => Err(Unsure),
            Some(&TAB) => {
                self.blank_tab(at);
                Ok(())
            }
            Some(&TAB_REST) => {
                let start = self.cells[..at].iter().rposition(|&cell| cell == TAB).unwrap_or(at);
                self.blank_tab(start);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn blank_tab(&mut self, start: usize) {
        let rest = self.cells[start + 1..].iter().take_while(|&&cell| cell == TAB_REST).count();
        self.cells[start..=start + rest].fill(EMPTY);
    }

    /// Erases columns.
    pub(super) fn erase(&mut self, from: usize, to: usize, movement: usize) -> Result<(), Unsure> {
        let to = to.min(self.cells.len());
        if from >= to {
            return Ok(());
        }
        self.leaves_rest(to)?;
        self.open(from)?;
        self.open(to)?;
        if self.cells[from..to].iter().any(|&cell| !is_blank(cell)) {
            self.count(movement);
        }
        self.cells[from..to].fill(EMPTY);
        Ok(())
    }

    /// Erases all from a column on.
    pub(super) fn erase_from(&mut self, from: usize, movement: usize) -> Result<(), Unsure> {
        self.leaves_rest(from)?;
        if self.has_link {
            return Err(Unsure);
        }
        if !self.rest.is_empty() {
            self.count(movement);
            self.rest.clear();
            self.rest_columns = 0;
            self.is_long = false;
        }
        self.erase(from, self.cells.len(), movement)?;
        self.cells.truncate(from);
        Ok(())
    }

    /// Makes room for `count` columns at `at`; what follows moves to the right.
    pub(super) fn insert(&mut self, at: usize, count: usize, movement: usize) -> Result<(), Unsure> {
        if at >= self.cells.len() {
            return Ok(());
        }
        self.open_all(at)?;
        self.open(at)?;
        self.count_from(at, movement);
        self.cells.splice(at..at, std::iter::repeat_n(EMPTY, count));
        Ok(())
    }

    /// Takes `count` columns out at `at`; what follows moves to the left.
    pub(super) fn remove(&mut self, at: usize, count: usize, movement: usize) -> Result<(), Unsure> {
        if at >= self.cells.len() {
            return Ok(());
        }
        self.open_all(at)?;
        let end = (at + count).min(self.cells.len());
        self.leaves_rest(end)?;
        self.open(at)?;
        self.open(end)?;
        self.count_from(at, movement);
        self.cells.drain(at..end);
        Ok(())
    }

    /// Makes blanks of all tabs from a column on, which move.
    fn open_all(&mut self, at: usize) -> Result<(), Unsure> {
        (at..self.cells.len())
            .filter(|&at| self.cells[at] == TAB)
            .collect::<Vec<_>>()
            .into_iter()
            .try_for_each(|at| self.open(at))
    }

    fn count_from(&mut self, at: usize, movement: usize) {
        if self.cells[at..].iter().any(|&cell| !is_blank(cell)) {
            self.count(movement);
        }
    }

    /// Appends what it shows, without blanks that were erased at its end, and without any there where something went,
    /// unless a terminal may show them in a row of their own.
    pub(super) fn write(&self, into: &mut Vec<u16>) {
        let start = into.len();
        let mut written = start;
        for &cell in self.cells.iter().chain(&self.rest) {
            match cell {
                EMPTY => into.push(BLANK as u16),
                SECOND | TAB_REST => {}
                TAB => into.push(u16::from(b'\t')),
                _ => push(cell, into),
            }
            if cell != EMPTY && (self.states == 0 || self.is_long || cell != BLANK) {
                written = into.len();
            }
        }
        into.truncate(written);
    }
}

fn push(cell: u32, into: &mut Vec<u16>) {
    match char::from_u32(cell) {
        Some(character) => into.extend_from_slice(character.encode_utf16(&mut [0; 2])),
        // Half of a surrogate pair.
        None => into.push(cell as u16),
    }
}

fn is_blank(cell: u32) -> bool {
    matches!(cell, EMPTY | BLANK | TAB | TAB_REST)
}
