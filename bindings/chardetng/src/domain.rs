//! The encodings that were usual under a top-level domain.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, ISO_8859_7, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

/// Returns the encoding that was usual under a domain, unless that was windows-1252.
pub(crate) fn encoding(tld: Option<&[u8]>) -> Option<&'static Encoding> {
    let tld = tld?;
    let is_odd = |byte: &u8| !byte.is_ascii() || byte.is_ascii_uppercase() || *byte == b'.';
    assert!(!tld.iter().any(is_odd), "the label of a domain is in lower-case ASCII, without periods");
    Some(match tld {
        b"cz" | b"hr" | b"hu" | b"pl" | b"ro" | b"rs" | b"si" | b"sk" => WINDOWS_1250,
        b"am" | b"bg" | b"by" | b"kg" | b"kz" | b"mk" | b"mn" | b"ru" | b"su" | b"tj" | b"ua" | b"uz" => {
            WINDOWS_1251
        }
        b"xn--p1ai" | b"xn--j1amh" | b"xn--90ais" | b"xn--90ae" | b"xn--80ao21a" => WINDOWS_1251,
        b"cy" | b"gr" | b"xn--qxam" => ISO_8859_7,
        b"az" | b"tr" => WINDOWS_1254,
        b"il" => WINDOWS_1255,
        b"ae" | b"af" | b"bh" | b"dz" | b"eg" | b"iq" | b"ir" | b"jo" | b"kw" | b"lb" | b"ly" | b"ma"
        | b"om" | b"pk" | b"ps" | b"qa" | b"sa" | b"sd" | b"sy" | b"tn" | b"ye" => WINDOWS_1256,
        b"ee" | b"lt" | b"lv" => WINDOWS_1257,
        b"vn" => WINDOWS_1258,
        b"th" | b"xn--o3cw4h" => WINDOWS_874,
        b"cn" | b"xn--fiqs8s" | b"xn--fiqz9s" => GBK,
        b"hk" | b"mo" | b"tw" | b"xn--kpry57d" | b"xn--j6w193g" => BIG5,
        b"jp" => SHIFT_JIS,
        b"kr" | b"xn--3e0b707e" => EUC_KR,
        _ => return None,
    })
}
