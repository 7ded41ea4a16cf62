#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check and replay: results, bad input, a block of one's own, vectors, files after a failure.
# timeout: 600
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# What holds
runs 0 "$lockstack" check arb_rr --seed 7 --cycles 50000 --json a.json
matches "$out" 'PASS arb_rr: 50,000 cycles' 'the report'
equal "$(json a.json schema)" lockstack.check/1 'the schema'
for pair in block=arb_rr dut=rtl seed=7 profile=all outcome=PASS cycles=50000 probes_compared=49875 replay=null \
  wave=null; do
  equal "$(json a.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
matches "$(json a.json cycles_per_second)" '^[1-9]' 'the speed'
runs 0 env POSIXLY_CORRECT=1 "$lockstack" check arb_rr --profile hold --cycles 100 --json - --seed 3
matches "$out" '"profile": "hold"' 'JSON on standard output'

# A user who cannot write the build folder: what is fresh there is not built again
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$here/nobody")
mkdir nobody && chmod 755 "$here"
if [ "$(id -u)" -eq 0 ] && chown 65534 nobody && "${nobody[@]}" test -x "$lockstack"; then
  runs 0 "${nobody[@]}" "$lockstack" check arb_rr --cycles 100 --no-wave --out nobody/out
  equal "$(find nobody -name 'arb_rr-*')" '' 'what was built of it'
fi

# Further runs with other parameters, of all that a block does by default only
runs 0 "$lockstack" check router_width --cycles 100000 --json second.json
matches "$out" 'PASS router_width: 100,000 cycles' 'the first run'
matches "$out" 'again with CountStart=524200,.*' 'the second run'
matches "$out" 'PASS router_width: 25,000 cycles' 'its cycles'
equal "$(json second.json again.0.outcome) $(json second.json again.2.cycles)" 'PASS 25000' 'its result'
equal "$(json second.json again.0.profile)" all 'its profile'
equal "$(json second.json cycles) $(json second.json params)" '100000 ' 'the results of the first run'
for narrowed in '100000 --set=Ports=5' '100000 --profile=border' 99999; do
  # shellcheck disable=SC2086
  runs 0 "$lockstack" check router_width --cycles $narrowed
  if grep -q 'again with' <<<"$out"; then wrong "a second run with $narrowed"; fi
done

# Bad input
refuses 2 "no block 'nosuch'" "$lockstack" check nosuch
refuses 2 "no profile 'fast'; it has: dense" "$lockstack" check arb_rr --profile fast
refuses 2 "'0' should be a whole number from 1" "$lockstack" check arb_rr --cycles 0
refuses 2 "NumReq = 65: from 1 to 64" "$lockstack" check arb_rr --set NumReq=65
for buffer in Rd Wr; do # more entries than can be counted when all are freed
  refuses 2 "${buffer}BufDepth = 1024: from 2 to 1023" "$lockstack" check nsu --set ${buffer}BufDepth=1024
done
refuses 2 "NumReq = x: a whole number" "$lockstack" check arb_rr --set NumReq=x
refuses 2 "no parameter Width; it has: NumReq" "$lockstack" check arb_rr --set Width=3
refuses 2 "'NumReq' should be PARAM=VALUE" "$lockstack" check arb_rr --set NumReq
refuses 2 "'gold' should be rtl" "$lockstack" check arb_rr --dut gold
refuses 2 "a BLOCK or a folder is missing" "$lockstack" check
refuses 2 "arb_rr takes no vectors" "$lockstack" check arb_rr --vectors /dev/null
refuses 2 "nowhere: No such file" "$lockstack" check arb_rr --rtl nowhere
mkdir other
printf "module other; endmodule\n" >other/other.sv
refuses 2 "other: no RTL file of the block" "$lockstack" check arb_rr --rtl other

