#!/bin/sh
# Compiles LocalFiles.java into ./classes.
cd "$(dirname "$0")" || exit 1
exec javac -encoding UTF-8 -d classes LocalFiles.java
