#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack network with bad input: one line and exit status 2.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

bad() { # REGEX OPTIONS...
  local regex=$1
  shift
  refuses 2 "$regex" "$lockstack" network "$@"
}

bad 'above 0 and at most 1' --rate 0
bad 'above 0 and at most 1' --rate 1.01
bad 'above 0 and at most 1' --rate=-0.1
bad 'FROM:TO:STEP' --rate fast
bad 'FROM:TO:STEP' --rate nan
bad 'FROM:TO:STEP' --rate 0.1:0.2
bad 'FROM:TO:STEP' --rate 0.1:0.2:0
bad 'FROM:TO:STEP' --rate 0.2:0.1:0.05
bad 'FROM:TO:STEP' --rate 0.1,
bad 'FROM:TO:STEP' --rate 0.1,20%
bad 'more than 256' --rate 0.001:1:0.001
bad 'at most 1 flit' --topology mesh:1x1 --rate 900%   # small: no line of progress
bad 'hypercube:3' --topology hypercube:x
bad 'absent' --topology absent
bad 'should be uniform' --pattern random
bad 'power of two' --topology mesh:3x3 --pattern bitcomp
bad 'square' --topology mesh:2x1 --pattern transpose
bad 'terminals 0 to 7' --topology hypercube:3 --pattern hotspot --hotspot 8
bad 'does not use it' --hotspot 1
bad 'terminal and share' --pattern hotspot --hotspot x
bad '0 to 1' --pattern hotspot --hotspot 1:2
bad 'more than one router' --topology mesh:1x1 --pattern tree-saturation
bad 'should be one of base' --policy fast
bad 'one policy' --policy base,crit
bad 'there twice' --compare base,base
bad 'should be one of base' --compare base,fast
bad 'multiple of Classes' --vcs 1 --classes 2
bad 'whole number' --classes 3
bad 'four flits' --policy crit+tr --depth 2 --vcs 2
bad 'at most 64 input VCs a router: NumVCs of 5 would be right' --topology tree --vcs 6
bad 'NumVCs of 4 would be right' --topology tree --vcs 5 --policy crit+tr
bad 'NumVCs of 2 would be right' --topology tree --vcs 4 --classes 2 --policy crit+tr
bad 'an epoch of 2500 cycles ends before links have changed their width, which takes 2500' --policy crit+w --epoch 2500
bad 'policy double: .*at most 64 input VCs' --topology tree --vcs 4 --compare base,double
bad 'whole number' --vcs 0
bad 'whole number' --depth 65
bad 'whole number' --out-depth 0
bad "out-depth's" --set OutDepth=1
bad 'RankNext should be 1' --policy crit --set RankNext=0
bad 'whole number' --stages 5
bad '1 to 1023' --packet 0
bad '1 to 1023' --packet 3-2
bad '0 to 1' --divergent 1.5
bad 'PARAM=VALUE' --set TrackPct
bad 'whole number' --set TrackPct=much
bad 'no parameter' --set Speed=3
bad "the topology's" --set Ports=3
bad "policy's" --set Crit=1
bad '0 to 100' --set TrackPct=101
bad 'INSTANCE=ENGINE' --engine lockstep
bad 'model, rtl or lockstep' --engine router=fast
bad 'router\[0\] to router\[7\]' --topology hypercube:3 --engine 'router[8]=rtl'
bad 'no instance' --engine nsu=rtl
bad '/dev/null: Not a directory' --out /dev/null
bad 'absent' --critical absent
echo '{"critical_paths": [{"hops": [{"router": "M99", "in": 0, "out": 1}]}]}' >other.json
bad 'no critical_paths that fit' --critical other.json
bad 'absent' --engine router=rtl --rtl absent
bad 'do not go together' --policy crit --compare base,dist
bad 'do not go together' --compare base,dist --policy crit
bad "unexpected argument" mesh:4x4

# A file whose routes can deadlock: a ring of five.
cat >ring.yaml <<'END'
routers: [a, b, c, d, e]
links: [{a: a, b: b}, {a: b, b: c}, {a: c, b: d}, {a: d, b: e}, {a: e, b: a}]
terminals: [{router: a}, {router: b}, {router: c}, {router: d}, {router: e}]
END
bad 'wait in a cycle: .*port 1 -> .*`dateline: true` at a link of each circle would be right' --topology ring.yaml

# With a dateline it needs two VCs a class that keep their packets.
sed 's/{a: e, b: a}/{a: e, b: a, dateline: true}/' ring.yaml >dateline.yaml
bad 'ways pass up to 1 datelines, so a class needs 2 VCs and has 1: NumVCs of 2' --topology dateline.yaml --vcs 1
bad 'ways pass up to 2 datelines, so a class needs 3 VCs and has 2: NumVCs of 6' --topology torus:5x5 --vcs 4 --classes 2
bad 'policy crit.tr: .*a policy without tr would be right' --topology dateline.yaml --compare base,crit+tr
sed 's/dateline: true/dateline: 7x/' dateline.yaml >seven.yaml
bad 'seven.yaml:2: ' --topology seven.yaml
bad 'a torus is torus:XxY' --topology torus:8y8
bad 'a ring is ring:N' --topology ring:8x8
