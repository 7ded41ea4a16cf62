#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Tools that do not do their work: each verb x each tool that it starts x each way to fail. None of
# them is a pass, nor half of one: one line that names the tool, exit status 3. The ways:
#   nothing  exits 0 at once              empty   does its work; then all that it wrote and said is
#                                                 empty, and it exits 0
#   killed   dies by a signal at once     half    the same, cut in the middle
#   died     does half of its work, as above, and dies by a signal
#   other    exits 0 with the answer to another problem
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# One script for all tools: what it does stands in $FALSE, what it is called tells which one it is,
# $REAL is the PATH without it.
mkdir false
cat >false/tool <<'END'
#!/usr/bin/env bash
tool=${0##*/}
export PATH=$REAL
case $FALSE in
nothing) exit 0 ;;
killed) kill -KILL $$ ;;
other) cat "$OTHER"; exit 0 ;;
esac
# It is talked with: it has no end that could be cut
if [ "$tool" = z3 ]; then z3 "$@" 2>/dev/null | { head -c 3; kill -TERM $$; }; fi
said=$(mktemp) && input=$(mktemp) || exit 9
trap 'rm -f "$said" "$input"' EXIT
[ "$tool" != gnuplot ] || cat >"$input"
"$tool" "$@" <"$input" >"$said" 2>&1
script=${*: -1}
case $tool in                                       # the files that it wrote
yosys) wrote=$(sed -n 's/^# writes: //p; s/^write_rtlil.* \([^ ]*\)$/\1/p' "$script") ;;
yosys-abc) wrote=$(sed -n 's/^&w //p' "$script") ;;
gnuplot) wrote=$(sed -n 's/^set output "\(.*\)"/\1/p' "$input") ;;
genhtml) wrote=$(sed -n 's/.*--output-directory \([^ ]*\).*/\1\/index.html/p' <<<"$*") ;;
verilator) wrote=$(sed -n 's/.*--xml-output \([^ ]*\).*/\1/p' <<<"$*") ;;
esac
cut() { local size; size=$(stat -c %s "$1") && if [ "$FALSE" = empty ]; then : >"$1"; else truncate -s $((size / 2)) "$1"; fi; }
for file in $wrote; do [ ! -f "$file" ] || cut "$file"; done
cut "$said"
cat "$said"
[ "$FALSE" != died ] || kill -KILL $$
exit 0
END
chmod +x false/tool
export REAL=$PATH OTHER=$here/other.txt

# lies TOOL "WAY..." VERB...: 3 and one line each time; what an earlier run has left in
# lockstack-out is no answer
lies() {
  local tool=$1 way said
  local -a ways
  read -ra ways <<<"$2"
  shift 2
  rm -rf with && mkdir with && ln -s ../false/tool "with/$tool"
  for way in "${ways[@]}"; do
    runs 3 env FALSE="$way" PATH="$here/with:$PATH" "$lockstack" "$@"
    said=$(grep -Ev "$progress" <<<"$err")
    equal "$(wc -l <<<"$said")" 1 "lines of '$*' with a $tool: $way"
    matches "$said" "^lockstack: .*$tool" "what '$*' says with a $tool: $way"
    [[ $out != *' hold, '* && $out != *score* ]] || wrong "$tool, $way: '$*' said $out"
  done
}
all='nothing killed empty half died'

# Proofs: a property by pdr, one by induction, a cover. First they hold; then the same with false
# tools
cp -r "$source/docs/example" own
sed -i '/^params *Bits=1$/d; s/Bits=16/Bits=4/; s/cleared  pdr/cleared  induction 2/' own/accum.prove
runs 0 "$lockstack" prove own
equal "$(ls lockstack-out/prove)" '' 'what a proof that holds leaves'
printf 'ABC command line: "source /x/adds.abc".\n\nProperty proved.  Time =     0.01 sec\nlockstack-00000000 \n' \
  >other.txt
lies yosys "$all" prove own
lies yosys-abc "$all other" prove own
printf '##   0:00:00  Solver: z3\n##   0:00:00  Checking assertions in step 9..\n##   0:00:00  Status: PASSED\n' \
  >other.txt
lies yosys-smtbmc "$all other" prove own
lies z3 'nothing killed half' prove own

# Without an answer a property is neither proved nor refuted
rm -rf with && mkdir with
printf '#!/bin/sh\nwhile read -r line; do case $line in *check-sat*) echo unknown ;; esac; done\n' >with/z3 &&
  chmod +x with/z3
runs 1 env PATH="$here/with:$PATH" "$lockstack" prove own --json unknown.json
equal "$(json unknown.json properties.0.status) $(json unknown.json properties.1.status)" 'unknown proved' \
  'without an answer of z3'

# Devices: what builds them, and what runs one
device=(check own --set Bits=4 --cycles 200 --no-wave --dut)
lies verilator 'nothing killed half' "${device[@]}" rtl
lies gcc 'nothing killed' "${device[@]}" rtl
lies g++ 'nothing killed' "${device[@]}" rtl
lies yosys 'nothing killed half' "${device[@]}" cxxrtl
lies iverilog 'nothing killed' "${device[@]}" icarus
lies vvp 'nothing killed' "${device[@]}" icarus

# Bits that no run has moved
cover=(cover own --set Bits=64 --cycles 3 --runs 1 --profile sparse --prove)
runs 1 "$lockstack" "${cover[@]}"
matches "$out" 'toggle .* [1-9][0-9]* +[0-9.]+' 'bits that are proved'
lies yosys "$all" "${cover[@]}"
lies yosys-abc "$all" "${cover[@]}"

# Mutants: the block, its gates, their proofs
mutate=(mutate own --count 20 --set Bits=4 --cycles 2000)
runs 0 "$lockstack" "${mutate[@]}"
lies yosys "$all" "${mutate[@]}"
lies yosys-abc 'nothing killed empty half died' "${mutate[@]}"

# Areas, which nothing kept covers for: not even what a false Yosys has left
area=(area own --set Bits=4 --out kept)
lies yosys "$all" "${area[@]}"
lies yosys "$all" "${area[@]}" --target ice40
runs 0 "$lockstack" "${area[@]}" --json a.json
equal "$(json a.json cached)" false 'an area after false ones'

# Pictures and pages
lies gnuplot "$all" "${area[@]}" --sweep Bits=2,3 --draw pictures
equal "$(find pictures -name '*.svg*' -o -name '*.png*')" '' 'pictures that are none'
lies gnuplot 'nothing half' network --cycles 300 --out net
lies gnuplot 'nothing half' sweep memory --over outstanding=1,2 --requests 100 --plot net/sweep.svg
runs 0 "$lockstack" cover own --cycles 300 --runs 1 --html page
lies genhtml "$all" cover own --cycles 300 --runs 1 --html page

# A block made of its RTL
mkdir made
lies verilator "$all" new made/accum --from own/accum.sv
lies yosys "$all" new made/accum --from own/accum.sv
equal "$(ls -A made)" '' 'what is made with false tools'
