//! The texts: lipsum, prose within markup, JSON, logs and CSV, source code, megabytes, pieces of them, fields, and short
//! strings.

use std::path::Path;

/// The approximate length of each text in bytes, so that it and its result stay in the second-level cache.
const BYTES: usize = 80_000;

/// The group of a text, for the means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Only ASCII, which is in no mean.
    Ascii,
    /// One script and almost nothing else.
    Lipsum,
    /// Prose and the markup around it.
    Mixed,
}

pub struct Text {
    pub name: String,
    pub group: Group,
    pub utf8: String,
}

macro_rules! language {
    ($name:literal) => {
        include_str!(concat!("../texts/", $name, ".txt"))
    };
}

const ENGLISH: &str = language!("English");
const FRENCH: &str = language!("French");
const GERMAN: &str = language!("German");
const SPANISH: &str = language!("Spanish");
const GREEK: &str = language!("Greek");
const RUSSIAN: &str = language!("Russian");
const ARABIC: &str = language!("Arabic");
const HEBREW: &str = language!("Hebrew");
const HINDI: &str = language!("Hindi");
const THAI: &str = language!("Thai");
const VIETNAMESE: &str = language!("Vietnamese");
const CHINESE: &str = language!("Chinese");
const JAPANESE: &str = language!("Japanese");
const KOREAN: &str = language!("Korean");

const LANGUAGE_NAMES: &[&str] = &[
    ENGLISH, FRENCH, GERMAN, SPANISH, GREEK, RUSSIAN, ARABIC, HEBREW, HINDI, THAI, VIETNAMESE, CHINESE,
    JAPANESE, KOREAN,
];

/// Prose within markup, data and code.
const MIXED: [(&str, Wrap, &[&str]); 21] = [
    ("HTML Russian", html, &[RUSSIAN]),
    ("HTML Chinese", html, &[CHINESE]),
    ("HTML French", html, &[FRENCH]),
    ("HTML Hindi", html, &[HINDI]),
    ("HTML Arabic", html, &[ARABIC]),
    ("HTML Vietnamese", html, &[VIETNAMESE]),
    ("JSON Japanese", json, &[JAPANESE]),
    ("JSON Greek", json, &[GREEK]),
    ("JSON Thai", json, &[THAI]),
    ("JSON emoji", chat, LANGUAGE_NAMES),
    ("log Korean", log, &[KOREAN]),
    ("log many", log, LANGUAGE_NAMES),
    ("CSV Hebrew", csv, &[HEBREW]),
    ("CSV German", csv, &[GERMAN]),
    ("CSV Spanish", csv, &[SPANISH]),
    ("CSV many", csv, LANGUAGE_NAMES),
    ("typographic", typographic, &[ENGLISH]),
    ("emoji in Latin", emoji, &[ENGLISH]),
    ("Markdown", markdown, &[GERMAN]),
    ("source code", code, &[ENGLISH, FRENCH, RUSSIAN]),
    ("markup", markup, &[FRENCH]),
];

/// The generator xorshift64, Marsaglia 2003.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The high bits are of better quality.
        ((self.0 >> 33) as usize) % end
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Returns a paragraph of one of the languages.
    fn paragraph<'a>(&mut self, languages: &[&'a str]) -> &'a str {
        let lines: Vec<&str> = self.of(languages).lines().collect();
        lines[self.below(lines.len())]
    }

    /// Returns up to `most` characters of a paragraph.
    fn phrase<'a>(&mut self, languages: &[&'a str], most: usize) -> &'a str {
        let line = self.paragraph(languages);
        let most = 1 + self.below(most);
        line.char_indices().nth(most).map_or(line, |(end, _)| &line[..end])
    }
}

/// Returns all texts. Lipsum comes from `folder` if it exists, otherwise it is made from words.
pub fn all(folder: Option<&Path>) -> Vec<Text> {
    let mut texts = folder.map(files).unwrap_or_default();
    if texts.is_empty() {
        texts = words();
    }
    texts.extend(MIXED.into_iter().map(|(name, wrap, languages)| mixed(name, wrap, languages, BYTES)));
    texts
}

/// Returns texts of a megabyte. The texts of [`all`] are 80 KB that repeat in each call, until the
/// branch predictor knows them.
pub fn distinct() -> Vec<Text> {
    let names = [
        "HTML Vietnamese",
        "JSON emoji",
        "log many",
        "CSV Spanish",
        "typographic",
        "emoji in Latin",
        "source code",
        "markup",
    ];
    let all = MIXED.into_iter().filter(|(name, ..)| names.contains(name));
    all.map(|(name, wrap, languages)| mixed(name, wrap, languages, 1_000_000)).collect()
}

