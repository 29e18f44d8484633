//! UTF-16 and UTF-32 whose byte order a mark tells.

use crate::converter::Dialect;
use placemat::Encoding;

/// UTF-16 or UTF-32 by its mark.
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
        if encoding == Encoding::UTF_16 {
            Some(Self { mark: b"\xFE\xFF", orders: [Encoding::UTF_16BE, Encoding::UTF_16LE], without })
        } else if encoding == Encoding::UTF_32 {
            Some(Self { mark: b"\0\0\xFE\xFF", orders: [Encoding::UTF_32BE, Encoding::UTF_32LE], without })
        } else {
            None
        }
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
