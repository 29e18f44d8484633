//! Draws a screen as SVG. Each run of characters has its own position and length, so that columns
//! align in every font.

use super::terminal::{Color, Run, Screen, Style};
use core::fmt::Write as _;

/// The colors for one kind of background.
pub(super) struct Theme {
    pub(super) name: &'static str,
    background: &'static str,
    border: &'static str,
    text: &'static str,
    dim: &'static str,
    red: &'static str,
    green: &'static str,
    yellow: &'static str,
    blue: &'static str,
    cyan: &'static str,
}

impl Theme {
    pub(super) const LIGHT: Self = Self {
        name: "light",
        background: "#f6f8fa",
        border: "#d1d9e0",
        text: "#1f2328",
        dim: "#59636e",
        red: "#c01825",
        green: "#116329",
        yellow: "#7d4e00",
        blue: "#0550ae",
        cyan: "#0a6570",
    };
    pub(super) const DARK: Self = Self {
        name: "dark",
        background: "#151b23",
        border: "#3d444d",
        text: "#e6edf3",
        dim: "#9198a1",
        red: "#ff7b72",
        green: "#7ee787",
        yellow: "#e3b341",
        blue: "#79c0ff",
        cyan: "#56d4dd",
    };

    fn color(&self, style: Style) -> &'static str {
        match style.color {
            Color::Plain if style.dim => self.dim,
            Color::Plain => self.text,
            Color::Red => self.red,
            Color::Green => self.green,
            Color::Yellow => self.yellow,
            Color::Blue => self.blue,
            Color::Cyan => self.cyan,
        }
    }
}

/// Sizes in pixels.
const FONT: f64 = 15.0;
const COLUMN: f64 = 9.0;
const LINE: f64 = 21.0;
const MARGIN: f64 = 14.0;
/// The distance from the top of a line to its base line.
const BASE: f64 = 15.5;

pub(super) fn svg(screen: &Screen, theme: &Theme) -> String {
    let width = COLUMN * screen.columns as f64 + 2.0 * MARGIN;
    let height = LINE * screen.lines.len() as f64 + 2.0 * MARGIN;
    let text = |runs: &Vec<Run>| runs.iter().map(|run| &*run.text).collect::<String>();
    let lines: Vec<_> = screen.lines.iter().map(text).collect();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>text {{ font: {FONT}px ui-monospace, \
         SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", monospace; white-space: pre }}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{}\" stroke=\"{}\"/>\n",
        escaped(&lines.join("\n")),
        width - 1.0,
        height - 1.0,
        theme.background,
        theme.border,
    );
    for (i, runs) in screen.lines.iter().enumerate() {
        let y = MARGIN + LINE * i as f64 + BASE;
        for run in runs.iter().filter(|run| !run.text.trim().is_empty()) {
            let x = MARGIN + COLUMN * run.column as f64;
            let length = COLUMN * (run.width * run.text.chars().count()) as f64;
            let weight = if run.style.bold { " font-weight=\"600\"" } else { "" };
            // Writing to a string does not fail.
            let _ = writeln!(
                out,
                "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\" \
                 fill=\"{}\"{weight}>{}</text>",
                theme.color(run.style),
                escaped(&run.text)
            );
        }
    }
    out + "</svg>\n"
}

/// Escapes text for XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut screen = Screen::new(20);
        screen.print("a <C0> & b").unwrap();
        let svg = svg(&screen, &Theme::DARK);
        assert_eq!(svg.matches("a &lt;C0&gt; &amp; b").count(), 2, "{svg}");
        assert!(!svg.contains("<C0>"));
    }
}