fn mixed(name: &str, wrap: Wrap, languages: &[&str], bytes: usize) -> Text {
    let mut utf8 = made(name, wrap, languages, bytes);
    if ["French", "German", "Spanish"].iter().any(|language| name.contains(language)) {
        utf8 = plain(&utf8);
    }
    Text { name: name.to_owned(), group: Group::Mixed, utf8 }
}

/// Makes a text of at least `bytes` bytes.
fn made(name: &str, wrap: Wrap, languages: &[&str], bytes: usize) -> String {
    let mut random = Random::new(name.bytes().fold(7, |hash, byte| hash * 31 + u64::from(byte)));
    let mut utf8 = String::with_capacity(bytes + 4096);
    while utf8.len() < bytes {
        wrap(&mut utf8, &mut random, languages);
    }
    utf8
}

/// Returns texts of about `megabytes` megabytes, in which nothing longer than a phrase is repeated.
pub fn megabytes(megabytes: usize) -> Vec<Text> {
    let all: [(_, _, Wrap, &[&str]); 5] = [
        ("ASCII 64 MB", Group::Ascii, words_of, &[ENGLISH]),
        ("French 64 MB", Group::Lipsum, words_of, &[FRENCH]),
        ("Russian 64 MB", Group::Lipsum, words_of, &[RUSSIAN]),
        ("Chinese 64 MB", Group::Lipsum, words_of, &[CHINESE]),
        ("HTML many 64 MB", Group::Mixed, html, LANGUAGE_NAMES),
    ];
    let text = |(name, group, wrap, languages): (&str, Group, Wrap, &[&str])| {
        let utf8 = made(name, wrap, languages, megabytes * 1_000_000);
        let utf8 = match name.split(' ').next() {
            Some("ASCII") => utf8.replace(|c: char| !c.is_ascii(), "'"),
            Some("French") => plain(&utf8),
            _ => utf8,
        };
        Text { name: name.to_owned(), group, utf8 }
    };
    all.into_iter().map(text).collect()
}

/// The languages that fit into ISO-8859-1.
const WESTERN: &[&str] = &[ENGLISH, FRENCH, GERMAN, SPANISH];

/// Returns a text of about `bytes` in many scripts and kinds of markup, or only of characters that
/// ISO-8859-1 represents.
pub fn medley(bytes: usize, latin1: bool) -> String {
    const IN_LATIN1: [&str; 5] = ["HTML French", "CSV German", "CSV Spanish", "Markdown", "markup"];
    let wraps = MIXED.into_iter().filter(|(name, ..)| !latin1 || IN_LATIN1.contains(name));
    let languages = if latin1 { WESTERN } else { LANGUAGE_NAMES };
    let prose = languages.iter().map(|language| ("prose", words_of as Wrap, std::slice::from_ref(language)));
    let all: Vec<_> = wraps.chain(prose).collect();
    let parts = all.iter().map(|&(name, wrap, languages)| made(name, wrap, languages, bytes / all.len()));
    only_latin1(parts.collect(), latin1)
}

/// Divides the text into pieces of at most `len` bytes, in random order, so that no piece predicts
/// the next.
pub fn pieces(mut text: &str, len: usize) -> Vec<&str> {
    let mut pieces = Vec::with_capacity(text.len() / len + 1);
    while !text.is_empty() {
        let (piece, rest) = text.split_at(text.floor_char_boundary(len));
        pieces.push(piece);
        text = rest;
    }
    let mut random = Random::new(len as u64);
    for i in (1..pieces.len()).rev() {
        pieces.swap(i, random.below(i + 1));
    }
    pieces
}

/// The kinds of files whose fields are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    Json,
    Csv,
    Log,
}

