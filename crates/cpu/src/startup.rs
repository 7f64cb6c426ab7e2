//! The check before `main`. The loader calls it from the table of constructors, and it is assembly: everything that
//! the compiler writes in a build for x86-64-v3 may contain AVX or BMI instructions.

use crate::level::cpu_has_v3;

const MESSAGE: &str = "chuhe: this CPU is too old for this build, which needs AVX2 and BMI2 (x86-64-v3, 2015 or newer); \
`make portable` builds for x86-64 of any age.\n";

/// The message as bytes in place, because assembly cannot follow a reference to its length.
static TEXT: [u8; MESSAGE.len()] =
    *MESSAGE.as_bytes().first_chunk().expect("the length is the message's own");

unsafe extern "C" {
    #[cfg_attr(windows, link_name = "_write")]
    fn write(file: i32, text: *const u8, len: usize) -> isize;
    fn _exit(code: i32) -> !;
}

// SAFETY: the section holds pointers to functions of this type, which the C runtime calls once before `main`.
#[used]
#[cfg_attr(target_os = "windows", unsafe(link_section = ".CRT$XCU"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(any(target_os = "windows", target_vendor = "apple")), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: unsafe extern "C" fn() = check;

/// Prints the sentence and exits with code 2 unless the CPU has x86-64-v3.
#[cfg(not(windows))]
#[unsafe(naked)]
unsafe extern "C" fn check() {
    core::arch::naked_asm!(
        "sub rsp, 8", // a call must find the stack aligned to 16 bytes
        "call {has_v3}",
        "test eax, eax",
        "jz 2f",
        "add rsp, 8",
        "ret",
        "2:",
        "mov edi, 2",
        "lea rsi, [rip + {text}]",
        "mov edx, {len}",
        "call {write}",
        "mov edi, 2",
        "call {exit}",
        "ud2",
        has_v3 = sym cpu_has_v3,
        text = sym TEXT,
        len = const MESSAGE.len(),
        write = sym write,
        exit = sym _exit,
    )
}

/// The same in Windows' calling convention.
#[cfg(windows)]
#[unsafe(naked)]
unsafe extern "C" fn check() {
    core::arch::naked_asm!(
        "sub rsp, 40", // alignment, and the 32 bytes that a called function may use
        "call {has_v3}",
        "test eax, eax",
        "jz 2f",
        "add rsp, 40",
        "ret",
        "2:",
        "mov ecx, 2",
        "lea rdx, [rip + {text}]",
        "mov r8d, {len}",
        "call {write}",
        "mov ecx, 2",
        "call {exit}",
        "ud2",
        has_v3 = sym cpu_has_v3,
        text = sym TEXT,
        len = const MESSAGE.len(),
        write = sym write,
        exit = sym _exit,
    )
}
