# SPDX-License-Identifier: Apache-2.0
#
# What tools warn of and simulate all the same: widths, undriven nets, images that are too short,
# buses, full cases, latches, levels and `final` blocks are counted and listed, --strict refuses
# them; a reset of another kind than the port file's, logic in a circle, bits with several drivers,
# what the RTL itself says is an error, outputs that depend on the clock's level, two modules of
# one name, dropped tri-state drivers, images that do not fit and missing ones are errors. No
# comment hides an error.
# timeout: 900
# shellcheck disable=SC2016
source "$(dirname "$0")/../lib.sh"

# shellcheck source=tests/system/register_block.sh
. "$source/tests/system/register_block.sh"

# Counted and listed; by none of them on a clean block
block widths "  wire [3:0] low = a_i; wire idle;
$register {4'b0, low} + {7'b0, idle};" 'in->a & 15'
runs 0 "$lockstack" check ./widths --no-wave --cycles 200 --seed 2 --profile random --json w.json # all begins with 0
matches "$(tail -n 1 <<<"$out")" '^PASS widths: .*, 1 width warning, 1 undriven net, .* seed 2' \
  'what is counted in the summary'
matches "$out" "warning +WIDTH $here/widths/widths.sv:2:18: " 'where the width is'
matches "$out" "warning +UNDRIVEN $here/widths/widths.sv:2:30: Signal is not driven: 'idle'" 'where the net is'
matches "$(json w.json warnings.0)" '^WIDTH .*widths.sv:2:18: ' 'the same as JSON'
refuses 2 "^lockstack: $here/widths/widths.sv:2:18: .*\(and 1 more warnings; without --strict they are listed\)$" \
  "$lockstack" check ./widths --no-wave --strict
