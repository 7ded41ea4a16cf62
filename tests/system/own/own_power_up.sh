# SPDX-License-Identifier: Apache-2.0
#
# Blocks without a reset and without a clock: what `new` says of them, each verb and device, and
# that a wrong value at power-up is seen. timeout: 900
source "$(dirname "$0")/../lib.sh"

mkdir src again third latched
cat >src/stages.v <<'EOF'
module stages (input clk, input [7:0] d, output [7:0] q);
  reg [7:0] a, b, c;
  always @(posedge clk) begin a <= d; b <= a + 8'd1; c <= b ^ 8'h5a; end
  assign q = c;
endmodule
EOF
cat >src/tally.v <<'EOF'
module tally (input clk, input up, input [1:0] at, output [7:0] sum, output [3:0] row);
  reg [7:0] total = 8'h3c;
  reg [3:0] rows [0:3];
  integer i;
  initial for (i = 0; i < 4; i = i + 1) rows[i] = 4'd9 - i;
  always @(posedge clk) if (up) begin total <= total + 8'd1; rows[at] <= rows[at] + 4'd1; end
  assign sum = total;
  assign row = rows[0];
endmodule
EOF
cat >src/alu.v <<'EOF'
module alu #(parameter W = 8) (input [1:0] op, input [W-1:0] a, input [W-1:0] b, output reg [W:0] y);
  always @* case (op) 0: y = a + b; 1: y = a - b; 2: y = a & b; default: y = a ^ b; endcase
endmodule
EOF

cat >src/lut.v <<'EOF'
module lut (input [5:0] at, output [31:0] k);
  reg [31:0] value;
  assign k = value;
  always @* case (at)
    0: value = 32'h428a2f98; 1: value = 32'h71374491; 2: value = 32'hb5c0fbcf; 3: value = 32'he9b5dba5;
    4: value = 32'h3956c25b; 5: value = 32'h59f111f1; 6: value = 32'h923f82a4; 7: value = 32'hab1c5ed5;
    8: value = 32'hd807aa98; 9: value = 32'h12835b01; default: value = 0;
  endcase
endmodule
EOF
cat >src/wires.v <<'EOF'
module wires (input [1:0] a, input b, output [1:0] y, output z, output one);
  assign y = a, z = b, one = 1'b1;
endmodule
EOF

# --- what new says of them
runs 0 "$lockstack" new stages --from src/stages.v --json n.json
matches "$out" 'no reset: outputs count from cycle 3 on' 'three registers in a row'
equal "$(json n.json from.reset) $(json n.json from.initial) $(json n.json from.uncompared)" 'null false 3' 'as JSON'
matches "$(cat stages/stages.ports)" 'RESET\(none, 3\)' 'in the port file'
runs 0 "$lockstack" new tally --from src/tally.v --json n.json
matches "$out" 'no reset: registers begin with values of the RTL' 'all registers and the memory declare values'
matches "$(cat tally/tally.ports)" 'RESET\(initial\)' 'in the port file'
runs 0 "$lockstack" new alu --from src/alu.v --json n.json
matches "$out" 'clock none, no registers' 'combinational'
equal "$(json n.json from.clock) $(json n.json from.kind)" 'null mealy' 'as JSON'
matches "$(tr '\n' ' ' <alu/alu.ports)" 'KIND\(mealy\) CLOCK\(none\) RESET\(none, 0\)' 'in the port file'
for block in lut wires; do # a table, which Yosys makes a memory, and no cell at all
  runs 0 "$lockstack" new $block --from src/$block.v
  matches "$(tr '\n' ' ' <$block/$block.ports)" 'KIND\(mealy\) CLOCK\(none\) RESET\(none, 0\)' "$block: no register"
done
runs 0 "$lockstack" new again/stages --from src/stages.v --reset none,7
matches "$(cat again/stages/stages.ports)" 'RESET\(none, 7\)' 'by hand'
runs 0 "$lockstack" new third/stages --from src/stages.v --reset initial --clock clk
matches "$(cat third/stages/stages.ports)" 'RESET\(initial\)' 'by hand'
for block in stages alu; do
  runs 1 "$lockstack" check $block --no-wave --cycles 1000 --json c.json
  equal "$(json c.json outcome)" MODEL_ASSERT "$block: the model that is to be written"
done

