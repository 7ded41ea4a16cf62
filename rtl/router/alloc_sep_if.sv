// SPDX-License-Identifier: Apache-2.0
//
// alloc_sep_if -- separable input-first allocator: each input picks an output, then each output picks an input.
//
// Both by round robin, in the cycle of req_i. gnt_o has at most one bit in a row and in a column. When update_i says the grants were
// taken, the pointers of the input and of the output of each grant move just above what they granted; those of an input whose pick
// lost, and of an output without a grant, stay. After reset all are 0.
//
// A pointer is held as a mask, as in arb_rr: what is above the last winner, all after reset. Inputs choose row by row; outputs choose
// in all columns at once.

`default_nettype none

module alloc_sep_if #(
  parameter  int NumIn    = 4,                              // inputs, 1 to 64
  parameter  int NumOut   = 4,                              // outputs, 1 to 64
  localparam int NumCells = NumIn * NumOut
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [NumCells-1:0] req_i,                   // row-major: in * NumOut + out
  input  wire logic                update_i,                // grants were taken this cycle
  output      logic [NumCells-1:0] gnt_o
);

  logic [NumCells-1:0] in_mask_d, in_mask_q;                // row: outputs above the input's last
  logic [NumCells-1:0] out_mask_d, out_mask_q;              // column: inputs above the output's last
  logic [NumCells-1:0] pick;                                // at most one in a row
  logic [NumCells-1:0] served;

  always_comb begin
    for (int i = 0; i < NumIn; i++) begin
      pick[i*NumOut +: NumOut] = lowest(prefer(req_i[i*NumOut +: NumOut], in_mask_q[i*NumOut +: NumOut]));
    end
  end

  assign gnt_o  = first_in_cols(prefer_in_cols(pick, out_mask_q));
  assign served = update_i ? gnt_o : '0;

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
    if (NumIn < 1 || NumIn > 64) $fatal(1, "alloc_sep_if: NumIn is 1 to 64");
    if (NumOut < 1 || NumOut > 64) $fatal(1, "alloc_sep_if: NumOut is 1 to 64");
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
