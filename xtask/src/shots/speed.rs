//! The summary of the speed, from a record of the benchmark: five rows, each against the fastest peer of each text.

use super::drawing::escaped;
use std::path::Path;

/// The record, and the names of its machine and of our level of instructions there.
const RECORD: &str = "bench/record/intel-xeon-processor-family-6-model-207/2026-11-28.csv";
const OURS: &str = "placemat avx512 ns";
const MACHINE: &str = "Intel Xeon with AVX-512, one core, texts of 80 KB";
/// Prefixes of the columns that measure the machine or this library, and no peer.
const NO_PEERS: &[&str] = &["placemat ", "ceiling ", "read ", "read and store ", "our "];
/// The rows, by their names in the record and in the picture.
const ROWS: [(&str, &str); 5] = [
    ("validate UTF-8", "validate UTF-8"),
    ("UTF-8 to UTF-16LE", "UTF-8 to UTF-16"),
    ("UTF-16LE to UTF-8", "UTF-16 to UTF-8"),
    ("replace, 1 % ill-formed", "U+FFFD, 1 % ill-formed"),
    ("windows-1252 to UTF-8", "windows-1252 to UTF-8"),
];

/// The speed of one operation as multiples of that of the fastest peer.
struct Row {
    mean: f64,
    slowest: f64,
    text: String,
}

/// Returns the picture, for light and dark backgrounds.
///
/// # Errors
/// If the record cannot be read or lacks a row.
pub(super) fn picture(root: &Path) -> Result<String, String> {
    let record = std::fs::read_to_string(root.join(RECORD)).map_err(|e| format!("{RECORD}: {e}"))?;
    let mut lines = record.lines().map(fields);
    let heads = lines.next().unwrap_or_default();
    let cells: Vec<_> = lines.collect();
    let mut rows = Vec::new();
    for (name, shown) in ROWS {
        let cells = cells.iter().filter(|cell| cell.first().is_some_and(|row| row == name));
        let ratios: Vec<_> = cells.filter_map(|cell| Some((ratio(&heads, cell)?, cell.get(1)?))).collect();
        let slowest = ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let &(slowest, text) = slowest.ok_or_else(|| format!("{RECORD} has no row {name:?}"))?;
        let mean = (ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        rows.push((shown, Row { mean, slowest, text: text.clone() }));
    }
    Ok(svg(&rows))
}

/// Returns the fields of a line. A field with commas is in quotes.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(String::new()),
            _ => all.last_mut().expect("there is always a field").push(c),
        }
    }
    all
}

/// Returns our speed on one text as a multiple of that of its fastest peer; `None` without a peer.
fn ratio(heads: &[String], cell: &[String]) -> Option<f64> {
    let time = |name: &str| cell.get(heads.iter().position(|head| head == name)?)?.parse::<f64>().ok();
    let is_peer = |head: &&String| head.ends_with(" ns") && !NO_PEERS.iter().any(|no| head.starts_with(no));
    let peers = heads.iter().filter(is_peer).filter_map(|head| time(head));
    Some(peers.min_by(f64::total_cmp)? / time(OURS)?)
}

const WIDTH: f64 = 640.0;
const LEFT: f64 = 190.0;
/// The distance between two rows in pixels, and where the first one begins.
const STEP: f64 = 40.0;
const TOP: f64 = 58.0;
/// The length of a bar for each doubling of the speed, in pixels.
const DOUBLING: f64 = 75.0;

fn svg(rows: &[(&str, Row)]) -> String {
    let height = TOP + STEP * rows.len() as f64 + 24.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\">\n<title>{TITLE}: {}</title>\n{STYLE}\n\
         <text class=\"title\" x=\"8\" y=\"22\">{TITLE}</text>\n\
         <text class=\"small\" x=\"8\" y=\"42\">{MACHINE}; the tick is the slowest text</text>\n",
        rows.iter().map(|(name, row)| format!("{name} {:.1}", row.mean)).collect::<Vec<_>>().join(", "),
    );
    let mut put = |line: String| {
        out += &line;
        out.push('\n');
    };
    let bottom = TOP + STEP * rows.len() as f64;
    put(format!("<line class=\"one\" x1=\"{LEFT}\" x2=\"{LEFT}\" y1=\"{TOP}\" y2=\"{bottom}\"/>"));
    put(format!(
        "<text class=\"small\" x=\"{LEFT}\" y=\"{}\" text-anchor=\"middle\">1 ×: the fastest peer</text>",
        bottom + 17.0
    ));
    for (i, (name, row)) in rows.iter().enumerate() {
        let y = TOP + STEP * i as f64;
        let (end, slowest) = (place(row.mean), place(row.slowest));
        let (from, to) = (end.min(LEFT), end.max(LEFT));
        put(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            y + 25.0,
            escaped(name)
        ));
        put(format!(
            "<rect class=\"bar\" x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"18\" rx=\"2\"/>",
            y + 11.0,
            to - from
        ));
        put(format!(
            "<line class=\"tick\" x1=\"{slowest:.1}\" x2=\"{slowest:.1}\" y1=\"{}\" y2=\"{}\"/>",
            y + 7.0,
            y + 33.0
        ));
        put(format!(
            "<text x=\"{:.1}\" y=\"{}\"><tspan class=\"mean\">{:.1} ×</tspan><tspan class=\"small\" dx=\"6\">{:.2} × on {}</tspan></text>",
            to + 8.0,
            y + 25.0,
            row.mean,
            row.slowest,
            escaped(&row.text)
        ));
    }
    out + "</svg>\n"
}

/// Returns the position of a ratio on a logarithmic scale.
fn place(ratio: f64) -> f64 {
    LEFT + DOUBLING * ratio.log2()
}

const TITLE: &str = "Times as fast as the fastest peer on each text, mean";
/// Colors for light and for dark backgrounds: they follow the preference of the reader.
const STYLE: &str = "\
<style>
  text { font: 14px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .mean { font-weight: 600; }
  .small { font-size: 12px; fill: #59636e; }
  .one { stroke: #59636e; }
  .bar { fill: #2f6fd0; }
  .tick { stroke: #1f2328; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .one { stroke: #9198a1; }
    .bar { fill: #4c8dfb; }
    .tick { stroke: #e6edf3; }
  }
</style>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_peer_counts() {
        let heads = fields("operation,text,bytes,placemat avx512 ns,± %,a ns,± %,b ns,± %,ceiling ns,± %");
        let cell = fields("\"x, y\",Latin,80,10,1,40,2,30,1,5,0");
        assert_eq!(cell[0], "x, y");
        assert_eq!(ratio(&heads, &cell), Some(3.0));
        assert_eq!(ratio(&heads, &fields("x,Latin,80,10,1,,,,,5,0")), None);
    }
}
