#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two blocks of other styles with ready-made stimulus: an AXI-Stream FIFO that drops frames, a
# timer on APB; as docs/own-block.md has them. A model that breaks its protocol is told by the
# rule; divergences shrink to inputs that keep to it.
# timeout: 900
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

own() { # own NAME: the folder as `new` makes it of the RTL, then the files that are written by hand
  mkdir -p "$1.rtl" && cp "$source/tests/foreign/$1"/rtl/* "$1.rtl"
  runs 0 "$lockstack" new "$1" --from "$1.rtl/$1.v"
  cp "$source/tests/foreign/$1"/block/* "$1"
}
own axis_drop_fifo
matches "$out" 'clock aclk, reset aresetn \(low, sync\), outputs moore' 'the FIFO'
own apb_timer
matches "$out" 'clock pclk, reset presetn \(low, async\), outputs mealy' 'the timer'

for block in axis_drop_fifo apb_timer; do
  runs 0 "$lockstack" check $block --cycles 50000
done
for set in "1 8" "2 64" "8 1"; do
  runs 0 "$lockstack" check axis_drop_fifo --cycles 20000 --set ADDR_WIDTH=${set% *} --set DATA_WIDTH=${set#* }
done
for set in WIDTH=1 WIDTH=2 WIDTH=31; do runs 0 "$lockstack" check apb_timer --cycles 20000 --set $set; done
runs 0 "$lockstack" cover axis_drop_fifo --set ADDR_WIDTH=2 --set DATA_WIDTH=3
runs 0 "$lockstack" cover apb_timer --set WIDTH=6 --prove
runs 0 "$lockstack" mutate axis_drop_fifo --set ADDR_WIDTH=2 --set DATA_WIDTH=3 --count 60 --json m.json
equal "$(json m.json survived)" 0 'mutants of the FIFO'
runs 0 "$lockstack" mutate apb_timer --set WIDTH=4 --count 60 --json m.json
equal "$(json m.json survived)" 0 'mutants of the timer'
equal "$(json m.json environment.0)" access_selects 'what its neighbours keep to'

# A model that takes its word back: the rule is the text of the failure.
cp -r axis_drop_fifo fickle && cd fickle && for file in axis_drop_fifo*; do
  mv "$file" "${file/axis_drop_fifo/fickle}"; done
sed -i 's/axis_drop_fifo_\([a-z]\)/fickle_\1/g; s/"axis_drop_fifo\.h"/"fickle.h"/; s/struct axis_drop_fifo/struct fickle/' fickle.[ch] fickle_stim.c
cd .. && sed 's/module axis_drop_fifo/module fickle/' axis_drop_fifo.rtl/axis_drop_fifo.v >axis_drop_fifo.rtl/fickle.v
sed -i 's/axis_drop_fifo\.v/fickle.v/' fickle/fickle.yaml
runs 0 "$lockstack" check fickle --cycles 5000
sed -i 's/out->m_axis_tvalid = f->used > f->fresh;/out->m_axis_tvalid = f->used > f->fresh \&\& !f->dropped;/' \
  fickle/fickle.c
runs 1 "$lockstack" check fickle --cycles 5000 --no-wave
matches "$out" 'MODEL_ASSERT|DIVERGED' 'a model that breaks the protocol'
sed -i 's/assign m_axis_tvalid = used != fresh;/assign m_axis_tvalid = used != fresh \&\& !dropped;/' \
  axis_drop_fifo.rtl/fickle.v
runs 1 "$lockstack" check fickle --cycles 5000 --no-wave
matches "$out" 'MODEL_ASSERT.*stream: valid falls before ready' 'the rule that both break'

# A fault in the RTL, shrunk: what is left is still AXI-Stream.
mkdir changed && sed 's/fresh <= good ? 0/fresh <= good \&\& !give ? 0/' \
  axis_drop_fifo.rtl/axis_drop_fifo.v >changed/axis_drop_fifo.v
runs 1 "$lockstack" check axis_drop_fifo --rtl changed --no-wave --json d.json
equal "$(json d.json outcome)" DIVERGED 'a fault of the RTL'
[ "$(json d.json shrunk_cycles)" -le 20 ] || wrong "shrunk to $(json d.json shrunk_cycles) cycles only"
runs 1 "$lockstack" replay "$(json d.json replay)"
