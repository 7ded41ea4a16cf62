#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A replay file shows its failure, is nobody else's, and is never called repaired when nothing was:
# models and stimuli that do not repeat or write to what is not theirs, RTL that draws random
# numbers, blocks of one name.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

example() { rm -rf "$1" && mkdir -p "$1" && cp "$source"/docs/example/accum.* "$1"; }
wrong_rtl() { sed -i "s/sum_o + value_i/sum_o + (value_i ^ Bits'(value_i[7:0] == 8'd77))/" "$1/accum.sv"; }
in_model() { sed -i "s/^#include.*/&\n#include <stdint.h>\n#include <unistd.h>/; s|^  if (in->add).*|  $2|" \
  "$1/accum.c"; }
right='a->sum = (a->sum + in->value) \& (~0ull >> (64 - Bits));'
check() { runs 1 "$lockstack" check "$@" --no-wave --json check.json; }
says() { matches "$(json check.json "$1")" "$2" "$3"; }

# --- models that are no function of their struct and inputs: one line each, whatever the RTL does
static_model() { # NAME; its sum is a static variable, and the RTL is wrong besides
  example "$1" && wrong_rtl "$1"
  sed -i 's/a->sum/sum/g; s/^void accum_reset/static uint64_t sum;\n&/; s/^  sum = 0;/  (void)a, sum = 0;/; s/(void)in;/(void)in, (void)a;/
    s/^  if (in->add)/  (void)a;\n&/' "$1/accum.c"
}
static_model static
for dut in rtl icarus; do
  check static --dut $dut
  equal "$(json check.json outcome) $(json check.json repeats)" 'MODEL_ASSERT true' "a static sum on $dut"
  says failure.text 'the model does not repeat: from the same struct and inputs it gives another sum .state outside of accum_t' "what is said of it on $dut"
  runs 1 "$lockstack" replay "$(json check.json replay)"
  matches "$out" 'MODEL_ASSERT as recorded' "its replay on $dut"
done

# WHERE in accum.c, or in the stimulus, what is written instead, and what is said of it
while IFS='|' read -r name from to text; do
  example "$name"
  sed -i "s/$from/$to/" "$name/accum.c"
  check "$name"
  equal "$(json check.json outcome)" MODEL_ASSERT "the outcome of $name"
  says failure.text "$text" "what is said of $name"
  runs 1 "$lockstack" replay "$(json check.json replay)"
  matches "$out" 'MODEL_ASSERT as recorded' "the replay of $name"
done <<'TABLE'
eval-state|  out->sum = a->sum;|  out->sum = a->sum; ((accum_t *)a)->sum ^= 1;|accum_eval writes its state: it must be pure
eval-inputs|  out->sum = a->sum;|  out->sum = a->sum; ((accum_in_t *)in)->add = 0;|accum_eval writes its inputs: it must be pure
step-inputs|^  if .in->add.\(.*\)|  if (in->add)\1 ((accum_in_t *)in)->value = 0;|accum_step writes its inputs: they are const
TABLE

# The RTL never gets inputs that a model wrote, also where nobody looks at the model
example seldom
sed -i "s/sum_o + value_i/sum_o + value_i + Bits'(value_i == 16'h1234)/" seldom/accum.sv
sed -i 's/  out->sum = a->sum;/  out->sum = a->sum; if (in->value == 0x1234) ((accum_in_t *)in)->value = 0;/' \
  seldom/accum.c
check seldom --cycles 20000
equal "$(json check.json outcome)" DIVERGED 'RTL that is wrong where the model writes its inputs'

example stimulus
cat >stimulus/accum_stim.c <<'C'
#include "accum.h"
#include "rng.h"
#include "stim.h"
static const stim_profile_t profiles[] = {{"some", "adds"}};
static void init(void *state, uint64_t seed, unsigned profile) { (void)profile; rng_init(state, seed); }
static void next(void *state, uint64_t cycle, const void *out, void *in) {
  ((accum_in_t *)in)->add = rng_chance(state, 1, 2);
  ((accum_in_t *)in)->value = rng_bits(state, 16);
  if (cycle == 40) ((accum_out_t *)out)->sum = 0;
}
const stim_t accum_stim = {.profiles = profiles, .num_profiles = 1, .state_size = sizeof(rng_t), .init = init, .next = next};
C
check stimulus
equal "$(json check.json outcome) $(json check.json replay)" 'STIM_CRASH null' 'a stimulus that writes the outputs'
says failure.text "accum_stim.next writes the model's outputs" 'what is said of it'

# --- a failure that comes in a new process alone: the recording as it was, and the report says why it is not small
example rare
in_model rare "static unsigned calls; if (in->add) $right if (++calls == 3000) a->sum ^= 1;"
check rare --profile random --resets none
equal "$(json check.json outcome) $(json check.json repeats) $(json check.json shrunk_cycles)" 'DIVERGED true 0' \
  'a static counter'
says unsteady 'in a new process they do .static variables' 'what is said of it'
matches "$out" 'not shrunk: ' 'the report of it'
runs 1 "$lockstack" replay "$(json check.json replay)"
matches "$out" 'DIVERGED as recorded' 'its replay'

