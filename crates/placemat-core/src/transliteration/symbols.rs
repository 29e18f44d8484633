//! Symbols whose meaning differs from their shape: ≠ is not `=`, nor is ½ after a 1 `11/2`.
//!
//! Relations and operators become the notation of programming languages, or words with spaces
//! around them; negated ones always contain a `!` or `not`. A symbol has no substitute if the
//! tables of shapes would change its meaning.

/// The substitute for a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Similar {
    To(&'static str),
    /// No substitute: its shape would mislead.
    ToNothing,
    /// The symbol is not decided here: its shape may serve.
    Unsaid,
}

/// Returns `true` for an invisible code point: it controls the display of its neighbors, or marks a
/// position.
pub(super) const fn vanishes(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || is_mark(c)
}

/// Returns `true` for a mark on letters, in any script. A stroke through a symbol negates the
/// symbol, so it is not such a mark.
const fn is_mark(c: char) -> bool {
    let all = matches!(c,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20F0}' | '\u{FE20}'..='\u{FE2F}');
    all && !strikes_out(c)
}

/// Returns `true` if a mark negates the symbol before it.
const fn strikes_out(c: char) -> bool {
    matches!(c, '\u{337}' | '\u{338}' | '\u{20D2}' | '\u{20D3}' | '\u{20E0}' | '\u{20E5}' | '\u{20EB}')
}

/// Returns the substitute for a symbol, by its meaning.
pub(super) fn similar(c: char) -> Similar {
    if strikes_out(c) {
        return Similar::To("/");
    }
    match listed(c) {
        Some(text) => Similar::To(text),
        // Hundreds of sums, relations and their negations, for which the tables have only shapes.
        None if matches!(c, '\u{27C0}'..='\u{27E5}' | '\u{2980}'..='\u{2982}' | '\u{2999}'..='\u{29D7}' | '\u{29DC}'..='\u{29FB}' | '\u{29FE}'..='\u{2A73}' | '\u{2A77}'..='\u{2AFF}' | '¤') => {
            Similar::ToNothing
        }
        None => Similar::Unsaid,
    }
}

