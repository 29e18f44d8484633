//! Pieces of a slice whose length is in their type.
//!
//! These are macros because the loops of the kernels are sensitive to the shape of their
//! conditions: with inlined functions instead, the instruction counts of a quarter of the cases in
//! `cargo xtask instructions` change by more than 2 %.

/// Returns the array that begins at an index of a slice, if the slice is long enough:
/// `chunk_at!(src, at)`. If the context does not determine its length, pass it as the third
/// argument: `chunk_at!(src, at, 64)`.
#[macro_export]
#[doc(hidden)]
macro_rules! chunk_at {
    ($src:expr, $at:expr) => {
        $src.get($at..).and_then(<[_]>::first_chunk)
    };
    ($src:expr, $at:expr, $len:expr) => {
        $src.get($at..).and_then(<[_]>::first_chunk::<{ $len }>)
    };
}

/// Returns the array that begins at an index of a slice, for writing, if the slice is long enough:
/// `chunk_at_mut!(dst, at)` or `chunk_at_mut!(dst, at, 64)`.
#[macro_export]
#[doc(hidden)]
macro_rules! chunk_at_mut {
    ($dst:expr, $at:expr) => {
        $dst.get_mut($at..).and_then(<[_]>::first_chunk_mut)
    };
    ($dst:expr, $at:expr, $len:expr) => {
        $dst.get_mut($at..).and_then(<[_]>::first_chunk_mut::<{ $len }>)
    };
}

pub use {chunk_at, chunk_at_mut};

#[cfg(test)]
mod tests {
    #[test]
    fn a_chunk_is_there_only_whole() {
        let mut bytes = [0, 1, 2, 3, 4];
        assert_eq!(chunk_at!(bytes, 0), Some(&[0, 1, 2, 3, 4]));
        assert_eq!(chunk_at!(bytes, 3), Some(&[3, 4]));
        assert_eq!(chunk_at!(bytes, 5), Some(&[]));
        assert_eq!(chunk_at!(bytes, 3, 3), None);
        assert_eq!(chunk_at!(bytes, 6, 0), None);
        assert_eq!(chunk_at!(bytes, usize::MAX, 2), None);
        if let Some(two) = chunk_at_mut!(bytes, 1) {
            *two = [8, 9];
        }
        assert_eq!(bytes, [0, 8, 9, 3, 4]);
        assert_eq!(chunk_at_mut!(bytes, 4, 2), None);
    }
}
