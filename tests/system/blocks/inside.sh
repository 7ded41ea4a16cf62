#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A report says where: the port file's rule, what drives the port, the first part inside that is
# wrong, the model's values in the waveform. (check.sh: assertions as they are written, and a
# waveform of a block without parts.)
# timeout: 900
# label: bugs
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# The tree's RTL of a planted bug, in a folder of its own.
plant() {
  local patch=$source/tests/lockstep/bugs/$1.patch file
  mkdir -p "$1/new" "$1/rtl"
  for file in $(sed -n 's,^+++ b/,,p' "$patch"); do
    mkdir -p "$1/new/$(dirname "$file")" && cp "$source/$file" "$1/new/$file"
    (cd "$1/new" && GIT_CEILING_DIRECTORIES=$here git apply "$patch") || wrong "the patch $1 no longer fits"
    cp "$1/new/$file" "$1/rtl"
  done
}
line_of() { grep -n "$1" "$2" | head -1 | cut -d: -f1; }

# A fault in a part: found from the block around it
plant arb_rr_pointer
ports=$source/rtl/lib/arb_rr.ports
runs 1 "$lockstack" check lsu_rfport --rtl arb_rr_pointer/rtl --out part --json part.json
matches "$out" 'first wrong inside: i_(read|write) \(arb_rr, arb_rr_pointer/rtl/arb_rr.sv\), cycle [0-9]+, probe probe_mask' 'the part that is wrong'
matches "$out" "rule +[^ ]*lsu_rfport.ports:[0-9]+ \"OUT" 'the rule of the port'
equal "$(json part.json inside.module)" arb_rr 'its module'
equal "$(json part.json inside.file)" "$here/arb_rr_pointer/rtl/arb_rr.sv" 'its file'
equal "$(json part.json inside.judged) $(json part.json inside.parts)" '2 2' 'parts judged'
equal "$(json part.json inside.cycle)" "$(json part.json window.wrong)" 'its cycle'
[ "$(json part.json inside.rtl)" != "$(json part.json inside.model)" ] || wrong 'both values of the part are the same'
equal "$(json part.json inside.rule.line)" "$(line_of '^PROBE' "$ports")" "the rule's line"
equal "$(json part.json inside.rule.text)" "$(grep '^PROBE' "$ports" | head -1)" 'the rule'
equal "$(json part.json inside.inputs.0.name)" req 'an input of the part'
matches "$(json part.json inside.inputs.0.from.0.name)" '_i$' 'what it hangs on'
matches "$(json part.json failure.drivers.0.part)" '^i_(read|write)$' 'the part that drives the wrong port'
equal "$(json part.json failure.drivers.0.module)" arb_rr 'the module that drives it'
port=$(json part.json failure.port)
equal "$(json part.json failure.rule.line)" "$(line_of "^[A-Z_]*($port," "$source/rtl/lsu/lsu_rfport.ports")" \
  'the line of the rule'

# A replay says it when it is asked
replay=$(json part.json replay)
runs 1 "$lockstack" replay "$replay" --json quiet.json
equal "$(json quiet.json inside 2>/dev/null)" '' 'a replay that was not asked'
runs 1 "$lockstack" replay "$replay" --inside --json again.json
equal "$(json again.json inside.part) $(json again.json inside.cycle)" \
  "$(json part.json inside.part) $(json part.json inside.cycle)" 'the part in the replay'

# The waveform: both sides in the wrong cycle and in the one before
wave=$(json part.json wave) save=${wave%.fst}.gtkw
cursor=$(sed -n 's/^\*-4[.0]* \([0-9]*\) .*/\1/p' "$save")
last=$(($(json part.json window.wrong) - $(json part.json window.from)))
fst() { "$build/tests/fst_get" "$wave" "$@"; }
binary() {                                                          # hexadecimal number, bits
  local digits bits=''
  for digits in $(sed 's/./& /g' <<<"$1"); do
    case $digits in
    [0-9a-f]) for k in 8 4 2 1; do bits+=$((0x$digits & k ? 1 : 0)); done ;;
    esac
  done
  printf '%*s\n' "$2" "$bits" | tr ' ' 0 | tail -c $(($2 + 1))
}
index=$(for i in $(seq 0 60); do [ "$(json part.json ports.$i.name 2>/dev/null)" = "$port" ] &&
  echo "$i"; done | head -1)
width=$(json part.json "ports.$index.width")
for at in 0 1; do
  [ "$last" -ge $at ] || continue
  values=$(fst $((cursor - 2 * at)) "TOP.${port}_o" "model.${port}_o" model.diverged)
  rtl=$(json part.json "window.signals.$index.rtl.$((last - at))") \
    model=$(json part.json "window.signals.$index.model.$((last - at))")
  equal "$values" "$(binary "$rtl" "$width")"$'\n'"$(binary "$model" "$width")"$'\n'$((1 - at)) \
    "values $at cycles before the divergence"
done
matches "$(cat "$save")" "-wrong at the cursor.*model.diverged.*-$port.*color. 1.*TOP\.${port}_o.*color. 3.*model\.${port}_o" 'the pair in the save file'

