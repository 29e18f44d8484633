//! Vietnamese with its tone marks apart from the letters, as windows-1258 writes it.

/// The letters with a grave accent, a tilde, a hook, an acute accent and a dot below: the letters of [`BASES`].
const TONES: [(&str, char); 5] = [
    ("àằầèềìòồờùừỳ", '\u{300}'),
    ("áắấéếíóốớúứý", '\u{301}'),
    ("ãẵẫẽễĩõỗỡũữỹ", '\u{303}'),
    ("ảẳẩẻểỉỏổởủửỷ", '\u{309}'),
    ("ạặậẹệịọộợụựỵ", '\u{323}'),
];
const BASES: [char; 12] = ['a', 'ă', 'â', 'e', 'ê', 'i', 'o', 'ô', 'ơ', 'u', 'ư', 'y'];

/// `text` with each letter that has a tone written as the letter and a combining mark. Letters come out in lower case.
pub(super) fn apart(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for c in text.chars() {
        let lower = c.to_lowercase().next().unwrap_or(c);
        let found = TONES.iter().find_map(|(letters, mark)| {
            letters.chars().position(|letter| letter == lower).map(|place| (BASES[place], *mark))
        });
        match found {
            Some((base, mark)) => {
                if c == lower {
                    out.push(base);
                } else {
                    out.extend(base.to_uppercase());
                }
                out.push(mark);
            }
            None => out.push(c),
        }
    }
    out
}
