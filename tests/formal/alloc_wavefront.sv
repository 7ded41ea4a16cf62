// SPDX-License-Identifier: Apache-2.0
//
// alloc_wavefront_proof -- what alloc_wavefront promises, for free requests.
//
// The rule is written again here cell by cell: diagonals from the priority upwards, a request whose row and column are still
// free is granted. The grants are a maximal match whatever the priority.

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
    one_in_row:  assert (!row_twice);
    one_in_col:  assert (!col_twice);
    only_asked:  assert ((gnt & ~req_i) == '0);
    maximal:     assert (!left);
    priority_moves: assert (diagonal == due);
    order:       assert (gnt == rule);
    last_diagonal: cover (32'(diagonal) == Size - 1 && gnt != '0);
  end
endmodule

`default_nettype wire
