#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# What is given twice is an error: an option; in each kind of file that a person writes the same
# key, at any depth, and two spellings of one thing, with the file and the line. Otherwise one of
# them would be dropped without a word.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

twice() { # twice FILE REGEX COMMAND...: the file on standard input; REGEX follows "FILE:"
  local file=$1 regex=$2
  shift 2
  cat >"$file"
  refuses 2 "$file:$regex" "$lockstack" "$@"
}

# ---- options: of one with a value the last would win, in every verb, however it is written; lists have each
option() { refuses 2 "lockstack [a-z]+: --$1 is given twice, as '$2' and as '$3'; once would be right" "$lockstack" \
  "${@:4}"; }
option profile full empty check fifo --profile full --profile empty
option profile full empty check fifo --profile=full --prof empty
option dut rtl netlist check fifo --dut rtl --dut netlist
option seed 1 2 check fifo -s1 --seed 2
option json a.json b.json list blocks --json a.json --json b.json
option count 5 6 faults fifo --count 5 --count 6
option cycles 5 6 cover fifo --cycles 5 --cycles 6
option windows 5 6 power fifo --windows 5 --windows 6
option jobs 1 2 mutate fifo -j 1 -j 2
option tree a b rules fifo --tree a --tree b
option timeout 1 2 prove fifo --timeout 1 --timeout 2
option rtl a b run nsu vadd --rtl a --rtl b
option config a b run nsu vadd -c a --config b
option rate .1 .2 network --rate .1 -r .2
option topology mesh:2x2 mesh:4x4 sweep network --over rate=.1,.2 --topology mesh:2x2 --topology mesh:4x4
runs 0 "$lockstack" check fifo --set Depth=7 --set Width=8 --cycles 100 --no-wave --no-wave
runs 0 "$lockstack" run nsu vadd --dry-run --engine 'nsu[0]=rtl' --engine 'nsu[1]=lockstep' --set gpu.sms=8 \
  --set workload.n=5003

# ---- suites
suite() { twice s.yaml "$1" regress s.yaml --db never.db; }
suite "2:[0-9]+: 'block' is given above" <<<$'jobs:\n  - check: {block: fifo, blocks: arb_rr}'
suite "2:[0-9]+: 'blocks' is given above" <<<$'jobs:\n  - check: {blocks: fifo, block: arb_rr}'
suite "2:[0-9]+: 'block' is given above" <<<$'jobs:\n  - check: {block: fifo, block: arb_rr}'
suite "4:[0-9]+: 'family' is given above" <<<$'jobs:\n  - check:\n      family: nsu\n      families: lsu'
suite "2:[0-9]+: 'seed' is given above" <<<$'jobs:\n  - check: {block: fifo, seed: [1, 2], seeds: 3}'
suite "2:[0-9]+: 'set' is given above" <<<$'jobs:\n  - check: {block: fifo, set: Depth=7, sets: default}'
suite "2:[0-9]+: 'profile' is given above" <<<$'jobs:\n  - check: {block: fifo, profile: full, profiles: empty}'
suite "2:[0-9]+: 'variants' is given above" <<<$'jobs:\n  - check: {block: fifo, variants: all, variant: default}'
suite "2:[0-9]+: 'system' is given above" <<<$'jobs:\n  - run: {system: nsu, systems: mpu, workload: vadd}'
suite "2:[0-9]+: 'workload' is given above" <<<$'jobs:\n  - run: {system: nsu, workload: vadd, workloads: saxpy}'
suite "2:[0-9]+: 'file' is given above" <<<$'jobs:\n  - offload: {file: s.yaml, rule: nsu, files: s.yaml}'
suite "2:[0-9]+: a job of this entry sets Depth twice" <<<$'jobs:\n  - check: {block: fifo, sets: "Depth=7 Depth=9"}'
suite "2:[0-9]+: a job of this entry sets Depth twice" \
  <<<$'jobs:\n  - check: {block: fifo, sets: [[Depth=7, {Depth: 9}]]}'
suite "2:[0-9]+: (a job of this entry sets Depth twice|'Depth' is given above)" \
  <<<$'jobs:\n  - check: {block: fifo, sets: {Depth: 7, Depth: 9}}'
