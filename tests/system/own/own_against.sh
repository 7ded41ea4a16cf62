# SPDX-License-Identifier: Apache-2.0
#
# check --against: two devices in lockstep, of RTL whose model is not written. Faults are found, X is
# counted and not compared, assertions of the RTL do not end the run; replay, regress and report.
# timeout: 900
source "$(dirname "$0")/../lib.sh"

mkdir rtl broken
cat >rtl/keeper.sv <<'END'
module keeper #(parameter int Depth = 4) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       we_i,
  input  logic [1:0] addr_i,
  input  logic [7:0] wdata_i,
  input  logic       re_i,
  output logic       valid_o,
  output logic [7:0] rdata_o,
  output logic [7:0] halves_o,
  output logic [7:0] count_o
);
  logic [7:0] mem [Depth];
  logic [3:0] high;
  always_ff @(posedge clk_i) begin
    if (we_i) mem[addr_i] <= wdata_i;
    if (re_i) rdata_o <= mem[addr_i];
    if (we_i) high <= wdata_i[7:4];
  end
  assign halves_o = {high, 4'bx};
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      valid_o <= 0;
      count_o <= 0;
    end else begin
      valid_o <= re_i;
      count_o <= count_o + 8'(we_i);
`ifndef SYNTHESIS
      assert (!(we_i && re_i));
      if (we_i && addr_i == 3) $error("did not converge: address %0d of %0d", addr_i, wdata_i);
`endif
    end
endmodule
END
runs 0 "$lockstack" new keeper --from rtl/keeper.sv
matches "$(cat keeper/keeper.c)" 'is to be written' 'the model is a scaffold'
runs 1 "$lockstack" check keeper --no-wave
matches "$out" 'MODEL_ASSERT' 'the model is called without --against'

# --- without a model: each pair (an assertion that speaks of converging is one all the same), with the scaffold's stimulus; then with the default one
last='lockstep against reference \(netlist\), 100 % of output bits known'
runs 0 "$lockstack" check keeper --against netlist --cycles 10000 --json a.json
matches "$out" "PASS keeper: 10,000 cycles in $last" 'the last line'
matches "$out" 'rtl, [0-9,]+ times: rtl/keeper.sv:29: assert \(!\(we_i && re_i\)\)' 'an assertion of the RTL'
matches "$out" 'rtl, [0-9,]+ times: rtl/keeper.sv:30: .*address 3 of' 'another, in one line whatever its text'
equal "$(grep -c 'keeper.sv:30' <<<"$out")" 1 'lines of a place'
for pair in dut=rtl against=netlist outcome=PASS known.unknown=0 known.share=1.0 known.outputs.#=0 assertions.#=2 \
  assertions.0.side=device; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
runs 0 "$lockstack" check keeper --dut cxxrtl --against rtl --cycles 2000 --seed 5 --set Depth=3
matches "$out" 'reference \(rtl\), [0-9,]+ times: rtl/keeper.sv:29' 'an assertion of the reference'
rm keeper/keeper_stim.c
runs 0 "$lockstack" check keeper --dut netlist --against cxxrtl --cycles 10000 --profile random --seed 7

# --- X of either side: counted, and not compared
for pair in 'rtl icarus' 'icarus netlist'; do
  # shellcheck disable=SC2086
  runs 0 "$lockstack" check keeper --dut ${pair% *} --against ${pair#* } --cycles 1000 --json x.json
  matches "$out" 'X or Z in halves: (49|50)\.[0-9] % of its bits known; 4 of 8 never' "X of $pair"
  matches "$out" 'X or Z in rdata: 9[0-9.]+ % of its bits known' "X at first of $pair"
  matches "$out" "against reference \(${pair#* }\), 8[0-9.]+ % of output bits known" "the share of $pair"
  matches "$(json x.json known.share)" '^0\.8' "the share of $pair in JSON"
  equal "$(json x.json known.outputs.1.name) $(json x.json known.outputs.1.never)" 'halves 4' "X of $pair in JSON"
done

# A qualifier that is X: what it qualifies is not compared either
sed -i 's/^OUT(rdata, 8, always)/OUT(rdata, 8, valid)/' keeper/keeper.ports
sed -i 's/valid_o <= 0;/;/; s/valid_o <= re_i/valid_o <= re_i || (valid_o \&\& !we_i)/' rtl/keeper.sv
runs 0 "$lockstack" check keeper --against icarus --cycles 1000
matches "$out" 'X or Z in valid: .*X or Z in rdata: ' 'an unknown qualifier'

# All of an output is X
sed 's/assign halves_o = .*/assign halves_o = 8'"'"'bx;/' rtl/keeper.sv >broken/keeper.sv
runs 0 "$lockstack" check keeper --rtl broken --dut icarus --against rtl --cycles 1000
matches "$out" 'X or Z in halves: 0.0 % of its bits known; 8 of 8 never' 'nothing of it'

# --- a fault of one device: the copy adds 2 at times; the reference is the block's own RTL
sed "s/count_o + 8'(we_i)/count_o + (we_i ? wdata_i == 8'h55 ? 8'd2 : 8'd1 : 8'd0)/" rtl/keeper.sv >broken/keeper.sv
cmp -s rtl/keeper.sv broken/keeper.sv && wrong 'no fault was planted'
for reference in netlist rtl icarus; do
  runs 1 "$lockstack" check keeper --rtl broken --against $reference --seed 3 --json a.json --out out
  matches "$out" "DIVERGED in cycle .*output count \(8 bits\).* rtl  .* reference \($reference\)  0x" "found by $reference"
  matches "$out" "shrunk from [0-9]+ cycles .* to [2-5] " "shrunk with $reference"
  matches "$out" "lockstack check [^ ]*/keeper --rtl [^ ]*/broken --against $reference --seed 3" 'the command'
  [[ $out == *' model '* ]] && wrong "a model in the report: $out"
  equal "$(json a.json failure.port) $(json a.json window.against) $(json a.json repeats)" "count $reference true" 'JSON'
  [ -s "$(json a.json wave)" ] || wrong "no waveform with $reference"
done
replay=$(json a.json replay)
matches "$(cat "$replay")" $'\nagainst icarus\n' 'the replay file'
runs 1 "$lockstack" replay "$replay" --wave r.fst --json r.json
matches "$out" 'DIVERGED as recorded' 'replayed'
matches "$out" 'reference \(icarus\)' 'replayed against the same device'
equal "$(json r.json against) $(json r.json same)" 'icarus true' 'JSON of the replay'
# a file that is not shrunk has assertions on its way
runs 1 "$lockstack" check keeper --rtl broken --against netlist --seed 3 --shrink-seconds 0 --no-wave --json u.json --out out
runs 1 "$lockstack" replay "$(json u.json replay)" --json s.json
equal "$(json s.json assertions.0.side)" device 'an assertion of the device in a replay'
cp rtl/keeper.sv broken/keeper.sv
runs 0 "$lockstack" replay "$replay"
matches "$out" 'PASS: the recorded DIVERGED is gone' 'a repaired copy'

# --- in a suite and its report: never as a check of the model
cat >suite.yaml <<'END'
help: two devices
jobs:
  - check: {block: keeper, against: netlist, cycles: 2000, seeds: 2}
  - check: {block: keeper, dut: cxxrtl, againsts: [rtl, icarus], cycles: 1000, seeds: 1}
END
runs 0 "$lockstack" regress suite.yaml --db r.db
equal "$(sql r.db "SELECT COUNT(*) FROM job WHERE outcome = 'PASS'")" 4 'jobs that passed'
runs 0 "$lockstack" report --db r.db --out pages --json report.json
own=$(for i in $(seq 0 200); do
  [[ $(json report.json "blocks.$i.name" 2>/dev/null) == */keeper ]] && echo "$i"
done)
rows=$(for i in 0 1 2; do json report.json "blocks.$own.check.duts.$i.dut"; done | sort | tr '\n' ,)
equal "$rows" 'cxxrtl against icarus,cxxrtl against rtl,rtl against netlist,' 'rows of the report'
equal "$(json report.json "blocks.$own.check.cycles")" 0.0 'cycles against a model'

# --- what cannot be combined
refuses 2 "'vhdl' should be rtl, netlist" "$lockstack" check keeper --against vhdl
refuses 2 'against rtl: the device is rtl, too' "$lockstack" check keeper --against rtl
refuses 2 'against netlist: the device is netlist, too' "$lockstack" check keeper --dut netlist --against netlist
refuses 2 'without --guided' "$lockstack" check keeper --against netlist --guided
refuses 2 'without --vectors' "$lockstack" check keeper --against netlist --vectors v.txt
refuses 2 'without --inside' "$lockstack" check keeper --against netlist --inside --no-wave
refuses 2 'gates are those of' "$lockstack" check keeper --against icarus --cells ge
refuses 2 'without a model to ask' "$lockstack" replay "$replay" --inside
refuses 2 "against" "$lockstack" faults keeper --against netlist
sed 's/^against icarus/against vhdl/' "$replay" >bad.replay
refuses 2 "bad.replay:6: against 'vhdl' should be" "$lockstack" replay bad.replay
