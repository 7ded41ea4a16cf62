// SPDX-License-Identifier: Apache-2.0
//
// crossing_proof -- no more words are within than there is room for.
module crossing_proof #(
  parameter int LOG = 2
) (
  input wire clk,
  input wire put,
  input wire [7:0] data,
  input wire take
);
  reg started = 1'b0;
  reg [LOG:0] count = '0;
  wire full, valid;
  wire [7:0] head;

  crossing #(.LOG(LOG)) u_dut (.wclk(clk), .wrst(!started), .put(put), .data(data), .full(full),
    .rclk(clk), .rrst_n(started), .take(take), .head(head), .valid(valid));

  always @(posedge clk) begin
    started <= 1'b1;
    count <= count + (LOG+1)'(started && put && !full) - (LOG+1)'(started && take && valid);
  end

  always @* if (started) begin
    not_lost: assert (count <= (LOG+1)'(1 << LOG));
    fills: cover (count == (LOG+1)'(1 << LOG));
  end
endmodule
