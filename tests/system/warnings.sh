# SPDX-License-Identifier: Apache-2.0
#
# What tools warn of and simulate all the same: widths and undriven nets are counted and listed, --strict refuses them; a reset of another
# kind than the port file's, logic in a circle, dropped tri-state drivers and missing memory images are errors.
# timeout: 600
# shellcheck disable=SC2016
source "$(dirname "$0")/lib.sh"

# block NAME MODULE-BODY MODEL-STEP: q is a register of 8 bits with a synchronous reset, y is wired.
block() {
  mkdir -p "$1"
  printf 'module %s(input logic clk, input logic rst, input logic en_i, input logic [7:0] a_i, output logic [7:0] q_o);\n%s\nendmodule\n' "$1" "$2" >"$1/$1.sv"
  printf 'KIND(moore)\nCLOCK(clk)\nRESET(rst, high, %s)\nIN(en, 1, always)\nIN(a, 8, en)\nOUT(q, 8, always)\n' "${4:-sync}" >"$1/$1.ports"
  cat >"$1/$1.h" <<END
#include "$1_ports.h"
typedef struct $1 { uint64_t q; } $1_t;
void $1_reset($1_t *s);
void $1_eval(const $1_t *s, const $1_in_t *in, $1_out_t *out);
void $1_step($1_t *s, const $1_in_t *in);
END
  cat >"$1/$1.c" <<END
#include "$1.h"
void $1_reset($1_t *s) { s->q = 0; }
void $1_eval(const $1_t *s, const $1_in_t *in, $1_out_t *out) { (void)in, out->q = s->q; }
void $1_step($1_t *s, const $1_in_t *in) { if (in->en) s->q = ($3) & 255; }
END
}
register='  always_ff @(posedge clk) if (rst) q_o <= 0; else if (en_i) q_o <='

# Counted and listed; by none of them on a clean block
block widths "  wire [3:0] low = a_i; wire idle;
$register {4'b0, low} + {7'b0, idle};" 'in->a & 15'
runs 0 "$lockstack" check ./widths --no-wave --cycles 200 --json w.json
matches "$(tail -n 1 <<<"$out")" '^PASS widths: .*, 1 width warning, 1 undriven net, .* seed 1' 'what is counted in the summary'
matches "$out" "warning +WIDTH $here/widths/widths.sv:2:18: " 'where the width is'
matches "$out" "warning +UNDRIVEN $here/widths/widths.sv:2:30: Signal is not driven: 'idle'" 'where the net is'
matches "$(json w.json warnings.0)" '^WIDTH .*widths.sv:2:18: ' 'the same as JSON'
refuses 2 "^lockstack: $here/widths/widths.sv:2:18: .*\(and 1 more warnings; without --strict they are listed\)$" "$lockstack" check ./widths --no-wave --strict
runs 1 "$lockstack" check ./widths --no-wave --cycles 200 --dut icarus
matches "$out" 'DIVERGED widths: .*, 1 width warning, 1 undriven net' 'on a device where what nothing drives is X'
block clean "$register a_i;" 'in->a'
runs 0 "$lockstack" check ./clean --no-wave --cycles 200 --strict
matches "$out" '^PASS clean: [^w]* seed 1$' 'a clean block'

# A vector that feeds other bits of its own is no loop; a bit that depends on itself is one
block ripple "  wire [8:0] c; assign c[0] = en_i; for (genvar i = 0; i < 8; i++) assign c[i+1] = c[i] & a_i[i];
$register c[8:1];" '(in->a & ~(in->a + 1)) | (in->a == 255 ? 255 : 0)'
runs 0 "$lockstack" check ./ripple --no-wave --cycles 500
block circle "  wire p, q; assign p = a_i[0] & q; assign q = p | a_i[1];
$register {7'b0, q};" 'in->a & 1'
refuses 2 "^lockstack: $here/circle/circle.sv:2:[0-9]*: combinational loop through 'circle.[pq]': a bit depends on itself" "$lockstack" check ./circle --no-wave

# The reset's kind, both ways, on each device that reads the RTL
block edges "  always_ff @(posedge clk or posedge rst) if (rst) q_o <= 0; else if (en_i) q_o <= a_i;" 'in->a' sync
block levels "$register a_i;" 'in->a' async
for dut in rtl icarus netlist cxxrtl; do
  refuses 2 "edges.ports:3: RESET\(rst, ..., sync\): the RTL's registers wait for its edge; async would be right" \
    "$lockstack" check ./edges --no-wave --dut $dut
  refuses 2 "levels.ports:3: RESET\(rst, ..., async\): .*clock's edge alone; sync would be right" "$lockstack" check ./levels --no-wave --dut $dut
done
sed -i 's/sync/async/' edges/edges.ports
runs 0 "$lockstack" check ./edges --no-wave --cycles 200

# Drivers that Yosys drops
block bus "  wire [7:0] b = en_i ? a_i : 8'hzz; assign b = en_i ? 8'hzz : 8'h55;
$register b;" 'in->a'
runs 0 "$lockstack" check ./bus --no-wave --cycles 200
for dut in netlist cxxrtl; do
  refuses 2 "bus.sv:2: tri-state logic, which Yosys drops: devices rtl and icarus have it" "$lockstack" check ./bus --no-wave --dut $dut
done

refuses 2 'bus.sv:2: tri-state logic, which Yosys drops' "$lockstack" area ./bus
refuses 2 'bus.sv:2: tri-state logic, which Yosys drops' "$lockstack" mutate ./bus --count 3

# An image is looked for beside the source that names it, wherever the command runs; a missing one is an error
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
