#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# area --timing: against sums over a library of constant delays, with a clock, with constraints;
# and what is wrong with these.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/register_block.sh
. "$source/tests/system/register_block.sh"
command -v sta >/dev/null || skip 'opensta is not installed'

# own.lib: an inverter of 1 ns, a buffer of 0.25, a NAND of 1.5, a flip-flop of 2 with 0.5 of setup
# and 0.125 of hold; loads change nothing
constant() { printf '%s { values ("%s, %s", "%s, %s"); }\n' "$1" "$2" "$2" "$2" "$2"; }
arc() { # PIN SENSE NS TYPE
  printf 'timing () { related_pin : "%s"; timing_sense : %s; timing_type : %s;\n' "$1" "$2" "${4:-combinational}"
  constant 'cell_rise(t)' "$3" && constant 'cell_fall(t)' "$3" && constant 'rise_transition(t)' 0.01 &&
    constant 'fall_transition(t)' 0.01
  echo '}'
}
slews=c
check_arc() { # TYPE NS
  printf 'timing () { related_pin : "CK"; timing_type : %s;\n' "$1"
  constant "rise_constraint($slews)" "$2" && constant "fall_constraint($slews)" "$2"
  echo '}'
}
input() { printf 'pin (%s) { direction : input; capacitance : 0.001; %s\n' "$1" "${2:-}"; }
{
  echo 'library (own) { time_unit : "1ns"; capacitive_load_unit (1, pf); voltage_unit : "1V"; current_unit : "1mA"; delay_model : table_lookup;'
  for edge in rise fall; do
    echo "input_threshold_pct_$edge : 50; output_threshold_pct_$edge : 50; slew_lower_threshold_pct_$edge : 20; slew_upper_threshold_pct_$edge : 80;"
  done
  echo 'lu_table_template (t) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance; index_1 ("0.01, 1"); index_2 ("0.001, 1"); }'
  echo 'lu_table_template (c) { variable_1 : related_pin_transition; variable_2 : constrained_pin_transition; index_1 ("0.01, 1"); index_2 ("0.01, 1"); }'
  echo 'cell (INV) { area : 1;' && input A '}' &&
    echo 'pin (Y) { direction : output; function : "!A"; max_capacitance : 1;'
  arc A negative_unate 1 && echo '} }'
  echo 'cell (BUF) { area : 2;' && input A '}' &&
    echo 'pin (Y) { direction : output; function : "A"; max_capacitance : 1;'
  arc A positive_unate 0.25 && echo '} }'
  echo 'cell (NAND2) { area : 2;' && input A '}' && input B '}' &&
    echo 'pin (Y) { direction : output; function : "!(A * B)"; max_capacitance : 1;'
  arc A negative_unate 1.5 && arc B negative_unate 1.5 && echo '} }'
  echo 'cell (DFF) { area : 6; ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }' && input CK 'clock : true; }' &&
    input D
  check_arc setup_rising 0.5 && check_arc hold_rising 0.125
  echo '}' && echo 'pin (Q) { direction : output; function : "IQ"; max_capacitance : 1;' &&
    arc CK non_unate 2 rising_edge && echo '} }'
  echo '}'
} >own.lib
block turn "$register ~q_o ^ (a_i & {q_o[6:0], q_o[7]});" '~s->q ^ (in->a & (s->q << 1 | s->q >> 7))'