runs 1 "$lockstack" check ./widths --no-wave --cycles 200
matches "$out" 'power-up +decides' 'what nothing drives is anything'
runs 1 "$lockstack" check ./widths --no-wave --cycles 200 --dut icarus
matches "$out" 'DIVERGED widths: .*, 1 width warning, 1 undriven net' 'on a device where what nothing drives is X'
block public "  wire idle /* verilator public_flat_rw */;
$register a_i + {7'b0, idle};" 'in->a'
refuses 2 "public.sv:2:8: Signal is not driven: 'idle'" "$lockstack" check ./public --no-wave --strict
block clean "$register a_i;" 'in->a'
runs 0 "$lockstack" check ./clean --no-wave --cycles 200 --strict
matches "$out" '^PASS clean: [^w]* seed 1$' 'a clean block'

# What a launcher or a library writes beside Verilator's own lines is no answer of it, and about no
# RTL
mkdir noisy
{
  printf '#!/bin/sh\ncat >&2 <<END\n\nperl: warning: Setting locale failed.\n%s\n' '%Warning'
  printf '%s\n' '%Warning-WIDTH:' '%Warning-WIDTH:7' '%Warning-USERERROR: ' '%Warning-MODDUP: x' END \
    "exec $(command -v verilator) \"\$@\""
} >noisy/verilator && chmod +x noisy/verilator
runs 0 env PATH="$here/noisy:$PATH" "$lockstack" check ./clean --no-wave --cycles 200 --strict
matches "$out" '^PASS clean: [^w]* seed 1$' 'a clean block, and a launcher that says more'

# A vector that feeds other bits of its own is no loop, and neither is a memory whose words are
# addresses, or a stage that masks its own bit with a constant; a bit that depends on itself is one
block ripple "  logic [7:0] m [0:3]; wire [7:0] x = m[a_i[1:0]], y = m[x[1:0]]; always @(posedge clk) if (en_i) m[y[1:0]] <= m[x[3:2]] + y;
  wire [8:0] c; assign c[0] = en_i; for (genvar i = 0; i < 8; i++) assign c[i+1] = c[i] & a_i[i];
  wire [3:0] g; for (genvar i = 0; i < 4; i++) assign g[i] = a_i[i] && !(g & ({4{1'b1}} >> (4 - i)));
$register c[8:1] | (g & ~a_i[3:0]) | (y & {8{1'b0}});" '(in->a & ~(in->a + 1)) | (in->a == 255 ? 255 : 0)'
runs 0 "$lockstack" check ./ripple --no-wave --cycles 500
block circle "  wire p, q; assign p = a_i[0] & q; assign q = p | a_i[1];
$register {7'b0, q};" 'in->a & 1'
refuses 2 "^lockstack: $here/circle/circle.sv:2:[0-9]*: combinational loop through 'circle.[pq]': a bit depends on itself" "$lockstack" check ./circle --no-wave

sed 's|  wire p, q;|  /* verilator lint_off UNOPTFLAT */ wire p, q;|' circle/circle.sv >circle/hidden.sv &&
  mv circle/hidden.sv circle/circle.sv
refuses 2 "circle.sv:2:[0-9]*: combinational loop through 'circle.[pq]'" "$lockstack" check ./circle --no-wave

block lookup "  logic [7:0] m [0:255]; wire [7:0] x = m[x]; always @(posedge clk) if (en_i) m[a_i] <= a_i;
$register x;" '0'
refuses 2 "lookup.sv:2:[0-9]*: combinational loop through 'lookup.x': a bit depends on itself" "$lockstack" check \
  ./lookup --no-wave

# Where Yosys cannot say, the verdict says that nobody knows, and what Verilator suspects is listed
mkdir bin && ln -s /usr/bin/* bin/ && rm bin/yosys
without_yosys() { PATH=$here/bin "$@"; }
runs 0 without_yosys "$lockstack" check ./ripple --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" '^PASS ripple: .*, drivers and loops unknown, ' 'a check without Yosys'
matches "$out" "warning +UNKNOWN $here/ripple/ripple.sv:3:.*Circular combinational logic" 'what Verilator suspects'
refuses 2 'ripple.sv: not known whether bits have several drivers' without_yosys "$lockstack" check ./ripple \
  --no-wave --strict

# Several drivers of a bit, which Verilator and Yosys merge: two assignments, outputs of two
# instances, two always blocks; on each verb
block assigned "  wire [7:0] w; assign w = a_i; assign w = {8{en_i}};
$register w;" 'in->a'
block joined "  wire [7:0] w; joined_part u (a_i, w), v (~a_i, w);
$register w;" 'in->a'
printf 'module joined_part(input wire [7:0] a, output wire [7:0] y); assign y = a; endmodule\n' >joined/joined_part.v
block written "  logic [7:0] r; assign q_o = r; /* verilator lint_off MULTIDRIVEN */
  always @(posedge clk) if (rst) r <= 0;
  always @(posedge clk) if (en_i) r <= a_i;" 'in->a'
several="' has several drivers .assignments, always blocks, outputs of instances.; one for each bit would be right$"
for dut in rtl cxxrtl; do
  refuses 2 "assigned.sv:2:14: 'w\[0\]$several" "$lockstack" check ./assigned --no-wave --dut $dut
done
refuses 2 "joined.sv:2:14: 'w\[0\]$several" "$lockstack" check ./joined --no-wave
# Words of an array, which Yosys merges before anybody sees them; parts of a word are no conflict
block sorted "  logic [7:0] t [0:1]; assign t[0][3:0] = a_i[3:0]; assign t[0][7:4] = a_i[7:4]; assign t[1] = t[0];
$register t[1];" 'in->a'
runs 0 "$lockstack" check ./sorted --no-wave --cycles 200 --strict
sed -i 's/assign t.1. = t/assign t[1] = 0; &/' sorted/sorted.sv
for verb in check area; do refuses 2 "sorted.sv:2:15: 't.0.', or another word .*, has several drivers" "$lockstack" \
  $verb ./sorted; done
# Verilator 5.032 says nothing of instances' outputs, so that nobody knows
if grep -q MULTIDRIVEN <<<"$(verilator --lint-only -Wwarn-MULTIDRIVEN -Wno-fatal --top-module joined joined/joined.sv \
  joined/joined_part.v 2>&1)"; then
  refuses 2 "joined.sv:2:14: .*multiple combinational drivers; one for each bit would be right" without_yosys \
    "$lockstack" check ./joined --no-wave
else
  runs 0 without_yosys "$lockstack" check ./joined --no-wave --cycles 200
  matches "$(tail -n 1 <<<"$out")" ', drivers and loops unknown, ' 'without Yosys, and Verilator silent'
fi
refuses 2 "written.sv:2:15: 'r\[0\]$several" "$lockstack" check ./written --no-wave
for verb in area mutate cover faults power; do
  refuses 2 "written.sv:2:15: 'r\[0\]$several" "$lockstack" $verb ./written
done
printf 'module written_proof(input wire clk, input wire rst, input wire en_i, input wire [7:0] a_i);\n  logic [7:0] q;\n' >written/written_proof.sv
printf '  written u_dut (.clk, .rst, .en_i, .a_i, .q_o (q));\n  always_comb held: assert (q == q);\n  always_comb full: cover (q == 255);\nendmodule\n' \
  >>written/written_proof.sv
printf 'params\nproperty held pdr\ncover full 4\nbroken none held written.sv\n- q_o = r\n+ q_o = ~r\n' \
  >written/written.prove
refuses 2 "written.sv:2:15: 'r\[0\]$several" "$lockstack" prove ./written
# The same of constants, which are no counters that loops share
block modes "  logic m; always_comb m = 1; always_comb m = 0;
$register m ? a_i : ~a_i;" 'in->a'
for verb in check area; do refuses 2 "modes.sv:2:9: 'm$several" "$lockstack" $verb ./modes; done
block counter "  integer i; logic [7:0] b, c, d; always_comb for (i = 0; i < 8; i = i + 1) b[i] = a_i[7 - i];
  always_comb for (i = 0; i < 8; i = i + 1) if (b[i]) c[7 - i] = 1; else c[7 - i] = 0;
  always_ff @(posedge clk) if (en_i) for (i = 0; i < 8; i = i + 1) d[i] <= b[i];
$register c ^ (d & ~d);" 'in->a'
runs 0 "$lockstack" check ./counter --no-wave --cycles 200 --strict
# A circle of names alone, and one whose value is not used
block names "  wire [7:0] x, y; assign x = y; assign y = x;
$register a_i + x;" 'in->a'
refuses 2 "names.sv:2:[0-9]*: combinational loop through '[xy]': a bit depends on itself" "$lockstack" check ./names \
  --no-wave
block unused "  wire [7:0] x, y; assign x = y & 15; assign y = x;
$register a_i + (x & 8'd0);" 'in->a'
# some Yosys (0.52) drop what makes the value
refuses 2 "unused.sv(:2:[0-9]*)?: combinational loop through '(unused.)?[xy]': a bit depends on itself" "$lockstack" check \
  ./unused --no-wave
block constant "  wire [7:0] w; assign w = 0; assign w = 5;
$register a_i ^ w;" 'in->a ^ 5'
block held "  logic [7:0] r; assign r = 0; always @(posedge clk) if (en_i) r <= a_i;
$register r;" '0'
refuses 2 "constant.sv:2:14: 'w\[0\]$several" "$lockstack" check ./constant --no-wave
for verb in check area; do refuses 2 "held.sv:2:15: 'r\[0\]$several" "$lockstack" $verb ./held; done
block apart "  wire [7:0] one = 1; logic [7:0] first = 4; logic [7:0] p; logic [3:0] m [0:1]; wire [7:0] v; assign v[3:0] = a_i[3:0]; assign v[7:4] = a_i[7:4];
  for (genvar i = 0; i < 4; i++) always @(posedge clk) if (rst) p[i] <= 0; else if (en_i) p[i] <= v[i];
  always @(posedge clk) for (int i = 4; i < 8; i++) if (rst) p[i] <= 0; else if (en_i) p[i] <= v[i];
  always @(posedge clk) if (en_i) m[0] <= a_i[3:0];
  always @(posedge clk) if (en_i) m[a_i[0]] <= a_i[7:4];
  integer k; logic [7:0] x, y; always @(posedge clk) if (en_i) for (k = 0; k < 8; k++) x[k] <= a_i[k];
  always @(posedge clk) for (k = 0; k < 8; k++) y[k] <= a_i[k];
  always @(posedge clk) for (k = 0; k < 8; k++) first[k] <= x[k];
  logic [7:0] u; always_comb unique case (a_i[1:0]) 0: u = 1; 1: u = 2; default: u = 4; endcase
  assign q_o = p ^ ((x ^ y ^ u ^ first ^ one) & 8'd0);" 'in->a'
runs 0 "$lockstack" check ./apart --no-wave --cycles 200 --strict

# What the RTL says is an error when it is elaborated, whatever a comment says; of other parameters
# it is none
block fatal "  /* verilator lint_off USERFATAL */ if (\$bits(a_i) > 4) begin : g_wide
    \$fatal(1, \"a_i has %0d bits\", \$bits(a_i)); end
$register a_i;" 'in->a'
for verb in check area cover; do refuses 2 'fatal.sv:3:5: a_i has 8 bits .\$fatal of the RTL' "$lockstack" $verb \
  ./fatal; done
sed -i 's/> 4/> 8/' fatal/fatal.sv
runs 0 "$lockstack" check ./fatal --no-wave --cycles 200

# Two modules of one name: which one is taken depends on the tool
block twice "  wire [7:0] w; part u (a_i, w);
$register w;" 'in->a'
printf 'module part(input wire [7:0] a, output wire [7:0] y); assign y = a; endmodule\n' | tee twice/1.v |
  sed 's/= a/= ~a/' >twice/2.v
printf 'files: [1.v, 2.v, twice.sv]\n' >twice/twice.yaml
for verb in check area; do
  refuses 2 "twice/2.v:1:8: module 'part' is also in $here/twice/1.v:1:8; one of this name" "$lockstack" $verb ./twice
done
printf 'files: [1.v, twice.sv]\n' >twice/twice.yaml
runs 0 "$lockstack" check ./twice --no-wave --cycles 200

# Inputs of instances that are left open, words of arrays that nothing drives; outputs may be
block open "  wire y; open_part u (.x (a_i), .y (y)), v (.x (a_i), .z (en_i));
  wire [3:0] w [0:3]; assign w[0] = 1; assign w[1] = a_i[3:0]; assign w[2] = 2;
$register a_i & {8{~y | w[a_i[1:0]][0] | 1'b1}};" 'in->a'
printf 'module open_part(input wire [7:0] x, input wire z, output wire y); assign y = z & x[0]; endmodule\n' \
  >open/open_part.v
runs 0 "$lockstack" check ./open --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" ', 2 undriven nets, ' 'an open input and a word that nothing drives'
matches "$out" "UNDRIVEN $here/open/open.sv:2:21: Cell has missing pin: 'z'" 'where the open input is'
matches "$out" "UNDRIVEN $here/open/open.sv:3:14: Word of an array is not driven: 'w\[3\]'" 'where the word is'

# The reset's kind, both ways, on each device that reads the RTL
block edges "  always_ff @(posedge clk or posedge rst) if (rst) q_o <= 0; else if (en_i) q_o <= a_i;" 'in->a' sync
block levels "$register a_i;" 'in->a' async
for dut in rtl icarus netlist cxxrtl; do
  refuses 2 "edges.ports:3: RESET\(rst, ..., sync\): the RTL's registers wait for its edge; async would be right" \
    "$lockstack" check ./edges --no-wave --dut $dut
  refuses 2 "levels.ports:3: RESET\(rst, ..., async\): .*clock's edge alone; sync would be right" "$lockstack" check \
    ./levels --no-wave --dut $dut
done
sed -i 's/sync/async/' edges/edges.ports
runs 0 "$lockstack" check ./edges --no-wave --cycles 200

# The same of a reset that logic makes
block inverted "  wire rn = ~rst; always_ff @(posedge clk or negedge rn) if (!rn) q_o <= 0; else if (en_i) q_o <= a_i;" 'in->a' sync
for dut in rtl icarus; do
  refuses 2 "inverted.ports:3: RESET\(rst, ..., sync\): the RTL's registers wait for its edge" "$lockstack" check \
    ./inverted --no-wave --dut $dut
done
sed -i 's/sync/async/' inverted/inverted.ports
runs 0 "$lockstack" check ./inverted --no-wave --cycles 200

# One register of another kind than the others; data registers have none. A delay takes no time,
# without X.yaml, too
others='  always_ff @(posedge clk or posedge rst) if (rst) q_o <= 0; else if (en_i) q_o <= a_i ^ (r & '
block kinds "  logic [7:0] r; always_ff @(posedge clk) if (rst) r <= 0; else r <= r & a_i;
$others 8'd1);" 'in->a' async
runs 0 "$lockstack" check ./kinds --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" '^PASS kinds: .*, 1 register of another kind of reset, ' \
  'a register that looks at the reset at the clock edge'
matches "$out" "warning +RESET $here/kinds/kinds.sv:2:18: this register looks at the reset at the clock's edge alone" \
  'which register'
block levels2 "  logic [7:0] r; always_ff @(posedge clk or negedge rst) if (!rst) r <= 0; else r <= a_i;
$others 8'd1);" 'in->a' async
refuses 2 "levels2.sv:2:18: this register is in reset while rst is low; .*levels2.ports:3: RESET\(rst, high, async\)" \
  "$lockstack" check ./levels2 --no-wave
block data "  logic [7:0] r; always_ff @(posedge clk) begin if (!rst) r <= #1 a_i; end
$others 8'd0);" 'in->a' async
runs 0 "$lockstack" check ./data --no-wave --cycles 200 --strict

# What synthesis takes for granted of a case: by an attribute, about which Verilator asserts
# nothing, or by a comment; `unique` is asserted
block cases "  logic [7:0] x, y; always_comb begin (* full_case *) case (a_i[0]) 0: x = 1; 1: x = 2; endcase end
  always_comb unique case (a_i[0]) 0: y = 1; 1: y = 2; endcase
$register x & y;" '(in->a & 1) + 1'
runs 0 "$lockstack" check ./cases --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" '^PASS cases: .*, 1 full_case or parallel_case, ' 'what synthesis takes for granted'
matches "$out" "warning +CASE $here/cases/cases.sv:2:[0-9]*: full_case: synthesis takes it for granted, simulation does not" 'which case'
block comment "  logic [7:0] x; always_comb case (a_i[0]) /* synopsys full_case */ 0: x = 1; 1: x = 2; endcase
$register x;" '(in->a & 1) + 1'
refuses 2 "comment.sv:2:[0-9]*: full_case: synthesis takes it for granted" "$lockstack" check ./comment \
  --no-wave --strict

# A division by 0, which ends on each device
block quotient "  always_ff @(posedge clk) if (rst) q_o <= 0; else q_o <= a_i / {7'b0, en_i} + a_i % {7'b0, en_i};" '0'
sed -i 's/if (in->en) .*; }/s->q = in->en ? in->a : 0; }/' quotient/quotient.c
for dut in rtl cxxrtl; do runs 0 timeout -k 1 100 "$lockstack" check ./quotient --no-wave --cycles 200 --dut $dut; done

# Shifts, of which cxxrtl.h leaves bits above the width and loses the sign beyond it
block shifts "  logic [4:0] bits; wire signed [7:0] s = a_i, right = s >>> a_i[6:2]; wire [2:0] k = {en_i, a_i[1:0]} - 3'd1;
  always_comb begin bits = a_i[4:0]; bits[a_i[2:0]] = en_i; end
$register (a_i << k) ^ {7'b0, (a_i << a_i[2:0]) == 8'd0} ^ right ^ {3'b0, bits};" \
  '(in->a << (3 + (in->a & 3))) ^ ((in->a << (in->a & 7) & 255) == 0) ^
  (uint64_t)((int8_t)in->a >> (in->a >> 2 & 31)) ^ ((in->a & 31) | ((in->a & 7) < 5 ? 1u << (in->a & 7) : 0))'
for dut in rtl cxxrtl; do runs 0 "$lockstack" check ./shifts --no-wave --cycles 500 --dut $dut; done

# Assertions of `final` blocks, which no device runs
block last "$register a_i;
\`ifdef VERILATOR
  final begin assert (q_o == 0) else \$fatal(1, \"not 0\"); end
\`endif" 'in->a'
runs 0 "$lockstack" check ./last --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" '^PASS last: .*, 1 final block not run, ' 'a final block'
refuses 2 "$here/last/last.sv:4: this assertion is of a final block, which no device runs" "$lockstack" check ./last \
  --no-wave --strict --dut cxxrtl

# Outputs that depend on the clock's level, through logic or latches; one bit beside the clock in a
# vector does not
block doubled "  logic [7:0] t; always_ff @(posedge clk) if (rst) t <= 0; else if (en_i) t <= a_i;
  assign q_o = clk ? ~t : t;" 'in->a'
block opened "  logic [7:0] t; always_ff @(posedge clk) if (rst) t <= 0; else if (en_i) t <= a_i;
  always_latch if (clk) q_o = t;" 'in->a'
for dut in rtl cxxrtl; do
  refuses 2 "doubled.sv:1:[0-9]*: output q_o depends on the clock's level" "$lockstack" check ./doubled \
    --no-wave --dut $dut
  refuses 2 "opened.sv:1:[0-9]*: output q_o depends on the clock's level" "$lockstack" check ./opened \
    --no-wave --dut $dut
done

# A latch that opens when registers take what it shows; one that is open while the clock is low, or
# that another input opens, is none
block latches "  logic [7:0] t, u, v; always_latch if (clk & en_i) t = a_i;
  always_latch if (!clk) u = a_i; always_latch if (en_i) v = a_i;
$register u | (t & v & ~v);" 'in->a'
runs 0 "$lockstack" check ./latches --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" "^PASS latches: .*, 1 latch that opens at the clock's edge, " \
  'a latch that opens at the edge'
matches "$out" "warning +LATCH $here/latches/latches.sv:2:15: latch 't' opens at the edge" 'which latch'
# The clock as data of a register, through logic too; a clock gate is none
block sampled "  wire [7:0] m = clk ? a_i : 8'd0; logic on; always_latch if (!clk) on = en_i; wire gated = clk & on;
  logic [7:0] s; always_ff @(posedge gated) s <= a_i;
$register m;" 'in->a'
runs 0 "$lockstack" check ./sampled --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" "^PASS sampled: .*, 1 register that takes the clock's level, " \
  'a register that takes the clock'
refuses 2 "sampled.sv:1:[0-9]*: register 'q_o' takes the clock's level" "$lockstack" check ./sampled --no-wave --strict

# A clock's falling edge, or a clock that logic makes, comes together with the inputs: Verilator's
# device takes the inputs first
block falling "  logic [7:0] h; always @(negedge clk) if (en_i) h <= a_i;
$register h;" 'in->a'
block gated "  wire c = clk & en_i; always_ff @(posedge c or posedge rst) if (rst) q_o <= 0; else q_o <= a_i;" 'in->a' \
  async
block turned "  logic [7:0] r; wire [8:0] v = {~clk, r}; wire n = v[8]; assign q_o = v[7:0];
  always_ff @(negedge n) if (rst) r <= 0; else if (en_i) r <= a_i;" 'in->a'
runs 0 "$lockstack" check ./falling --no-wave --cycles 200
runs 0 "$lockstack" check ./gated --no-wave --cycles 200
refuses 2 'falling.sv:2:18: this register waits for the falling edge of the clock, which device icarus does not' \
  "$lockstack" check ./falling --no-wave --dut icarus
refuses 2 'gated.sv:2:[0-9]*: the clock of this register is made by logic, which device cxxrtl does not' "$lockstack" \
  check ./gated --no-wave --dut cxxrtl
refuses 2 'falling.sv:2:18: .*, which mutants do not' "$lockstack" mutate ./falling
runs 0 "$lockstack" check ./turned --no-wave --cycles 200 --dut cxxrtl

# Drivers that Yosys drops
block bus "  wire [7:0] b = en_i ? a_i : 8'hzz; assign b = en_i ? 8'hzz : 8'h55;
$register b;" 'in->a'
runs 0 "$lockstack" check ./bus --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" '^PASS bus: .*, 1 net with several tri-state drivers, ' 'a bus'
refuses 2 "bus.sv:2:14: 'b' has several tri-state drivers: two-state devices OR those that are on at once" \
  "$lockstack" check ./bus --no-wave --strict
for dut in netlist cxxrtl; do
  refuses 2 "bus.sv:2:14: 'b': tri-state logic, which Yosys drops: devices rtl and icarus have it" "$lockstack" check ./bus \
    --no-wave --dut $dut
done

refuses 2 "bus.sv:2:14: 'b': tri-state logic, which Yosys drops" "$lockstack" area ./bus
refuses 2 "bus.sv:2:14: 'b': tri-state logic, which Yosys drops" "$lockstack" mutate ./bus --count 3

# An image is looked for beside the source that names it, wherever the command runs; a missing one
# is an error
block rom "  logic [7:0] m [0:3]; initial \$readmemh(\"table.hex\", m);
$register m[a_i[1:0]];" '"\2\3\5\7"[in->a & 3]'
printf '02\n03\n05\n07\n' >rom/table.hex
mkdir elsewhere
in_elsewhere() { (cd elsewhere && "$@"); }
printf 'ff\nff\nff\nff\n' >elsewhere/table.hex
for dut in rtl icarus netlist cxxrtl; do
  runs 0 in_elsewhere "$lockstack" check ../rom --no-wave --cycles 200 --dut $dut
done
mv rom/table.hex rom/tables.hex && rm elsewhere/table.hex
for dut in rtl icarus netlist cxxrtl; do
  refuses 2 'table.hex' "$lockstack" check ./rom --no-wave --dut $dut
done

# An image that does not fit its memory; a file of that name in the working folder is none of the
# RTL's
image() { # image TEXT REGEX: refused on each device
  printf '%b' "$1" >rom/table.hex
  for dut in rtl icarus netlist cxxrtl; do refuses 2 "$2" "$lockstack" check ./rom --no-wave --dut $dut; done
}
image '102\n03\n05\n07\n' "rom/table.hex:1: '102' is wider than the 8 bits of a word of the memory"
refuses 2 "rom/table.hex:1: '102' is wider than the 8 bits of a word" "$lockstack" area ./rom
printf 'module rom_proof(input wire clk, input wire rst, input wire en_i, input wire [7:0] a_i);\n  logic [7:0] q;\n' \
  >rom/rom_proof.sv
tail -n +3 written/written_proof.sv | sed 's/written/rom/' >>rom/rom_proof.sv
sed 's/written/rom/; s/- q_o = r/- q_o <= 0/; s/+ q_o = ~r/+ q_o <= 1/' written/written.prove >rom/rom.prove
refuses 2 "rom/table.hex:1: '102' is wider than the 8 bits of a word" "$lockstack" prove ./rom
image '02\n03\n05 // 5\n07\n09\n' "rom/table.hex:5: '09' is for address 4; the addresses to read are 0 to 3"
image '02\n0g\n05\n07\n' "rom/table.hex:2: 'g' is no hexadecimal digit"
printf '@1 03\n05 /* 5 */ 07 @0 0_2' >rom/table.hex
runs 0 "$lockstack" check ./rom --no-wave --cycles 200 --strict
printf '02\n03\n05\n' >rom/table.hex
refuses 2 "table.hex: 3 of 4 words" "$lockstack" check ./rom --no-wave --strict
runs 1 "$lockstack" check ./rom --no-wave --cycles 200
matches "$(tail -n 1 <<<"$out")" ', 1 partial image, ' 'an image of fewer words than the memory'
mv rom/table.hex .
for dut in rtl icarus netlist; do refuses 2 'table.hex' "$lockstack" check ./rom --no-wave --dut $dut; done
block reader "  integer f; initial f = \$fopen(\"a_table_of_words.txt\", \"r\");
$register a_i;" 'in->a'
for dut in rtl icarus; do refuses 2 'no file a_table_of_words.txt, which the RTL reads' "$lockstack" check ./reader \
  --no-wave --dut $dut; done
: >reader/a_table_of_words.txt
for dut in rtl icarus; do runs 0 "$lockstack" check ./reader --no-wave --cycles 200 --dut $dut; done
