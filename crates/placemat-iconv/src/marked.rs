//! UTF-16, UTF-32 and UCS-2 whose byte order a mark tells.

use placemat::Encoding;

/// The implementation to follow where glibc and GNU libiconv differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The behavior of glibc 2.36.
    Glibc,
    /// The behavior of GNU libiconv.
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

/// The encodings whose mark decides their byte order, and the encodings of a text after it: big-endian, little-endian.
const ORDERED_BY_MARK: [(Encoding, [Encoding; 2]); 3] = [
    (Encoding::UTF_16, [Encoding::UTF_16BE, Encoding::UTF_16LE]),
    (Encoding::UTF_32, [Encoding::UTF_32BE, Encoding::UTF_32LE]),
    (Encoding::UCS_2, [Encoding::UCS_2BE, Encoding::UCS_2LE]),
];

/// Returns the big-endian and the little-endian encoding of a text after its mark; `None` if no mark decides the byte
/// order.
fn orders(encoding: Encoding) -> Option<[Encoding; 2]> {
    ORDERED_BY_MARK.iter().find(|(marked, _)| *marked == encoding).map(|&(_, orders)| orders)
}

impl Marked {
    /// Returns the marked form of an encoding, if the encoding has one.
    pub(crate) fn of(encoding: Encoding, dialect: Dialect) -> Option<Self> {
        let is_big = dialect == Dialect::Libiconv || cfg!(target_endian = "big");
        let without = if is_big { Order::Big } else { Order::Little };
        let orders = orders(encoding)?;
        Some(Self { mark: orders[0].signature(), orders, without })
    }

    /// Returns the encoding of a text after its mark.
    pub(crate) const fn encoding(self, order: Order) -> Encoding {
        match order {
            Order::Big => self.orders[0],
            Order::Little => self.orders[1],
        }
    }

    /// Returns the byte order of a text that begins with `src`, and the length of its mark. `None` if that takes more
    /// bytes.
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

/// Returns an encoding that begins with a signature: the encoding of what follows, and the signature.
pub(crate) fn signed(encoding: Encoding) -> (Encoding, &'static [u8]) {
    let Some([big, little]) = orders(encoding) else { return (encoding, b"") };
    let of_machine = if cfg!(target_endian = "little") { little } else { big };
    (of_machine, of_machine.signature())
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
