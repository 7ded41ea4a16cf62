# SPDX-License-Identifier: Apache-2.0
#
# State that no reset reaches: what begins as anything at power-up, and what a reset of a busy block
# leaves as it was. The block's own stimulus resets it only when it is idle. timeout: 600
source "$(dirname "$0")/../lib.sh"

mkdir src
cat >src/held.v <<'EOF'
module held (input clk, input rst, input go, input we, input [3:0] wa, input [7:0] wd, input [1:0] op,
             output reg busy, output [3:0] left, output reg [7:0] q);
  reg [7:0] rows [0:15];
  reg [7:0] last, y;
  reg [7:0] fixed = 8'h5a;
  reg [3:0] count = 4'd0;
  always @(posedge clk) if (we) begin rows[wa] <= wd; last <= wd; end
  always @* case (op) 0: y = fixed; 1: y = last; 2: y = rows[wa]; default: y = 8'bx; endcase
  always @(posedge clk) if (rst) q <= 0; else q <= y;
  always @(posedge clk)
    if (rst) busy <= 0;
    else if (busy) begin count <= count - 4'd1; busy <= count != 1; end
    else if (go) begin count <= 4'd15; busy <= 1; end
  assign left = count;
endmodule
EOF
runs 0 "$lockstack" new held --from src/held.v
cat >held/held.c <<'EOF'
#include "held.h"
void held_reset(held_t *s) { s->q = 0, s->count = 0; }
void held_eval(const held_t *s, const held_in_t *in, held_out_t *out) {
  (void)in;
  out->busy = s->count > 0, out->left = s->count, out->q = s->q;
}
void held_step(held_t *s, const held_in_t *in) {
  s->q = in->op ? 0 : 0x5a;
  if (s->count) s->count--;
  else if (in->go) s->count = 15;
}
EOF
sed -i 's/uint64_t cycles;.*/uint8_t q, count;/' held/held.h
cat >held/held_stim.c <<'EOF'
#include "held.h"
#include "rng.h"
#include "stim.h"
static const stim_profile_t profiles[] = {{"declared", "a value of the RTL"}, {"register", "read before it is written"},
                                          {"memory", "the same"}, {"x", "an x"}, {"turns", "resets when idle"}};
typedef struct { rng_t rng; unsigned profile; bool idle, went; } state_t;
static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed), s->profile = profile;
}
static void next(void *state, uint64_t cycle, const void *out, void *in) {
  state_t *s = state;
  held_in_t *i = in;
  (void)cycle;
  i->op = s->profile & 3, i->wa = rng_below(&s->rng, 16);
  i->go = s->profile == 4 && rng_chance(&s->rng, 1, 4);
  s->idle = !((const held_out_t *)out)->busy && !i->go && !s->went, s->went = i->go;
}
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  return s->idle && rng_chance(&s->rng, 1, 100);
}
const stim_t held_stim = {.profiles = profiles, .num_profiles = 5, .state_size = sizeof(state_t), .init = init,
                          .next = next, .reset = reset};
EOF
try() { # CODE PROFILE SEED OPTION...
  local code=$1 profile=$2 seed=$3
  shift 3
  runs "$code" "$lockstack" check held --no-wave --cycles 4000 --profile "$profile" --seed "$seed" --json c.json "$@"
}

# --- what begins with anything, in each other profile or seed; what the RTL declares stays
for seed in 1 2; do try 0 declared $seed; done
for row in 'register 2' 'memory 1' 'x 2'; do
  read -r profile seed <<<"$row"
  try 1 "$profile" "$seed" --resets none
  equal "$(json c.json outcome)" DIVERGED "nobody gave it a value: $profile"
  matches "$out" 'power-up +decides' 'with zeros it passes'
  matches "$(cat "$(json c.json replay)")" $'\n''power-up [1-9]' 'the file has what it began with'
  runs 1 "$lockstack" replay "$(json c.json replay)"
  matches "$out" 'DIVERGED as recorded' 'and so does the replay'
  try 0 "$profile" $((3 - seed)) --resets none
done
runs 1 "$lockstack" check held --profile memory --cycles 4000 --resets none
matches "$out" 'no reset +reaches [^:]*last, rows \(16 rows\)' 'registers that no reset reaches are named'

# --- a busy block is reset: at random, or where busy rises
try 0 turns 1 --resets none
for seed in 1 2; do
  try 1 turns $seed
  equal "$(json c.json outcome) $(json c.json failure.port)" 'DIVERGED left' 'a count that no reset clears'
done
matches "$out" 'cycle [0-9]+ +reset' 'the reset is one of the inputs'
replay=$(json c.json replay) cycles=$(json c.json failure.cycle)
try 1 turns 2
equal "$(json c.json failure.cycle)" "$cycles" 'the same seed, the same resets'
runs 1 "$lockstack" replay "$replay"
matches "$out" 'DIVERGED as recorded' 'the replay has them'
runs 1 "$lockstack" replay "$replay" --dut icarus
for dut in icarus cxxrtl; do
  try 1 turns 2 --dut $dut
  equal "$(json c.json outcome) $(json c.json failure.port)" 'DIVERGED left' "the same of $dut"
done
sed -i 's/if (rst) busy <= 0;/if (rst) begin busy <= 0; count <= 0; end/' src/held.v
for seed in 1 2; do try 0 turns $seed; done

refuses 2 '--resets some: injected or none' "$lockstack" check held --resets some
