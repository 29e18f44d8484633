//! Measures the cycles of the instructions that bound the kernels, each in a loop in which none
//! waits for another, and of the code for a whole block.
//!
//! `cargo run --release --bin ports`; only for x86-64 with AVX-512. A chain of additions, which
//! take one cycle each, gives the frequency.

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::asm;
    use std::time::Instant;

    /// The rounds of a loop.
    const ROUNDS: u32 = 1_000_000;
    /// The timings of a loop; the shortest counts.
    const TIMES: usize = 25;

    #[repr(align(64))]
    struct Memory([u8; 512]);

    static MEMORY: Memory = Memory([1; 512]);

    /// Measures the nanoseconds of a round of a loop with these instructions; `p` is memory.
    macro_rules! time {
        ($($instruction:expr),+) => {{
            let mut best = f64::MAX;
            for _ in 0..TIMES {
                let mut written = Memory([0; 512]);
                let start = Instant::now();
                // SAFETY: the instructions change only registers that are named here, read inside the 512 bytes of
                // `MEMORY`, and write inside the 512 of `written`.
                unsafe {
                    asm!(
                        "2:", $($instruction,)+ "/* {p} {q} */", "dec {rounds:e}", "jnz 2b",
                        rounds = inout(reg) ROUNDS => _, p = in(reg) MEMORY.0.as_ptr(),
                        q = in(reg) written.0.as_mut_ptr(),
                        out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _,
                        out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
                        out("k1") _, out("k2") _, out("k3") _, out("k4") _,
                    );
                }
                best = best.min(start.elapsed().as_secs_f64());
            }
            best * 1e9 / f64::from(ROUNDS)
        }};
    }

    /// Repeats an instruction four times, with four targets.
    macro_rules! four {
        ($before:literal, [$a:literal, $b:literal, $c:literal, $d:literal], $after:literal) => {
            time!(
                concat!($before, $a, $after),
                concat!($before, $b, $after),
                concat!($before, $c, $after),
                concat!($before, $d, $after)
            )
        };
    }

    pub fn run() {
        if !is_x86_feature_detected!("avx512vbmi2") {
            println!("this processor has no AVX-512 of that generation");
            return;
        }
        let cycle = time!("add rax, 1", "add rax, 1", "add rax, 1", "add rax, 1") / 4.0;
        println!("{:.2} GHz; cycles for each:", 1.0 / cycle);
        let rows = [
            ("sum, 64 bytes", four!("vpaddb zmm", ["0", "1", "2", "3"], ", zmm4, zmm5")),
            ("three-way logic, 64 bytes", four!("vpternlogd zmm", ["0", "1", "2", "3"], ", zmm4, zmm5, 42")),
            ("shuffle in 16 bytes, 64 bytes", four!("vpshufb zmm", ["0", "1", "2", "3"], ", zmm4, zmm5")),
            ("shuffle in 16 bytes, 32 bytes", four!("vpshufb ymm", ["0", "1", "2", "3"], ", ymm4, ymm5")),
            ("zip, 64 bytes", four!("vpunpcklbw zmm", ["0", "1", "2", "3"], ", zmm4, zmm5")),
            ("permute bytes, 64", four!("vpermb zmm", ["0", "1", "2", "3"], ", zmm4, zmm5")),
            ("move bit fields, 64 bytes", four!("vpmultishiftqb zmm", ["0", "1", "2", "3"], ", zmm4, zmm5")),
            ("pack bytes in a register", four!("vpcompressb zmm", ["0", "1", "2", "3"], "{{k1}}{{z}}, zmm4")),
            ("spread bytes in a register", four!("vpexpandb zmm", ["0", "1", "2", "3"], "{{k1}}{{z}}, zmm4")),
            ("compare into a mask", four!("vpcmpub k", ["1", "2", "3", "4"], ", zmm4, zmm5, 1")),
            (
                "compare, and the mask to a general register",
                time!(
                    "vpcmpub k1, zmm4, zmm5, 1",
                    "kmovq rax, k1",
                    "vpcmpub k2, zmm4, zmm5, 1",
                    "kmovq rcx, k2",
                    "vpcmpub k3, zmm4, zmm5, 1",
                    "kmovq rdx, k3",
                    "vpcmpub k4, zmm4, zmm5, 1",
                    "kmovq rsi, k4"
                ),
            ),
            ("bitmap of 32 bytes (AVX2)", four!("vpmovmskb e", ["ax", "cx", "dx", "si"], ", ymm4")),
            (
                "load 64 bytes of a cache line",
                time!(
                    "vmovdqu64 zmm0, [{p}]",
                    "vmovdqu64 zmm1, [{p} + 64]",
                    "vmovdqu64 zmm2, [{p} + 128]",
                    "vmovdqu64 zmm3, [{p} + 192]"
                ),
            ),
            (
                "load 64 bytes of two cache lines",
                time!(
                    "vmovdqu64 zmm0, [{p} + 1]",
                    "vmovdqu64 zmm1, [{p} + 65]",
                    "vmovdqu64 zmm2, [{p} + 129]",
                    "vmovdqu64 zmm3, [{p} + 193]"
                ),
            ),
        ];
        for (what, time) in rows {
            println!("{:5.2}  {what}", time / cycle / 4.0);
        }
        let blocks = [
            (
                "16 units of UTF-32 to UTF-8, with no branch and nothing to wait for but the place to write to",
                time!(
                    "vmovdqu64 zmm0, [{p}]",
                    "vpmaxud zmm6, zmm6, zmm0",
                    "vpsubd zmm2, zmm0, zmm8",
                    "vpminud zmm7, zmm7, zmm2",
                    "vplzcntd zmm1, zmm0",
                    "vpermi2d zmm1, zmm8, zmm9",
                    "vpmultishiftqb zmm2, zmm10, zmm0",
                    "vpternlogd zmm2, zmm1, zmm11, 236",
                    "vpternlogd zmm2, zmm1, zmm12, 112",
                    "vpcmpnltub k1, zmm2, zmm13",
                    "vpcompressb zmm2 {{k1}}{{z}}, zmm2",
                    "kmovq rax, k1",
                    "vmovdqu64 [{q} + rcx], zmm2",
                    "popcnt rax, rax",
                    "add ecx, eax",
                    "and ecx, 255"
                ),
            ),
            (
                "the same without the check",
                time!(
                    "vmovdqu64 zmm0, [{p}]",
                    "vplzcntd zmm1, zmm0",
                    "vpermi2d zmm1, zmm8, zmm9",
                    "vpmultishiftqb zmm2, zmm10, zmm0",
                    "vpternlogd zmm2, zmm1, zmm11, 236",
                    "vpternlogd zmm2, zmm1, zmm12, 112",
                    "vpcmpnltub k1, zmm2, zmm13",
                    "vpcompressb zmm2 {{k1}}{{z}}, zmm2",
                    "kmovq rax, k1",
                    "vmovdqu64 [{q} + rcx], zmm2",
                    "popcnt rax, rax",
                    "add ecx, eax",
                    "and ecx, 255"
                ),
            ),
        ];
        for (what, time) in blocks {
            println!("{:5.2}  {what}", time / cycle);
        }
    }
}

fn main() {
    #[cfg(target_arch = "x86_64")]
    x86_64::run();
    #[cfg(not(target_arch = "x86_64"))]
    println!("only for x86-64");
}
