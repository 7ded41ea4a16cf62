#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# C and C++ as clang-format 14 (Debian 12's) leaves them, by .clang-format at the tree's top.
#   format.sh FOLDER            says where a file differs
#   format.sh --fix FOLDER      lays it out
#   format.sh --fires FOLDER    a file that differs is found
# Lists of macros and tables that it would take apart stand between `clang-format off` and `on`.

fix=(--dry-run -Werror)
fires=false
case ${1-} in --fix) fix=(-i) && shift ;; --fires) fires=true && shift ;; esac
cd "${1:?format.sh [--fix|--fires] FOLDER}" || exit 3

if $fires; then
  work=$(mktemp -d) || exit 3
  trap 'rm -rf "$work"' EXIT
  cp .clang-format "$work" && echo 'int  x ;' >"$work/a.c" && echo 'int x;' >"$work/b.c" || exit 3
  said=$("${BASH_SOURCE[0]}" "$work" 2>&1) && { echo 'a file that differs is not found'; exit 1; }
  [[ $said == *a.c:1:* && $said != *b.c* ]] || { echo "a.c:1 should be named, and b.c not; it said: $said"; exit 1; }
  "${BASH_SOURCE[0]}" --fix "$work" && "${BASH_SOURCE[0]}" "$work" ||
    { echo 'what --fix has laid out still differs'; exit 1; }
  exit
fi

# Another release lays out some lines in another way.
if [ -f blocks.cmake ] && command -v clang-format >/dev/null && ! clang-format --version | grep -q 'version 14\.'; then
  echo "skipped: $(clang-format --version); the tree is as clang-format 14 leaves it"
  exit 77
fi
command -v clang-format >/dev/null || { echo 'format.sh: clang-format is not installed (package clang-format)'; exit \
  3; }
{ git ls-files -z '*.c' '*.h' '*.cpp' 2>/dev/null | grep -z . ||
  find . -path ./build -prune -o -name '*.[ch]' -print0 -o -name '*.cpp' -print0; } |
  xargs -0 clang-format --style=file "${fix[@]}"
