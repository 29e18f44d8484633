//! Functions of real numbers, which `core` lacks. They give the same results on every machine, so that a text gets the
//! same answer everywhere; the C library of each system rounds some of them in its own way.

pub(crate) fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// Returns the natural logarithm.
pub(crate) fn ln(x: f32) -> f32 {
    libm::logf(x)
}

pub(crate) fn pow(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}
