#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Parameters: RTL, port file, model, proof's wrapper and --set each say another value of Depth.
# Every verb and device takes the port file's, or the one that is set; the others decide nothing.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# A hand that goes on by one place, back to 0 at its end or when told to: a register a place, and
# four of its number. RTL 3, port file 5, model 11, wrapper 9.
mkdir turn
printf '%s\n' 'KIND(moore)' 'CLOCK(clk_i)' 'RESET(rst_ni, low, async)' 'PARAM(Depth, 5, 1, 15, "places")' \
  'IN(go, 1, always)' \
  'OUT(at, 4, always)' 'OUT(last, 1, always)' >turn/turn.ports
cat >turn/turn.sv <<'EOF'
module turn #(
  parameter int Depth = 3
) (
  input  wire clk_i, rst_ni, go_i,
  output reg [3:0] at_o,
  output wire last_o
);
  reg [Depth-1:0] ring_q;
  assign last_o = ring_q[Depth-1];
  always @(posedge clk_i, negedge rst_ni)
    if (!rst_ni) begin
      at_o <= 0;
      ring_q <= 1;
    end else begin
      at_o <= go_i && !last_o ? at_o + 4'd1 : 0;
      ring_q <= go_i ? {ring_q, last_o} : 1;
    end
endmodule
EOF
cat >turn/turn.h <<'EOF'
#ifndef Depth
#define Depth 11
#endif
#include "turn_ports.h"
typedef struct { unsigned at; } turn_t;
void turn_reset(turn_t *t);
void turn_eval(const turn_t *t, const turn_in_t *in, turn_out_t *out);
void turn_step(turn_t *t, const turn_in_t *in);
EOF
cat >turn/turn.c <<'EOF'
#include "turn.h"
void turn_reset(turn_t *t) { t->at = 0; }
void turn_eval(const turn_t *t, const turn_in_t *in, turn_out_t *out) { (void)in, out->at = t->at, out->last = t->at == Depth - 1; }
void turn_step(turn_t *t, const turn_in_t *in) { t->at = in->go ? (t->at + 1) % Depth : 0; }
EOF
cat >turn/turn_stim.c <<'EOF'
#include "turn.h"
#include "rng.h"
#include "stim.h"
static const stim_profile_t profiles[] = {{"far", "goes on most of the time"}, {"near", "three places, never more"}};
typedef struct { rng_t rng; unsigned profile; } state_t;
static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}
static void next(void *state, uint64_t cycle, const void *out, void *in) {
  state_t *s = state;
  (void)out;
  ((turn_in_t *)in)->go = s->profile ? cycle % 4 != 3 : rng_chance(&s->rng, 15, 16);
}
const stim_t turn_stim = {.profiles = profiles, .num_profiles = 2, .state_size = sizeof(state_t), .init = init, .next = next};
EOF
cat >turn/turn.prove <<'EOF'
property  within  pdr
property  five    pdr  Depth=5
cover     ends    40
broken    runs_on within  turn.sv
- go_i && !last_o ?
+ go_i ?
broken    two     five    turn.sv
- at_o + 4'd1
+ at_o + 4'd2
EOF
cat >turn/turn_proof.sv <<'EOF'
module turn_proof #(
  parameter int Depth = 9
) (
  input wire logic clk_i, go_i
);
  logic started = 1'b0, last;
  logic [3:0] at;
  turn #(.Depth(Depth)) u_dut (.clk_i, .rst_ni (started), .go_i, .at_o (at), .last_o (last));
  always @(posedge clk_i) started <= 1'b1;
  always_comb if (started) begin
    within: assert (at < Depth);
    ends:   cover (last && at == Depth - 1);
  end
  generate
    if (Depth == 5) begin
      always_comb if (started) five: assert (last == (at == 4));
    end
  endgenerate
endmodule
EOF

cp -r turn typed # for later

