//! The names of languages: each package has its own, the corpus has one.

/// Returns a BCP 47 tag for a language as a package names it, as short as this corpus can tell languages apart: regions
/// merge, a second script stays. `None` for what is not a language of its own, such as English with other quotes.
pub(crate) fn tag(name: &str) -> Option<String> {
    let name = name.split('.').next().unwrap_or(name).replace('_', "-").to_ascii_lowercase();
    let tag = match name.as_str() {
        "c" => "en",
        "no" => "nb",
        "gug" => "gn",
        "iw" => "he",
        "ku" => "kmr",
        "fil" => "tl",
        "ca@valencia" => "ca",
        "zh" | "zh-cn" | "zh-hans" | "zh-sg" => "zh-Hans",
        "zh-tw" | "zh-hk" | "zh-hant" => "zh-Hant",
        "sr@latin" | "sr-latn" | "sr-el" | "sr-latn-rs" | "sr@ijekavianlatin" => "sr-Latn",
        "sr@ijekavian" => "sr",
        // Languages with too little text to tell their scripts apart, and tags that name no language.
        "mni" | "mo" | "qqq" | "qtz" | "racv" | "za" => return None,
        other if other.contains('@') => return None,
        other => other.split('-').next().unwrap_or(other),
    };
    let plain = tag.split('-').next().unwrap_or(tag);
    let is_tag = matches!(plain.len(), 2 | 3) && plain.bytes().all(|b| b.is_ascii_lowercase());
    is_tag.then(|| tag.to_owned())
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn one_tag_for_each_language() {
        for (name, expected) in [
            ("de", Some("de")),
            ("pt_BR", Some("pt")),
            ("pt-PT", Some("pt")),
            ("nb_NO", Some("nb")),
            ("nn-NO", Some("nn")),
            ("sr-ec", Some("sr")),
            ("sr-el", Some("sr-Latn")),
            ("zh_TW", Some("zh-Hant")),
            ("zh-CN", Some("zh-Hans")),
            ("sr@latin", Some("sr-Latn")),
            ("kmr-Latn", Some("kmr")),
            ("de.UTF-8", Some("de")),
            ("C", Some("en")),
            ("en@shaw", None),
            ("images", None),
            ("man1", None),
            ("", None),
        ] {
            assert_eq!(tag(name).as_deref(), expected, "{name}");
        }
    }
}
