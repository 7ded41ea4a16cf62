#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A model in Python: nothing else is asked for, the verbs take it, a divergence shrinks, and what
# is wrong in it is told by its line.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || skip 'no python3'

# the one with the fault
sed -n "/^\$ cat >credits.v <<'END'$/,/^END$/p" "$source/docs/tutorial.md" | sed '1d;$d' >credits.v
runs 0 "$lockstack" new credits --from credits.v --python --json n.json
matches "$out" 'credits.yaml, credits.py' 'its files'
equal "$(json n.json files.5)" credits.py 'its files in JSON'
refused() { # refused REGEX WHAT
  runs 1 "$lockstack" check credits --cycles 50 --no-wave
  matches "$out" "$1" "$2"
}
refused 'MODEL_ASSERT.*credits.py:[0-9]+: AssertionError: outputs in credits.py is to be written' \
  'a model that is not written'

sed -i 's/^PARAM.*/PARAM(Depth, 15, 1, 15, "credits that there are")/' credits/credits.ports
cat >good.py <<'END'
class State:
    def __init__(self):
        self.left = Depth
        self.seen = [0, {"a": "text"}]


def outputs(state, inputs, out):
    out.ready = state.left > 0
    out.left = state.left


def step(state, inputs):
    sent = inputs.send and state.left > 0
    state.left = min(Depth, state.left - sent + inputs.give)
    state.seen[0] += sent
END
cp good.py credits/credits.py
runs 1 "$lockstack" check credits --cycles 2000 --no-wave --json d.json
equal "$(json d.json outcome) $(json d.json failure.port) $(json d.json shrunk_cycles)" 'DIVERGED left 2' 'the fault'
runs 1 "$lockstack" replay "$(json d.json replay)"
sed -i 's/count <= count - 1;/count <= give ? count : count - 1;/' credits.v
runs 0 "$lockstack" check credits --cycles 3000
runs 0 "$lockstack" check credits --cycles 1000 --set Depth=3 --seed 5
runs 0 "$lockstack" check credits --cycles 500 --dut icarus
runs 0 "$lockstack" mutate credits --cycles 1000 --count 30 --jobs 2 --json m.json
equal "$(json m.json survived)" 0 'mutants'

# What the model reads is part of the verdict: modules beside it and elsewhere, data, a file that
# it asks for and that is not there. Times say nothing.
mkdir -p credits/parts
printf 'STEP = 1\n' >credits/parts/helper.py
printf 'ONCE = 1\n' >credits/beside.py
printf '0\n' >credits/start.txt
{
  printf 'import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "parts"))\n'
  printf 'from beside import ONCE\nfrom helper import STEP\n'
  printf 'HERE = os.path.dirname(os.path.abspath(__file__))\nLESS = int(open(HERE + "/start.txt").read()) + os.path.exists(HERE + "/more.txt")\n'
  sed 's/self.left = Depth/&- LESS/; s/- sent/- sent * STEP * ONCE/' good.py
} >credits/credits.py
printf 'jobs:\n  - check: {block: credits, cycles: 300, no-wave: true}\n' >python.yaml
regress() { "$lockstack" regress python.yaml --db python.db "$@"; }
runs 0 regress
runs 0 regress --resume
matches "$out" '1 PASS' 'nothing has changed'
[[ $out != *stale* ]] || wrong "what nobody changed is stale: $out"
reads() { # reads FILE SED: another text of the same times
  touch -r "$1" time && sed -i "$2" "$1" && touch -r time "$1"
  runs 1 regress --resume
  matches "$out" "stale, and .*${1##*/} (has changed|is there now)" "$1"
}
reads credits/parts/helper.py 's/1/2/'
sed -i 's/2/1/' credits/parts/helper.py
runs 0 regress --resume
reads credits/beside.py 's/1/2/'
sed -i 's/2/1/' credits/beside.py
runs 0 regress --resume
reads credits/start.txt 's/0/1/'
echo 0 >credits/start.txt
runs 0 regress --resume
touch credits/more.txt
runs 1 regress --resume
matches "$out" 'stale, and .*more.txt is there now' 'a file that is new'
rm credits/more.txt

# Each mistake, by its line
wrong_model() { # wrong_model SED REGEX
  sed "$1" good.py >credits/credits.py
  refused "MODEL_ASSERT.*$2" "a model with $1"
}
wrong_model 's/out.left =/out.lft =/' 'AttributeError: there is no output lft'
wrong_model 's/out.left = state/out.left = stat/' "credits.py:9: NameError: name 'stat' is not defined"
wrong_model 's/min(Depth/min(Depth +/' 'credits.py:14: SyntaxError'
wrong_model '/^def step/,$d' "has no 'step'"
wrong_model 's/    sent = .*/    assert inputs.send == 0/' "credits.py:13: AssertionError: assert inputs.send == 0"
PYTHONOPTIMIZE=2 PYTHONSAFEPATH=1 PYTHONWARNINGS=error wrong_model 's/    sent = .*/    assert inputs.send == 0/' \
  "credits.py:13: AssertionError"
wrong_model 's/out.left =.*/out.left = 0.5/' 'TypeError: .float. object cannot be interpreted as an integer'
wrong_model 's/out.left =.*/out.left = 1 << 64/' 'OverflowError: output left has more than 64 bits'
wrong_model 's/out.left =/state.left = 1; &/' 'credits.py:7: outputs writes its state: it must be pure'
wrong_model 's/out.left =/state.seen[1]["a"] = {1}; &/' 'credits.py:7: outputs writes its state: it must be pure'
wrong_model 's/out.left =/inputs.send = 1; &/' 'credits.py:7: outputs writes its inputs: it must be pure'
wrong_model 's/    sent = .*/&; inputs.give = 0/' 'credits.py:12: step writes its inputs: they are of this cycle alone'
wrong_model 's/    sent = .*/    raise SystemExit(3)/' 'SystemExit: 3'
wrong_model 's/    sent = .*/    import os; os._exit(3)/' 'Python has ended'
wrong_model 's/0, {"a": "text"}/0, "x" * 5000/' 'the state is longer than PYTHON_STATE'
rm credits/credits.py
refused 'MODEL_ASSERT.*FileNotFoundError' 'no model'
