// SPDX-License-Identifier: Apache-2.0
//
// alloc_islip -- iSLIP allocator: outputs grant, inputs accept, Iters times.
//
// Each time every output that has no partner grants one of the inputs without a partner that ask for it, and every input accepts one
// of its grants; what is accepted is matched. Both choose the highest level, and among equals the first at or above their round-robin
// pointer. gnt_o is the match, in the cycle of req_i and level_i, with at most one bit in a row and in a column. When update_i says the
// grants were taken, both pointers of every pair matched in the first iteration move just above the partner; no other pointer moves.
// After reset all are 0.
//
// A pointer is held as a mask, as in arb_rr: what is above the last partner, all after reset. It is then one more bit of preference,
// below those of the level. Outputs choose in all columns at once, inputs row by row.

`default_nettype none

module alloc_islip #(
  parameter  int NumIn     = 4,                             // inputs, 1 to 64
  parameter  int NumOut    = 4,                             // outputs, 1 to 64
  parameter  int LevelBits = 1,                             // bits of a level, 1 to 16; all levels together at most 8192
  parameter  int Iters     = 1,                             // iterations, 1 to 8
  localparam int NumCells  = NumIn * NumOut
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [NumCells-1:0]           req_i,         // row-major: in * NumOut + out
  input  wire logic [NumCells*LevelBits-1:0] level_i,       // in the same order
  input  wire logic                          update_i,      // grants were taken this cycle
  output      logic [NumCells-1:0]           gnt_o
);

  logic [NumCells-1:0]           in_mask_d, in_mask_q;      // row: outputs above the input's last
  logic [NumCells-1:0]           out_mask_d, out_mask_q;    // column: inputs above the output's last
  logic [NumCells*LevelBits-1:0] plane;                     // bit 0 of all levels, then bit 1 of all, ...
  logic [NumCells-1:0]           left;                      // requests between those without a partner
  logic [NumCells-1:0]           offer;                     // what outputs grant, at most one in a column
  logic [NumOut-1:0]             row;                       // what an input may accept, and then does
  logic [NumCells-1:0]           match, match_first;        // what is accepted, and in the first iteration
  logic [NumCells-1:0]           served;

  if (LevelBits == 1) begin : gen_bit
    assign plane = level_i;
  end else begin : gen_planes
    always_comb begin
      for (int b = 0; b < LevelBits; b++) begin
        for (int c = 0; c < NumCells; c++) plane[b*NumCells + c] = level_i[c*LevelBits + b];
      end
    end
  end

  always_comb begin
    gnt_o       = '0;
    match_first = '0;
    left        = req_i;
    for (int n = 0; n < Iters; n++) begin
      offer = left;
      for (int b = LevelBits - 1; b >= 0; b--) offer = prefer_in_cols(offer, plane[b*NumCells +: NumCells]);
      offer = first_in_cols(prefer_in_cols(offer, out_mask_q));
      for (int i = 0; i < NumIn; i++) begin
        row = offer[i*NumOut +: NumOut];
        for (int b = LevelBits - 1; b >= 0; b--) row = prefer(row, plane[b*NumCells + i*NumOut +: NumOut]);
        row = lowest(prefer(row, in_mask_q[i*NumOut +: NumOut]));
        match[i*NumOut +: NumOut] = row;
        if (|row) left[i*NumOut +: NumOut] = '0;
      end
      left  = left & ~{NumIn{cols(match)}};
      gnt_o = gnt_o | match;
      if (n == 0) match_first = match;
    end
  end

  assign served = update_i ? match_first : '0;

  always_comb begin
    for (int i = 0; i < NumIn; i++) begin
      in_mask_d[i*NumOut +: NumOut] = |served[i*NumOut +: NumOut] ? after(served[i*NumOut +: NumOut]) : in_mask_q[i*NumOut +: NumOut];
    end
    out_mask_d = (out_mask_q & ~{NumIn{cols(served)}}) | after_in_cols(served);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_mask_q  <= '1;
      out_mask_q <= '1;
    end else begin
      in_mask_q  <= in_mask_d;
      out_mask_q <= out_mask_d;
    end
  end

  // Of a row
  function automatic logic [NumOut-1:0] prefer(input logic [NumOut-1:0] x, input logic [NumOut-1:0] best);
    prefer = |(x & best) ? x & best : x;                    // the best of x, if there are any
  endfunction

  function automatic logic [NumOut-1:0] lowest(input logic [NumOut-1:0] x);
    lowest = x & (~x + 1'b1);
  endfunction

  function automatic logic [NumOut-1:0] after(input logic [NumOut-1:0] x);
    after = ~(x | (x - 1'b1));                              // all above the lowest
  endfunction

  // The same in every column at once
  function automatic logic [NumOut-1:0] cols(input logic [NumCells-1:0] x);
    cols = '0;                                              // the columns that have any
    for (int i = 0; i < NumIn; i++) cols = cols | x[i*NumOut +: NumOut];
  endfunction

  function automatic logic [NumCells-1:0] prefer_in_cols(input logic [NumCells-1:0] x, input logic [NumCells-1:0] best);
    prefer_in_cols = x & (best | ~{NumIn{cols(x & best)}});
  endfunction

  function automatic logic [NumCells-1:0] after_in_cols(input logic [NumCells-1:0] x);
    after_in_cols = x << NumOut;                            // reaches twice as far with each step
    for (int step = NumOut; step < NumCells; step = 2 * step) after_in_cols = after_in_cols | (after_in_cols << step);
  endfunction

  function automatic logic [NumCells-1:0] first_in_cols(input logic [NumCells-1:0] x);
    first_in_cols = x & ~after_in_cols(x);
  endfunction

  initial begin
    if (NumIn < 1 || NumIn > 64) $fatal(1, "alloc_islip: NumIn is 1 to 64");
    if (NumOut < 1 || NumOut > 64) $fatal(1, "alloc_islip: NumOut is 1 to 64");
    if (LevelBits < 1 || LevelBits > 16) $fatal(1, "alloc_islip: LevelBits is 1 to 16");
    if (NumCells * LevelBits > 8192) $fatal(1, "alloc_islip: NumIn * NumOut * LevelBits is at most 8192");
    if (Iters < 1 || Iters > 8) $fatal(1, "alloc_islip: Iters is 1 to 8");
  end

`ifndef SYNTHESIS
  logic [NumOut-1:0] twice;                                 // second grants of a row

  always_comb begin
    twice = '0;
    for (int i = 0; i < NumIn; i++) twice = twice | (gnt_o[i*NumOut +: NumOut] & (gnt_o[i*NumOut +: NumOut] - 1'b1));
  end

  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);                        // never grant without a request
    assert ((gnt_o & after_in_cols(gnt_o)) == '0);          // one input for an output
    assert (twice == '0);                                   // one output for an input
    assert (|gnt_o == |req_i);                              // work-conserving
  end
`endif
endmodule

`default_nettype wire
