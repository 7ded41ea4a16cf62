#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# Nothing compared is no PASS: outputs whose condition is never true, stimuli that send nothing,
# resets in every cycle, what parameters switch off; and what regress makes of several checks
# together. The RTL subtracts where the model adds, so that a PASS would be wrong.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

check() { "$lockstack" check "$@" --no-wave; }
says() { # REGEX WHAT: a line of $out
  checks=$((checks + 1))
  grep -qE -- "$1" <<<"$out" || wrong "$2: no line '$1' in '$out'"
}
silent() { # REGEX WHAT
  checks=$((checks + 1))
  if grep -qE -- "$1" <<<"$out"; then wrong "$2: '$1' is in '$out'"; fi
}

# block FOLDER: the example, its sum qualified by ok, which is 1 when CONDITION (of RTL and model;
# Show is a parameter) holds
block() {
  mkdir "$1"
  cp "$source"/docs/example/accum* "$1"
  sed -i 's/sum_o + value_i/sum_o - value_i/; s/parameter int Bits/parameter int Show = 0, parameter int Bits/
    s/output      logic \[Bits-1:0\] sum_o/output logic ok_o, output logic [Bits-1:0] sum_o/
    s/always_ff/assign ok_o = '"$2"';\n  always_ff/' "$1/accum.sv"
  sed -i 's/^OUT(sum.*/PARAM(Show, 0, 0, 1, "sum is shown")\nOUT(ok, 1, always)\nOUT(sum, Bits, ok)/' "$1/accum.ports"
  sed -i 's/out->sum = a->sum;/out->ok = '"$3"'; out->sum = a->sum;/' "$1/accum.c"
}

# stimulus FOLDER NEXT RESET [PROFILES]: statements; s->n counts cycles
stimulus() {
  cat >"$1/accum_stim.c" <<C
#include "accum.h"
#include "stim.h"
typedef struct { uint64_t seed, n; unsigned profile; } state_t;
static const stim_profile_t profiles[] = {{"one", "x"}, {"two", "y"}};
static void init(void *state, uint64_t seed, unsigned profile) { *(state_t *)state = (state_t){seed, 0, profile}; }
static void next(void *state, uint64_t cycle, const void *out, void *inputs) {
  state_t *s = state;
  accum_in_t *in = inputs;
  (void)cycle, (void)out, (void)in, s->n++;
  $2
}
static bool reset(void *state, uint64_t cycle) { (void)state, (void)cycle; return $3; }
const stim_t accum_stim = {.profiles = profiles, .num_profiles = ${4:-2}, .state_size = sizeof(state_t), .init = init, .next = next, .reset = reset};
C
}

# An output whose condition is never true
block never "1'b0" 0
runs 1 check never --json a.json
says 'NOT_COMPARED accum: 100,000 cycles' 'the outcome'
says 'never compared: sum$' 'the output'
says 'never true: ok\.' 'its condition'
says 'accum.ports should say so: OFF\(ok, CONDITION\)' 'what to do'
equal "$(json a.json outcome) $(json a.json compared.full)" 'NOT_COMPARED true' 'the result'
equal "$(json a.json compared.outputs.0.name) $(json a.json compared.outputs.0.state)" 'ok compared' 'what was compared'
equal "$(json a.json compared.outputs.1.name) $(json a.json compared.outputs.1.state) $(json a.json \
  compared.outputs.1.cycles)" 'sum never 0' 'what was not'
equal "$(json a.json compared.outputs.0.cycles)" "$(json a.json compared.cycles)" 'how often'
runs 1 check never --cycles 200000
for shorter in --cycles=99999 --profile=random; do
  runs 0 check never $shorter
  says 'PASS accum: .*' "the outcome with $shorter"
  says 'never compared: sum$' "the output with $shorter"
  silent 'never true' "advice with $shorter"
done

# A stimulus that sends nothing, not even when it says something of a value that does not count
block silent "1'b1" 1
stimulus silent 'in->value = s->n;' false
runs 1 check silent
says 'NOT_COMPARED accum: 100,000 cycles' 'the outcome'
says 'inputs that never changed: add, value$' 'the inputs'
says 'these are all: the stimulus \(accum_stim.c\) sends nothing' 'what to do'
runs 0 check silent --cycles 5000
says 'inputs that never changed: add, value$' 'the inputs of a short run'
sed -i 's/- value_i/+ value_i/' silent/accum.sv
stimulus silent 'in->add = s->n & 1, in->value = 3;' false
runs 0 check silent --json b.json
says 'inputs that never changed: value$' 'one constant input is no failure'
equal "$(json b.json compared.constant_inputs.0.name) $(json b.json compared.constant_inputs.0.value)" 'value 3' \
  'the constant input'

# A reset in every cycle, however short the run is; one of two profiles is told
block reset "1'b1" 1
stimulus reset 'in->add = 1, in->value = s->n;' true
for length in --cycles=10 --cycles=100000 --profile=one; do
  runs 1 check reset $length
  says 'NOT_COMPARED accum: .*' "the outcome with $length"
  says 'no cycle was outside of reset: nothing was compared; .*accum_stim.c.*' "why with $length"
