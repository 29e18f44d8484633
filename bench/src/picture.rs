//! The picture: the speed of each operation as a multiple of that of the best peer, on a logarithmic scale.

use crate::report::Row;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The ends of the scale, from left to right.
const FROM: f64 = 0.25;
const TO: f64 = 32.0;
const LEFT: f64 = 250.0;
const WIDTH: f64 = 560.0;
const ROW: f64 = 30.0;
const TOP: f64 = 86.0;

/// Colors for white and for black backgrounds: they follow the reader's preference.
const STYLE: &str = "
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .small { font-size: 11px; fill: #59636e; }
  .grid { stroke: #d1d9e0; }
  .one { stroke: #59636e; stroke-width: 1.5; }
  .lipsum { fill: #2f6fd0; }
  .mixed { fill: #d9822b; }
  .worst { stroke: #1f2328; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .grid { stroke: #30363d; }
    .one { stroke: #9198a1; }
    .lipsum { fill: #6ea8fe; }
    .mixed { fill: #f0a35e; }
    .worst { stroke: #e6edf3; }
  }
";

/// Writes `docs/img/speed.svg` with the rows of the best level.
pub fn write(rows: &[&Row], caption: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/img/speed.svg");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of pictures");
    std::fs::write(&path, svg(rows, caption)).expect("to write the picture");
    path
}

fn svg(rows: &[&Row], caption: &str) -> String {
    let bottom = TOP + ROW * rows.len() as f64;
    let (width, height) = (LEFT + WIDTH + 50.0, bottom + 40.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"Speed against the best peer\">\n<style>{STYLE}</style>\n"
    );
    let mut put = |line: String| writeln!(out, "{line}").expect("writing to a string");
    put("<text class=\"title\" x=\"8\" y=\"22\">Times as fast as the best peer of each text</text>"
        .to_owned());
    put(format!("<text class=\"small\" x=\"8\" y=\"40\">{caption}</text>"));
    for (i, (class, words)) in
        [("lipsum", "mean of texts of one script"), ("mixed", "mean of mixed texts")].into_iter().enumerate()
    {
        let x = LEFT + 210.0 * i as f64;
        put(format!("<rect class=\"{class}\" x=\"{x}\" y=\"58\" width=\"10\" height=\"10\"/>"));
        put(format!("<text class=\"small\" x=\"{}\" y=\"67\">{words}</text>", x + 15.0));
    }
    let x = LEFT + 390.0;
    put(format!("<line class=\"worst\" x1=\"{x}\" x2=\"{x}\" y1=\"57\" y2=\"69\"/>"));
    put(format!("<text class=\"small\" x=\"{}\" y=\"67\">slowest text</text>", x + 8.0));
    for tick in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0] {
        let (x, class) = (place(tick), if tick == 1.0 { "one" } else { "grid" });
        put(format!("<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>"));
        put(format!(
            "<text class=\"small\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick} ×</text>",
            bottom + 16.0
        ));
    }
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        put(format!("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", LEFT - 8.0, y + 19.0, row.name));
        for (class, mean, y) in [("lipsum", row.lipsum, y + 5.0), ("mixed", row.mixed, y + 15.0)] {
            if let Some(mean) = mean {
                let (a, b) = (place(mean).min(place(1.0)), place(mean).max(place(1.0)));
                put(format!(
                    "<rect class=\"{class}\" x=\"{a:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"9\"><title>{mean:.2} ×</title></rect>",
                    b - a
                ));
            }
        }
        let x = place(row.worst.0);
        put(format!(
            "<line class=\"worst\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\"><title>{:.2} × on {}, against {}</title></line>",
            y + 3.0,
            y + 26.0,
            row.worst.0,
            row.worst.1,
            row.worst.2
        ));
    }
    out + "</svg>\n"
}

/// Returns the position of a ratio.
fn place(ratio: f64) -> f64 {
    LEFT + WIDTH * (ratio.clamp(FROM, TO) / FROM).ln() / (TO / FROM).ln()
}
