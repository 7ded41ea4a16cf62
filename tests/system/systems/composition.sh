# SPDX-License-Identifier: Apache-2.0
#
# Systems as files: one of the user's own, outside of the tree, runs right with instances in
# lockstep; what it is made of is said and drawn; a bad one of each kind is refused in one line.
# timeout: 600
source "$(dirname "$0")/../lib.sh"

# What nobody planned: stacks in a mesh, NSUs at two clocks, every instance of a block in lockstep.
cp "$source/harness/systems/examples/two_speeds.yaml" my.yaml
set=(--set workload.n=20011 --set gpu.sms=8 --set offload.ratio=1)
runs 0 "$lockstack" run my.yaml vadd "${set[@]}" --engine nsu=lockstep --engine 'router[*]=lockstep' --json a.json
equal "$(json a.json result_ok) $(json a.json lockstep.divergences) $(json a.json system)" 'true 0 my' \
  'a system of the user'\''s own'
equal "$(json a.json rival) $(json a.json machine)" 'baseline gpu' 'its rival and machine'
for path in 'fast[0]' 'fast[3]' 'slow[0]' 'slow[3]' 'router[7]'; do
  equal "$(json a.json "engines.$path")" lockstep "the engine of $path"; done
equal "$(json a.json lockstep.instances.8.name)" 'fast[0]' 'the first instance behind the managers of the buffers'
matches "$(json a.json lockstep.instances.8.cycles)" '^[1-9][0-9]+$' 'cycles of fast[0] in lockstep'
matches "$out" 'my.yaml, seed 1' 'the report'
equal "$(grep -c Warning <<<"$out$err")" 0 'warnings of SystemC: parts of one kind and two clocks have two names'

# The same counts whatever computes it; another clock is another machine.
runs 0 "$lockstack" run my.yaml vadd "${set[@]}" --engine 'slow[1]=rtl' --engine 'net.router[2]=rtl' --json b.json
equal "$(json b.json cycles)" "$(json a.json cycles)" 'cycles with RTL'
runs 0 "$lockstack" run my.yaml vadd "${set[@]}" --set 'clocks.nsu=87.5 MHz' --json c.json
[ "$(json c.json cycles)" -gt "$(json a.json cycles)" ] || wrong 'slower NSUs take no more time'
equal "$(json c.json baseline_cycles)" "$(json a.json baseline_cycles)" 'the rival has no clock nsu'
printf 'clocks: {nsu: 87.5 MHz}\n' >values.yaml
runs 0 "$lockstack" run my.yaml vadd "${set[@]}" --config values.yaml --json d.json
equal "$(json d.json cycles) $(json d.json config)" "$(json c.json cycles) values.yaml" 'a file of values'

# The L2's clock is the SMs' where nothing is said of it: of the same frequency under a name of its
# own it is the same machine, of another one it is not.
sed 's/^clocks:/&\n  l2: 700 MHz/' my.yaml >l2.yaml
runs 0 "$lockstack" run l2.yaml vadd "${set[@]}" --json e.json
equal "$(json e.json cycles)" "$(json a.json cycles)" 'cycles with a clock of the L2'
runs 0 "$lockstack" run l2.yaml vadd "${set[@]}" --set 'clocks.l2=350 MHz' --json f.json
[ "$(json f.json cycles)" -gt "$(json a.json cycles)" ] || wrong 'a slower L2 takes no more time'
equal "$(json f.json result_ok)" true 'results with a slower L2'
runs 0 "$lockstack" run my.yaml --print-config
equal "$(grep -c 'l2: core' <<<"$out")" 0 'a clock of which nothing was said, printed'
runs 0 "$lockstack" run l2.yaml --print-config
printf '%s\n' "$out" >printed.yaml
runs 0 "$lockstack" run printed.yaml --print-config
equal "$out" "$(cat printed.yaml)" 'a printed system with a clock of the L2'

# Two near-data parts on each stack, each in lockstep, as are the routers; a block goes to the one
# before which fewer stand, so two are faster than one.
cp "$source/harness/systems/examples/two_per_stack.yaml" two.yaml
sed '/fast/d; s/^rival: baseline/rival: two.yaml/' two.yaml >one.yaml
runs 0 "$lockstack" run two.yaml vadd "${set[@]}" --engine 'fast=lockstep' --engine 'slow=lockstep' \
  --engine router=lockstep --json t.json
