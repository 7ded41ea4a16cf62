// SPDX-License-Identifier: Apache-2.0
//
// tom_place -- where a line lives: its stack, and its place there (TOM paper, sections 3.2 and 5.1). Combinational.
//
// The stack's bits are cut out of the line where the map has them; the mixed map cuts out the lowest, which the others and its stack say again.
// The clock is for the assertion only.

`default_nettype none

module tom_place #(
  parameter  int StackBits = 2,                          // bits of a stack's number, 1 to 3
  parameter  int AddrBits  = 40,                         // bits of an address, 35 to 48
  localparam int LineW     = AddrBits - tom_pkg::LINE_BITS,
  localparam int PlaceW    = LineW - StackBits + 1
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic [LineW-1:0]     line_i,
  input  wire logic                 ndp_i,
  input  wire logic [3:0]           bit_i,
  output      logic [StackBits-1:0] stack_o,
  output      logic [PlaceW-1:0]    place_o
);

  localparam int WINDOW = 31 - tom_pkg::LINE_BITS;       // of a place: which of the two maps it is of

  logic [3:0]           at;                              // lowest bit that is cut out
  logic [StackBits-1:0] mixed;
  logic [PlaceW-2:0]    rest;

  assign at    = ndp_i ? bit_i : 4'd0;
  assign mixed = line_i[0 +: StackBits] ^ line_i[StackBits +: StackBits] ^ line_i[6 +: StackBits] ^ line_i[12 +: StackBits];

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
  always @(posedge clk_i) if (rst_ni) assert (place_o[WINDOW] == ndp_i);
`endif
endmodule

`default_nettype wire
