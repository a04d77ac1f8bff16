#!/bin/sh
# Writes the binary beside the sources.
set -e
cd "$(dirname "$0")"
exec rustc -O --edition 2021 -A warnings -o ls_tool main.rs