# uses VALUE [SET...]: every verb and device
uses() {
  local value=$1 kind
  shift
  for kind in rtl netlist cxxrtl icarus; do runs 0 "$lockstack" check turn --dut "$kind" --cycles 500 "$@"; done
  runs 1 "$lockstack" check broken --cycles 500 --no-wave --json check.json "$@"
  equal "$(json check.json failure.cycle)" \
    $((value - 2)) "$value places: where a model that ends one too early is wrong"
  runs 1 "$lockstack" replay "$(json check.json replay)" --json replay.json
  equal "$(json replay.json same) $(json replay.json failure.cycle)" "true $((value - 2))" "$value places: the replay"

  runs 0 "$lockstack" area turn --json area.json "$@"
  equal "$(json area.json flipflops)" $((4 + value)) "$value places: flip-flops"
  runs 0 "$lockstack" area turn --target ice40 --json area.json "$@"
  equal "$(json area.json flipflops)" $((4 + value)) "$value places: flip-flops of an FPGA"

  runs 0 "$lockstack" prove turn --json prove.json "$@"
  equal "$(json prove.json covers.0.depth)" "$value" "$value places: cycle of the cover"
  equal "$(json prove.json properties.#)" $((value == 5 ? 2 : 1)) \
    "$value places: properties that are of these parameters"

  "$lockstack" mutate turn --count 20 --no-proofs --json mutate.json "$@" >mutate.out 2>&1
  equal "$(json mutate.json control.outcome)" PASS "$value places: the block without a fault beside its model"
  runs 0 "$lockstack" faults turn --count 5 --cycles 500 --json faults.json "$@"
  equal "$(json faults.json total.bits)" $((4 + value)) "$value places: bits of registers"

  runs 1 "$lockstack" cover turn --profile near --runs 1 --cycles 500 --prove --json cover.json "$@"
  matches "$out" 'missed toggle *turn.sv:5 *at_o\[2\]' \
    "$value places: what some input reaches is not proved to be constant"
  equal "$(json cover.json toggle.proved)" 1 "$value places: at_o[3] is constant"
}
cp -r turn broken && sed -i 's/Depth - 1/Depth - 2/' broken/turn.c
uses 5
uses 7 --set Depth=7

# A value that is said is the same as one that is not
runs 0 "$lockstack" area turn --set Depth=5 --json area.json
equal "$(json area.json cached) $(json area.json flipflops)" 'true 9' 'the port file says 5'
runs 0 "$lockstack" area turn --sweep Depth=3,5,7 --json sweep.json
equal "$(json sweep.json sweep.0.flipflops) $(json sweep.json sweep.1.flipflops) $(json sweep.json sweep.2.flipflops)" \
  '7 9 11' 'a sweep'

# Jobs
cat >suite.yaml <<'EOF'
jobs:
  - check: {block: turn, cycles: 500, sets: [default, {Depth: 7}]}
  - prove: {block: turn}
  - area: {block: turn}
  - faults: {block: turn, count: 5}
EOF
runs 0 "$lockstack" regress suite.yaml --db r.db
equal "$(sql r.db "SELECT json_extract(result, '\$.flipflops') FROM job WHERE verb = 'area'")" 9 'flip-flops of a job'
equal "$(sql r.db "SELECT json_extract(result, '\$.total.bits') FROM job WHERE verb = 'faults'")" 9 'bits of a job'
equal "$(sql r.db "SELECT json_extract(result, '\$.covers[0].depth') FROM job WHERE verb = 'prove'")" 5 'cover of a job'

# A recording has all its values: those of the port file may change
runs 1 "$lockstack" check broken --cycles 500 --no-wave --json check.json
replay=$(json check.json replay)
matches "$(zcat -f "$replay")" $'\nparams Depth=5\n' 'the recording'
sed -i 's/(Depth, 5/(Depth, 6/' broken/turn.ports
runs 1 "$lockstack" replay "$replay" --json replay.json
equal "$(json replay.json same) $(json replay.json params)" 'true Depth=5' 'a replay where the port file says 6'
sed -i 's/(Depth, 6, 1/(Depth, 6, 6/' broken/turn.ports
refuses 2 'Depth = 5: from 6 to 15' "$lockstack" replay "$replay"
sed -i 's/Depth/Places/' broken/turn.ports
refuses 2 'no parameter Depth; it has: Places' "$lockstack" replay "$replay"

# A port file of RTL that is there has the RTL's values
mkdir made && cp turn/turn.sv made
(cd made && "$lockstack" new turn --from turn.sv) >/dev/null 2>&1
matches "$(cat made/turn/turn.ports)" 'PARAM\(Depth, 3, ' 'a new port file'

