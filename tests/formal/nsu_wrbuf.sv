// SPDX-License-Identifier: Apache-2.0
//
// nsu_wrbuf_proof -- the rules of nsu_wrbuf.ports; parts/merge_rules.svh has the properties and
// their assumptions.
//
// Once all packets of an instruction have come, each thread's address and the whole mask are there.
// The instruction is told complete once, and found from then on until it is taken. Then its entry
// is free. A packet that does not fit is dropped and flagged. An address is in one of two lines,
// aligned or with an offset of two.

`default_nettype none

`include "nsu_types.svh"

module sram_1r1w #(                           // the lanes of the two threads, the others come out 0
  parameter  int Width    = 32,
  parameter  int Depth    = 128,
  parameter  int LaneBits = 8,
  localparam int AddrW    = $clog2(Depth),
  localparam int Lanes    = Width / LaneBits
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
  logic [LaneBits-1:0] mem13 [0:Depth-1];
  logic [LaneBits-1:0] mem31 [0:Depth-1];
  logic [LaneBits-1:0] rd13_q, rd31_q;

  always @(posedge clk_i) begin
    if (rd_en_i) {rd13_q, rd31_q} <= {mem13[rd_addr_i], mem31[rd_addr_i]};
    if (wr_en_i && wr_mask_i[13]) mem13[wr_addr_i] <= wr_data_i[13*LaneBits +: LaneBits];
    if (wr_en_i && wr_mask_i[31]) mem31[wr_addr_i] <= wr_data_i[31*LaneBits +: LaneBits];
  end

  always_comb begin
    rd_data_o = '0;
    rd_data_o[13*LaneBits +: LaneBits] = rd13_q;
    rd_data_o[31*LaneBits +: LaneBits] = rd31_q;
  end
endmodule

module nsu_wrbuf_proof #(
  parameter  int Depth    = 2,
  localparam int LaneBits = 40,
  localparam int IdxBits  = $clog2(Depth)
) (
  input  wire logic       clk_i,
  input  wire logic       wr_valid_i,
  input  wire logic [1:0] wr_id_i,
  input  wire logic [1:0] wr_on_i,            // threads
  input  wire logic [1:0] wr_all_i,
  input  wire logic       wr_size_i,
  input  wire logic [3:0] wr_bits_i,  // aligned; bits of line and offset
  input  wire logic [1:0] lk_id_i,
  input  wire logic       take_i,
  input  wire logic       again_i,  // take the entry that was taken in the last cycle
  input  wire logic [1:0] id_i,  // in the cycle of reset: the instruction to watch
  input  wire logic       thread_i  // and its thread
);

  localparam int WordW = 40;

  pkt_hdr_t     hdr;
  logic [223:0] offs;
  logic [39:0]  addr;

`define MERGE nsu_wrbuf #(.Depth(Depth))
`define MERGE_WRITE .wr_hdr_i (hdr)
`include "parts/merge_rules.svh"

  always_comb begin
    // Few different addresses: free bits at both ends of the base and of the offsets.
    addr        = {wr_bits_i[3], 31'd0, wr_bits_i[2], 7'd0};
    offs        = '0;
    offs[13*7 +: 7] = {wr_bits_i[1], 5'd0, wr_bits_i[2]};
    offs[31*7 +: 7] = {2'd0, wr_bits_i[1], 4'd0};
    hdr         = '0;
    hdr.ptype   = nsu_pkg::PKT_WTA;
    hdr.sm      = {7'd0, wr_id_i[1]};
    hdr.seq     = {5'd0, wr_id_i[0]};
    hdr.mask    = wr_mask;
    hdr.lmask   = wr_lmask;
    hdr.size    = {wr_size_i, 1'b0};
    hdr.addr    = addr;
    hdr.aligned = wr_bits_i[0];
    hdr.offs    = offs;
  end
  // The address of the watched thread: aligned from the base and its number, else from its offset.
  assign word_in  = addr + (wr_bits_i[0] ? (thread ? 40'd31 : 40'd13) << {wr_size_i, 1'b0}
                            : 40'(thread ? offs[31*7 +: 7] : offs[13*7 +: 7]));
  assign word_out = thread ? row[1279:1240] : row[13*40 +: 40];
endmodule

`default_nettype wire
