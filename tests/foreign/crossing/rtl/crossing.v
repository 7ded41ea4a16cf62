// SPDX-License-Identifier: Apache-2.0
//
// A FIFO between two clocks, with Gray-coded pointers and two registers on the way of each. Each
// side has a reset of its own: the writing one is synchronous, the reading one is not.
module crossing #(
    parameter WIDTH = 8,
    parameter LOG   = 2
) (
    input              wclk,
    input              wrst,
    input              put,
    input  [WIDTH-1:0] data,
    output             full,
    input              rclk,
    input              rrst_n,
    input              take,
    output [WIDTH-1:0] head,
    output             valid
);
  reg [WIDTH-1:0] rows [0:(1<<LOG)-1];
  reg [LOG:0] wr, rd, wr_gray, rd_gray, wr_late, wr_seen, rd_late, rd_seen;

  wire [LOG:0] wr_next = wr + (put && !full);
  wire [LOG:0] rd_next = rd + (take && valid);

  assign full  = wr_gray == {~rd_seen[LOG:LOG-1], rd_seen[LOG-2:0]};
  assign valid = rd_gray != wr_seen;
  assign head  = rows[rd[LOG-1:0]];

  always @(posedge wclk) begin
    if (put && !full) rows[wr[LOG-1:0]] <= data;
    wr      <= wr_next;
    wr_gray <= wr_next ^ wr_next >> 1;
    rd_late <= rd_gray;
    rd_seen <= rd_late;
    if (wrst) begin
      wr      <= 0;
      wr_gray <= 0;
      rd_late <= 0;
      rd_seen <= 0;
    end
  end

  always @(posedge rclk or negedge rrst_n)
    if (!rrst_n) begin
      rd      <= 0;
      rd_gray <= 0;
      wr_late <= 0;
      wr_seen <= 0;
    end else begin
      rd      <= rd_next;
      rd_gray <= rd_next ^ rd_next >> 1;
      wr_late <= wr_gray;
      wr_seen <= wr_late;
    end
endmodule
