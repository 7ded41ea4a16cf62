// SPDX-License-Identifier: Apache-2.0
//
// row_arb_proof -- at most one is served, and what it sent is element N-1-k of the next cycle's row.
// A port that is an array is one vector here, element 0 in the lowest bits.
module row_arb_proof #(
  parameter int N = 4
) (
  input wire clk,
  input wire rst_n,
  input wire [N-1:0] req_i,
  input wire [8*N-1:0] data_i,
  input wire [131:0] tag_i,
  input wire swap_i,
  input wire ready_i
);
  reg started = 1'b0, before = 1'b0;
  reg [7:0] sent;
  wire [N-1:0] gnt;
  wire valid;
  wire [7:0] data;
  wire [10*N-1:0] last;

  row_arb #(.N(N)) u_dut (.clk_i(clk), .rst_ni(rst_n && started), .req_i(req_i), .data_i(data_i), .tag_i(tag_i),
    .swap_i(swap_i), .ready_i(ready_i), .gnt_o(gnt), .valid_o(valid), .data_o(data), .last_o(last));

  always @(posedge clk) begin
    started <= 1'b1;
    before  <= rst_n && started && gnt[0];
    sent    <= data_i[7:0];
  end

  always @* if (started) begin
    alone: assert ((gnt & (gnt - 1'b1)) == 0);
    lowest: assert (!req_i[0] || data == data_i[7:0]);
    if (before && rst_n) kept: assert (last[10*(N-1) +: 8] == sent);
    serves: cover (gnt[N-1]);
  end
endmodule
