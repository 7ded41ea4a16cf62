#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# power in watts: against a sum over nets that awk makes of the netlist and the counts (power.sh
# holds these against a waveform), on a library whose energies are constants. What a clock, a net
# of --per and windows change; pictures; what is wrong.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
command -v sta >/dev/null || skip 'opensta is not installed'

# watt.lib: 2 V, fF and ps, so that energies are fJ. Delays and slews are constants, too.
table() { printf '%s { values ("%s, %s", "%s, %s"); }\n' "$1" "$2" "$2" "$2" "$2"; }
arc() { # PIN SENSE TYPE
  printf 'timing () { related_pin : "%s"; timing_sense : %s; timing_type : %s;\n' "$1" "$2" "${3:-combinational}"
  for kind in cell_rise cell_fall rise_transition fall_transition; do table "$kind(t)" 10; done
  echo '}'
}
energy() { # RELATED WHEN RISE FALL
  echo "internal_power () { ${1:+related_pin : \"$1\";} ${2:+when : \"$2\";}"
  table 'rise_power(e)' "$3" && table 'fall_power(e)' "$4" && echo '}'
}
leaks() { printf 'leakage_power () { when : "%s"; value : %s; }\n' "$1" "$2"; }
pin() { printf 'pin (%s) { direction : input; capacitance : %s; %s\n' "$1" "$2" "${3:-}"; }
{
  echo 'library (watt) { time_unit : "1ps"; capacitive_load_unit (1, ff); voltage_unit : "1V"; current_unit : "1mA"; leakage_power_unit : "1uW";'
  echo 'delay_model : table_lookup; nom_voltage : 2.0;'
  for edge in rise fall; do
    echo "input_threshold_pct_$edge : 50; output_threshold_pct_$edge : 50; slew_lower_threshold_pct_$edge : 20; slew_upper_threshold_pct_$edge : 80;"
  done
  for name in lu_table power_lut; do
    echo "${name}_template ($([ $name = lu_table ] && echo t || echo e)) {"
    echo 'variable_1 : input_net_transition; variable_2 : total_output_net_capacitance; index_1 ("1, 100"); index_2 ("1, 100"); }'
  done
  echo 'cell (INV) { area : 1;' && leaks A 0.25 && leaks '!A' 0.5 && pin A 2 '}'
  echo 'pin (Y) { direction : output; function : "!A"; max_capacitance : 500;' && arc A negative_unate &&
    energy A '' 1 2 && echo '} }'
  echo 'cell (BUF) { area : 2; cell_leakage_power : 1;' && pin A 1 '}'
  echo 'pin (Y) { direction : output; function : "A"; max_capacitance : 500;' && arc A positive_unate &&
    energy A '' 3 3 && echo '} }'
  echo 'cell (NAND2) { area : 2; cell_leakage_power : 2;' && pin A 3 '}' && pin B 3 '}'
  echo 'pin (Y) { direction : output; function : "!(A * B)"; max_capacitance : 500;' && arc A negative_unate &&
    arc B negative_unate
  energy A '' 4 5 && energy B B 4 5 && echo '} }'
  for cell in DFF DFFR; do
    echo "cell ($cell) { area : 6; cell_leakage_power : 4; ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\";"
    if [ $cell = DFFR ]; then echo 'clear : "!RN"; }' && pin RN 2 '}'; else echo '}'; fi
    pin D 2 '}' && pin CK 1 'clock : true;' && energy '' Q 8 6 && energy '' "Q'" 7 9 && echo '}'
    echo 'pin (Q) { direction : output; function : "IQ"; max_capacitance : 500;' && arc CK non_unate rising_edge &&
      energy CK '' 10 20 && echo '} }'
  done
  echo '}'
} >watt.lib

