#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# House style that a machine can see, over every file of a tree; prints FILE:LINE: what is wrong.   style.sh FOLDER
#   - an SPDX line near the top (not in LICENSE)
#   - sources of at most 600 lines, RTL of at most 400, unless one of the first 40 says "Long file:" and why
#   - at most 160 columns, no tabs (Makefiles apart), no white space at line ends, a newline at the end
#   - nothing marked as left undone
# Patches and generated PTX keep the form their tools give them: only the SPDX line is asked of them.

cd "${1:?style.sh FOLDER}" || exit 3
mapfile -t files < <(git ls-files 2>/dev/null || find . -type f -printf '%P\n')
[ "${#files[@]}" -gt 0 ] || { echo 'style.sh: no files'; exit 3; }
found=$(
  for file in "${files[@]}"; do
    [ -f "$file" ] || continue
    case $file in LICENSE | *.png | *.fst) continue ;; esac
    head -n 20 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$file:1: no SPDX line"
    case $file in *.patch | *.ptx) continue ;; esac
    limit=600
    case $file in *.sv | *.svh) limit=400 ;; esac
    lines=$(wc -l <"$file")
    if [ "$lines" -gt $limit ] && ! head -n 40 "$file" | grep -q 'Long file:'; then
      echo "$file:$lines: more than $limit lines, and no 'Long file:' line says why"
    fi
    [ -z "$(tail -c 1 "$file")" ] || echo "$file:$lines: no newline at the end"
    grep -nP '\t' "$file" | sed "s|^\([0-9]*\):.*|$file:\1: a tab|"
    grep -nP '[ \t]+$' "$file" | sed "s|^\([0-9]*\):.*|$file:\1: white space at the line's end|"
    case $file in *.md | *.ports | *.csv | *.ref | *.vec | *.yaml) ;; *)
      grep -nP '^.{161,}' "$file" | sed "s|^\([0-9]*\):.*|$file:\1: more than 160 columns|" ;;
    esac
    grep -nP '\b(TO''DO|FIX''ME|XX''X)\b' "$file" | sed "s|^\([0-9]*\):.*|$file:\1: something is left undone|"
  done
)
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
