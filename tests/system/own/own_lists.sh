# SPDX-License-Identifier: Apache-2.0
#
# new: sources by a project's own list (.f, .core, Bender.yml), what is missing and found, values of
# parameters, and lists that are wrong. timeout: 300
source "$(dirname "$0")/../lib.sh"

# A project in four folders; module `top` needs all of rtl, pkg and prim, and nothing of tb
mkdir -p .git rtl/inc pkg prim tb
echo 'package bus_pkg; localparam int W = base_pkg::BASE * 2; endpackage' >pkg/bus_pkg.sv
echo 'package base_pkg; localparam int BASE = 4; endpackage' >pkg/base_pkg.sv
echo '`define HALF(x) ((x) / 2)' >rtl/inc/macros.svh
cat >prim/hold.v <<'END'
module hold_reg #(parameter W = 1) (input clk, input rst_n, input [W-1:0] d, output reg [W-1:0] q);
  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else q <= d;
endmodule
END
cat >rtl/top.sv <<'END'
`include "macros.svh"
module top #(parameter int N) (input logic clk, input logic rst_n, input logic [bus_pkg::W-1:0] d,
  output logic [bus_pkg::W-1:0] q, output logic [`HALF(N)-1:0] h);
  hold_reg #(.W(bus_pkg::W)) u_hold (.clk, .rst_n, .d(d), .q(q));
  assign h = '0;
`ifndef FAST
  this_is_no_module u_none (.clk);
`endif
endmodule
END
echo 'module tb; initial #5 $finish; endmodule' >tb/tb.sv
echo 'module other; endmodule' >rtl/other.sv
files() { ls -A | grep -v '^\.stderr' | tr '\n' ' '; }

cat >rtl/top.f <<'END'
// what top is made of; paths start here
+incdir+inc  +define+FAST
${PKG}/base_pkg.sv ../pkg/bus_pkg.sv
-F ../prim/prim.f
top.sv /* and */ other.sv ../tb/tb.sv
-Wno-WIDTH --trace
END
echo hold.v >prim/prim.f
cat >rtl/top.core <<'END'
CAPI=2:
name: us:ip:top:1.0
filesets:
  rtl:
    depend: [">=us:ip:prim:0.9", "us:ip:not_here"]
    files:
      - inc/macros.svh: {is_include_file: true}
      - ../pkg/base_pkg.sv
      - "tool_verilator ? (../pkg/bus_pkg.sv)"
      - "!tool_verilator ? (none.sv)"
      - top.sv
      - other.sv
    file_type: systemVerilogSource
  tb: {files: [../tb/tb.sv], file_type: systemVerilogSource}
parameters:
  FAST: {datatype: bool, paramtype: vlogdefine}
targets:
  default: {filesets: [rtl], parameters: [FAST=true]}
  sim: {filesets: [rtl, tb], parameters: [FAST=true]}
END
printf 'CAPI=2:\nname: us:ip:prim:1.0\nfilesets:\n  rtl: {files: [hold.v], file_type: verilogSource}\n%s\n' \
  'targets: {default: {filesets: [rtl]}}' >prim/prim.core
cat >Bender.yml <<'END'
package: {name: top}
dependencies:
  prim: {path: prim}
  far_away: {git: "https://example.org/far_away.git", version: 1}
sources:
  - include_dirs: [rtl/inc]
    defines: {FAST: ~}
    files:
      - pkg/base_pkg.sv
      - files: [pkg/bus_pkg.sv]
      - rtl/top.sv
      - target: not(verilator)
        files: [rtl/none.sv]
      - rtl/other.sv
  - target: test
    files: [tb/tb.sv]
END
printf 'package: {name: prim}\nsources: [hold.v]\n' >prim/Bender.yml
export PKG=../pkg

