# SPDX-License-Identifier: Apache-2.0
#
# RTL of other projects whose names are ours: a package router_pkg, modules called as memories and
# blocks of the tree, include files, parts in other folders than the top. Every device and verb
# sees the user's. timeout: 600
source "$(dirname "$0")/../lib.sh"

mkdir -p src parts/mem inc
# of a package that others of the tree's packages use, and of the size that ours has not
echo 'package router_pkg; localparam int W = 5; typedef enum logic [1:0] {A, B} kind_e; endpackage' >src/router_pkg.sv
echo '`define ROWS 4' >inc/nsu_types.svh # an include file of the tree has that name
cat >parts/my_sram_wrap.sv <<'END'
module my_sram_wrap #(parameter int W = 4) (input logic clk, input logic we, input logic [1:0] a, input logic [W-1:0] d,
  output logic [W-1:0] q);
  sram_1r1w #(.W(W)) u_mem (.clk, .we, .a, .d, .q);
endmodule
END
cat >parts/mem/sram_1r1w.sv <<'END'
`include "nsu_types.svh"
module sram_1r1w #(parameter int W = 4) (input logic clk, input logic we, input logic [1:0] a, input logic [W-1:0] d,
  output logic [W-1:0] q);
  logic [W-1:0] rows [`ROWS];
  initial for (int i = 0; i < `ROWS; i++) rows[i] = '0;
  always_ff @(posedge clk) if (we) rows[a] <= d;
  assign q = rows[a];
endmodule
END
# a module that is called as a block of the tree, in one file with the top
cat >src/sram_top.sv <<'END'
module fifo (input logic [router_pkg::W-1:0] d, output logic [router_pkg::W-1:0] q); assign q = d; endmodule
module sram_top (input logic clk, input logic rst_n, input logic we, input logic [1:0] a,
  input logic [router_pkg::W-1:0] d, output logic [router_pkg::W-1:0] q);
  logic [router_pkg::W-1:0] row, same;
  my_sram_wrap #(.W(router_pkg::W)) u_wrap (.clk, .we, .a, .d, .q(row));
  fifo u_fifo (.d(row), .q(same));
  always_ff @(posedge clk or negedge rst_n) if (!rst_n) q <= '0; else q <= same;
endmodule
END
runs 0 "$lockstack" new sram_top --from src/sram_top.sv --file src/router_pkg.sv --library parts --library parts/mem \
  --include inc
matches "$(cat sram_top/sram_top.ports)" 'RESET\(rst_n, low, async\)' 'the reset of a register behind a memory'
sed -i 's/uint64_t cycles;.*/uint64_t rows[4], q;/' sram_top/sram_top.h
sed -i '/assert/d; s/out->q = 0/out->q = state->q/; s/  (void)in;//; s/  memset.*/  state->q = 0;/
  s/state->cycles++;/state->q = state->rows[in->a]; if (in->we) state->rows[in->a] = in->d;/' sram_top/sram_top.c
for dut in rtl netlist cxxrtl icarus; do
  runs 0 "$lockstack" check sram_top --cycles 2000 --dut $dut
done
runs 0 "$lockstack" mutate sram_top --count 60 --json m.json
# the rows are registers of the netlist: no port of a black box is mutated
matches "$(cat m.json)" 'sram_1r1w.sv' 'mutants within what is called sram_1r1w'
equal "$(json m.json blocks.0.survived 2>/dev/null || json m.json survived)" 0 'mutants that survive'
runs 0 "$lockstack" cover sram_top --json c.json
matches "$(cat c.json)" 'sram_1r1w.sv' 'coverage of what is called sram_1r1w'
runs 0 "$lockstack" faults sram_top --count 200 --json f.json
equal "$(json f.json total.bits)" 25 'bits of registers, those of the rows among them'
for target in '' '--target ice40'; do
  # shellcheck disable=SC2086
  runs 0 "$lockstack" area sram_top $target --json a.json
  equal "$(json a.json macros.#)" 0 'memory macros'
done
runs 0 "$lockstack" power sram_top --cycles 2000

# A proof, with a broken copy of a part that lies in another folder
cat >sram_top/sram_top_proof.sv <<'END'
module sram_top_proof (input logic clk, input logic we, input logic [1:0] a, input logic [router_pkg::W-1:0] d);
  logic started = 1'b0, was_one;
  logic [router_pkg::W-1:0] q, one = '0, last_one;
  sram_top dut (.clk, .rst_n(started), .we, .a, .d, .q);
  always_ff @(posedge clk) begin
    started <= 1'b1;
    was_one <= a == 2'd1;
    last_one <= started ? one : '0;
    if (we && a == 2'd1) one <= d;
  end
  always_comb if (started && was_one && last_one != '0) begin
    row_one: assert (q == last_one);
    seen: cover (q == 5'd21);
  end
endmodule
END
cat >sram_top/sram_top.prove <<'END'
property  row_one  pdr
cover     seen     6
broken    forgets  row_one ../parts/mem/sram_1r1w.sv
- if (we) rows
+ if (we && a != 2'd1) rows
END
runs 0 "$lockstack" prove sram_top

# --rtl: a part of another folder than the top is replaced, on each device
mkdir fixed && sed 's/q = rows/q = ~rows/' parts/mem/sram_1r1w.sv >fixed/sram_1r1w.sv
for dut in rtl netlist cxxrtl icarus; do
  runs 1 "$lockstack" check sram_top --rtl fixed --cycles 2000 --dut $dut --no-wave --json d.json
  equal "$(json d.json failure.port)" q "the part that is replaced, on $dut"
done
mkdir nothing && echo 'module no; endmodule' >nothing/no.sv
refuses 2 'nothing: no RTL file of the block or of its parts is in this folder' "$lockstack" check sram_top --rtl nothing

# Nothing of the tree stands in for what the user's files lack: neither a package nor a block of a
# family. Modules of rtl/lib do.
cat >src/lacks.sv <<'END'
module lacks (input logic clk, input logic rst_n, input logic d, output logic [nsu_pkg::LINE_BITS-1:0] q);
  always_ff @(posedge clk) if (!rst_n) q <= '0; else q <= d;
endmodule
END
refuses 2 'lacks.sv:1: no file that is read has package nsu_pkg' "$lockstack" new lacks --from src/lacks.sv
# A block that is called as one of the tree has none of its further runs and cycles
mkdir own && cd own || exit 1
runs 0 "$lockstack" new nsu_rx
sed -i '/assert/d; s/uint64_t cycles;.*/bool valid;\n  uint64_t data;/' nsu_rx/nsu_rx.[ch]
sed -i 's/out->valid = 0/out->valid = state->valid/; s/out->data = 0/out->data = state->data/
  s/  state->cycles++;/  state->valid = in->valid;\n  state->data = in->data;/' nsu_rx/nsu_rx.c
runs 0 "$lockstack" check ./nsu_rx --json c.json
equal "$(json c.json cycles)" 100000 'cycles of a check'
