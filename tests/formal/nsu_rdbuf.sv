// SPDX-License-Identifier: Apache-2.0
//
// nsu_rdbuf_proof -- the rules of nsu_rdbuf.ports; parts/merge_rules.svh has the properties and
// their assumptions.
//
// Once all packets of an instruction have come, each thread's word and the whole mask are there.
// The instruction is told complete once, and found from then on until it is taken. Then its entry
// is free. A packet that does not fit is dropped and flagged. A word is one bit repeated.

`default_nettype none

`include "nsu_types.svh"
`include "parts/sram_words.svh"

module nsu_rdbuf_proof #(
  parameter  int Depth    = 2,
  localparam int LaneBits = 32,
  localparam int IdxBits  = $clog2(Depth)
) (
  input  wire logic       clk_i,
  input  wire logic       wr_valid_i,
  input  wire logic [1:0] wr_id_i,
  input  wire logic [1:0] wr_on_i,            // threads
  input  wire logic [1:0] wr_all_i,
  input  wire logic       wr_size_i,
  input  wire logic [1:0] wr_bits_i,          // each thread's word
  input  wire logic [1:0] lk_id_i,
  input  wire logic       take_i,
  input  wire logic       again_i,  // take the entry that was taken in the last cycle
  input  wire logic [1:0] id_i,  // in the cycle of reset: the instruction to watch
  input  wire logic       thread_i  // and its thread
);

  localparam int WordW = 1;

  pkt_hdr_t      hdr;
  logic [1023:0] line;

`define MERGE nsu_rdbuf #(.Depth(Depth))
`define MERGE_WRITE .wr_hdr_i (hdr), .wr_data_i (line)
`include "parts/merge_rules.svh"

  always_comb begin
    line      = '0;
    line[13*32 +: 32] = {32{wr_bits_i[0]}};
    line[31*32 +: 32] = {32{wr_bits_i[1]}};
    hdr       = '0;
    hdr.ptype = nsu_pkg::PKT_RDF_RESP;
    hdr.sm    = {7'd0, wr_id_i[1]};
    hdr.seq   = {5'd0, wr_id_i[0]};
    hdr.mask  = wr_mask;
    hdr.lmask = wr_lmask;
    hdr.size  = {wr_size_i, 1'b0};
  end
  assign word_in  = wr_bits_i[thread];
  assign word_out = thread ? row[31*32] : row[13*32];
endmodule

`default_nettype wire
