#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Other parameters of a block: a fault that shows only at Depth 7 is found by --sample, and not by
# the default check; its set is named with a command that repeats it. Rules across parameters: a set
# that the port file forbids is bad input, one that only the RTL refuses is DUT_ASSERT. What is done
# when a sample is interrupted is kept. mutate has the same sets.
# timeout: 600
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

mkdir ring && cat >ring/ring.sv <<'RTL'
module ring #(
  parameter int Depth = 5,
  parameter int Fold = 0
) (
  input  logic clk, rst, step_i,
  output logic [2:0] at_o
);
  if (Fold == 1 && Depth == 7) $fatal(1, "no fold of seven");
  initial if (Fold == 1 && Depth == 5) $fatal(1, "no fold of five");
  wire logic [2:0] last = 3'(Depth == 7 ? Depth - 2 : Depth - 1);
  always_ff @(posedge clk) begin
    if (rst) at_o <= '0;
    else if (step_i) at_o <= at_o == last ? '0 : at_o + 3'd1;
  end
endmodule
RTL
cat >ring/ring.ports <<'PORTS'
KIND(moore)
CLOCK(clk)
RESET(rst, high, sync)
PARAM(Depth, 5, 5, 7, "places")
PARAM(Fold, 0, 0, 1, "half of them")
PARAM_RULE(!Fold || Depth != 6, "six places have no fold")
IN(step, 1, always)
OUT(at, 3, always)
PORTS
cat >ring/ring.h <<'MODEL'
#include "ring_ports.h"
typedef struct ring {
  unsigned at;
} ring_t;
void ring_reset(ring_t *r);
void ring_eval(const ring_t *r, const ring_in_t *in, ring_out_t *out);
void ring_step(ring_t *r, const ring_in_t *in);
MODEL
cat >ring/ring.c <<'MODEL'
#include "ring.h"
void ring_reset(ring_t *r) { r->at = 0; }
void ring_eval(const ring_t *r, const ring_in_t *in, ring_out_t *out) { (void)in, out->at = r->at; }
void ring_step(ring_t *r, const ring_in_t *in) { r->at = (r->at + in->step) % Depth; }
MODEL

# ---- the default check, and what finds the fault
runs 0 "$lockstack" check ring --cycles 1000
matches "$out" '^PASS ring: .* seed 1, other parameters: --sample N$' 'the word on other parameters'
runs 1 "$lockstack" check ring --sample 2 --set Fold=0 --cycles 1000 --no-wave --json s.json
matches "$out" 'set 1 of 2: Fold=0,Depth=[67]' 'a set'
matches "$out" '  this set   lockstack check ring --set Fold=0 --set Depth=7 --seed 1 --cycles 1000' 'the command'
matches "$(tail -n 1 <<<"$out")" '^DIVERGED ring: 1 of 2 sets of parameters held, seed 1$' 'the sum'
equal "$(json s.json outcome) $(json s.json params)" 'DIVERGED Fold=0,Depth=7' 'the document of the set that fails'
for i in 0 1; do echo "$(json s.json sample.sets.$i.params) $(json s.json sample.sets.$i.outcome)"; done | sort >sets
equal "$(tr '\n' ';' <sets)" 'Fold=0,Depth=6 PASS;Fold=0,Depth=7 DIVERGED;' 'each set with its outcome'
runs 1 "$lockstack" replay "$(json s.json replay)"
matches "$out" 'DIVERGED as recorded' 'the replay with its parameters'
runs 1 "$lockstack" check ring --set Fold=0 --set Depth=7 --seed 1 --cycles 1000 --no-wave
equal "$err" '' 'the set that is checked again, by the object that is there'
grep -v 'other parameters' <<<"$out" | grep -q '^DIVERGED ring: ' || wrong "the set alone: $out"

# ---- sets that are none
refuses 2 'ring.ports:6: six places have no fold: !Fold || Depth != 6 does not hold for Fold=1, Depth=6$' \
  "$lockstack" check ring --set Depth=6 --set Fold=1
runs 1 "$lockstack" check ring --set Fold=1 --json r.json
refused='ring: the RTL refuses Fold=1, which ring.ports allows: .*no fold of five'
matches "$out" "$refused" 'RTL that refuses a set as it begins'
equal "$(json r.json outcome)" DUT_ASSERT 'its outcome'
runs 1 "$lockstack" check ring --set Fold=1 --set Depth=7 --json r.json
matches "$out" 'ring: the RTL refuses Fold=1,Depth=7, which ring.ports allows: .*no fold of seven' 'at elaboration'
matches "$(json r.json failure.text)" 'refuses Fold=1,Depth=7' 'the text'
refuses 2 'nsu_decode.ports has no parameter: a PARAM would be right' "$lockstack" check nsu_decode --sample 3
refuses 2 'ring.ports has no parameter that --set does not fix' \
  "$lockstack" check ring --sample 3 --set Depth=5 --set Fold=0
refuses 2 '--sample: without --wave' "$lockstack" check ring --sample 2 --wave w.fst
refuses 2 'nsu_decode.ports has no parameter' "$lockstack" mutate nsu_decode --sample 1
refuses 2 '--show: without --sample' "$lockstack" mutate ring --sample 1 --show 3

# ---- mutants of the default parameters and of the sets; without a fault Depth 7 has none that counts
runs 1 "$lockstack" mutate ring --sample 2 --set Fold=0 --count 4 --cycles 500 --no-proofs --json m.json
matches "$out" 'ring with Fold=0: 4 mutants' 'of the options'
matches "$out" 'ring with Fold=0,Depth=6: 4 mutants' 'of a set'
matches "$out" 'ring with Fold=0,Depth=7: the control, without a fault, ends with DIVERGED: at,' 'the control of the other'
equal "$(json m.json blocks.0.with)" Fold=0 'the document'

# ---- Ctrl-C in the second set: the first one is kept
echo '/* another text */' >>ring/ring.c
"$lockstack" check ring --sample 2 --set Fold=0 --cycles 1000 --no-wave --shrink-seconds 0 --json i.json >i.out 2>i.err &
run=$!
while kill -0 $run && ! grep -q '^set 2 of 2' i.out; do sleep 0.1; done 2>.wait
kill -INT $run
wait $run
equal $? 3 'interrupted'
matches "$(cat i.err)" 'interrupted after [12] of 2 sets' 'said so'
equal "$(json i.json interrupted)" true 'the document'
first=$(sed -n 's/^set 1 of 2: //p' i.out)
equal "$(json i.json sample.sets.0.params)" "$first" 'the set that was done'