# What the path must take, by its cells: of path NUMBER
sum() {
  local i=0 cell total=0
  while cell=$(json t.json "timing.paths.$1.points.$i.cell" 2>/dev/null) && [ -n "$cell" ]; do
    case $cell in INV) total="$total + 1" ;; BUF) total="$total + 0.25" ;; NAND2) total="$total + 1.5" ;; DFF) \
      total="$total + 2" ;; esac
    i=$((i + 1))
  done
  echo "$total"
}
is() { equal "$(awk "BEGIN { d = ($1) - ($2); print (d < 0.0001 && d > -0.0001) ? \"so\" : ($1) \" \" ($2) }")" so \
  "$3"; }
find_path() { # KIND FROM TO
  local i=0 is
  while is=$(json t.json "timing.paths.$i.kind" 2>/dev/null) && [ -n "$is" ]; do
    [ "$is $(json t.json "timing.paths.$i.from") $(json t.json "timing.paths.$i.to")" = "$1 $2 $3" ] &&
      { echo "$i"; return; }
    i=$((i + 1))
  done
}

runs 0 "$lockstack" area ./turn --liberty own.lib --timing --json t.json
matches "$out" 'shortest period [0-9.]* ns \([0-9.]* MHz\); at [0-9.]* ns setup slack -?0.000 ns' 'what is said'
matches "$out" 'q_o\[[0-9]\] to q_o\[[0-9]\]' 'registers by their names in the RTL'
period=$(json t.json timing.shortest_period)
path=$(find_path setup reg reg)
is "$period" "$(sum "$path") + 0.5" 'the shortest period is the longest path and the setup'
is "$(json t.json timing.fmax_mhz)" "1000 / $period" 'MHz'
hold=$(find_path hold reg reg)
is "$(json t.json timing.hold.slack)" "$(sum "$hold") - 0.125" 'slack of hold is the shortest path without the hold'
is "$(json t.json timing.paths."$(find_path class reg out)".delay)" 2 'a register that is an output'

# Corners: the same cells, all of it twice as slow, and hold alone ten times as long
sed 's/"\(1\|0.25\|1.5\|2\|0.5\), \([0-9.]*\)", "[0-9.]*, [0-9.]*"/"2*\1 2*\1"/' own.lib | awk '/values \("2\*/ {
  match($0, /2\*[0-9.]*/); v = 2 * substr($0, RSTART + 2, RLENGTH - 2); sub(/\("2\*.*"\)/, "(\"" v ", " v "\", \"" v ", " v "\")") } { print }' >slow.lib
runs 0 "$lockstack" area ./turn --liberty own.lib --corner slow=slow.lib --timing --json t.json
matches "$out" 'corner slow: shortest period' 'a corner'
equal "$(json t.json timing.corners.#) $(json t.json timing.corners.0.name)" '1 slow' 'corners'
is "$(json t.json timing.corners.0.shortest_period)" "2 * $period" 'the shortest period of slow cells'
is "$(json t.json timing.shortest_period)" "$period" 'the shortest period of the others'

# A clock that is too fast by two: each end that is late, and by how much
runs 0 "$lockstack" area ./turn --liberty own.lib --timing --clock "$(awk "BEGIN { print $period - 2 }")" --json t.json
is "$(json t.json timing.setup.slack)" -2 'slack of a clock that is faster by 2 ns'
equal "$(($(json t.json timing.setup.violated) > 7))" 1 'ends that are late'
is "$(json t.json timing.shortest_period)" "$period" 'the shortest period hangs on no clock'
runs 0 "$lockstack" area ./turn --liberty own.lib --timing --clock 100 --json t.json
is "$(json t.json timing.setup.slack)" "100 - $period" 'slack of a slow clock'
equal "$(json t.json timing.setup.violated)" 0 'nothing is late'

loose() { echo "$(json t.json timing.unclocked) $(json t.json timing.unwanted) $(json t.json timing.undelayed)"; }
equal "$(loose)" '0 0 0' 'what our own constraints say nothing of'

# Constraints of one's own
cat >own.sdc <<'END'
create_clock -name c -period 20 [get_ports clk]
set_input_delay 7.5 -clock c [get_ports {en_i rst a_i[*]}]
END
runs 0 "$lockstack" area ./turn --liberty own.lib --timing --sdc own.sdc --json t.json
path=$(find_path setup in reg)
is "$(json t.json "timing.paths.$path.slack")" "20 - 7.5 - 0.5 - ($(sum "$path"))" 'slack of an input that comes late'
equal "$(json t.json timing.shortest_period) $(json t.json timing.sdc)" 'null own.sdc' \
  'nobody looks for a period with an sdc'

# What constraints leave out is counted: outputs that nobody waits for, inputs that come at no
# time, registers without a clock
equal "$(loose)" '0 8 0' 'what own.sdc says nothing of'
matches "$out" ' ends of paths have no time that is wanted, the first one: ' 'ends that nothing is said of'
echo 'create_clock -name c -period 20 [get_ports en_i]' >other.sdc
runs 0 "$lockstack" area ./turn --liberty own.lib --timing --sdc other.sdc --json t.json
equal "$(loose)" '8 16 10' 'a clock that comes to no register'
matches "$out" '8 registers have no clock, the first one: ' 'registers that nothing is said of'

# An output that is a constant is no end
block fixed "$register {1'b0, ~q_o[6:0]};" '~s->q & 127'
runs 0 "$lockstack" area ./fixed --liberty own.lib --timing --json t.json
equal "$(loose)" '0 0 0' 'a constant output'