cat >sum.awk <<'AWK'
function sta(name,   i, c, text, bit) {          # as nets.csv has it
  bit = ""
  if (substr(name, 1, 1) == "\\") {
    i = index(name, " ")
    bit = i ? substr(name, i + 1) : ""
    name = substr(name, 2, (i ? i : length(name) + 1) - 2)
    text = ""
    for (i = 1; i <= length(name); i++) { c = substr(name, i, 1); text = text (index("/[]\\", c) ? "\\" : "") c }
    return text bit
  }
  return name
}
FNR == NR { if (FNR > 1) { rises[$1] = $2; falls[$1] = $3; share[$1] = $4 } next }
/^  (INV|BUF|NAND2|DFFR?) / { split($0, word, " "); cell = word[1]; cells++; split("", on) }
/^    \.[A-Z]+\(.*\)/ {
  pin = $0; sub(/^    \./, "", pin); net = pin; sub(/\(.*/, "", pin); sub(/^[A-Z]+\(/, "", net); sub(/\),?$/, "", net); sub(/ $/, "", net)
  on[pin] = sta(net)
}
/^  \);/ && cell != "" {
  if (cell == "INV") {
    load[on["A"]] += 2; leak += 0.25 * share[on["A"]] + 0.5 * (1 - share[on["A"]])
    inner += rises[on["Y"]] + 2 * falls[on["Y"]]; from[on["Y"]]
  }
  if (cell == "BUF") { load[on["A"]] += 1; leak += 1; inner += 3 * (rises[on["Y"]] + falls[on["Y"]]); from[on["Y"]] }
  if (cell == "NAND2") { load[on["A"]] += 3; load[on["B"]] += 3; leak += 2; inner += 4 * rises[on["Y"]] + 5 * falls[on["Y"]]; from[on["Y"]] }
  if (cell ~ /^DFF/) {
    load[on["D"]] += 2; load[on["CK"]] += 1; leak += 4; from[on["Q"]]; q = share[on["Q"]]
    reg += 10 * rises[on["Q"]] + 20 * falls[on["Q"]] + rises[on["CK"]] * (8 * q + 7 * (1 - q)) + falls[on["CK"]] * (6 * q + 9 * (1 - q))
  }
  cell = ""
}
END {
  for (net in from) outer += load[net] * 2 * 2 / 2 * (rises[net] + falls[net])
  time = cycles * clock * 1e-9
  printf "%.9g %.9g %.9g %d\n", (inner + reg) * 1e-15 / time, outer * 1e-15 / time, leak * 1e-6, cells
}
AWK
near() { equal "$(awk "BEGIN { d = ($1) / ($2) - 1; print (d < 0.0005 && d > -0.0005) ? \"near\" : \"$1 $2\" }")" near \
  "$3"; }

runs 0 "$lockstack" power fifo --set Width=3 --cycles 3000 --liberty watt.lib --clock 4 --nets nets.csv --netlist n.v \
  --json p.json --draw pictures
matches "$out" 'J in each cycle, at a clock of 4 ns and 2 V' 'what is said'
sum=$(awk -F, -v cycles="$(json p.json activity.cycles)" -v clock=4 -f sum.awk nets.csv n.v)
read -r internal switching leakage cells <<<"$sum"
near "$(json p.json power.all.internal)" "$internal" 'internal power'
near "$(json p.json power.all.switching)" "$switching" 'switching power'
near "$(json p.json power.all.leakage)" "$leakage" 'leakage'
equal "$(json p.json power.cells) $(json p.json power.cells_unknown)" "$cells 0" 'cells'
near "$(json p.json power.all.watts)" "$internal + $switching + $leakage" 'all of it'
near "$(json p.json power.registers.watts) + $(json p.json power.logic.watts)" \
  "$(json p.json power.all.watts)" 'registers and logic'
near "$(json p.json power.joules_per_cycle)" "4e-9 * $(json p.json power.all.watts)" 'joules of a cycle'
# The sum sees one toggle more
sed -i 's/^push_i,/gone,/; s/^\(_[0-9]*_\),\([0-9][0-9][0-9]*\),/\1,9\2,/' nets.csv
read -r other _ <<<"$(awk -F, -v cycles="$(json p.json activity.cycles)" -v clock=4 -f sum.awk nets.csv n.v)"
[ "$other" != "$internal" ] || wrong 'a sum of other counts is the same'

# Windows are the run
mean=$(tail -n +2 pictures/power.csv | awk -F, '{ sum += $2 * $3; cycles += $2 } END { print sum / cycles }')
near "$mean" "$(json p.json power.all.watts)" 'the mean of all windows'
equal "$(json p.json power.windows.#)" 50 'windows'
for picture in power.svg power.png power_parts.svg power_parts.csv; do [ -s pictures/$picture ] ||
  wrong "no picture $picture"; done

# Half the clock: half the power that is no leakage
runs 0 "$lockstack" power fifo --set Width=3 --cycles 3000 --liberty watt.lib --clock 8 --per push_i --json q.json
near "$(json q.json power.all.switching)" "$switching / 2" 'switching power of a slower clock'
near "$(json q.json power.all.leakage)" "$leakage" 'leakage of a slower clock'
matches "$out" 'J for each of [0-9]* cycles with push_i at 1' 'energy of an event'
near "$(json q.json power.per.joules) * $(json q.json power.per.events)" \
  "$(json q.json power.joules_per_cycle) * $(json q.json activity.cycles)" \
  'energy of all events'

# Of a net that logic drives events are the edges that find it at 1: it may have another value
# behind them
logic=$(awk '/^  (INV|BUF|NAND2) /,/^  \);/ { if (sub(/^ *\.Y\(/, "")) { sub(/\).*/, ""); if (/^_/) { print; exit } } }' n.v)
runs 0 "$lockstack" power fifo --set Width=3 --cycles 3000 --liberty watt.lib --clock 8 --per "$logic" --json logic.json
equal "$(json logic.json power.per.events)" "$(awk -F, -v net="$logic" '$1 == net { print $5 }' nets.csv)" \
  'edges that find a net of logic at 1'
equal "$(json logic.json power.memories) $(json logic.json power.per.memory_joules)" 'null null' \
  'memories of a block without any'

# A memory: accesses are the edges that find its enables at 1 (power.sh holds these against a
# waveform), energies near CACTI's for this size
runs 0 "$lockstack" power nsu_regfile --cycles 2000 --nets regs.csv --netlist regs.v --json regs.json
edges() { # ENABLE: of the net on that pin of the memory
  awk -F, -v net="$(sed -n "/^  sram_1r1w /,/);\$/s/^ *\\.$1(\\([^)]*\\)).*/\\1/p" regs.v | sed 's/^\\//; s/ $//')" \
    '$1 == net { print $5 }' regs.csv
}
memory() { json regs.json "power.memories.list.0.$1"; }
equal "$(memory name) $(memory rows) $(memory width) $(memory extrapolated)" 'u_rows 768 1024 false' 'the memory'
equal "$(memory reads) $(memory writes)" "$(edges rd_en_i) $(edges wr_en_i)" 'its reads and writes'
[ "$(memory reads)" -gt 100 ] && [ "$(memory reads)" != "$(memory writes)" ] ||
  wrong "reads $(memory reads), writes $(memory writes)"