impl Fields {
    /// The longest fields in bytes.
    pub const MAX_BYTES: usize = 64;

    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Csv => "CSV",
            Self::Log => "log",
        }
    }

    /// Returns the keys and fields of 1 to 64 bytes in a file of about `bytes`, in their order.
    pub fn of(self, bytes: usize, latin1: bool) -> Vec<String> {
        let (wraps, separators): (&[Wrap], &[char]) = match self {
            Self::Json => (&[json, chat], &[',', ':', '{', '}', '[', ']', ' ', '\n']),
            Self::Csv => (&[csv], &[',', '\r', '\n']),
            Self::Log => (&[log], &[' ', '=', '\n']),
        };
        let languages = if latin1 { WESTERN } else { LANGUAGE_NAMES };
        let each = |&wrap| made(self.name(), wrap, languages, bytes / wraps.len());
        let file = only_latin1(wraps.iter().map(each).collect(), latin1);
        let mut fields = Vec::new();
        let mut rest = file.trim_start_matches(separators);
        while !rest.is_empty() {
            let (field, after) = match rest.strip_prefix('"') {
                // Take the text up to the next quote without a backslash.
                Some(quoted) => {
                    let mut quotes = quoted.match_indices('"').map(|(at, _)| at);
                    let end = quotes.find(|&at| !quoted[..at].ends_with('\\')).unwrap_or(quoted.len());
                    (&quoted[..end], quoted[end..].trim_start_matches('"'))
                }
                None => rest.split_at(rest.find(separators).unwrap_or(rest.len())),
            };
            if (1..=Self::MAX_BYTES).contains(&field.len()) {
                fields.push(field.to_owned());
            }
            rest = after.trim_start_matches(separators);
        }
        fields
    }
}

/// Returns the text, or only the part that ISO-8859-1 represents.
fn only_latin1(text: String, latin1: bool) -> String {
    if !latin1 {
        return text;
    }
    let mut text = plain(&text);
    text.retain(|c| u32::from(c) <= 0xFF);
    text
}

/// Returns the texts of a folder.
fn files(folder: &Path) -> Vec<Text> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of texts")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let text = |path: &Path| {
        let name = path.file_name().expect("a file").to_string_lossy();
        let name = name.split(['-', '.']).next().unwrap_or_default().to_owned();
        let utf8 = std::fs::read_to_string(path).expect("a text in UTF-8");
        let group = if utf8.is_ascii() { Group::Ascii } else { Group::Lipsum };
        Text { name, group, utf8 }
    };
    paths.iter().map(|path| text(path)).collect()
}

/// Returns one text for each script, made from words of the paragraphs here, if there is no lipsum.
fn words() -> Vec<Text> {
    let face = "😀 😁😂 🤣😃 😄😅😆 😉 😊😋😎 😍😘 🥰😗 😙😚 🙂🤗🤩 🤔🤨";
    [
        ("Arabic", ARABIC),
        ("Chinese", CHINESE),
        ("Emoji", face),
        ("Hebrew", HEBREW),
        ("Hindi", HINDI),
        ("Japanese", JAPANESE),
        ("Korean", KOREAN),
        ("Latin", ENGLISH),
        ("Russian", RUSSIAN),
    ]
    .into_iter()
    .map(|(name, source)| {
        let words: Vec<&str> = source.split_whitespace().collect();
        let mut random = Random::new(source.len() as u64);
        let mut utf8 = String::with_capacity(BYTES + 4096);
        while utf8.len() < BYTES {
            utf8.push_str(words[random.below(words.len())]);
            utf8.push(' ');
        }
        if name == "Latin" {
            utf8 = utf8.replace(|c: char| !c.is_ascii(), "'");
        }
        let group = if utf8.is_ascii() { Group::Ascii } else { Group::Lipsum };
        Text { name: name.to_owned(), group, utf8 }
    })
    .collect()
}

/// Returns the text without typographic characters that ISO-8859-1 lacks.
fn plain(text: &str) -> String {
    text.replace(['’', '‘'], "'").replace(['“', '”', '„'], "\"").replace(['–', '—'], "-").replace('œ', "oe")
}

type Wrap = fn(&mut String, &mut Random, &[&str]);

fn html(out: &mut String, random: &mut Random, languages: &[&str]) {
    let paragraph = random.paragraph(languages);
    match random.below(8) {
        0 => *out += &format!("<h2 id=\"s{}\">{}</h2>\n", random.below(999), random.phrase(languages, 40)),
        1 => {
            *out += "<ul class=\"plain list\">\n";
            for _ in 0..4 {
                let (n, phrase) = (random.below(9999), random.phrase(languages, 24));
                *out += &format!("  <li><a href=\"/wiki/{n:04x}\" title=\"{phrase}\">{phrase}</a></li>\n");
            }
            *out += "</ul>\n";
        }
        2 => {
            let (n, phrase) = (random.below(999), random.phrase(languages, 30));
            *out += &format!(
                "<div class=\"thumb tright\"><img src=\"/img/{n}.jpg\" width=\"220\" alt=\"{phrase}\" /></div>\n"
            );
        }
        _ => {
            *out += "<p>";
            for (i, word) in paragraph.split(' ').enumerate() {
                if i > 0 {
                    out.push(' ');
                }
                match random.below(12) {
                    0 => *out += &format!("<a href=\"/wiki/{:04x}\">{word}</a>", random.below(9999)),
                    1 => *out += &format!("<b>{word}</b>"),
                    _ => *out += word,
                }
            }
            *out += "<sup class=\"ref\">[1]</sup></p>\n";
        }
    }
}

