#!/bin/sh
# Builds ./file-operations beside the sources; it needs no crate.
cd "$(dirname "$0")" || exit 1
cargo build --release --offline && cp target/release/file-operations ./file-operations
