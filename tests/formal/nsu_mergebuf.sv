// SPDX-License-Identifier: Apache-2.0
//
// nsu_mergebuf_proof -- the rules of nsu_mergebuf.ports; parts/merge_rules.svh has the properties
// and their assumptions.
//
// Once all packets of an instruction have come, each thread's word and the whole mask are there.
// The instruction is told complete once, and found from then on until it is taken. Then its entry
// is free. A packet that does not fit is dropped and flagged.

`default_nettype none

module nsu_mergebuf_proof #(
  parameter  int Depth    = 2,
  parameter  int LaneBits = 8,
  localparam int IdxBits  = $clog2(Depth)
) (
  input  wire logic       clk_i,
  input  wire logic       wr_valid_i,
  input  wire logic [1:0] wr_id_i,
  input  wire logic [1:0] wr_on_i,            // threads
  input  wire logic [1:0] wr_all_i,
  input  wire logic       wr_size_i,
  input  wire logic [3:0] wr_bits_i,  // two bits of each thread's word, its lowest and its highest
  input  wire logic [1:0] lk_id_i,
  input  wire logic       take_i,
  input  wire logic       again_i,  // take the entry that was taken in the last cycle
  input  wire logic [1:0] id_i,  // in the cycle of reset: the instruction to watch
  input  wire logic       thread_i  // and its thread
);

  localparam int WordW = 2;

  logic [32*LaneBits-1:0] wr_row;

`define MERGE nsu_mergebuf #(.Depth(Depth), .LaneBits(LaneBits))
`define MERGE_WRITE .wr_sm_i ({7'd0, wr_id_i[1]}), .wr_warp_i (6'd0), .wr_seq_i ({5'd0, wr_id_i[0]}), .wr_mask_i (wr_mask), \
  .wr_lmask_i (wr_lmask), .wr_size_i ({wr_size_i, 1'b0}), .wr_row_i (wr_row)
`include "parts/merge_rules.svh"

  always_comb begin
    wr_row = '0;
    {wr_row[14*LaneBits-1], wr_row[13*LaneBits]} = wr_bits_i[1:0];
    {wr_row[32*LaneBits-1], wr_row[31*LaneBits]} = wr_bits_i[3:2];
  end
  assign word_in  = thread ? wr_bits_i[3:2] : wr_bits_i[1:0];
  assign word_out = thread ? {row[32*LaneBits-1], row[31*LaneBits]} : {row[14*LaneBits-1], row[13*LaneBits]};
endmodule

`default_nettype wire
