#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves of lsu_xact and lsu_tx together, as lsu_ext has them, that no tag is released twice
# (lsu_release.sv):
#   lsu_release.sh SOURCE_DIR GENERATED_DIR WORK_DIR
# With a controller that answers a tag more than once the claims must be refuted.
set -eu
src=$1
gen=$2
work=$3
mkdir -p "$work"
cd "$work"
. "$src/tests/formal/yosys_words.sh"
words=$(yosys_words) lower=$(lower_checks "$src")
failed=0
rtl="$gen/lsu_pkg.sv $src/rtl/lib/fifo.sv $src/rtl/lsu/lsu_xact.sv $src/rtl/lsu/lsu_tx.sv $src/tests/formal/lsu_release.sv"

# prove NAME XACTS TWICE EXPECTED: EXPECTED is what abc prints
prove() {
  yosys -q $words -e 'implicitly declared' -p "
    read_verilog -sv -formal -DSYNTHESIS -I$gen -I$src/rtl/lsu $rtl
    chparam -set Xacts $2 -set Twice $3 lsu_release; hierarchy -check -top lsu_release
    proc; $lower; memory; flatten; opt -full; async2sync; techmap; opt -fast; dfflegalize -cell \$_DFF_P_ 01; abc -g AND; clean
    write_aiger -zinit $1.aig" > "$1.log" 2>&1 || { cat "$1.log"; exit 3; }
  yosys-abc -c "read_aiger $1.aig; fold; strash; scorr; pdr -T 120; $abc_trivial" > "$1.abc" 2>&1
  if grep -q "$4" "$1.abc"; then
    echo "ok: $2 tags, a tag answered $( [ "$3" = 1 ] && echo 'at any time' || echo once ): ${4%%[\\]*}"
  else
    echo "FAILED: $2 tags, twice $3: expected '$4'"
    cat "$1.abc"
    failed=1
  fi
}

prove two 2 0 "$abc_proved"
prove three 3 0 "$abc_proved"
prove broken 2 1 'was asserted in frame'
exit $failed