fn json(out: &mut String, random: &mut Random, languages: &[&str]) {
    let quoted = |text: &str| text.replace('"', "\\\"");
    *out += &format!(
        "{{\"id\":{},\"title\":\"{}\",\"body\":\"{}\",\"tags\":[\"{}\",\"{}\"],\"score\":0.{},\"draft\":false}},\n",
        random.below(1_000_000),
        quoted(random.phrase(languages, 30)),
        quoted(random.paragraph(languages)),
        quoted(random.phrase(languages, 8)),
        quoted(random.phrase(languages, 8)),
        random.below(10_000),
    );
}

fn chat(out: &mut String, random: &mut Random, languages: &[&str]) {
    let mut text = random.phrase(languages, 60).replace('"', "\\\"");
    for _ in 0..random.below(5) {
        text.push(' ');
        for _ in 0..=random.below(3) {
            text.push(char::from_u32(0x1F600 + random.below(80) as u32).unwrap_or('!'));
        }
    }
    let (user, room) = (random.below(100_000), random.of(&["lunch", "general", "help"]));
    *out += &format!(
        "{{\"user\":\"u{user}\",\"room\":\"{room}\",\"text\":\"{text}\",\"likes\":{}}}\n",
        user % 17
    );
}

fn log(out: &mut String, random: &mut Random, languages: &[&str]) {
    *out += &format!(
        "2026-03-{:02}T{:02}:{:02}:{:02}.{:03}Z {} [worker-{}] id={:08x} path=/v1/items/{} status={} msg=\"{}\"\n",
        1 + random.below(31),
        random.below(24),
        random.below(60),
        random.below(60),
        random.below(1000),
        random.of(&["INFO ", "DEBUG", "WARN "]),
        random.below(16),
        random.below(1 << 31),
        random.below(100_000),
        random.of(&["200", "204", "404"]),
        random.phrase(languages, 60),
    );
}

fn csv(out: &mut String, random: &mut Random, languages: &[&str]) {
    *out += &format!(
        "{},\"{}\",2026-{:02}-{:02},{}.{:02},\"{}\"\r\n",
        random.below(1_000_000),
        random.phrase(languages, 20).replace('"', "\"\""),
        1 + random.below(12),
        1 + random.below(28),
        random.below(1000),
        random.below(100),
        random.phrase(languages, 120).replace('"', "\"\""),
    );
}

/// Appends words in random order, or phrases in languages without spaces.
fn words_of(out: &mut String, random: &mut Random, languages: &[&str]) {
    let line = random.paragraph(languages);
    for _ in 0..40 {
        let start = random.below(line.len());
        let from = (start..line.len()).find(|&at| line.is_char_boundary(at)).unwrap_or(0);
        let rest = line[from..].trim_start();
        let end = rest.char_indices().nth(3 + random.below(9)).map_or(rest.len(), |(at, _)| at);
        *out += rest[..end].split_once(' ').map_or(&rest[..end], |(_, after)| after);
        out.push(' ');
    }
    out.push('\n');
}

fn typographic(out: &mut String, random: &mut Random, languages: &[&str]) {
    let phrase = random.paragraph(languages).replace('\'', "’");
    let [open, close] = *random.of(&[["“", "”"], ["‘", "’"], ["„", "“"]]);
    let end = random.of(&["…", ".", "!", " – no?", " — yes."]);
    *out += &format!("{open}{}{close} – {phrase}{end}\n", random.phrase(languages, 50).trim());
}

fn emoji(out: &mut String, random: &mut Random, languages: &[&str]) {
    let face = char::from_u32(0x1F600 + random.below(80) as u32).unwrap_or('!');
    *out += &format!("{} {face}\n", random.phrase(languages, 90).trim());
}

