// SPDX-License-Identifier: Apache-2.0
//
// sram_1r1w -- memory with one write port and one read port.
//
// Every memory of 4 Kbit or more has this form, so that a macro can take its place.
// A write stores the lanes that wr_mask_i names at the clock edge.
// A read puts the row into rd_data_o at the clock edge; it stays until the next read.
// A read of the row that is written in the same cycle gives the old content.
// Contents and rd_data_o are zero at power-up; reset does not touch them.
// Synthesis sees a black box: the area comes from a macro's data.
//
//   cycle          t  t+1  t+2  t+3
//   rd_en          1    .    1    .
//   rd_addr        a    .    b    .
//   rd_data        .  [a]  [a]  [b]

`default_nettype none

`ifdef SYNTHESIS
  `ifndef SRAM_BLACKBOX
    `define SRAM_BLACKBOX
  `endif
`endif

`ifdef SRAM_BLACKBOX
(* blackbox *)
`endif
module sram_1r1w #(
  parameter  int Width    = 32,  // bits of a row, 1 .. 8192
  parameter  int Depth    = 128, // rows, 2 .. 65536
  parameter  int LaneBits = 8,   // bits under one bit of the write mask; divides Width
  localparam int AddrW    = $clog2(Depth),
  localparam int Lanes    = Width / LaneBits
) (
  input  wire logic             clk_i,     // clock, rising edge
  input  wire logic             rst_ni,    // not used; here because every block has a reset
  // Write port
  input  wire logic             wr_en_i,   // write at the end of this cycle
  input  wire logic [AddrW-1:0] wr_addr_i, // row, less than Depth; valid with wr_en_i
  input  wire logic [Lanes-1:0] wr_mask_i, // bit i: write lane i, the bits from i * LaneBits up
  input  wire logic [Width-1:0] wr_data_i, // the whole row; lanes outside of the mask are ignored
  // Read port
  input  wire logic             rd_en_i,   // read at the end of this cycle
  input  wire logic [AddrW-1:0] rd_addr_i, // row, less than Depth; valid with rd_en_i
  output      logic [Width-1:0] rd_data_o  // row of the last read, from the cycle after it on
);

`ifndef SRAM_BLACKBOX
  logic [Width-1:0] mem [0:Depth-1];
  logic [Width-1:0] rd_data_q;
  logic             unused_rst;

  // The golden model starts from zero, too.
  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
    rd_data_q = '0;
  end

  // Both ports use nonblocking assignments: the read sees the row as it was before the write.
  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_q <= mem[rd_addr_i];
    if (wr_en_i) begin
      for (int i = 0; i < Lanes; i++) begin
        if (wr_mask_i[i]) mem[wr_addr_i][i*LaneBits +: LaneBits] <= wr_data_i[i*LaneBits +: LaneBits];
      end
    end
  end

  assign rd_data_o  = rd_data_q;
  assign unused_rst = rst_ni;

  initial begin
    if (Width % LaneBits != 0) $fatal(1, "sram_1r1w: LaneBits must divide Width");
  end

  always @(posedge clk_i) begin
    if (wr_en_i) assert (32'(wr_addr_i) < Depth);
    if (rd_en_i) assert (32'(rd_addr_i) < Depth);
  end
`endif
endmodule

`default_nettype wire
