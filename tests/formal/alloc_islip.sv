// SPDX-License-Identifier: Apache-2.0
//
// alloc_islip_proof -- the match of alloc_islip is that of its rules, for free requests and levels.
//
// The wrapper states the rules again, with pointers as numbers. It compares keys: the level, then
// whether the number is at or above the pointer. Pointers move with the pairs of the first
// iteration only.

`default_nettype none

module alloc_islip_proof #(
  parameter  int NumIn     = 3,
  parameter  int NumOut    = 4,
  parameter  int LevelBits = 1,
  parameter  int Iters     = 1,
  localparam int NumCells  = NumIn * NumOut
) (
  input  wire logic                          clk_i,
  input  wire logic [NumCells-1:0]           req_i,
  input  wire logic [NumCells*LevelBits-1:0] level_i,
  input  wire logic                          update_i
);

  localparam int PTR_W = $clog2((NumIn > NumOut ? NumIn : NumOut) + 1);
  localparam int KEY_W = LevelBits + 2;

  logic                    rst_n = 1'b0;      // low in the first cycle only
  logic [NumCells-1:0]     gnt, offer, match, rule, rule_first;
  logic                    row_twice, col_twice;
  logic [NumIn*PTR_W-1:0]  in_ptr;            // of every input, an output number
  logic [NumOut*PTR_W-1:0] out_ptr;           // of every output, an input number
  logic [NumIn-1:0]        in_free, granted;
  logic [NumOut-1:0]       out_free, accepted, row;
  logic [KEY_W-1:0]        best;

  alloc_islip #(.NumIn(NumIn), .NumOut(NumOut), .LevelBits(LevelBits), .Iters(Iters)) u_dut (
    .clk_i, .rst_ni (rst_n), .req_i, .level_i, .update_i, .gnt_o (gnt)
  );

  // Rules 2 and 3: a higher level first, then a number at or above the pointer. Among equal keys
  // the loops below keep the lowest number.
  function automatic logic [KEY_W-1:0] key(input logic [LevelBits-1:0] level, input logic [PTR_W-1:0] number,
                                           input logic [PTR_W-1:0] ptr);
    key = {1'b1, level, number >= ptr};
  endfunction

  always_comb begin
    // The match by the rules: in each iteration outputs offer, inputs accept.
    rule       = '0;
    rule_first = '0;
    in_free    = {NumIn{1'b1}};
    out_free   = {NumOut{1'b1}};
    for (int n = 0; n < Iters; n++) begin
      offer = '0;
      match = '0;
      for (int o = 0; o < NumOut; o++) begin
        best    = '0;
        granted = '0;
        for (int i = 0; i < NumIn; i++) begin
          if (out_free[o] && in_free[i] && req_i[i*NumOut + o] &&
              key(level_i[(i*NumOut + o)*LevelBits +: LevelBits], PTR_W'(i), out_ptr[o*PTR_W +: PTR_W]) > best) begin
            best    = key(level_i[(i*NumOut + o)*LevelBits +: LevelBits], PTR_W'(i), out_ptr[o*PTR_W +: PTR_W]);
            granted = NumIn'(1) << i;
          end
        end
        for (int i = 0; i < NumIn; i++) offer[i*NumOut + o] = granted[i];
      end
      for (int i = 0; i < NumIn; i++) begin
        best     = '0;
        accepted = '0;
        for (int o = 0; o < NumOut; o++) begin
          if (offer[i*NumOut + o] &&
              key(level_i[(i*NumOut + o)*LevelBits +: LevelBits], PTR_W'(o), in_ptr[i*PTR_W +: PTR_W]) > best) begin
            best     = key(level_i[(i*NumOut + o)*LevelBits +: LevelBits], PTR_W'(o), in_ptr[i*PTR_W +: PTR_W]);
            accepted = NumOut'(1) << o;
          end
        end
        match[i*NumOut +: NumOut] = accepted;
        if (accepted != '0) in_free[i] = 1'b0;
        out_free = out_free & ~accepted;
      end
      rule = rule | match;
      if (n == 0) rule_first = match;
    end
  end

  always_comb begin
    // Two grants in a row or in a column.
    row_twice = 1'b0;
    col_twice = 1'b0;
    for (int i = 0; i < NumIn; i++) begin
      row = gnt[i*NumOut +: NumOut];
      if ((row & (row - 1'b1)) != '0) row_twice = 1'b1;
      for (int k = 0; k < i; k++) if ((row & gnt[k*NumOut +: NumOut]) != '0) col_twice = 1'b1;
    end
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    for (int i = 0; i < NumIn; i++) begin
      for (int o = 0; o < NumOut; o++) begin
        if (update_i && rule_first[i*NumOut + o]) begin
          // Rule 5: both pointers of a first-iteration pair move just above their partner.
          in_ptr[i*PTR_W +: PTR_W]  <= PTR_W'((o + 1) % NumOut);
          out_ptr[o*PTR_W +: PTR_W] <= PTR_W'((i + 1) % NumIn);
        end
      end
    end
    if (!rst_n) begin
      in_ptr  <= '0;
      out_ptr <= '0;
    end
  end

  always_comb if (rst_n) begin
    // Rule 4: at most one grant in a row and in a column, only for a request.
    one_in_row:      assert (!row_twice);
    one_in_col:      assert (!col_twice);
    only_asked:      assert ((gnt & ~req_i) == '0);
    // Rules 2 and 3: any request leads to a grant.
    work_conserving: assert ((gnt != '0) == (req_i != '0));
    // Later iterations never undo a pair of the first one.
    first_pairs:     assert ((rule_first & ~gnt) == '0);
    // Rules 2 to 5: the grants are those of the rules, so the pointers are, too.
    match_rule:      assert (gnt == rule);
    // Pairs of later iterations and moved pointers are reached.
    second_iteration: cover (rule != rule_first && in_ptr != '0);
    all_moved:       cover (NumCells == 1 || (in_ptr[0 +: PTR_W] != '0 && rule[NumCells-1] && rule[0]));
  end
endmodule

`default_nettype wire
