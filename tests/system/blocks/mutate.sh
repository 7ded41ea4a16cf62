#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# mutate: what is killed, by what, what is proved equivalent, what survives, controls that fail,
# several blocks, jobs, bad input, missing tools.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# Each is seen or proved equivalent; some of those seen have been through the proof, which says
# that they are not.
runs 0 "$lockstack" mutate arb_rr --count 60 --json a.json
matches "$out" 'arb_rr: 60 mutants, [0-9]+ killed, [0-9]+ equivalent, 0 survived, 0 undecided, score 1.000 .[0-9]+ of [0-9]+, few.' 'the counts'
equal "$(json a.json schema)" lockstack.mutate/1 'the schema'
for pair in block=arb_rr few=true control.outcome=PASS control.cycles=20000 mutants.0.id=1 mutants.59.status; do
  [[ $pair = *=* ]] || { matches "$(json a.json "$pair")" . "$pair"; continue; }
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
killed=$(json a.json killed)
[ "$killed" -gt 50 ] || wrong "only $killed of 60 are killed"
for key in mode module cell port bit source status; do
  matches "$(json a.json "mutants.0.$key")" '.' "mutants.0.$key"
done
equal "$(json a.json proof_controls.proved)" 0 'killed ones that were proved equivalent'
equal "$(json a.json proof_controls.refuted)" 4 'killed ones that were refuted'

# A proof that compares nothing: the control fires and no proof counts
runs 1 "$lockstack" mutate arb_rr --count 60 --blind-miter --json blind.json
matches "$out" 'WRONG: 4 mutants that the stimulus kills were proved equivalent' 'the control of the proofs'
equal "$(json blind.json equivalent)" 0 'equivalents when the control fires'

# The same again is the same, whatever else runs beside it
runs 0 "$lockstack" mutate fifo arb_rr --count 60 --jobs 2 --json b.json
matches "$out" 'all: 120 mutants' 'the total'
equal "$(json b.json blocks.1.block)" arb_rr 'blocks in the order asked for'
for i in 0 20 59; do equal "$(json b.json "blocks.1.mutants.$i.cell")" \
  "$(json a.json "mutants.$i.cell")" "mutant $i"; done
equal "$(json b.json blocks.1.killed)" "$killed" 'killed, with another block beside it'

# One cycle is not enough to see what a pointer does: fewer are killed, and the others are shown to
# be holes, with their lines
runs 1 "$lockstack" mutate arb_rr --count 60 --cycles 1 --longer 1 --json c.json
survived=$(json c.json survived)
[ "$survived" -gt 0 ] || wrong "one cycle kills as many as 20000"
equal "$(json c.json equivalent)" "$(json a.json equivalent)" 'equivalents do not depend on the stimulus'
equal "$(grep -cE '^ +[0-9]+ +survived .*arb_rr.sv:[0-9]+ .*\[[0-9]+ cycles\]' <<<"$out")" "$survived" \
  'survivors listed'

# One of these holes alone, with inputs that show it in the block beside its golden model
hole=$(sed -nE 's/^ +([0-9]+) +survived .*/\1/p' <<<"$out" | head -1)
runs 1 "$lockstack" mutate arb_rr --count 60 --cycles 1 --longer 1 --show "$hole" --json show.json
matches "$out" "$hole +survived .*arb_rr.sv:[0-9]+" 'the mutant shown'
matches "$out" ' 0:.* req=[0-9a-f]+' 'its inputs'
equal "$(grep -cE '^ +[0-9]+:' <<<"$out")" "$(json show.json mutants.0.counterexample)" \
  'a line for each cycle of the inputs'

# Ten times the cycles for what the proofs leave: more is killed, and that one dies in all the
# cycles
runs 1 "$lockstack" mutate arb_rr --count 60 --cycles 1 --json longer.json
equal "$(json longer.json control.cycles)" 10 'cycles of the longer run'
[ "$(json longer.json killed)" -gt "$(json c.json killed)" ] || wrong "a longer run kills no more"
runs 0 "$lockstack" mutate arb_rr --count 60 --show "$hole"
matches "$out" '(DIVERGED|DUT_ASSERT) by [a-z_-]+ in cycle [0-9]+ of profile' 'what kills it'

# What the probe of the pointer is worth: nothing that the outputs do not see, but it sees it
# earlier
runs 1 "$lockstack" mutate arb_rr --count 60 --by-probe --no-proofs --json p.json
matches "$out" 'probe_mask +0 +[1-9][0-9]* +[1-9][0-9]* +[0-9.]+' 'the table of probes'
equal "$(json p.json probes.0.name)" probe_mask 'the probe'
matches "$(json p.json probes.0.mean_cycles_earlier)" '^[1-9]' 'cycles earlier'
equal "$(json p.json open)" 0 'none is left open'
equal "$(json p.json killed)" "$killed" 'killed, with --by-probe'

# Other parameters
runs 0 "$lockstack" mutate arb_rr --count 30 --set NumReq=5 --json e.json
equal "$(json e.json params)" NumReq=5 'other parameters'