done
runs 1 "$lockstack" cover reset --cycles 200 --json c.json
says 'NOT_COMPARED reset: no cycle was outside of reset.*' cover
equal "$(json c.json outcome)" NOT_COMPARED 'the result of cover'
runs 1 "$lockstack" faults reset --cycles 200 --count 5 --json f.json
says 'NOT_COMPARED: no cycle was outside of reset.*' faults
equal "$(json f.json control.outcome)" NOT_COMPARED 'the result of faults'
runs 1 "$lockstack" mutate reset --cycles 200 --json m.json
says 'control.*NOT_COMPARED: no cycle was outside of reset.*' mutate
equal "$(json m.json control.outcome)" NOT_COMPARED 'the result of mutate'
stimulus reset 'in->add = 1, in->value = s->n;' '((state_t *)state)->profile == 1'
sed -i 's/- value_i/+ value_i/' reset/accum.sv
runs 0 check reset
says 'profile two: no cycle was outside of reset: nothing was compared' 'a profile'

# A block without outputs, whose assertion alone could fail: no verb has a verdict of it
mkdir none
cat >none/none.sv <<'V'
module none(input wire logic clk, input wire logic rst, input wire logic a_i);
  logic [3:0] n, m;
  always_ff @(posedge clk) begin
    n <= rst ? 4'd0 : n + 4'(a_i);
    m <= rst ? 4'd15 : m - 4'(a_i);
    if (!rst) assert (n + m == 4'd15);
  end
endmodule
V
printf 'KIND(moore)\nCLOCK(clk)\nRESET(rst, high, sync)\nIN(a, 1, always)\n' >none/none.ports
cat >none/none.h <<'C'
#include "none_ports.h"
typedef struct none { int n; } none_t;
void none_reset(none_t *none);
void none_eval(const none_t *none, const none_in_t *in, none_out_t *out);
void none_step(none_t *none, const none_in_t *in);
C
cat >none/none.c <<'C'
#include "none.h"
void none_reset(none_t *none) { none->n = 0; }
void none_eval(const none_t *none, const none_in_t *in, none_out_t *out) { (void)none, (void)in, (void)out; }
void none_step(none_t *none, const none_in_t *in) { none->n += in->a; }
C
runs 1 check none --cycles 1000 --json n.json
says '^  no output had a meaning in any cycle: nothing was compared$' 'why'
says '^NOT_COMPARED none: 1,000 cycles in lockstep, [0-9]+ of them in reset, 0 compared' 'the line'
equal "$(json n.json outcome) $(json n.json compared.cycles)" 'NOT_COMPARED 0' 'the result'
runs 1 "$lockstack" cover none --cycles 200 --runs 1
says '^NOT_COMPARED none: no output had a meaning in any cycle.*' cover
runs 1 "$lockstack" cover none --cycles 200 --runs 1 --compare
says '^NOT_COMPARED none: .*' 'cover --compare'
runs 1 "$lockstack" faults none --cycles 200 --count 5 --json nf.json
says 'NOT_COMPARED: no output had a meaning in any cycle.*' faults
equal "$(json nf.json control.outcome) $(json nf.json total.flips)" 'NOT_COMPARED 0' 'the result of faults'
runs 1 "$lockstack" mutate none --cycles 200 --count 5 --json nm.json
says 'control.*NOT_COMPARED: no output had a meaning in any cycle.*' mutate
equal "$(json nm.json control.outcome)" NOT_COMPARED 'the result of mutate'

# What the parameters switch off: by a proof, which needs that they can switch it on; by the port
# file, which is held to what it says
block off "Show != 0 \&\& sum_o[0]" 'Show \&\& (a->sum \& 1)'
runs 0 check off --json o.json
says 'proved: ok is never 1 with Show=0, and is with Show=1' 'the proof'
says 'switched off by the parameters: sum$' 'the output'
equal "$(json o.json compared.outputs.1.state)" off 'its state'
runs 1 check off --set Show=1
says 'DIVERGED accum: .*' 'when it is on'
echo 'OFF(ok, !Show)' >>off/accum.ports
runs 0 check off
silent proved 'a proof of what the port file says'
says 'switched off by the parameters: sum$' 'the output'
sed -i 's/- value_i/+ value_i/; s/OFF.*//' off/accum.sv
sed -i 's/^OFF.*/OFF(ok, 1)/' off/accum.ports
refuses 2 'off/accum.ports:[0-9]*: OFF\(ok, 1\): names no parameter, so that what ok qualifies is never compared; .*' \
  check off
refuses 2 'off/accum.ports:[0-9]*: OFF\(ok, 1\): names no parameter.*' "$lockstack" cover off
sed -i 's/^OFF.*/OFF(ok, Show + 1 > 0)/' off/accum.ports
refuses 2 'off/accum.ports:[0-9]*: OFF\(ok, Show \+ 1 > 0\): holds with all values of its parameters.*' check off
sed -i 's/^OFF.*/OFF(ok, Show || Bits == 3)/' off/accum.ports
line=$(grep -n ^OFF off/accum.ports | cut -d: -f1)
refuses 2 "off/accum.ports:$line: OFF\(ok, ...\) says that these parameters hold ok at 0, but it was not in [0-9]* cycles" \
  check off --set Show=1
sed -i 's/^OFF.*/OFF(sum, 1)/' off/accum.ports
refuses 2 'accum.ports:[0-9]*: OFF\(sum, ...\): no OUT or PROBE is qualified by sum' check off
sed -i 's/^OFF.*/OFF(ok, Shown)/' off/accum.ports
refuses 2 'accum.ports:[0-9]*: .*Shown is no parameter of this file' check off

# An element that is never valid
block lanes "1'b1" 1
sed -i "s/assign ok_o.*/assign ok_o = 1'b1; assign lane_o = 3'b101;/
  s/output logic ok_o,/output logic ok_o, output logic [2:0] lane_o, output logic [5:0] data_o,/
  s/- value_i/+ value_i/; s/always_ff/assign data_o = 6'd0;\n  always_ff/" lanes/accum.sv
printf 'OUT(lane, 3, always)\nOUT_N(data, 3, 2, lane)\n' >>lanes/accum.ports
sed -i 's/out->ok = 1;/out->ok = 1; out->lane = 5;/' lanes/accum.c
runs 1 check lanes --json l.json
says 'never compared: data\[1\]$' 'the element'
equal "$(json l.json compared.outputs.3.state) $(json l.json compared.outputs.3.elements.0)" 'never 1' 'its state'

# A device without probes says so
runs 0 check arb_rr --dut netlist
says 'not compared, as this device has no probes: probe_mask$' 'the probes'

# A replay that does not compare what failed when it was recorded
block gone "add_i || sum_o[0]" 'in->add || (a->sum \& 1)'
sed -i 's/KIND(moore)/KIND(mealy)/' gone/accum.ports
sed -i 's/(void)in;//' gone/accum.c
runs 1 check gone --out kept
replay=$(ls kept/*.replay)
runs 1 "$lockstack" replay "$replay"
sed -i "s/assign ok_o.*/assign ok_o = 1'b0;/" gone/accum.sv
sed -i 's/out->ok = [^;]*;/out->ok = 0;/' gone/accum.c
runs 1 "$lockstack" replay "$replay" --json r.json
says 'NOT_COMPARED: the recorded DIVERGED sum is gone, but what it was seen in was not compared' 'the replay'
equal "$(json r.json outcome) $(json r.json same) $(json r.json compared.outputs.1.state)" 'NOT_COMPARED false never' \
  'its result'

# Several checks of one block with equal parameters: what none compared, what one did
printf 'jobs:\n  - check: {blocks: [never], cycles: 50000, seeds: 2, no-wave: true}\n' >never.yaml
runs 1 "$lockstack" regress never.yaml --db never.db --junit never.xml --json g.json
says '2 FAIL.*' 'the union'
says 'check never: NOT_COMPARED sum, by none of its checks' 'the bucket'
matches "$(cat never.xml)" '.*<failure type="FAIL" message="check never: NOT_COMPARED sum, by none of its checks">.*' \
  JUnit
equal "$(json g.json compared.0.checks) $(json g.json compared.0.full) $(json g.json compared.0.never.0)" '2 true sum' \
  'the union in JSON'
equal "$(json g.json compared.0.outputs.1.name) $(json g.json compared.0.outputs.1.state)" 'sum never' \
  'the output in JSON'
runs 1 "$lockstack" regress never.yaml --db never.db --only failed
says '2 of 2 jobs done, 2 FAIL.*' 'those that failed'
runs 1 "$lockstack" regress never.yaml --db never.db --resume
printf 'jobs:\n  - check: {blocks: [never], cycles: 40000, seeds: 2, no-wave: true}\n' >short.yaml
runs 0 "$lockstack" regress short.yaml --db never.db
printf 'jobs:\n  - check: {blocks: [never], cycles: 100000, profile: random, seeds: 2, no-wave: true}\n' >one.yaml
runs 0 "$lockstack" regress one.yaml --db never.db

block some 'sum_o[7:0] == 8'"'"'d200' '(a->sum \& 255) == 200'
sed -i 's/- value_i/+ value_i/' some/accum.sv
stimulus some 'in->add = 1, in->value = s->profile == 0;' false
printf 'jobs:\n  - check: {blocks: [some], cycles: 50000, profiles: [one, two], no-wave: true}\n' >some.yaml
runs 0 "$lockstack" regress some.yaml --db some.db --json s.json
equal "$(json s.json compared.0.full) $(json s.json compared.0.outputs.1.state)" 'true compared' 'one of two profiles'

# In a union the parameters may be why, too
block both "Show != 0 \&\& sum_o[0]" 'Show \&\& (a->sum \& 1)'
printf 'jobs:\n  - check: {blocks: [both], cycles: 50000, seeds: 2, no-wave: true}\n' >both.yaml
runs 0 "$lockstack" regress both.yaml --db both.db --json p.json
says 'proved: ok is never 1 with Show=0.*' 'the proof'
equal "$(json p.json compared.0.outputs.1.state)" off 'its state'
