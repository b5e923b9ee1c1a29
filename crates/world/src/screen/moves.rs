//! What moves the cursor: by rows and columns, to places and tab stops that a program keeps.

use super::row::{Row, Unsure};
use super::terminal::{Certain, Column, LEAST_COLUMNS, LEAST_ROWS, Saved, TAB_WIDTH, Terminal, certain};
use super::width;

impl Terminal {
    /// The column of the cursor, where the row is short enough to know it.
    pub(super) fn known_column(&self) -> Result<usize, Unsure> {
        match self.column {
            Column::At(at) if at < LEAST_COLUMNS && !self.rows[self.row].is_long => Ok(at),
            _ => Err(Unsure),
        }
    }

    /// Whether all rows from one on are on the screen, and each takes one row of it.
    pub(super) fn are_on_screen(&self, from: usize) -> bool {
        self.rows.len() - from <= LEAST_ROWS && self.rows[from..].iter().all(|row| !row.is_long)
    }

    /// Whether the cursor doesn't cross a border of the scroll region.
    pub(super) fn stays_inside(&self, to: usize) -> bool {
        let side = |row: usize, (first, last): (usize, usize)| (row >= first, row > last);
        self.region.is_none_or(|region| self.is_top && side(self.row, region) == side(to, region))
    }

    pub(super) fn up(&mut self, count: usize) -> Certain {
        let to = match self.row.checked_sub(count) {
            Some(to) => to,
            None if self.is_top && self.region.is_none() => 0,
            None => return Err(Unsure),
        };
        certain(self.are_on_screen(to) && self.stays_inside(to) && self.column != Column::End)?;
        self.row = to;
        self.settle()
    }

    pub(super) fn down(&mut self, count: usize) -> Certain {
        let to = self.row + count;
        certain(self.are_on_screen(self.row) && self.stays_inside(to) && self.column != Column::End)?;
        if to >= self.rows.len() {
            certain(self.is_top && to < LEAST_ROWS)?;
            self.extend(to);
        }
        self.row = to;
        self.settle()
    }

    /// In a row that it comes to, the cursor may stand behind or among what has no known columns. A full row may have kept it at its end.
    pub(super) fn settle(&self) -> Certain {
        certain(!matches!(self.column, Column::At(at) if at >= LEAST_COLUMNS))
    }

    pub(super) fn extend(&mut self, to: usize) {
        while self.rows.len() <= to {
            self.push_row();
        }
    }

    pub(super) fn push_row(&mut self) {
        if let Some(leaving) = self.rows.len().checked_sub(LEAST_ROWS) {
            self.has_scrolled |= !self.rows[leaving].is_blank();
            self.is_top = false;
        }
        self.rows.push(Row::default());
    }

    pub(super) fn right(&mut self, count: usize) -> Certain {
        let to = self.known_column()?.saturating_add(count);
        certain(to < LEAST_COLUMNS)?;
        self.column = Column::At(to);
        Ok(())
    }

    pub(super) fn left(&mut self, count: usize) -> Certain {
        if self.is_alternate {
            return Ok(());
        }
        self.column = Column::At(self.known_column()?.saturating_sub(count));
        Ok(())
    }

    pub(super) fn go_to_column(&mut self, number: usize) -> Certain {
        certain(number <= LEAST_COLUMNS && !self.rows[self.row].is_long)?;
        self.column = Column::At(number - 1);
        Ok(())
    }

    pub(super) fn go_to_place(&mut self, row: usize, column: usize) -> Certain {
        if self.is_alternate {
            return Ok(());
        }
        if !self.is_top && !self.is_empty() {
            // What was written is somewhere on the screen, unless all of it goes now.
            certain((row, column) == (1, 1) && self.region.is_none() && !self.is_origin)?;
            self.is_home = true;
            return Ok(());
        }
        self.column = Column::At(0);
        self.go_to_row(row)?;
        self.go_to_column(column)
    }

    pub(super) fn go_to_row(&mut self, number: usize) -> Certain {
        let first = self.region.filter(|_| self.is_origin).map_or(0, |(first, _)| first);
        let last = self.region.filter(|_| self.is_origin).map_or(LEAST_ROWS - 1, |(_, last)| last);
        let to = first + number - 1;
        certain(to <= last)?;
        if !self.is_top {
            certain(self.is_empty())?;
            self.begin();
        }
        certain(self.column != Column::End)?;
        self.settle()?;
        self.extend(to);
        self.row = to;
        Ok(())
    }

