//! UTF-16, UTF-32 and UCS-2 whose byte order a mark tells.

use placemat::Encoding;

/// The implementation to follow where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// glibc 2.36.
    Glibc,
    /// GNU libiconv.
    Libiconv,
}

/// UTF-16, UTF-32 or UCS-2 by its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    /// The mark in big-endian order.
    pub(crate) mark: &'static [u8],
    /// The encodings without marks, big-endian first.
    orders: [Encoding; 2],
    /// The order of a text without a mark: that of the machine in glibc, big-endian in GNU libiconv.
    pub(crate) without: Order,
}

/// A byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Big,
    Little,
}

impl Marked {
    /// The encoding, if it is one of them.
    pub(crate) fn of(encoding: Encoding, dialect: Dialect) -> Option<Self> {
        let is_big = dialect == Dialect::Libiconv || cfg!(target_endian = "big");
        let without = if is_big { Order::Big } else { Order::Little };
        let (mark, orders): (&[u8], _) = match encoding {
            Encoding::UTF_16 => (b"\xFE\xFF", [Encoding::UTF_16BE, Encoding::UTF_16LE]),
            Encoding::UTF_32 => (b"\0\0\xFE\xFF", [Encoding::UTF_32BE, Encoding::UTF_32LE]),
            Encoding::UCS_2 => (b"\xFE\xFF", [Encoding::UCS_2BE, Encoding::UCS_2LE]),
            _ => return None,
        };
        Some(Self { mark, orders, without })
    }

    /// The encoding of a text behind its mark.
    pub(crate) const fn encoding(self, order: Order) -> Encoding {
        match order {
            Order::Big => self.orders[0],
            Order::Little => self.orders[1],
        }
    }

    /// The byte order of a text that begins with `src`, and the length of its mark. `None` if that takes more bytes.
    pub(crate) fn order(self, src: &[u8]) -> Option<(Order, usize)> {
        let len = self.mark.len();
        let start = src.get(..len)?;
        Some(if start == self.mark {
            (Order::Big, len)
        } else if start.iter().eq(self.mark.iter().rev()) {
            (Order::Little, len)
        } else {
            (self.without, 0)
        })
    }
}

/// An encoding that begins with a signature: the encoding of what follows, and the signature.
pub(crate) fn signed(encoding: Encoding) -> (Encoding, &'static [u8]) {
    let little = cfg!(target_endian = "little");
    match encoding {
        Encoding::UTF_16 if little => (Encoding::UTF_16LE, b"\xFF\xFE"),
        Encoding::UTF_16 => (Encoding::UTF_16BE, b"\xFE\xFF"),
        Encoding::UTF_32 if little => (Encoding::UTF_32LE, b"\xFF\xFE\0\0"),
        Encoding::UTF_32 => (Encoding::UTF_32BE, b"\0\0\xFE\xFF"),
        Encoding::UCS_2 if little => (Encoding::UCS_2LE, b"\xFF\xFE"),
        Encoding::UCS_2 => (Encoding::UCS_2BE, b"\xFE\xFF"),
        plain => (plain, b""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_names_the_order() {
        let utf_16 = Marked::of(Encoding::UTF_16, Dialect::Libiconv).unwrap();
        assert_eq!(utf_16.order(b"\xFE\xFF\0a"), Some((Order::Big, 2)));
        assert_eq!(utf_16.order(b"\xFF\xFEa\0"), Some((Order::Little, 2)));
        assert_eq!(utf_16.order(b"\0a"), Some((Order::Big, 0)));
        assert_eq!(utf_16.order(b"\xFF"), None);
        let utf_32 = Marked::of(Encoding::UTF_32, Dialect::Glibc).unwrap();
        assert_eq!(utf_32.order(b"\xFF\xFE\0\0"), Some((Order::Little, 4)));
        assert_eq!(utf_32.order(b"\0\0\0a"), Some((utf_32.without, 0)));
        assert_eq!(Marked::of(Encoding::UTF_16LE, Dialect::Glibc), None);
    }
}
