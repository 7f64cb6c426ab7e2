//! Builds anew when the pages were built, which the compiler does not see by itself.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
