# SPDX-License-Identifier: Apache-2.0
#
# Somebody else's RTL without a wrapper, as docs/own-block.md goes through it: three files of
# Verilog 2005 with names of their own. timeout: 900
source "$(dirname "$0")/../lib.sh"

cp -r "$source/tests/foreign/uart/rtl" "$source/tests/foreign/uart/include" .

# --- new: all files that it needs are there, and its check fails until the model is written
runs 0 "$lockstack" new uart --from rtl/uart.v --include include --json n.json
matches "$out" '10 ports, 1 parameters, clock clk, reset reset \(high, sync\), outputs moore' 'what it is'
for pair in block="$(realpath uart)" name=uart files.0=uart.ports files.4=uart.yaml from.clock=clk from.reset=reset \
  from.level=high from.sync=sync \
  from.kind=moore from.ports=10 from.parameters.0=CLKS_PER_BIT; do
  equal "$(json n.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
for file in uart.v uart_tx.v uart_rx.v; do matches "$(cat uart/uart.yaml)" "  - ../rtl/$file" "$file"; done
matches "$(cat uart/uart.yaml)" 'language: verilog .*suffixes: none' 'language and names'
runs 1 "$lockstack" check uart --no-wave --json c.json
equal "$(json c.json outcome)" MODEL_ASSERT 'a model that is not written'
matches "$out" 'uart_eval in uart.c is to be written' 'what is to be done'

# --- the model written, the ports described, stimulus, proof
cp "$source"/tests/foreign/uart/block/* uart
runs 0 "$lockstack" check uart --cycles 20000
runs 0 "$lockstack" check uart --cycles 20000 --set CLKS_PER_BIT=5
runs 0 "$lockstack" prove uart --first
matches "$out" 'broken +early / echo +bmc +[0-9]+ +refuted' 'a fault that the proof sees'
runs 0 "$lockstack" cover uart
runs 0 "$lockstack" mutate uart --count 60 --json m.json
equal "$(json m.json score)" 1.0 'mutants'
[ "$(json m.json lines)" -gt 100 ] || wrong 'lines of all its files'
runs 0 "$lockstack" faults uart --count 100 --jobs 1 --json f.json
equal "$(json f.json registers.0.name | grep -c receiver)" 1 'a register by its name in the RTL'

# --- a divergence is about the RTL as it is: its names, its files, its lines
mkdir changed
sed 's/bit == 3.d7) ? 1.b1 : shift\[1\]/bit == 3'"'d7) ? 1'b1 : shift[2]/" rtl/uart_tx.v >changed/uart_tx.v
runs 1 "$lockstack" check uart --rtl changed --json d.json
equal "$(json d.json failure.port)" txd 'the wrong port'
matches "$out" 'txd comes from transmitter.txd' 'what drives it'
matches "$(cat lockstack-out/*.gtkw)" 'TOP\.(uart\.)?txd' 'the RTL'"'"'s name in the waveform'
runs 1 "$lockstack" replay "$(json d.json replay)"

# --- a suite, and its report
cat >suite.yaml <<'END'
jobs:
  - check: {blocks: [uart], cycles: 20000, sets: [default, {CLKS_PER_BIT: 3}], seeds: 2}
  - prove: {block: uart, first: true}
  - area: {block: uart}
  - cover: {block: uart, cycles: 5000}
END
runs 0 "$lockstack" regress suite.yaml --db r.db
runs 0 "$lockstack" report --db r.db --out page.html
matches "$(cat page.html)" "$(realpath uart)" 'the report'
