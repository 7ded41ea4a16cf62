#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Our models of the standard cells (synth/cells/osu018.v) are the functions of the Liberty file, all of its cells but the three-state
# buffers; and broken models are refuted.   cells.sh TREE WORK_FOLDER
# Combinational cells by SAT over all inputs; flip-flops and the latch, with clock edges, set and reset as data, by induction over
# the states that both are in: from a common state the same state follows, whatever comes in.

set -u
source=$1 work=$2
liberty=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
models=$source/synth/cells/osu018.v
mkdir -p "$work" && cd "$work" || exit 3

names() { sed -n 's/^ *cell *(\([A-Z0-9]*\)).*/\1/p' "$liberty" | grep -v '^TBUFX'; }

# proof CELL MODELS: succeeds when the model of CELL in this file is the Liberty file's
proof() {
  echo "read_liberty $liberty
    design -stash gold
    read_verilog -sv $2
    proc
    design -stash gate
    design -copy-from gold -as gold $1
    design -copy-from gate -as gate $1
    miter -equiv -flatten gold gate miter
    clk2fflogic
    sat -verify -prove trigger 0 -tempinduct -set-init-zero miter" >"$1.ys"
  yosys -q "$1.ys" >"$1.log" 2>&1
}

failed=0 proved=0 refuted=0
for cell in $(names); do
  proof "$cell" "$models" || { failed=1; echo "$cell: its model is not the Liberty function (or is missing): $PWD/$cell.log"; continue; }
  proved=$((proved + 1))
done
[ $proved -gt 0 ] || { echo "no cell found in $liberty"; exit 1; }

# CELL|what of its model|instead
while IFS='|' read -r cell from to; do
  sed "/^module $cell(/,/endmodule/s/${from}/${to}/" "$models" >broken.v
  cmp -s broken.v "$models" && { failed=1; echo "$cell: '$from' is not in its model"; continue; }
  proof "$cell" broken.v
  grep -q 'proof did fail' "$cell.log" || { failed=1; echo "$cell with '$to' for '$from' should be refuted: $PWD/$cell.log"; continue; }
  refuted=$((refuted + 1))
done <<'BROKEN'
AOI22X1|C \& D|C | D
MUX2X1|A : B|B : A
FAX1|B \& C|B \& ~C
NAND3X1|A \& B \& C|A \& B
DFFPOSX1|posedge|negedge
DFFNEGX1|<= D|<= ~D
DFFSR|negedge S|posedge S
DFFSR|Q <= 1'b0|Q <= 1'b1
DFFSR|!S|S
LATCH|(CLK)|(!CLK)
BROKEN
echo "$proved cells proved, $refuted broken models refuted"
exit $failed