equal "$(json t.json result_ok) $(json t.json lockstep.divergences) $(json t.json lockstep.instances.15.name)" \
  'true 0 slow[3]' 'two NSUs on a stack'
for i in 8 12 16; do matches "$(json t.json lockstep.instances.$i.cycles)" '^[1-9][0-9]{2,}$' \
  "cycles of instance $i in lockstep"; done
runs 0 "$lockstack" run one.yaml vadd "${set[@]}" --json o.json
equal "$(json o.json result_ok) $(json o.json baseline_cycles)" \
  "true $(json t.json cycles)" 'one NSU on a stack, and its rival with two'
[ "$(json t.json cycles)" -lt "$(json o.json cycles)" ] || wrong 'two NSUs on a stack take no less time than one'
sed 's/count: stack}/count: 3}/; s/stack.logic/stack.logic[0-2]/; /fast/d' two.yaml >three.yaml
refuses 2 'gpu: stack 3 has no NSU and blocks are offloaded where their data are; one at each would be right' \
  "$lockstack" draw three.yaml

# The README's system.
sed -n '/^    help: /,/^    network:/s/^    //p' "$source/harness/systems/README.md" >readme.yaml
runs 0 "$lockstack" run readme.yaml axpy --set workload.n=4099 --set gpu.sms=8 --set offload.ratio=0.5 --json r.json
equal "$(json r.json result_ok)" true 'the system of the README'

# Four stacks in a mesh, in both systems.
runs 0 "$lockstack" run nsu saxpy --set workload.n=9001 --set network.topology=mesh:2x2 --engine router=lockstep \
  --json m.json
equal "$(json m.json result_ok) $(json m.json lockstep.divergences) $(json m.json 'engines.router[3]')" \
  'true 0 lockstep' 'four stacks'
matches "$(json m.json lockstep.cycles)" '^[1-9][0-9]{3,}$' 'cycles of routers in lockstep'

# A system that was printed is the same; its rival is found from anywhere.
runs 0 "$lockstack" run nsu --print-config
printf '%s\n' "$out" >printed.yaml
runs 0 "$lockstack" run printed.yaml --print-config
equal "$out" "$(cat printed.yaml)" 'a printed system, read and printed'
runs 0 "$lockstack" run printed.yaml saxpy --set workload.n=4099 --json e.json
runs 0 "$lockstack" run nsu saxpy --set workload.n=4099 --json f.json
for key in cycles baseline_cycles energy.total_nj; do
  equal "$(json e.json $key)" "$(json f.json $key)" "$key of a printed system"; done

# What it is made of. Boxes, texts or ends of links outside of the picture are not seen.
outside() { # SVG
  awk -F'"' '
    function far(at, end) { return at < 0 || at > end }
    /^<svg / { w = $4; h = $6 }
    /^<(rect|text)/ { for (i = 1; i < NF; i++) if (($i ~ / x=$/ && far($(i + 1), w)) || ($i ~ / y=$/ && far($(i + 1), h))) print }
    /^<path/ { split($2, at, /[MC, ]+/); for (i = 2; i in at; i++) if (far(at[i], i % 2 ? h : w)) print }' "$1"
}
printf '%s\n' '<svg xmlns="x" width="90" height="50" v>' '<rect x="9" y="60" w>' '<text class="t" x="95" y="1" w>' \
  '<path d="M1,2 C3,4 95,6 7,8" w>' \
  '<text x="9" y="9" w>' >out.svg
equal "$(outside out.svg | wc -l)" 3 'what is outside'
for system in nsu 'nsu --set offload.policy=dynamic_cache' baseline mpu tom my.yaml; do
  runs 0 "$lockstack" draw $system --out p.svg --json p.json
  head -c 5 p.svg | grep -q '^<svg ' && tail -n 1 p.svg | grep -qx '</svg>' || wrong "$system: no picture"
  equal "$(outside p.svg)" '' "what is drawn outside of the picture of $system"
  xmllint --noout p.svg 2>/dev/null || [ $? = 127 ] || wrong "$system: the picture is not XML"
done
matches "$(cat p.svg)" 'fast × 4' 'parts in the picture'
equal "$(json p.json parts.2.name) $(json p.json parts.2.count) $(json p.json parts.2.clocks.nsu)" 'fast 4 core' \
  'a part'
