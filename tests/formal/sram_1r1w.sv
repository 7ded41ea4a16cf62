// SPDX-License-Identifier: Apache-2.0
//
// sram_1r1w_proof -- a row read has in each lane what was written there last, zero if nothing was.
// It has the old content if it is written in the same cycle. The answer stays until the next read.
//
// One row and one lane, any, are watched. The black box of synthesis is not what is proved.

`default_nettype none

module sram_1r1w_proof #(
  parameter  int Width    = 4,
  parameter  int Depth    = 3,
  parameter  int LaneBits = 2,
  localparam int AddrW    = $clog2(Depth),
  localparam int Lanes    = Width / LaneBits
) (
  input  wire logic             clk_i,
  input  wire logic             wr_en_i,
  input  wire logic [AddrW-1:0] wr_addr_i,
  input  wire logic [Lanes-1:0] wr_mask_i,
  input  wire logic [Width-1:0] wr_data_i,
  input  wire logic             rd_en_i,
  input  wire logic [AddrW-1:0] rd_addr_i,
  input  wire logic [AddrW-1:0] row_i,  // in the cycle of reset: the row to watch
  input  wire logic [7:0]       lane_i        // and the lane
);

  logic                rst_n = 1'b0;          // low in the first cycle only
  logic [Width-1:0]    rd_data, was;
  logic [AddrW-1:0]    row;
  logic [7:0]          lane;
  logic [LaneBits-1:0] now, read, written;  // the lane's content; what its last read gave
  logic                known, collided;  // the last read was of the watched row; it was written meanwhile

  sram_1r1w #(.Width(Width), .Depth(Depth), .LaneBits(LaneBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .wr_en_i (wr_en_i && rst_n), .wr_addr_i, .wr_mask_i, .wr_data_i,
    .rd_en_i (rd_en_i && rst_n), .rd_addr_i, .rd_data_o (rd_data)
  );

  assign written = LaneBits'(wr_data_i >> (32'(lane) * LaneBits));

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    was   <= rd_data;
    if (!rst_n) begin
      row      <= row_i;
      lane     <= lane_i;
      now      <= '0;
      known    <= 1'b0;
      collided <= 1'b0;
    end else begin
      if (wr_en_i && wr_addr_i == row && ((wr_mask_i >> lane) & Lanes'(1)) != '0) now <= written;
      if (rd_en_i) begin
        known    <= rd_addr_i == row;
        read     <= now;
        collided <= wr_en_i && wr_addr_i == row && now != written && now != '0;
      end
    end
  end

  logic asked, started;  // a read in the last cycle; reset is over
  always @(posedge clk_i) begin
    asked   <= rst_n && rd_en_i;
    started <= rst_n;
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(row) < Depth && 32'(lane) < Lanes);
    // Addresses are below Depth: a duty of every user, which the RTL asserts.
    assume (32'(wr_addr_i) < Depth && 32'(rd_addr_i) < Depth);
    // Rules 2 and 3: a read gives what was written before its cycle, 0 before the first write.
    reads_back: assert (!known || LaneBits'(rd_data >> (32'(lane) * LaneBits)) == read);
    // Rules 1 and 3.
    stays:      assert (asked || rd_data == (started ? was : '0));
    // A row is read in the cycle of its write.
    old_row:    cover (known && collided);
  end
endmodule

`default_nettype wire