# Each list gives the same files, include folder and macro; what the module does not need stays away
left=$(files)
for list in '--filelist rtl/top.f' '--from rtl/top.core' '--filelist Bender.yml' '--filelist rtl/top.core --target sim'; do
  # shellcheck disable=SC2086
  runs 0 "$lockstack" new top $list --set N=8 --json n.json
  for word in ../pkg/base_pkg.sv ../pkg/bus_pkg.sv ../rtl/top.sv ../prim/hold.v ../rtl/inc FAST; do
    grep -qx "  - $word" top/top.yaml || wrong "$list: no $word in $(cat top/top.yaml)"
  done
  ! grep -q 'other\|tb.sv' top/top.yaml || wrong "$list: what is not needed: $(cat top/top.yaml)"
  matches "$(tr '\n' ' ' <top/top.yaml)" 'base_pkg.*bus_pkg.*top.sv' "$list: the order"
  equal "$(json n.json from.parameters.0) $(grep ^PARAM top/top.ports | cut -d, -f1,2)" 'N PARAM(N, 8' "$list: --set"
  grep -qx 'OUT(h, N / 2, always)\|OUT(h, 4, always)' top/top.ports || wrong "$list: a width: $(cat top/top.ports)"
  runs 1 "$lockstack" check top --no-wave --cycles 10 --json c.json
  equal "$(json c.json outcome)" MODEL_ASSERT "$list: the block can be built"
  [ "$list" = '--filelist rtl/top.core --target sim' ] || rm -r top
done
rm -r top
runs 0 "$lockstack" new top --filelist rtl/top.f --set N=8 --verilator -O1 --language systemverilog
matches "$out" 'of rtl/top.f: 4 of 6 files.*not taken: rtl/top.f:6: --trace' 'what was taken'
matches "$(cat top/top.yaml)" 'verilator:.  - -O1.  - -Wno-WIDTH' 'options of Verilator'
rm -r top
runs 0 "$lockstack" new top --from rtl/top.core --set N=8
matches "$out" 'not here: us:ip:not_here' 'a core that is not here and that nothing needs'
rm -r top

# What is missing is named at once, with the options that add it; without --no-find it is taken
given=(--from rtl/top.sv --define FAST --set N=8)
runs 2 "$lockstack" new top "${given[@]}" --no-find
for line in 'rtl/top.sv:1: no file that is read has include file macros.svh; --include rtl/inc would be right' \
  'rtl/top.sv:2: no file that is read has package bus_pkg; --file pkg/bus_pkg.sv would be right' \
  'pkg/bus_pkg.sv:1: no file that is read has package base_pkg; --file pkg/base_pkg.sv would be right' \
  'rtl/top.sv:4: no file that is read has module hold_reg; --file prim/hold.v would be right' \
  'together: --file pkg/base_pkg.sv --file pkg/bus_pkg.sv --file prim/hold.v --include rtl/inc'; do
  grep -qxF "lockstack: $line" <<<"$err" || wrong "no line '$line' in $err"
done
equal "$(grep -c . <<<"$err")" 5 'lines about what is missing'
# shellcheck disable=SC2046
runs 0 "$lockstack" new top "${given[@]}" --no-find $(sed -n 's/.*together: //p' <<<"$err")
rm -r top
runs 0 "$lockstack" new top "${given[@]}"
matches "$out" 'found: package bus_pkg in pkg/bus_pkg.sv' 'what was taken'
rm -r top
refuses 2 'rtl/top.sv:4: no file .* module hold_reg; --file prim/hold.v would be right$' "$lockstack" new top \
  "${given[@]}" --no-find --file pkg/base_pkg.sv --file pkg/bus_pkg.sv --include rtl/inc
# two files have it, and none
sed 's/q <= d/q <= ~d/' prim/hold.v >tb/hold.v
refuses 2 'module hold_reg; 2 files of .* have one: --file prim/hold.v or --file tb/hold.v would be right' \
  "$lockstack" new top "${given[@]}" --file pkg/base_pkg.sv --file pkg/bus_pkg.sv --include rtl/inc
