//! The list of forms. A new form is a file in this folder and a line here.

/// Calls a macro with the list of encodings that users can name, in the order in which users see them. For each form it
/// passes the constant of [`Encoding`](crate::Encoding), which is the canonical name, the variant and the type; for each
/// family of charsets the variant and the type of its members.
#[cfg_attr(feature = "internals", macro_export)]
#[doc(hidden)]
macro_rules! each_form {
    ($callback:ident) => {
        $callback! {
            forms {
                UTF_8: Utf8 = Utf8,
                UTF_8_BOM: Utf8Bom = Utf8Bom,
                UTF_16: Utf16 = Utf16ByBom,
                UTF_16LE: Utf16Le = Utf16<Le>,
                UTF_16BE: Utf16Be = Utf16<Be>,
                UTF_32: Utf32 = Utf32ByBom,
                UTF_32LE: Utf32Le = Utf32<Le>,
                UTF_32BE: Utf32Be = Utf32<Be>,
                UCS_2: Ucs2 = Ucs2ByBom,
                UCS_2LE: Ucs2Le = Ucs2<Le>,
                UCS_2BE: Ucs2Be = Ucs2<Be>,
                UCS_4: Ucs4 = Ucs4ByBom,
                UCS_4LE: Ucs4Le = Ucs4<Le>,
                UCS_4BE: Ucs4Be = Ucs4<Be>,
                UTF_8_BMP_ONLY: Utf8Mb3 = Utf8Mb3,
                CESU_8: Cesu8 = Cesu8,
                MODIFIED_UTF_8: ModifiedUtf8 = ModifiedUtf8,
                JAVA_UTF: JavaUtf = JavaUtf,
                TCL_UTF_8: TclUtf8 = TclUtf8,
                WTF_8: Wtf8 = Wtf8,
                UTF_8_31_BIT: Utf8Bits31 = Utf8Bits31,
                UTF_8_PERL: PerlUtf8 = PerlUtf8,
                FSS_UTF_1992: FssUtf1992 = FssUtf1992,
                UTF_1: Utf1 = Utf1,
                UTF_7: Utf7 = Utf7,
                UTF_7_D: Utf7Strict = Utf7Strict,
                UTF_7_IMAP: Imap = Imap,
                UTF_EBCDIC: UtfEbcdic = UtfEbcdic,
                I8: I8 = I8,
                SCSU: Scsu = Scsu,
                BOCU_1: Bocu1 = Bocu1,
                US_ASCII: Ascii = Ascii,
                ISO_8859_1: Latin1 = Latin1,
            }
            families {
                #[cfg(feature = "single-byte")]
                SingleByte(SingleByte),
                #[cfg(feature = "legacy")]
                Legacy(Legacy),
                #[cfg(feature = "legacy")]
                Iso2022Jp(Iso2022Jp),
                #[cfg(feature = "multi-byte")]
                MultiByte(MultiByte),
                #[cfg(feature = "marc8")]
                Marc8(Marc8),
            }
        }
    };
}
pub(crate) use each_form;
