#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# area: flip-flops counted by hand from the RTL, parameters, macros, kept results, libraries of
# cells, bad input.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

area() { "$lockstack" area --out kept "$@"; }

# arb_rr: the mask, a bit a requester
runs 0 area arb_rr --json a.json
equal "$(json a.json schema)" lockstack.area/1 'the schema'
for pair in block=arb_rr target=ge um2=null longest_path_ns=null scaled=null at_nodes.#=3 at_nodes.2.nm=20 params= \
  status=ok flipflops=4 \
  cached=false method=flat paper=null; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
for key in cells ge longest_path_fo4 seconds; do matches "$(json a.json $key)" '^[0-9]*\.?[0-9]*[1-9]' "$key"; done
runs 0 area arb_rr --set NumReq=13 --json b.json
equal "$(json b.json flipflops)" 13 'flip-flops of 13 requesters'
equal "$(json b.json params)" NumReq=13 'params'

five() { awk "BEGIN{printf \"%.5g\", $1}"; }
equal "$(five "$(json a.json ge) * $(json a.json at_nodes.2.nand2_um2)")" \
  "$(five "$(json a.json at_nodes.2.um2)")" 'um2 of gates at 20 nm'
matches "$out" 'um2 at 20 nm: [0-9]+ .spread [0-9]+\.\.[0-9]+; between 45 and 7 nm' 'um2 of gates for people'

# On a DRAM die cells are twice as large (MPU paper, VI-A)
runs 0 area lsu_stores --json dram.json
equal "$(five "2 * $(json dram.json at_nodes.0.um2)")" "$(five "$(json dram.json at_nodes.0.dram_um2)")" \
  'um2 on a DRAM die'

# fifo: words, two pointers, the count, two error bits. 4 x 32 + 2 x 2 + 3 + 2; 7 x 5 + 2 x 3 + 3 +
# 2; a depth of 1 has no pointers
for case in 'Depth=4 Width=32 137' 'Depth=7 Width=5 46' 'Depth=1 Width=9 12'; do
  read -r depth width wanted <<<"$case"
  runs 0 area fifo --set "$depth" --set "$width" --json c.json
  equal "$(json c.json flipflops)" "$wanted" "flip-flops of fifo $depth $width"
done

# All that is printed is in the table; a second time it is kept, and the same
runs 0 area arb_rr fifo --json d.json
matches "$out" 'arb_rr +[0-9]+ +4 .* kept +defaults' 'the table'
matches "$out" 'GE: gate equivalents .*of no process' 'the unit'
equal "$(json d.json blocks.0.cached)" true 'kept'
for key in cells ge longest_path_fo4; do equal "$(json d.json blocks.0.$key)" "$(json a.json $key)" "kept $key"; done

# A memory is a macro: 16 registers of 1024 bits; an area has it at a node alone
runs 0 area nsu_regfile --set NumWarps=1 --json e.json
for pair in name=u_rows bits=16384 um2=null; do
  equal "$(json e.json "macros.0.${pair%%=*}")" "${pair#*=}" "macro ${pair%%=*}"
done

# osu018, where its package is installed. The papers' nodes: 0.011 of the area at 20 nm
# (synth/scaling.csv); the macro: 20.25 x (0.6162 x 16384 + 0.1965 x 1024 x 1024) um2, smaller than
# any of the data
if [ -r /usr/share/qflow/tech/osu018/osu018_stdcells.lef ]; then
  runs 0 area arb_rr --cells osu018 --json o.json
  matches "$out" 'fitted to memories' 'the rule of the macros'
  for pair in target=osu018 flipflops=4 ge=null longest_path_fo4=null scaled.#=3 scaled.2.nm=20; do
    equal "$(json o.json "${pair%%=*}")" "${pair#*=}" "osu018: ${pair%%=*}"
  done
  equal "$(awk "BEGIN{printf \"%.6g\", $(json o.json um2) * 0.011}")" \
    "$(awk "BEGIN{printf \"%.6g\", $(json o.json scaled.2.um2)}")" 'um2 at 20 nm'
  runs 0 area nsu_regfile --set NumWarps=1 --cells osu018 --json o.json
  equal "$(json o.json macros.0.extrapolated)" true 'a macro outside of the data'
  matches "$(json o.json macros.0.um2)" '^437[0-9]{4}\.' 'um2 of the macro'
else
  refuses 3 '--cells osu018: package qflow-tech-osu018 is not installed; --cells ge needs none' area arb_rr \
    --cells osu018
fi

