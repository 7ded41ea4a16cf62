// SPDX-License-Identifier: Apache-2.0
//
// tom_place -- where does a line live: in which stack, and at which place there (TOM paper,
// sections 3.2 and 5.1)? Combinational; the clock is for the assertion only.
//
// Both maps cut StackBits bits out of the line; the rest is the line's address in its stack. With
// ndp_i the cut bits are the stack. Without ndp_i the lowest bits are cut out, and the stack is a
// hash. The other fields and the stack together still give the cut bits, so no two lines meet.
//
//   line_i   [ ... above ... | cut | ... below ... ]          cut at bit_i, or at 0
//   place_o  [ ... above 24 ... | ndp_i | ... 24 bits ... ]   the maps have halves of each stack

`default_nettype none

module tom_place #(
  parameter  int StackBits = 2,                              // bits of a stack's number, 1 to 3
  parameter  int AddrBits  = 40,                             // bits of a byte's address, 35 to 48
  localparam int LineW     = AddrBits - tom_pkg::LINE_BITS,  // bits of a line's address
  localparam int PlaceW    = LineW - StackBits + 1           // bits of a line's address in its stack
) (
  input  wire logic                 clk_i,    // for the assertion only
  input  wire logic                 rst_ni,   // for the assertion only
  input  wire logic [LineW-1:0]     line_i,   // byte address without its 7 lowest bits
  input  wire logic                 ndp_i,    // 1: page of offloaded blocks' data, 0: other page
  input  wire logic [3:0]           bit_i,    // with ndp_i: lowest stack bit is address bit 7 + bit_i
  output      logic [StackBits-1:0] stack_o,  // stack of the line, same cycle
  output      logic [PlaceW-1:0]    place_o   // line in that stack, same cycle
);

  localparam int WINDOW = 31 - tom_pkg::LINE_BITS;       // bit of place_o that says which map: address bit 31

  logic [3:0]           at;                              // lowest bit that is cut out
  logic [StackBits-1:0] mixed;                           // stack of a page without ndp
  logic [PlaceW-2:0]    rest;

  assign at    = ndp_i ? bit_i : 4'd0;
  assign mixed = line_i[0 +: StackBits] ^ line_i[StackBits +: StackBits] ^ line_i[6 +: StackBits]
                 ^ line_i[12 +: StackBits];

  // Bits below the cut stay where they are, bits above move down.
  always_comb begin
    for (int k = 0; k < PlaceW - 1; k++) rest[k] = k < 32'(at) ? line_i[k] : line_i[k+StackBits];
  end

  assign stack_o = ndp_i ? line_i[32'(bit_i) +: StackBits] : mixed;
  assign place_o = {rest[PlaceW-2:WINDOW], ndp_i, rest[WINDOW-1:0]};

  initial begin
    if (StackBits < 1 || StackBits > 3) $fatal(1, "tom_place: StackBits must be 1 to 3");
    if (AddrBits < 35 || AddrBits > 48) $fatal(1, "tom_place: AddrBits must be 35 to 48");
  end

`ifndef SYNTHESIS
  // The place says which map the line has.
  always @(posedge clk_i) if (rst_ni) assert (place_o[WINDOW] == ndp_i);
`endif
endmodule

`default_nettype wire