equal "$(json p.json parts.4.instances.router) $(json p.json links.2.to)" '8 stack.logic[4-7]' 'instances and links'
runs 0 "$lockstack" draw my.yaml --set network.topology=full:8
matches "$out" 'net.terminal +8' 'links as text'
runs 0 "$lockstack" list systems --json l.json
equal "$(json l.json systems.5.name) $(json l.json systems.5.parts.0.name) $(json l.json systems.5.rival)" \
  'nsu gpu baseline' 'the list of systems'
equal "$(json l.json systems.0.clocks.3.period_ns)" 1.5 'a clock'

# A bad one of each kind.
bad() { # REGEX SED-EXPRESSION
  sed -E "$2" my.yaml >bad.yaml
  cmp -s my.yaml bad.yaml && wrong "nothing was changed by $2"
  refuses 2 "^lockstack: bad.yaml:[0-9]+:[0-9]+: $1" "$lockstack" run bad.yaml vadd
}
bad 'fast.port \(uses packets\) does not fit net.terminal \(offers terminal\); stack.gpu, stack.logic would be right' \
  's/fast.port - stack.logic.*/fast.port - net.terminal[0-3]/'
bad "no part 'fats'; did you mean fast\?" 's/fast.port/fats.port/'
bad "stack has no port 'logik'; there are stack.gpu, stack.logic and stack.net" 's/logic\[0-3\]/logik[0-3]/'
bad 'slow has no clock: clocks: \{nsu: 1000 MHz\} would be right' '/^  nsu: 350/d'
bad "no part has the clock 'nsv'" 's/^  nsu: 350/  nsu: 350 MHz\n  nsv: 350/'
bad "clocks.core: '700' is not a clock of 1 MHz to 10 GHz" 's/core: 700 MHz/core: 700/'
bad 'gpu.sms: 129 is out of range; from 1 to 128 would be right' 's/^offload:/gpu:\n  sms: 129\noffload:/'
bad "unknown key 'offload.ration'.*did you mean offload.ratio\?" 's/ratio:/ration:/'
bad "'slow' is already set above; give it once" 's/^  fast: (.*)/  slow: \1/'
bad "no part is called 'nus'; there are gpu, stack, network, ni, nsu, stack_sm, mpu and mesh" \
  's/part: nsu, count: 4\}/part: nus, count: 4}/'
bad 'slow.port\[0\] is already linked above' 's/^  - slow.port - (.*)/&\n  - slow.port[0] - stack.logic[0]/'
bad 'gpu: stack 7 has no NSU and blocks are offloaded where their data are' 's/logic\[4-7\]/logic[3-6]/'
bad 'fast.port has 4 connections here, stack.logic 1' 's/logic\[0-3\]/logic[0]/'
bad 'rival: .*/nowhere.yaml: No such file or directory' 's/rival: baseline/rival: nowhere/'
bad 'rival: .*a cycle of rivals' 's/rival: baseline/rival: bad.yaml/'
printf 'rival: bad.yaml\n' | cat - my.yaml | sed '/^rival: baseline/d' >two.yaml
bad 'rival: .*a cycle of rivals' 's/rival: baseline/rival: two.yaml/'
refuses 2 'the number of stacks must be a power of two, 1 to 256' "$lockstack" draw nsu --set network.topology=mesh:3x1
refuses 2 'net: .*rings:4' "$lockstack" draw nsu --set network.topology=rings:4
refuses 2 'full:8: a full network|router 0 has|taken' "$lockstack" draw nsu --set network.topology=full:14
refuses 2 "several parts have instances of nsu; credits\[0\] to credits\[7\] or fast\[0\] to fast\[3\] or slow\[0\] to slow\[3\] or router" \
  "$lockstack" run my.yaml vadd --engine 'nsu[0]=rtl'
refuses 2 "'help' is of a system's own file, which .lockstack run FILE. takes" "$lockstack" run nsu vadd \
  --config my.yaml
refuses 2 'nowhere.yaml: No such file' "$lockstack" run nowhere.yaml vadd
refuses 2 "unknown system 'nus'.*did you mean nsu\?" "$lockstack" draw nus
refuses 3 'No space left' "$lockstack" draw nsu --out /dev/full
