# SPDX-License-Identifier: Apache-2.0
#
# X.yaml: a block's files, packages, include folders, macros, Verilator's options and names of
# ports. What it refuses, by file, line and column.
# timeout: 600
# shellcheck disable=SC2016
source "$(dirname "$0")/../lib.sh"

# A block whose RTL needs all of it: a package before it, a part in a library, an include file,
# macros, a C++ word for a parameter's name
mkdir -p own src/inc src/lib
cat >src/limits.sv <<'END'
package limits;
  localparam int STEP = `STEP;
endpackage
END
echo '`define HALF(x) ((x) / 2)' >src/inc/macros.svh
cat >src/lib/adder.v <<'END'
module adder #(parameter N = 8) (input [N-1:0] a, input [N-1:0] b, output [N-1:0] y);
  assign #1 y = a + b;
endmodule
END
cat >src/top.sv <<'END'
`include "macros.svh"
module steps #(parameter int N = 8) (input logic ck, input logic arst_n, input logic go, input logic [N-1:0] din, output logic [N-1:0] total,
                                     output logic probe_go_seen);
`ifndef QUIET
  initial $display("noise");
`endif
  wire [N-1:0] next;
  adder #(.N(N)) plus (.a(total), .b(din + N'(`HALF(limits::STEP))), .y(next));
  always_ff @(posedge ck or negedge arst_n) begin
    if (!arst_n) begin
      total         <= #1 '0;
      probe_go_seen <= #1 1'b0;
    end else begin
      probe_go_seen <= #1 go;
      if (go) total <= #1 next;
    end
  end
endmodule
END
cat >own/steps.ports <<'END'
KIND(moore)
CLOCK(ck)
RESET(arst_n, low, async)
PARAM(N, 8, 1, 64, "bits")
IN(add, 1, always)
IN(value, N, add)
OUT(sum, N, always)
PROBE(probe_add, 1, always)
END
cat >own/steps.h <<'END'
#include "steps_ports.h"
typedef struct steps {
  uint64_t sum, add;
} steps_t;
void steps_reset(steps_t *s);
void steps_eval(const steps_t *s, const steps_in_t *in, steps_out_t *out);
void steps_step(steps_t *s, const steps_in_t *in);
END
cat >own/steps.c <<'END'
#include "steps.h"
void steps_reset(steps_t *s) { s->sum = s->add = 0; }
void steps_eval(const steps_t *s, const steps_in_t *in, steps_out_t *out) { (void)in, out->sum = s->sum, out->probe_add = s->add; }
void steps_step(steps_t *s, const steps_in_t *in) {
  if (in->add) s->sum = (s->sum + in->value + 3) & (~0ull >> (64 - N));
  s->add = in->add;
}
END
cat >map <<'END'
files: [../src/limits.sv, ../src/top.sv]
libraries: ../src/lib
includes: [../src/inc]
defines: [QUIET, STEP=6]
verilator: -Wno-WIDTH
ports: {go: add_i, din: value_i, total: sum_o, probe_go_seen: probe_add_o}
END
cp map own/steps.yaml
for dut in rtl netlist cxxrtl icarus; do runs 0 "$lockstack" check own --cycles 2000 --dut $dut; done
runs 0 "$lockstack" check own --cycles 2000 --set N=33
runs 0 "$lockstack" cover own --cycles 2000 --set N=4 --prove
runs 0 "$lockstack" mutate own --count 30 --no-proofs
runs 0 "$lockstack" area own --json a.json
equal "$(json a.json flipflops)" 8 'flip-flops, without the probe'

# What it says is seen at once: a macro, a file's contents, a folder
sed -i 's/STEP=6/STEP=8/' own/steps.yaml
runs 1 "$lockstack" check own --cycles 2000 --json d.json
equal "$(json d.json failure.port)" sum 'the name in the port file'
matches "$(cat lockstack-out/*.gtkw)" 'total\[7:0\]' 'the name in the waveform'
matches "$(cat lockstack-out/*.gtkw)" 'probe_go_seen' 'the name of a probe'
cp map own/steps.yaml
runs 0 "$lockstack" check own --cycles 2000
rm own/steps.yaml
refuses 2 'own/steps.v: is missing' "$lockstack" check own
cp map own/steps.yaml

