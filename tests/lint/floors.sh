#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Arrows between folders point down: every #include "..." of a tree, held against its floors.
# floors.sh FOLDER [FLOORS.txt]
#   FILE:LINE: includes "X" ...    of a folder above; or of one on the same floor that leads back
#                                  (a circle); or two files have this name
#   FILE:1: ...                    its folder is on no floor
# The floors' table in docs/architecture.md, between its two marks, is the list's.   floors.sh
# --table FLOORS.txt prints it

here=$(cd "$(dirname "$0")" && pwd)
table() { # table FLOORS.txt
  echo '| floor, from the ground up | folders | what is there |'
  echo '|---|---|---|'
  sed -n 's/^\([a-z]*\): \([^:]*\): \(.*\)$/| \1 | \2 | \3 |/p' "$1"
}
[ "$1" != --table ] || { table "${2:?floors.sh --table FLOORS.txt}"; exit; }
floors=$(realpath "${2:-$here/floors.txt}") || exit 3
cd "${1:?floors.sh FOLDER [FLOORS.txt]}" || exit 3

mapfile -t files < <({ git ls-files 2>/dev/null | grep . ||
  find . -path ./build -prune -o -type f -printf '%P\n'; } | grep -E '\.(c|h|cpp|def|in|ports)$')
[ "${#files[@]}" -gt 0 ] || { echo 'floors.sh: no sources'; exit 3; }
found=$(
  { printf 'file %s\n' "${files[@]}"; grep -nHE '^[ \t]*#[ \t]*include[ \t]*"' "${files[@]}"; } |
    awk -v list="$floors" -v name="${floors##*/}" '
    function folder_of(file) { # as the list has it; "": it has not
      while (sub(/\/[^\/]*$/, "", file)) if (file in floor) return file
      return ""
    }
    function say(place, text) { print place ": " text; }
    function target(from, header,    i, n, some, of, hit) { # the file that it is; "": made while building
      n = split(named[base_of(header)], some, " ")
      for (i = 1; i <= n; i++) if (some[i] == of_folder(from) "/" header) return some[i]
      for (i = 1; i <= n; i++) if (("/" some[i]) ~ ("/" quoted(header) "$")) { of++; if (!hit) hit = some[i]; else other = some[i] }
      if (of > 1) say(place, "includes \"" header "\", and there are " hit " and " other "; give one of them another name")
      return of == 1 ? hit : ""
    }
    function base_of(path) { sub(/.*\//, "", path); return path }
    function of_folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function quoted(text) { gsub(/[.+]/, "\\\\&", text); return text }
    function walk(at, way,    i, n, next_) { # looks for a way back to a folder that is on the way
      state[at] = 1
      n = split(to[at], next_, " ")
      for (i = 1; i <= n; i++) {
        if (state[next_[i]] == 1) say(first[at, next_[i]], "a circle of folders: " substr(way " ", index(way " ", " " next_[i] " ") + 1) "-> " next_[i])
        else if (!state[next_[i]]) walk(next_[i], way " -> " next_[i])
      }
      state[at] = 2
    }
    BEGIN {
      while ((getline line < list) > 0) {
        number++
        if (line ~ /^#/ || line == "") continue
        if (split(line, part, ": ") < 3) { say(name ":" number, "should be FLOOR: FOLDER ...: what is there"); continue }
        level[part[1]] = ++floors
        for (i = split(part[2], some, " "); i > 0; i--) { floor[some[i]] = part[1]; at_line[some[i]] = number }
      }
      if (!floors) say(name ":1", "no floors")
    }
    /^file / { # the files come first
      file = substr($0, 6)
      named[base_of(file)] = named[base_of(file)] " " file
      folder = folder_of(file)
      sources[folder]++
      if (folder == "" && !told[of_folder(file)]++) say(file ":1", "folder " of_folder(file) " is on no floor; give it a place in " name)
      next
    }
    {
      file = substr($0, 1, index($0, ":") - 1)
      rest = substr($0, length(file) + 2)
      place = file ":" substr(rest, 1, index(rest, ":") - 1)
      split(rest, word, "\"")
      it = target(file, word[2])
      a = folder_of(file)
      b = folder_of(it)
      if (it == "" || a == "" || b == "" || a == b) next
      if (level[floor[a]] < level[floor[b]])
        say(place, "includes \"" word[2] "\" of " b ": an arrow up, from floor " floor[a] " to floor " floor[b])
      else if (floor[a] == floor[b] && !((a, b) in first)) { first[a, b] = place; to[a] = to[a] " " b }
    }
    END {
      for (folder in floor) {
        if (!sources[folder]) say(name ":" at_line[folder], folder " has no sources")
        if (!state[folder]) walk(folder, " " folder)
      }
    }'
  page=docs/architecture.md
  if [ -f "$page" ]; then
    diff <(table "$floors") <(sed -n '/^<!-- floors:/,/^<!-- end of floors/p' "$page" | sed '1d;$d') >/dev/null ||
      echo "$page:1: its table of floors is not that of ${floors##*/}: tests/lint/floors.sh --table prints it"
  fi
)
[ -z "$found" ] || { printf '%s\n' "$found" | sort; exit 1; }
