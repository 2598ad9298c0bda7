//! Makes cargo notice a new migration: the macro that embeds them only watches files it knew.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
