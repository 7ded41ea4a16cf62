// SPDX-License-Identifier: Apache-2.0
//
// burst_proof -- a block that sends takes nothing, and the first one is a bit of what it shows.
module burst_proof #(
  parameter int Depth = 4
) (
  input wire clk,
  input wire rst_n,
  input wire push_i,
  input wire [3:0] data_i,
  input wire last_i
);
  reg started = 1'b0;
  wire ready, send;
  wire [3:0] data, turned;
  wire [2:0] first;

  burst #(.Depth(Depth)) u_dut (.clk(clk), .rst_n(rst_n && started), .push_i(push_i), .data_i(data_i), .last_i(last_i),
    .ready_o(ready), .send_o(send), .data_o(data), .first_o(first), .turned_o(turned));

  always @(posedge clk) started <= 1'b1;

  always @* if (started) begin
    apart: assert (!ready || !send);
    lowest: assert (first == 3'd4 ? data == 4'd0 : data[first[1:0]]);
    sends: cover (send && data == 4'd9);
  end
endmodule