# A block of one's own
runs 0 "$lockstack" check "$source/docs/example" --cycles 20000
matches "$out" 'PASS accum: 20,000 cycles' 'the example'
cp -r "$source/docs/example" own
runs 0 "$lockstack" check own --set Bits=64 --cycles 20000
rm own/accum.h
refuses 2 'own/accum.h: is missing' "$lockstack" check own
cp "$source/docs/example/accum.h" own
sed -i 's/^RESET.*/RESET(rst, up, sync)/' own/accum.ports
refuses 2 'accum.ports:5: .*level low or high' "$lockstack" check own
cp "$source/docs/example/accum.ports" own
sed -i 's/^IN(value, Bits, add)/IN(value, Bits, ad)/' own/accum.ports
refuses 2 'accum.ports:8: value is qualified by ad' "$lockstack" check own
cp "$source/docs/example/accum.ports" own
sed -i 's/;$/ oops;/;q' own/accum.c && echo 'int x = ;' >>own/accum.c
refuses 2 'accum.c:[0-9]+:[0-9]+: error' "$lockstack" check own
cp "$source/docs/example/accum.c" own
sed -i 's/sum_o + value_i/sum_o + value_i)/' own/accum.sv
refuses 2 'accum.sv:13:[0-9]+: syntax error' "$lockstack" check own
mkdir empty
refuses 2 'no port file X.ports' "$lockstack" check empty

# A failure: report, files, replay
cp "$source/docs/example/accum.sv" own
sed -i 's/sum_o + value_i/sum_o + (value_i ^ Bits'"'"'(sum_o == 5))/' own/accum.sv
runs 1 "$lockstack" check own --cycles 2000000 --set Bits=6 --out results --json b.json
matches "$out" 'DIVERGED in cycle' 'the failure'
matches "$out" 'rtl +0x.*model +0x' 'both values'
matches "$out" 'lockstack check .*--set Bits=6 --seed 1 --profile' 'the command that does it again'
equal "$(json b.json outcome)" DIVERGED 'the outcome'
equal "$(json b.json failure.port)" sum 'the port'
replay=$(json b.json replay) wave=$(json b.json wave)
[ -s "$replay" ] && [ -s "$wave" ] && [ -s "${wave%.fst}.gtkw" ] || wrong "files after a failure: $replay $wave"
matches "$(head -c 200 "${wave%.fst}.gtkw")" 'dumpfile' 'the save file'
matches "$out" 'rule +own/accum.ports:9 "OUT\(sum, Bits, always\)"' 'the rule of the port'
equal "$(json b.json failure.rule.line) $(json b.json failure.rule.text)" '9 OUT(sum, Bits, always)' 'the rule in JSON'
matches "$(cat "${wave%.fst}.gtkw")" 'model.diverged.*color. 1.*TOP.sum_o.5:0..*color. 3.*model.sum_o.5:0.' \
  'the pair in the save file'