# --- their models
cat >stages/stages.c <<'EOF'
#include "stages.h"
void stages_reset(stages_t *s) { (void)s; }
void stages_eval(const stages_t *s, const stages_in_t *in, stages_out_t *out) { (void)in; out->q = s->late[2]; }
void stages_step(stages_t *s, const stages_in_t *in) {
  s->late[2] = (uint8_t)(s->late[1] ^ 0x5a), s->late[1] = (uint8_t)(s->late[0] + 1), s->late[0] = (uint8_t)in->d;
}
EOF
sed -i 's/uint64_t cycles;.*/uint8_t late[3];/' stages/stages.h
cat >tally/tally.c <<'EOF'
#include "tally.h"
void tally_reset(tally_t *s) {
  s->total = 0x3c;
  for (int i = 0; i < 4; i++) s->row[i] = (uint8_t)(9 - i);
}
void tally_eval(const tally_t *s, const tally_in_t *in, tally_out_t *out) {
  (void)in;
  out->sum = s->total, out->row = s->row[0];
}
void tally_step(tally_t *s, const tally_in_t *in) {
  if (in->up) s->total++, s->row[in->at] = (s->row[in->at] + 1) & 15;
}
EOF
sed -i 's/uint64_t cycles;.*/uint8_t total, row[4];/' tally/tally.h
cat >alu/alu.c <<'EOF'
#include "alu.h"
#include "variant.h"
void alu_reset(alu_t *s) { (void)s; }
void alu_eval(const alu_t *s, const alu_in_t *in, alu_out_t *out) {
  const uint64_t y = in->op == 0 ? in->a + in->b : in->op == 1 ? in->a - in->b : in->op == 2 ? in->a & in->b : in->a ^ in->b;
  (void)s;
  out->y = y & ((2ull << W) - 1);
}
void alu_step(alu_t *s, const alu_in_t *in) { (void)s, (void)in; }
EOF

# --- every device and verb; the stimulus of `new` powers them up again every thousand cycles
for block in stages tally; do
  for dut in rtl icarus cxxrtl netlist; do
    runs 0 "$lockstack" check $block --dut $dut --cycles 5000 --json c.json
    equal "$(json c.json outcome) $(json c.json cycles)" 'PASS 5000' "$block as $dut"
  done
  runs 0 "$lockstack" check $block --cycles 3000 --wave w.fst
  runs 0 "$lockstack" mutate $block --json m.json
  equal "$(json m.json survived) $(json m.json undecided)" '0 0' "$block: no mutant survives"
  runs 0 "$lockstack" cover $block --prove
  runs 0 "$lockstack" faults $block --count 200
  runs 0 "$lockstack" power $block --cycles 2000
  runs 0 "$lockstack" area $block
done
runs 0 "$lockstack" check alu --cycles 5000 # each device and verb: tests/foreign/op_unit, own_verbs.sh
runs 0 "$lockstack" check alu --set W=32 --cycles 5000
runs 0 "$lockstack" check alu --set W=1 --cycles 5000

# Wires alone: no line to cover, and faults of its outputs
sed -i '/assert(!/d; s/out->y = 0/out->y = in->a/; s/out->z = 0/out->z = in->b/; s/out->one = 0/out->one = 1/' wires/wires.c
runs 0 "$lockstack" mutate wires --json m.json
equal "$(json m.json survived) $(json m.json undecided)" '0 0' 'wires: no mutant survives'
[ "$(json m.json killed)" -ge 4 ] || wrong "wires: $(json m.json killed) mutants of four bits"
table='0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01'
sed -i "/assert(!/d; s/out->k = 0/static const uint32_t k[] = {$table};\n  out->k = in->at < 10 ? k[in->at] : 0/" lut/lut.c
runs 0 "$lockstack" mutate lut --count 40 --json m.json
equal "$(json m.json killed)" 40 'lut: a table has mutants, and each is killed'
runs 1 "$lockstack" cover wires # one output never changes
matches "$out" 'missed toggle .*wires.v:1  one  never changed' 'wires: bits are covered'
sed -i 's/out->z = in->b/out->z = 1/' wires/wires.c
runs 1 "$lockstack" check wires --no-wave --cycles 200

# --- a value that nobody has given is seen: too few cycles, no value, another value
sed -i 's/RESET(none, 3)/RESET(none, 2)/' stages/stages.ports
for dut in rtl icarus; do
  runs 1 "$lockstack" check stages --no-wave --dut $dut --cycles 5000 --json c.json
  equal "$(json c.json outcome)" DIVERGED "stages as $dut: the last register has any value after two cycles"
done
sed -i 's/reg \[7:0\] total = .*/reg [7:0] total;/' src/tally.v
for dut in rtl icarus; do
  runs 1 "$lockstack" check tally --no-wave --dut $dut --cycles 5000 --json c.json
  equal "$(json c.json outcome)" DIVERGED "tally as $dut: a register without a value"
done
sed -i "s/reg \[7:0\] total;/reg [7:0] total = 8'h3d;/" src/tally.v
for dut in rtl icarus cxxrtl netlist; do
  runs 1 "$lockstack" check tally --no-wave --dut $dut --cycles 5000 --json c.json
  equal "$(json c.json outcome)" DIVERGED "tally as $dut: another value"
done
runs 1 "$lockstack" replay "$(json c.json replay)"

# --- a latch is no register that new would take for none
sed -i 's/always @\* case/always @* if (op != 3) case/' src/alu.v
refuses 2 'alu.v:1: y is a latch, and no register of module alu waits for a clock: .* would be right' "$lockstack" new latched/alu --from src/alu.v
runs 1 "$lockstack" check alu --no-wave --cycles 5000 --json c.json
equal "$(json c.json outcome)" DIVERGED 'a latch keeps what the model does not'
