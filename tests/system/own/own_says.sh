# SPDX-License-Identifier: Apache-2.0
#
# What a port file says besides widths: qualifiers with ! and of several ports, inputs that count in
# a reset, parameters that are negative or texts. Each on its devices and in the verbs that obey it,
# with faults that must be found and faults that nobody may see. timeout: 900
source "$(dirname "$0")/../lib.sh"

mkdir -p queue start mixer blocks
# --- a queue: data while it is not empty, a tag in last words without an error; lanes by bits
cat >queue/queue.sv <<'EOF'
module queue (
  input logic clk, rst, idle_i, err_i, input logic [7:0] data_i, input logic [8:0] cmd_i, input logic pop_i,
  output logic empty_o, last_o, bad_o, output logic [7:0] data_o, output logic [3:0] tag_o,
  output logic [1:0] stall_o, output logic [7:0] lane_o, output logic [7:0] sum_o
);
  logic [8:0] mem [4];
  logic [1:0] rd, wr;
  logic [2:0] n;
  wire push = !idle_i && !err_i && n != 4, pop = pop_i && n != 0;
  assign empty_o = n == 0;
  assign data_o  = mem[rd][7:0];
  assign last_o  = mem[rd][7];
  assign bad_o   = ^mem[rd][7:0];
  assign tag_o   = mem[rd][3:0];
  assign stall_o = {n[2] || n[1], n[0]};
  assign lane_o  = {n[2] || n[1] ? 4'hf : {1'b0, n}, n[0] ? 4'h9 : {1'b1, n}};
  always_ff @(posedge clk)
    if (rst) begin rd <= 0; wr <= 0; n <= 0; sum_o <= 0; end
    else begin
      if (push) begin mem[wr] <= {1'b0, data_i}; wr <= wr + 1; end
      if (pop) rd <= rd + 1;
      n <= n + 3'(push) - 3'(pop);
      if (!cmd_i[8]) sum_o <= sum_o + cmd_i[7:0];
    end
endmodule
EOF
cat >queue/queue.ports <<'EOF'
KIND(moore)
CLOCK(clk)
RESET(rst, high, sync)
FIELD(cmd_t, idle, 1, always)
FIELD(cmd_t, add, 8, !idle)
IN(idle, 1, always)
IN(err, 1, always)
IN(data, 8, !idle & !err)
IN_S(cmd, cmd_t, always)
IN(pop, 1, always)
OUT(empty, 1, always)
OUT(last, 1, !empty)
OUT(bad, 1, !empty)
OUT(data, 8, !empty)
OUT(tag, 4, !empty & last & !bad)
OUT(stall, 2, always)
OUT_N(lane, 2, 4, !stall)
OUT(sum, 8, always)
EOF
cat >queue/queue.h <<'EOF'
#ifndef QUEUE_H
#define QUEUE_H
#include "queue_ports.h"
typedef struct queue_state { uint64_t n; uint8_t word[4], sum; } queue_t;
void queue_reset(queue_t *);
void queue_eval(const queue_t *, const queue_in_t *, queue_out_t *);
void queue_step(queue_t *, const queue_in_t *);
#endif
EOF
cat >queue/queue.c <<'EOF'
#include "queue.h"
#include <string.h>
void queue_reset(queue_t *q) { q->n = 0, q->sum = 0; }
void queue_eval(const queue_t *q, const queue_in_t *in, queue_out_t *out) {
  (void)in;
  out->empty = !q->n, out->data = q->word[0], out->last = q->word[0] >> 7;
  out->bad = (unsigned)__builtin_popcount(q->word[0]) & 1, out->tag = q->word[0] & 15;
  out->stall = (uint64_t)(q->n > 1) << 1 | (q->n & 1), out->lane[0] = (uint32_t)(q->n << 4 | 8 | q->n), out->sum = q->sum;
}
void queue_step(queue_t *q, const queue_in_t *in) {
  const int push = !in->idle && !in->err && q->n < 4, pop = in->pop && q->n;
  if (pop) memmove(q->word, q->word + 1, 3), q->n--;
  if (push) q->word[q->n++] = (uint8_t)in->data;
  if (!in->cmd.idle) q->sum = (uint8_t)(q->sum + in->cmd.add);
}
EOF
for dut in rtl icarus netlist cxxrtl; do
  runs 0 "$lockstack" check queue --dut $dut --cycles 3000 --no-wave --json c.json
  equal "$(json c.json outcome)" PASS "queue, $dut"
done
runs 0 "$lockstack" check queue --against icarus --cycles 1000 --no-wave --json c.json
equal "$(json c.json outcome)" PASS 'two devices: what is X in an empty queue is not compared'
runs 0 "$lockstack" mutate queue --count 150 --json m.json
equal "$(json m.json survived) $(json m.json undecided)" '0 0' 'mutants that only show while nothing counts are equivalent'

# faults: WHERE, what the RTL then has, and the port that shows it (none: nobody may see it)
change() {
  rm -rf faulty && cp -r queue faulty && mv faulty inner && mkdir faulty && mv inner faulty/queue
  sed -i "s/$1/$2/" faulty/queue/queue.sv
  if cmp -s queue/queue.sv faulty/queue/queue.sv; then wrong "nothing changed: $1"; fi
}
change 'data_o  = mem\[rd\]\[7:0\]' "data_o  = n == 0 ? 8'hff : mem[rd][7:0]"
runs 0 "$lockstack" check faulty/queue --cycles 3000 --no-wave
change 'data_o  = mem\[rd\]\[7:0\]' "data_o  = mem[rd][7:0] ^ 8'(n == 4)"
runs 1 "$lockstack" check faulty/queue --cycles 3000 --no-wave --json c.json
equal "$(json c.json failure.port) $(json c.json outcome)" 'data DIVERGED' 'a wrong word'
runs 1 "$lockstack" replay "$(json c.json replay)" --json r.json
equal "$(json r.json outcome)" DIVERGED 'and its replay'
change 'tag_o   = mem\[rd\]\[3:0\]' "tag_o   = mem[rd][3:0] ^ {4{!mem[rd][7] || ^mem[rd][7:0]}}"
runs 0 "$lockstack" check faulty/queue --cycles 3000 --no-wave
change 'tag_o   = mem\[rd\]\[3:0\]' "tag_o   = mem[rd][3:0] ^ {4{mem[rd][7:0] == 8'h99}}"
runs 1 "$lockstack" check faulty/queue --cycles 20000 --no-wave --json c.json
equal "$(json c.json failure.port)" tag 'a wrong tag'
change "4'h9" "4'h6"
runs 0 "$lockstack" check faulty/queue --cycles 3000 --no-wave
change '{1.b1, n}' "{1'b1, n ^ 3'(n == 4)}"
runs 1 "$lockstack" check faulty/queue --cycles 3000 --no-wave --json c.json
equal "$(json c.json failure.port)" lane 'a wrong lane that does not stall'
change 'if (!cmd_i\[8\])' 'if (!cmd_i[8] || cmd_i[7:0] == 7)'
runs 1 "$lockstack" check faulty/queue --cycles 20000 --no-wave --json c.json
equal "$(json c.json failure.port)" sum 'a command while it idles'

# --- inputs that count in a reset, synchronous and asynchronous
cat >start/start.sv <<'EOF'
module start (
  input logic clk, rst_n, input logic [31:0] boot_addr_i, input logic [3:0] mode_i, input logic jump_i,
  input logic [31:0] to_i, output logic [31:0] pc_o, output logic [3:0] mode_o
);
  always_ff @(posedge clk)
    if (!rst_n) begin pc_o <= boot_addr_i; mode_o <= mode_i ^ {4{boot_addr_i == 32'hdeadbeef}}; end
    else pc_o <= jump_i ? to_i : pc_o + 4;
endmodule
EOF
cat >start/start.ports <<'EOF'
KIND(moore)
CLOCK(clk)
RESET(rst_n, low, sync)
IN(boot_addr, 32, always)
IN(mode, 4, always)
RESET_IN(boot_addr)
RESET_IN(mode)
IN(jump, 1, always)
IN(to, 32, jump)
OUT(pc, 32, always)
OUT(mode, 4, always)
EOF
cat >start/start.h <<'EOF'
#ifndef START_H
#define START_H
#include "start_ports.h"
typedef struct start_state { uint32_t pc, mode; } start_t;
void start_reset(start_t *);
void start_reset_in(start_t *, const start_in_t *);
void start_eval(const start_t *, const start_in_t *, start_out_t *);
void start_step(start_t *, const start_in_t *);
#endif
EOF
cat >start/start.c <<'EOF'
#include "start.h"
void start_reset(start_t *s) { (void)s; }
void start_reset_in(start_t *s, const start_in_t *in) {
  s->pc = (uint32_t)in->boot_addr, s->mode = (uint32_t)in->mode ^ (in->boot_addr == 0xdeadbeef ? 15 : 0);
}
void start_eval(const start_t *s, const start_in_t *in, start_out_t *out) {
  (void)in;
  out->pc = s->pc, out->mode = s->mode;
}
void start_step(start_t *s, const start_in_t *in) { s->pc = in->jump ? (uint32_t)in->to : s->pc + 4; }
EOF
for dut in rtl icarus netlist cxxrtl; do
  runs 0 "$lockstack" check start --dut $dut --cycles 2000 --no-wave --json c.json
  equal "$(json c.json outcome)" PASS "start, $dut"
done
runs 0 "$lockstack" faults start --count 100
# a mutant that shows in a reset with 0xdeadbeef alone survives random inputs; the proof names these
runs 1 "$lockstack" mutate start --count 60 --cycles 3000 --json m.json
[ "$(json m.json survived)" -gt 0 ] || wrong 'no mutant shows in a reset with one value alone'
rm -rf async && mkdir async && cp -r start async/start
sed -i 's/@(posedge clk)/@(posedge clk or negedge rst_n)/' async/start/start.sv
sed -i 's/low, sync/low, async/' async/start/start.ports
runs 0 "$lockstack" check async/start --cycles 2000 --no-wave
runs 0 "$lockstack" check async/start --dut icarus --cycles 1000 --no-wave
sed -i "s/mode_o <= mode_i/mode_o <= mode_i \& {4{boot_addr_i[2:0] != 3}}/" async/start/start.sv
runs 1 "$lockstack" check async/start --cycles 20000 --no-wave --json c.json
equal "$(json c.json failure.port)" mode 'a value of a reset alone is wrong'
matches "$out" 'reset boot_addr=0x[0-9a-f]*[3b] mode=' 'the report shows the inputs of the reset'
matches "$(zcat -f "$(json c.json replay)")" '@0 reset boot_addr=' 'and the replay has them'
runs 1 "$lockstack" replay "$(json c.json replay)" --json r.json
equal "$(json r.json outcome)" DIVERGED 'as recorded'
sed -i '/^RESET_IN/d' async/start/start.ports
refuses 2 'the model has start_reset_in, and no entry says which inputs it gets' "$lockstack" check async/start
sed -i 's/start_reset_in/start_other/' start/start.c start/start.h
refuses 2 'the model should have start_reset_in which gets them' "$lockstack" check start

# --- parameters: negative numbers, texts
cat >mixer/mixer.v <<'EOF'
module mixer #(parameter signed [7:0] Offset = -4, parameter MODE = "FAST") (
  input clk, input rst, input [7:0] x, output reg signed [15:0] y, output reg [7:0] m);
  always @(posedge clk)
    if (rst) begin y <= 0; m <= 0; end
    else begin
      y <= $signed({8'd0, x}) + Offset;
      if (MODE == "FAST") m <= x; else if (MODE == "SLOW") m <= ~x; else m <= 8'h5a;
    end
endmodule
EOF
runs 0 "$lockstack" new blocks/mixer --from mixer/mixer.v --set MODE=SLOW
matches "$(cat blocks/mixer/mixer.ports)" 'PARAM_TEXT\(MODE, "SLOW", "SLOW"' 'a text that --set names becomes a parameter'
rm -r blocks/mixer && runs 0 "$lockstack" new blocks/mixer --from mixer/mixer.v
cd blocks || exit 3
sed -i 's/^PARAM(Offset.*/PARAM(Offset, -4, -128, 127, "added to x")/' mixer/mixer.ports
sed -i 's|^/\* MODE is no.*|PARAM_TEXT(MODE, "FAST", "FAST SLOW OTHER", "how m follows x")|' mixer/mixer.ports
sed -i 's/uint64_t cycles;.*/uint16_t y; uint8_t m;/' mixer/mixer.h
cat >mixer/mixer.c <<'EOF'
#include "mixer.h"
void mixer_reset(mixer_t *s) { s->y = 0, s->m = 0; }
void mixer_eval(const mixer_t *s, const mixer_in_t *in, mixer_out_t *out) { (void)in, out->y = s->y, out->m = s->m; }
void mixer_step(mixer_t *s, const mixer_in_t *in) {
  s->y = (uint16_t)((int)in->x + Offset);
  s->m = MODE == MODE_FAST ? (uint8_t)in->x : MODE == MODE_SLOW ? (uint8_t)~in->x : 0x5a;
}
EOF
for dut in rtl icarus netlist cxxrtl emitted; do
  runs 0 "$lockstack" check mixer --dut $dut --set Offset=-128 --set MODE=SLOW --cycles 1000 --no-wave
done
runs 0 "$lockstack" check mixer --set Offset=127 --set MODE=OTHER --cycles 1000 --no-wave --json c.json
equal "$(json c.json compared.parameters.MODE) $(json c.json compared.parameters.Offset)" 'OTHER 127' 'as JSON'
runs 0 "$lockstack" mutate mixer --set Offset=-128 --set MODE=SLOW --count 40
runs 0 "$lockstack" area mixer --set MODE=OTHER --set Offset=-7
cat >mixer/mixer_proof.sv <<'EOF'
module mixer_proof #(parameter signed [7:0] Offset = -4, parameter MODE = "FAST") (
  input wire clk, input wire rst, input wire [7:0] x);
  wire signed [15:0] y;
  wire [7:0] m;
  mixer #(.Offset(Offset), .MODE(MODE)) dut (.clk(clk), .rst(rst), .x(x), .y(y), .m(m));
  reg was = 0;
  reg [7:0] last = 0;
  always @(posedge clk) begin was <= !rst; last <= x; end
  always @(*) if (was) begin
    slow: assert (MODE != "SLOW" || m == ~last);
    sum: assert (y == $signed({8'd0, last}) + Offset);
    less: cover (y < 0);
  end
endmodule
EOF
cat >mixer/mixer.prove <<'EOF'
params MODE=SLOW Offset=-3
property slow pdr MODE=SLOW
property sum pdr
cover less 5
broken same slow ../../mixer/mixer.v MODE=SLOW
- m <= ~x;
+ m <= x;
broken plus sum ../../mixer/mixer.v Offset<0
- + Offset;
+ - Offset;
EOF
runs 0 "$lockstack" prove mixer --json p.json
cat >suite.yaml <<'EOF'
jobs:
  - check: {blocks: [mixer], cycles: 1000, sets: [default, {Offset: -3}, {MODE: SLOW, Offset: -128}]}
EOF
runs 0 "$lockstack" regress suite.yaml
matches "$out$err" '3 of 3 jobs done, 3 PASS' 'sets of a suite'
sed -i 's/(uint8_t)~in->x/in->x \& 254/' mixer/mixer.c
runs 1 "$lockstack" check mixer --set Offset=-3 --set MODE=SLOW --cycles 1000 --no-wave --json c.json
matches "$(zcat -f "$(json c.json replay)")" 'params Offset=-3,MODE=SLOW' 'parameters of a replay'
runs 1 "$lockstack" replay "$(json c.json replay)" --json r.json
equal "$(json r.json outcome)" DIVERGED 'with these'
refuses 2 'MODE = MEDIUM: one of "FAST SLOW OTHER"' "$lockstack" check mixer --set MODE=MEDIUM
refuses 2 'Offset = -129: from -128 to 127' "$lockstack" check mixer --set Offset=-129
sed -i 's/parameter MODE/parameter [15:0] MODE/' ../mixer/mixer.v
refuses 2 'PARAM_TEXT\(MODE, ...\): its value "FAST" arrives in the RTL as .*MODE has 16 bits' "$lockstack" check mixer
