//! A terminal of unknown size: what it shows for certain.
//!
//! Its rows are those of the output, with the row where the output began as the first. A terminal has 24 rows or more and 80 columns or more,
//! and what it showed before is not known. So the last 24 rows are there for certain; what was above may have left the screen. Absolute rows are known
//! only while nothing can have scrolled, and from an empty screen on.

use super::row::{Row, Unsure};
use super::sequence::{Csi, Sequence};
use super::width;

/// The least height of a terminal, in rows. Higher ones show the same for all that counts as certain.
pub(super) const LEAST_ROWS: usize = 24;
/// The least width of a terminal, in columns.
pub(super) const LEAST_COLUMNS: usize = 80;
pub(super) const TAB_WIDTH: usize = 8;

/// Where the next character goes in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    At(usize),
    /// Behind all that stands there, whose columns nobody knows.
    End,
    /// Nobody knows.
    Unknown,
}

/// What `ESC 7` or `CSI s` kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved {
    pub(super) letter: u8,
    pub(super) row: usize,
    pub(super) column: Column,
    /// The number of rows then.
    pub(super) rows: usize,
    pub(super) is_origin: bool,
}

#[derive(Debug)]
pub(super) struct Terminal {
    /// All rows down to the lowest one where the cursor was. Never empty.
    pub(super) rows: Vec<Row>,
    pub(super) row: usize,
    pub(super) column: Column,
    /// Counts what moves the cursor or changes the screen other than by characters.
    pub(super) movement: usize,
    /// Whether the first row is that of the screen, and all rows are on it.
    pub(super) is_top: bool,
    /// Whether a row that is no longer on the screen has text.
    pub(super) has_scrolled: bool,
    /// Whether the cursor is at home, but nobody knows in which row.
    pub(super) is_home: bool,
    /// Whether anything was written or erased.
    pub(super) is_touched: bool,
    /// Whether the alternate screen is shown.
    pub(super) is_alternate: bool,
    pub(super) inserts: bool,
    pub(super) wraps: bool,
    pub(super) is_origin: bool,
    /// First and last row of the scroll region, where there is one.
    pub(super) region: Option<(usize, usize)>,
    /// Tab stops, where the program set some.
    pub(super) stops: Option<[bool; LEAST_COLUMNS]>,
    pub(super) saved: Option<Saved>,
    /// The last character, if nothing came after it.
    pub(super) last: Option<u32>,
}

impl Default for Terminal {
    fn default() -> Self {
        Terminal {
            rows: vec![Row::default()],
            row: 0,
            column: Column::At(0),
            movement: 1,
            is_top: false,
            has_scrolled: false,
            is_home: false,
            is_touched: false,
            is_alternate: false,
            inserts: false,
            wraps: true,
            is_origin: false,
            region: None,
            stops: None,
            saved: None,
            last: None,
        }
    }
}

pub(super) type Certain = Result<(), Unsure>;

pub(super) fn certain(is: bool) -> Certain {
    if is { Ok(()) } else { Err(Unsure) }
}

impl Terminal {
    /// Begins anew with an empty screen.
    pub(super) fn clear(&mut self) {
        self.rows.truncate(1);
        let mut rows = std::mem::take(&mut self.rows);
        rows[0].clear();
        *self = Terminal { rows, ..Terminal::default() };
    }

    /// The rows that were written, if the program left the screen in a known state.
    pub(super) fn rows(&self) -> Option<&[Row]> {
        (!self.is_home && !self.is_alternate).then_some(&self.rows)
    }

    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Whether a carriage return or backspace would move the cursor.
    pub(super) fn may_go_back(&self) -> bool {
        self.column != Column::At(0) && !self.is_alternate
    }

    /// Writes a character, given as a code point or half of a surrogate pair.
    pub(super) fn print(&mut self, character: u32) -> Certain {
        if self.is_alternate {
            // What only the alternate screen showed would be gone without a word.
            return certain(character == 0x20);
        }
        certain(!self.is_home)?;
        self.is_touched = true;
        let width = width::columns(character);
        let (at, row) = (self.column, &mut self.rows[self.row]);
        let column = match at {
            Column::Unknown => return Err(Unsure),
            Column::At(_) if row.is_long => return Err(Unsure),
            Column::End => None,
            Column::At(at) => width.filter(|width| at + width <= LEAST_COLUMNS).map(|width| (at, width)),
        };
        self.last = column.map(|_| character);
        let Some((at, width)) = column else {
            certain(self.wraps)?;
            return self.print_behind(character, width.unwrap_or(2));
        };
        if self.inserts && at < row.columns() {
            // Some emulators make room for one column only.
            certain(width == 1 && !row.has_rest() && row.columns() < LEAST_COLUMNS)?;
            row.insert(at, width, self.movement)?;
        }
        row.put(at, character, width, self.movement)?;
        self.column = Column::At(at + width);
        Ok(())
    }