# the one that is nearer to the file that names it counts
sed 's/q <= ~d/q <= -d/' tb/hold.v >rtl/inc/hold.v
runs 0 "$lockstack" new top "${given[@]}" --file pkg/base_pkg.sv --file pkg/bus_pkg.sv --include rtl/inc
matches "$out" 'found: module hold_reg in rtl/inc/hold.v, one of 3' 'the nearest of several'
rm -r top rtl/inc/hold.v
mkdir prim_generic && sed 's/q <= ~d/q <= d + 1/' tb/hold.v >prim_generic/hold.v
runs 0 "$lockstack" new top "${given[@]}" --file pkg/base_pkg.sv --file pkg/bus_pkg.sv --include rtl/inc
matches "$out" 'found: module hold_reg in prim_generic/hold.v, one of 3' 'the one of no technology'
rm -r top prim_generic
# a macro that no include file brings
echo '`define WIDE(n) (4 * (n))' >pkg/wide.svh
printf 'module wide #(parameter N = 2) (input clk, input rst, input [`WIDE(N)-1:0] a_i, output reg [`WIDE(N)-1:0] q_o);
  always @(posedge clk) q_o <= rst ? 0 : a_i;\nendmodule\n' >rtl/wide.sv
refuses 2 'rtl/wide.sv:1:[0-9]+: no file that is read has macro WIDE; --file pkg/wide.svh would be right$' "$lockstack" new wide \
  --from rtl/wide.sv --no-find
runs 0 "$lockstack" new wide --from rtl/wide.sv
matches "$out" 'found: macro WIDE in pkg/wide.svh' 'the macro'"'"'s file'
runs 1 "$lockstack" check wide --no-wave --cycles 10 --json c.json
equal "$(json c.json outcome)" MODEL_ASSERT 'the block with the macro can be built'
runs 0 "$lockstack" check wide --no-wave --cycles 200 --against netlist
rm -r wide pkg/wide.svh
# code for simulation that names what is above the module
printf 'module far (input clk, input rst, input a_i, output reg q_o);
  always @(posedge clk) q_o <= rst ? 0 : a_i;
`ifndef SYNTHESIS
  always @(posedge clk) if (q_o) $display("%%d", chip.hart);
`endif
endmodule\n' >rtl/far.sv
runs 0 "$lockstack" new far --from rtl/far.sv
matches "$out" "SYNTHESIS is defined: .*'chip'" 'what is left out'
matches "$(tr '\n' ' ' <far/far.yaml)" 'defines: *- SYNTHESIS' 'the macro in X.yaml'
rm -r far
refuses 2 'has macro WIDE, and none below .*; --define NAME=VALUE or --file FILE would be right$' "$lockstack" new wide --from rtl/wide.sv
rm tb/hold.v && mv prim/hold.v hidden && sed -i 's/^hold.v//' prim/prim.f
refuses 2 'rtl/top.sv:4: no file .* module hold_reg, and none below .*; --file FILE would be right$' "$lockstack" new top \
  --filelist rtl/top.f --set N=8
sed -i 's/, file_type: verilogSource//; s/files: .hold.v./files: []/' prim/prim.core
refuses 2 'module hold_reg, and none below .*; the list depends on what is not here: us:ip:not_here' "$lockstack" new top \
  --filelist rtl/top.core --set N=8
mv hidden prim/hold.v && echo hold.v >prim/prim.f

