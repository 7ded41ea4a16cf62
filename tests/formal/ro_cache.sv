// SPDX-License-Identifier: Apache-2.0
//
// ro_cache_proof -- the rules of rtl/lib/ro_cache.ports; parts/cache_rules.svh has the properties
// and their assumptions.
//
// A hit gives the word of the line's last fill. A filled line hits until as many other lines as
// ways have come. A miss is asked for once, and its client is woken. A fill that no miss asked for
// is dropped.

`default_nettype none

`include "parts/sram_words.svh"

module ro_cache_proof #(
  parameter  int WordBits = 64,
  parameter  int Bytes    = 512,
  parameter  int Ways     = 2,
  parameter  int Mshrs    = 2,
  localparam int Words    = 1024 / WordBits,
  localparam int ByteBits = $clog2(WordBits / 8)
) (
  input  wire logic       clk_i,
  input  wire logic       req_i,
  input  wire logic [2:0] req_line_i,
  input  wire logic       req_mine_i,  // look up the watched word, else the first
  input  wire logic       ft_ready_i,
  input  wire logic       fill_valid_i,
  input  wire logic [2:0] fill_line_i,
  input  wire logic       bit_i,
  input  wire logic [2:0] line_i,  // in the cycle of reset: the line to watch
  input  wire logic [4:0] word_i  // and the word
);

`define CACHE ro_cache #(.WordBits(WordBits), .Bytes(Bytes), .Ways(Ways), .Mshrs(Mshrs))
`include "parts/cache_rules.svh"
endmodule

`default_nettype wire