# What lies beside the RTL goes before what this tree has of that name, for each device and verb,
# though nothing names it: a package, a module, an include file in the block's folder. A package
# that `files` has is that one, too.
mkdir near && sed 's/limits::/lsu_pkg::/; s/adder #/fifo #/' src/top.sv >near/top.sv
sed 's/limits/lsu_pkg/' src/limits.sv >near/lsu_pkg.sv && sed 's/adder/fifo/' src/lib/adder.v >near/fifo.v &&
  cp src/inc/macros.svh own/
sed 's|^files: .*|files: [../near/top.sv]|; /^libraries/d; /^includes/d' map >own/steps.yaml
for dut in rtl netlist cxxrtl icarus; do runs 0 "$lockstack" check own --cycles 2000 --dut $dut; done
runs 0 "$lockstack" mutate own --count 5 --no-proofs
runs 0 "$lockstack" area own
sed -i 's|near/top|near/lsu_pkg.sv, ../near/top|' own/steps.yaml
runs 0 "$lockstack" check own --cycles 2000
runs 0 "$lockstack" area own
sed -i 's/`STEP/`STEP + 2/' near/lsu_pkg.sv
runs 1 "$lockstack" check own --cycles 2000
# An include file of two folders, of which Yosys would take the one beside the file that asks: no
# verb takes either
sed -i 's/`STEP + 2/`STEP/' near/lsu_pkg.sv && mkdir near/inc && mv own/macros.svh near/inc/ &&
  cp near/inc/macros.svh near/
echo '`include "macros.svh"' >near/inc/outer.svh && sed -i 's/macros.svh/outer.svh/' near/top.sv &&
  echo 'includes: ../near/inc' >>own/steps.yaml
for verb in 'check own' 'check own --dut cxxrtl' 'mutate own --count 5' 'area own' 'cover own'; do
  refuses 2 'near/inc/macros.svh: Yosys reads this file where Verilator reads .*near/macros.svh: one name for two files' "$lockstack" $verb
done
cp map own/steps.yaml

# A folder of any name is worked with by a link
cp -r own 'my own'
runs 0 "$lockstack" check 'my own' --cycles 2000

# Names that do not fit
sed -i 's/total: sum_o/total: result_o/' own/steps.yaml
refuses 2 'steps.ports:1: no port result_o is in this file, as which the RTL.s total is named' "$lockstack" check own
sed 's/, total: sum_o//' map >own/steps.yaml
refuses 2 'steps.ports:7: OUT\(sum, ...\): module top has no port sum_o' "$lockstack" check own
sed 's/total: sum_o/din: sum_o/; s/din: value_i/other: value_i/' map >own/steps.yaml
refuses 2 'steps.ports:6: IN\(value, ...\): module top has no port other' "$lockstack" check own
sed 's/go: add_i/value: add_i/; s/, din: value_i/}\nsuffixes: none\n#/' map >own/steps.yaml
refuses 2 'steps.ports:6: value is value in the RTL, and so is add' "$lockstack" check own

# What it refuses
bad() { # bad REGEX: the file on standard input
  cat >own/steps.yaml
  refuses 2 "own/steps.yaml:$1" "$lockstack" check own
}
bad '1: the file is empty' </dev/null
bad "1:1: no key 'file'; there are files, .* did you mean files" <<<'file: a.v'
bad '1:1: .files: \[a.v, b.v\]. and other keys' <<<'- a.v'
bad '2:[0-9]+: ' <<<$'files: [a.v\nb: ]'
bad "1:8: no file 'a.v' here; paths start at the folder of this file" <<<'files: a.v'
bad "1:9: '../map' should end in .v, .sv, .vhd or .vhdl" <<<'files: [../map]'
bad "1:12: '../map' should be a folder" <<<'libraries: ../map'
bad "1:11: no folder 'nowhere' here" <<<'includes: nowhere'
bad "1:10: '7=8' should be NAME or NAME=VALUE" <<<'defines: 7=8'
bad "1:12: '--cc': the build says that itself" <<<'verilator: --cc'
bad "1:12: '-DFAST': .defines. is for all devices" <<<'verilator: -DFAST'
bad "1:12: '.incdir.inc': .includes. is for all devices" <<<'verilator: +incdir+inc'
bad "1:12: '--no-assert': .ifdef around an assertion of the RTL is for all devices" <<<'verilator: --no-assert'
bad "1:12: '--x-assign': the build says what is made" <<<'verilator: --x-assign'
bad "1:12: '-GBits=8': PARAM of the port file, or --set, is for all devices" <<<'verilator: -GBits=8'
bad "1:12: 'fast' should be an option of Verilator" <<<'verilator: fast'
bad "1:11: language 'vhdl' should be verilog" <<<'language: vhdl'
bad "1:11: suffixes 'no' should be none" <<<'suffixes: no'
bad '1:8: ports: \{NAME IN THE RTL: NAME HERE\}' <<<'ports: none'
bad '1:13: go: should be its name in the port file, of an input with _i and' <<<'ports: {go: add-i}'
bad "1:9: 'a b' should be the name of a port" <<<'ports: {a b: add_i}'
bad '1:18: IN: should be its name in the port file' <<<'parameters: {IN: IN-}'
bad "1:14: 'a b' should be the name of a parameter" <<<'parameters: {a b: IN_}'
bad "2:1: 'files' is already set above" <<<$'files: ../src/top.sv\nfiles: ../src/top.sv'
bad ' none of its files has a module steps' <<<'files: ../src/limits.sv'
# RTL of any name in folders of any name, through the verbs whose tools take few characters; an
# error has the names as they are
cp -r src 'in c'
mv 'in c/top.sv' 'in c/tóp of all.sv'
sed 's,\.\./src,../in c,g; s,top\.sv,tóp of all.sv,g' map >own/steps.yaml
for verb in 'check own --no-wave --cycles 1000' 'check own --no-wave --cycles 300 --dut netlist' \
  'mutate own --count 5'; do
  runs 0 "$lockstack" $verb
