#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# faults: a block in which every register's answer is known, arb_rr, controls that fail, bad input,
# Ctrl-C.
# timeout: 600
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# The known answer: each register in a way of its own, names by no convention.
mkdir known
cat > known/known.ports <<'E'
/* SPDX-License-Identifier: Apache-2.0 */
KIND(moore)
CLOCK(clk_i)
RESET(rst_ni, low, async)
IN(data, 8, always)
OUT(now, 8, always)
OUT(later, 8, always)
OUT(odd, 1, always)
ERROR(odd)
E
cat > known/known.sv <<'E'
// SPDX-License-Identifier: Apache-2.0
module known (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic [7:0] data_i,
  output      logic [7:0] now_o,       // a register that is a port
  output      logic [7:0] later_o,
  output      logic       odd_o
);
  logic [7:0] never_read;              // set once
  logic [7:0] each_cycle;              // written in every one, read by nobody
  logic [8:0] checked;                 // with parity
  logic [7:0] copy;                    // of now_o, compared with it a cycle later
  logic       mismatch;
  logic [7:0] forbidden;               // an assertion says that it is zero
  logic [7:0] rows [0:1][0:3];         // set once, in two dimensions
  logic [3:0] high, low;               // both on the left side of one assignment
  logic [7:0] blocking;
  logic [7:0] stage [0:1];             // of a pipeline of two, two instances

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      never_read <= 8'h5a;
      forbidden  <= '0;
      checked    <= '0;
      now_o      <= '0;
      copy       <= '0;
      mismatch   <= 1'b0;
      for (int i = 0; i < 8; i++) rows[i / 4][i % 4] <= 8'(i);
    end else begin
      now_o   <= data_i;
      copy    <= data_i;
      mismatch <= now_o != copy;
      checked <= {^data_i, data_i};
    end
  end
  always_ff @(posedge clk_i) begin
    each_cycle  <= data_i;
    {high, low} <= data_i;
  end
  always @(posedge clk_i) blocking = data_i;

  for (genvar g = 0; g < 2; g++) begin : g_stage
    known_stage u_stage (.clk_i, .rst_ni, .in_i(g == 0 ? data_i : stage[0]), .out_o(stage[g]));
  end
  assign later_o = stage[1];
  assign odd_o   = ^checked || mismatch;

  always @(posedge clk_i) if (rst_ni) assert (forbidden == '0);
endmodule
E
cat > known/known_stage.sv <<'E'
// SPDX-License-Identifier: Apache-2.0
module known_stage (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic [7:0] in_i,
  output      logic [7:0] out_o
);
  logic [7:0] held;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held <= '0;
    else         held <= in_i;
  end
  assign out_o = held;
endmodule
E
cat > known/known.h <<'E'
/* SPDX-License-Identifier: Apache-2.0 */
#include "known_ports.h"
typedef struct known { uint64_t now, later; } known_t;
void known_reset(known_t *k);
void known_eval(const known_t *k, const known_in_t *in, known_out_t *out);
void known_step(known_t *k, const known_in_t *in);
E
cat > known/known.c <<'E'
/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"
void known_reset(known_t *k) { k->now = k->later = 0; }
void known_eval(const known_t *k, const known_in_t *in, known_out_t *out) { (void)in; out->now = k->now; out->later = k->later; out->odd = 0; }
void known_step(known_t *k, const known_in_t *in) { k->later = k->now; k->now = in->data; }
E
cat > known/known_stim.c <<'E'
/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"
#include "rng.h"
#include "stim.h"
static const stim_profile_t profiles[] = {{"first", "random"}, {"second", "random, other numbers"}};
static void init(void *state, uint64_t seed, unsigned profile) { (void)profile; rng_init(state, seed); }
static void next(void *state, uint64_t cycle, const void *out, void *in) { (void)cycle; (void)out; ((known_in_t *)in)->data = rng_bits(state, 8); }
const stim_t known_stim = {.profiles = profiles, .num_profiles = 2, .state_size = sizeof(rng_t), .init = init, .next = next};
E
runs 0 "$lockstack" faults known --count 600 --cycles 2001 --jobs 2 --json a.json
equal "$(json a.json schema)" lockstack.faults/1 'the schema'
equal "$(json a.json control.outcome)" PASS 'the control'
equal "$(json a.json flips.#)" 600 'flips'
equal "$(json a.json total.flips)" 600 'flips in all'
equal "$(json a.json total.bits)" 146 'bits'

# row NAME CLASS LATENCY: all flips of this register ended so, the ones in the last cycle or two of
# a profile aside
declare -A row
for ((i = 0; i < $(json a.json registers.#); i++)); do row[$(json a.json "registers.$i.name")]=$i; done
row() {
  local i=${row[$1]:-none} flips
  [ "$i" != none ] || { wrong "no register $1 in: ${!row[*]}"; return; }
  flips=$(json a.json "registers.$i.flips")
  [ "$flips" -gt 0 ] || wrong "no flip of $1"
  equal "$(json a.json "registers.$i.$2")" "$flips" "$2 flips of $1"
  equal "$(json a.json "registers.$i.mean_latency")" "$3" "latency of $1"
}
row never_read silent null
row rows silent null
row each_cycle masked null
row high masked null
row low masked null
row blocking masked null
row now_o lockstep 0.0
row 'g_stage[1].u_stage.held' lockstep 0.0
row 'g_stage[0].u_stage.held' lockstep 1.0
row checked own 0.0
row copy own 1.0
row mismatch own 0.0
equal "$(json a.json "registers.${row[now_o]}.own_later")" "$(json a.json "registers.${row[now_o]}.flips")" \
  'flips of now_o that the block itself sees later'
equal "$(json a.json total.own_later)" "$(json a.json "registers.${row[now_o]}.flips")" 'and no others'
matches "$(json a.json flips)" '"register":"now_o"[^}]*"latency":0,"own_latency":1' 'when'
row forbidden own 0.0
equal "$(json a.json "registers.${row[rows]}.elements")" 8 'rows of a memory of two dimensions'
equal "$(json a.json "registers.${row[rows]}.width")" 8 'bits of a row'
equal "${#row[@]}" 13 'registers'
matches "$out" 'rows \(8 x 8\) +64 ' 'the row of a memory'
matches "$(json a.json flips)" '"by":"odd"' 'seen by an error output'
matches "$(json a.json flips)" '"by":"[^"]*known.sv:[0-9]+: Assertion failed' 'seen by an assertion'
for class in masked own lockstep silent; do matches "$out" "$class +[0-9.]+ % \([0-9.]+ to [0-9.]+ %\)" \
  "share of $class"; done

# Neither the number of processes nor a second try makes a difference; a seed does
runs 0 "$lockstack" faults known --count 600 --cycles 2001 --jobs 1 --json b.json
equal "$(json b.json flips)" "$(json a.json flips)" 'the same with one process'
runs 0 "$lockstack" faults known --count 600 --cycles 2001 --seed 2 --json b.json
[ "$(json b.json flips)" != "$(json a.json flips)" ] || wrong 'another seed draws the same flips'

# Some registers, one profile
runs 0 "$lockstack" faults known --register '*held' --profile second --count 50 --json c.json
equal "$(json c.json registers.#)" 2 'registers that match'
equal "$(json c.json flips.0.profile)" second 'the profile'

# arb_rr: its one register is the probe, so lockstep sees every flip at once, unless nobody looks
# any more after a reset
runs 0 "$lockstack" faults arb_rr --count 100 --json arb.json
equal "$(json arb.json registers.0.name)" mask_q 'the register of arb_rr'
equal "$(json arb.json total.silent)" 0 'silent ones'
equal "$(json arb.json total.mean_latency)" 0.0 'latency of a probe'

# Controls that fail: a model that disagrees; state that is no register
cp -r known wrong
sed -i 's/k->later = k->now;/k->later = 0;/' wrong/known.c
runs 1 "$lockstack" faults wrong --json wrong.json
matches "$out" 'the control, without a flip, fails in profile first: DIVERGED: later, cycle [0-9]+; no bit is flipped' \
  'a control that fails'
equal "$(json wrong.json control.outcome)" DIVERGED 'its outcome'
equal "$(json wrong.json flips.#)" 0 'flips without a control'
cp -r "$source/docs/example" task
cat > task/accum.sv <<'EOF'
// SPDX-License-Identifier: Apache-2.0
module accum #(
  parameter int Bits = 16
) (
  input  wire logic            clk,
  input  wire logic            rst,
  input  wire logic            add_i,
  input  wire logic [Bits-1:0] value_i,
  output      logic [Bits-1:0] sum_o
);
  logic [Bits-1:0] hidden;
  logic            seen;
  task put(input logic clear);
    hidden = clear ? '0 : hidden + value_i;
  endtask
  always @(posedge clk) begin
    if (rst)        put(1'b1);
    else if (add_i) put(1'b0);
  end
  always_ff @(posedge clk) seen <= add_i;
  assign sum_o = hidden;
endmodule
EOF
runs 1 "$lockstack" faults task --count 10
matches "$out" 'the RTL has state that is no register' 'state that is no register'
runs 0 "$lockstack" faults arb_fixed --json fixed.json
matches "$out" 'arb_fixed has no register' 'a block of logic alone'
equal "$(json fixed.json control.outcome)" PASS 'its control'
equal "$(json fixed.json total.flips)" 0 'its flips'

# Ctrl-C: what is known so far, and no process left behind
runs 3 timeout --foreground --preserve-status -s INT 3 "$lockstack" faults known --count 1000000 --cycles 1000000 \
  --jobs 2 --json cut.json
matches "$err" 'interrupted after [0-9]+ of 1000000 flips' 'what it says'
equal "$(json cut.json schema)" lockstack.faults/1 'the result so far'
equal "$(ps -eo args | grep -c '[f]aults known --count 1000000')" 0 'processes left behind'

# Bad input
refuses 2 "no block 'nosuch'" "$lockstack" faults nosuch
refuses 2 'a BLOCK or a folder is missing' "$lockstack" faults
refuses 2 '--count: .*0' "$lockstack" faults arb_rr --count 0
refuses 2 "has no profile 'nosuch'" "$lockstack" faults arb_rr --profile nosuch
refuses 2 "no register of arb_rr matches '\*.nosuch'" "$lockstack" faults arb_rr --register '*.nosuch'
cp -r known badport
sed -i 's/^ERROR(odd)/ERROR(even)/' badport/known.ports
refuses 2 'known.ports:[0-9]+: ERROR\(even\): no OUT of that name' "$lockstack" faults badport
