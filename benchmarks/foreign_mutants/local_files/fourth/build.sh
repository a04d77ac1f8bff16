#!/bin/sh
# Builds ./tool beside the sources. GO can name the toolchain.
cd "$(dirname "$0")" || exit 1
export GOFLAGS=-mod=mod GOTOOLCHAIN=local
exec "${GO:-go}" build -trimpath -o tool .
