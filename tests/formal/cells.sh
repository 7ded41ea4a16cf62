#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The models of standard cells that the netlist device simulates (synth/models.ys.in makes them)
# are the functions of the Liberty file as Yosys reads it, cell by cell, of our own library and of
# osu018 where that is installed; and broken models are refuted.   cells.sh TREE WORK_FOLDER GE_LIB
# synth/cells/ge.lib is what GE_LIB prints of ge.def. Combinational cells by SAT over all inputs;
# flip-flops and the latch, with clock edges, set and reset as data, by induction over the states
# that both are in: from a common state the same state follows, whatever comes in.

set -u
source=$1 work=$2 ge_lib=$3
mkdir -p "$work" && cd "$work" || exit 3
libraries=("$source/synth/cells/ge.lib")
osu018=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
[ -r $osu018 ] && libraries+=("$osu018")

# three-state buffers: synthesis never takes them
names() { sed -n 's/^ *cell *(\([A-Z0-9]*\)).*/\1/p' "$1" | grep -v '^TBUFX'; }

# proof LIBERTY CELL MODELS: succeeds when the model of CELL in this file is the Liberty file's
proof() {
  echo "read_liberty $1
    design -stash gold
    read_verilog -sv $3
    proc
    design -stash gate
    design -copy-from gold -as gold $2
    design -copy-from gate -as gate $2
    miter -equiv -flatten gold gate miter
    clk2fflogic
    sat -verify -prove trigger 0 -tempinduct -set-init-zero miter" >"$2.ys"
  yosys -q "$2.ys" >"$2.log" 2>&1
}

failed=0 proved=0 refuted=0
"$ge_lib" | cmp -s - "$source/synth/cells/ge.lib" ||
  { failed=1; echo "synth/cells/ge.lib is not made of ge.def: $ge_lib >synth/cells/ge.lib"; }
for library in "${libraries[@]}"; do
  name=$(basename "$library" .lib)
  sed "s,@LIBERTY@,$library,; s,@MODELS@,$name.v," "$source/synth/models.ys.in" >models.ys
  yosys -q models.ys >models.log 2>&1 || { failed=1; echo "$library: no models: $PWD/models.log"; }
  for cell in $(names "$library"); do
    proof "$library" "$cell" "$name.v" || { failed=1; echo \
      "$cell of $name: its model is not the Liberty function (or is missing): $PWD/$cell.log"; continue; }
    proved=$((proved + 1))
  done
done
[ $proved -ge 32 ] || { echo "only $proved cells found in ${libraries[*]}"; exit 1; }

# CELL|what of its model|instead
while IFS='|' read -r cell from to; do
  sed "/^module $cell(/,/endmodule/s/${from}/${to}/" ge.v >broken.v
  cmp -s broken.v ge.v && { failed=1; echo "$cell: '$from' is not in its model"; continue; }
  proof "${libraries[0]}" "$cell" broken.v
  grep -q 'proof did fail' "$cell.log" || { failed=1; echo \
    "$cell with '$to' for '$from' should be refuted: $PWD/$cell.log"; continue; }
  refuted=$((refuted + 1))
done <<'BROKEN'
AOI22X1|C \& D|C | D
MUX2X1|S \& A|S \& B
NAND3X1|A \& B|A | B
DFFPOSX1|posedge|negedge
DFFNEGX1|<= D|<= ~D
DFFSRX1|negedge S|posedge S
DFFSRX1|<= 1'b0|<= 1'b1
DFFSRX1|!S|S
DFFRX1|!R|R
DFFSX1|<= 1'h1|<= 1'h0
LATCHX1|(CLK)|(!CLK)
BROKEN
echo "$proved cells proved, $refuted broken models refuted"
exit $failed
