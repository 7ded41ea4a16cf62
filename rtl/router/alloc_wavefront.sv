// SPDX-License-Identifier: Apache-2.0
//
// alloc_wavefront -- wavefront allocator: a maximal match in one cycle.
//
// Diagonal d has the cells with (in + out) mod Size = d, which share no row and no column. A wave
// visits the diagonals from the priority diagonal upwards, around the end. A request whose row and
// column are still free is granted. gnt_o is valid in the cycle of req_i.
//
//        out 0 1 2 3
//   in 0     0 1 2 3      number: the cell's diagonal, Size 4; the wave decides all cells
//   in 1     1 2 3 0      of a diagonal at once
//   in 2     2 3 0 1
//   in 3     3 0 1 2
//
// The priority moves to the next diagonal when there is a request and update_i says that the grants
// were taken. After reset it is 0. Column o is turned down by o rows first, so that a diagonal is a
// row. The grants are turned back at the end.

`default_nettype none

module alloc_wavefront #(
  parameter  int NumIn    = 4,                                // inputs, 1 to 64
  parameter  int NumOut   = 4,                                // outputs, 1 to 64
  localparam int Size     = NumIn > NumOut ? NumIn : NumOut,  // diagonals, and rows of the turned matrix
  localparam int DiagBits = Size > 1 ? $clog2(Size) : 1       // bits of a diagonal's number
) (
  input  wire logic                    clk_i,            // router clock
  input  wire logic                    rst_ni,           // asynchronous, active low
  input  wire logic [NumIn*NumOut-1:0] req_i,            // row-major: bit in * NumOut + out
  input  wire logic                    update_i,         // the grants of this cycle were taken
  output      logic [NumIn*NumOut-1:0] gnt_o,            // a maximal match, row-major, in this cycle
  output      logic [DiagBits-1:0]     probe_diagonal_o  // diagonal that has priority
);

  localparam int NumCells = Size * NumOut;                  // a row per diagonal; rows past the inputs are empty
  localparam int NumTurns = $clog2(NumOut);                 // steps of a turn: powers of two
  localparam logic [Size-1:0]     ALL  = {Size{1'b1}};
  localparam logic [DiagBits-1:0] LAST = DiagBits'(Size - 1);

  logic [DiagBits-1:0] diag_d, diag_q;
  logic [Size-1:0]     from;                                // diagonals from the priority on
  logic [NumCells-1:0] req_diag_op, gnt_diag_op;            // the turned matrices: a row per diagonal
  logic [NumOut-1:0]   cells;                               // granted in this diagonal
  logic [NumOut-1:0]   free_op;                             // columns that are free
  logic [Size-1:0]     free_ip;                             // bit o: row that this diagonal crosses in column o is free

  assign from = ALL << diag_q;

  // Turn: column o goes down by o rows, a power of two at a time.
  always_comb begin
    req_diag_op = NumCells'(req_i);
    for (int k = 0; k < NumTurns; k++) begin           // columns whose number has bit k: 2^k rows
      req_diag_op = (req_diag_op & ~{Size{with_bit(k)}}) | (down(req_diag_op, 1 << k) & {Size{with_bit(k)}});
    end
  end

  // The wave. free_ip turns with the diagonals, so that the row of column o is always bit o.
  always_comb begin
    gnt_diag_op = '0;
    free_op     = '1;
    free_ip     = '1;
    for (int pass = 0; pass < 2; pass++) begin              // pass 0: from the priority to the last, pass 1: the rest
      for (int d = 0; d < Size; d++) begin
        cells = from[d] == (pass == 0) ? req_diag_op[d*NumOut +: NumOut] & free_op & free_ip[NumOut-1:0] : '0;
        gnt_diag_op[d*NumOut +: NumOut] = gnt_diag_op[d*NumOut +: NumOut] | cells;
        free_op = free_op & ~cells;
        free_ip[NumOut-1:0] = free_ip[NumOut-1:0] & ~cells;
        free_ip = (free_ip << 1) | (free_ip >> (Size - 1));
      end
    end
  end

  logic [NumCells-1:0] gnt_ip_op;

  // Turn back: another Size - o rows down, around the end.
  always_comb begin
    gnt_ip_op = gnt_diag_op;
    for (int k = 0; k < NumTurns; k++) begin
      gnt_ip_op = (gnt_ip_op & ~{Size{with_bit(k)}}) | (down(gnt_ip_op, Size - (1 << k)) & {Size{with_bit(k)}});
    end
    gnt_o = gnt_ip_op[NumIn*NumOut-1:0];
  end

  // The priority moves with each update that has a request, whatever was granted.
  assign diag_d = !(update_i && |req_i) ? diag_q : diag_q == LAST ? '0 : diag_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) diag_q <= '0;
    else         diag_q <= diag_d;
  end

  assign probe_diagonal_o = diag_q;

  // Columns whose number has bit k.
  function automatic logic [NumOut-1:0] with_bit(input int k);
    for (int o = 0; o < NumOut; o++) with_bit[o] = 1'(o >> k);
  endfunction

  // The matrix moved down by some rows, around the end.
  function automatic logic [NumCells-1:0] down(input logic [NumCells-1:0] x, input int rows);
    down = (x << (rows * NumOut)) | (x >> ((Size - rows) * NumOut));
  endfunction

  initial begin
    if (NumIn < 1 || NumIn > 64) $fatal(1, "alloc_wavefront: NumIn is 1 to 64");
    if (NumOut < 1 || NumOut > 64) $fatal(1, "alloc_wavefront: NumOut is 1 to 64");
  end

`ifndef SYNTHESIS
  logic [NumIn*NumOut-1:0] rows_used;                       // cells of the rows that have a grant
  logic [NumOut-1:0]       used_op, twice;                  // columns that have a grant; a second grant

  always_comb begin
    used_op = '0;
    twice   = '0;
    for (int i = 0; i < NumIn; i++) begin
      twice   = twice | (gnt_o[i*NumOut +: NumOut] & (used_op | (gnt_o[i*NumOut +: NumOut] - 1'b1)));
      used_op = used_op | gnt_o[i*NumOut +: NumOut];
      rows_used[i*NumOut +: NumOut] = {NumOut{|gnt_o[i*NumOut +: NumOut]}};
    end
  end

  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);                          // never grant without a request
    assert (twice == '0);                                     // at most one bit in a row and in a column
    assert ((req_i & ~rows_used & ~{NumIn{used_op}}) == '0);  // maximal: no request has row and column free
    assert (32'(probe_diagonal_o) < Size);
  end
`endif
endmodule

`default_nettype wire
