#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# House style that a machine can see, over every file of a tree; prints FILE:LINE: what is wrong.
# style.sh FOLDER
#   - an SPDX line near the top (not in LICENSE)
#   - sources of at most 600 lines, tests of at most 800, RTL of at most 400, unless one of the
#     first 40 says "Long file:" and why
#   - C, CMake (blocks.cmake apart, a table) and Python at most 120 columns, a text alone on its
#     line apart; comments of C and port files 100; scripts and lists (.def) 160
#   - no tabs (Makefiles apart), no white space at line ends, a newline at the end
#   - nothing marked as left undone
#   - Jansson by way of json_sure.h, which loses nothing (not in tests)
# Patches and generated PTX keep the form their tools give them: only the SPDX line is asked of
# them. Pictures, a fuzzer's inputs and samples of results are kept byte for byte.

cd "${1:?style.sh FOLDER}" || exit 3
mapfile -t files < <(git ls-files 2>/dev/null | grep . || find . -path ./build -prune -o -type f -printf '%P\n')
[ "${#files[@]}" -gt 0 ] || { echo 'style.sh: no files'; exit 3; }

select_files() { # select_files PATTERN...: the files that match no pattern, one a line
  local file pattern
  for file in "${files[@]}"; do
    for pattern in "$@"; do
      # shellcheck disable=SC2053
      [[ $file == $pattern ]] && continue 2
    done
    [ -f "$file" ] && printf '%s\n' "$file"
  done
}
mapfile -t licensed < <(select_files LICENSE '*.png' '*.svg' '*.fst' '*.npy' 'tests/fuzz/corpus/*' \
  'tests/schema/samples/*')
mapfile -t written < <(select_files LICENSE '*.png' '*.svg' '*.fst' '*.npy' 'tests/fuzz/corpus/*' \
  'tests/schema/samples/*' '*.patch' '*.ptx')
mapfile -t verilog < <(printf '%s\n' "${written[@]}" | grep '\.svh\?$')
mapfile -t ports < <(printf '%s\n' "${written[@]}" | grep '\.ports$')
mapfile -t code < <(printf '%s\n' "${written[@]}" | grep -E '\.(c|h|cpp)$')
mapfile -t others < <(printf '%s\n' "${written[@]}" | grep -E '(\.(cmake|py)|CMakeLists\.txt)$' | grep -vx blocks.cmake)
mapfile -t shipped < <(printf '%s\n' "${written[@]}" | grep '\.[ch]$' | grep -v '^tests/\|/json_sure\.h$')
mapfile -t narrow < <(select_files LICENSE '*.png' '*.svg' '*.fst' '*.npy' 'tests/fuzz/corpus/*' \
  'tests/schema/samples/*' '*.patch' '*.ptx' \
  '*.md' '*.ports' '*.csv' '*.ref' '*.vec' '*.yaml' \
  'docs/schema/*')

each_line() { # each_line REGEX TEXT FILE...: FILE:LINE: TEXT for the lines that match
  local regex=$1 text=$2
  shift 2
  [ $# -eq 0 ] || grep -nHP -- "$regex" "$@" /dev/null | sed "s|^\([^:]*:[0-9]*\):.*|\1: $text|"
}
licences() { # in the first 1500 bytes
  awk 'function check() { if (name && !seen) print name ":1: no SPDX line" }
       FNR == 1 { check(); name = FILENAME; seen = bytes = 0 }
       bytes <= 1500 && /SPDX-License-Identifier: Apache-2\.0/ { seen = 1 }
       { bytes += length($0) + 1 }
       seen || bytes > 1500 { nextfile }
       END { check() }' "${licensed[@]}"
  for file in "${licensed[@]}"; do [ -s "$file" ] || echo "$file:1: no SPDX line"; done
}
lengths() { # one pass over the files: length against the limit, and the reason, if any
  awk 'function check() {
         limit = name ~ /\.svh?$/ ? 400 : name ~ /^tests\// ? 800 : 600
         if (lines > limit && !reason) printf "%s:%d: more than %d lines, and no \"Long file:\" line says why\n", name, lines, limit
       }
       FNR == 1 { if (name) check(); name = FILENAME; reason = 0 }
       FNR <= 40 && /Long file:/ { reason = 1 }
       { lines = FNR }
       END { check() }' "${written[@]}"
}
found=$(
  licences
  lengths
  tail -v -c 1 "${written[@]}" | awk '/^==> .* <==$/ { name = substr($0, 5, length($0) - 8); next } /./ { print name ":1: no newline at the end" }'
  each_line '\t' 'a tab' "${written[@]}"
  each_line '[ \t]+$' "white space at the line's end" "${written[@]}"
  each_line '^.{161,}' 'more than 160 columns' "${narrow[@]}"
  each_line '^(?! *"([^"\\]|\\.)*"[,)};]*( \\)?$).{121,}' 'more than 120 columns' "${code[@]}"
  each_line '^.{121,}' 'more than 120 columns' "${others[@]}"
  each_line '^(?= *(/[*/]|\* )).{101,}' 'a comment of more than 100 columns' "${code[@]}"
  each_line '^(?! *"[^"]*"\)?$).{101,}' 'more than 100 columns' "${ports[@]}"   # a text alone may be longer
  each_line "[~!&|^-]\w+'\(" "Yosys 0.23 takes the operator into the cast's width, (~N)'(x): put ~(N'(x))" \
    "${verilog[@]}"
  each_line "\w [!=]= \d+ \? ([^;]*: )?\w+'\(\d+\)" \
    "Yosys 0.23 loses the width of N'(0) behind a constant condition: put {N{1'b0}}" "${verilog[@]}"
  each_line '#include <jansson\.h>' 'jansson.h drops what it cannot take, without a word: put "json_sure.h"' \
    "${shipped[@]}"
  each_line '\b(TO''DO|FIX''ME|XX''X)\b' 'something is left undone' "${written[@]}"
)
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
