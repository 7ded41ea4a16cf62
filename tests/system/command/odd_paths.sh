#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# A block's folder, a folder of --rtl, of --out and of --json with blanks, quotes, parentheses, +
# and a leading dash: built as any other, its own name in every message. What cannot take such a
# path says so in one line before anything is built.
# shellcheck disable=SC1091 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

odd="my blocks/-a+b(c)'s \$x;#"
mkdir -p "$odd" 'out put' || exit 3
cp "$source"/rtl/lib/arb_rr.{sv,ports} "$source"/cmodel/blocks/lib/arb_rr.{c,h} "$odd"
check() { "$lockstack" check "$odd" --cycles 500 "$@"; }

runs 0 check --json 'out put/-a.json' --out 'out put'
equal "$(json 'out put/-a.json' block)" "$PWD/$odd" 'the block in the JSON'
runs 0 check \
  # the object of before is new enough, and is found to be
for kind in netlist icarus; do runs 0 check --dut $kind; done
runs 0 "$lockstack" cover "$odd" --least 0 --runs 1 --html 'out put/html' --json 'out put/cover.json'
matches "$(echo out\ put/html/*)" 'index.html' 'the pages of cover'
cp -r "$source/docs/example" 'my own'
runs 0 "$lockstack" cover 'my own' --least 0 --runs 1 --cycles 300 --html 'out put/own'
equal "$(grep -c 'pages ' <<<"$out")" 1 'lines that name the pages'
[ -n "$(find 'out put/own' -name 'accum.sv.gcov.html')" ] || wrong 'no page of the source beside the folder'
[ ! -e 'out put/own/genhtml.log' ] || wrong 'the log of genhtml is left'
runs 0 "$lockstack" faults "$odd" --count 20 --cycles 500

# Yosys and abc take paths of scripts as words: what is written and what is read goes through links
runs 0 "$lockstack" mutate "$odd" --count 2 --cycles 500 --no-proofs
weird="work in  (a+b)'s \$x;#"
runs 0 "$lockstack" mutate arb_rr --count 2 --cycles 500 --no-proofs --out "$weird" --json "$weird.json"
equal "$(json "$weird.json" mutants.#)" 2 'mutants in such a folder'
runs 0 "$lockstack" area arb_rr --out "$weird"
runs 0 "$lockstack" prove arb_rr --first --out "$weird"
runs 0 "$lockstack" network --cycles 300 --out "$weird/network"
for part in mutate network prove; do [ -d "$weird/$part" ] || wrong "nothing went to $weird/$part"; done
mkdir "$weird/here" && cd "$weird/here" || exit 3
runs 0 "$lockstack" prove arb_rr --first
runs 0 "$lockstack" faults arb_rr --count 3 --cycles 100 --json ./-f.json
printf 'jobs:\n  - check: {blocks: arb_rr, cycles: 100}\n' >'a suite.yaml'
runs 0 "$lockstack" regress './a suite.yaml' --db './the db' --junit 'j u.xml'
runs 0 "$lockstack" report --db './the db' --out './-r.html'
cd "$here" || exit 3

# Changed sources are seen through the dependency file
sed -i 's/update_i && /update_i || /' "$odd/arb_rr.sv"
cmp -s "$odd/arb_rr.sv" "$source/rtl/lib/arb_rr.sv" && wrong 'arb_rr.sv was not changed'
runs 1 check --no-wave --out 'out put'
matches "$out" "rule +my blocks/-a\\+b\\(c\\)'s" 'the rule, in the folder by its own name'
again=$(grep -A1 'again with:' <<<"$out" | tail -n 1)
runs 1 bash -c "${again/lockstack/\"$lockstack\"} --no-wave --out 'out put'"  # as somebody copies it
replay=$(sed -n 's/^  replay  *lockstack //p' <<<"$out")
runs 1 bash -c "\"$lockstack\" $replay"
replay=$(find 'out put' -name '*.replay' | head -n 1)
runs 1 "$lockstack" replay "$replay"

# Another folder's RTL
mkdir 'r t l' && cp "$source/rtl/lib/arb_rr.sv" 'r t l'
runs 0 "$lockstack" check arb_rr --cycles 500 --rtl 'r t l'

# Messages of tools name the folder, not a link to it
echo 'syntax error' >>"$odd/arb_rr.c"
refuses 2 "my blocks/-a\\+b\\(c\\)'s .x;#/arb_rr.c:[0-9]+:" check
sed -i '$d' "$odd/arb_rr.c"
sed -i 's/^RESET(\([a-z_]*\), [a-z]*/RESET(\1, up/' "$odd/arb_rr.ports"
refuses 2 "my blocks/-a\\+b\\(c\\)'s .x;#/arb_rr.ports:[0-9]+: RESET" check
