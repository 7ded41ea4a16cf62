#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ports that are unpacked arrays, of vectors, of structs, of wide elements and of two dimensions: an
# arbiter that every device and verb takes. What is wrong in one element is told by its name, and
# the port file is held against the RTL's ranges. An array of structs inside is no single register.
# timeout: 900
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

mkdir row_arb.rtl changed && cp "$source"/tests/foreign/row_arb/rtl/* row_arb.rtl
runs 0 "$lockstack" new row_arb --from row_arb.rtl/row_arb.sv
for line in 'ARRAY(data_a, N, 8)' 'ARRAY_V(tag_a, 2, 66)' 'ARRAY(last_a, N, entry_t)' 'ARRAY(pair_a_1, 2, 8)' \
  'ARRAY(pair_a, 2, pair_a_1)' 'IN_S(data, data_a, always)' 'OUT_S(last, last_a, always)'; do
  grep -qxF "$line" row_arb/row_arb.ports || wrong "no line $line in $(cat row_arb/row_arb.ports)"
done
runs 1 "$lockstack" check row_arb --no-wave --cycles 1000 --json c.json # with the stimulus that new makes
equal "$(json c.json outcome)" MODEL_ASSERT 'the model that is to be written'
cp "$source"/tests/foreign/row_arb/block/* row_arb

# ---- every device and verb
for dut in rtl netlist cxxrtl emitted icarus; do runs 0 "$lockstack" check row_arb --cycles 3000 --dut $dut; done
matches "$out" 'read by Icarus as Verilog 2005' 'the text that Icarus has'
runs 0 "$lockstack" check row_arb --cycles 3000 --against netlist --set N=6
mv row_arb/row_arb_stim.c . # elements are drawn one by one
runs 0 "$lockstack" check row_arb --cycles 10000
mv row_arb_stim.c row_arb
runs 0 "$lockstack" prove row_arb
runs 0 "$lockstack" mutate row_arb --count 6 --json m.json
equal "$(json m.json survived)" 0 'mutants'
runs 0 "$lockstack" cover row_arb
matches "$out" 'functional +1 +1 ' 'the point of an element'
runs 0 "$lockstack" faults row_arb --count 60 --jobs 1
matches "$out" 'held \(4 x 10\)' 'a register that is an array'
runs 0 "$lockstack" area row_arb
runs 0 "$lockstack" power row_arb --cycles 2000

# ---- what is wrong in one element is told by its name
broken() { # broken OUTPUT SED: the check of changed RTL names the output
  sed "$2" row_arb.rtl/row_arb.sv >changed/row_arb.sv
  cmp -s row_arb.rtl/row_arb.sv changed/row_arb.sv && wrong "nothing changed by $2"
  runs 1 "$lockstack" check row_arb --rtl changed --json d.json "${@:3}"
  grep -qF "output $1 (" <<<"$out" || wrong "no output $1 in $out"
}
broken 'tag[1]' "s/tag_o  *<= tag_i;/tag_o <= '{tag_i[1], tag_i[0] ^ 66'h1_0000_0000_0000_0000};/" --no-wave
broken 'pair[1][0]' 's/leaf\[1\] & data_o/leaf[1] | data_o/' --no-wave
broken 'last[1].data' "s/held\[index\].data <= data_o/held[index].data <= data_o ^ 8'(index == 2)/" --wave w.vcd
grep -q 'data_i\[3\]' w.vcd || wrong 'no element in the waveform'
equal "$(grep -c 'scope module last_o\[1\] ' w.vcd)" 2 'scopes of elements that are structs'
replay=$(json d.json replay)
grep -q 'data\[2\]:8' "$replay" || wrong "no elements in $(cat "$replay")"
runs 1 "$lockstack" replay "$replay"
matches "$out" 'DIVERGED as recorded' 'the replay'

# ---- which element is which: ranges that are turned, and elements at other places
broken 'last[1].how' 's/entry_t  *held \[0:N-1\]/entry_t held [N-1:0]/' --no-wave

# ---- the port file is held against the RTL's ranges
refused() { # refused LINE SED: of the port file
  cp "$source"/tests/foreign/row_arb/block/row_arb.ports row_arb && sed -i "$2" row_arb/row_arb.ports
  refuses 2 "$1" "$lockstack" check row_arb --no-wave --cycles 100
}
refused 'row_arb.ports:[0-9]+: data\[4\]: data_i has 4 elements in row_arb.sv:[0-9]+' \
  's/ARRAY(data_a, N, 8)/ARRAY(data_a, 5, 8)/'
refused 'row_arb.ports:[0-9]+: data\[0\] is bits 15 to 0 of data_i here, and 7 to 0 in row_arb.sv' \
  's/ARRAY(data_a, N, 8)/ARRAY(data_a, 2, 16)/'
refused 'row_arb.ports:[0-9]+: pair\[0\]\[0\] is bits 3 to 0 of pair_o here, and 7 to 0 in row_arb.sv' \
  's/ARRAY(row_a, 2, 8)/ARRAY(row_a, 4, 4)/'
refused 'row_arb.ports:[0-9]+: ARRAY\(data_a, ...\): 65 is 65: an element has 1 to 64 bits; ARRAY_V is for more' \
  's/ARRAY(data_a, N, 8)/ARRAY(data_a, N, 65)/'
cp "$source"/tests/foreign/row_arb/block/row_arb.ports row_arb

# ---- a vector in the port file is the array's bits, element 0 in the lowest ones
mkdir flat src && cat >src/flat.sv <<'END'
module flat (input logic [6:0] d_i [3:1], input logic [1:0] i_i, output logic [6:0] q_o, output logic [20:0] all_o);
  assign q_o = i_i == 2'd0 ? 7'd0 : d_i[i_i];
  assign all_o = {d_i[3], d_i[2], d_i[1]};
endmodule
END
printf '%s\n' 'KIND(mealy)' 'CLOCK(none)' 'RESET(none, 0)' 'IN(d, 21, always)' 'IN(i, 2, always)' 'OUT(q, 7, always)' \
  'OUT(all, 21, always)' >flat/flat.ports
echo 'files: [../src/flat.sv]' >flat/flat.yaml
cat >flat/flat.h <<'END'
#include "flat_ports.h"
typedef struct flat { int none; } flat_t;
void flat_reset(flat_t *);
void flat_eval(const flat_t *, const flat_in_t *, flat_out_t *);
void flat_step(flat_t *, const flat_in_t *);
END
cat >flat/flat.c <<'END'
#include "flat.h"
void flat_reset(flat_t *s) { s->none = 0; }
void flat_eval(const flat_t *s, const flat_in_t *in, flat_out_t *out) {
  (void)s;
  out->q = in->i ? in->d >> 7 * (in->i - 1) & 0x7f : 0;
  out->all = in->d;
}
void flat_step(flat_t *s, const flat_in_t *in) { (void)s, (void)in; }
END
for dut in rtl netlist; do runs 0 "$lockstack" check flat --cycles 2000 --dut $dut; done

# ---- an array of structs inside, of which Yosys keeps one
cat >src/table.sv <<'END'
module table4 (input logic clk, input logic rst, input logic [1:0] i, input logic [7:0] d, output logic [7:0] q);
  typedef struct packed {logic [3:0] a, b;} pair_t;
  pair_t m [4];
  always_ff @(posedge clk) if (rst) begin m[0] <= 0; m[1] <= 1; m[2] <= 2; m[3] <= 3; end else m[i] <= d;
  assign q = m[~i];
endmodule
END
runs 0 "$lockstack" new table4 --from src/table.sv
runs 0 "$lockstack" check table4 --dut netlist --against rtl --cycles 2000
matches "$out" 'table.sv:3: an unpacked array of structs, of which Yosys keeps one element' 'why Yosys has another text'

# ---- a model in Python
mkdir py && runs 0 "$lockstack" new py/flat --python --from src/flat.sv
cat >py/flat/flat.py <<'END'
class State:
    pass


def outputs(state, inputs, out):
    out.q = inputs.d[inputs.i - 1] if inputs.i else 0
    out.all = inputs.d[0] | inputs.d[1] << 7 | inputs.d[2] << 14


def step(state, inputs):
    pass
END
runs 0 "$lockstack" check py/flat --cycles 500