# A library of one's own, plain and gzip, in two files; its areas are taken for um2. Another
# content is another result
lib=$source/synth/cells/ge.lib
sed '/^  cell (DFFPOSX1)/,$d' "$lib" >gates.lib && echo '}' >>gates.lib
{ sed '/^  cell/,$d' "$lib"; sed -n '/^  cell (DFFPOSX1)/,$p' "$lib"; } | gzip >registers.lib.gz
runs 0 area arb_rr --liberty gates.lib --liberty registers.lib.gz --json l.json
for pair in target=gates.lib+registers.lib.gz cached=false flipflops=4 ge=null um2="$(json a.json ge)"; do
  equal "$(json l.json "${pair%%=*}")" "${pair#*=}" "Liberty files: ${pair%%=*}"
done
sed -i 's/area : 0.5;/area : 0.75;/; s/cell (NOR3X1) {/& dont_use : true;/' gates.lib
runs 0 area arb_rr --liberty gates.lib --liberty registers.lib.gz --json m.json
equal "$(json m.json cached)" false 'a changed library'
matches "$out" '1 of 32 cells are not used' 'a cell that is not to be used'

# Areas of LEF files, which are comments, several macros, and groups with an END of their own
macro() {
  printf 'MACRO %s\n  CLASS CORE ;\n  SIZE %s BY 2 ; # um\n  PIN A\n    PORT\n      RECT 0 0 1 1 ;\n    END\n  END A\n  OBS\n  END\nEND %s\n' "$1" "$2" "$1"
}
sed -n 's/^  cell (\(.*\)) {$/\1/p' "$lib" | while read -r cell; do macro "$cell" 1.5; done >all.lef
{ printf 'VERSION 5.7 ;\nPROPERTYDEFINITIONS\n  MACRO text STRING ;\nEND PROPERTYDEFINITIONS\n' && cat all.lef &&
  echo 'END LIBRARY'; } | gzip >all.lef.gz
runs 0 area arb_rr --liberty "$lib" --lef all.lef.gz --json n.json
equal "$(json n.json um2)" "$(awk "BEGIN{printf \"%.1f\", 3 * $(json n.json cells)}")" 'areas of a LEF file'
equal "$(json n.json target)" ge.lib+all.lef.gz 'a library with its LEF file'
sed '/^MACRO DFF/,/^END DFF/d' all.lef >some.lef
refuses 2 'DFF.*: no MACRO with a SIZE in the LEF files of ge.lib.some.lef' area arb_rr --liberty "$lib" --lef some.lef
{ cat all.lef && macro INVX1 2; } >other.lef
head -c 700 all.lef >cut.lef
head -c 300 all.lef.gz >cut.lef.gz
sed 's/BY 2/by x/' all.lef >size.lef
: >empty.lef
while IFS='|' read -r file wanted; do refuses 2 "$wanted" area arb_rr --liberty "$lib" --lef "$file"; done <<'BAD'
cut.lef|cut.lef:[0-9]+: a MACRO without an end, the file is cut off: [A-Z]
cut.lef.gz|cut.lef.gz: is cut off or damaged
other.lef|other.lef:[0-9]+: MACRO INVX1 is of another size than at .*other.lef:1: one of each name
size.lef|size.lef:[0-9]+: SIZE should be: SIZE width BY height ;, not of x
empty.lef|empty.lef: no LEF file
gates.lib|gates.lib: no LEF file
/|/: Is a directory
/bin/true|true: no LEF file: it has bytes that are no text
nosuch.lef|nosuch.lef: No such file
BAD

# Corners: each cell of the library that is used, in its units
sed 's/time_unit : "1ps"/time_unit : "1ns"/' "$lib" >ns.lib
head -c 9000 "$lib" >half.lib
cmp -s ns.lib "$lib" && wrong 'no other unit was planted'
sed '/^  cell (NAND3X1)/,/^  }/d' "$lib" >less.lib
runs 0 area arb_rr --liberty "$lib" --corner "slow=$lib" --corner fast=gates.lib --corner fast=registers.lib.gz \
  --json q.json
equal "$(json q.json um2)" "$(json a.json ge)" 'areas are of the library alone'
matches "$(cat q.json)" 'registers.lib.gz' 'files of corners are inputs'
while IFS='|' read -r corner wanted; do refuses 2 "$wanted" area arb_rr --liberty "$lib" --corner "$corner"; \
  done <<'BAD'