    fn print_behind(&mut self, character: u32, columns: usize) -> Certain {
        let row = &mut self.rows[self.row];
        let at = match self.column {
            Column::At(at) => at,
            _ => row.columns(),
        };
        certain(at >= row.columns() && (self.column == Column::End || !row.has_rest()))?;
        row.push(at, character, columns);
        self.column = Column::End;
        if row.most_columns() > LEAST_COLUMNS {
            row.is_long = true;
            // Nobody knows how many rows of the screen it takes, nor what it writes over.
            certain(self.row + 1 == self.rows.len() && self.region.is_none())?;
            (self.is_top, self.saved) = (false, None);
        }
        Ok(())
    }

    /// Writes a link's sequence behind all that stands in the row.
    pub(super) fn link(&mut self, units: impl Iterator<Item = u32>) -> Certain {
        certain(!self.is_home && !self.is_alternate)?;
        let row = &mut self.rows[self.row];
        let at = match self.column {
            Column::At(at) => at,
            Column::End => row.columns(),
            Column::Unknown => return Err(Unsure),
        };
        certain(at >= row.columns() && (self.column == Column::End || !row.has_rest()))?;
        units.for_each(|unit| row.push(at, unit, 0));
        row.has_link = true;
        (self.column, self.last) = (Column::End, None);
        Ok(())
    }

    pub(super) fn tab(&mut self) -> Certain {
        self.last = None;
        if self.is_alternate {
            return Ok(());
        }
        certain(!self.is_home)?;
        let Column::At(at) = self.column else {
            certain(self.column == Column::End && self.stops.is_none())?;
            return self.print_behind(u32::from(b'\t'), TAB_WIDTH);
        };
        match self.next_stop(at) {
            Some(next) => {
                if self.stops.is_none() {
                    self.rows[self.row].put_tab(at, next - at);
                }
                self.column = Column::At(next);
                self.movement += 1;
                Ok(())
            }
            None => {
                certain(self.stops.is_none())?;
                self.print_behind(u32::from(b'\t'), TAB_WIDTH)
            }
        }
    }

    /// The next tab stop that every terminal has.
    pub(super) fn next_stop(&self, at: usize) -> Option<usize> {
        match &self.stops {
            Some(stops) => (at + 1..LEAST_COLUMNS).find(|&at| stops[at]),
            None => Some(at / TAB_WIDTH * TAB_WIDTH + TAB_WIDTH).filter(|&next| next < LEAST_COLUMNS),
        }
    }

    pub(super) fn carriage_return(&mut self) {
        self.moved();
        if !self.is_alternate {
            self.column = Column::At(0);
        }
    }

    pub(super) fn backspace(&mut self) -> Certain {
        self.moved();
        self.left(1)
    }

    /// Goes to the next line, which a terminal does at its start.
    pub(super) fn line_feed(&mut self, has_return: bool) -> Certain {
        if self.is_alternate {
            return Ok(());
        }
        self.rows[self.row].has_return = has_return;
        self.index()?;
        self.column = Column::At(0);
        Ok(())
    }

    pub(super) fn moved(&mut self) {
        self.movement += 1;
        self.last = None;
    }

    /// Does what a sequence says. None where it is not known; it may have an effect on all that follows.
    pub(super) fn obey(&mut self, sequence: Sequence) -> Option<Certain> {
        // A program may repeat the last character only right behind it.
        let last = self.last;
        self.moved();
        match sequence {
            Sequence::Csi(csi) if csi.letter == b'b' => {
                self.last = last;
                (csi.private == 0 && csi.intermediate == 0).then(|| self.repeat(csi.number(0)))
            }
            Sequence::Csi(csi) => self.obey_csi(csi),
            Sequence::Esc { intermediate, letter } => self.obey_escape(intermediate, letter),
            Sequence::Link => None,
            Sequence::Silent => Some(Ok(())),
        }
    }

    fn obey_escape(&mut self, intermediate: u8, letter: u8) -> Option<Certain> {
        Some(match (intermediate, letter) {
            (0, b'7') => self.save(letter),
            (0, b'8') => self.restore(b'7'),
            (0, b'D') => self.index(),
            (0, b'E') => self.line_feed(false),
            (0, b'M') => self.reverse_index(),
            (0, b'H') => self.set_stop(),
            // Keypad, the end of a string, the usual characters.
            (0, b'=' | b'>' | b'\\') | (b'(' | b')', b'B') | (b'%', b'G') => Ok(()),
            _ => return None,
        })
    }

