#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack network --closed: what congestion management gains where SMs wait, on the system of the
# NUPIM paper; one network and two; engines; bad input.
# timeout: 900
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

compare() { # A OP B WHAT
  checks=$((checks + 1))
  awk -v a="$1" -v b="$3" "BEGIN {exit !(a != \"\" && b != \"\" && a $2 b)}" || wrong "$4: not $1 $2 $3"
}

closed() { # JSON OPTIONS...
  local file=$1
  shift
  runs 0 "$lockstack" network --topology tree --closed --depth 16 "$@" --json "$file"
}

# In the first epoch nothing is critical yet: crit is base, cycle for cycle.
closed first.json --warm-up 0 --cycles 90000 --compare base,crit
equal "$(json first.json policies.1.seeds.0.instructions)" "$(json first.json policies.0.seeds.0.instructions)" \
  'crit in the first epoch'

# Later it gains, with priority buffers more, and these more than distances or twice the VCs do.
closed policies.json --epoch 20000 --cycles 200000 --seeds 3 --compare base,crit,crit+tr,dist,double
gain() {
  json policies.json "policies.$1.gain.mean"
}
equal "$(gain 0)" 0.0 'base over itself'
compare "$(gain 2)" '>' "$(gain 1)" 'crit+tr over crit'
compare "$(gain 2)" '>' "$(gain 3)" 'crit+tr over dist'
compare "$(gain 2)" '>' "$(gain 4)" 'crit+tr over double'
for policy in 0 1 2 3 4; do
  compare "$(json policies.json "policies.$policy.gain.least")" '<=' "$(gain $policy)" 'the least gain'
  compare "$(json policies.json "policies.$policy.gain.most")" '>=' "$(gain $policy)" 'the most'
done
matches "$out" 'crit\+tr +0\.[0-9]+ +0\.[0-9]+ +\+[0-9.]+ \([-+][0-9.]+\.\.\+[0-9.]+\)' 'a row'

# Of each terminal's SMs: their mean is that of all, and the slowest are in the row.
terminals=$(python3 - policies.json <<'P'
import json, sys
policies = json.load(open(sys.argv[1]))["policies"]
mean = lambda values: sum(values) / len(values)
print(all(abs(mean(s["terminal_ipc"]) - s["ipc"]) < 1e-9 and len(s["terminal_ipc"]) == 16 for p in policies for s in p["seeds"]),
      *("%.4f" % mean([min(s["terminal_ipc"]) for s in p["seeds"]]) for p in policies[:2]))
P
)
matches "$terminals" '^True 0' 'instructions of terminals'
matches "$out" "base +0\\.[0-9]+ +$(cut -d' ' -f2 <<<"$terminals")" 'the slowest terminal of base'
matches "$out" "crit +0\\.[0-9]+ +$(cut -d' ' -f3 <<<"$terminals")" 'the slowest terminal of crit'

# What crit gains is worth more where buffers are short.
runs 0 "$lockstack" network --topology tree --closed --depth 8 --epoch 20000 --cycles 200000 --seeds 3 \
  --compare base,crit --json short.json
compare "$(json short.json policies.1.gain.mean)" '>' 0 'crit over base with short buffers'
matches "$(json short.json policies.1.seeds.0.critical_paths.1)" '-> M0 ->' 'a critical path of answers'

# Links that change their width: time at each sums up, energy follows from flits and widths.
closed width.json --policy crit+w --epoch 5000 --set Penalty=100 --warm-up 10000 --cycles 40000
sums=$(python3 - width.json <<'P'
import json, sys
seed = json.load(open(sys.argv[1]))["policies"][0]["seeds"][0]
links = [l for l in seed["links"] if not l["terminal"]]
cycles, flits = seed["width_cycles"], sum(l["flits"] for l in links)
slots = sum(c / 2**w for w, c in enumerate(cycles))
print(sum(cycles) == 40000 * len(links), cycles[1] + cycles[2] + cycles[3] > 0, abs(seed["mean_width"] - slots / sum(cycles)) < 1e-9,
      abs(seed["energy"]["sent_nj"] - flits * 256 * 2e-3) < 1, abs(seed["energy"]["idle_nj"] - (slots - flits) * 256 * 1.5e-3) < 1)
P
)
equal "$sums" 'True True True True True' 'widths and energy'

# The same inputs, the same result: a list of 32 pairs is the default here. Seeds differ.
closed again.json --set ListLen=32 --epoch 20000 --cycles 200000 --seeds 3 --compare base,crit,crit+tr,dist,double
equal "$(grep -v cpu_second again.json)" "$(grep -v cpu_second policies.json)" 'the same run twice'
compare "$(json policies.json policies.0.seeds.0.instructions)" '!=' \
  "$(json policies.json policies.0.seeds.1.instructions)" 'two seeds'

# One network with two classes.
closed one.json --subnets 1 --cycles 20000 --warm-up 5000
equal "$(json one.json subnets)" 1 'subnets'
compare "$(json one.json policies.0.ipc)" '>' 0 'instructions'

# What is said of the routers holds, by a stage or by the parameter.
for four in '--stages 4' '--set Lookahead=0'; do
  # shellcheck disable=SC2086
  closed four.json $four --cycles 500 --warm-up 0
  matches "$out" 'flits of 256 bits.*, 4 stages' "routers with $four"
done

# Engines: RTL in lockstep in both subnets, and the same cycles.
small=(network --topology tree:3 --closed --cycles 3000 --warm-up 1000 --sms 1 --policy crit --epoch 1000)
runs 0 "$lockstack" "${small[@]}" --json model.json
runs 0 "$lockstack" "${small[@]}" --engine 'router[1]=lockstep' --engine 'router[5]=rtl' --json lockstep.json
equal "$(json lockstep.json policies.0.seeds.0.divergences)" 0 'divergences'
compare "$(json lockstep.json policies.0.seeds.0.cycles_compared)" '>=' 4000 'cycles compared'
equal "$(json lockstep.json policies.0.seeds.0.instructions)" \
  "$(json model.json policies.0.seeds.0.instructions)" 'instructions by RTL'
equal "$(json lockstep.json engine)" '6 model, 1 rtl, 1 lockstep' 'engines'

# Ctrl-C reports what is known.
"$lockstack" network --topology tree --closed --cycles 50000000 --json stopped.json >stopped.txt 2>stopped.err &
pid=$!
for _ in {1..300}; do
  ! grep -q router-cycles stopped.err || break
  sleep 0.1
done
kill -INT $pid
wait $pid
equal $? 3 'exit status when interrupted'
matches "$(cat stopped.txt)" 'seed 1: interrupted' 'the report when interrupted'

# Bad input: one line, exit status 2.
refused() { # WHAT OPTIONS...
  local what=$1
  shift
  runs 2 "$lockstack" network --topology tree "$@"
  matches "$err" "$what" "$*"
  equal "$(wc -l <<<"$err")" 1 "lines of $*"
}
refused '--rate means nothing with --closed' --closed --rate 0.1
refused '--pattern means nothing with --closed' --closed --pattern uniform
refused '--classes means nothing with --closed' --closed --classes 2
refused '--warps means nothing without --closed' --warps 4
refused '--subnets: .* 1 .* 2' --closed --subnets 3
refused '--accesses: .* 2 .* 32' --closed --accesses 1
refused "--stores: '2' should be a number from 0 to 1" --closed --stores 2
refused 'router\[18\]' --closed --engine 'router[18]=rtl'
