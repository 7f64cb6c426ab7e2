//! Code levels: the build's, the CPU's, and the wider instruction sets that kernels choose at run time.

/// The code level that this build needs: `x86-64-v3`, `x86-64`, or the name of another architecture.
pub const fn build_level() -> &'static str {
    if cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")) {
        "x86-64-v3"
    } else if cfg!(target_arch = "x86_64") {
        "x86-64"
    } else {
        std::env::consts::ARCH
    }
}

/// The instruction sets of this CPU that matter to Chuhe, narrowest first.
pub fn extensions() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let known = [
        ("POPCNT", std::arch::is_x86_feature_detected!("popcnt")),
        ("AVX2", std::arch::is_x86_feature_detected!("avx2")),
        ("BMI2", std::arch::is_x86_feature_detected!("bmi2")),
        ("AVX-512", std::arch::is_x86_feature_detected!("avx512bw")),
        ("AVX-512 VNNI", std::arch::is_x86_feature_detected!("avx512vnni")),
    ];
    #[cfg(target_arch = "aarch64")]
    let known = [("NEON", std::arch::is_aarch64_feature_detected!("neon"))];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let known: [(&str, bool); 0] = [];
    known.into_iter().filter_map(|(name, has)| has.then_some(name)).collect()
}

/// Whether the CPU has x86-64-v3 and the system saves the AVX registers.
#[cfg(target_arch = "x86_64")]
pub fn has_v3() -> bool {
    // SAFETY: the function takes nothing, touches no memory but its own stack, and keeps the registers that it must.
    unsafe { cpu_has_v3() != 0 }
}

/// CPUID leaf 1, ECX: SSE3, SSSE3, FMA, CMPXCHG16B, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
#[cfg(target_arch = "x86_64")]
const LEAF_1_ECX: u32 =
    1 | 1 << 9 | 1 << 12 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 22 | 1 << 23 | 1 << 27 | 1 << 28 | 1 << 29;
/// CPUID leaf 7, EBX: BMI1, AVX2, BMI2.
#[cfg(target_arch = "x86_64")]
const LEAF_7_EBX: u32 = 1 << 3 | 1 << 5 | 1 << 8;
/// CPUID leaf 8000_0001h, ECX: LZCNT.
#[cfg(target_arch = "x86_64")]
const LEAF_EXTENDED_ECX: u32 = 1 << 5;
/// XCR0: the system saves the SSE and AVX registers.
#[cfg(target_arch = "x86_64")]
const SAVED: u32 = 0b110;

/// 1 if the CPU has x86-64-v3, else 0. In assembly, because `is_x86_feature_detected!` is constant in a build for that
/// level, and because compiled code around `__cpuid` may use the very instructions it asks for.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn cpu_has_v3() -> u32 {
    core::arch::naked_asm!(
        "push rbx", // cpuid writes it, and callers need it
        "xor eax, eax",
        "cpuid",
        "cmp eax, 7", // the highest leaf
        "jb 2f",
        "mov eax, 1",
        "cpuid",
        "and ecx, {leaf_1}",
        "cmp ecx, {leaf_1}",
        "jne 2f",
        "xor ecx, ecx",
        "xgetbv",
        "and eax, {saved}",
        "cmp eax, {saved}",
        "jne 2f",
        "mov eax, 7",
        "xor ecx, ecx",
        "cpuid",
        "and ebx, {leaf_7}",
        "cmp ebx, {leaf_7}",
        "jne 2f",
        "mov eax, 0x80000001",
        "cpuid",
        "test ecx, {extended}",
        "jz 2f",
        "mov eax, 1",
        "pop rbx",
        "ret",
        "2:",
        "xor eax, eax",
        "pop rbx",
        "ret",
        leaf_1 = const LEAF_1_ECX,
        leaf_7 = const LEAF_7_EBX,
        extended = const LEAF_EXTENDED_ECX,
        saved = const SAVED,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_cpu_that_runs_the_build_has_its_level() {
        // In a portable build the standard library's detection is live and must agree.
        let all = ["POPCNT", "AVX2", "BMI2"].iter().all(|name| extensions().contains(name));
        assert_eq!(has_v3(), all);
        assert!(has_v3() || build_level() == "x86-64");
    }
}
