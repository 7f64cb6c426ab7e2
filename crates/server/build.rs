//! Builds anew when the pages were built, which the compiler does not see by itself.

#[expect(clippy::print_stdout, reason = "this is how build scripts talk to cargo")]
fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
