//! What erases, inserts and takes out, in a row and on the screen.

use super::row::{Row, Unsure};
use super::terminal::{Certain, Column, LEAST_COLUMNS, LEAST_ROWS, Terminal, certain};

impl Terminal {
    pub(super) fn erase_line(&mut self, which: usize) -> Certain {
        let movement = self.movement;
        let row = &mut self.rows[self.row];
        match (which, self.column) {
            // Nothing stands behind it. At the right margin, terminals differ.
            (0, Column::End) => certain(!row.is_long),
            (0, Column::At(at)) if at < LEAST_COLUMNS && !row.is_long => row.erase_from(at, movement),
            (1, Column::At(at)) if at < LEAST_COLUMNS && !row.is_long => {
                certain(at < row.columns() || !row.has_rest())?;
                row.erase(0, at + 1, movement)
            }
            (2, column) if !row.is_long && !matches!(column, Column::At(LEAST_COLUMNS..)) => {
                row.erase_from(0, movement)?;
                if column == Column::End {
                    self.column = Column::Unknown;
                }
                Ok(())
            }
            _ => Err(Unsure),
        }
    }

    pub(super) fn erase_screen(&mut self, which: usize) -> Certain {
        match which {
            0 => {
                self.erase_line(0)?;
                self.erase_rows(self.row + 1, self.rows.len())
            }
            1 => {
                certain(!self.has_scrolled && self.are_on_screen(0))?;
                self.erase_line(1)?;
                self.erase_rows(0, self.row)
            }
            // Some terminals keep what was on the screen above it, and some forget what was above.
            2 | 3 => certain(!self.is_touched || which == 3 && (self.is_top || self.is_blank())),
            _ => Err(Unsure),
        }
    }

    /// Whether nothing can be seen, neither on the screen nor above it.
    fn is_blank(&self) -> bool {
        let first = self.rows.len().saturating_sub(LEAST_ROWS);
        !self.has_scrolled && self.rows[first..].iter().all(Row::is_blank)
    }

    fn erase_rows(&mut self, from: usize, to: usize) -> Certain {
        let movement = self.movement;
        self.rows[from..to].iter_mut().try_for_each(|row| row.erase_from(0, movement))
    }

    pub(super) fn insert_columns(&mut self, count: usize) -> Certain {
        let at = self.known_column()?;
        let row = &mut self.rows[self.row];
        certain(!row.has_rest())?;
        if at < row.columns() {
            certain(row.columns() + count <= LEAST_COLUMNS)?;
        }
        row.insert(at, count, self.movement)
    }

    pub(super) fn remove_columns(&mut self, count: usize) -> Certain {
        let at = self.known_column()?;
        let row = &mut self.rows[self.row];
        certain(!row.has_rest())?;
        row.remove(at, count, self.movement)
    }

    pub(super) fn erase_columns(&mut self, count: usize) -> Certain {
        let at = self.known_column()?;
        let row = &mut self.rows[self.row];
        certain(!row.has_rest() || at + count <= row.columns())?;
        row.erase(at, at + count, self.movement)
    }

    /// Inserts rows above that of the cursor.
    pub(super) fn insert_rows(&mut self, count: usize) -> Certain {
        self.go_to_margin()?;
        match self.region {
            Some((first, last)) if (first..=last).contains(&self.row) => self.rotate_down(self.row, last, count),
            Some(_) => Err(Unsure),
            None => self.push_down(self.row, count),
        }
    }

    /// Takes out the row of the cursor, and rows below.
    pub(super) fn remove_rows(&mut self, count: usize) -> Certain {
        self.go_to_margin()?;
        match self.region {
            Some((first, last)) if (first..=last).contains(&self.row) => {
                certain(self.is_top && self.row > 0)?;
                self.drop_rows(self.row, last, count)
            }
            Some(_) => Err(Unsure),
            None => {
                // What goes from the top of the screen, some terminals keep above it.
                certain(self.row > 0 && self.are_on_screen(self.row - 1))?;
                self.drop_rows(self.row, self.rows.len() - 1, count)
            }
        }
    }

    /// Emulators differ in whether the cursor goes to the start of the line.
    fn go_to_margin(&mut self) -> Certain {
        let at = self.known_column()?;
        self.column = if at == 0 { Column::At(0) } else { Column::Unknown };
        Ok(())
    }

    pub(super) fn scroll_up(&mut self, count: usize) -> Certain {
        match self.region {
            Some((first, last)) => self.rotate_up(first, last, count),
            // Some terminals keep above the screen what leaves it, be it blank.
            None => Err(Unsure),
        }
    }

    pub(super) fn scroll_down(&mut self, count: usize) -> Certain {
        certain(self.is_top)?;
        match self.region {
            Some((first, last)) => self.rotate_down(first, last, count),
            None => self.push_down(0, count),
        }
    }

    /// Moves the rows from `at` on down. None of them may leave the screen.
    fn push_down(&mut self, at: usize, count: usize) -> Certain {
        certain(self.are_on_screen(at))?;
        let rows = self.rows.len();
        let used = rows - self.rows[at..].iter().rev().take_while(|row| row.is_blank()).count();
        let end = used + count;
        certain(end <= if self.is_top { LEAST_ROWS } else { rows } || used == at)?;
        if used > at {
            self.rows.splice(at..at, std::iter::repeat_with(Row::default).take(count));
            self.rows.truncate(rows.max(end));
        }
        self.comes_to_another_row();
        Ok(())
    }

    /// Moves rows of a region up. What leaves it is gone, but at the top of the screen, where some terminals keep it.
    pub(super) fn rotate_up(&mut self, first: usize, last: usize, count: usize) -> Certain {
        certain(self.is_top && first > 0)?;
        self.drop_rows(first, last, count)
    }

    fn drop_rows(&mut self, first: usize, last: usize, count: usize) -> Certain {
        let count = count.min(last + 1 - first);
        let gone = first..first + count;
        certain(self.rows[gone.clone()].iter().all(|row| !row.has_link))?;
        let states: usize = self.rows.drain(gone).map(|row| row.states + usize::from(!row.is_blank())).sum();
        let blank = std::iter::repeat_with(Row::default).take(count);
        self.rows.splice(last + 1 - count..last + 1 - count, blank);
        self.rows[first].states += states;
        self.comes_to_another_row();
        Ok(())
    }

    /// Moves rows of a region down. What leaves it is gone.
    pub(super) fn rotate_down(&mut self, first: usize, last: usize, count: usize) -> Certain {
        certain(self.is_top)?;
        let count = count.min(last + 1 - first);
        let gone = last + 1 - count..last + 1;
        certain(self.rows[gone.clone()].iter().all(|row| !row.has_link))?;
        let states: usize = self.rows.drain(gone).map(|row| row.states + usize::from(!row.is_blank())).sum();
        self.rows.splice(first..first, std::iter::repeat_with(Row::default).take(count));
        self.rows[first].states += states;
        self.comes_to_another_row();
        Ok(())
    }

    /// Sets the rows that scroll, and goes home.
    pub(super) fn set_region(&mut self, first: usize, last: usize) -> Certain {
        if !self.is_top {
            certain(self.is_empty())?;
            self.begin();
        }
        let first = first.max(1);
        if first == 1 && last == 0 {
            self.region = None;
        } else {
            certain(first < last && last <= LEAST_ROWS)?;
            self.extend(last - 1);
            self.region = Some((first - 1, last - 1));
        }
        self.go_to_place(1, 1)
    }
}
