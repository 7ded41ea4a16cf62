// SPDX-License-Identifier: Apache-2.0
//
// alloc_wavefront_proof -- the grants of alloc_wavefront are those of its rules and a maximal
// match, for free requests.
//
// The wrapper states the rules again cell by cell. It visits diagonals from the priority diagonal
// on, and grants a request if its row and column are still free.

`default_nettype none

module alloc_wavefront_proof #(
  parameter  int NumIn    = 3,
  parameter  int NumOut   = 4,
  localparam int NumCells = NumIn * NumOut,
  localparam int Size     = NumIn > NumOut ? NumIn : NumOut,
  localparam int DiagBits = Size > 1 ? $clog2(Size) : 1
) (
  input  wire logic                clk_i,
  input  wire logic [NumCells-1:0] req_i,
  input  wire logic                update_i
);

  logic                rst_n = 1'b0;          // low in the first cycle only
  logic [NumCells-1:0] gnt, rule;
  logic [DiagBits-1:0] diagonal, due;
  logic                row_twice, col_twice, left;
  logic [NumOut-1:0]   row, cols;
  logic [NumIn-1:0]    in_free;
  logic [NumOut-1:0]   out_free;

  alloc_wavefront #(.NumIn(NumIn), .NumOut(NumOut)) u_dut (
    .clk_i, .rst_ni (rst_n), .req_i, .update_i, .gnt_o (gnt), .probe_diagonal_o (diagonal)
  );

  always_comb begin
    // Rule 3: `due` is the priority diagonal by rule 5.
    rule     = '0;
    in_free  = {NumIn{1'b1}};
    out_free = {NumOut{1'b1}};
    for (int d = 0; d < Size; d++) begin
      for (int i = 0; i < NumIn; i++) begin
        for (int o = 0; o < NumOut; o++) begin
          if (due == DiagBits'((i + o + Size - d) % Size) && req_i[i*NumOut + o] && in_free[i] && out_free[o]) begin
            rule[i*NumOut + o] = 1'b1;
            in_free[i]  = 1'b0;
            out_free[o] = 1'b0;
          end
        end
      end
    end
  end

  always_comb begin
    // Two grants in a row or in a column; a request that has its row and column free.
    row_twice = 1'b0;
    col_twice = 1'b0;
    left      = 1'b0;
    cols      = '0;
    for (int i = 0; i < NumIn; i++) begin
      row = gnt[i*NumOut +: NumOut];
      if ((row & (row - 1'b1)) != '0) row_twice = 1'b1;
      if ((row & cols) != '0) col_twice = 1'b1;
      cols = cols | row;
    end
    for (int i = 0; i < NumIn; i++) begin
      if (gnt[i*NumOut +: NumOut] == '0 && (req_i[i*NumOut +: NumOut] & ~cols) != '0) left = 1'b1;
    end
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) due <= '0;
    else if (update_i && req_i != '0) due <= 32'(due) == Size - 1 ? '0 : due + 1'b1;
  end

  always_comb if (rst_n) begin
    // Rule 4: at most one grant in a row and in a column, only for a request.
    one_in_row:  assert (!row_twice);
    one_in_col:  assert (!col_twice);
    only_asked:  assert ((gnt & ~req_i) == '0);
    // Rule 4: no request is left with its row and column free.
    maximal:     assert (!left);
    // Rule 5: the priority diagonal moves in a cycle with update and a request.
    priority_moves: assert (diagonal == due);
    // Rule 3: the grants are those of the rule.
    order:       assert (gnt == rule);
    // The pointer comes to its last value.
    last_diagonal: cover (32'(diagonal) == Size - 1 && gnt != '0);
  end
endmodule

`default_nettype wire
