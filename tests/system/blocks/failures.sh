#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# A failure is seen, whatever its text: an assertion of the RTL or of the model, in bytes that are
# no UTF-8, ends `regress` with 1, has a bucket that names it, and every file of it can be read.
# RTL that calls $finish, $stop or $fatal fails in that cycle on each device that has it, and says
# that and not what it printed before.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

q=$'\xfe'                                                                # a byte that is in no character
rtl() { # rtl NAME STATEMENT: a register that says so, from whose file `new` makes the block
  printf 'module %s(input logic clk, input logic rst, input logic [7:0] d, output logic [7:0] q);\n' "$1"
  printf '  always_ff @(posedge clk) begin q <= rst ? 8%sd0 : d; if (!rst && d == 8%sh42) begin %s end end\nendmodule\n' "'" "'" "$2"
}
block() { # block NAME RTL MODEL: statements that each has besides
  rtl "$1" "$2" >"$1.sv"
  runs 0 "$lockstack" new "$1" --from "$1.sv"
  sed "s/NAME/$1/g" >"$1/$1.h" <<'END'
#pragma once
#include <stdint.h>
#include "NAME_ports.h"
typedef struct NAME { uint8_t q; } NAME_t;
void NAME_reset(NAME_t *s);
void NAME_eval(const NAME_t *s, const NAME_in_t *in, NAME_out_t *out);
void NAME_step(NAME_t *s, const NAME_in_t *in);
END
  sed "s/NAME/$1/g" >"$1/$1.c" <<END
#include "NAME.h"
#include <assert.h>
void NAME_reset(NAME_t *s) { s->q = 0; }
void NAME_eval(const NAME_t *s, const NAME_in_t *in, NAME_out_t *out) { (void)in; out->q = s->q; }
void NAME_step(NAME_t *s, const NAME_in_t *in) { s->q = in->d; $3 }
END
}
is_text() { # is_text FILE: all of it is UTF-8
  checks=$((checks + 1))
  iconv -f utf-8 -t utf-8 "$1" >/dev/null 2>&1 || wrong "$1 is no UTF-8"
}

# ---- texts
block of_rtl '$fatal(1, "got byte %c", 8'\''hfe);' ''
block of_model '' "assert(in->d != 0x42 && \"Gr${q}n is wrong\");"
for name in of_rtl of_model; do
  outcome=DUT_ASSERT said='got byte \?'
  [ $name = of_rtl ] || outcome=MODEL_ASSERT said='Gr\?n is wrong'
  runs 1 "$lockstack" check $name --no-wave --cycles 5000 --json c.json
  matches "$(json c.json outcome) $(json c.json failure.text)" "^$outcome .*$said" "$name: the text in check's JSON"
  printf 'jobs:\n  - check: {blocks: [%s, fifo], cycles: 5000}\n' $name >$name.yaml
  runs 1 "$lockstack" regress $name.yaml --db $name.db --junit $name.xml --json $name.json
  matches "$out" '2 of 2 jobs done, 1 PASS, 1 FAIL' "$name: the summary"
  matches "$out" "failures in 1 bucket.*$outcome .*$said" "$name: the bucket"
  matches "$(json $name.json counts.FAIL) $(json $name.json failures.#) $(json $name.json buckets.0.signature)" \
    "^1 1 .*$outcome .*$said" "$name: its JSON"
  matches "$(cat $name.xml)" "tests=\"2\" failures=\"1\".*$outcome .*$said" "$name: JUnit"
  matches "$(sql $name.db "SELECT signature FROM job WHERE outcome = 'FAIL'")" "$outcome .*$said" "$name: the database"
  runs 0 "$lockstack" report --db $name.db --out $name.html --json r.json
  for file in c.json $name.xml $name.json $name.html r.json; do is_text "$file"; done
  runs 0 "$lockstack" regress $name.yaml --db $name.db --only failed --dry-run
  equal "$(wc -l <<<"$out") $(grep -c fifo <<<"$out")" '1 0' "$name: jobs that would run again"
done
# A folder that is no UTF-8, and `mutate`, whose control has the model's text
mkdir "b$q" && cp -r of_model "b$q/" && cp of_model.sv "b$q/of_model/"
printf 'files: of_model.sv\nsuffixes: none\n' >"b$q/of_model/of_model.yaml"
runs 1 "$lockstack" check "b$q/of_model" --no-wave --cycles 5000 --json folder.json
is_text folder.json
matches "$(json folder.json outcome) $(json folder.json block)" '^MODEL_ASSERT .*/b\?/of_model$' \
  'a block in such a folder'
sed -i 's/!= 0x42/> 255/' of_model/of_model.c
runs 1 "$lockstack" mutate of_model --count 2 --cycles 3000 --no-proofs --json m.json
matches "$(json m.json control.by)" 'Gr\?n is wrong' "mutate: the model's text"
is_text m.json

# RTL that asks for plusargs runs, and gets none
block asks 'if ($test$plusargs("show")) $fatal(1, "shown");' ''
for dut in rtl icarus; do runs 0 "$lockstack" check asks --no-wave --dut $dut --cycles 500; done

# ---- $finish, $stop and $fatal
for task in '$finish;' '$finish(0);' '$stop;' '$fatal(1, "the end");'; do
  rm -rf ends ends.sv lockstack-out
  block ends "$task" '' && sed -i 's/^  always_ff/  always_ff @(posedge clk) if (d == 3) $display("not this");\n&/' \
    ends.sv
  name=${task%%[;(]*} name=${name#?} said=[\$]$name
  [ "$name" != fatal ] || said='the end'
  for dut in rtl icarus; do
    runs 1 "$lockstack" check ends --no-wave --dut $dut --cycles 3000 --shrink-seconds 1 --json e.json
    matches "$(json e.json outcome) $(json e.json failure.text)" "^DUT_ASSERT .*ends.sv:3: .*$said" "$task on $dut"
  done
  first=$(json e.json failure.cycle)
  runs 1 "$lockstack" check ends --no-wave --cycles 3000 --shrink-seconds 1 --json e.json
  equal "$(json e.json failure.cycle)" "$first" "the cycle of $task on rtl, and on icarus"
  sed -i '/not this/d' ends.sv
  for dut in netlist cxxrtl; do
    # gates have no assertions, and $fatal is one
    if [ "$name" = fatal ]; then runs 0 "$lockstack" check ends --no-wave --dut $dut --cycles 3000
    else refuses 2 "ends.sv:[0-9]+: ERROR: .*[$]$name" "$lockstack" check ends --no-wave --dut $dut; fi
  done
done