fn markdown(out: &mut String, random: &mut Random, languages: &[&str]) {
    let n = random.below(999);
    let phrase = random.phrase(languages, 40).trim();
    match random.below(8) {
        0 => *out += &format!("## {phrase}\n\n"),
        1 => *out += &format!("```sh\nplacemat check -v notes-{n}.txt | tee out-{n}.log\n```\n\n"),
        2 => {
            *out += &format!("| `{n}` | {phrase} | [link](docs/page-{n}.md#part) |\n| --- | --- | --- |\n\n")
        }
        3 => *out += &format!("- [ ] **{phrase}**: see [#{n}](../issues/{n}.md) – `--option={n}`\n"),
        _ => *out += &format!("{} (*{phrase}*, p. {n}).\n\n", random.paragraph(languages)),
    }
}

fn code(out: &mut String, random: &mut Random, languages: &[&str]) {
    let n = random.below(999);
    let name = *random.of(&["read_all", "table", "next_line", "width", "menu_item", "price"]);
    match random.below(8) {
        0 => *out += &format!("\n/// {}\n", random.phrase(languages, 70).trim()),
        1 => *out += &format!("pub fn {name}_{n}(src: &[u8], dst: &mut Vec<u32>) -> Option<usize> {{\n"),
        2 => *out += &format!("    if src.len() < {n} {{\n        return None;\n    }}\n"),
        3 => *out += &format!("    let label = \"{}\";\n", random.phrase(languages, 20).trim()),
        4 => *out += &format!("    dst.extend(src.iter().map(|&byte| u32::from(byte) + 0x{n:04x}));\n"),
        5 => *out += "    Some(dst.len())\n}\n",
        _ => *out += &format!("    let {name} = self.{name}.get({n}).copied().unwrap_or_default();\n"),
    }
}

fn markup(out: &mut String, random: &mut Random, languages: &[&str]) {
    let n = random.below(9999);
    let phrase = random.phrase(languages, 30).trim();
    *out += &format!(
        "<tr class=\"row r{n}\"><td align=\"right\">{n}</td><td><a href=\"/menu/{n:05}.html\">« {phrase} »</a></td>\
         <td>{},{:02} €</td><td><img src=\"/img/{n}.png\" width=\"24\" height=\"24\" alt=\"l’image {n}…\"/></td></tr>\n",
        random.below(90),
        random.below(100),
    );
}

/// The characters of short strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortKind {
    Ascii,
    /// ASCII except for one quotation mark, dash or currency symbol of three bytes.
    OneSymbol,
    Mixed,
    French,
    Russian,
    Chinese,
    Japanese,
}

impl ShortKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ascii => "ASCII",
            Self::OneSymbol => "one symbol in ASCII",
            Self::Mixed => "mixed",
            Self::French => "French",
            Self::Russian => "Russian",
            Self::Chinese => "Chinese",
            Self::Japanese => "Japanese",
        }
    }

    /// Returns different strings of exactly `len` bytes of UTF-8, or of every length up to it.
    pub fn strings(self, len: usize, any: bool, count: usize) -> Vec<String> {
        let mut random = Random::new(len as u64);
        let mut source = String::new();
        while source.len() < 200_000 {
            match self {
                Self::Ascii | Self::OneSymbol => html(&mut source, &mut random, &[ENGLISH]),
                Self::Mixed => {
                    [html, json, csv, chat][random.below(4)](&mut source, &mut random, LANGUAGE_NAMES)
                }
                Self::French => words_of(&mut source, &mut random, &[FRENCH]),
                Self::Russian => words_of(&mut source, &mut random, &[RUSSIAN]),
                Self::Chinese => words_of(&mut source, &mut random, &[CHINESE]),
                Self::Japanese => words_of(&mut source, &mut random, &[JAPANESE]),
            }
        }
        if matches!(self, Self::Ascii | Self::OneSymbol) {
            source = source.replace(|c: char| !c.is_ascii(), "'");
        }
        let string = |_| {
            let len = if any { 1 + random.below(len) } else { len };
            let start = (random.below(source.len() - len - 4)..).find(|&at| source.is_char_boundary(at));
            let rest = &source[start.unwrap_or(0)..];
            let end = (0..=len).rev().find(|&at| rest.is_char_boundary(at)).unwrap_or(0);
            // Pad where the last character did not fit.
            let mut string = rest[..end].to_owned() + &"..."[..len - end];
            if self == Self::OneSymbol && len >= 3 {
                let at = random.below(len - 2);
                string.replace_range(at..at + 3, ["’", "“", "–", "€"][random.below(4)]);
            }
            string
        };
        (0..count).map(string).collect()
    }
}