slow=less.lib|corner slow: .*less.lib has no cell NAND3X1, which .*ge.lib:[0-9]+ has
slow=ns.lib|ns.lib:[0-9]+: its units of time or load are not those of the file before
slow=half.lib|half.lib:[0-9]+: .*the file is cut off
slow=/|/: Is a directory
slow=nosuch.lib|nosuch.lib: No such file
slow|'slow' should be NAME=FILE
=ns.lib|'=ns.lib' should be NAME=FILE
a/b=less.lib|a corner's name, 'a/b', should be
BAD
refuses 2 'corner slow: .*is given twice' area arb_rr --liberty "$lib" --corner "slow=$lib" --corner "slow=$lib"
refuses 2 'go with --liberty' area arb_rr --corner "slow=$lib"
refuses 2 "unrecognized option '--corner'" "$lockstack" check arb_rr --corner "slow=$lib"

# Libraries by name: the user's, by files from there; a name of the tree's is refused
export XDG_CONFIG_HOME=$here/config
own=config/lockstack/cells.d
mkdir -p $own/lib && cp gates.lib registers.lib.gz $own/lib/ && cp all.lef less.lib $own/
cat >$own/mine.yaml <<'YAML'
help: mine
liberty: [lib/gates.lib, ../cells.d/lib/registers.lib.gz]
lef: all.lef
nm: 90
corners:
  slow: [lib/gates.lib, lib/registers.lib.gz]
YAML
runs 0 "$lockstack" list cells --json list.json
matches "$out" 'mine +mine' 'a library of the user'
equal "$(json list.json cells.#) $(json list.json cells.0.file)" '3 synth/cells.d/ge.yaml' 'libraries'
runs 0 area arb_rr --cells mine --json r.json
equal "$(json r.json target) $(json r.json um2) $(json r.json scaled.#)" \
  "mine $(awk "BEGIN{printf \"%.1f\", 3 * $(json r.json cells)}") 3" 'a library by name'
equal "$(five "$(json r.json scaled.2.um2) / $(json r.json um2)")" "$(five '0.011 / 0.15')" 'from 90 to 20 nm'
runs 0 area lsu_stores --cells mine --json t.json
equal "$(five "2 * $(json t.json scaled.0.um2)")" "$(five "$(json t.json scaled.0.dram_um2)")" \
  'um2 of a library by name on a DRAM die'
runs 0 "$lockstack" check arb_rr --dut netlist --cells mine --cycles 1000 --json s.json
equal "$(json s.json cells)" mine 'gates of a library by name'
while IFS='|' read -r text wanted; do
  printf '%b' "$text" >$own/bad.yaml
  refuses 2 "$wanted" area arb_rr --cells bad
done <<'BAD'
liberty: lib/nosuch.lib\n|bad.yaml:1:10: .*lib/nosuch.lib: No such file
lef: all.lef\n|bad.yaml:1:1: no key liberty
nm: 90\nlibrety: lib/gates.lib\n|bad.yaml:2:1: 'librety' should be liberty, lef
liberty: [lib/gates.lib, lib/gates.lib]\n|bad.yaml:1:26: .*lib/gates.lib: is given twice
liberty: lib/gates.lib\nliberty: lib/gates.lib\n|bad.yaml:2:1: 'liberty' is already set above
liberty: {a: b}\n|bad.yaml:1:10: should be a file
liberty: []\n|bad.yaml:1:10: should be a file
liberty: lib\n|bad.yaml:1:10: .*lib: Is a directory
- liberty\n|bad.yaml:1:1: lines 'key: value' would be right here
|bad.yaml:1: the file is empty
liberty: lib/gates.lib\nnm: 4.5\n|bad.yaml:2:5: nm: should be a whole number
liberty: lib/gates.lib\narea_unit: mm2\n|bad.yaml:2:12: area_unit: should be um2 or GE
liberty: lib/gates.lib\narea_unit: GE\n|bad.yaml:2:12: area_unit um2 goes with path_unit ns, GE with FO4
liberty: [lib/gates.lib, lib/registers.lib.gz]\ncorners: slow\n|bad.yaml:2:10: corners: should be
liberty: [lib/gates.lib, lib/registers.lib.gz]\ncorners: {slow: less.lib}\n|corner slow: .*less.lib has no cell NAND3X1
BAD
mkdir $own/folder.yaml && mkfifo pipe.lib
refuses 2 'cells.d/folder.yaml: Is a directory' area arb_rr --cells folder
for option in --liberty --lef --corner; do
  file=pipe.lib
  [ $option = --corner ] && file=slow=pipe.lib
  refuses 2 'pipe.lib: is no regular file' area arb_rr --liberty "$lib" $option $file
