// The functions of simdutf that are measured: included by the library, which fills a table, and by the benchmark, which
// reads it. Each side defines `table!`.
table! {
    validate_utf8 = simdutf_validate_utf8(*const u8, usize) -> bool;
    validate_utf8_with_errors = simdutf_validate_utf8_with_errors(*const u8, usize) -> Outcome;
    validate_utf16 = simdutf_validate_utf16(*const u16, usize) -> bool;
    count_utf8 = simdutf_count_utf8(*const u8, usize) -> usize;
    utf16_length_from_utf8 = simdutf_utf16_length_from_utf8(*const u8, usize) -> usize;
    utf8_length_from_utf16 = simdutf_utf8_length_from_utf16(*const u16, usize) -> usize;
    utf32_length_from_utf16 = simdutf_utf32_length_from_utf16(*const u16, usize) -> usize;
    utf8_length_from_utf32 = simdutf_utf8_length_from_utf32(*const u32, usize) -> usize;
    utf8_length_from_latin1 = simdutf_utf8_length_from_latin1(*const u8, usize) -> usize;
    utf8_to_utf16le = simdutf_convert_utf8_to_utf16le(*const u8, usize, *mut u16) -> usize;
    utf8_to_utf16be = simdutf_convert_utf8_to_utf16be(*const u8, usize, *mut u16) -> usize;
    utf8_to_utf32 = simdutf_convert_utf8_to_utf32(*const u8, usize, *mut u32) -> usize;
    utf8_to_latin1 = simdutf_convert_utf8_to_latin1(*const u8, usize, *mut u8) -> usize;
    utf16le_to_utf8 = simdutf_convert_utf16le_to_utf8(*const u16, usize, *mut u8) -> usize;
    utf16be_to_utf8 = simdutf_convert_utf16be_to_utf8(*const u16, usize, *mut u8) -> usize;
    utf16_to_utf32 = simdutf_convert_utf16_to_utf32(*const u16, usize, *mut u32) -> usize;
    utf16_to_latin1 = simdutf_convert_utf16_to_latin1(*const u16, usize, *mut u8) -> usize;
    utf32_to_utf8 = simdutf_convert_utf32_to_utf8(*const u32, usize, *mut u8) -> usize;
    utf32_to_utf16 = simdutf_convert_utf32_to_utf16(*const u32, usize, *mut u16) -> usize;
    latin1_to_utf8 = simdutf_convert_latin1_to_utf8(*const u8, usize, *mut u8) -> usize;
    latin1_to_utf16 = simdutf_convert_latin1_to_utf16(*const u8, usize, *mut u16) -> usize;
}
