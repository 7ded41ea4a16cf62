// SPDX-License-Identifier: Apache-2.0
//
// alloc_sep_if -- separable input-first allocator: each input picks an output, then each output
// picks an input. Both choose by round robin, in the cycle of req_i.
//
//   req_i --> each input picks --> each output picks --> gnt_o     all combinational
//             an output            one of its inputs
//
// gnt_o has at most one bit in a row and in a column. When update_i says that the grants were
// taken, both pointers of each grant move just above the partner. The pointers of an input whose
// pick lost, and of an output without a grant, stay. So a request that stays is granted in the end.
// After reset all pointers are 0.
//
// A pointer is a mask, as in arb_rr: all that is above the last winner. Masks of the inputs are
// rows, masks of the outputs are columns. So all outputs choose at once while the inputs pass by.

`default_nettype none

module alloc_sep_if #(
  parameter int NumIn  = 4,  // inputs, 1 to 64
  parameter int NumOut = 4   // outputs, 1 to 64
) (
  input  wire logic                    clk_i,     // router clock
  input  wire logic                    rst_ni,    // asynchronous, active low
  input  wire logic [NumIn*NumOut-1:0] req_i,     // row-major: bit in * NumOut + out
  input  wire logic                    update_i,  // the grants of this cycle were taken
  output      logic [NumIn*NumOut-1:0] gnt_o      // the match, row-major, in this cycle
);

  // One element an input, one bit an output.
  logic [NumOut-1:0] in_mask_d  [0:NumIn-1], in_mask_q  [0:NumIn-1];  // row: outputs above the input's last winner
  logic [NumOut-1:0] out_mask_d [0:NumIn-1], out_mask_q [0:NumIn-1];  // column: inputs above the output's last winner
  logic [NumOut-1:0] pick       [0:NumIn-1];                          // choice of each input: at most one bit
  logic [NumOut-1:0] served     [0:NumIn-1];                          // grants that move pointers
  logic [NumOut-1:0] ahead;                               // outputs picked by an input at or above their pointer
  logic [NumOut-1:0] granted, moved;                                  // outputs that have granted to a passed input

  // Inputs pick, then outputs grant the first input that passes, at or above their pointer if any
  // is. Last the pointers: out_mask of a moved column is filled from the partner on.
  always_comb begin
    ahead = '0;
    for (int i = 0; i < NumIn; i++) begin
      pick[i] = lowest(prefer(req_i[i*NumOut +: NumOut], in_mask_q[i]));
      ahead   = ahead | (pick[i] & out_mask_q[i]);
    end
    granted = '0;
    for (int i = 0; i < NumIn; i++) begin
      gnt_o[i*NumOut +: NumOut] = pick[i] & (out_mask_q[i] | ~ahead) & ~granted;
      granted   = granted | gnt_o[i*NumOut +: NumOut];
      served[i] = update_i ? gnt_o[i*NumOut +: NumOut] : '0;
    end
    moved = update_i ? granted : '0;
    for (int i = 0; i < NumIn; i++) begin
      in_mask_d[i]  = |served[i] ? above(served[i]) : in_mask_q[i];
      out_mask_d[i] = out_mask_q[i] & ~moved;
    end
    for (int i = 1; i < NumIn; i++) out_mask_d[i] = out_mask_d[i] | served[i-1] | (out_mask_d[i-1] & moved);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < NumIn; i++) in_mask_q[i]  <= '1;
      for (int i = 0; i < NumIn; i++) out_mask_q[i] <= '1;
    end else begin
      for (int i = 0; i < NumIn; i++) in_mask_q[i]  <= in_mask_d[i];
      for (int i = 0; i < NumIn; i++) out_mask_q[i] <= out_mask_d[i];
    end
  end

  // The part of x that is in best, or all of x if that part is empty.
  function automatic logic [NumOut-1:0] prefer(input logic [NumOut-1:0] x, input logic [NumOut-1:0] best);
    prefer = |(x & best) ? x & best : x;
  endfunction

  // The lowest set bit.
  function automatic logic [NumOut-1:0] lowest(input logic [NumOut-1:0] x);
    lowest = x & (~x + 1'b1);
  endfunction

  // All above a one-hot bit.
  function automatic logic [NumOut-1:0] above(input logic [NumOut-1:0] x);
    above = ~(x | (x - 1'b1));
  endfunction

  initial begin
    if (NumIn < 1 || NumIn > 64) $fatal(1, "alloc_sep_if: NumIn is 1 to 64");
    if (NumOut < 1 || NumOut > 64) $fatal(1, "alloc_sep_if: NumOut is 1 to 64");
  end

`ifndef SYNTHESIS
  // For the assertions: a second grant of a row or of a column.
  logic [NumOut-1:0] used, twice;                         // used: outputs with a grant

  always_comb begin
    used  = '0;
    twice = '0;
    for (int i = 0; i < NumIn; i++) begin
      twice = twice | (gnt_o[i*NumOut +: NumOut] & (used | (gnt_o[i*NumOut +: NumOut] - 1'b1)));
      used  = used | gnt_o[i*NumOut +: NumOut];
    end
  end

  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);                      // never grant without a request
    assert (twice == '0);                                 // at most one bit in a row and in a column
    assert (|gnt_o == |req_i);                            // work-conserving
  end
`endif
endmodule

`default_nettype wire