# A ratchet holds the period, too; a file without that column does not
runs 0 "$lockstack" area ./turn --liberty own.lib --timing --ratchet --budget b.csv --update --reason first
matches "$(grep -v '^#' b.csv)" "^own.lib,.*turn,,[0-9]*,8,[0-9.]*,[0-9.]*,0,$(awk \
  "BEGIN { printf \"%.4g\", $period }"),first$" 'a line with the period'
sed -i "s/,0,[0-9.]*,first/,0,$(awk "BEGIN { print $period / 1.1 }"),first/" b.csv
runs 1 "$lockstack" area ./turn --liberty own.lib --timing --ratchet --budget b.csv
matches "$out" 'shortest period grew by 10.0 %' 'a period that grew'
runs 0 "$lockstack" area ./turn --liberty own.lib --ratchet --budget b.csv
sed -i 's/,macro_bits,period,/,macro_bits,/; s/,0,[0-9.]*,first/,0,first/' b.csv
runs 0 "$lockstack" area ./turn --liberty own.lib --timing --ratchet --budget b.csv

# Logic alone
runs 0 "$lockstack" area arb_fixed --timing --json t.json
equal "$(json t.json timing.unit) $(json t.json timing.fmax_mhz) $(json t.json timing.hold.slack)" 'FO4 null null' \
  'a block without registers, on ge'
is "$(json t.json timing.shortest_period)" "$(json t.json "timing.paths.$(find_path class in out).delay")" \
  'the way through it'

# What is wrong
timing=("$lockstack" area ./turn --liberty own.lib --timing)
for clock in 0 -1 fast 2x inf nan 0x2 1e300 1e-30 ''; do
  refuses 2 "--clock $clock: a period above 0 would be right" "${timing[@]}" --clock "$clock"; done
refuses 2 '--clock and --sdc are for --timing' "$lockstack" area ./turn --liberty own.lib --clock 2
runs 0 "$lockstack" area ./turn --liberty own.lib --corner slow=slow.lib
matches "$out" 'Corners are for --timing: no figure here is of them' 'corners without timing'
refuses 2 '--ratchet: the shortest period is of a clock without --sdc' "${timing[@]}" --sdc own.sdc \
  --ratchet --budget b.csv
refuses 2 '--timing: of an FPGA' "$lockstack" area ./turn --target ice40 --timing
refuses 2 '--clock: the clock is that of --sdc' "${timing[@]}" --clock 2 --sdc own.sdc
refuses 2 'none.sdc: No such file' "${timing[@]}" --sdc none.sdc
sdc() { # TEXT REGEX
  printf '%b' "$1" >bad.sdc
  refuses 2 "$2" "${timing[@]}" --sdc bad.sdc
}
sdc 'create_clock -period 2 [get_ports nix]\n' "bad.sdc:1: port 'nix' not found"
sdc 'create_clock -period 2 [get_ports clk]\n\nset_input_delay 1 -clock other [get_ports en_i]\n' \
  "bad.sdc:3: clock arg 'other' clock not found"
sdc 'create_clock -period 2 [get_ports clk]\nset_fo 3\n' 'bad.sdc:2: invalid command name .set_fo.'
sdc 'create_clock -name c -period 0 [get_ports clk]\n' 'bad.sdc: clock c has a period of 0'
sdc '' 'bad.sdc: makes no clock'
sdc 'exit\n' 'bad.sdc: '
sdc 'create_clock -period 2 [get_ports clk\n' 'bad.sdc'

# A Liberty file that synthesis takes and OpenSTA does not
grep -v threshold own.lib >lacks.lib
sed 's/_constraint(c)/_constraint(t)/' own.lib >axes.lib
runs 0 "$lockstack" area ./turn --liberty axes.lib --timing --json t.json
matches "$out" 'OpenSTA leaves out 4 parts of the library, the first one: .*axes.lib:[0-9]*: unsupported model axis' \
  'what OpenSTA does not take'
equal "$(json t.json timing.library_left_out)" 4 'parts that are left out'
refuses 2 'lacks.lib:1: Library own is missing one or more thresholds' "$lockstack" area ./turn --liberty lacks.lib \
  --timing

# An OpenSTA that does nothing, and none
mkdir false && printf '#!/bin/sh\n[ "$1" = -version ] && echo 2.0.17\nexit 0\n' >false/sta && chmod +x false/sta
PATH=$PWD/false:$PATH refuses 3 'OpenSTA ended without an answer' "${timing[@]}"
printf '#!/bin/sh\nexit 9\n' >false/sta
PATH=$PWD/false:$PATH refuses 3 'OpenSTA ended with 9' "${timing[@]}"