near "$(json regs.json power.memories.joules_per_cycle) * $(json regs.json activity.cycles)" \
  "$(memory reads) * $(memory read_joules) + $(memory writes) * $(memory write_joules)" 'joules of the memory'
within() { equal "$(awk "BEGIN { d = ($1) / ($2) - 1; print (d < 0.25 && d > -0.25) ? \"near\" : \"$1 $2\" }")" near \
  "$3"; }
within "$(memory read_joules)" 0.113415e-9 'joules of a read'
within "$(memory write_joules)" 0.262711e-9 'joules of a write'
within "$(memory leakage)" 76.7924e-3 'leakage of a memory'

# Cells of no process have loads, not watts
runs 0 "$lockstack" power fifo --set Width=3 --cycles 3000 --json g.json --draw loads
matches "$out" '[0-9.]* unit loads are switched in each cycle' 'gate equivalents'
equal "$(json g.json power.all) $(json g.json power.clock_ns)" 'null null' 'no watts'
equal "$(head -1 loads/power.csv)" 'first_cycle,cycles,unit_loads' 'what windows have'
near "$(tail -n +2 loads/power.csv | awk -F, '{ sum += $2 * $3; cycles += $2 } END { print sum / cycles }')" \
  "$(json g.json power.switched_loads)" \
  'the mean of all windows in loads'

# What OpenSTA takes no notice of is told
sed 's/timing_type : rising_edge/timing_type : nonsense_edge/' watt.lib >extra.lib
runs 0 "$lockstack" power fifo --set Width=3 --cycles 3000 --liberty extra.lib --json extra.json
equal "$(json extra.json power.library_left_out) $(json p.json power.library_left_out)" \
  "$(grep -c nonsense_edge extra.lib) 0" 'parts that are left out'
matches "$out" 'OpenSTA leaves out 2 parts of the library, the first one: .*extra.lib:[0-9]*: unknown timing_type nonsense_edge' 'what it does not take'

# What is wrong
refuses 2 "--clock 0: a period above 0" "$lockstack" power fifo --clock 0 --liberty watt.lib
refuses 2 "a clock: cells of ge are of no process" "$lockstack" power fifo --set Width=3 --cycles 3000 --clock 2
refuses 2 "--per nix: the netlist has no net of this name" "$lockstack" power fifo --set Width=3 --cycles 3000 \
  --liberty watt.lib --per nix
awk '/rise_power/ && !done { sub(/, "[0-9]*, [0-9]*"\)/, ")"); done = 1 } { print }' watt.lib >short.lib
refuses 2 'short.lib:[0-9]*: a table of power whose values are not as many as its indices say' \
  "$lockstack" power fifo --set Width=3 --cycles 3000 --liberty short.lib
sed 's/nom_voltage : 2.0;//' watt.lib >less.lib
refuses 2 'less.lib:1: the library has no voltage' "$lockstack" power fifo --set Width=3 --cycles 3000 \
  --liberty less.lib
sed 's/"!A"; value/"!A \&\& 1"; value/' watt.lib >odd.lib
runs 0 "$lockstack" power fifo --set Width=3 --cycles 3000 --liberty odd.lib
matches "$out" 'conditions of the library that are no expressions' 'a condition that nobody reads'
mkdir false && printf '#!/bin/sh\nexit 0\n' >false/sta && chmod +x false/sta
PATH=$PWD/false:$PATH refuses 3 'OpenSTA ended without an answer' "$lockstack" power fifo --set Width=3 --cycles 3000 \
  --liberty watt.lib