# A block of one's own whose RTL and model disagree without any fault: the control fails and no
# mutant counts
cp -r "$source/docs/example" own
sed -i 's/sum_o + value_i/sum_o - value_i/' own/accum.sv
runs 1 "$lockstack" mutate own --count 10 --json own.json
matches "$out" 'the control, without a fault, ends with DIVERGED: sum, cycle [0-9]+ .*no mutant counts' \
  'a control that fails'
equal "$(json own.json control.outcome)" DIVERGED 'the control'
equal "$(json own.json control.by)" sum 'what the control fails by'
equal "$(json own.json score)" null 'the score without a control'

# The block without a fault fails after the last kill
cp -r "$source/docs/example" late
sed -i 's/  uint64_t sum;/&\n  uint64_t cycles;/' late/accum.h
sed -i 's/^void accum_step.*{/&\n  if (++a->cycles == 3000) a->sum ^= 1;/' late/accum.c
runs 1 "$lockstack" mutate late --count 10 --json late.json
equal "$(json late.json control.outcome) $(json late.json score)" 'DIVERGED null' 'a control that fails late'

# What its RTL says of its state, and is not so; what it says for proofs of its own is not read
cp -r "$source/docs/example" claims
sed -i 's|^endmodule|`ifdef FORMAL\n  always @(posedge clk) if (!rst) assert (sum_o < 100);\n`endif\nendmodule|' \
  claims/accum.sv
runs 0 "$lockstack" mutate claims --count 10
sed -i '/^`ifdef FORMAL/d; /^`endif/d' claims/accum.sv
runs 1 "$lockstack" mutate claims --count 10
matches "$out" 'the control, without a fault, ends with DUT_ASSERT: .*no mutant counts' \
  'an invariant that does not hold'

# What the block may expect of its neighbours: told with the score where the stimulus keeps it, an
# error where it does not
cp -r "$source/docs/example" kept
cat >kept/accum.env.sv <<'END'
module accum_env (input wire add_i, input wire [15:0] sum_o);
  always_comb begin
    any_sum: assume (add_i || !add_i || sum_o != 16'd0);
  end
endmodule
END
runs 0 "$lockstack" mutate kept --count 10 --json kept.json
matches "$out" 'assumed of the inputs: any_sum' 'the assumption is told'
equal "$(json kept.json environment.0)" any_sum 'the assumption in JSON'
sed -i 's/add_i || !add_i || sum_o/!add_i || sum_o/' kept/accum.env.sv
refuses 2 'profile [a-z_]+ does what .*/accum.env.sv says cannot be' "$lockstack" mutate kept --count 10
sed -i 's/sum_o/total_o/' kept/accum.env.sv
refuses 2 'port total_o is not a port of accum' "$lockstack" mutate kept --count 10

# Ctrl-C in the stimulus: what is known is told, the others are open and not in the score
setsid "$lockstack" mutate arb_rr --count 60 --cycles 1000000000 --no-proofs --out stopped \
  --json stopped.json >stopped.txt 2>stopped.err &
pid=$!
for _ in {1..600}; do
  [ -z "$(find stopped -name gates.blif -size +0 2>/dev/null)" ] || break
  sleep 0.1
done
sleep 1
kill -INT -- -$pid
wait $pid
equal $? 3 'exit status when interrupted'
[ "$(json stopped.json open)" -gt 0 ] || wrong 'no mutant is open after Ctrl-C'
equal "$(json stopped.json interrupted)" true 'interrupted'
equal "$(json stopped.json survived)" 0 'none counts as survived'
equal "$(json stopped.json score)" 1.0 'open mutants are not in the score'

# Bad input
refuses 2 "no block 'nosuch'" "$lockstack" mutate nosuch
refuses 2 'a BLOCK or a folder is missing' "$lockstack" mutate
refuses 2 "no family 'nosuch'" "$lockstack" mutate --family nosuch
refuses 2 '--count: .*0' "$lockstack" mutate arb_rr --count 0
refuses 2 '--show is for one BLOCK, here are 2' "$lockstack" mutate arb_rr fifo --show 1
refuses 2 'no mutant 999 among the 60 drawn' "$lockstack" mutate arb_rr --count 60 --show 999
refuses 2 '--cycles: ' "$lockstack" mutate arb_rr --cycles none
refuses 2 'NumReq = 65: from 1 to 64' "$lockstack" mutate arb_rr --set NumReq=65
refuses 2 'no parameter Width; it has: NumReq' "$lockstack" mutate arb_rr --set Width=3
refuses 2 "'NumReq' should be PARAM=VALUE" "$lockstack" mutate arb_rr --set NumReq

# A tool that is missing
mkdir bin
for tool in cmake gcc g++ verilator ninja; do ln -s "$(command -v $tool)" bin/; done
refuses 3 'yosys is not installed' env PATH="$here/bin" "$lockstack" mutate arb_rr --count 41
