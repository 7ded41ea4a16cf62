# SPDX-License-Identifier: Apache-2.0
#
# Two clocks that get one, and two resets that are one: what `new` finds by itself and by --clock and
# --reset, that a clock or a reset without a line is refused, and that each reset is held against the
# RTL. own_verbs.sh has the same block in each device and verb. timeout: 600
source "$(dirname "$0")/../lib.sh"

cp -r "$source/tests/foreign/crossing/rtl" .
mkdir by changed none
refuses 2 '--clock: crossing has no input wide of one bit' "$lockstack" new crossing --from rtl/crossing.v --clock wclk,wide
refuses 2 'wait for an edge of rclk, too: wclk,put,rclk' "$lockstack" new crossing --from rtl/crossing.v --clock wclk,put
refuses 2 'wait for an edge of wclk,rclk, not of wclk alone: --clock wclk,rclk' \
  "$lockstack" new crossing --from rtl/crossing.v --clock wclk
refuses 2 '--reset: crossing has no input data of one bit' "$lockstack" new crossing --from rtl/crossing.v --reset wrst,data
refuses 2 '--reset: wrst is there twice' "$lockstack" new crossing --from rtl/crossing.v --reset wrst,high,wrst
refuses 2 '--reset: .* no input async of one bit.*NAME,low' "$lockstack" new crossing --from rtl/crossing.v --reset wrst,async
runs 0 "$lockstack" new crossing --from rtl/crossing.v --json n.json
equal "$(json n.json from.clock)" wclk,rclk 'both clocks'
equal "$(json n.json from.reset) $(json n.json from.level) $(json n.json from.sync)" 'wrst,rrst_n high,low sync,async' 'both resets'
matches "$out" 'wclk,rclk are one clock here: .* not checked' 'said of the clocks'
matches "$out" 'wrst,rrst_n are one reset here' 'said of the resets'
lines=$(grep -E '^(CLOCK|RESET)' crossing/crossing.ports | tr '\n' ' ')
equal "$lines" 'CLOCK(wclk) CLOCK(rclk) RESET(wrst, high, sync) RESET(rrst_n, low, async) ' 'a line for each'
runs 0 "$lockstack" new by/crossing --from rtl/crossing.v --clock rclk,wclk --reset rrst_n,low,async,wrst
lines=$(grep -E '^(CLOCK|RESET)' by/crossing/crossing.ports | tr '\n' ' ')
equal "$lines" 'CLOCK(rclk) CLOCK(wclk) RESET(rrst_n, low, async) RESET(wrst, high, sync) ' 'as it was said'

# A clear and a flush are inputs, and so is a burst.
cat >changed/clears.v <<'EOF'
module clears (input clk, input rst_n, input clr_i, input burst, input [7:0] d, output reg [7:0] a, b, c);
  always @(posedge clk or negedge rst_n) if (!rst_n) a <= 0; else a <= d;
  always @(posedge clk) if (clr_i) b <= 0; else b <= d;
  always @(posedge clk) if (burst) c <= 0; else c <= d;
endmodule
EOF
runs 0 "$lockstack" new clears --from changed/clears.v --json n.json
equal "$(json n.json from.reset)" rst_n 'the reset alone'
# No register says which input is the clock: of a name alone two are refused.
cat >changed/none.v <<'EOF'
module none (input clk, input clk_en, input [1:0] a, output y);
  sub #(0) u (clk, clk_en, a, y);
endmodule
module sub #(parameter W = 1) (input clk, input clk_en, input [1:0] a, output reg y);
  generate if (W) always @(posedge clk) y <= a[0]; else always @* if (a[1]) y = a[0]; endgenerate
endmodule
EOF
refuses 2 'two inputs that may be clocks, clk and clk_en, .*--clock clk or --clock clk,clk_en' \
  "$lockstack" new none/none --from changed/none.v

# The ports of a memory have clocks, too, and what is read without one follows its address.
cat >changed/rams.v <<'EOF'
module rams (input clka, clkb, we, input [3:0] wa, ra, input [7:0] d, output reg [7:0] q);
  reg [7:0] m [0:15];
  always @(posedge clka) if (we) m[wa] <= d;
  always @(posedge clkb) q <= m[ra];
