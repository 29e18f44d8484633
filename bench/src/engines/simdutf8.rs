//! simdutf8: validation with SSE4.2, AVX2 or NEON. It has no AVX-512, so its AVX2 is the peer there.

use super::{Job, read};
use crate::operations::Op;
use placemat::Isa;

pub fn jobs(op: Op) -> Vec<(&'static str, Isa, Job)> {
    if op != Op::Validate {
        return Vec::new();
    }
    #[cfg(target_arch = "x86_64")]
    {
        let mut jobs = Vec::new();
        if std::is_x86_feature_detected!("avx2") {
            // The public function selects AVX2 itself. Both functions have their users.
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
            jobs.push(("simdutf8 sse4.2", Isa::Sse41, read(move |s| validate(s).is_ok().into())));
        }
        jobs
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        vec![("simdutf8 basic", Isa::Neon, read(|s| simdutf8::basic::from_utf8(s).is_ok().into()))]
    }
}
