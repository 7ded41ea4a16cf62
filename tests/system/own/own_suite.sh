# SPDX-License-Identifier: Apache-2.0
#
# A block outside of the tree in a suite: its folder, as a path from the suite's file; and in the
# report. timeout: 600
source "$(dirname "$0")/../lib.sh"

mkdir mine elsewhere
cp -r "$source/docs/example" mine/adder
cat >mine/suite.yaml <<'END'
help: all verbs of one block
jobs:
  - check: {blocks: [adder, fifo], cycles: 2000, sets: [default], seeds: 2}
  - check: {block: adder, cycles: 2000, sets: [{Bits: 8}], variants: all}
  - prove: {block: ./adder, first: true}
  - area: {block: adder}
  - mutate: {block: adder, count: 20}
  - cover: {block: adder, cycles: 500}
  - faults: {block: adder, count: 50, jobs: 1}
END
folder=$(realpath mine/adder)
cd elsewhere || exit 3
runs 0 "$lockstack" regress ../mine/suite.yaml --db r.db --dry-run --json jobs.json
equal "$(json jobs.json commands.#)" 10 'jobs'
matches "$(json jobs.json commands.0)" "^check (fifo|$folder) --cycles 2000 --seed " 'a job'
runs 0 "$lockstack" regress ../mine/suite.yaml --db r.db --json r.json
equal "$(sql r.db "SELECT COUNT(*) FROM job WHERE outcome = 'PASS'")" 10 'jobs that passed'
equal "$(sql r.db "SELECT DISTINCT json_extract(result, '$.block') FROM job WHERE subject = 'adder'")" "$folder" \
  'the name in all results'

# All of it is of one block in the report
runs 0 "$lockstack" report --db r.db --out pages --json report.json
own=$(for i in $(seq 0 200); do [ "$(json report.json "blocks.$i.name" 2>/dev/null)" = "$folder" ] && echo "$i"; done)
matches "$own" '^[0-9]+$' 'one block of this name'
equal "$(json report.json own)" false 'a report of blocks of the tree, too'
equal "$(json report.json "blocks.$own.check.cycles")" 6000.0 'cycles of its checks'
for key in ports.1.name=value area.cells=. coverage.line=. mutation.mutants=. proofs.properties.0.name=cleared \
  faults.flips=50; do
  matches "$(json report.json "blocks.$own.${key%%=*}")" "${key#*=}" "${key%%=*}"
done

# Timing and power in the report, where OpenSTA is installed
if command -v sta >/dev/null; then
  printf 'jobs:\n  - area: {block: adder, timing: true}\n  - power: {block: adder, cycles: 500}\n' \
    >../mine/hardware.yaml
  runs 0 "$lockstack" regress ../mine/hardware.yaml --db hw.db
  runs 0 "$lockstack" report --db hw.db --out pages --csv hw.csv --json report.json
  own=0
  equal "$(cut -d , -f 2,3,9,11,19 hw.csv | tail -n 2 |
    tr '\n' ' ')" "area,ge,1,$(json report.json "blocks.$own.area.cells"),FO4 power,ge,1,, " 'the CSV'
  for key in 0.shortest_period=^[1-9] 0.setup_violated=^0$ 1.cycles=^500$ 1.toggles_per_cycle=^0[.] \
    1.switched_loads=^[1-9]; do
    matches "$(json report.json "blocks.$own.hardware.${key%%=*}")" "${key#*=}" "hardware ${key%%=*}"
  done
fi

# A failure: the same exit status and a replay as of a block of the tree
sed -i 's/a->sum + in->value/a->sum - in->value/' "$folder/accum.c"
runs 1 "$lockstack" regress ../mine/suite.yaml --db r.db
matches "$out" 'DIVERGED' 'the failure'
# The report then: the block is first, the many without results are folded; the failure's replay;
# the job's two runs as a line
sed -i 's/a->sum - in->value/a->sum + in->value/' "$folder/accum.c"
runs 0 "$lockstack" report --db r.db --out page.html
section=$(sed -n '/<section id="table">/,/<\/section>/p' page.html)
first='own blocks</th></tr>[[:space:]]*<tr><th scope="row"><a href="#block-[^"]*">'$folder'</a></th>'
matches "$section" "$first"'.*>fifo</a></th>.*<details class="others"><summary>8[0-9] blocks have no result yet' \
  'own block, then that of the tree, then the rest, folded'