cursor=$(sed -n 's/^\*-4[.0]* \([0-9]*\) .*/\1/p' "${wave%.fst}.gtkw")
at() { "$build/tests/fst_get" "$wave" "$1" "$2"; }
last=$(($(json b.json window.to) - $(json b.json window.from)))
for side in rtl=TOP.sum_o model=model.sum_o; do
  # both sides, in the wrong cycle and in the one before
  for back in 0 1; do
    value=$(json b.json "window.signals.2.${side%=*}.$((last - back))")
    equal "$((2#$(at $((cursor - 2 * back)) "${side#*=}")))" "$((0x$value))" "${side#*=}, $back cycles before"
  done
done
equal "$(at "$cursor" model.diverged) $(at $((cursor - 2)) model.diverged)" '1 0' 'the marker'
[ "$(json b.json shrunk_cycles)" -le 8 ] || wrong "shrunk to $(json b.json shrunk_cycles) cycles only"
runs 1 "$lockstack" replay "$replay" --json c.json --wave again.fst
equal "$(json c.json same)" true 'the replay'
equal "$(json c.json failure.port)" sum 'its port'
[ -s again.fst ] || wrong 'no waveform of the replay'
runs 1 "$lockstack" replay "$replay" --wave again.vcd
[ ! -e again.vcd.fst ] || wrong 'a file that is only on the way is left'
matches "$(<again.gtkw)" 'dumpfile. ".*/again.vcd"' 'the save file of a VCD'
# vcd TIME SCOPE.NAME: a value, binary; the last one of its time or before it
vcd() {
  awk -v time="$1" -v name="$2" '
    $1 == "$scope" { path = path $3 "." }
    $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
    $1 == "$var" && path $5 == name { id = $4 }
    /^#/ { if (substr($0, 2) + 0 > time + 0) exit }
    /^b/ && $2 == id { value = substr($1, 2) }
    /^[01]/ && substr($0, 2) == id { value = substr($0, 1, 1) }
    END { print value }' again.vcd
}
for name in TOP.sum_o model.sum_o model.diverged; do
  for back in 0 2 4; do
    fst=$("$build/tests/fst_get" again.fst $((cursor - back)) $name)
    equal "$((2#$(vcd $((cursor - back)) $name)))" "$((2#$fst))" "$name $back edges before, in VCD and FST"
  done
done
for file in b.json c.json; do                                      # what the report page draws
  to=$(json $file window.to) last=$(($(json $file window.to) - $(json $file window.from)))
  equal "$(json $file window.wrong) $(json $file window.signals.2.name)" "$to sum" "the window of $file"
  [ "$(json $file window.signals.2.rtl.$last)" != "$(json $file window.signals.2.model.$last)" ] ||
    wrong "$file: both values are the same"
  equal "$(json $file window.signals.2.rtl.$((last - 1)))" "$(json $file window.signals.2.model.$((last - 1)))" \
    'the cycle before'
  equal "$(json $file window.signals.0.rtl) $(json $file ports.1.valid)" 'null add' 'an input'
  matches "$(json $file window.text)" 'output sum' 'the text'
  matches "$(json $file transactions.0.inputs)" 'add=0x1' 'the last inputs'
done
signed() {                                                         # a changed file with its checksum
  local crc
  crc=$(gzip -c "$1" | tail -c 8 | od -An -N4 -tx4 | tr -d ' ') && echo "end crc32=$crc" >>"$1"
}
sed '/^end/d; s/^differs .*/differs 0123456789abcdef/' "$replay" >fields.replay && signed fields.replay
runs 1 "$lockstack" replay fields.replay --json fields.json
equal "$(json fields.json outcome) $(json fields.json same)" 'DIVERGED false' 'other fields than those recorded'
matches "$out" 'DIVERGED at sum as recorded, but with other ports or fields' 'what is said of it'
sed '/^end/d; /^differs/d; s/^lockstack-replay 6/lockstack-replay 1/' "$replay" >older.replay && signed older.replay
runs 1 "$lockstack" replay older.replay --json older.json
equal "$(json older.json same)" true 'a file of version 1, which knows the port alone'
cp "$source/docs/example/accum.sv" own
runs 0 "$lockstack" replay "$replay"
matches "$out" 'is gone' 'the replay after the repair'
sed '/^end/d; s/^port sum/port total/' "$replay" >port.replay && signed port.replay
runs 1 "$lockstack" replay port.replay --json port.json
equal "$(json port.json outcome)" NOT_COMPARED 'a recorded port that the block has no more'
inputs() {
  sed "/^end/d; s/^inputs .*/inputs $1/" "$replay" >inputs.replay && signed inputs.replay
  refuses 2 "inputs.replay:[0-9]+: $2" "$lockstack" replay inputs.replay
}
inputs 'add:1' "input 'value' came after this was recorded"
inputs 'add:1 value:9' "input 'value' had 9 bits when this was recorded and has [0-9]+ now"
inputs 'add:1 more:4 value:5' "block accum has no input 'more' any more"
head -c -5 "$replay" >cut.replay
refuses 2 'cut.replay:[0-9]+: the file is cut off' "$lockstack" replay cut.replay
sed 's/^lockstack-replay 6/lockstack-replay 9/' "$replay" >new.replay
refuses 2 'new.replay:1: format version 9' "$lockstack" replay new.replay
printf '0 1\0 2\n' >cut
refuses 2 'cut:1: a zero byte; a line is 5 hexadecimal numbers' "$lockstack" check fp_fma --vectors cut
refuses 2 'nofile: No such file' "$lockstack" replay nofile

# A failing assertion of the RTL, and one of the model
sed -i 's/^endmodule/always @(posedge clk) if (!rst) not_3: assert (sum_o != 3 \&\& \/\/ three\n  !(rst));\n&/' \
  own/accum.sv
runs 1 "$lockstack" check own --cycles 2000000 --set Bits=5 --no-wave --json d.json
equal "$(json d.json outcome)" DUT_ASSERT 'the outcome'
matches "$(json d.json failure.text)" 'accum.sv:[0-9]+: Assertion failed' 'the assertion'
line=$(grep -n 'not_3' own/accum.sv | cut -d: -f1)
matches "$out" "assert \(sum_o != 3 && !\(rst\)\).*in +[^ ]*accum, own/accum.sv:$line, label not_3" \
  'the assertion as it is written'
equal "$(json d.json failure.assertion.text)" 'sum_o != 3 && !(rst)' 'its condition'
runs 1 "$lockstack" replay "$(json d.json replay)" --dut cxxrtl --json elsewhere.json
equal "$(json elsewhere.json outcome)" NOT_COMPARED 'an assertion on a device that has none'
matches "$out" 'is of rtl; cxxrtl cannot show it' 'what is said of it'
equal "$(json d.json failure.assertion.label) $(json d.json failure.assertion.line)" "not_3 $line" 'its label and line'
cp "$source/docs/example/accum.sv" own
sed -i '0,/^#include/s//#include <assert.h>\n&/; s/^  if (in->add)/  assert(a->sum != 3);\n&/' own/accum.c
runs 1 "$lockstack" check own --cycles 2000000 --set Bits=5 --no-wave --json e.json
equal "$(json e.json outcome)" MODEL_ASSERT 'the outcome'
matches "$(json e.json failure.text)" 'accum.c:[0-9]+: a->sum != 3' 'the assertion'

# Outside vectors: 1 + 2 = 3, 3 x 3 = 9, 2 x 3 + 1 = 7, then a wrong one
printf '# mode a b c result\n0 3f800000 40000000 0 40400000\n2 40400000 40400000 0 41100000\n3 40000000 40400000 3f800000 40e00000\n' >good
runs 0 "$lockstack" check fp_fma --vectors good --json f.json
equal "$(json f.json profile)" vectors 'the profile'
sed '3s/41100000/41100001/' good >wrong_sum
runs 1 "$lockstack" check fp_fma --vectors wrong_sum --json g.json
matches "$(json g.json failure.text)" '^wrong_sum:3: the file says 0x41100001, rtl and model 0x41100000$' \
  'what its JSON says'
matches "$out" 'wrong_sum:3:.*file +0x41100001.*rtl and model +0x41100000' 'the wrong vector'
sed '$a 0 1 2' good >short
refuses 2 'short:5: too few numbers; a line is 5 hexadecimal numbers: mode a b c result' "$lockstack" check fp_fma \
  --vectors short
printf '0 1\0 2\n' >cut
refuses 2 'cut:1: a zero byte; a line is 5 hexadecimal numbers' "$lockstack" check fp_fma --vectors cut
# An operand of which the inputs take a part, by the port's width (a) or by the stimulus' choice
# (mode), behind a line that is wrong
{ cat wrong_sum && echo '0 13f800000 40000000 0 40400000'; } >wide
refuses 2 'wide:5: operand 2, a is 13f800000, of 33 bits; the inputs take 32 of them: at most ffffffff' "$lockstack" \
  check fp_fma --vectors wide
sed '3s/^2/12/' good >wide
refuses 2 'wide:3: operand 1, mode is 12, of 5 bits; the inputs take 3 of them: at most 7' "$lockstack" check fp_fma \
  --vectors wide
refuses 2 'nofile: No such file' "$lockstack" check fp_fma --vectors nofile

# Logic that feeds itself and never settles: an outcome, not a command that has to be killed
cp "$source/docs/example/accum.c" own
cat >own/accum.sv <<'EOF'
// SPDX-License-Identifier: Apache-2.0
module accum #(
  parameter int Bits = 16
) (
  input  wire logic            clk,
  input  wire logic            rst,
  input  wire logic            add_i,
  input  wire logic [Bits-1:0] value_i,
  output      logic [Bits-1:0] sum_o
);
  logic [Bits-1:0] total;
  logic            loop, never;
  assign loop  = value_i[0] && !(loop && add_i);
  assign sum_o = total ^ Bits'(loop && never);
  always_ff @(posedge clk) begin
    never <= never && add_i && !rst;
    if (rst)        total <= '0;
    else if (add_i) total <= total + value_i;
  end
endmodule
EOF
refuses 2 "accum.sv:[0-9]+:[0-9]+: combinational loop through 'accum.loop': a bit depends on itself" "$lockstack" \
  check own --cycles 20000 --no-wave
# The same where Yosys reads none of it: a run says that it does not settle
turned='function automatic logic turned(input logic a, input logic b); return a \&\& !b; endfunction'
sed -i "s/assign loop  = .*/$turned\n  assign loop  = turned(value_i[0], loop \&\& add_i);/" own/accum.sv
runs 1 timeout 120 "$lockstack" check own --cycles 20000 --no-wave --json loop.json
equal "$(json loop.json outcome)" DUT_ASSERT 'the outcome of logic that does not settle'
matches "$(json loop.json failure.text)" 'did not converge' 'what it says'
