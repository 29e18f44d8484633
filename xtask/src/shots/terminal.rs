//! A terminal of a fixed width: the lines that it shows, in runs of one style.

/// The style of a run, from escape sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) dim: bool,
    pub(super) color: Color,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Color {
    #[default]
    Plain,
    Red,
    Green,
    Yellow,
    Blue,
    Cyan,
}

/// Characters of one style and one width.
#[derive(Debug)]
pub(super) struct Run {
    /// The column of the first character, from 0.
    pub(super) column: usize,
    pub(super) text: String,
    /// The number of columns of each character.
    pub(super) width: usize,
    pub(super) style: Style,
}

/// The lines that a terminal shows.
#[derive(Debug)]
pub(super) struct Screen {
    pub(super) columns: usize,
    pub(super) lines: Vec<Vec<Run>>,
}

impl Screen {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, lines: Vec::new() }
    }

    /// Shows a command after a prompt.
    pub(super) fn prompt(&mut self, command: &str) {
        let prompt = Style { dim: true, ..Style::default() };
        let typed = Style { bold: true, ..Style::default() };
        let chars = "$ ".chars().map(|c| (c, prompt)).chain(command.chars().map(|c| (c, typed)));
        self.line(&chars.collect::<Vec<_>>());
    }

    /// Shows text with escape sequences for styles.
    ///
    /// # Errors
    /// If the text has other escape sequences or control characters.
    pub(super) fn print(&mut self, text: &str) -> Result<(), String> {
        let mut style = Style::default();
        for line in text.lines() {
            let mut pieces = line.split("\u{1B}[");
            let plain = pieces.next().unwrap_or_default();
            let mut chars: Vec<_> = plain.chars().map(|c| (c, style)).collect();
            for piece in pieces {
                let (codes, plain) = piece.split_once('m').ok_or_else(|| format!("no style: {piece:?}"))?;
                for code in codes.split(';') {
                    style = style.after(code)?;
                }
                chars.extend(plain.chars().map(|c| (c, style)));
            }
            if let Some((c, _)) = chars.iter().find(|(c, _)| c.is_control()) {
                return Err(format!("a control character, {c:?}, in {line:?}"));
            }
            self.line(&chars);
        }
        Ok(())
    }

    /// Returns the number of columns of the longest line.
    pub(super) fn longest(&self) -> usize {
        let end = |run: &Run| run.column + run.width * run.text.chars().count();
        self.lines.iter().filter_map(|runs| runs.last().map(end)).max().unwrap_or_default()
    }

    /// Adds a line, broken between words if it is too long.
    fn line(&mut self, chars: &[(char, Style)]) {
        let fitting = fitting(chars, self.columns);
        if fitting == chars.len() {
            self.lines.push(runs(chars));
            return;
        }
        let is_space = |(c, _): &(char, Style)| *c == ' ';
        let space = chars[..=fitting].iter().rposition(is_space).filter(|&at| at > 0);
        let (line, rest) = chars.split_at(space.unwrap_or(fitting));
        self.lines.push(runs(line));
        let spaces = rest.iter().take_while(|c| is_space(c)).count();
        self.line(&rest[spaces..]);
    }
}

impl Style {
    /// Returns the style after the code of an escape sequence.
    fn after(self, code: &str) -> Result<Self, String> {
        Ok(match code {
            "" | "0" => Self::default(),
            "1" => Self { bold: true, ..self },
            "2" => Self { dim: true, ..self },
            "31" => Self { color: Color::Red, ..self },
            "32" => Self { color: Color::Green, ..self },
            "33" => Self { color: Color::Yellow, ..self },
            "34" => Self { color: Color::Blue, ..self },
            "36" => Self { color: Color::Cyan, ..self },
            _ => return Err(format!("the code {code:?} of an escape sequence has no style here")),
        })
    }
}

/// Returns the number of characters at the start that fit into the columns.
fn fitting(chars: &[(char, Style)], columns: usize) -> usize {
    let mut used = 0;
    let fits = |(c, _): &&(char, Style)| {
        used += width(*c);
        used <= columns
    };
    chars.iter().take_while(fits).count()
}

fn runs(chars: &[(char, Style)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut column = 0;
    for &(c, style) in chars {
        let width = width(c);
        match runs.last_mut() {
            Some(run) if run.style == style && run.width == width => run.text.push(c),
            _ => runs.push(Run { column, text: c.into(), width, style }),
        }
        column += width;
    }
    runs
}

/// Returns the number of columns of a character: two for East Asian characters and emoji. The shots
/// have no combining marks.
fn width(c: char) -> usize {
    match c {
        '\u{1100}'..='\u{115F}'
        | '\u{2705}'
        | '\u{2E80}'..='\u{A4CF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE6F}'
        | '\u{FF01}'..='\u{FF60}'
        | '\u{1F300}'..='\u{1FAFF}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(screen: &Screen) -> Vec<String> {
        screen.lines.iter().map(|runs| runs.iter().map(|run| &*run.text).collect()).collect()
    }

    #[test]
    fn lines_break_between_words() {
        let mut screen = Screen::new(10);
        screen.print("one two three\n\n  indented\nabcdefghijklm").unwrap();
        assert_eq!(texts(&screen), ["one two", "three", "", "  indented", "abcdefghij", "klm"]);
    }

    #[test]
    fn runs_have_styles_and_columns() {
        let mut screen = Screen::new(20);
        screen.print("a\u{1B}[1m\u{1B}[31mbc\u{1B}[0m ✅d").unwrap();
        let runs = &screen.lines[0];
        let seen: Vec<_> = runs.iter().map(|run| (run.column, &*run.text, run.style.color)).collect();
        let plain = Color::Plain;
        assert_eq!(
            seen,
            [(0, "a", plain), (1, "bc", Color::Red), (3, " ", plain), (4, "✅", plain), (6, "d", plain)]
        );
        assert!(runs[1].style.bold && !runs[2].style.bold);
    }

    #[test]
    fn other_sequences_are_refused() {
        for text in ["\u{1B}[2K", "\u{1B}[5m", "\r"] {
            assert!(Screen::new(20).print(&format!("{text}a")).is_err(), "{text:?}");
        }
    }
}