    /// Whether nothing was written yet that could be seen.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() <= LEAST_ROWS && self.rows.iter().all(Row::is_blank)
    }

    /// Begins at the top of an empty screen. States that went stay counted.
    pub(super) fn begin(&mut self) {
        let states = self.rows.iter().map(|row| row.states).sum();
        self.rows.truncate(1);
        self.rows[0].clear();
        self.rows[0].states = states;
        (self.row, self.is_top, self.saved) = (0, true, None);
    }

    /// Erases all from home on.
    pub(super) fn begin_at_top(&mut self) -> Certain {
        certain(!self.has_scrolled && self.are_on_screen(0) && self.rows.iter().all(|row| !row.has_link))?;
        let texts = self.rows.iter().filter(|row| !row.is_blank()).count();
        self.begin();
        self.rows[0].states += texts;
        (self.column, self.is_home) = (Column::At(0), false);
        Ok(())
    }

    pub(super) fn index(&mut self) -> Certain {
        self.moved();
        if self.is_alternate {
            return Ok(());
        }
        certain(!self.is_home)?;
        if let Some((first, last)) = self.region {
            certain(self.is_top && self.row < LEAST_ROWS - 1)?;
            if self.row == last {
                return self.rotate_up(first, last, 1);
            }
        }
        if self.row + 1 == self.rows.len() {
            self.push_row();
        }
        self.row += 1;
        self.comes_to_another_row();
        Ok(())
    }

    /// Another row is where the cursor stands: a column that its row alone told is not known any more.
    pub(super) fn comes_to_another_row(&mut self) {
        if !matches!(self.column, Column::At(at) if at < LEAST_COLUMNS) {
            self.column = Column::Unknown;
        }
    }

    pub(super) fn reverse_index(&mut self) -> Certain {
        if self.is_alternate {
            return Ok(());
        }
        certain(!self.is_home)?;
        match self.region {
            Some((first, last)) if self.row == first => return self.rotate_down(first, last, 1),
            None if self.row == 0 => {
                certain(self.is_top)?;
                return self.scroll_down(1);
            }
            _ => {}
        }
        self.up(1)
    }

    /// Keeps a place, or goes to the one that was kept.
    pub(super) fn save(&mut self, letter: u8) -> Certain {
        if self.is_alternate {
            return Ok(());
        }
        certain(!self.is_home)?;
        let Terminal { row, column, is_origin, .. } = *self;
        self.saved = Some(Saved { letter, row, column, rows: self.rows.len(), is_origin });
        Ok(())
    }

    pub(super) fn restore(&mut self, letter: u8) -> Certain {
        if self.is_alternate {
            return Ok(());
        }
        let saved =
            self.saved.filter(|saved| saved.letter == letter && saved.is_origin == self.is_origin).ok_or(Unsure)?;
        let has_stayed = self.is_top || saved.rows == self.rows.len();
        let is_short = matches!(saved.column, Column::At(at) if at < LEAST_COLUMNS);
        certain(!self.is_home && has_stayed && is_short && self.are_on_screen(saved.row))?;
        (self.row, self.column) = (saved.row, saved.column);
        Ok(())
    }

    // Tab stops.

    pub(super) fn go_to_next_stop(&mut self) -> Certain {
        let next = self.next_stop(self.known_column()?).ok_or(Unsure)?;
        self.column = Column::At(next);
        Ok(())
    }

    pub(super) fn go_to_last_stop(&mut self) -> Certain {
        let at = self.known_column()?;
        let is_stop = |at: &usize| self.stops.as_ref().map_or(at.is_multiple_of(TAB_WIDTH), |stops| stops[*at]);
        self.column = Column::At((0..at).rev().find(is_stop).unwrap_or(0));
        Ok(())
    }

    pub(super) fn stops(&mut self) -> &mut [bool; LEAST_COLUMNS] {
        self.stops.get_or_insert_with(|| std::array::from_fn(|at| at.is_multiple_of(TAB_WIDTH)))
    }

    pub(super) fn set_stop(&mut self) -> Certain {
        certain(!self.is_alternate && !self.is_home)?;
        let at = self.known_column()?;
        self.stops()[at] = true;
        Ok(())
    }

    pub(super) fn clear_stops(&mut self, which: usize) -> Certain {
        match which {
            0 => {
                let at = self.known_column()?;
                self.stops()[at] = false;
            }
            3 => *self.stops() = [false; LEAST_COLUMNS],
            _ => return Err(Unsure),
        }
        Ok(())
    }

    pub(super) fn repeat(&mut self, count: usize) -> Certain {
        let character = self.last.filter(|&last| width::columns(last) == Some(1)).ok_or(Unsure)?;
        certain(count <= LEAST_COLUMNS)?;
        (0..count).try_for_each(|_| self.print(character))?;
        self.last = None;
        Ok(())
    }
}
