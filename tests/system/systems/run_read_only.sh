# SPDX-License-Identifier: Apache-2.0
#
# nsu.read_only_lines: words of read-only lines that NSUs keep. Both ends agree on what is in them,
# results are right, and of kernels that write what they read, too (read_only.ptx); less goes over
# the links, and without lines all is as it was. timeout: 600
source "$(dirname "$0")/../lib.sh"

gpu() { json "$1.json" "parts.gpu.counters.read_only_$2"; }
nsu() { json "$1.json" "parts.nsu.counters.read_only_$2"; }
compare() { # A OP B WHAT
  checks=$((checks + 1))
  [ "$1" "$2" "$3" ] || wrong "$4: not $1 $2 $3"
}

# bprop, whose large block reads 68 bytes in all its instances.
for lines in 0 1 4; do
  runs 0 "$lockstack" run nsu bprop --set workload.points=2000 --set offload.ratio=0.2 \
    --set nsu.read_only_lines=$lines --json $lines.json
  equal "$(json $lines.json result_ok)" true "bprop, $lines lines"
  equal "$(nsu $lines hits) $(nsu $lines fills)" "$(gpu $lines hits) $(gpu $lines fills)" \
    "bprop, $lines lines: what the NSUs' ends did, and the GPU"
done
equal "$(gpu 0 hits) $(gpu 0 fills) $(gpu 0 drops) $(gpu 0 saved) $(gpu 0 added)" '0 0 0 0 0' 'without lines'
compare "$(gpu 1 hits)" -gt 0 'bprop, 1 line, answers without data'
compare "$(gpu 4 hits)" -gt "$(gpu 1 hits)" 'bprop, answers without data'
compare "$(json 4.json parts.gpu.counters.sent_bytes.RDF_RESP)" \
  -lt "$(json 0.json parts.gpu.counters.sent_bytes.RDF_RESP)" 'bprop, bytes of answers'

# A kernel that writes what it reads: of 32 threads, few lines are enough for an old word to be
# found.
for lines in 1 2 64; do
  for case in "0.5 n=64 block=32" "0.3 n=700 block=512" "0.7 n=9000 block=512"; do
    read -r ratio rest <<<"$case"
    set=(--set offload.ratio="$ratio" --set gpu.sms=8 --set nsu.read_only_lines=$lines)
    for parameter in $rest; do set+=(--set "workload.$parameter"); done
    runs 0 "$lockstack" run nsu vadd --ptx "$source/tests/system/programs/read_only.ptx" "${set[@]}" --json a.json
    equal "$(json a.json result_ok)" true "read_only.ptx, $lines lines, $case"
    equal "$(nsu a hits) $(nsu a fills)" "$(gpu a hits) $(gpu a fills)" "read_only.ptx, $lines lines, $case: both ends"
    compare "$(gpu a fills)" -gt 0 "read_only.ptx, $lines lines, $case: answers whose words are kept"
    if [ $lines != 64 ]; then continue; fi
    compare "$(gpu a hits)" -gt 0 "read_only.ptx, $case: answers without data"
    compare "$(gpu a drops)" -gt 0 "read_only.ptx, $case: lines given up"
  done
done

# An NSU's RTL beside its model sees no difference; two NSUs a stack have lines of their own; over
# a network.
runs 0 "$lockstack" run nsu kmn --set workload.points=500 --set nsu.read_only_lines=4 --set nsu.merge_beats=0 \
  --set offload.ratio=0.5 \
  --engine 'nsu[0]=lockstep' --json a.json
equal "$(json a.json result_ok) $(json a.json lockstep.divergences)" 'true 0' 'kmn in lockstep'
compare "$(gpu a hits)" -gt 0 'kmn, answers without data'
runs 0 "$lockstack" run "$source/harness/systems/examples/two_per_stack.yaml" kmn --set workload.points=500 \
  --set nsu.read_only_lines=2 --json b.json
equal "$(json b.json result_ok)" true 'two NSUs a stack'
for what in hits fills; do
  equal "$(($(json b.json parts.fast.counters.read_only_$what) + $(json b.json parts.slow.counters.read_only_$what)))" \
    "$(gpu b $what)" \
    "two NSUs a stack: $what at both ends"
done
compare "$(gpu b hits)" -gt 0 'two NSUs a stack, answers without data'
runs 0 "$lockstack" run near kmn --set workload.points=500 --set nsu.read_only_lines=4 --set offload.policy=static \
  --set offload.ratio=0.5 --json c.json
equal "$(json c.json result_ok)" true 'over a network'
equal "$(nsu c hits) $(nsu c fills)" "$(gpu c hits) $(gpu c fills)" 'over a network: both ends'
compare "$(gpu c hits)" -gt 0 'over a network, answers without data'

refuses 2 'nsu.read_only_lines: 65 is out of range; from 0 to 64' "$lockstack" run nsu vadd --set nsu.read_only_lines=65
refuses 2 'nsu.read_only_lines=0, or tom.offload=none, would be right' "$lockstack" run near_sms csr \
  --set nsu.read_only_lines=1
