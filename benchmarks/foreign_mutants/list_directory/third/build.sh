#!/bin/sh
cd "$(dirname "$0")" && exec nice rustc --edition 2021 -C opt-level=1 main.rs -o listdir
