// SPDX-License-Identifier: Apache-2.0
//
// alloc_islip -- iSLIP allocator: outputs grant, inputs accept, Iters times (NUPIM paper, Table I).
//
// In an iteration each output without a partner grants one of the inputs without a partner that ask
// for it. Each input accepts one of its grants, and the two are matched. Both choose the highest
// level, and among equals the first at or above their round-robin pointer.
//
//   req, level --> [ outputs grant --> inputs accept ] --> match --> gnt_o
//                    ^   without partners:  left   |       all combinational
//                    +-----------------------------+ Iters times
//
// gnt_o has at most one bit in a row and in a column. When update_i says that the grants were
// taken, both pointers of each pair matched in the first iteration move just above the partner. No
// other pointer moves: with one level no request that stays can starve. After reset all are 0.
//
// A pointer is a mask, as in arb_rr: all that is above the last partner. Masks of the inputs are
// rows, masks of the outputs are columns. So all outputs choose at once while the inputs pass by.

`default_nettype none

module alloc_islip #(
  parameter int NumIn     = 4,  // inputs, 1 to 64
  parameter int NumOut    = 4,  // outputs, 1 to 64
  parameter int LevelBits = 1,  // bits of a level, 1 to 16; all levels together at most 8192
  parameter int Iters     = 1   // iterations, 1 to 8
) (
  input  wire logic                              clk_i,     // router clock
  input  wire logic                              rst_ni,    // asynchronous, active low
  input  wire logic [NumIn*NumOut-1:0]           req_i,     // row-major: bit in * NumOut + out
  input  wire logic [NumIn*NumOut*LevelBits-1:0] level_i,   // LevelBits a pair, in the same order
  input  wire logic                              update_i,  // the grants of this cycle were taken
  output      logic [NumIn*NumOut-1:0]           gnt_o      // the match, row-major, in this cycle
);

  // One element an input, one bit an output.
  logic [NumOut-1:0] in_mask_d  [0:NumIn-1], in_mask_q  [0:NumIn-1];  // row: outputs above the input's last partner
  logic [NumOut-1:0] out_mask_d [0:NumIn-1], out_mask_q [0:NumIn-1];  // column: inputs above the output's last partner
  logic [NumOut-1:0] left       [0:NumIn-1];                          // requests between those without a partner
  logic [NumOut-1:0] offer      [0:NumIn-1];                          // of those the highest level of each output
  logic [NumOut-1:0] match      [0:NumIn-1];                          // pairs matched so far
  logic [NumOut-1:0] served     [0:NumIn-1];                          // pairs that move pointers
  logic [NumOut-1:0] row;                                             // grants of this input, then its choice
  logic [NumOut-1:0] asked, several;                                  // several: with more than one input
  logic [NumOut-1:0] ahead;                                           // outputs asked for at or above their pointer
  logic [NumOut-1:0] granted, taken;                                  // outputs granted to, accepted by, passed inputs
  logic [NumOut-1:0] moved;                                           // outputs whose pointer moves

  // Tournaments as heaps: node n has the higher level of nodes 2n and 2n + 1.
  logic [LevelBits-1:0] best_ip [1:2*NumIn-1];              // of the inputs, for an output
  logic [LevelBits-1:0] best_op [1:2*NumOut-1];             // of the outputs, for an input

  // The match. A request without a rival needs no comparison of levels.
  always_comb begin
    for (int k = 1; k < 2 * NumIn; k++) best_ip[k] = '0;
    for (int k = 1; k < 2 * NumOut; k++) best_op[k] = '0;
    moved = '0;
    for (int i = 0; i < NumIn; i++) begin
      left[i]   = req_i[i*NumOut +: NumOut];
      match[i]  = '0;
      served[i] = '0;
    end
    for (int n = 0; n < Iters; n++) begin
      // Outputs: keep the highest level, then find the outputs with a request at
      // or above their pointer.
      asked   = '0;
      several = '0;
      for (int i = 0; i < NumIn; i++) begin
        offer[i] = left[i];
        several  = several | (asked & left[i]);
        asked    = asked | left[i];
      end
      for (int o = 0; o < NumOut; o++) begin
        if (several[o]) begin
          for (int i = 0; i < NumIn; i++)
            best_ip[NumIn+i] = left[i][o] ? level_i[(i*NumOut+o)*LevelBits +: LevelBits] : '0;
          for (int k = NumIn - 1; k >= 1; k--)
            best_ip[k] = best_ip[2*k] > best_ip[2*k+1] ? best_ip[2*k] : best_ip[2*k+1];
          for (int i = 0; i < NumIn; i++) if (best_ip[NumIn+i] != best_ip[1]) offer[i][o] = 1'b0;
        end
      end
      ahead = '0;
      for (int i = 0; i < NumIn; i++) ahead = ahead | (offer[i] & out_mask_q[i]);

      // Inputs, in turn: an output grants the first that passes (at or above its pointer, if there
      // is any). The input accepts by level, then by its pointer.
      granted = '0;
      taken   = '0;
      for (int i = 0; i < NumIn; i++) begin
        row     = offer[i] & (out_mask_q[i] | ~ahead) & ~granted;
        granted = granted | row;
        if ((row & (row - 1'b1)) != '0) begin
          for (int o = 0; o < NumOut; o++)
            best_op[NumOut+o] = row[o] ? level_i[(i*NumOut+o)*LevelBits +: LevelBits] : '0;
          for (int k = NumOut - 1; k >= 1; k--)
            best_op[k] = best_op[2*k] > best_op[2*k+1] ? best_op[2*k] : best_op[2*k+1];
          for (int o = 0; o < NumOut; o++) if (best_op[NumOut+o] != best_op[1]) row[o] = 1'b0;
        end
        row      = lowest(prefer(row, in_mask_q[i]));
        taken    = taken | row;
        match[i] = match[i] | row;
        if (|row) left[i] = '0;
        if (n == 0 && update_i) served[i] = row;
      end
      if (n == 0 && update_i) moved = taken;
      for (int i = 0; i < NumIn; i++) left[i] = left[i] & ~taken;
    end
    for (int i = 0; i < NumIn; i++) gnt_o[i*NumOut +: NumOut] = match[i];
  end

  // The pointers. out_mask: bit o of input i is set if i is above the partner of o. So a moved
  // column is filled from the partner on.
  always_comb begin
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
    if (NumIn < 1 || NumIn > 64) $fatal(1, "alloc_islip: NumIn is 1 to 64");
    if (NumOut < 1 || NumOut > 64) $fatal(1, "alloc_islip: NumOut is 1 to 64");
    if (LevelBits < 1 || LevelBits > 16) $fatal(1, "alloc_islip: LevelBits is 1 to 16");
    if (NumIn * NumOut * LevelBits > 8192) $fatal(1, "alloc_islip: NumIn * NumOut * LevelBits is at most 8192");
    if (Iters < 1 || Iters > 8) $fatal(1, "alloc_islip: Iters is 1 to 8");
  end

`ifndef SYNTHESIS
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

`ifdef FORMAL
  // Every reachable state is like this: a mask is all that lies above
  // something. Proofs prove it, then begin there.
  always @(posedge clk_i) if (rst_ni) begin
    for (int i = 0; i < NumIn; i++) begin
      assert ((in_mask_q[i] | (in_mask_q[i] << 1)) == in_mask_q[i]);
      if (i > 0) assert ((out_mask_q[i-1] & ~out_mask_q[i]) == '0);
    end
  end
`endif
endmodule

`default_nettype wire