done
sed -i 's/din + /din + ;/' 'in c/tóp of all.sv'
refuses 2 'in c/tóp of all.sv:8:[0-9]+: syntax error' "$lockstack" check own

# --- RTL that cannot be: two clocks, what only some tools read; a line that says what to do
mkdir two
cat >two/two.v <<'END'
module two (input a_clk, input b_clk, input rst, input d, output reg q, output reg r);
  always @(posedge a_clk) if (rst) q <= 0; else q <= d;
  always @(posedge b_clk) if (rst) r <= 0; else r <= q;
endmodule
END
printf 'KIND(moore)\nCLOCK(a_clk)\nRESET(rst, high, sync)\nIN(b_clk, 1, always)\nIN(d, 1, always)\nOUT(q, 1, always)\nOUT(r, 1, always)\n' >two/two.ports
echo 'suffixes: none' >two/two.yaml
sed 's/steps/two/; s/uint64_t sum, add/int x/' own/steps.h | sed 's/steps/two/g' >two/two.h
cat >two/two.c <<'END'
#include "two.h"
void two_reset(two_t *s) { s->x = 0; }
void two_eval(const two_t *s, const two_in_t *in, two_out_t *out) { (void)s, (void)in, out->q = out->r = 0; }
void two_step(two_t *s, const two_in_t *in) { (void)s, (void)in; }
END
for dut in rtl netlist cxxrtl icarus; do
  refuses 2 'two.v: registers wait for an edge of input b_clk: a block has one clock' "$lockstack" check two --dut $dut
done
refuses 2 'two.v: registers wait for an edge of input b_clk' "$lockstack" mutate two
cp map own/steps.yaml
sed -i 's/^endmodule/p: assert property (@(posedge ck) disable iff (!arst_n) go |=> probe_go_seen);\n&/' src/top.sv
runs 0 "$lockstack" check own --cycles 2000
for dut in netlist cxxrtl icarus; do
  refuses 2 'top.sv:18: .*syntax error.*; Yosys and Icarus read no concurrent assertions: put them between `ifdef VERILATOR' "$lockstack" check own --dut $dut
done
refuses 2 'top.sv:18: syntax error.*put them between `ifdef VERILATOR' "$lockstack" area own
refuses 2 'top.sv:18: syntax error.*put them between `ifdef VERILATOR' "$lockstack" mutate own
sed -i 's/^p: .*/`ifdef VERILATOR\n&\n`endif/' src/top.sv
runs 0 "$lockstack" area own
sed -i 's/go |=>/go |-> ##1/' src/top.sv
refuses 2 'top.sv:19:[0-9]+: (syntax error|Unsupported).*; this Verilator does not read this concurrent assertion: put it' "$lockstack" check own
sed -i 's/^p: .*/  initial @(posedge ck) $display("x");/' src/top.sv
refuses 2 'requires --timing; what waits for time or events is a testbench.s: put it between `ifdef TESTBENCH' \
  "$lockstack" check own
