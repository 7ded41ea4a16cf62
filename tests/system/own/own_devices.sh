#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# Devices and the language: shifts, latches, delays and initial values are the same on each device;
# what a device cannot do is refused by name; calls that do not return end.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# A block `name` of inputs a and b and an output y, 8 bits each. Its model: `body` with the
# statements of a step; outputs are those of `out`, from s->r, in->a and in->b.
block() { # NAME KIND RTL OUT STEP RESET
  mkdir -p "$1"
  printf '%s\n' "module $1 (input clk, input rst, input [7:0] a_i, input [7:0] b_i, output [7:0] y_o);" "$3" \
    endmodule >"$1/$1.v"
  printf '%s\n' "KIND($2)" 'CLOCK(clk)' 'RESET(rst, high, sync)' 'IN(a, 8, always)' 'IN(b, 8, always)' \
    'OUT(y, 8, always)' >"$1/$1.ports"
  cat >"$1/$1.h" <<C
#include "$1_ports.h"
typedef struct $1 { uint64_t r, k, m[4], on; } $1_t;
void $1_reset($1_t *s);
void $1_eval(const $1_t *s, const $1_in_t *in, $1_out_t *out);
void $1_step($1_t *s, const $1_in_t *in);
C
  cat >"$1/$1.c" <<C
#include "$1.h"
void $1_reset($1_t *s) { $6 }
void $1_eval(const $1_t *s, const $1_in_t *in, $1_out_t *out) { (void)s, (void)in; out->y = ($4) & 255; }
void $1_step($1_t *s, const $1_in_t *in) { (void)s, (void)in; $5 }
C
}
holds() { # NAME KIND...
  local name=$1 kind
  shift
  for kind; do
    runs 0 "$lockstack" check "./$name" --dut "$kind" --cycles 2000 --no-wave
  done
}

