// SPDX-License-Identifier: Apache-2.0
//
// tom_place_proof -- no two lines meet, whatever their maps, and every place of every stack is some
// line's. So each stack has its share.
//
// The wrapper reverses the rule: from stack, place and bit to the one line and map that come there.
// For a line's own place this gives the line (apart). For any stack and place the block puts that
// line there (all_places). Two blocks compare any two lines (no_two). Nothing is assumed.

`default_nettype none

module tom_place_proof #(
  parameter  int StackBits = 2,
  parameter  int AddrBits  = 40,
  localparam int LineW     = AddrBits - 7,
  localparam int PlaceW    = LineW - StackBits + 1
) (
  input  wire logic                 clk_i,
  input  wire logic [LineW-1:0]     line_i,
  input  wire logic                 ndp_i,
  input  wire logic [3:0]           bit_i,
  input  wire logic [LineW-1:0]     other_line_i,
  input  wire logic                 other_ndp_i,
  input  wire logic [StackBits-1:0] any_stack_i,
  input  wire logic [PlaceW-1:0]    any_place_i
);

  logic                 rst_n = 1'b0;           // low in the first cycle only
  logic [StackBits-1:0] stack, other_stack, back_stack;
  logic [PlaceW-1:0]    place, other_place, back_place;
  logic [LineW:0]       came, from;  // map and line

  tom_place #(.StackBits(StackBits), .AddrBits(AddrBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .line_i, .ndp_i, .bit_i, .stack_o (stack), .place_o (place)
  );
  tom_place #(.StackBits(StackBits), .AddrBits(AddrBits)) u_other (
    .clk_i, .rst_ni (rst_n), .line_i (other_line_i), .ndp_i (other_ndp_i), .bit_i, .stack_o (other_stack),
    .place_o (other_place)
  );
  tom_place #(.StackBits(StackBits), .AddrBits(AddrBits)) u_back (
    .clk_i, .rst_ni (rst_n), .line_i (from[LineW-1:0]), .ndp_i (from[LineW]), .bit_i, .stack_o (back_stack),
    .place_o (back_place)
  );

  assign came = source(stack, place, bit_i);
  assign from = source(any_stack_i, any_place_i, bit_i);

  always @(posedge clk_i) rst_n <= 1'b1;

  always_comb if (rst_n) begin
    // Rule 4: the place names its line.
    apart:      assert (came == {ndp_i, line_i});
    // Rule 4: every place is some line's.
    all_places: assert (back_stack == any_stack_i && back_place == any_place_i);
    // Rule 4: two lines never meet.
    no_two:     assert ({ndp_i, line_i} == {other_ndp_i, other_line_i} || stack != other_stack || place != other_place);
    // Rule 2.
    best_map:   assert (!ndp_i || stack == StackBits'(line_i >> bit_i));
    // Rule 3.
    lines_turn: assert (ndp_i || stack == (line_i[0 +: StackBits] ^ StackBits'(line_i >> StackBits) ^
                                           StackBits'(line_i >> 6) ^ StackBits'(line_i >> 12)));
    far_stack:  cover (ndp_i && bit_i == 4'd9 && stack == '1 && place[23:0] == '0);
  end

  function automatic logic [LineW:0] source(input logic [StackBits-1:0] its_stack, input logic [PlaceW-1:0] its_place,
                                            input logic [3:0] its_bit);
    logic                 ndp;
    logic [LineW-1:0]     rest, gap, low;
    logic [StackBits-1:0] cut;
    ndp    = its_place[24];
    rest   = LineW'({its_place[PlaceW-1:25], its_place[23:0]});
    gap    = ndp ? rest >> its_bit : rest;
    low    = ndp ? rest & ~({LineW{1'b1}} << its_bit) : '0;
    cut    = ndp ? its_stack : its_stack ^ rest[0 +: StackBits] ^ rest[6-StackBits +: StackBits] ^
             rest[12-StackBits +: StackBits];
    source = {ndp, low | ((gap << StackBits | LineW'(cut)) << (ndp ? its_bit : 4'd0))};
  endfunction
endmodule

`default_nettype wire
