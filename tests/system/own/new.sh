# SPDX-License-Identifier: Apache-2.0
#
# new: folders of blocks from nothing and from RTL of several kinds; what it refuses, and that
# nothing is left then. timeout: 600
source "$(dirname "$0")/../lib.sh"

files() { ls -A | grep -v "^\.stderr" | tr "\n" " " | sed "s/ $//"; }

# From nothing: RTL, too; the check fails until the model says what the RTL does
runs 0 "$lockstack" new delay --json n.json
equal "$(json n.json from)" null 'no RTL before it'
equal "$(json n.json files.#)" 5 'files'
equal "$(files)" "delay n.json" 'what is left beside the folder'
runs 1 "$lockstack" check delay --no-wave --cycles 1000 --json c.json
equal "$(json c.json outcome)" MODEL_ASSERT 'the model that is to be written'
sed -i 's/uint64_t cycles;.*/bool valid;\n  uint64_t data;/' delay/delay.h
sed -i '/assert/d; s/out->valid = 0/out->valid = state->valid/; s/out->data = 0/out->data = state->data/
  s/  (void)in;/  (void)in;/; s/  state->cycles++;/  state->valid = in->valid;\n  state->data = in->data;/' \
    delay/delay.c
runs 0 "$lockstack" check delay --cycles 1000
runs 0 "$lockstack" check delay --cycles 1000 --set Width=3

# A path ends in the name
mkdir blocks
runs 0 "$lockstack" new blocks/other
[ -s blocks/other/other.sv ] || wrong 'a folder in another'

# --- from RTL. Widths by parameters, the kind, ports that are not compared, what is no parameter of ours
mkdir src
cat >src/mixed.sv <<'END'
module mixed #(parameter int N = 4, parameter W = 8, parameter real RATE = 1.5, localparam int D = $clog2(N + 1)) (
  input logic core_clk, input logic [N*W-1:0] a_i, input logic [2*N-1:0] b_i, input logic reset_ni, input logic [0:7] up_i, input logic wide_i,
  output logic [D-1:0] q_o, output logic [$clog2(W):0] sum_o, output logic [99:0] long_o, output logic probe_x_o,
  // names of the devices' own variables and functions
  input logic in_i, input logic put_i, input logic top_i,
  output logic out_o, output logic equal_o, output logic same_o);
  assign out_o = in_i, equal_o = put_i, same_o = top_i;
  always_ff @(posedge core_clk or negedge reset_ni) if (!reset_ni) q_o <= '0; else q_o <= turned(a_i[D-1:0], 8'd0);
  // Arguments of functions and tasks are no ports, parameters of generate blocks none of the module's.
  function automatic logic [D-1:0] turned(input logic [D-1:0] x, input logic [7:0] unused); turned = x; endfunction
  task automatic give(input logic x, output logic y); y = x; endtask
  if (1) begin : g_inner
    localparam int INNER = 3;
    logic [INNER-1:0] unused;
    assign unused = '0;
  end
  assign sum_o = wide_i ? '1 : '0;
  assign long_o = {100{q_o[0]}};
  assign probe_x_o = q_o[0];
endmodule
END
runs 0 "$lockstack" new mixed --from src/mixed.sv --json n.json
for line in 'KIND(mealy)' 'CLOCK(core_clk)' 'RESET(reset_ni, low, async)' 'IN(a, N * W, always)' \
  'IN(b, 2 * N, always)' 'IN(up, 8, always)' \
  'OUT(q, CLOG2(N + 1), always)' 'OUT(sum, CLOG2(W) + 1, always)' 'OUT_V(long_, 100, always)' \
    'PROBE(probe_x, 1, always)'; do
  grep -qxF "$line" mixed/mixed.ports || wrong "no line $line in $(cat mixed/mixed.ports)"
done
equal "$(grep -c ^PARAM mixed/mixed.ports)" 2 'parameters that are numbers'
matches "$(cat mixed/mixed.yaml)" 'ports:.*long_o: long__o' 'a name that is a word of C'
[[ $(cat mixed/mixed.yaml) != *suffixes* ]] || wrong 'ports with _i and _o need no suffixes'
runs 1 "$lockstack" check mixed --no-wave --cycles 100 --set N=5

