#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A result is of the content that it judged: each kind of input is edited after a regression has
# ended, and what judged it runs again with --resume, that alone. What is the same, whatever its
# times say, does not run again. Nothing is said to pass that has not been looked at.
# timeout: 900
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# A block with one file of each kind
mkdir -p own/lists own/vendor own/inc own/c
cp "$source"/docs/example/accum.{ports,c,h,prove} "$source"/docs/example/accum_proof.sv own/
cat >own/accum.sv <<'END'
`include "widths.inc"
module accum #(
  parameter int Bits = 16
) (
  input  wire logic            clk,
  input  wire logic            rst,
  input  wire logic            add_i,
  input  wire logic [Bits-1:0] value_i,
  output      logic [Bits-1:0] sum_o
);
  logic [7:0] rom [0:1];
  initial $readmemh("rom.hex", rom);
  wire logic [7:0] unused_rom = rom[0];
  wire logic unused;
  step_pass u_pass (.i(add_i), .o(unused));
  always_ff @(posedge clk) begin
    if (rst)        sum_o <= `START;
    else if (add_i) sum_o <= sum_o + value_i;
  end
endmodule
END
sed -i "s|rom.hex|$here/own/rom.hex|" own/accum.sv # each tool opens it from elsewhere
echo '`define START '"'0" >own/inc/widths.inc
printf '00 01\n' >own/rom.hex
printf 'module step_pass(input wire i, output wire o);\n  assign o = i;\nendmodule\n' >own/vendor/step_pass.v
printf '#define ONE 1\n' >own/c/one.h
sed -i 's|#include "accum.h"|#include "accum.h"\n#include "c/one.h"\n#include <fcntl.h>\n#include <unistd.h>|' \
  own/accum.c
printf '0' >own/start.bin # what the model opens as such
opens='char start;\n  const int file = open("'$here'/own/start.bin", O_RDONLY);\n  if (read(file, \&start, 1) == 1) close(file);'
sed -i "s|^void accum_reset.*{$|&\n  $opens|" own/accum.c
grep -q start.bin own/accum.c || wrong 'the model should open a file'
sed -i 's|^void accum_reset.*{$|&\n  (void)getenv("ACCUM_START");|; s|#include "accum.h"|#include <stdlib.h>\n&|' \
  own/accum.c