done
printf 'liberty: /nowhere/x.lib\npackage: cells-of-x\n' >$own/bad.yaml
refuses 3 '--cells bad: package cells-of-x is not installed' area arb_rr --cells bad
refuses 2 "'lib/mine' should be a name" area arb_rr --cells lib/mine
cp $own/mine.yaml $own/ge.yaml
refuses 2 'cells.d/ge.yaml: there is a library ge in the tree: another name would be right' area arb_rr
refuses 2 'cells.d/ge.yaml: there is a library ge in the tree' "$lockstack" check arb_rr --dut netlist --cycles 1000
unset XDG_CONFIG_HOME

# Installed, with RTL that changes: a register that only a probe shows is no area, one that a port
# needs is
mkdir -p p/bin p/lib/lockstack p/share/lockstack/harness/lockstep
cp "$(dirname "$lockstack")/../dut/portgen" p/lib/lockstack/
cp "$lockstack" p/bin/ && cp -r "$source"/{rtl,cmake,synth} p/share/lockstack/ &&
  cp -r "$source"/harness/portgen p/share/lockstack/harness/ &&
  cp -r "$source"/harness/lockstep/dut p/share/lockstack/harness/lockstep/
rtl=p/share/lockstack/rtl/lib/arb_rr.sv
late='logic [NumReq-1:0] late_q; always_ff @(posedge clk_i) late_q <='
runs 0 p/bin/lockstack area arb_rr --json f.json
equal "$(json f.json flipflops)" 4 'flip-flops, installed'
sed -i "s/assign probe_mask_o = mask_q;/$late mask_q; assign probe_mask_o = late_q;/" $rtl
runs 0 p/bin/lockstack area arb_rr --json f.json
equal "$(json f.json cached)" false 'kept after a change'
equal "$(json f.json flipflops)" 4 'flip-flops with a register for the probe'
sed -i "s/assign req_masked = req_i \& mask_q;/assign req_masked = req_i \& late_q;/" $rtl
runs 0 p/bin/lockstack area arb_rr --json f.json
equal "$(json f.json flipflops)" 8 'flip-flops with a register that matters'
echo 'module arb_rr; syntax' >$rtl
refuses 2 'arb_rr.sv:[0-9]+: syntax error' p/bin/lockstack area arb_rr

# Bad input
refuses 2 "no block 'nosuch'" area nosuch
refuses 2 "'asic7' should be ice40" area arb_rr --target asic7
refuses 2 'osu018 is a library of cells: --cells osu018' area arb_rr --target osu018
refuses 2 "no library 'asic7'" area arb_rr --cells asic7
refuses 2 'one of both' area arb_rr --cells ge --liberty "$lib"
refuses 2 'an FPGA has no standard cells' area arb_rr --cells ge --target ice40
refuses 2 'arb_rr has no parameter Width; it has: NumReq' area arb_rr --set Width=3
refuses 2 'NumReq = 65: from 1 to 64' area arb_rr --set NumReq=65
refuses 2 "'NumReq' should be Param=Number" area arb_rr --set NumReq
refuses 2 'sram_1r1w is a macro' area sram_1r1w

# Bad Liberty files: name of the file|what is said
head -c 9000 "$lib" >cut.lib
gzip -c "$lib" | head -c 900 >cut.lib.gz
echo 'module fifo;' >none.lib
printf 'library (x) { cell (A) { area : 1; } }\n' >bare.lib
while IFS='|' read -r file wanted; do refuses 2 "$wanted" area arb_rr --liberty "$file"; done <<'BAD'
cut.lib|cut.lib:[0-9]+: .*the file is cut off
cut.lib.gz|cut.lib.gz: is cut off or damaged
none.lib|none.lib:1: no Liberty file
bare.lib|bare.lib: none of 1 cells has a function
gates.lib|gates.lib: no cell is a flip-flop
nosuch.lib|nosuch.lib: No such file
BAD
sed 's/!(A|B)/!(A|Z)/' "$lib" >wrong.lib
refuses 2 'abc cannot map onto these cells: Mio_ParseFormula.*Z' area arb_rr --liberty wrong.lib
refuses 2 'gates.lib:[0-9]+: cell INVX1 is another one than at .*ge.lib:' area arb_rr --liberty "$lib" \
  --liberty gates.lib

# What is missing
mkdir empty
refuses 3 'yosys is not installed' env PATH="$here/empty" "$lockstack" area --out kept arb_rr