# A parameter that the RTL makes of others is none of the port file's: a number there would hold
# against --set of the others
cat >src/deep.sv <<'END'
module deep #(parameter int DEPTH = 16, parameter AW = $clog2(DEPTH), parameter int BOTH = DEPTH ** 2, parameter int FREE = 4) (
  input logic clk, input logic rst_n, input logic [AW-1:0] a_i, output logic [AW-1:0] q_o, output logic [31:0] both_o, output logic [FREE-1:0] f_o);
  always_ff @(posedge clk) if (!rst_n) q_o <= '0; else q_o <= a_i;
  assign both_o = BOTH, f_o = '0;
endmodule
END
# Yosys cannot read the other one
sed 's/module deep/module sums/; s/^endmodule/  p: assert property (@(posedge clk) disable iff (!rst_n) f_o == 0 |=> f_o == 0);\n&/' src/deep.sv >src/sums.sv
for block in deep sums; do
  runs 0 "$lockstack" new $block --from src/$block.sv --json n.json
  equal "$(grep ^PARAM $block/$block.ports | cut -d, -f1,2 |
    tr '\n' ' ')" 'PARAM(DEPTH, 16 PARAM(FREE, 4 ' "parameters of $block"
  equal "$(json n.json from.parameters.#) $(grep -c 'is no PARAM' $block/$block.ports)" '2 2' \
    "those that are none, of $block"
  sed -i '/assert(/d; s/out->both = 0/out->both = DEPTH * DEPTH/; s/out->q = 0/out->q = state->cycles/' $block/$block.c
  sed -i 's/(void)in;$//; s/state->cycles++/state->cycles = in->a/' $block/$block.c
done
grep -qxF 'IN(a, CLOG2(DEPTH), always)' deep/deep.ports || wrong "the width of a in $(cat deep/deep.ports)"
for set in DEPTH=16 DEPTH=32; do runs 0 "$lockstack" check deep --cycles 1000 --set $set; done

# A macro, a package before it, a library elsewhere; what the tree has is found by itself
mkdir src/lib
echo 'package sizes; localparam int W = `SIZE; endpackage' >src/sizes.sv
echo 'module hold #(parameter W = 1) (input clk_i, input [W-1:0] d, output reg [W-1:0] q); always @(posedge clk_i) q <= d; endmodule' >src/lib/hold.v
cat >src/uses.sv <<'END'
module uses (input logic clk_i, input logic rst_ni, input logic push_i, input logic [sizes::W-1:0] d_i, output logic [sizes::W-1:0] q_o, output logic e_o);
  logic [sizes::W-1:0] held;
  hold #(.W(sizes::W)) u_hold (.clk_i, .d(d_i), .q(held));
  fifo #(.Width(sizes::W), .Depth(2)) u_fifo (.clk_i, .rst_ni, .push_i, .wdata_i(held), .pop_i(1'b0), .rdata_o(q_o), .empty_o(e_o),
    .full_o(), .not_empty_o(), .count_o(), .overflow_o(), .underflow_o(), .probe_wptr_o(), .probe_rptr_o());
endmodule
END
refuses 2 "src/sizes.sv:1:.*SIZE" "$lockstack" new uses --from src/uses.sv --file src/sizes.sv --library src/lib
runs 0 "$lockstack" new uses --from src/uses.sv --file src/sizes.sv --library src/lib --define SIZE=5
matches "$(cat uses/uses.yaml)" 'files:.*/sizes.sv.*/uses.sv.*/lib/hold.v.*libraries:' 'its files in order'
[[ $(cat uses/uses.yaml) != *fifo* ]] || wrong 'a file of the tree is named'
grep -qxF 'IN(d, 5, always)' uses/uses.ports || wrong 'a width by a package'
runs 1 "$lockstack" check uses --no-wave --cycles 100

# Yosys cannot read it: names say what clock and reset are
cat >src/sva.sv <<'END'
module sva (input logic clk, input logic rst_n, input logic a, output logic b);
  always_ff @(posedge clk) if (!rst_n) b <= 0; else b <= a;
  p: assert property (@(posedge clk) disable iff (!rst_n) a |=> b);
endmodule
END
runs 0 "$lockstack" new sva --from src/sva.sv --json n.json
equal "$(json n.json from.seen_inside)" false 'Yosys cannot read it'
equal "$(json n.json from.kind)" mealy 'the careful kind'
matches "$(cat sva/sva.ports)" 'CLOCK\(clk\).RESET\(rst_n, low, sync\)' 'clock and reset'
rm -r sva
runs 0 "$lockstack" new sva --from src/sva.sv --reset rst_n,low,sync
matches "$(cat sva/sva.ports)" 'RESET\(rst_n, low, sync\)' 'a reset that is given'