# A package in a file of its name beside the top, or beside a module that needs it, is found as a
# module is
mkdir beside && cp pkg/*.sv beside
echo 'package leaf_pkg; localparam int L = 3; endpackage' >beside/leaf_pkg.sv
cat >beside/leaf.sv <<'END'
module leaf (input logic clk, input logic [leaf_pkg::L-1:0] d, output logic [leaf_pkg::L-1:0] q);
  always_ff @(posedge clk) q <= d;
endmodule
END
cat >beside/near.sv <<'END'
module near (input logic clk, input logic rst_n, input logic [bus_pkg::W-1:0] d, output logic [bus_pkg::W-1:0] q,
  output logic [2:0] r);
  always_ff @(posedge clk or negedge rst_n) if (!rst_n) q <= '0; else q <= d;
  leaf u_leaf (.clk, .d(d[2:0]), .q(r));
endmodule
END
runs 0 "$lockstack" new near --from beside/near.sv
matches "$(tr '\n' ' ' <near/near.yaml)" 'base_pkg.sv .*bus_pkg.sv .*leaf_pkg.sv .*near.sv .*leaf.sv' 'packages before their users'
echo 'package bus_pkg; localparam int W = 8; endpackage' >beside/bus_pkg.sv # Yosys 0.23 takes no package from a package
printf 'files: ../beside/near.sv\nsuffixes: none\n' >near/near.yaml
sed -i '/assert(/d' near/near.c
for dut in rtl netlist cxxrtl icarus; do # X.yaml names the top alone
  runs 1 "$lockstack" check near --no-wave --cycles 100 --dut $dut --json c.json
  equal "$(json c.json outcome)" DIVERGED "a package beside, on $dut"
done
rm -r near beside

# Wrong input: one line, and nothing is left
left=$(files)
no() { # no REGEX ARGUMENT...
  refuses 2 "$1" "$lockstack" new "${@:2}"
  equal "$(files)" "$left" 'what is left'
}
no 'rtl/top.f: none of its 6 files has a module tpo; there are 4 others|tpo; there are .*; did you mean top' tpo --filelist rtl/top.f
no 'rtl/other.sv: has no module tpo; there are other' tpo --from rtl/other.sv
no 'top.sv:2:[0-9]+: parameter N has no value; --set N=VALUE would be right' top --filelist rtl/top.f
no '--set M: module top has no such parameter' top --filelist rtl/top.f --set N=4 --set M=3
cp rtl/top.sv rtl/second.sv && echo second.sv >>rtl/top.f && left=$(files)
no 'rtl/top.f: two files of it have a module top, rtl/top.sv and rtl/second.sv; --from says which' top --filelist rtl/top.f
runs 0 "$lockstack" new top --filelist rtl/top.f --from rtl/second.sv --set N=4
matches "$(cat top/top.yaml)" 'rtl/second.sv' 'the file that is named'
rm -r top
echo gone.sv >>rtl/top.f
no 'rtl/top.f:8: no file gone.sv, neither in the working folder .* nor beside the list' top --filelist rtl/top.f
PKG='' no 'rtl/top.f:3: no file /base_pkg.sv' top --filelist rtl/top.f
unset PKG
no 'rtl/top.f:3: .PKG is not set; `PKG=... lockstack new` would set it' top --filelist rtl/top.f
no 'rtl/top.core:[0-9]+:[0-9]+: there is no target fpga; --target NAME, of default, sim, would be right' top \
  --filelist rtl/top.core --target fpga
no 'none.f: No such file' top --filelist none.f
no '--target goes with --filelist' top --from rtl/top.sv --target sim
no "--verilator: '-DX': .defines. is for all devices" top --from rtl/top.sv --verilator -DX
no "--language: 'vhdl' should be verilog" top --from rtl/top.sv --language vhdl
no "--define: '1X' should be NAME" top --from rtl/top.sv --define 1X
no "--set: 'N' should be PARAM=VALUE" top --from rtl/top.sv --set N
no 'go with --from FILE or --filelist LIST' top --set N=4

# A tool that does not end has a limit
mkdir bin && printf '#!/bin/sh\nexec sleep 100\n' >bin/verilator && chmod +x bin/verilator && left=$(files)
PATH=$PWD/bin:$PATH LOCKSTACK_TOOL_SECONDS=1 no \
  'module other: verilator is not at its end after 1 s; smaller parameters would be right, or a larger LOCKSTACK_TOOL_SECONDS' \
  other --from rtl/other.sv
rm -r bin

# --language says what `do` is
echo 'module do_it (input clk, input rst, input d, output reg q); wire do = d; always @(posedge clk) if (rst) q <= 0; else q <= do; endmodule' >tb/do_it.v
refuses 2 "do_it.v:1:[0-9]+: .*do" "$lockstack" new do_it --from tb/do_it.v --language systemverilog
runs 0 "$lockstack" new do_it --from tb/do_it.v --language verilog
matches "$(cat do_it/do_it.yaml)" 'language: verilog' 'the language'
