//! All kinds of findings with their descriptions, for the reports that include them and for `docs/reference/rules.md`, which a
//! test generates.

use core::fmt::Write as _;

/// A kind of finding.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: &'static str,
    pub(super) level: Level,
    tag: Tag,
    /// The description, one sentence without its full stop.
    pub(super) about: &'static str,
    /// The cause and the effect.
    why: &'static str,
    /// An example with the finding, and one without, as bytes or code points.
    bad: &'static str,
    good: &'static str,
    mend: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
}

impl Level {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The subject of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    /// Bytes that are ill-formed in the encoding.
    Encoding,
    /// Ill-formed bytes that are used in attacks.
    Attack,
    /// Well-formed text that can read otherwise than it looks.
    Security,
    /// Well-formed text that a lint reports.
    Text,
}

impl Rule {
    /// The tags for SARIF.
    pub(super) const fn tags(&self) -> &'static str {
        match self.tag {
            Tag::Encoding => "[\"encoding\"]",
            Tag::Attack => "[\"encoding\",\"security\"]",
            Tag::Security => "[\"text\",\"security\"]",
            Tag::Text => "[\"text\"]",
        }
    }

    /// The severity from 0 to 10 for code scanning services, for rules about security.
    pub(super) const fn security_severity(&self) -> Option<&'static str> {
        match (self.tag, self.level) {
            (Tag::Attack, _) | (Tag::Security, Level::Error) => Some("7.0"),
            (Tag::Security, Level::Warning) => Some("4.0"),
            _ => None,
        }
    }

    /// The description with the cause and the effect.
    pub(super) fn full(&self) -> String {
        format!("{}. {}", self.about, self.why)
    }

    /// The help, as plain text.
    pub(super) fn help(&self) -> String {
        let Self { bad, good, mend, .. } = self;
        format!("{} Not: {bad}. But: {good}. {mend}", self.full())
    }

    /// The help, in Markdown.
    pub(super) fn markdown(&self) -> String {
        let Self { bad, good, mend, .. } = self;
        let mut to = format!("{}\n\n", self.full());
        _ = write!(to, "- Not: {bad}\n- But: {good}\n\n{mend}\n");
        to
    }
}

/// The index of a rule, and the rule.
pub(super) fn rule(id: &str) -> Option<(usize, &'static Rule)> {
    RULES.iter().enumerate().find(|(_, rule)| rule.id == id)
}

macro_rules! rules {
    ($($id:literal $level:ident $tag:ident $about:literal $why:literal $bad:literal $good:literal $mend:literal;)*) => {
        /// All rules.
        pub(super) const RULES: &[Rule] = &[$(Rule {
            id: $id,
            level: Level::$level,
            tag: Tag::$tag,
            about: $about,
            why: $why,
            bad: $bad,
            good: $good,
            mend: $mend,
        }),*];
    };
}