# A fault of the lines between the parts
plant lsu_rfport_mask
runs 1 "$lockstack" check lsu_rfport --rtl lsu_rfport_mask/rtl --no-wave --inside --out own --json own.json
matches "$out" "each of 2 parts does what its model does: the fault is in lsu_rfport's own lines" \
  'a fault of the block itself'
equal "$(json own.json inside.part) $(json own.json inside.judged) $(json own.json wave)" 'null 2 null' 'no part'

# Where nothing diverges, parts that are right put the blame nowhere: the model's own assertion,
# and a block that is stuck
mkdir gate
cat >gate/gate.ports <<'EOF'
/* SPDX-License-Identifier: Apache-2.0 */
KIND(mealy)
CLOCK(clk_i)
RESET(rst_ni, low, async)
IN(req, 4, always)
OUT(gnt, 4, always)
EOF
cat >gate/gate.sv <<'EOF'
// SPDX-License-Identifier: Apache-2.0
module gate (input wire logic clk_i, input wire logic rst_ni, input wire logic [3:0] req_i, output logic [3:0] gnt_o);
  logic [3:0] mask;
  arb_rr #(.NumReq(4)) i_arb (.clk_i, .rst_ni, .req_i(req_i), .update_i(1'b0), .gnt_o(gnt_o), .probe_mask_o(mask));
endmodule
EOF
cat >gate/gate.h <<'EOF'
/* SPDX-License-Identifier: Apache-2.0 */
#include "gate_ports.h"
typedef struct gate { int none; } gate_t;
void gate_reset(gate_t *);
void gate_eval(const gate_t *, const gate_in_t *, gate_out_t *);
void gate_step(gate_t *, const gate_in_t *);
EOF
cat >gate/gate.c <<'EOF'
/* SPDX-License-Identifier: Apache-2.0 */
#include "gate.h"
#include <assert.h>
void gate_reset(gate_t *g) { (void)g; }
void gate_eval(const gate_t *g, const gate_in_t *in, gate_out_t *out) { (void)g; out->gnt = in->req & -in->req; }
void gate_step(gate_t *g, const gate_in_t *in) { (void)g; assert(in->req != 15); }
EOF
cat >gate/gate_stim.c <<'EOF'
/* SPDX-License-Identifier: Apache-2.0 */
#include "gate_ports.h"
#include "rng.h"
#include "stim.h"
typedef struct { rng_t rng; bool silent; } state_t;
static void init(void *s, uint64_t seed, unsigned profile) {
  rng_init(&((state_t *)s)->rng, seed);
  ((state_t *)s)->silent = profile == 1;
}
static void next(void *s, uint64_t cycle, const void *out, void *in) {
  (void)out;
  ((gate_in_t *)in)->req = ((state_t *)s)->silent && cycle > 9 ? 0 : rng_bits(&((state_t *)s)->rng, 4) & (((state_t *)s)->silent ? 7 : 15);
}
static bool waiting(const void *s) { return ((const state_t *)s)->silent; }
static const stim_profile_t profiles[] = {{"all", "all that may be"}, {"silent", "an answer that never comes"}};
const stim_t gate_stim = {.profiles = profiles, .num_profiles = 2, .state_size = sizeof(state_t), .init = init, .next = next, .waiting = waiting,
                          .patience = 1500};
EOF
for profile in all=MODEL_ASSERT silent=STUCK; do
  runs 1 "$lockstack" check gate --profile "${profile%=*}" --no-wave --inside --out gate.out --json gate.json
  equal "$(json gate.json outcome)" "${profile#*=}" "the outcome of profile ${profile%=*}"
  equal "$(json gate.json inside.part) $(json gate.json inside.judged)" 'null 1' "no part is wrong (${profile#*=})"
  matches "$out" 'inside: each of 1 parts does what its model does'$'\n' "what is said of ${profile#*=}"
  [[ $out != *'own lines'* ]] || wrong "${profile#*=} is blamed on the RTL: $out"
  runs 1 "$lockstack" replay "$(json gate.json replay)" --inside --json gate.json
  equal "$(json gate.json outcome) $(json gate.json inside.part)" "${profile#*=} null" "the replay of ${profile#*=}"
done

# Another module of the name of a block is not judged by that block's model
cp -r "$source/docs/example" mine
cat >mine/arb_rr.sv <<'EOF'
// SPDX-License-Identifier: Apache-2.0
module arb_rr (input wire logic req_i, output logic gnt_o);
  assign gnt_o = req_i;
endmodule
EOF
sed -i 's/sum_o + value_i/sum_o + (value_i ^ Bits'"'"'(same)) + Bits'"'"'(sum_o == 5)/' mine/accum.sv
sed -i 's/^);/);\n  logic same;\n  arb_rr i_other (.req_i(1'"'"'b0), .gnt_o(same));/' mine/accum.sv
runs 1 "$lockstack" check mine --cycles 2000000 --set Bits=6 --no-wave --inside --out mine.out --json mine.json
matches "$out" 'DIVERGED' 'the block of its own'
equal "$(json mine.json inside 2>/dev/null)" '' 'nothing to judge'
