//! The encodings of locales whose names have no codeset: `de_DE`.

use crate::names::{self, Written};
use placemat::Encoding;

/// Encodings with their locales, as glibc 2.36 has them (`SUPPORTED`, `locale.alias`). All others are in UTF-8, or unknown.
const LOCALES: &[(&str, &str)] = &[
    (
        "ISO-8859-1",
        "aa_DJ af_ZA br_FR ca_ES da_DK de_AT de_BE de_CH de_DE de_IT de_LU en_AU en_BW en_CA en_DK \
         en_GB en_HK en_IE en_NZ en_PH en_SG en_US en_ZA en_ZW es_AR es_BO es_CL es_CO es_CR es_DO \
         es_EC es_ES es_GT es_HN es_MX es_NI es_PA es_PE es_PR es_PY es_SV es_US es_UY es_VE et_EE \
         eu_ES eu_FR fi_FI fo_FO fr_BE fr_CA fr_CH fr_FR fr_LU ga_IE gl_ES gv_GB id_ID is_IS it_CH \
         it_IT kl_GL kw_GB ms_MY nb_NO nl_BE nl_NL nn_NO oc_FR om_KE pt_BR pt_PT so_DJ so_KE so_SO \
         sq_AL st_ZA sv_FI sv_SE tl_PH uz_UZ wa_BE xh_ZA zu_ZA",
    ),
    (
        "ISO-8859-6",
        "ar_AE ar_BH ar_DZ ar_EG ar_IQ ar_JO ar_KW ar_LB ar_LY ar_MA ar_OM ar_QA ar_SA ar_SD ar_SY \
         ar_TN ar_YE",
    ),
    ("ISO-8859-2", "bs_BA cs_CZ hr_HR hsb_DE hu_HU pl_PL ro_RO sk_SK sl_SI"),
    ("ISO-8859-15", "an_ES ast_ES ca_AD ca_FR ca_IT gd_GB mg_MG"),
    ("ISO-8859-13", "lt_LT lv_LV mi_NZ"),
    ("ISO-8859-9", "ku_TR tr_CY tr_TR"),
    ("CP1251", "be_BY bg_BG"),
    ("GB2312", "zh_CN zh_SG"),
    ("ISO-8859-5", "mk_MK ru_RU"),
    ("ISO-8859-7", "el_CY el_GR"),
    ("KOI8-U", "ru_UA uk_UA"),
    ("BIG5", "zh_TW"),
    ("BIG5-HKSCS", "zh_HK"),
    ("CP1255", "yi_US"),
    ("EUC-JP", "ja_JP"),
    ("EUC-KR", "ko_KR"),
    ("GEORGIAN-PS", "ka_GE"),
    ("ISO-8859-10", "lg_UG"),
    ("ISO-8859-14", "cy_GB"),
    ("ISO-8859-3", "mt_MT"),
    ("ISO-8859-8", "he_IL"),
    ("KOI8-T", "tg_TJ"),
    ("PT154", "kk_KZ"),
    ("TIS-620", "th_TH"),
];

/// Returns the encoding of a locale by its name, `language[_territory][.codeset][@modifier]`, and what glibc writes by the name of that
/// encoding.
pub(crate) fn encoding(locale: &str) -> Option<(Encoding, Written)> {
    let (name, modifier) = locale.split_once('@').unwrap_or((locale, ""));
    if let Some((_, codeset)) = name.split_once('.') {
        return names::find(codeset);
    }
    let has = |(_, names): &&(&str, &str)| names.split(' ').any(|known| known == name);
    match LOCALES.iter().find(has) {
        Some(_) if modifier == "euro" => names::find("ISO-8859-15"),
        Some((codeset, _)) => names::find(codeset),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_without_and_with_a_codeset() {
        for (locale, name) in [
            ("de_DE", "ISO-8859-1"),
            ("de_DE@euro", "ISO-8859-15"),
            ("cs_CZ", "ISO-8859-2"),
            ("uk_UA", "x-KOI8-U"),
            ("th_TH", "x-TIS-620"),
            ("ja_JP", "EUC-JP-strict"),
            ("ja_JP.EUC-JP", "EUC-JP-strict"),
            ("ja_JP.eucJP", "EUC-JP-strict"),
            ("zh_CN", "EUC-CN-strict"),
            ("zh_TW.big5", "Big5-strict"),
            ("tr_TR.ISO-8859-9", "x-ISO-8859-9"),
            ("en_US.UTF-8", "UTF-8"),
        ] {
            assert_eq!(encoding(locale).map(|(encoding, _)| encoding.name()), Some(name), "{locale}");
        }
        for locale in ["C", "POSIX", "de", "hi_IN", "", "de_DE.klingon", "deutsch"] {
            assert_eq!(encoding(locale), None, "{locale}");
        }
        for (codeset, _) in LOCALES {
            assert!(names::find(codeset).is_some(), "{codeset}");
        }
    }
}