# --- shifts: results wider and narrower than the port, signed ones
block shifts mealy "  wire [11:0] wide = a_i << b_i[3:0];
  wire signed [7:0] s = a_i;
  wire [4:0] low = a_i << b_i[2:0];
  wire [15:0] far = s >>> b_i[3:0];
  wire signed [7:0] near = s >>> b_i[1:0];
  assign y_o = wide[7:0] ^ {3'b0, low} ^ far[15:8] ^ near ^ {7'b0, wide > 12'hff};" \
  "(in->a << (in->b & 15)) ^ ((in->a << (in->b & 7)) & 31) ^ ((int16_t)((int8_t)in->a >> (in->b & 15)) >> 8)
    ^ ((int8_t)in->a >> (in->b & 3)) ^ (((in->a << (in->b & 15)) & 4095) > 255)" '' ''
holds shifts rtl icarus cxxrtl netlist

# --- vectors that feed their own other bits: the tree of an arbiter, of RTL and of gates
block arbiter mealy '  wire [14:0] any, gnt;
  wire [44:0] index;
  assign any[14:7] = a_i, gnt[0] = any[0];
  assign y_o = b_i[0] ? gnt[14:7] : index[2:0];
  genvar n;
  generate for (n = 0; n < 8; n = n + 1) begin : leaf
    assign index[3 * (n + 7) +: 3] = n;
  end for (n = 0; n < 7; n = n + 1) begin : node
    assign any[n] = any[2 * n + 1] | any[2 * n + 2], gnt[2 * n + 1] = gnt[n] & any[2 * n + 1];
    assign gnt[2 * n + 2] = gnt[n] & ~any[2 * n + 1];
    assign index[3 * n +: 3] = any[2 * n + 1] ? index[3 * (2 * n + 1) +: 3] : index[3 * (2 * n + 2) +: 3];
  end endgenerate' 'in->b & 1 ? in->a & -in->a : in->a ? __builtin_ctzll(in->a) : 7' '' ''
holds arbiter rtl netlist

# --- a latch, and what follows it in the same evaluation
block latch mealy '  reg [7:0] held;
  always @* if (rst) held = 0; else if (a_i[0]) held = b_i;
  assign y_o = held + 8'"'d1;" '(in->a & 1 ? in->b : s->r) + 1' 'if (in->a & 1) s->r = in->b;' 's->r = 0;'
holds latch rtl cxxrtl

# --- delays take no time, with three values neither
block delays mealy '  wire [7:0] n, c; wire g;
  reg [7:0] q, p;
  parameter D = 2;
  assign #(1:2:3) n = a_i ^ b_i;
  and #(D, 3) u_and (g, a_i[0], b_i[0]);
  delays_part u_part (.i(a_i), .o(c));
  always @(posedge clk) begin q <= #(D) rst ? 0 : a_i; p <= #1 rst ? 0 : q; end
  assign #D y_o = n ^ {7'"'b0, g} ^ c ^ p;
endmodule
module delays_part (input [7:0] i, output [7:0] o);
  assign #4 o = ~i;
  specify (i *> o) = (3, 4); endspecify" '~in->b ^ (in->a & in->b & 1) ^ s->k' 's->k = s->r, s->r = in->a;' 's->r = s->k = 0;'
holds delays rtl icarus cxxrtl netlist

# --- declared and initial values without a reset, of memories, too: the netlist powers up so
block start mealy "  reg [7:0] r = 8'h5a, m [0:3];
  reg [3:0] k; integer i;
  initial begin k = 9; for (i = 0; i < 4; i = i + 1) m[i] = 8'h30 + i; end
  always @(posedge clk) if (!rst && b_i[0]) begin r <= r + a_i; k <= k + 1; m[k[1:0]] <= m[k[1:0]] + a_i; end
  assign y_o = r ^ {4'b0, k} ^ m[b_i[2:1]];" 's->r ^ s->k ^ s->m[in->b >> 1 & 3]' \
  'if (in->b & 1) {
    unsigned i = s->k & 3;
    s->r = (s->r + in->a) & 255, s->k = (s->k + 1) & 15, s->m[i] = (s->m[i] + in->a) & 255;
  }' 'if (!s->on) { s->r = 0x5a, s->k = 9; for (int i = 0; i < 4; i++) s->m[i] = 0x30 + i; } s->on = 1;'
holds start rtl icarus cxxrtl netlist

# --- gates that may float, in a part: refused by name where Yosys reads them
block gates mealy '  wire [7:0] bus;
  gates_drive u_one (.on(a_i[0]), .d(b_i), .q(bus)); gates_drive u_two (.on(!a_i[0]), .d(a_i), .q(bus));
  assign y_o = bus;
endmodule
module gates_drive (input on, input [7:0] d, inout [7:0] q);
  bufif1 u0 (q[0], d[0], on); bufif1 u1 (q[1], d[1], on); bufif1 u2 (q[2], d[2], on); bufif1 u3 (q[3], d[3], on);
  bufif1 u4 (q[4], d[4], on); bufif1 u5 (q[5], d[5], on); bufif1 u6 (q[6], d[6], on); bufif1 u7 (q[7], d[7], on);' \
  'in->a & 1 ? in->b : in->a' '' ''
holds gates rtl icarus
for kind in cxxrtl netlist; do
  refuses 2 "gates.v:[0-9:]+ '.*': tri-state logic, which Yosys drops: devices rtl and icarus have it" \
    "$lockstack" check ./gates --dut $kind --cycles 10
done
refuses 2 "gates.v:[0-9:]+ '.*': tri-state logic, which Yosys drops" "$lockstack" mutate ./gates --count 3
runs 2 "$lockstack" area ./gates
matches "$err" "tri-state logic, which Yosys drops" 'the area of gates that may float'

# --- loops of logic: named before the run, on each device
block circle mealy '  wire one, two;
  circle_not u_not (.i(two), .o(one));
  assign two = one & a_i[0];
  assign y_o = {7'"'b0, one};
endmodule
module circle_not (input i, output o); assign o = ~i;" 0 '' ''
for kind in rtl icarus cxxrtl netlist; do
  refuses 2 "circle.v:[0-9:]+ combinational loop through 'circle.*a bit depends on itself" \
    "$lockstack" check ./circle --dut $kind --cycles 10
done
# A latch that feeds itself is none, and settles only while it is closed
block rings mealy '  reg [7:0] l;
  always @* if (a_i[0]) l = ~l;
  assign y_o = l;' 0 '' ''
runs 1 "$lockstack" check ./rings --dut cxxrtl --cycles 10 --no-wave --shrink-seconds 1
matches "$out" "rings: does not settle: logic that feeds itself: 'l'" 'what does not settle'

# --- calls that do not return
block turns moore '  reg [7:0] q; integer i;
  reg [7:0] s;
  always @(posedge clk) begin
    s = a_i; i = 0;
    while (s != b_i && !rst) begin s = s & 127; i = i + 1; end
    q <= s;
  end
  assign y_o = q;' 0 '' ''
runs 1 env LOCKSTACK_CALL_SECONDS=1 "$lockstack" check ./turns --cycles 10 --shrink-seconds 1 --json t.json
matches "$out" 'device rtl: did not return after 1 s of CPU time: a loop without an end in the RTL' 'a loop without an end'
equal "$(json t.json outcome)" DUT_ASSERT 'its outcome'
runs 1 env LOCKSTACK_CALL_SECONDS=1 "$lockstack" replay "$(json t.json replay)"
refuses 3 'vvp .Icarus Verilog. computes one clock cycle for more than 1 s of CPU time' \
  env LOCKSTACK_CALL_SECONDS=1 "$lockstack" check ./turns --dut icarus --cycles 10 --no-wave
for kind in rtl icarus; do
  for signal in INT TERM; do
    "$lockstack" check ./turns --dut $kind --cycles 10 --no-wave >"$kind.out" 2>"$kind.err" &
    child=$!
    sleep 3
    kill -$signal $child
    wait $child
    equal $? 3 "a run on $kind that SIG$signal ends"
    matches "$(cat "$kind.err")" interrupted "SIG$signal on $kind"
  done
done

# --- faults: a loop's counter is no register
block counts moore '  reg [7:0] q, kept, passing; integer i;
  always @(posedge clk) begin
    for (i = 0; i < 8; i = i + 1) q[i] <= rst ? 1'"'b0 : a_i[7 - i];
    if (rst) kept = 0; else if (a_i[0]) kept = b_i;
    passing = kept + 1;
    if (passing == 0) i = 0;
    if (rst) for (i = 0; i < 2; i = i + 1) q[i] <= 1'b0;
  end
  assign y_o = q ^ kept;" 's->r ^ s->k' \
  's->r = 0; for (int i = 0; i < 8; i++) s->r |= (in->a >> (7 - i) & 1) << i; if (in->a & 1) s->k = in->b;' \
  's->r = s->k = 0;'
holds counts rtl
runs 0 "$lockstack" faults ./counts --cycles 500 --count 60 --json f.json
equal "$(json f.json total.bits)" 16 'bits of registers'

# --- a write behind the end of a port's array
mkdir words && cat >words/words.v <<'V'
module words (input clk, input rst, input [1:0] v_i, input [127:0] x_i, input [7:0] z_i, output reg [7:0] y_o);
  always @(posedge clk) y_o <= rst ? 0 : z_i;
endmodule
V
printf '%s\n' 'KIND(moore)' 'CLOCK(clk)' 'RESET(rst, high, sync)' 'IN(v, 2, always)' 'IN_N(x, 2, 64, v)' \
  'IN(z, 8, always)' 'OUT(y, 8, always)' >words/words.ports
printf '#include "words_ports.h"\ntypedef struct words { uint64_t y; unsigned n; } words_t;\n%s\n%s\n%s\n' \
  'void words_reset(words_t *s);' 'void words_eval(const words_t *s, const words_in_t *in, words_out_t *out);' \
  'void words_step(words_t *s, const words_in_t *in);' >words/words.h
printf '#include "words.h"\n%s\n%s\n%s\n' 'void words_reset(words_t *s) { s->y = 0, s->n = 4; }' \
  'void words_eval(const words_t *s, const words_in_t *in, words_out_t *out) { (void)in, out->y = s->y; }' \
  'void words_step(words_t *s, const words_in_t *in) { s->y = in->z; }' >words/words.c
cat >words/words_stim.c <<'C'
#include "words.h"
#include "stim.h"
static void init(void *s, uint64_t seed, unsigned profile) { *(unsigned *)s = 4, (void)seed, (void)profile; }
static void next(void *s, uint64_t cycle, const void *seen, void *bytes) {
  words_in_t *in = bytes;
  (void)seen, in->z = 3;
  if (cycle == 50) ++*(unsigned *)s;
  for (unsigned k = 0; k < *(unsigned *)s; k++) in->x[k] = 1;
}
static const stim_profile_t profiles[] = {{"all", "all"}};
const stim_t words_stim = {
    .state_size = sizeof(unsigned), .profiles = profiles, .num_profiles = 1, .init = init, .next = next};
C
runs 1 "$lockstack" check ./words --cycles 200 --no-wave --json w.json
matches "$out" 'words_stim.c:8: index 4 is behind the end of an array of type' 'a write of the stimulus'
equal "$(json w.json outcome)" STIM_CRASH 'its outcome'
sed -i 's/++\*(unsigned \*)s;//' words/words_stim.c
sed -i 's/s->y = in->z;/s->y = in->z; if (s->y) s->n++; ((words_in_t *)(uintptr_t)in)->x[s->n - 1] = 0;/' words/words.c
runs 1 "$lockstack" check ./words --cycles 200 --no-wave --json w.json
matches "$out" 'words.c:[0-9]+: index [0-9] is behind the end of an array of type' 'a write of the model'
equal "$(json w.json outcome)" MODEL_ASSERT 'its outcome'