rules! {
    "unexpected-continuation" Error Encoding
        "A continuation byte does not follow a lead byte"
        "The text is in an encoding of single bytes, or a lead byte was lost."
        "`61 93 62`, a quotation mark of windows-1252" "`61 e2 80 9c 62`"
        "If the file is in another encoding, convert it: `placemat convert -f windows-1252`. Else put U+FFFD in its place.";
    "lead-f5-f7" Error Encoding
        "A lead byte is too large for any code point"
        "Bytes 0xf5 to 0xf7 would begin sequences above U+10FFFF."
        "`f5 80 80 80`" "`f4 8f bf bf`, the last code point"
        "Read the file in its own encoding, or put U+FFFD in its place.";
    "lead-5-byte" Error Encoding
        "A lead byte starts a sequence of five bytes, as in early UTF-8"
        "RFC 3629 ended sequences of more than four bytes in 2003."
        "`f8 88 80 80 80`" "`f0 90 80 80`"
        "Read the file in its own encoding, or put U+FFFD in its place.";
    "lead-6-byte" Error Encoding
        "A lead byte starts a sequence of six bytes, as in early UTF-8"
        "RFC 3629 ended sequences of more than four bytes in 2003."
        "`fc 84 80 80 80 80`" "`f0 90 80 80`"
        "Read the file in its own encoding, or put U+FFFD in its place.";
    "never-byte" Error Encoding
        "A byte never occurs in the encoding"
        "In UTF-8 it is 0xfe or 0xff, often the signature of UTF-16, or a letter of a single-byte encoding."
        "`ff fe 61 00`" "`61`"
        "Read the file in its own encoding: `placemat convert -f utf-16`.";
    "truncated" Error Encoding
        "Another byte interrupts a sequence"
        "Text was cut by a program that counts bytes, or a byte is a letter of a single-byte encoding."
        "`63 61 66 e9 21`, `caf\u{E9}!` in Latin-1" "`63 61 66 c3 a9 21`"
        "If the file is in another encoding, convert it: `placemat convert -f windows-1252`. Else put U+FFFD in its place.";
    "overlong-2" Error Attack
        "Two bytes encode a code point that needs one"
        "Decoders that accept such a sequence let characters past checks: 0xc0 0xaf was a slash to web servers (CVE-2000-0884)."
        "`c0 af`" "`2f`"
        "Refuse the text, or put U+FFFD in its place; never decode it. 0xc0 0x80 may be Modified UTF-8, which Java writes.";
    "overlong-3" Error Attack
        "Three bytes encode a code point that needs fewer"
        "Decoders that accept such a sequence let characters past checks."
        "`e0 80 af`" "`2f`"
        "Refuse the text, or put U+FFFD in its place; never decode it.";
    "overlong-4" Error Attack
        "Four bytes encode a code point that needs fewer"
        "Decoders that accept such a sequence let characters past checks."
        "`f0 80 80 af`" "`2f`"
        "Refuse the text, or put U+FFFD in its place; never decode it.";
    "overlong-5" Error Attack
        "Five bytes encode a code point that needs fewer"
        "UTF-8 of 31 bits and Perl's extension have sequences of this length; the rule for them is the same."
        "`f8 80 80 80 af`" "`2f`"
        "Refuse the text, or put U+FFFD in its place; never decode it.";
    "overlong-6" Error Attack
        "Six bytes encode a code point that needs fewer"
        "UTF-8 of 31 bits and Perl's extension have sequences of this length; the rule for them is the same."
        "`fc 80 80 80 80 af`" "`2f`"
        "Refuse the text, or put U+FFFD in its place; never decode it.";
    "overlong-7" Error Attack
        "Seven bytes encode a code point that needs fewer"
        "Perl's extension of UTF-8 has sequences of this length; the rule for them is the same."
        "`fe 80 80 80 80 80 af`" "`2f`"
        "Refuse the text, or put U+FFFD in its place; never decode it.";
    "overlong-13" Error Attack
        "Thirteen bytes encode a code point that needs fewer"
        "Perl's extension of UTF-8 has sequences of this length; the rule for them is the same."
        "`ff 80 80 80 80 80 80 80 80 80 80 80 af`" "`2f`"
        "Refuse the text, or put U+FFFD in its place; never decode it.";
    "surrogate" Error Encoding
        "A sequence encodes a surrogate, which is not a character"
        "A program converted UTF-16 unit by unit (CESU-8), or cut a pair in two."
        "`ed a0 bd ed b8 80`, U+1F600 in CESU-8" "`f0 9f 98 80`"
        "For pairs, `placemat convert -f cesu-8`; for a lone half, put U+FFFD in its place.";
    "too-large" Error Encoding
        "A value is above the last code point"
        "U+10FFFF is the last code point, because UTF-16 cannot encode a greater one."
        "`f4 90 80 80`, which would be U+110000" "`f4 8f bf bf`"
        "Read the file in its own encoding, or put U+FFFD in its place.";
    "four-byte-lead" Error Encoding
        "A sequence of four bytes encodes a code point that needs a surrogate pair"
        "CESU-8 and Modified UTF-8 encode the pair as six bytes."
        "`f0 9f 98 80` in CESU-8" "`ed a0 bd ed b8 80`"
        "The text may be real UTF-8: `placemat check -f utf-8`.";
    "nul-byte" Error Encoding
        "A zero byte encodes U+0000, which must be 0xc0 0x80"
        "Modified UTF-8 reserves 0x00 for the end of a text."
        "`61 00 62` in Modified UTF-8" "`61 c0 80 62`"
        "The text may be real UTF-8: `placemat check -f utf-8`.";
    "unpaired-surrogate" Error Encoding
        "A surrogate is not part of a pair"
        "A program cut a pair in two."
        "`ed a0 bd` in CESU-8" "`ed a0 bd ed b8 80`"
        "Put U+FFFD in its place: the other half is lost.";
    "surrogate-pair" Error Encoding
        "Two sequences encode a surrogate pair, which needs one"
        "WTF-8 encodes a pair as four bytes. If it allowed six, one text would have two encodings."
        "`ed a0 bd ed b8 80` in WTF-8" "`f0 9f 98 80`"
        "The text may be CESU-8: `placemat convert -f cesu-8`.";
    "unpaired-lead" Error Encoding
        "No trailing surrogate follows a leading surrogate"
        "A program cut a pair of UTF-16 in two, or the byte order is the other one."
        "`d83d 0061`" "`d83d de00`"
        "Try the other byte order; else put U+FFFD in its place.";
    "unpaired-trail" Error Encoding
        "No leading surrogate precedes a trailing surrogate"
        "A program cut a pair of UTF-16 in two, or the byte order is the other one."
        "`0061 de00`" "`d83d de00`"
        "Try the other byte order; else put U+FFFD in its place.";
    "undefined" Error Encoding
        "The encoding assigns nothing to these bytes"
        "The text is in another encoding, often a larger one of the same family."
        "`aa` in windows-1253" "`e1`, the letter α"
        "Read the file in its own encoding; `placemat encodings` lists them.";
    "eight-bit-byte" Error Encoding
        "A byte above 0x7f occurs in a 7-bit encoding"
        "The text is in an 8-bit encoding and has the wrong label."
        "`e9` in ASCII or UTF-7" "`2b 41 4f 6b 2d` in UTF-7"
        "Try `placemat check -f utf-8` or `-f windows-1252`.";
    "illegal-direct" Error Encoding
        "A byte that must be encoded is not"
        "UTF-7 encodes in base64 what mail could damage."
        "`01` in UTF-7" "`2b 41 41 45 2d`"
        "Write it in base64, or convert the text to UTF-8.";
    "bad-shift" Error Encoding
        "No base64 follows a shift into base64"
        "A literal plus sign is `+-` in UTF-7."
        "`1+!`" "`1+-!`"
        "Write `+-`; or the text is plain ASCII.";
    "partial-unit" Error Encoding
        "Base64 ends within a code unit"
        "A character of base64 was lost or added."
        "`+A-`" "`+AGE-`"
        "Get the text again: what precedes may be wrong too.";
    "nonzero-padding" Error Encoding
        "Base64 ends with bits that are not zero"
        "Another writer, or a change by hand, left them."
        "`+AGF-`" "`+AGE-`"
        "Convert the text again: what precedes is whole.";
    "unterminated" Error Encoding
        "Base64 has no terminator"
        "Names of mailboxes end it with a hyphen."
        "`&AOk`" "`&AOk-`"
        "Add the hyphen.";
    "bad-base64" Error Encoding
        "A byte within base64 does not belong to it"
        "The hyphen that ends base64 was lost."
        "`&AO!k-`" "`&AOk-!`"
        "End the base64 before it.";
    "encoded-ascii" Error Encoding
        "Base64 encodes a character that must be literal"
        "One mailbox would have two names."
        "`&AGE-`, where `a` would do" "`a`"
        "Write the letter as it is.";
    "null-shift" Error Encoding
        "Nothing separates two runs of base64"
        "One mailbox would have two names."
        "`&AOk-&AOk-`" "`&AOkA6Q-`"
        "Write it as one run.";
    "reserved-byte" Error Encoding
        "A byte is reserved"
        "SCSU and BOCU-1 have bytes without a meaning."
        "`0c` in SCSU" "`0b 01 80`"
        "Get the text again, or read it in its own encoding.";
    "reserved-offset" Error Encoding
        "A window offset is reserved"
        "SCSU has windows at certain places only."
        "`18 00` in SCSU" "`18 01`"
        "Get the text again, or read it in its own encoding.";
    "bad-trail" Error Encoding
        "A byte that cannot end a sequence ends one"
        "A byte was lost, or the text is in another encoding."
        "`93 20` in Shift_JIS" "`93 fa`"
        "Read the file in its own encoding, or put U+FFFD in its place.";
    "out-of-range" Error Encoding
        "A difference leads out of the code points"
        "BOCU-1 encodes each code point as its difference from the one before; what precedes may be damaged."
        "`fe ff ff ff` in BOCU-1" "`fb ee 28`, the signature"
        "Get the text again.";
    "unknown-escape" Error Encoding
        "The encoding does not define an escape sequence"
        "Another member of ISO 2022 may."
        "`1b 24 28 51` in ISO-2022-JP" "`1b 28 42`"
        "Try other encodings of the family; `placemat encodings` lists them.";
    "incomplete" Error Encoding
        "The text ends within a sequence"
        "The text was cut, perhaps by a program that counts bytes."
        "`e2 82` at the end" "`e2 82 ac`"
        "Get the rest, or put U+FFFD in its place.";
    "unclosed-shift" Error Encoding
        "The text ends in a shifted state"
        "A text in ISO-2022, in HZ or in EBCDIC with two-byte codes returns to single bytes at its end. Where it does not, it was cut, \
         and what is appended to it is read wrongly."
        "`1b 24 42 24 22` in ISO-2022-JP" "`1b 24 42 24 22 1b 28 42`"
        "Get the rest; if nothing else is missing, add the shift back.";
    "noncharacter" Warning Text
        "A code point is reserved for use within programs"
        "U+FDD0 to U+FDEF and the last two code points of each plane are no characters and never will be."
        "U+FFFE" "U+FEFF, a byte order mark"
        "Remove it; a U+FFFE at the start says that the byte order is the other one.";
    "control" Warning Security
        "A control is no part of plain text"
        "Terminals obey some controls: text can hide what precedes it. TAB, LF, FF and CR are allowed."
        "U+001B in a log" "`\\x1b`"
        "Remove it, or write it as an escape.";
    "eof-1a" Warning Text
        "Controls U+001A fill the end of the text"
        "CP/M, and DOS after it, ended a text with U+001A, and filled its last record of 128 bytes with more of them. Other systems \
         take them for text. A run at the end is one finding, up to 4 KiB of it; each one elsewhere is a control."
        "`61 0a 1a 1a 1a`" "`61 0a`"
        "`placemat convert --eof-1a` drops them.";
    "bidi-control" Error Security
        "A control changes the display order of text (CVE-2021-42574)"
        "Code can look like a comment, and a comment like code."
        "`/* U+202E } U+2066 if (isAdmin) U+2069 U+2066 begin admins only */`" "`if (isAdmin) { /* begin admins only */`"
        "Remove it, or write it as an escape.";
    "bidi-unterminated" Error Security
        "A bidi control is still open at the end of its line (CVE-2021-42574)"
        "The text after it on the line is displayed in another order."
        "U+202E, text, and the end of the line" "U+202E, text, U+202C"
        "End it on its line with U+202C, or U+2069 for isolates; or remove it.";
    "private-use" Warning Text
        "A code point has no standard meaning"
        "Fonts with icons and old encodings use them."
        "U+E001" "a character of Unicode, or an image"
        "Replace it with a standard character, or deliver its font with the text.";
    "invisible" Error Security
        "An invisible code point occurs where no character needs it"
        "Names that look the same differ, and whole programs were hidden in variation selectors (GlassWorm). What emoji, ideographs \
         and scripts such as Arabic, Devanagari, Khmer or Mongolian need is allowed."
        "`user U+200B name`" "`username`; U+200C in Persian; U+200D and U+FE0F in emoji"
        "Remove it, or write it as an escape.";
    "replacement" Warning Text
        "U+FFFD replaces something that was lost"
        "A decoder wrote it in place of bytes that were ill-formed in the encoding that it assumed."
        "`caf U+FFFD`" "`café`"
        "Get the original text, and read it in its own encoding.";
    "mojibake" Warning Text
        "UTF-8 was read as another encoding"
        "A program decoded the bytes of each character as several others, and saved them. Mojibake between quotation marks is taken \
         for an example, and not reported."
        "`cafÃ©`" "`café`"
        "Run `placemat repair`, which restores it and can record every change.";
    "separator" Warning Text
        "A code point ends a line for some programs only"
        "U+2028 and U+2029 end lines in JavaScript and Swift, and not in most other languages, editors and tools."
        "`// note U+2028 code()`" "`// note`, a line feed, `code()`"
        "Write a line feed, or an escape in a string.";
    "confusable" Error Security
        "A word looks like ASCII and is not"
        "Two names that look the same are two things (CVE-2021-42694). It is found by UTS #39; a word all in its own script is \
         allowed where its script shows nearby."
        "`p U+0430 ypal`" "`paypal`"
        "Retype it in ASCII if that is meant.";
    "mixed-script" Error Security
        "A word is of scripts that are not written together"
        "By UTS #39, up to moderately restrictive: Latin may stand with Japanese, Chinese or Korean, or with one other script in \
         use, but not with Cyrillic or Greek. Greek letters that look like no Latin ones are allowed, as in kΩ."
        "`Яndex`" "`Яндекс`, `Yandex`, `Webページ`"
        "Write it in one script, or separate the parts, as with a hyphen.";
    "lookalike" Warning Security
        "A space or punctuation looks like ASCII and is not"
        "Compilers, shells and YAML take only ASCII for syntax: a no-break space becomes a part of a name, and a Greek question mark \
         ends no statement. Word processors, chat programs and web pages write such characters by themselves. In `security` it is \
         found only in the code of source files, not in their comments and strings."
        "`key: U+00A0 value` in YAML" "`key: value`"
        "Write the ASCII character; `placemat convert --clean lookalikes` does.";
    "not-nfc" Warning Text
        "Text is not in normalization form C"
        "Text that looks identical compares as different."
        "U+0065 U+0301" "U+00E9"
        "`placemat convert --normalize nfc` converts it.";
    "crlf" Warning Text
        "Lines end in CR LF"
        "Shells and other programs take the CR for a part of the line."
        "`0d 0a`" "`0a`"
        "`placemat convert --eol lf` writes LF alone.";
    "mixed-eol" Warning Text
        "Lines end in different ways"
        "Programs count lines differently, and comparisons show changes where there are none."
        "`61 0d 0a 62 0a`" "`61 0a 62 0a`"
        "`placemat convert --eol lf` makes every line end LF: CR LF, CR alone and NEL (U+0085). In EBCDIC, `--ebcdic-newline` \
         chooses the byte of LF: 15 or 25.";
    "cr-eol" Warning Text
        "Lines end in CR alone"
        "Classic Mac OS ended lines in this way. For other programs the text is one long line, and terminals write its lines over each other."
        "`61 0d 62 0d`" "`61 0a 62 0a`"
        "`placemat convert --eol lf` writes LF.";
    "bom-forbidden" Warning Text
        "A signature occurs where none is allowed"
        "A signature has no use in UTF-8, and programs that do not expect it take it for text."
        "`ef bb bf 61`" "`61`"
        "`placemat convert --bom strip` removes it.";
    "bom-shebang" Warning Text
        "A signature precedes `#!`"
        "Systems look for `#!` in the first two bytes of a program. With a signature before it, they do not start the interpreter that \
         the line names; a shell may read the file as its own, and take the line for a command."
        "`ef bb bf 23 21 2f 62 69 6e 2f 73 68`" "`23 21 2f 62 69 6e 2f 73 68`"
        "`placemat convert --bom strip` removes it.";
    "other-encoding" Error Encoding
        "The whole text is in another encoding than the one that it is checked for"
        "A signature, zero bytes or detection show it. Programs that expect UTF-8 cannot read it, and searches skip it."
        "`ff fe 61 00`" "`61`"
        "`placemat convert -f auto` makes it UTF-8; or name its encoding in .gitattributes or with -f.";
    "declaration" Warning Text
        "The bytes contradict a declaration of the encoding"
        "Programs that obey the declaration show other characters, or refuse the file. Declarations are those of XML, HTML, CSS, gettext, \
         MIME, Python, Ruby, Perl, LaTeX, Emacs and Vim, and those in .gitattributes and .editorconfig."
        "`# coding: latin-1` before UTF-8" "`# coding: utf-8` before UTF-8"
        "Write the name of the encoding that the text is in; `placemat convert` does so when it converts the text.";
    "mixed-units" Error Encoding
        "The file mixes UTF-16 or UTF-32 with another encoding"
        "A program appended text in its own encoding, as `>>` in PowerShell does. No single encoding reads the file."
        "`61 0a 62 00 0a 00`" "`61 0a 62 0a`"
        "`placemat repair` makes all of it UTF-8.";
    "bom-missing" Warning Text
        "There is no signature where one is asked for"
        "Some programs take text without a signature for a legacy encoding."
        "`61`" "`ef bb bf 61`"
        "`placemat convert --bom add` writes a signature.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::IllFormedKind as Kind;

    #[test]
    fn kinds_of_the_library_are_rules() {
        let kinds = [
            Kind::UnexpectedContinuation,
            Kind::Truncated,
            Kind::Surrogate,
            Kind::TooLarge,
            Kind::NeverByte,
            Kind::FourByteLead,
            Kind::NulByte,
            Kind::UnpairedSurrogate,
            Kind::SurrogatePair,
            Kind::UnpairedLead,
            Kind::UnpairedTrail,
            Kind::Undefined,
            Kind::EightBitByte,
            Kind::IllegalDirect,
            Kind::BadShift,
            Kind::PartialUnit,
            Kind::NonzeroPadding,
            Kind::Unterminated,
            Kind::BadBase64,
            Kind::EncodedAscii,
            Kind::NullShift,
            Kind::ReservedByte,
            Kind::ReservedOffset,
            Kind::BadTrail,
            Kind::OutOfRange,
            Kind::UnknownEscape,
            Kind::Incomplete,
            Kind::UnclosedShift,
        ];
        let overlong = (2..=13).map(Kind::Overlong);
        for kind in kinds.into_iter().chain(overlong) {
            assert!(rule(kind.code()).is_some(), "{kind:?}");
        }
        for (i, one) in RULES.iter().enumerate() {
            assert_eq!(rule(one.id).map(|(index, _)| index), Some(i), "{} is there once", one.id);
            for text in [one.about, one.why, one.bad, one.good, one.mend] {
                assert!(!text.is_empty() && !text.chars().any(char::is_control), "{}", one.id);
            }
            assert!(
                one.why.ends_with('.') && one.mend.ends_with('.') && !one.about.ends_with('.'),
                "{}",
                one.id
            );
        }
    }
}
