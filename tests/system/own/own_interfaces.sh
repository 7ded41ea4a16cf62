#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ports that are interfaces: a slave on a bus with an array of two streams, that every device and verb takes. Signals have
# the names that the RTL has, and nothing that is made of the ports shows anywhere.
# timeout: 1200
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

cp -r "$source/tests/foreign/bus_regs/rtl" bus_regs.rtl
seen='' # all that verbs said
keep() { seen+=$out$'\n'$err$'\n'; }

# ---- what `new` makes of modports
runs 0 "$lockstack" new bus_regs --from bus_regs.rtl/bus_regs.sv
keep
matches "$out" 'clock clk, reset rst_n \(low, async\), outputs mealy' 'registers, seen through the interfaces'
for line in 'LABEL(bus_op_e, BUS_CLEAR, 3)' 'FIELD(bus_in_t, op, bus_op_e, always)' 'FIELD(bus_in_t, addr, bus_AddrWidth, always)' \
  'FIELD(bus_out_t, rdata, DataWidth, always)' 'IN_S(bus, bus_in_t, always)' 'OUT_S(bus, bus_out_t, always)' \
  'OUT_S(lane_1, lane_out_t, always)'; do
  grep -qxF "$line" bus_regs/bus_regs.ports || wrong "no line $line in $(cat bus_regs/bus_regs.ports)"
