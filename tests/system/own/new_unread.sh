# SPDX-License-Identifier: Apache-2.0
#
# new, where Yosys cannot read the RTL: clocks and asynchronous resets are
# those of Verilator's tree, through instances, and widths follow --set all the same.
# timeout: 600
source "$(dirname "$0")/../lib.sh"

# A parameterised type is nothing for Yosys; by their names there would be two clocks
cat >queue.sv <<'END'
module counter (input logic ck, input logic clear_n, input logic up, output logic [7:0] n);
  always_ff @(posedge ck or negedge clear_n) if (!clear_n) n <= '0; else if (up) n <= n + 8'd1;
endmodule
module queue #(parameter int unsigned DEPTH = 16, parameter int unsigned ADDR = DEPTH > 1 ? unsigned'($clog2(DEPTH)) : 32'd1,
               parameter type word_t = logic [7:0]) (
  input logic tick, input logic clk_enable, input logic zero_n, input logic [ADDR-1:0] at, output logic [ADDR:0] next, output logic [7:0] n);
  wire off = zero_n;
  word_t count;
  counter c (.ck(tick), .clear_n(off), .up(clk_enable), .n(count));
  assign n = count;
  always_ff @(posedge tick or negedge off) if (!off) next <= '0; else next <= (ADDR+1)'(at) + 1'b1;
endmodule
END
runs 0 "$lockstack" new queue --from queue.sv
matches "$out" 'clock tick, reset zero_n \(low, async\)' 'clock and reset through an instance and an assignment'
ports=$(cat queue/queue.ports)
matches "$ports" 'IN\(at, DEPTH > 1 \? CLOG2\(DEPTH\) : 1, always\)' 'a width by a parameter that is made of another'
matches "$ports" 'OUT\(next, \(DEPTH > 1 \? CLOG2\(DEPTH\) : 1\) \+ 1, always\)' 'and one more'
equal "$(grep -c '^PARAM(ADDR' queue/queue.ports)" 0 'a parameter made of another is no PARAM'
for depth in 1 64; do
  runs 1 "$lockstack" check ./queue --set DEPTH=$depth --no-wave --cycles 100
  matches "$out" 'MODEL_ASSERT' "the block is built with DEPTH=$depth"
done

# A width by a function of the module's own
cat >table.v <<'END'
module table_of #(parameter DEPTH = 16, parameter ADDR = log2(DEPTH)) (
  input clk, input rst, input [ADDR-1:0] at, output reg [ADDR:0] next);
  function integer log2(input integer n); begin log2 = 0; while ((1 << log2) < n) log2 = log2 + 1; end endfunction
  always @(posedge clk) if (rst) next <= 0; else next <= at + 1;
endmodule
END
runs 0 "$lockstack" new table_of --from table.v
matches "$(cat table_of/table_of.ports)" 'IN\(at, CLOG2\(DEPTH\), always\)' 'a width by a function'
runs 1 "$lockstack" check ./table_of --set DEPTH=64 --no-wave --cycles 100
matches "$out" 'MODEL_ASSERT' 'the block is built with another DEPTH'

# Yosys would unroll this loop for minutes; what it fills is no clock, reset, driver or loop
cat >words.v <<'END'
module words (input clk, input rst, input we, input [14:0] a, input [31:0] d, output reg [31:0] q);
  reg [31:0] m [0:32767];
  integer i;
  initial for (i = 0; i < 32768; i = i + 1) m[i] = 0;
  always @(posedge clk) begin
    if (we) m[a] <= d;
    if (rst) q <= 0; else q <= m[a];
  end
endmodule
END
runs 0 "$lockstack" new words --from words.v
matches "$out" 'clock clk, reset rst \(high, sync\), outputs moore' 'a memory that a loop fills'

# TERM ends the tool that new waits for, and nothing is left
rm -r table_of
mkdir bin
printf '#!/bin/sh\necho $$ >%s/pid\nexec sleep 300\n' "$PWD" >bin/yosys
chmod +x bin/yosys
PATH=$PWD/bin:$PATH "$lockstack" new table_of --from table.v >ended.out 2>ended.err &
new=$!
until [ -s pid ] || ! kill -0 $new 2>/dev/null; do sleep 0.05; done
kill -TERM $new
wait $new
equal $? 3 'the exit status of new after TERM'
matches "$(cat ended.err)" 'interrupted' 'what it says'
checks=$((checks + 1))
! kill -0 "$(cat pid)" 2>/dev/null || wrong 'Yosys runs on after TERM'
equal "$(find . -maxdepth 1 -name '*table_of*')" '' 'what is left of it'
