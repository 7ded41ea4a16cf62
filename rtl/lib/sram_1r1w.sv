// SPDX-License-Identifier: Apache-2.0
//
// sram_1r1w -- memory with one write port and one read port; the only form memories of 4 Kbit or more take.
//
// A write stores the lanes of wr_data_i that wr_mask_i names at the clock edge. A read puts the row into rd_data_o at
// the clock edge, where it stays until the next read. A read of the row being written gives the old content.
// Contents and rd_data_o are zero at power-up and are not reset (rst_ni is there for the common contract).
// Synthesis sees a black box: the area comes from a macro's data.

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
  parameter  int Width    = 32,                  // bits of a row
  parameter  int Depth    = 128,                 // rows, >= 2
  parameter  int LaneBits = 8,                   // bits that one bit of the write mask covers; divides Width
  localparam int AddrW    = $clog2(Depth),
  localparam int Lanes    = Width / LaneBits
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  // Write port
  input  wire logic             wr_en_i,
  input  wire logic [AddrW-1:0] wr_addr_i,
  input  wire logic [Lanes-1:0] wr_mask_i,
  input  wire logic [Width-1:0] wr_data_i,
  // Read port
  input  wire logic             rd_en_i,
  input  wire logic [AddrW-1:0] rd_addr_i,
  output      logic [Width-1:0] rd_data_o        // the row read last
);

`ifndef SRAM_BLACKBOX
  logic [Width-1:0] mem [0:Depth-1];
  logic [Width-1:0] rd_data_q;
  logic             unused_rst;

  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
    rd_data_q = '0;
  end

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
