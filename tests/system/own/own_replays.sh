#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# A replay file of a user's block finds the block when the project was moved, and with --folder when
# only the file was copied; what it says of changed sources does not depend on where they lie.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

wrong_at() { sed -i "s/sum_o + value_i/sum_o + (value_i ^ Bits'(value_i[7:0] == 8'd$2))/" "$1/accum.sv"; }
mkdir -p home/ada/project/hw && cd home/ada/project || exit 3
cp -r "$source/docs/example" hw/accum
mkdir try && cp hw/accum/accum.sv try
wrong_at hw/accum 77
wrong_at try 9

runs 1 "$lockstack" check hw/accum --no-wave --json "$here/a.json"
runs 1 "$lockstack" check hw/accum --rtl try --no-wave --json "$here/b.json"
own=$(json "$here/a.json" replay) changed=$(json "$here/b.json" replay)
matches "$(<"$own")" $'\nblock accum\nwritten '"$PWD"$'/lockstack-out\nfolder ../hw/accum\n' 'paths in the file'
matches "$(<"$changed")" $'\nfolder ../hw/accum\nrtl ../try\n' 'the path of --rtl'
sum=$(sed -n 's/^content //p' "$own")

# The whole project, in the hands of another user
cd "$here" && mkdir -p srv/bob && mv home/ada/project srv/bob/copy && rm -r home
runs 1 "$lockstack" replay "srv/bob/copy/$own"
matches "$out" "DIVERGED as recorded; played in $here/srv/bob/copy/hw/accum\$" 'a moved project'
runs 1 env -C / "$lockstack" replay "$here/srv/bob/copy/$changed"
matches "$out" "DIVERGED as recorded; played in $here/srv/bob/copy/hw/accum; with the RTL of $here/srv/bob/copy/try\$" \
  'a moved project with other RTL'
runs 1 env -C srv/bob/copy "$lockstack" check hw/accum --no-wave --out again --json "$here/a.json"
equal "$(sed -n 's/^content //p' "srv/bob/copy/$(json a.json replay)")" "$sum" 'the checksum of the moved sources'

# The file alone
cp "srv/bob/copy/$own" own.replay && cp "srv/bob/copy/$changed" changed.replay
refuses 2 '^lockstack: .*/hw/accum: no such folder, and the recorded block lay there; --folder DIR would be right$' \
  "$lockstack" replay own.replay
runs 1 "$lockstack" replay own.replay --folder srv/bob/copy/hw/accum --json r.json
matches "$out" "DIVERGED as recorded; played in $here/srv/bob/copy/hw/accum\$" 'a file that was copied alone'
equal "$(json r.json same)" true 'the same failure'
refuses 2 '/try: no such folder, and the recording is of its RTL; --rtl DIR would be right' \
  "$lockstack" replay changed.replay --folder srv/bob/copy/hw/accum
runs 1 "$lockstack" replay changed.replay --folder srv/bob/copy/hw/accum --rtl srv/bob/copy/try
matches "$out" 'DIVERGED as recorded; played in ' 'both folders'
refuses 2 "the recording is of the block's own RTL" "$lockstack" replay own.replay --folder srv/bob/copy/hw/accum --rtl \
  srv/bob/copy/try
refuses 2 'nowhere: no such folder' "$lockstack" replay own.replay --folder nowhere
mkdir other && for f in ports h c sv; do sed 's/accum/adder/g' "$source/docs/example/accum.$f" >other/adder.$f; done
refuses 2 'other/adder.ports: has block adder, and the recording is of block accum' \
  "$lockstack" replay own.replay --folder other
sed '/^end/d; /^folder/d; s/^block .*/block arb_rr/' own.replay >tree.replay
printf 'end crc32=%s\n' "$(gzip -c tree.replay | tail -c 8 | od -An -N4 -tx4 |
  tr -d ' ')" >>tree.replay
refuses 2 'folder: the recording is of block arb_rr of the tree' "$lockstack" replay tree.replay --folder other

# Changed sources, and old files, whose paths are absolute
sed -i 's/77/78/' srv/bob/copy/hw/accum/accum.sv
runs 0 "$lockstack" replay own.replay --folder srv/bob/copy/hw/accum
matches "$out" 'PASS: the recorded DIVERGED is gone' 'a changed block'
sed -i 's/78/77/' srv/bob/copy/hw/accum/accum.sv
sed "/^end/d; /^written/d; /^block/d; s,^folder .*,folder $here/srv/bob/copy/hw/accum,; s/replay 5/replay 4/" \
  own.replay >old.replay
printf 'end crc32=%s\n' "$(gzip -c old.replay | tail -c 8 | od -An -N4 -tx4 | tr -d ' ')" >>old.replay
runs 1 "$lockstack" replay old.replay
matches "$out" 'DIVERGED as recorded' 'a file of version 4'
