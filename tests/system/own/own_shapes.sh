#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ports that are structs, enums, unions and packed arrays: a queue of commands that every device and
# verb takes, and a row of registers of a `parameter type`, in packages and with an import, that only
# Verilator reads. A field that moved in the RTL is refused.
# timeout: 1200
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

own() { # own NAME ARGUMENT...: the folder as `new` makes it of the RTL, then the files written by hand
  mkdir -p "$1.rtl" && cp "$source/tests/foreign/$1"/rtl/* "$1.rtl"
  runs 0 "$lockstack" new "$1" --from "$1.rtl/$1.sv" "${@:2}"
  said=$out made=$(cat "$1/$1.ports")
  runs 1 "$lockstack" check "$1" --no-wave --cycles 1000 --json c.json
  equal "$(json c.json outcome)" MODEL_ASSERT 'the model that is to be written'
  cp "$source/tests/foreign/$1"/block/* "$1"
}

# ---- what `new` makes of types
own cmd_fifo
for line in 'ENUM(op_e, 2)' 'LABEL(op_e, OP_FLUSH, 3)' 'FIELD(cmd_t, op, op_e, always)' 'FIELD(cmd_t, tag, tag_t, always)' \
  'FIELD(cmd_t, data, 32, always)' 'IN_S(cmd, cmd_t, always)' 'OUT_S(head, entry_t, always)' 'OUT_S(level, level_e, always)'; do
  grep -qxF "$line" <<<"$made" || wrong "no line $line in $made"
done

# ---- parameters, and verbs that know fields; own_verbs.sh has each device and verb
for depth in 1 3 64; do runs 0 "$lockstack" check cmd_fifo --cycles 20000 --set Depth=$depth; done
mv cmd_fifo/cmd_fifo_stim.c . # fields and labels are drawn one by one
runs 0 "$lockstack" check cmd_fifo --cycles 20000
mv cmd_fifo_stim.c cmd_fifo
runs 0 "$lockstack" mutate cmd_fifo --set Depth=2 --count 20 --json m.json
equal "$(json m.json survived)" 0 'mutants'
runs 1 "$lockstack" cover cmd_fifo # its counters have 8 bits
matches "$out" 'functional +10 +10 ' 'points of fields and labels, and of head.valid'

# ---- what is wrong is told by field and label
mkdir changed && sed 's/cmd.op == OP_FLUSH;/cmd.op == OP_FLUSH \&\& cmd.tag.id != 4'"'"'d7;/' \
  cmd_fifo.rtl/cmd_fifo.sv >changed/cmd_fifo.sv
runs 1 "$lockstack" check cmd_fifo --rtl changed --wave w.vcd --json d.json
matches "$out" 'cmd.op=OP_FLUSH\(0x3\) cmd.tag.id=0x7' 'inputs by field and label'
matches "$out" 'output (head\.[a-z.]+|level) \([0-9]+ bits\)' 'the output by its field'
replay=$(json d.json replay)
grep -q 'cmd.op=3(OP_FLUSH) cmd.tag.id=7' "$replay" || wrong "no labels in $(cat "$replay")"
runs 1 "$lockstack" replay "$replay"
matches "$out" 'DIVERGED as recorded' 'the replay'
equal "$(grep -c 'scope module \(rtl\|cmd\|tag\) ' w.vcd)" 7 'scopes of fields in the waveform'
for file in cmd_fifo.ports cmd_fifo.c cmd_fifo_stim.c; do sed -i 's/OP_FLUSH/OP_PURGE/' cmd_fifo/$file; done
refuses 2 'cmd.op: the value that was OP_FLUSH is OP_PURGE now; record the failure again' "$lockstack" replay "$replay"
for file in cmd_fifo.ports cmd_fifo.c cmd_fifo_stim.c; do sed -i 's/OP_PURGE/OP_FLUSH/' cmd_fifo/$file; done
sed 's/level = count == 8/level = level_e'"'"'(count == 8/; s/: SOME;/: SOME);/' cmd_fifo.rtl/cmd_fifo.sv \
  >changed/cmd_fifo.sv
sed -i 's/== Depth ? FULL/== Depth ? EMPTY/' changed/cmd_fifo.sv
runs 1 "$lockstack" check cmd_fifo --rtl changed --no-wave --profile filling
matches "$out" 'output level \(2 bits\).    rtl    0x0 \(EMPTY\).    model  0x2 \(FULL\)' 'both values by label'

# ---- the port file is held against the RTL's types
sed '/logic \[3:0\]  id;/d; s/logic \[15:0\] addr;/&\n  logic [3:0]  id;/' cmd_fifo.rtl/cmd_fifo.sv >changed/cmd_fifo.sv
refuses 2 'cmd_fifo.ports:21: cmd.tag.id is bits 52 to 49 of cmd here, and 36 to 33 in cmd_fifo.sv:[0-9]+' \
  "$lockstack" check cmd_fifo --rtl changed --no-wave
sed "s/OP_FLUSH = 2'd3/OP_FLUSH = 2'd2/; s/SOME, FULL}/FULL, SOME}/" cmd_fifo.rtl/cmd_fifo.sv >changed/cmd_fifo.sv
refuses 2 'cmd_fifo.ports:18: LABEL\(..., SOME, 1\): SOME is 2 in cmd_fifo.sv:[0-9]+' \
  "$lockstack" check cmd_fifo --rtl changed --no-wave
sed 's/logic \[15:0\] addr/logic [16:0] addr/; s/\[54:0\]/[55:0]/' cmd_fifo.rtl/cmd_fifo.sv >changed/cmd_fifo.sv
refuses 2 'cmd_fifo.ports:[0-9]+: ' "$lockstack" check cmd_fifo --rtl changed --no-wave

# ---- a model in Python
mkdir py && runs 0 "$lockstack" new py/cmd_fifo --python --from cmd_fifo.rtl/cmd_fifo.sv
sed -i 's/FIELD(entry_t, cmd, cmd_t, always)/FIELD(entry_t, cmd, cmd_t, valid)/' py/cmd_fifo/cmd_fifo.ports
cat >py/cmd_fifo/cmd_fifo.py <<'END'
class State:
    def __init__(self):
        self.kept = []


def outputs(state, inputs, out):
    if state.kept:
        out.head.valid, command = 1, out.head.cmd
        command.op, command.tag.id, command.tag.addr, command.data, command.last = state.kept[0]
    out.head.left = min(len(state.kept), 7)
    out.level = 0 if not state.kept else 2 if len(state.kept) == Depth else 1


def step(state, inputs):
    command, full = inputs.cmd, len(state.kept) == Depth
    if inputs.push and command.op == 3:
        state.kept = []
        return
    if inputs.pop and state.kept:
        state.kept.pop(0)
    if inputs.push and not full:
        state.kept.append([command.op, command.tag.id, command.tag.addr, command.data, command.last])
END
runs 0 "$lockstack" check py/cmd_fifo --cycles 1000
sed -i 's/    if inputs.push and not full/    command.op = 1\n&/' py/cmd_fifo/cmd_fifo.py
runs 1 "$lockstack" check py/cmd_fifo --cycles 1000 --no-wave
matches "$out" 'step writes its inputs' 'a field of an input that is written'

# ---- a `parameter type`, an enum, a text and a negative number as parameters; a package and an import
own typed_reg --file typed_reg.rtl/typed_reg_pkg.sv
for text in 'Idle is an enum' 'Name is a text' 'data_t is a type, of 8 bits by default'; do
  matches "$said" "parameter $text: no PARAM" 'what new says of parameters'
  matches "$made" "${text/ is / is no PARAM here: it is }, and the RTL's own value holds" 'what the port file says'
done
for line in 'PARAM(Step, -2, -2, 1,' 'IN_S(mode, mode_e, always)' 'IN_S(data, word_t, always)' \
  'OUT(all, Stages * 8, always) /* an array: 3 elements of 8 bits */'; do
  grep -qF "$line" <<<"$made" || wrong "no line $line in $made"
done
runs 0 "$lockstack" check typed_reg --cycles 20000
for set in Stages=2 Step=-8 Step=7; do runs 0 "$lockstack" check typed_reg --cycles 20000 --set $set; done
runs 1 "$lockstack" cover typed_reg --json cover.json # the count of steps has a bit that no output shows
runs 1 "$lockstack" mutate typed_reg --json mutants.json # of the count's bit that no output shows

# ---- other shapes: a union, arrays of several dimensions, structs and enums without a name, a word of C
mkdir src && cat >src/mix.sv <<'END'
typedef union packed {logic [7:0] raw; struct packed {logic [3:0] high, low;} half;} both_t;
module mix (
  input logic clk, input logic rst,
  input struct packed {logic new_; struct packed {logic [2:0] x; logic [69:0] long;} inner;} s,
  input both_t u, output enum logic [1:0] {X0, X1, X2} st, input logic [2:0][7:0] arr, input both_t [1:0] pair,
  output logic [71:0] q
);
  always_ff @(posedge clk) if (rst) q <= '0; else q <= {s.inner.long ^ {22'd0, arr, pair, u}, s.inner.x[1:0]};
  assign st = X1;