# --- refused, and nothing is left
left=$(files)
no() { # no REGEX ARGUMENT...
  refuses 2 "$@"
  equal "$(files)" "$left" 'what is left'
}
new() { no "$1" "$lockstack" new "${@:2}"; }
new 'X is missing'
new 'delay: is there already' delay
new "'1x' should be a name" 1x
new "'a-b' should be a name" a-b
new 'nowhere: No such file' nowhere/block
new 'go with --from FILE' x --include src
new '--from: src/none.sv: No such file' x --from src/none.sv
new "--from: 'src' should end in .sv, .v, .vhd or .vhdl" x --from src
new '--include: src/sva.sv should be a folder' x --from src/sva.sv --include src/sva.sv
new "src/sva.sv: has no module x; there are sva" x --from src/sva.sv
echo 'module bench; reg clk = 0; always #1 clk = !clk; endmodule' >src/bench.v
new 'src/bench.v: module bench has no ports' bench --from src/bench.v
cat >src/two.v <<'END'
module two (input wclk, input rclk, input rst, input d, output reg q, output reg r);
  always @(posedge wclk) if (rst) q <= 0; else q <= d;
  always @(posedge rclk) if (rst) r <= 0; else r <= q;
endmodule
module none (input d, output q); assign q = d; endmodule
module noreset (input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule
module pad (input clk, input rst, inout d); assign d = rst ? 1'bz : clk; endmodule
module shape (input clk, input rst, input [3:0] d [1:0], output reg q); always @(posedge clk) if (rst) q <= 0; else q <= d[0][0]; endmodule
module wrong (input clk, input rst, output reg q); always @(posedge clk) q <= ; endmodule
END
sed -n 8p src/two.v >src/shape.sv
sed -n 9p src/two.v >src/wrong.v
sed -i 8,9d src/two.v
runs 0 "$lockstack" new two --from src/two.v
matches "$out" 'wclk,rclk are one clock here: what crosses from one to another is not checked' 'two clocks'
rm -r two
new '--clock: none has no input clk of one bit' none --from src/two.v --clock clk
new '--reset: none has no register' none --from src/two.v --reset d
new '--clock none: noreset has registers, which wait for an edge of clk' noreset --from src/two.v --clock none
new "--reset: 'none,-1' should be none,CYCLES" noreset --from src/two.v --reset none,-1
new '--clock: registers of noreset wait for an edge of clk, not of d' noreset --from src/two.v --clock d
new '--reset: noreset has no input q of one bit' noreset --from src/two.v --reset q
new '--reset: noreset has no input maybe of one bit; NAME, NAME,low' noreset --from src/two.v --reset d,maybe
new 'two.v:7: port d of pad is an inout: a module around it should make an input, an output and an enable' pad --from src/two.v
runs 0 "$lockstack" new shape --from src/shape.sv
grep -qxF 'ARRAY(d_a, 2, 4)' shape/shape.ports || wrong "no array in $(cat shape/shape.ports)"
rm -r shape
new 'wrong.v:1:[0-9]+: syntax error' wrong --from src/wrong.v
runs 0 "$lockstack" new noreset --from src/two.v --reset d,high
matches "$(cat noreset/noreset.ports)" 'RESET\(d, high, sync\)' 'an input for a reset'

# A .v file is SystemVerilog unless only Verilog 2005 reads it ($error is none of the latter's), and
# a clock that no register of the default parameters waits for is known by its name
mkdir 'src/ö l' # tools get the file by a link
cat >'src/ö l/wide one.v' <<'END'
module wide #(parameter A = 8, parameter B = 8) (input clk, input rst, input [A-1:0] d, output [B-1:0] q);
  initial if (A > 64) $error("too wide");
  generate
    if (A == B) assign q = d;
    else begin : g_register
      reg [B-1:0] r;
      always @(posedge clk) if (rst) r <= 0; else r <= d;
      assign q = r;
    end
  endgenerate
endmodule
END
runs 0 "$lockstack" new wide --from 'src/ö l/wide one.v'
grep -qx 'IN(d, A, always)' wide/wide.ports || wrong "no width by its parameter: $(cat wide/wide.ports)"
grep -qx 'CLOCK(clk)' wide/wide.ports && grep -qx 'RESET(rst, high, sync)' wide/wide.ports ||
  wrong "clock and reset: $(cat wide/wide.ports)"
[[ $(cat wide/wide.yaml) != *language* ]] || wrong 'a file that SystemVerilog reads is said to be Verilog 2005'