suite "3:[0-9]+: 'jobs' is given above; give it once" <<<$'jobs:\n  - list:\njobs:\n  - check: {block: fifo}'
suite "2:[0-9]+: 'limit' is given above" <<<$'limit: 1m\nlimit: 2m\njobs:\n  - list:'
suite '3:1: a second document begins here' <<<$'jobs:\n  - list:\n---\njobs:\n  - check: {block: fifo}'
suite '3:1: a second document begins here' <<<$'jobs:\n  - list:\n---'
suite '3:[0-9]+: ' <<<$'jobs:\n  - list:\n... {'

# ---- a block of one's own: X.yaml, X.ports, X.prove
cp -r "$source/docs/example" own && rm -r own/embed own/launch
# A name for which somebody else would take another file
cp own/accum.sv own/accum.v
refuses 2 'accum.v: one name for two files, there is accum.sv too; remove one, or name one in `files` of accum.yaml' \
  "$lockstack" check own
rm own/accum.v && touch own/accum.yml
refuses 2 'accum.yml: is not read; accum.yaml would be' "$lockstack" check own
rm own/accum.yml
check() { twice own/accum.yaml "$1" check own; }
check "2:[0-9]+: 'files' is already set above" <<<$'files: accum.sv\nfiles: accum.sv'
check "1:[0-9]+: 'add' is already set above" <<<$'ports: {add: a_i, add: b_i}'
check '1:24: add_i is another port' <<<$'ports: {go: add_i, do: add_i}'
check "1:[0-9]+: 'W' is already defined above" <<<$'defines: [W=8, W=16]'
check '1:11: language is one word' <<<$'language: [verilog, systemverilog]'
check '1:11: suffixes is one word' <<<$'suffixes: [none, yes]'
check '2:1: a second document begins here' <<<$'files: accum.sv\n--- {suffixes: none}'
rm own/accum.yaml
cp own/accum.ports ports
twice own/accum.ports '[0-9]+: .* is there twice' check own < <(cat ports; grep '^IN(' ports | head -n 1)
cp ports own/accum.ports
cp own/accum.prove prove
twice own/accum.prove '1: Bits is set twice' prove own < <(echo 'params Bits=4 Bits=8'; cat prove)
twice own/accum.prove '[0-9]+: broken copy .* has a .-. line above' prove \
  own < <(sed '0,/^- /s/^- .*/&\n- other/' prove)
cp prove own/accum.prove

# ---- systems, values, launches, topologies
cp "$source/harness/systems/examples/two_speeds.yaml" whole.yaml
twice system.yaml "[0-9]+:1: 'clocks' is already set above" run system.yaml \
  vadd < <(cat whole.yaml; printf 'clocks:\n  nsu: 1 GHz\n')
twice system.yaml "[0-9]+:[0-9]+: 'part' is already set above" run system.yaml \
  vadd < <(sed '0,/part: /s/part: /part: gpu, part: /' whole.yaml)
twice values.yaml "1:15: 'sms' is already set above" run baseline vadd --config values.yaml <<<'gpu: {sms: 8, sms: 16}'
twice system.yaml '[0-9]+:1: a second document begins here' run system.yaml \
  vadd < <(cat whole.yaml; printf -- '---\nclocks: {}\n')
twice values.yaml '2:1: a second document begins here' run baseline vadd \
  --config values.yaml <<<$'gpu: {sms: 8}\n---\ngpu: {sms: 16}'
cp "$source"/docs/example/launch/* .
twice launch.yaml '[0-9]+:1: a second document begins here' run baseline \
  launch.yaml < <(cat histogram.yaml; printf -- '---\nlaunches: []\n')
twice launch.yaml "[0-9]+:[0-9]+: 'launches' is already set above" run baseline \
  launch.yaml < <(cat histogram.yaml; printf 'launches: []\n')
twice launch.yaml "[0-9]+:[0-9]+: 'block' is already set above" run baseline \
  launch.yaml < <(sed '0,/block: /s/block: /block: 1, block: /' histogram.yaml)
twice net.yaml "2:1: 'routers' is already set above" network --topology \
  net.yaml <<<$'routers: [A, B]\nrouters: [A]\nlinks: []\nterminals: [{router: A}]'
twice net.yaml "2:[0-9]+: 'latency' is already set above" network --topology net.yaml \
  <<<$'routers: [A, B]\nlinks: [{a: A, b: B, latency: 1, latency: 4}]\nterminals: [{router: A}, {router: B}]'
twice net.yaml '4:1: a second document begins here' network --topology net.yaml \
  <<<$'routers: [A, B]\nlinks: [{a: A, b: B, latency: 1}]\nterminals: [{router: A}, {router: B}]\n---\nrouters: [A]'
