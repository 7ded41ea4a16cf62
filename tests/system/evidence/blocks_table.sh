#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/blocks.md and the sums in the README are what docs/blocks.csv says, and each of its figures
# was measured of the tree's sources as they are. Figures that nobody has measured are gaps in the
# table, not lies: they pass. In a copy of the tree: each kind of staleness is told.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

table() { "$lockstack" report --blocks=check; }
table >now.txt 2>now.err || true
equal "$(cat now.err)" '' 'standard error'
equal "$(grep -v ': never measured$' now.txt |
  grep -v '^[0-9]* blocks: ')" '' 'what has gone stale (measure it and run: lockstack report --blocks)'

# A copy, laid out as an installed one.
here=$PWD copy=$PWD/prefix/share/lockstack
mkdir -p prefix/bin "$copy/docs" "$copy/tests"
cp "$lockstack" prefix/bin
cp -r "$source"/{rtl,cmodel,README.md} "$copy"
cp -r "$source"/tests/{lockstep,cover,formal} "$copy/tests"
cp "$source"/docs/blocks.{csv,md} "$copy/docs"
lockstack=$here/prefix/bin/lockstack

# What only proofs read counts for them and for mutants, which are proved with it
cp "$copy/rtl/lib/fifo.sv" fifo.sv
printf '`ifdef FORMAL\nlogic more;\n`endif\n' >>"$copy/rtl/lib/fifo.sv"
runs 1 "$lockstack" report --blocks=check
equal "$(grep -o '^fifo: [a-z]*: measured' <<<"$out" |
  tr '\n' ' ')" 'fifo: mutate: measured fifo: prove: measured ' 'what an invariant more makes stale'
cp fifo.sv "$copy/rtl/lib/fifo.sv"

# One block with every figure, from documents that say the sums that the copy has.
"$lockstack" report --blocks=check >before.txt
printf '{"schema": "lockstack.cover/1", "block": "fifo", "params": "", "sources": "0", "line": {"points": 3, "hit": 2, "waived": 1}}' >cover.json
printf '{"schema": "lockstack.area/1", "blocks": [{"block": "fifo", "status": "ok", "target": "ge", "params": "", "sources": "0"' >area.json
printf ', "cells": 5, "ge": 7}]}' >>area.json
runs 0 "$lockstack" report --blocks cover.json area.json --json blocks.json
matches "$out" 'fifo: cover: left out, measured of other sources' 'figures that are not of these sources'
matches "$out" 'fifo: area: left out, measured of other sources' 'an area that is not'
matches "$(grep '^fifo,' "$copy/docs/blocks.csv")" '^fifo,,,,,,' 'the row without them'

# Each kind of staleness: a figure's sum, the table, a row that is none.
sed -i 's/^fifo,[^,]*,/fifo,01234567,/' "$copy/docs/blocks.csv"
runs 1 "$lockstack" report --blocks=check --json stale.json
matches "$(cat stale.json)" '"block": "fifo"' 'the stale, as JSON'
matches "$out" 'fifo: cover: measured of other sources than those of the tree' 'a row that has gone stale'
sed -i 's/^| fifo |/| fifo | x/' "$copy/docs/blocks.md"
sed -i 's/^| `prove` | [0-9]*/| `prove` | 1000/' "$copy/README.md"
runs 1 "$lockstack" report --blocks=check
matches "$out" 'docs/blocks.md: table: is not what docs/blocks.csv says' 'a table that somebody changed'
matches "$out" 'README.md: table: is not what docs/blocks.csv says' 'sums that somebody changed'
runs 0 "$lockstack" report --blocks area.json
runs 1 "$lockstack" report --blocks=check
equal "$(grep -c '.md: table' <<<"$out")" 0 'complaints of a table made anew'
echo 'fifo,1' >>"$copy/docs/blocks.csv"
refuses 2 'blocks.csv:[0-9]+: should be a row of 18 columns' "$lockstack" report --blocks=check
