//! The detector does not guess encodings that are rare, or of other media than files: a text that they and a usual encoding share
//! would be named wrongly.

use placemat::{Encoding, UnmappablePolicy};

/// Returns the encodings that only a user names.
fn never_guessed() -> Vec<Encoding> {
    let starts = [
        "Teletext",
        "DVB",
        "GSM-03.38",
        "PETSCII",
        "ATASCII",
        "RISCOS",
        "KOI-8_CS2",
        "Big5-UAO",
        "Big5-ETEN",
        "ISCII",
        "TSCII",
    ];
    let named = ["ANSEL", "GEDCOM", "VNI", "ISO-6937", "IBM437-NFO"];
    let is_new = |encoding: &Encoding| {
        let name = encoding.name();
        named.contains(&name)
            || name.ends_with("-graphics")
            || starts.iter().any(|start| name.starts_with(start))
    };
    let found: Vec<_> = Encoding::ALL.iter().copied().filter(is_new).collect();
    assert!(found.len() > 100, "{}", found.len());
    found
}

#[test]
fn texts_in_them_are_never_said_to_be_in_them() {
    let never = never_guessed();
    let texts = [
        "The quick brown fox jumps over the lazy dog, and nobody in the village knew why. ",
        "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo nevěděl proč. ",
        "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności. ",
        "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. ",
        "Все люди рождаются свободными и равными в своём достоинстве и правах. ",
        "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心。",
        "Alle Menschen sind frei und gleich an Würde und Rechten geboren, größtenteils. ",
        "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है। ",
        "எல்லா மனிதரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும் உரிமையிலும் சமமானவர்கள். ",
        "సమస్త మానవులు స్వతంత్రులుగా జన్మించారు. ",
        "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar, İstanbul'da da. ",
    ];
    for &encoding in &never {
        for text in texts {
            let bytes = encoding.encode(text, UnmappablePolicy::Skip).expect("it skips");
            for times in [1, 8] {
                let guess = placemat::detect(&bytes.repeat(times)).encoding;
                assert!(guess.is_none_or(|guess| !never.contains(&guess)), "{encoding}: {guess:?} {text}");
            }
        }
    }
}