endmodule
END
runs 0 "$lockstack" new mix --from src/mix.sv
for line in 'FIELD_V(inner_t, long_, 70, always)' 'FIELD(s_t, inner, inner_t, always)' 'IN_S(s, s_t, always)' \
  'IN(u, 8, always) /* a union, here as the vector of its bits */' 'LABEL(st_t, X2, 2)' 'OUT_S(st, st_t, always)' \
  'IN(arr, 24, always) /* an array: 3 elements of 8 bits */' \
  'IN(pair, 16, always) /* an array: 2 elements of 8 bits */'; do
  grep -qxF "$line" mix/mix.ports || wrong "no line $line in $(cat mix/mix.ports)"
done
cat >mix/mix.h <<'END'
#include <stdbool.h>
#include "mix_ports.h"
typedef struct mix { uint64_t q[2]; } mix_t;
void mix_reset(mix_t *);
void mix_eval(const mix_t *, const mix_in_t *, mix_out_t *);
void mix_step(mix_t *, const mix_in_t *);
END
cat >mix/mix.c <<'END'
#include "mix.h"
#include <string.h>
void mix_reset(mix_t *s) { memset(s, 0, sizeof *s); }
void mix_eval(const mix_t *s, const mix_in_t *in, mix_out_t *out) {
  (void)in;
  memcpy(out->q, s->q, sizeof s->q);
  out->st = st_t_X1;
}
void mix_step(mix_t *s, const mix_in_t *in) {
  uint64_t word[2];
  memcpy(word, in->s.inner.long_, sizeof word);
  word[0] ^= in->arr << 24 | in->pair << 8 | in->u;
  s->q[0] = word[0] << 2 | (in->s.inner.x & 3);
  s->q[1] = word[1] << 2 | word[0] >> 62;
}
END
runs 0 "$lockstack" check mix --cycles 5000
refuses 2 'mix.sv:5: sorry: Given type .* not supported here' "$lockstack" check mix --cycles 2000 --dut icarus
