#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# On a terminal: outcomes have colours, unless NO_COLOR or TERM say otherwise; control characters
# of files and words never reach it.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
escape=$'\033'

# terminal COMMAND: what it prints on a terminal, carriage returns taken out
terminal() { script -qec "$1" /dev/null </dev/null 2>&1 | tr -d '\r'; }

green="${escape}[32mPASS${escape}[0m arb_rr"
check="'$lockstack' check arb_rr --cycles 500"
matches "$(TERM=xterm terminal "$check")" "^${green//\[/\\[}: 500 cycles" 'PASS on a terminal'
matches "$(TERM=xterm NO_COLOR= terminal "$check")" "^${green//\[/\\[}" 'PASS with an empty NO_COLOR'
for plain in 'NO_COLOR=1 TERM=xterm' TERM=dumb TERM=; do
  matches "$(eval "$plain terminal \"\$check\"")" '^PASS arb_rr: 500 cycles' "PASS with $plain"
done
runs 0 env TERM=xterm "$lockstack" check arb_rr --cycles 500
matches "$out" '^PASS arb_rr' 'PASS in a pipe'

mkdir rtl && sed 's/~(gnt_o | (gnt_o - 1.b1))/~(gnt_o - 1'"'"'b1)/' "$source/rtl/lib/arb_rr.sv" >rtl/arb_rr.sv
matches "$(TERM=xterm terminal "'$lockstack' check arb_rr --rtl rtl --cycles 500 --no-wave --shrink-seconds 1")" \
  "${escape}\\[31mDIVERGED${escape}\\[0m in cycle" 'DIVERGED on a terminal'

# A name, a file's words: a cursor that moves up, a title, a bell, one of the C1 characters
evil=$'up\033[1A\033]0;title\a\302\233tail'
said=$(TERM=xterm terminal "'$lockstack' check \"\$(printf '$evil')\"")
matches "$said" 'up\?\[1A\?\]0;title\??\?tail' 'a name that is no block'
mkdir own && printf 'KIND(%s)\nCLOCK(c)\nRESET(r, low, async)\n' "$evil" >own/x.ports
touch own/x.sv own/x.c own/x.h
printf 'SPDX\nsystem:\n  %s: 1\n' "$evil" >bad.yaml
printf '.version 3.2\n.target sm_20\n.entry %s ()\n{\n}\n' "$evil" >bad.ptx
for words in 'check own' 'run baseline vadd --config bad.yaml' 'offload bad.ptx' 'list blocks'; do
  said=$(TERM=xterm terminal "'$lockstack' $words" | sed "s/$escape\\[3[123]m//g; s/$escape\\[0m//g")
  equal "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <<<"$said" | od -An -c)" '' "control characters of $words"
  matches "$said" '...' "what $words says"
done