# The wrapper of a proof: a parameter that it does not hand on, one that it does not have
cp turn/turn_proof.sv kept.sv
sed -i 's/#(.Depth(Depth))//' turn/turn_proof.sv
refuses 2 'turn_proof.sv: Depth of turn is 3 by itself, not 5: `.Depth\(Depth\)`' "$lockstack" prove turn
runs 0 "$lockstack" prove turn --set Depth=3 # the RTL's own
sed 's/#(.Depth(Depth))/#(.Depth(4))/' kept.sv >turn/turn_proof.sv
runs 1 "$lockstack" prove turn # another block than `five` is about, and it says so itself
sed 's/parameter int Depth = 9/parameter int Depths = 9/; s/(Depth))/(5))/; s/Depth - 1/4/; s/< Depth/< 5/; s/Depth == 5/1/' kept.sv >turn/turn_proof.sv
runs 0 "$lockstack" prove turn
refuses 2 'turn_proof.sv: module turn_proof has no parameter Depth, which is set to 7: `parameter int Depth = 5`' \
  "$lockstack" prove turn --set Depth=7
cp kept.sv turn/turn_proof.sv

# A value that is negative, and compared as a signed one, though no type says so; a default that
# must be replaced
sed -i 's/parameter int Depth = 3/parameter Depth = -1/; s/last_o = .*/last_o = !($signed({1'"'"'b0, at_o}) + 1 - Depth < 0);/' turn/turn.sv
runs 1 "$lockstack" prove turn --json prove.json # `two` breaks nothing: the end is found by the number now
equal "$(json prove.json properties.0.status) $(json prove.json \
  properties.1.status) $(json prove.json covers.0.depth)" 'proved proved 5' 'a signed value'
"$lockstack" mutate turn --count 20 --no-proofs --json mutate.json >mutate.out 2>&1
equal "$(json mutate.json control.outcome)" PASS 'the block without a fault, of a signed value'

# A value that the type in the RTL cuts, or whose parameter the RTL does not have: the port file's
# line, from every verb and device
for file in typed/turn*; do mv "$file" "typed/typed${file#typed/turn}"; done
sed -i 's/turn/typed/g' typed/*
sed -i 's/1, 15/-9223372036854775807, 9223372036854775807/' typed/typed.ports
cp typed/typed.sv typed.sv
typed() { sed "s/parameter.*Depth = .*/parameter $1/" typed.sv >typed/typed.sv; } # typed DECLARATION
everywhere() { # everywhere REGEX SET...
  local regex="typed/typed.ports:4: PARAM\(Depth, \.\.\.\): $1" kind
  shift
  for kind in rtl netlist cxxrtl icarus; do refuses 2 "$regex" "$lockstack" check typed --dut "$kind" "$@"; done
  refuses 2 "$regex" "$lockstack" prove typed "$@"
  refuses 2 "$regex" "$lockstack" mutate typed "$@"
  refuses 2 "$regex" "$lockstack" faults typed "$@"
  refuses 2 "$regex" "$lockstack" cover typed "$@"
  runs 2 "$lockstack" area typed "$@"
  matches "$out" "$regex" 'area'
}
cut() { # cut DECLARATION VALUE REGEX
  typed "$1"
  refuses 2 "typed.ports:4: .*: its value $2 arrives in the RTL as $3 \(typed.sv:2\)" "$lockstack" check typed \
    --set "Depth=$2"
}
typed '[2:0] Depth = 3'
everywhere 'its value 9 arrives in the RTL as 1: Depth has 3 bits without a sign, 0 to 7 \(typed.sv:2\)' --set Depth=9
typed 'Places = 3, localparam Depth = 3'
lacks='typed/typed.ports:4: PARAM\(Depth, \.\.\.\): module typed has no parameter of that name that can be set'
for kind in rtl icarus; do refuses 2 "$lacks" "$lockstack" check typed --dut "$kind"; done
refuses 2 "$lacks" "$lockstack" prove typed
runs 2 "$lockstack" area typed
matches "$out" "$lacks" 'area'
cut 'int Depth = 3' 4294967301 '5: Depth has 32 bits with a sign, -2147483648 to 2147483647'
cut 'bit Depth = 1' 2 '0: Depth has 1 bit without a sign, 0 to 1'
cut 'byte Depth = 3' 200 '-56: Depth has 8 bits with a sign, -128 to 127'
cut 'unsigned Depth = 3' -1 '4294967295: Depth has 32 bits without a sign, 0 to 4294967295'