# --- a failure that never comes again: no file
example once
in_model once "if (in->add) $right if (in->add \&\& in->value == 0x1234 \&\& access(\"was\", F_OK)) a->sum ^= 1, fclose(fopen(\"was\", \"w\"));"
sed -i 's/#include <stdint.h>/#include <stdio.h>/' once/accum.c
check once --cycles 2000000 --profile random --out out-once
equal "$(json check.json outcome) $(json check.json repeats) $(json check.json replay)" 'DIVERGED false null' \
  'a failure that comes once'
matches "$out" 'no replay file: the recorded inputs do not fail again by themselves: .*do not repeat' 'the report of it'
equal "$(find out-once -type f 2>/dev/null)" '' 'the files of a failure that comes once'

# --- nothing was repaired: the same sources pass where they failed
example mood
in_model mood "if (in->add) $right if (in->add \&\& in->value % 256 == 9 \&\& access(\"bad\", F_OK) == 0) a->sum ^= 1;"
touch bad
check mood
mood=$(json check.json replay)
runs 1 "$lockstack" replay "$mood"
rm bad
runs 1 "$lockstack" replay "$mood" --json again.json
equal "$(json again.json outcome) $(json again.json same)" 'PASS false' 'the replay of the same sources'
matches "$out" 'PASS, but nothing was repaired: DIVERGED was recorded of the same sources' 'what is said of it'
matches "$(json again.json unsteady)" 'do not repeat' 'the reason in JSON'
sed -i 's/in->value % 256 == 9/in->value % 256 == 8/' mood/accum.c
runs 0 "$lockstack" replay "$mood"
matches "$out" 'PASS: the recorded DIVERGED is gone' 'other sources'

# --- random numbers of the RTL follow the seed, and are the same in both simulators that have them
example random
sed -i 's/^  always_ff/  reg [31:0] a, b, c;\n  wire [8:0] d = a[8:0] ^ b[8:0] ^ c[8:0];\n  always @(posedge clk) begin DRAW end\n&/
  s/DRAW/a <= $random; b <= $urandom; c <= $urandom_range(511);/
  '"s/sum_o + value_i/sum_o + (value_i ^ Bits'(d == 0))/" random/accum.sv
at=()
for dut in rtl icarus; do
  for seed in 1 1 2; do
    check random --dut $dut --seed $seed --profile random --shrink-seconds 1 --out out-random
    at+=("$(json check.json failure.cycle)")
    equal "$(json check.json repeats)" true "the replay on $dut with seed $seed"
    runs 1 "$lockstack" replay "$(json check.json replay)"
    matches "$out" 'DIVERGED as recorded' "again on $dut with seed $seed"
  done
done
equal "${at[1]} ${at[3]} ${at[4]} ${at[5]}" "${at[0]} ${at[0]} ${at[0]} ${at[2]}" 'the cycles'
[ "${at[0]}" != "${at[2]}" ] || wrong 'the numbers are the same with another seed'
for dut in cxxrtl netlist; do
  refuses 2 'random' "$lockstack" check random --dut $dut
done

# --- blocks of one name, other parameters, another device: each failure has a file of its own, the same failure the same
example one && wrong_rtl one
example two && sed -i "s/sum_o + value_i/sum_o - value_i/" two/accum.sv
names=()
for words in one two one 'one --set Bits=20' 'one --dut icarus'; do
  read -r -a word <<<"$words"
  check "${word[@]}" --out shared
  names+=("$(json check.json replay)")
done
file=shared/accum-random-1
equal "${names[*]}" "$file.replay $file-2.replay $file.replay $file-3.replay $file-4.replay" 'the names'
for name in "${names[@]}"; do
  runs 1 "$lockstack" replay "$name"
  matches "$out" 'as recorded' "the replay $name"
done
runs 1 "$lockstack" check one --json one.json --out waves
runs 1 "$lockstack" check two --json two.json --out waves
equal "$(json one.json wave) $(json two.json wave)" 'waves/accum-random-1.fst waves/accum-random-1-2.fst' \
  'the waveforms'
matches "$(<waves/accum-random-1-2.gtkw)" 'dumpfile. ".*/waves/accum-random-1-2.fst"' 'the save file of the second'
for folder in one two; do "$lockstack" check $folder --no-wave --json $folder.json --out both >/dev/null 2>&1 & done
wait
[ "$(json one.json replay)" != "$(json two.json replay)" ] ||
  wrong "two runs at once have one file: $(json one.json replay)"
for folder in one two; do
  runs 1 "$lockstack" replay "$(json $folder.json replay)"
  matches "$out" "as recorded; played in $here/$folder\$" "the replay of $folder, run beside the other"
done

# Copied with its project, where the block is repaired, it is played in the copy, and says so
mkdir copy && cp -r one both copy && cp "$source/docs/example/accum.sv" copy/one
runs 0 env -C copy "$lockstack" replay "$(json one.json replay)"
matches "$out" "recorded DIVERGED is gone; played in $here/copy/one\$" 'where the copy is played'