equal "$(grep -c '<details class="others">' page.html)" 2 'folds: names, and block by block'
matches "$(sed -n '/<section id="blocks">/,$p' page.html | grep -o '<h3>[^<]*</h3>' |
  head -n 1)" "$folder</h3>" 'the first block in full'
matches "$(sed -n '/<section id="each-failure">/,/<\/section>/p' page.html)" 'lockstack replay [^<]*\.replay' \
  'the command that replays it'
matches "$(sed -n '/<section id="each-failure">/,/<\/section>/p' page.html)" \
  '<code>sum_o</code></th><td>register</td>.*accum.sv:13</code>' 'what decided it'
matches "$(sed -n '/<section id="history">/,/<\/section>/p' page.html)" \
  'Jobs that ran more than once.*svg class="spark".*bad-fill' \
  'the trend of a job that failed'
runs 0 "$lockstack" regress ../mine/suite.yaml --db r.db --only failed

# A suite that is in the folder; one that includes it
printf 'jobs:\n  - check: {block: ., cycles: 100}\n' >"$folder/quick.yaml"
printf 'include: [../mine/adder/quick.yaml]\n' >all.yaml
runs 0 "$lockstack" regress all.yaml --db q.db --dry-run --json jobs.json
equal "$(json jobs.json commands.0)" "check $folder --cycles 100" 'the folder of the suite'

# A report of own blocks alone has nothing of the tree: no block, network, paper
runs 0 "$lockstack" regress all.yaml --db o.db
runs 0 "$lockstack" report --db o.db --out own.html --json own.json
matches "$out" '1 of 1 blocks with results in lockstep' 'the blocks of own.html'
equal "$(json own.json own) $(json own.json blocks.#) $(json own.json blocks.0.name)" "true 1 $folder" 'the blocks'
for word in fifo '[Nn]ear-data' 'id="networks"' 'id="figures"' '[Pp]aper' 'in systems' 'Not a block' SystemC; do
  ! grep -q "$word" <(sed '/<style>/,/<\/style>/d; /<script>/,/<\/script>/d' own.html) || wrong "$word in own.html"
done
[ "$(grep -c "<h3>$folder</h3>" own.html)" = 1 ] || wrong 'own.html lacks its block'

# A file that an option names is beside the suite, or from the tree's root; another is the verb's
# to make
touch ../mine/slow.lib ../mine/slow.sdc
cat >../mine/timed.yaml <<'END'
jobs:
  - area: {block: adder, timing: true, clock: 2, liberty: slow.lib, sdc: slow.sdc}
  - power: {block: adder, cycles: 500, profile: add, liberty: [[slow.lib, synth/cells/ge.lib]], nets: slow.csv}
END
runs 0 "$lockstack" regress ../mine/timed.yaml --db q.db --dry-run --json jobs.json
equal "$(json jobs.json commands.0)" "area $folder --timing --clock 2 --liberty ${folder%/*}/slow.lib --sdc ${folder%/*}/slow.sdc" 'a library, constraints'
equal "$(json jobs.json commands.1)" \
  "power $folder --cycles 500 --profile add --liberty ${folder%/*}/slow.lib --liberty $(realpath \
    "$source")/synth/cells/ge.lib --nets slow.csv" 'two libraries'

# Bad ones
printf 'jobs:\n  - check: {blocks: [nowhere]}\n' >bad.yaml
refuses 2 "bad.yaml:2:22: no block 'nowhere'; .* a folder beside the suite" "$lockstack" regress bad.yaml
mkdir empty
printf 'jobs:\n  - check: {blocks: [empty]}\n' >bad.yaml
refuses 2 'bad.yaml:2:22: empty: no port file X.ports in this folder' "$lockstack" regress bad.yaml
printf 'jobs:\n  - check: {blocks: ../mine/adder, except: ../mine/adder}\n' >bad.yaml
refuses 2 'no block is left' "$lockstack" regress bad.yaml
printf 'jobs:\n  - check: {blocks: ../mine/adder/accum.c}\n' >bad.yaml
refuses 2 "no block '../mine/adder/accum.c'" "$lockstack" regress bad.yaml