    fn obey_csi(&mut self, csi: Csi) -> Option<Certain> {
        let number = csi.number(0);
        match (csi.private, csi.intermediate, csi.letter) {
            // Colours; questions; the form of the cursor, the keyboard.
            (0 | b'>' | b'?', 0, b'm') | (0 | b'>' | b'=', 0, b'c') | (0 | b'?', 0, b'n') => return Some(Ok(())),
            (b'?' | b'>' | b'<' | b'=', 0, b'u') | (0, b' ', b'q') | (b'>', 0, b'q') | (b'?', b'$', b'p') => {
                return Some(Ok(()));
            }
            (b'?', 0, b'h' | b'l') => return self.set_modes(&csi),
            (0, 0, _) if csi.has_parts => return None,
            (0, 0, _) => {}
            _ => return None,
        }
        if self.is_alternate {
            // What it does to the main screen is not known.
            return matches!(csi.letter, b'h' | b'l' | b'r' | b'g' | b'S' | b'T')
                .then_some(Err(Unsure))
                .or(Some(Ok(())));
        }
        if self.is_home {
            return Some(if (csi.letter, csi.parameter(0)) == (b'J', 0) { self.begin_at_top() } else { Err(Unsure) });
        }
        let is_screen = (csi.letter, csi.parameter(0)) == (b'J', 2);
        self.is_touched |= matches!(csi.letter, b'J' | b'K' | b'@' | b'P' | b'X' | b'L' | b'M') && !is_screen;
        Some(match csi.letter {
            b'A' => self.up(number),
            b'B' | b'e' => self.down(number),
            b'C' | b'a' => self.right(number),
            b'D' => self.left(number),
            b'E' => self.go_to_column(1).and_then(|()| self.down(number)),
            b'F' => self.go_to_column(1).and_then(|()| self.up(number)),
            b'G' | b'`' => self.go_to_column(number),
            b'H' | b'f' => self.go_to_place(number, csi.number(1)),
            b'd' => self.go_to_row(number),
            b'I' => (0..number.min(LEAST_COLUMNS)).try_for_each(|_| self.go_to_next_stop()),
            b'Z' => (0..number.min(LEAST_COLUMNS)).try_for_each(|_| self.go_to_last_stop()),
            b'J' => self.erase_screen(csi.parameter(0)),
            b'K' => self.erase_line(csi.parameter(0)),
            b'@' => self.insert_columns(number),
            b'P' => self.remove_columns(number),
            b'X' => self.erase_columns(number),
            b'L' => self.insert_rows(number),
            b'M' => self.remove_rows(number),
            b'S' => self.scroll_up(number),
            b'T' => {
                if csi.parameters().len() > 1 {
                    Err(Unsure)
                } else {
                    self.scroll_down(number)
                }
            }
            b'r' => self.set_region(csi.parameter(0), csi.parameter(1)),
            b's' if csi.parameters().iter().all(|&number| number == 0) => self.save(b's'),
            b'u' => self.restore(b's'),
            b'g' => self.clear_stops(csi.parameter(0)),
            b'h' | b'l' if csi.parameters() == [4] => {
                self.inserts = csi.letter == b'h';
                Ok(())
            }
            // Reports, and titles that are kept.
            b't' if matches!(csi.parameter(0), 11 | 13 | 14 | 16 | 18 | 19 | 20..=23) => Ok(()),
            _ => return None,
        })
    }

    fn set_modes(&mut self, csi: &Csi) -> Option<Certain> {
        let is_set = csi.letter == b'h';
        let mut done = Ok(());
        for mode in csi.parameters() {
            let now = match mode {
                // Keys, blinking, the cursor, the mouse, pasted text, frames that are shown at once.
                1 | 4 | 5 | 8 | 12 | 25 | 1000 | 1002..=1007 | 1015 | 1034 | 1036 | 2004 | 2026 | 2031 => Ok(()),
                6 | 7 if self.is_alternate => Err(Unsure),
                6 => {
                    self.is_origin = is_set;
                    self.go_to_place(1, 1).and(certain(self.is_top))
                }
                7 => {
                    self.wraps = is_set;
                    Ok(())
                }
                1049 => self.switch(is_set),
                _ => return None,
            };
            done = done.and(now);
        }
        Some(done)
    }

    /// Shows the alternate screen, or the main one again, as it was.
    fn switch(&mut self, to_alternate: bool) -> Certain {
        certain(to_alternate != self.is_alternate && !self.is_home)?;
        if to_alternate {
            let is_usual = !self.inserts && self.wraps && !self.is_origin && self.region.is_none();
            certain(is_usual && self.column != Column::Unknown)?;
        }
        self.is_alternate = to_alternate;
        self.saved = None;
        Ok(())
    }
}
