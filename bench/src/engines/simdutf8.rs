//! simdutf8: validation with SSE4.2, AVX2 or NEON. It has no AVX-512, so its AVX2 is the peer there.

use crate::job::{Job, owned, read};
use crate::operations::Op;
use placemat::Isa;
use std::borrow::Cow;

pub fn jobs(op: Op) -> Vec<(&'static str, Isa, Job)> {
    match op {
        Op::Validate => validate(),
        Op::Lossy(_) | Op::Damaged(..) if cfg!(not(target_arch = "x86_64")) || avx2() => {
            vec![("loop over simdutf8", Isa::Avx2, owned!(move |s| lossy(s)))]
        }
        _ => Vec::new(),
    }
}

fn avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

fn validate() -> Vec<(&'static str, Isa, Job)> {
    #[cfg(target_arch = "x86_64")]
    {
        let mut jobs = Vec::new();
        if avx2() {
            // The public function selects AVX2 itself. Both functions have users.
            jobs.push(("simdutf8 basic", Isa::Avx2, read(|s| simdutf8::basic::from_utf8(s).is_ok().into())));
            jobs.push((
                "simdutf8 compat",
                Isa::Avx2,
                read(|s| simdutf8::compat::from_utf8(s).is_ok().into()),
            ));
        }
        if std::is_x86_feature_detected!("sse4.2") {
            // SAFETY: the condition found SSE4.2, the one feature of the function.
            let validate = |s: &[u8]| unsafe { simdutf8::basic::imp::x86::sse42::validate_utf8(s) };
            jobs.push(("simdutf8 sse4.2", Isa::Portable, read(move |s| validate(s).is_ok().into())));
        }
        jobs
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        vec![("simdutf8 basic", Isa::Neon, read(|s| simdutf8::basic::from_utf8(s).is_ok().into()))]
    }
}

/// Replaces errors by U+FFFD like a user of simdutf8.
fn lossy(mut src: &[u8]) -> Cow<'_, str> {
    let mut out = String::new();
    loop {
        match simdutf8::compat::from_utf8(src) {
            Ok(text) if out.is_empty() => return Cow::Borrowed(text),
            Ok(text) => return Cow::Owned(out + text),
            Err(e) => {
                let (good, bad) = src.split_at(e.valid_up_to());
                out.reserve(src.len() + 3);
                // SAFETY: the error guarantees that these bytes are well-formed.
                out.push_str(unsafe { str::from_utf8_unchecked(good) });
                out.push('\u{FFFD}');
                src = &bad[e.error_len().unwrap_or(bad.len())..];
                if src.is_empty() {
                    return Cow::Owned(out);
                }
            }
        }
    }
}
