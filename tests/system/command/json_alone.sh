#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# With --json - standard output carries the document and nothing else: what models (in C and in
# Python), stimuli and RTL print goes to standard error, also what is flushed when the program
# ends. Without --json - it stays where it was printed to.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

alone() { # alone CODE VERB ARGUMENTS...: its document, and the words that its user code prints
  local code=$1 begin='{' end='}'
  shift
  runs "$code" "$lockstack" "$@" --json -
  equal "${out:0:1} ${out: -1}" "$begin $end" "$1: the first and the last character of standard output"
  equal "$(json - schema <<<"$out")" "lockstack.$1/1" "$1: standard output as JSON"
  [[ $out != *SAYS* ]] || wrong "$1: standard output has '$(grep -m1 SAYS <<<"$out")'"
  said=$(grep -ao '[A-Z]*_SAYS' <<<"$err" | sort -u | tr '\n' ' ')
}

cp -r "$source/docs/example" talk && cd talk || exit 3
rm -rf embed launch
sed -i '1i #include <stdio.h>' accum.c
sed -i 's/^void accum_step.*/&\n  static int n;\n  if (!n++) printf("C_SAYS line\\n"), printf("C_SAYS without an end");/' accum.c
sed -i 's/if (rst)        sum_o/if (add_i \&\& value_i[3:0] == 4'\''d7) $display("RTL_SAYS %0d", value_i);\n    &/' \
  accum.sv
cat >accum_stim.c <<'END'
#include "accum.h"
#include "rng.h"
#include "stim.h"
#include <stdio.h>
typedef struct { rng_t rng; } state_t;
static void init(void *state, uint64_t seed, unsigned profile) {
  (void)profile;
  rng_init(&((state_t *)state)->rng, seed);
  fputs("STIM_SAYS so", stdout);
}
static void next(void *state, uint64_t cycle, const void *out, void *inputs) {
  accum_in_t *in = inputs;
  (void)cycle, (void)out;
  in->add = rng_next(&((state_t *)state)->rng) & 1;
  in->value = rng_next(&((state_t *)state)->rng) & 0xffff;
}
static const stim_profile_t profiles[] = {{"random", "any"}};
const stim_t accum_stim = {.profiles = profiles, .num_profiles = 1, .state_size = sizeof(state_t), .init = init, .next = next};
END
cd ..

alone 0 check talk --cycles 500 --no-wave
equal "$said" 'C_SAYS STIM_SAYS ' 'what check printed besides'
alone 0 check talk --cycles 500 --no-wave --dut icarus
alone 0 check talk --cycles 500 --no-wave --dut cxxrtl
alone 0 cover talk --least 0 --runs 1 --cycles 300
alone 0 faults talk --count 3 --cycles 100
alone 0 mutate talk --count 2 --cycles 300 --no-proofs
alone 0 prove talk --first
sed -i 's/sum_o + value_i/sum_o - value_i/' talk/accum.sv
alone 1 check talk --cycles 500
alone 1 replay "$(json - replay <<<"$out")"
sed -i 's/sum_o - value_i/sum_o + value_i/' talk/accum.sv

# without --json - they are where they were
runs 0 "$lockstack" check talk --cycles 500 --no-wave --json c.json
matches "$out" 'C_SAYS line' 'standard output without --json -'
runs 0 bash -c '"$0" check talk --cycles 500 --no-wave --json - 2>/dev/null | "$1" - outcome' "$lockstack" \
  "$build/tests/json_get"
equal "$out" PASS 'with standard error thrown away'
runs 3 bash -c '"$0" check talk --cycles 500 --no-wave --json - >/dev/full' "$lockstack"
matches "$err" 'standard output: cannot write: No space' 'a full disk behind standard output'

# Python: a printed line is no answer of the model
command -v python3 >/dev/null || exit 0
sed -n "/^\$ cat >credits.v <<'END'$/,/^END$/p" "$source/docs/tutorial.md" | sed '1d;$d' >credits.v
runs 0 "$lockstack" new credits --from credits.v --python
cat >credits/credits.py <<'END'
import os


class State:
    def __init__(self):
        self.left = Depth


def outputs(state, inputs, out):
    print("PYTHON_SAYS ff")
    out.ready = state.left > 0
    out.left = state.left


def step(state, inputs):
    os.write(1, b"PYTHON_SAYS too\n")
    sent = inputs.send and state.left > 0
    state.left = min(Depth, state.left - sent + inputs.give)
END
alone 1 check credits --cycles 300 --no-wave
equal "$(json - outcome <<<"$out") $(json - failure.port <<<"$out")" 'DIVERGED left' \
  'a model in Python that prints: the outcome'
equal "$said" 'PYTHON_SAYS ' 'what a model in Python printed'