ln -s inc own/headers
cat >own/accum_stim.c <<'END'
#include "accum.h"
#include "rng.h"
#include "stim.h"
#include "step.inc"
typedef struct { rng_t rng; } state_t;
static void init(void *state, uint64_t seed, unsigned profile) { (void)profile; rng_init(&((state_t *)state)->rng, seed); }
static void next(void *state, uint64_t cycle, const void *out, void *in) {
  (void)out, (void)cycle;
  ((accum_in_t *)in)->add = 1, ((accum_in_t *)in)->value = rng_bits(&((state_t *)state)->rng, 8) + STEP;
}
static const stim_profile_t profiles[] = {{"all", "everything"}};
const stim_t accum_stim = {.profiles = profiles, .num_profiles = 1, .state_size = sizeof(state_t), .init = init, .next = next};
END
echo '#define STEP 1' >own/step.inc
printf 'files: [accum.sv]\nlibraries: vendor\nincludes: headers\nverilator: [-Wno-UNUSED]\n' >own/accum.yaml
cp -r own instead && rm instead/accum.{ports,c,h,prove,yaml} instead/*_stim.c &&
  rm -r instead/{vendor,inc,headers,c,lists}

# Inputs of other verbs
printf '2 40400000 40400000 0 41100000\n' >good.txt                       # 3 * 3 = 9
cp "$source/firmware/workloads/kernels/saxpy/saxpy.ptx" k.ptx
cp "$source/firmware/workloads/kernels/vadd/vadd.ptx" v.ptx
cp "$source/docs/example/launch/saxpy_want.npy" .
sed 's|module: .*|module: k.ptx|' "$source/docs/example/launch/saxpy.yaml" >launch.yaml
cp "$source/harness/systems/configs/baseline.yaml" machine.yaml
printf 'gpu: {sms: 8}\n' >values.yaml
cp "$source/harness/systems/network/examples/dumbbell.yaml" net.yaml
printf 'R 0 1 2\nW 1 2 3\n' >trace.txt

cat >all.yaml <<END
jobs:
  - check: {block: own, cycles: 500}
  - check: {block: own, cycles: 500, rtl: $here/instead}
  - prove: {block: own, first: true}
  - check: {block: fp_fma, vectors: $here/good.txt, no-wave: true}
  - run: {arguments: [[$here/machine.yaml, $here/launch.yaml]], config: $here/values.yaml}
  - run: {arguments: [[baseline, vadd]], ptx: $here/v.ptx, set: workload.n=2000}
  - network: {topology: $here/net.yaml, cycles: 200}
  - memory: {trace: $here/trace.txt}
  - offload: {file: $here/k.ptx}
END
regress() { "$lockstack" regress all.yaml --db all.db "$@"; }
runs 0 regress --json all.json
equal "$(json all.json counts.PASS)" 9 'jobs that pass'
matches "$(sql all.db "SELECT json_extract(result, '\$.content.digest') FROM job WHERE position = 0")" \
  '^[0-9a-f]{64}$' 'a digest'
equal "$(sql all.db "SELECT json_extract(result, '\$.content.tools.verilator') FROM job WHERE position = 0")" \
  "$(verilator --version | cut -d ' ' -f 2)" 'the version of a tool'

# ran WHAT JOBS FILE: --resume runs these jobs again, by their places, and names the file
ran() {
  sql all.db "SELECT position, started FROM job" | sort >before
  runs 0 regress --resume --json r.json
  sql all.db "SELECT position, started FROM job" | sort >after
  equal "$(comm -13 before after | cut -d '|' -f 1 | sort -n | tr '\n' ' ')" "$2" "jobs that ran: $1"
  [ -n "$2" ] || { equal "$(json r.json stale 2>/dev/null)" '' "what is stale: $1"; return; }
  equal "$(json r.json stale.results)" "$(wc -w <<<"$2")" "stale results: $1"
  matches "$out" "stale, and .* again .*$3 (has changed|is gone|is there now)" "the line: $1"
}

ran 'nothing has changed' ''
touch own/* own/*/* ./*.yaml ./*.ptx ./*.txt ./*.npy
ran 'touched' ''
cp -r own copy && rm -r own && mv copy own
ran 'the same in files of their own' ''

# Each row: WHAT, JOBS, FILE, how it is edited (sed). Jobs 0 and 1 are checks of the block, 2 its
# proof; 4 and 5 systems.
while IFS='|' read -r what jobs file edit; do
  sed -i "$edit" "$file"
  ran "$what" "$jobs" "${file##*/}"
done <<'END'
RTL|0 1 2 |own/accum.sv|$a // a comment
a module of a library|0 1 2 |own/vendor/step_pass.v|s/assign o = i/assign o = !i/
an include file|0 1 2 |own/inc/widths.inc|s/'0/0/
a memory image|0 1 2 |own/rom.hex|s/01/02/
the model|0 1 |own/accum.c|$a int more;
its header|0 1 |own/accum.h|1i // a comment
a header of another folder|0 1 |own/c/one.h|s/1/2/
the stimulus|0 1 |own/accum_stim.c|s/, 8)/, 7)/
what it includes|0 1 |own/step.inc|s/1/2/
the port file|0 1 2 |own/accum.ports|$a /* a comment */
a file that the model opens|0 1 |own/start.bin|s/0/1/
X.yaml|0 1 2 |own/accum.yaml|$a defines: MORE
the proof|2 |own/accum.prove|$a # a comment
its wrapper|2 |own/accum_proof.sv|$a // a comment
RTL of --rtl|1 |instead/accum.sv|$a // a comment
vectors|3 |good.txt|$a # a comment
a kernel|4 8 |k.ptx|$a // a comment
a kernel of --ptx|5 |v.ptx|$a // a comment
a launch file|4 |launch.yaml|$a # a comment
a system|4 |machine.yaml|$a # a comment
values|4 |values.yaml|s/8/4/
a topology|6 |net.yaml|$a # a comment
a trace|7 |trace.txt|$a R 2 1 1
END
printf 'x' >>saxpy_want.npy && cp "$source/docs/example/launch/saxpy_want.npy" .
ran 'data that are as they were' ''
sed -i 's/libraries: vendor/libraries: [lists, vendor]/' own/accum.yaml
ran 'one more library' '0 1 2 ' accum.yaml
cp own/vendor/step_pass.v own/lists/
ran 'a file that goes before one of a later library' '0 1 2 ' step_pass.v
rm own/lists/step_pass.v
ran 'that file gone' '0 1 2 ' step_pass.v

