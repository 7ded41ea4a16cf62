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
sed "/^end/d; /^written/d; /^block/d; s,^folder .*,folder $here/srv/bob/copy/hw/accum,; s/replay 6/replay 4/" \
  own.replay >old.replay
printf 'end crc32=%s\n' "$(gzip -c old.replay | tail -c 8 | od -An -N4 -tx4 | tr -d ' ')" >>old.replay
runs 1 "$lockstack" replay old.replay
matches "$out" 'DIVERGED as recorded' 'a file of version 4'

# --- what a report shows of a failure long after its cause: the cause, and how long nothing came
mkdir "$here/fuse" && cd "$here/fuse" || exit 3
cat >fuse.sv <<'V'
module fuse (
  input  wire logic       clk,
  input  wire logic       rst,
  input  wire logic       arm_i,
  input  wire logic [5:0] n_i,
  output      logic       fire_o
);
  logic [5:0] count, first;
  always_ff @(posedge clk) begin
    if (rst) count <= 6'd0;
    else if (arm_i) begin
      count <= n_i;
      first <= n_i;
    end else if (count != 0)
      count <= count - 6'd1;
  end
  assign fire_o = count == 6'd1 && first < 6'd40;
endmodule
V
printf '%s\n' '/* fuse: n cycles after it was armed it fires. */' 'KIND(moore)' 'CLOCK(clk)' 'RESET(rst, high, sync)' \
  'IN(arm, 1, always)' 'IN(n, 6, arm)' 'OUT(fire, 1, always)' >fuse.ports
cat >fuse.h <<'C'
#ifndef FUSE_H
#define FUSE_H
#include "fuse_ports.h"
typedef struct { unsigned count; } fuse_t;
void fuse_reset(fuse_t *f);
void fuse_eval(const fuse_t *f, const fuse_in_t *in, fuse_out_t *out);
void fuse_step(fuse_t *f, const fuse_in_t *in);
#endif
C
cat >fuse.c <<'C'
#include "fuse.h"
void fuse_reset(fuse_t *f) { f->count = 0; }
void fuse_eval(const fuse_t *f, const fuse_in_t *in, fuse_out_t *out) { (void)in; out->fire = f->count == 1; }
void fuse_step(fuse_t *f, const fuse_in_t *in) {
  if (in->arm) f->count = (unsigned)in->n;
  else if (f->count) f->count--;
}
C
runs 1 "$lockstack" check . --json f.json
matches "$out" $'last inputs before it:\n    cycle 0      arm=0x1 n=0x[0-9a-f]+\n      [.][.][.] [34][0-9] idle cycles\n' \
  'the cycles that matter, and how many do not'
equal "$(json f.json transactions.0.cycle)" 0 'the cycle that matters'

# From the wrong output through the register to the input that it got its value from, with the line
value=$(sed -n 's/^    cycle 0      arm=0x1 n=//p' <<<"$out") last=$(json f.json window.to)
matches "$out" "fire comes from count, first"$'\n'"    register first +cycles 1-$last +$value +([^ ]*/)?fuse.sv:13"$'\n' \
  'the register that decides'
matches "$out" "    input    n +cycle 0 +$value"$'\n' 'the input that decides'
equal "$(json f.json failure.decided.0.name) $(json f.json failure.decided.0.kind)" 'first register' 'the same in JSON'
! grep -q 'register count' <<<"$out" || wrong 'a register that does not decide'

# What cannot be made smaller says why
runs 1 "$lockstack" replay "$(json f.json replay)"
matches "$out" $'n=0x[0-9a-f]+\n      [.][.][.] [34][0-9] idle cycles\n' 'its replay'
runs 1 "$lockstack" check . --no-wave --shrink-seconds 0
matches "$out" 'not shrunk: --shrink-seconds 0 leaves no time' 'no time to shrink'
sed -i 's/{ f->count = 0; }/{ f->count = 0; __builtin_trap(); }/' fuse.c
runs 1 "$lockstack" check . --no-wave
matches "$out" 'MODEL_CRASH.*not shrunk, and no replay file: it fails in the reset, before there are inputs' 'a crash in reset'

# A model that is wrong from the first cycle on: there are no inputs before it
cp -r "$source/docs/example" first
sed -i 's/out->sum = a->sum;/out->sum = a->sum ^ 1;/' first/accum.c
runs 1 "$lockstack" check first --no-wave
matches "$out" $'\n  no inputs before it: in cycle 0, the first, all are 0\n' 'a failure before any input'
! grep -q 'last inputs' <<<"$out" || wrong 'a heading with nothing behind it'

# A tool of a build that does not end has a limit
mkdir bin && printf '#!/bin/sh\nexec sleep 100\n' >bin/verilator && chmod +x bin/verilator
late='block accum: verilator is not at its end after 1 s; smaller parameters would be right, or a larger LOCKSTACK_TOOL_SECONDS'
PATH=$PWD/bin:$PATH LOCKSTACK_TOOL_SECONDS=1 refuses 3 "$late" "$lockstack" check first --no-wave
LOCKSTACK_TOOL_SECONDS=1s refuses 2 "LOCKSTACK_TOOL_SECONDS: '1s' should be a whole number" "$lockstack" check first