#[rustfmt::skip]
fn listed(c: char) -> Option<&'static str> {
    Some(match c {
        // The Greek letter. glibc has the substitute of the micro sign, which is another code
        // point.
        'μ' => "m", 'ا' => "a",
        // A number that may follow another number.
        '¼' => " 1/4", '½' => " 1/2", '¾' => " 3/4", '⅐' => " 1/7", '⅑' => " 1/9", '⅒' => " 1/10",
        '⅓' => " 1/3", '⅔' => " 2/3", '⅕' => " 1/5", '⅖' => " 2/5", '⅗' => " 3/5", '⅘' => " 4/5",
        '⅙' => " 1/6", '⅚' => " 5/6", '⅛' => " 1/8", '⅜' => " 3/8", '⅝' => " 5/8", '⅞' => " 7/8",
        '⅟' => " 1/", '↉' => " 0/3",
        // Powers: 10⁶ is not 106.
        '⁰' => "^0", '¹' => "^1", '²' => "^2", '³' => "^3", '⁴' => "^4", '⁵' => "^5", '⁶' => "^6",
        '⁷' => "^7", '⁸' => "^8", '⁹' => "^9", '⁺' => "^+", '⁻' => "^-", 'ⁿ' => "^n", 'ⁱ' => "^i",
        '‰' => " per mille", '‱' => " per ten thousand", '℃' => "degC", '℉' => "degF",
        // Arrows: `>` would mean greater than.
        '←' | '↼' | '↽' | '⇽' | '↜' | '⇜' | '⇠' | '⇦' | '↢' | '↞' | '⇚' | '⇇' | '⇷' | '⇺' | '↫' | '↤'
        | '⇤' => "<-",
        '→' | '⇀' | '⇁' | '⇾' | '↝' | '⇝' | '⇢' | '⇨' | '↣' | '↠' | '⇛' | '⇉' | '⇸' | '⇻' | '↬' | '⇥'
        | '⇰' | '⇴' | '⇶' => "->",
        '↦' => "|->", '↔' | '⇄' | '⇆' | '⇋' | '⇌' | '⇹' | '⇼' | '⇿' | '↭' => "<->", '⟵' => "<--",
        '⟶' => "-->", '⟷' => "<-->", '⇐' | '⟸' => "<==", '⇒' | '⟹' => "=>", '⇔' | '⟺' => "<=>",
        '⟼' => "|-->", '↚' => "!<-", '↛' => "!->", '↮' => "!<->", '⇍' => "!<==", '⇏' => "!=>",
        '⇎' => "!<=>",
        // Equal, similar, less.
        '≠' => "!=", '≡' => "==", '≢' => "!==", '≣' => "==", '≁' => "!~", '≄' => "!~-", '≃' => "~-",
        '≅' => "~=", '≆' | '≇' => "!~=", '≉' => "!~~", '≈' => "~", '≍' => "~", '≭' => "!~",
        '≎' | '≏' | '≐' | '≑' | '≒' | '≓' => "~=", '≜' | '≝' => ":=", '≟' => "?=", '≮' => "!<",
        '≯' => "!>", '≰' => "!<=", '≱' => "!>=", '≴' => "!<~", '≵' => "!>~", '≶' => "<>",
        '≷' => "><", '≸' => "!<>", '≹' => "!><", '⊀' => "!<", '⊁' => "!>", '≼' | '⋞' => "<=",
        '≽' | '⋟' => ">=", '≾' => "<~", '≿' => ">~", '⋠' => "!<=", '⋡' => "!>=", '⋚' => "<=>",
        '⋛' => ">=<", '⋜' => "<=", '⋝' => ">=",
        // Sets.
        '∈' | '∊' | '⋲'..='⋹' | '⋿' => " in ", '∉' => " not in ",
        '∋' | '∍' | '⋺'..='⋾' => " contains ", '∌' => " does not contain ", '∅' => "{}",
        '∩' | '⋂' | '⋒' => " intersection ", '∪' | '⋃' | '⋓' => " union ",
        '⊂' | '⋐' => " subset of ", '⊃' | '⋑' => " superset of ", '⊄' => " not subset of ",
        '⊅' => " not superset of ", '⊆' => " subset of or equal to ",
        '⊇' => " superset of or equal to ", '⊈' => " not subset of or equal to ",
        '⊉' => " not superset of or equal to ", '⊊' => " proper subset of ",
        '⊋' => " proper superset of ", '⊏' => "[", '⊐' => "]", '⊑' => "[=", '⊒' => "]=",
        '⋢' => "![=", '⋣' => "!]=", '⋤' => "[!=", '⋥' => "]!=", '⊲' => "<|", '⊳' => "|>",
        '⊴' => "<|=", '⊵' => "|>=", '⋪' => "!<|", '⋫' => "!|>", '⋬' => "!<|=", '⋭' => "!|>=",
        // Logic.
        '∀' => "for all ", '∃' => "exists ", '∄' => "not exists ", '∧' | '⋀' | '⋏' => " and ",
        '∨' | '⋁' | '⋎' => " or ", '⊻' => " xor ", '⊼' => " nand ", '⊽' => " nor ",
        '∴' => " therefore ", '∵' => " because ", '⊢' | '⊦' => "|-", '⊣' => "-|", '⊨' | '⊧' => "|=",
        '⊩' => "||-", '⊪' => "|||-", '⊫' => "||=", '⊬' => "!|-", '⊭' => "!|=", '⊮' => "!||-",
        '⊯' => "!||=", '⊤' => "T", '⊥' => "_|_",
        // Numbers.
        '∤' => "!|", '∦' => "!||", '∆' => "Delta", '∇' => "nabla ", '∏' => "product ",
        '∐' => "coproduct ", '∑' | '⅀' => "sum ", '∫' => "integral ",
        '∬' | '∭' | '∮' | '∯' | '∰' | '∱' | '∲' | '∳' => "integral ", '∸' => "-", '⊕' => "(+)",
        '⊖' => "(-)", '⊗' => "(x)", '⊘' => "(/)", '⊙' => "(.)",
        _ => return None,
    })
}