done
grep -q 'fire\|went' bus_regs/bus_regs.ports && wrong 'what the interface drives itself comes from outside'
runs 1 "$lockstack" check bus_regs --no-wave --cycles 1000 --json c.json
equal "$(json c.json outcome)" MODEL_ASSERT 'the model that is to be written'
keep
cp "$source"/tests/foreign/bus_regs/block/* bus_regs

# ---- every device and verb
for dut in rtl netlist cxxrtl icarus emitted; do
  runs 0 "$lockstack" check bus_regs --cycles 4000 --dut $dut
  [[ $out != *'drivers and loops unknown'* ]] || wrong "$dut: drivers are not judged"
  keep
done
runs 0 "$lockstack" check bus_regs --cycles 4000 --set DataWidth=33 --set bus_AddrWidth=5
runs 0 "$lockstack" prove bus_regs
keep
runs 0 "$lockstack" mutate bus_regs --set DataWidth=2 --count 20 --json m.json
equal "$(json m.json survived)" 0 'mutants'
keep && seen+=$(cat m.json)
runs 1 "$lockstack" cover bus_regs --json cover.json # lane 0 has words whose lowest bit is 0
matches "$out" 'word_if.sv:10  lane\[0\].data\[0\]  never changed' 'a bit of an interface, by its name'
matches "$out" 'functional +10 +10 ' 'labels of bus.op, valid bits, and a point of its own'
keep && seen+=$(cat cover.json)
runs 0 "$lockstack" faults bus_regs --count 60 --jobs 1
matches "$out" ' regs \(3 x 8\) .* u_lanes.full .* u_lanes.gen_lane\[0\].held ' 'registers'
keep
for verb in area power; do runs 0 "$lockstack" $verb bus_regs && keep; done

# ---- what is wrong is told by the interface and its signal
mkdir changed
fault() { # fault FILE EDIT REGEX: what the report says
  rm -f changed/* && sed "$2" "bus_regs.rtl/$1" >"changed/$1"
  cmp -s "changed/$1" "bus_regs.rtl/$1" && wrong "$2 changes nothing"
  runs 1 "$lockstack" check bus_regs --rtl changed --seed 2 --wave w.vcd --json d.json # power-up is 0
  matches "$out" "$3" "$2"
  keep
}
fault bus_lanes.sv 's/lane\[k\].valid = full\[k\]/lane[k].valid = full[0]/' 'output lane\[1\].valid \(1 bits\).    rtl    0x[01].    model  0x[01]'
fault bus_regs.sv 's/lanes ? DataWidth/!lanes ? DataWidth/' 'output bus.rdata \(8 bits\).*bus.valid=0x1 bus.op=BUS_[A-Z]+\(0x[0-3]\)'
replay=$(json d.json replay)
grep -q 'bus.op=.(BUS_' "$replay" || wrong "no label in $(cat "$replay")"
runs 1 "$lockstack" replay "$replay" && keep
matches "$out" 'DIVERGED as recorded' 'the replay'
equal "$(grep -c 'scope module \(rtl\|bus\|lane\[[01]\]\) ' w.vcd)" 7 'scopes of interfaces in the waveform'
grep -q 'scope interface bus ' w.vcd || wrong 'no scope of the interface in the RTL'
grep -qx 'rtl.bus.rdata\[7:0\]' w.gtkw || wrong "no bus.rdata in $(cat w.gtkw)"
seen+=$(cat w.vcd w.gtkw)

# ---- nothing that is made of the ports shows: no level of hierarchy, point, register or signal
for name in 'lockstack_bus_regs' 'bus\.in' 'bus\.out' 'lane\.[01]'; do
  found=$(grep -a "$name" <<<"$seen" | grep -av '^ *\(bus\|lane\)[.a-z0-9]*\[[0-9]*\]  *[0-9.]*  *[0-9.]* %' | head -3)
  equal "$found" '' "traces of $name"
done

# ---- an edit of the interface is seen
runs 0 "$lockstack" check bus_regs --cycles 1000 --dut icarus
sed -i 's/logic \[DataWidth-1:0\] wdata/logic [DataWidth:0] wdata/' bus_regs.rtl/bus_if.sv
for dut in icarus rtl; do
  refuses 2 'bus_regs.ports:[0-9]+: bus.[a-z]+ is bits [0-9]+ to [0-9]+ of bus.in here, and [0-9]+ to [0-9]+ in bus_if.sv:[0-9]+' \
    "$lockstack" check bus_regs --cycles 1000 --dut $dut
done

# ---- interfaces inside of a block, in generate blocks and as arrays, with logic of their own
mkdir src && cat >src/rings.sv <<'END'
interface ring_if #(parameter int W = 4) (input logic clk, input logic rst);
  logic [W-1:0] d, q;
  logic v;
  always_ff @(posedge clk) if (rst) q <= '0; else if (v) q <= d;
  wire any = |q;
  modport src (output d, v, input q, any);
endinterface
module leaf (ring_if.src p, input logic [3:0] x);
  assign p.d = x;
  assign p.v = ~p.any;
endmodule
module mid (ring_if.src p, ring_if r[2], input logic [3:0] x);
  leaf l (.p(p), .x(x));
  assign r[0].d = x;
  assign r[0].v = 1'b1;
  leaf l2 (.p(r[1]), .x(x));
endmodule
module rings (input logic clk, input logic rst, input logic [3:0] x, output logic [15:0] y);
  for (genvar g = 0; g < 2; g++) begin : g_b
    ring_if b (.clk(clk), .rst(rst));
    ring_if r[2] (.clk(clk), .rst(rst));
    if (g == 0) begin : g_in
      mid m (.p(b), .r(r), .x(x));
    end else begin : g_in
      mid m (.p(b.src), .r(r), .x(~x));
    end
    assign y[4*g +: 4] = b.q;
    assign y[8+4*g +: 4] = r[0].q ^ r[1].q ^ g_b[0].b.q;
  end
endmodule
END
runs 0 "$lockstack" new rings --from src/rings.sv
runs 0 "$lockstack" check rings --against emitted --cycles 4000
runs 0 "$lockstack" check rings --against netlist --cycles 4000

# ---- what cannot be taken is refused where it stands
cat >src/far_if.sv <<'END'
interface far_if #(parameter int N);
  logic [N-1:0] d;
  logic [7:0] words[N];
  wire w;
  function automatic logic f(); return d[0]; endfunction
  modport dst(input d);
  modport calls(import f, input d);
  modport both(inout w);
  modport many(input words);
endinterface
END
bad() { # bad REGEX PORT OPTION...
  printf 'module m (input logic clk, input logic rst,\n  %s,\n  output logic q);\n' "$2" >src/m.sv
  printf '  always_ff @(posedge clk) if (rst) q <= 0; else q <= ~q;\nendmodule\n' >>src/m.sv
  refuses 2 "$1" "$lockstack" new m --from src/m.sv "${@:3}"
  [ ! -e m ] || wrong "$2: something was made"
}
bad 'src/m.sv:2: port p is a generic interface, .* name one, as bus_if.slave does' 'interface p'
bad 'src/m.sv:2:[0-9]+: .*a modport says which of its signals are inputs: bus_if.slave s' 'far_if p'
bad 'src/m.sv:2: port far_if.sink of p has no such modport; the interface has dst, calls, both, many' 'far_if.sink p' --set p_N=2
bad 'src/far_if.sv:7: f of modport far_if.calls, of which p is a port, is a function or a task' 'far_if.calls p' --set p_N=2
bad 'src/far_if.sv:8: w of modport far_if.both, of which p is a port, is an inout' 'far_if.both p' --set p_N=2
bad 'src/far_if.sv:3: words, .*port p of m, is an unpacked array' 'far_if.many p' --set p_N=2
bad 'src/far_if.sv:1:[0-9]+: parameter p_N has no value; --set p_N=VALUE would be right' 'far_if.dst p'
bad 'm.sv:2: no file that is read has module lost_if' 'lost_if.dst p'
