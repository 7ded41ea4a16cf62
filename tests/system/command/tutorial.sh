#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# README.md and docs/tutorial.md: each command that a `console` block shows is run, in order, in
# one shell, and what it prints is what the page shows, where `...` is the rest of a line or any
# lines. What is not in such a block installs packages and gets the tree. The check fires where a
# page is wrong.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# steps PAGE: makes N.command and N.wanted of its steps here.
steps() {
  awk '
    /^```console$/ { inside = 1; next }
    /^```$/ { inside = 0 }
    !inside { next }
    file && !ended { print >command; if ($0 == "END") ended = 1; next }
    /^\$ / {
      command = sprintf("%03d.command", ++n); wanted = sprintf("%03d.wanted", n)
      printf "" >wanted
      print substr($0, 3) >command
      file = /<<.END.$/; ended = 0
      next
    }
    { print >wanted }' "$1"
}

# as_shown WANTED GOT: prints the first line of GOT that is not what WANTED shows, or of WANTED
# that does not come; nothing if all is as shown.
as_shown() {
  awk '
    function same(want, got) {
      if (want == got) return 1
      return want ~ / \.\.\.$/ && index(got, substr(want, 1, length(want) - 4)) == 1
    }
    NR == FNR { want[++n] = $0; next }
    { sub(/ +$/, "") }
    bad { next }
    any { if (i < n && same(want[i + 1], $0)) { i++; any = 0 } next }
    want[i + 1] == "..." { i++; any = 1; if (i < n && same(want[i + 1], $0)) { i++; any = 0 } next }
    i < n && same(want[i + 1], $0) { i++; next }
    { bad = 1; print "the command prints: " $0 }
    END {
      if (!bad && i < n && want[i + 1] == "...") i++
      if (!bad && i < n) print "the page shows: " want[i + 1]
    }' "$1" "$2"
}

mkdir bin
ln -s "$lockstack" bin/lockstack
PATH=$here/bin:$PATH
for block in fifo nsu_rdbuf; do lockstack check $block --cycles 100 >/dev/null 2>&1; done      # builds, which it says

# page_holds PAGE LEAST: with ./lockstack in a folder that the page's reader calls /home/me; at
# least so many commands.
page_holds() {
  local command before=$checks
  rm -rf "$here/steps" "$here/me" && mkdir "$here/steps" "$here/me" && cd "$here/steps" && steps "$1" &&
    cd "$here/me" || exit 3
  ln -s "$lockstack" lockstack
  for command in "$here"/steps/*.command; do
    eval "$(<"$command")" >"$here/.got" 2>&1
    sed -Ei "s|$here/me|/home/me|g; \\~$progress~d" "$here/.got"
    equal "$(as_shown "${command%.command}.wanted" "$here/.got")" '' "${1##*/}: $(head -n 1 "$command")"
  done
  [ $((checks - before)) -ge "$2" ] || wrong "${1##*/} has hardly any commands"
}
page_holds "$source/docs/tutorial.md" 12
page_holds "$source/README.md" 2

# A page that shows something else is told: another line, a line that is not there, a line that
# does not come.
cd "$here" || exit 3
printf 'one\ntwo 2 ms\nthree\n' >got
told() { # told REGEX LINE...
  printf '%s\n' "${@:2}" >want
  matches "$(as_shown want got)" "$1" "the page '${*:2}'"
}
equal "$(printf 'one\ntwo ...\nthree\n' >want; as_shown want got)" '' 'the rest of a line'
equal "$(printf '...\nthree\n' >want; as_shown want got)" '' 'any lines'
equal "$(printf 'one\n...\n' >want; as_shown want got)" '' 'any lines at the end'
told 'prints: two' one 'two 3 ms' three
told 'prints: one' 'two ...' three
told 'prints: three' one 'two ...'
told 'shows: four' '...' three four
told 'shows: four' one ... four
