// SPDX-License-Identifier: Apache-2.0
//
// alloc_sep_if_proof -- the grants of alloc_sep_if are those of its rules, for free requests.
//
// The wrapper states the rules again, with pointers as numbers. Each input picks the first of its
// requests at or above its pointer. Each output grants the first input that picked it. The pointers
// of both partners of a taken grant move just above each other.

`default_nettype none

module alloc_sep_if_proof #(
  parameter  int NumIn    = 3,
  parameter  int NumOut   = 4,
  localparam int NumCells = NumIn * NumOut
) (
  input  wire logic                clk_i,
  input  wire logic [NumCells-1:0] req_i,
  input  wire logic                update_i
);

  localparam int SIZE  = NumIn > NumOut ? NumIn : NumOut;
  localparam int PTR_W = $clog2(SIZE + 1);

  logic                    rst_n = 1'b0;      // low in the first cycle only
  logic [NumCells-1:0]     gnt, pick, rule;
  logic                    row_twice, col_twice;
  logic [NumIn*PTR_W-1:0]  in_ptr;            // of every input, an output number
  logic [NumOut*PTR_W-1:0] out_ptr;           // of every output, an input number
  logic [NumOut-1:0]       row;
  logic [NumIn-1:0]        col;

  alloc_sep_if #(.NumIn(NumIn), .NumOut(NumOut)) u_dut (.clk_i, .rst_ni (rst_n), .req_i, .update_i, .gnt_o (gnt));

  // The first set bit at or above the pointer, cyclically.
  function automatic logic [SIZE-1:0] first_from(input logic [SIZE-1:0] x, input logic [PTR_W-1:0] ptr);
    first_from = '0;
    for (int k = SIZE - 1; k >= 0; k--) if (x[k]) first_from = SIZE'(1) << k;
    for (int k = SIZE - 1; k >= 0; k--) if (x[k] && PTR_W'(k) >= ptr) first_from = SIZE'(1) << k;
  endfunction

  always_comb begin
    // Rule 2: inputs pick, then outputs grant.
    pick = '0;
    for (int i = 0; i < NumIn; i++)
      pick[i*NumOut +: NumOut] = NumOut'(first_from(SIZE'(req_i[i*NumOut +: NumOut]), in_ptr[i*PTR_W +: PTR_W]));
    rule = '0;
    for (int o = 0; o < NumOut; o++) begin
      for (int i = 0; i < NumIn; i++) col[i] = pick[i*NumOut + o];
      col = NumIn'(first_from(SIZE'(col), out_ptr[o*PTR_W +: PTR_W]));
      for (int i = 0; i < NumIn; i++) rule[i*NumOut + o] = col[i];
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
        if (update_i && rule[i*NumOut + o]) begin
          // Rule 4: only the partners of a grant move their pointers.
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
    // Rule 3: at most one grant in a row and in a column, only for a request.
    one_in_row:      assert (!row_twice);
    one_in_col:      assert (!col_twice);
    only_asked:      assert ((gnt & ~req_i) == '0);
    // Rule 2: any request leads to a grant.
    work_conserving: assert ((gnt != '0) == (req_i != '0));
    // Rules 2 and 4: the grants are those of the rules, so the pointers are, too.
    pointer_rule:    assert (gnt == rule);
    // The first and the last pair are granted together, after pointers have moved.
    corners:         cover (gnt[NumCells-1] && gnt[0] && (in_ptr != '0 || NumCells == 1));
  end
endmodule

`default_nettype wire