# One that fits is what it is, on each device, and no warning of the block's
typed '[2:0] Depth = 3'
runs 0 "$lockstack" check typed --cycles 500
[[ $out != *"'Depth' expects"* ]] || wrong "a value of the width that the RTL has is warned of: $out"
sed -i '/^OUT(last/a OUT(depth, 64, always)' typed/typed.ports
sed -i 's/out->last = .*/out->last = t->at == Places - 1, out->depth = (uint64_t)(int64_t)Depth; }/; s/% Depth/% Places/
  s/^#include "typed.h"/&\nenum { Places = Depth < 2 ? 3 : 4 };/' typed/typed.c
sed -i 's/output wire last_o/&,\n  output wire [63:0] depth_o/; s/ring_q\[Depth-1\]/ring_q[Places-1]/
  s/^  reg \[Depth-1:0\]/  localparam int Places = Depth < 2 ? 3 : 4;\n  assign depth_o = Depth;\n  reg [Places-1:0]/' \
    typed.sv
same() { # same VALUE KIND...: as in the model
  local kind
  for kind in "${@:2}"; do runs 0 "$lockstack" check typed --cycles 200 --no-wave --dut "$kind" --set "Depth=$1"; done
}
typed 'Depth = 4'
same -1 rtl netlist cxxrtl icarus
same -5000000000 rtl netlist
typed "longint Depth = 64'd5"
same 9223372036854775807 cxxrtl icarus
typed 'Depth = 4'
runs 0 "$lockstack" area typed --set Depth=-1 --json area.json
equal "$(json area.json flipflops)" 7 'flip-flops of three places: the value has a sign'
"$lockstack" mutate typed --set Depth=-1 --count 10 --no-proofs --json mutate.json >mutate.out 2>&1
equal "$(json mutate.json control.outcome)" PASS 'the block without a fault, of a signed value'

# What mutate assumes of the inputs is of these parameters, too
cat >turn/turn.env.sv <<'EOF'
module turn_env #(parameter [1:0] Depth = 1) (input wire go_i);
  always_comb is_near: assume (Depth == 1 || go_i || !go_i);
endmodule
EOF
refuses 2 'turn.env.sv: Depth of turn_env is 3 there, not 7: declared as `parameter int Depth` it would be set' \
  "$lockstack" mutate turn --set Depth=7 --count 5
rm turn/turn.env.sv

# A name that is set twice has no value
for verb in 'check turn' 'cover turn' 'mutate turn' 'faults turn' 'prove turn' 'area turn'; do
  # shellcheck disable=SC2086 # the verb and its block
  refuses 2 '--set: Depth is given twice' "$lockstack" $verb --set Depth=7 --set Depth=9
done
refuses 2 '--set: Depth is given twice' "$lockstack" check fifo --set Depth=7 --set Width=4 --set Depth=7
refuses 2 '--set: TrackPct is given twice' "$lockstack" network --set TrackPct=80 --set TrackPct=90
refuses 2 '--set: tRRD is given twice' "$lockstack" memory --set tRRD=1 --set tRRD=2
refuses 2 '--set: gpu.sms is given twice' "$lockstack" run nsu vadd --set gpu.sms=16 --set gpu.sms=8
refuses 2 '--set: gpu.sms is given twice' "$lockstack" draw nsu --set gpu.sms=16 --set gpu.sms=8
refuses 2 '--set: gpu.sms is given twice' "$lockstack" reproduce nsu --set gpu.sms=16 --set gpu.sms=8 --dry-run

# RTL of the tree whose own value is not the port file's any more: the figures are of the port
# file's
mkdir -p p/bin p/lib/lockstack p/share/lockstack/harness/lockstep
cp "$(dirname "$lockstack")/../dut/portgen" p/lib/lockstack/
cp "$lockstack" p/bin/ && cp -r "$source"/{rtl,cmake,synth} p/share/lockstack/ &&
  cp -r "$source"/harness/portgen p/share/lockstack/harness/ &&
  cp -r "$source"/harness/lockstep/dut p/share/lockstack/harness/lockstep/
runs 0 p/bin/lockstack area fifo --out q --json was.json
sed -i 's/\(int Depth *\)= [0-9]*/\1= 3/' p/share/lockstack/rtl/lib/fifo.sv
cmp -s "$source/rtl/lib/fifo.sv" p/share/lockstack/rtl/lib/fifo.sv && wrong 'fifo.sv was not changed'
runs 0 p/bin/lockstack area fifo --out q --json is.json
equal "$(json is.json cached) $(json is.json flipflops)" "false $(json was.json flipflops)" \
  'flip-flops of a fifo whose RTL says 3'