cp -r own/inc own/inc2 && ln -sfn inc2 own/headers
ran 'a folder of X.yaml that leads elsewhere' '0 1 2 ' headers/

# Another tool of the PATH, and variables: of the compiler and of the model
mkdir tools && printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v yosys)" >tools/yosys && chmod +x tools/yosys
PATH=$here/tools:$PATH ran 'another Yosys in the PATH' '2 ' tools/yosys
ran 'the first Yosys' '2 ' yosys
C_INCLUDE_PATH=$here/own/c ran 'C_INCLUDE_PATH' '0 1 3 4 5 6 ' C_INCLUDE_PATH
ran 'without C_INCLUDE_PATH' '0 1 3 4 5 6 ' C_INCLUDE_PATH
ACCUM_START=1 ran 'a variable that the model reads' '0 1 ' ACCUM_START

# What a program saw that the model starts nobody knows: such a result is never the last word.
cp -r own forks && sed -i 's|(void)getenv("ACCUM_START");|if (!vfork()) execl("/bin/true", "true", (char *)0);|' \
  forks/accum.c
printf 'jobs:\n  - check: {block: forks, cycles: 1, no-wave: true}\n' >forks.yaml
runs 0 "$lockstack" regress forks.yaml --db forks.db
runs 0 "$lockstack" regress forks.yaml --db forks.db --resume
matches "$out" '1 result of run 1 is stale.*does not say of what it is' 'a model that starts a program'

# A link that leads to another folder since: the verdict is about what the name means now.
cp -r own other && sed -i 's/sum_o + value_i/sum_o - value_i/' other/accum.sv
ln -s own link
printf 'jobs:\n  - check: {argument: %s/link, cycles: 500, no-wave: true}\n' "$here" >link.yaml
runs 0 "$lockstack" regress link.yaml --db link.db
ln -sfn other link
runs 1 "$lockstack" regress link.yaml --db link.db --resume
matches "$out" 'link/accum.sv has changed' 'a link that leads elsewhere'

# Wrong RTL fails, also when nothing but --only failed asks; a job that is cut off says nothing of
# what it is, so it runs again.
sed -i 's/sum_o + value_i/sum_o - value_i/' own/accum.sv
runs 1 regress --only failed --json f.json
equal "$(json f.json counts.jobs) $(json f.json counts.FAIL)" '3 2' 'jobs of --only failed: those whose result is stale'
sed -i 's/sum_o - value_i/sum_o + value_i/' own/accum.sv
runs 0 regress --only failed --json f.json
equal "$(json f.json counts.jobs) $(json f.json counts.PASS)" '3 3' 'jobs of --only failed when it is mended'
runs 0 regress --only failed
matches "$out" 'nothing failed' 'then'
printf 'jobs:\n  - check: {block: fifo, profile: nothing}\n' >bad.yaml
runs 1 "$lockstack" regress bad.yaml --db bad.db
runs 1 "$lockstack" regress bad.yaml --db bad.db --resume
matches "$out" '1 result of run 1 is stale.*does not say of what it is' 'a result without a document'

# Results of an older program, which do not say of what they are, run again.
runs 0 regress
sql all.db "UPDATE job SET result = json_remove(result, '\$.content') WHERE run = (SELECT max(id) FROM run) AND position IN (0, 7)"
runs 0 regress --resume
matches "$out" '2 results of run [0-9]* are stale, and their jobs run again .check .*own.*it does not say of what it is' 'results without content'

# The suite's own options: it is another suite.
sed -i 's/cycles: 500}/cycles: 600}/' all.yaml
refuses 2 'cannot go on: the suite' regress --resume

# What changes while a regression runs: the result is of what its job read.
printf 'jobs:\n  - check: {block: own, cycles: 500}\n  - memory: {requests: 2000000}\n' >slow.yaml
"$lockstack" regress slow.yaml --db slow.db --jobs 1 >/dev/null 2>&1 &
until [ "$(sql slow.db "SELECT count(*) FROM job WHERE position = 0 AND state = 'done'" 2>/dev/null)" = 1 ]; do
  sleep 0.1; done
sed -i 's/sum_o + value_i/sum_o - value_i/' own/accum.sv
wait
runs 1 "$lockstack" regress slow.yaml --db slow.db --resume
matches "$out" '1 result of run 1 is stale' 'an edit during the run'
