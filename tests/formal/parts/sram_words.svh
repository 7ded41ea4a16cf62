// SPDX-License-Identifier: Apache-2.0
//
// A replacement of sram_1r1w for proofs with rows of words whose 32 bits are all alike. It keeps
// one bit of each word and is otherwise the same.
//
// The real sram_1r1w has a proof of its own. With it, a row of 1024 bits makes a problem 32 times
// as large that says no more.

module sram_1r1w #(
  parameter  int Width    = 32,
  parameter  int Depth    = 128,
  parameter  int LaneBits = 32,               // a multiple of 32, or more than a row
  localparam int AddrW    = $clog2(Depth),
  localparam int Lanes    = Width / LaneBits,
  localparam int Words    = (Width + 31) / 32
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             wr_en_i,
  input  wire logic [AddrW-1:0] wr_addr_i,
  input  wire logic [Lanes-1:0] wr_mask_i,
  input  wire logic [Width-1:0] wr_data_i,
  input  wire logic             rd_en_i,
  input  wire logic [AddrW-1:0] rd_addr_i,
  output      logic [Width-1:0] rd_data_o
);

  logic [Words-1:0] mem [0:Depth-1];
  logic [Words-1:0] rd_q, bits;

  initial begin
    for (int i = 0; i < Depth; i++) mem[i] = '0;
    rd_q = '0;
  end

  always_comb for (int i = 0; i < Words; i++) bits[i] = wr_data_i[i*32];

  always @(posedge clk_i) begin
    if (rd_en_i) rd_q <= mem[rd_addr_i];
    if (wr_en_i) for (int i = 0; i < Words; i++) if (wr_mask_i[i*32/LaneBits]) mem[wr_addr_i][i] <= bits[i];
  end

  always_comb for (int i = 0; i < Width; i++) rd_data_o[i] = rd_q[i/32];
endmodule