endmodule
EOF
cat >changed/regfile.v <<'EOF'
module regfile (input clk, we, input [3:0] wa, ra, input [7:0] d, output [7:0] q);
  reg [7:0] m [0:15];
  always @(posedge clk) if (we) m[wa] <= d;
  assign q = m[ra];
endmodule
EOF
runs 0 "$lockstack" new rams --from changed/rams.v --json n.json
equal "$(json n.json from.clock) $(json n.json from.kind)" 'clka,clkb moore' 'of a memory with two clocks'
runs 0 "$lockstack" new regfile --from changed/regfile.v --json n.json
equal "$(json n.json from.clock) $(json n.json from.kind)" 'clk mealy' 'of a memory that is read without a clock'

# What Yosys cannot read is known by its text: a register with one value in and out of reset reads no
# edge, and says nothing of clocks. Verilator unrolls the loop over an array.
cat >changed/history.sv <<'EOF'
module history #(parameter ON = 0) (input logic clk, rst, input logic [6:0] a, input logic [1:0] d, output logic [1:0] q, mode);
  typedef struct { logic [1:0] v; } entry_t;
  entry_t m [128];
  logic [1:0] n [128];
  always_ff @(posedge clk or posedge rst)
    if (rst) mode <= 2'd3; else if (ON != 0) mode <= d; else mode <= 2'd3;
  always_ff @(posedge clk or posedge rst)
    if (rst) for (int i = 0; i < 128; i++) n[i] <= 2'd3; else n[a] <= d;
  always_ff @(posedge clk) m[a].v <= d;
  assign q = m[a].v ^ n[a];
endmodule
EOF
runs 0 "$lockstack" new history --from changed/history.sv --json n.json
equal "$(json n.json from.clock) $(json n.json from.reset)" 'clk rst' 'by the text'

# A register that takes a pointer a cycle too early, and one that a reset forgets, on each device
cp "$source"/tests/foreign/crossing/block/* crossing
sed 's/wr_seen <= wr_late/wr_seen <= wr_gray/' rtl/crossing.v >changed/crossing.v
for dut in rtl icarus cxxrtl netlist; do
  runs 1 "$lockstack" check crossing --rtl changed --no-wave --dut $dut --cycles 5000 --json c.json
  equal "$(json c.json outcome)" DIVERGED "as $dut: seen too early"
done
runs 1 "$lockstack" replay "$(json c.json replay)"
matches "$out" 'DIVERGED as recorded' 'the replay'

# Each entry is held against the RTL.
sed -i 's/RESET(wrst, high, sync)/RESET(wrst, high, async)/' crossing/crossing.ports
refuses 2 'crossing.ports:9: RESET\(wrst, ..., async\): .* sync would be right' "$lockstack" check crossing --cycles 1000
sed -i 's/RESET(wrst, high, async)/RESET(wrst, high, sync)/; s/RESET(rrst_n, low/RESET(rrst_n, high/' crossing/crossing.ports
refuses 2 'register is in reset while rrst_n is low; .*crossing.ports:10: RESET\(rrst_n, high, async\)' \
  "$lockstack" check crossing --cycles 1000
sed -i 's/RESET(rrst_n, high, async)/RESET(rrst_n, low, sync)/' crossing/crossing.ports
refuses 2 'crossing.ports:10: RESET\(rrst_n, ..., sync\): .*async would be right' "$lockstack" check crossing --cycles 1000
sed -i 's/^RESET(rrst_n.*/IN(rrst_n, 1, always)/' crossing/crossing.ports
refuses 2 'registers wait for an edge of input rrst_n.*RESET\(rrst_n, low or high, async\)' \
  "$lockstack" check crossing --cycles 1000
sed -i 's/^IN(rrst_n.*/RESET(rrst_n, low, async)/; /CLOCK(rclk)/d; s/^IN(put/IN(rclk, 1, always)\nIN(put/' crossing/crossing.ports
refuses 2 'registers wait for an edge of input rclk.*a second entry, CLOCK\(rclk\)' "$lockstack" check crossing --cycles 1000
