# SPDX-License-Identifier: Apache-2.0
#
# Text that synthesis leaves out is part of a simulator's device: drivers, loops, resets and levels
# are judged there, too, and not of a netlist, which has none of it. Assertions and messages, which
# Yosys does not parse, hide nothing. What nobody judges is counted.
# timeout: 600
# shellcheck disable=SC2016,SC2154
source "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/register_block.sh
. "$source/tests/system/register_block.sh"
several="' has several drivers .assignments, always blocks, outputs of instances.; one for each bit would be right$"

# second NAME BEFORE AFTER: a second driver of a net between them; on the devices that follow it is
# an error
second() {
  block "$1" "  wire [7:0] w; assign w = 0;
$2
  assign w = a_i & 8'd1;
$3
  function automatic [7:0] least(input [7:0] a); least = 0; for (int i = 7; i >= 0; i--) if (a[i]) least = 8'(i); endfunction
  wire [7:0] f; assign f = least(a_i);
$register a_i + w + (f ^ least(a_i));" 'in->a'
  local name=$1 dut
  shift 3
  for dut; do refuses 2 "$name.sv:2:14: 'w\[0\]$several" "$lockstack" check "./$name" --no-wave --dut "$dut"; done
}
second switched '`ifndef SYNTHESIS' '`endif' rtl icarus
second pragmas '  // synopsys translate_off' '  // synopsys translate_on' rtl icarus
second between '  /* synthesis translate_off */' '  /* synthesis translate_on */' rtl icarus
second other '`ifdef YOSYS
`else' '`endif' rtl icarus
second one '`ifdef VERILATOR' '`endif' rtl
second lower '`ifdef verilator' '`endif' rtl
second itself '`ifdef __ICARUS__' '`endif' icarus
for name in switched pragmas between; do runs 0 "$lockstack" check ./$name --no-wave --cycles 200 --dut netlist \
  --strict; done
for dut in icarus netlist; do runs 0 "$lockstack" check ./one --no-wave --cycles 200 --dut $dut --strict; done

block boxed "  wire [7:0] w; boxed_part u (a_i, w);
$register a_i + w;" 'in->a'
printf '(* keep, blackbox *) module boxed_part(input wire [7:0] a, output wire [7:0] y); assign y = 0; assign y = a & 1; endmodule\n' >boxed/boxed_part.v
refuses 2 "boxed_part.v:1:.*: 'u.y\[0\]$several" "$lockstack" check ./boxed --no-wave

block circle "  wire [7:0] x, y; assign x = y & 8'd15;
  // pragma translate_off
  assign y = x;
  // pragma translate_on
$register a_i + x;" 'in->a'
refuses 2 "circle.sv:2:[0-9]*: combinational loop through '(circle\.)?[xy]'" "$lockstack" check ./circle --no-wave
block edges "  logic k = 0;
\`ifndef SYNTHESIS
  always_ff @(posedge clk or negedge rst) if (!rst) k <= 0; else k <= 1;
\`endif
$register a_i + {7'd0, k};" 'in->a + 1'
refuses 2 'edges.ports:3: RESET\(rst, ..., sync\): the RTL.s registers wait for its edge; async would be right' \
  "$lockstack" check ./edges --no-wave

# A name of another module's net
block through "  wire [7:0] w; through_part u (a_i, w); assign u.k = a_i;
$register w;" 'in->a'
printf 'module through_part(input wire [7:0] a, output wire [7:0] y); wire [7:0] k; assign y = a + k; assign k = 0; endmodule\n' >through/through_part.v
refuses 2 "'u.k\[0\]$several" "$lockstack" check ./through --no-wave
sed -i 's/assign k = 0;//; s/a + k/k/' through/through_part.v
runs 0 "$lockstack" check ./through --no-wave --cycles 200
matches "$out" "warning +UNKNOWN $here/through/through.sv:2: 'u.k' is a net of another module, of which one bit is judged" 'a net of another module'
matches "$(tail -n 1 <<<"$out")" ', drivers and loops unknown, ' 'its verdict'

# What `bind` adds
block bound "$register a_i;" 'in->a'
printf '%s\n' 'module bound_part(input wire clk, input wire [7:0] q); always @(posedge clk) if (q == 255) $display("full"); endmodule' \
  'bind bound bound_part u (clk, q_o);' >>bound/bound.sv
runs 0 "$lockstack" check ./bound --no-wave --cycles 200
matches "$out" "warning +UNKNOWN $here/bound/bound.sv:5: what this bind adds is not judged" 'a bind'
refuses 2 'what this bind adds is not judged' "$lockstack" check ./bound --no-wave --strict

# Assertions and messages of all kinds, in both texts: what is beside them is judged
assertions='  `define HOLDS(name, p) name: assert property (@(posedge clk) disable iff (rst) p) else $error("%m")
  property known; @(posedge clk) disable iff (rst) en_i |-> !$isunknown(a_i); endproperty : known
  k: assert property (known) else begin $error("a;%0d", a_i); end
  `HOLDS(h, en_i |=> 1);
  cover property (@(posedge clk) en_i && a_i == 3);
  always_ff @(posedge clk) if (!rst) begin
    assert (!(&a_i) || a_i[0]) else $error("no");
    if (&a_i && !a_i[0]) $fatal(1, "never; %d", (a_i));
  end
  initial begin if ($bits(a_i) != 8) begin $display("width"); $finish; end end'
for name in skipped beside; do
  [ $name = skipped ] && text="\`ifndef SYNTHESIS
$assertions
\`endif" || text=$assertions
  block $name "$text
$register a_i;" 'in->a'
  runs 0 "$lockstack" check ./$name --no-wave --cycles 500 --strict
  sed -i 's/^  always_ff @(posedge clk) if (rst) q_o/  wire w; assign w = en_i; assign w = a_i[0];\n&/' $name/$name.sv
  refuses 2 "$name.sv:[0-9]*:8: 'w$several" "$lockstack" check ./$name --no-wave
done

# One that assigns is not hidden, nor what a task or a macro assigns
for what in 'fails = fails + 1' 'count(1)' '`COUNT(1)'; do
  block counted "  int fails = 0; task count(input int n); fails = fails + n; endtask
\`define COUNT(n) fails = fails + n
\`ifndef SYNTHESIS
  always @(posedge clk) a: assert (!(&a_i) || a_i[0]) else $what;
\`endif
$register a_i;" 'in->a'
  runs 0 "$lockstack" check ./counted --no-wave --cycles 200 --strict
  sed -i 's/^  always_ff.*/  always @(posedge clk) fails = 0;\n&/' counted/counted.sv
  refuses 2 "counted.sv:2:7: 'fails.0.$several" "$lockstack" check ./counted --no-wave
done

# Of one that Yosys does not read the rest alone is judged
block unread "  int fails = 0;
\`ifndef SYNTHESIS
  assert property (@(posedge clk) !(&a_i) || a_i[0]) else fails = fails + 1;
\`endif
$register a_i;" 'in->a'
runs 0 "$lockstack" check ./unread --no-wave --cycles 200
matches "$out" "warning +UNKNOWN $here/unread/unread.sv: text that synthesis leaves out is not judged: Yosys says .*unread.sv:4: " 'what is not judged'
matches "$(tail -n 1 <<<"$out")" ', drivers and loops unknown, ' 'the verdict of the rest'
sed -i 's/^  int fails/  wire w; assign w = en_i; assign w = a_i[0];\n&/' unread/unread.sv
refuses 2 "unread.sv:2:8: 'w$several" "$lockstack" check ./unread --no-wave
