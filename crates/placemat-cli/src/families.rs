//! Encodings that belong together, where no public fact of an encoding says so.

use placemat::Encoding;

/// UTF-8 without and with a signature.
pub(crate) const UTF_8: [Encoding; 2] = [Encoding::UTF_8, Encoding::UTF_8_BOM];

/// Encodings with units of one byte whose texts have NULs that are not U+0000: SCSU can contain UTF-16, and Java-UTF
/// begins with a length of two bytes.
pub(crate) const WITH_NUL_BYTES: [Encoding; 2] = [Encoding::SCSU, Encoding::JAVA_UTF];

/// UTF-16 in each byte order.
pub(crate) const UTF_16_ORDERS: [Encoding; 2] = [Encoding::UTF_16LE, Encoding::UTF_16BE];

/// UTF-32 and UTF-16 in each byte order. UTF-32 comes first because FF FE also begins its signature FF FE 00 00.
pub(crate) const UTF_32_AND_16_ORDERS: [Encoding; 4] =
    [Encoding::UTF_32LE, Encoding::UTF_32BE, Encoding::UTF_16LE, Encoding::UTF_16BE];

/// The encodings whose signature decides their byte order, and the two encodings of the text after it. The first of the
/// two is the default without a signature, and the order that is written.
const ORDERED_BY_SIGNATURE: [(Encoding, [Encoding; 2]); 4] = [
    (Encoding::UTF_16, [Encoding::UTF_16LE, Encoding::UTF_16BE]),
    (Encoding::UTF_32, [Encoding::UTF_32LE, Encoding::UTF_32BE]),
    (Encoding::UCS_2, [Encoding::UCS_2LE, Encoding::UCS_2BE]),
    (Encoding::UCS_4, [Encoding::UCS_4BE, Encoding::UCS_4LE]),
];

/// The encodings of UCS-2 and UCS-4, and the one with the same units and byte order that knows surrogates.
const WITH_SURROGATES: [(Encoding, Encoding); 4] = [
    (Encoding::UCS_2LE, Encoding::UTF_16LE),
    (Encoding::UCS_2BE, Encoding::UTF_16BE),
    (Encoding::UCS_4LE, Encoding::UTF_32LE),
    (Encoding::UCS_4BE, Encoding::UTF_32BE),
];

/// Both byte orders of an encoding whose signature decides between them, the default first; `None` for others.
pub(crate) fn orders(encoding: Encoding) -> Option<[Encoding; 2]> {
    ORDERED_BY_SIGNATURE.iter().find(|(of_both, _)| *of_both == encoding).map(|&(_, orders)| orders)
}

/// Returns the encoding of both byte orders: UTF-16 for UTF-16, UTF-16LE and UTF-16BE; `None` if the code units are
/// bytes.
pub(crate) fn of_both_orders(encoding: Encoding) -> Option<Encoding> {
    ORDERED_BY_SIGNATURE
        .iter()
        .find(|(of_both, orders)| *of_both == encoding || orders.contains(&encoding))
        .map(|&(of_both, _)| of_both)
}

/// Returns the number of bytes in a code unit.
pub(crate) fn unit_bytes(encoding: Encoding) -> usize {
    encoding.facts().units_per_error
}

/// Returns `true` if the code units are longer than a byte.
pub(crate) fn is_wide(encoding: Encoding) -> bool {
    unit_bytes(encoding) > 1
}

/// UTF-16 or UTF-32 with the units and the byte order of UCS-2 or UCS-4; any other encoding is returned unchanged.
pub(crate) fn with_surrogates(encoding: Encoding) -> Encoding {
    WITH_SURROGATES.iter().find(|(without, _)| *without == encoding).map_or(encoding, |&(_, with)| with)
}
