// SPDX-License-Identifier: Apache-2.0
//
// alloc_wavefront -- wavefront allocator: a maximal match in one cycle.
//
// Diagonal d has the cells with (in + out) mod Size = d, which share no row and no column. They are visited from the priority diagonal
// upwards, around the end; a request whose row and column are still free is granted. gnt_o is valid in the cycle of req_i. The priority
// moves to the next diagonal when there is a request and update_i says the grants were taken; after reset it is 0.
//
// Column o is turned down by o rows first, so that a diagonal is a row and all its cells are decided at once, and back at the end.

`default_nettype none

module alloc_wavefront #(
  parameter  int NumIn    = 4,                              // inputs, 1 to 64
  parameter  int NumOut   = 4,                              // outputs, 1 to 64
  localparam int Size     = NumIn > NumOut ? NumIn : NumOut,
  localparam int DiagBits = Size > 1 ? $clog2(Size) : 1
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,
  input  wire logic [NumIn*NumOut-1:0] req_i,               // row-major: in * NumOut + out
  input  wire logic                    update_i,            // grants were taken this cycle
  output      logic [NumIn*NumOut-1:0] gnt_o,
  output      logic [DiagBits-1:0]     probe_diagonal_o     // has priority
);

  localparam int NumCells = Size * NumOut;                  // as many rows as diagonals; those past the inputs are empty
  localparam int NumTurns = $clog2(NumOut);
  localparam logic [Size-1:0]     ALL  = {Size{1'b1}};
  localparam logic [DiagBits-1:0] LAST = DiagBits'(Size - 1);

  logic [DiagBits-1:0] diag_d, diag_q;
  logic [Size-1:0]     from;                                // the diagonals from the priority on
  logic [NumCells-1:0] req_diag_op, gnt_diag_op;
  logic [NumOut-1:0]   cells;                               // granted in this diagonal
  logic [NumOut-1:0]   free_op;
  logic [Size-1:0]     free_ip;                             // bit o: the row that this diagonal crosses in column o

  assign from = ALL << diag_q;

  always_comb begin
    req_diag_op = NumCells'(req_i);
    for (int k = 0; k < NumTurns; k++) begin           // the columns whose number has bit k go down 2^k rows
      req_diag_op = (req_diag_op & ~{Size{with_bit(k)}}) | (down(req_diag_op, 1 << k) & {Size{with_bit(k)}});
    end
  end

  always_comb begin
    gnt_diag_op = '0;
    free_op     = '1;
    free_ip     = '1;
    for (int pass = 0; pass < 2; pass++) begin              // from the priority to the last, then from 0 to the priority
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

  always_comb begin
    gnt_ip_op = gnt_diag_op;
    for (int k = 0; k < NumTurns; k++) begin
      gnt_ip_op = (gnt_ip_op & ~{Size{with_bit(k)}}) | (down(gnt_ip_op, Size - (1 << k)) & {Size{with_bit(k)}});
    end
    gnt_o = gnt_ip_op[NumIn*NumOut-1:0];
  end

  assign diag_d = !(update_i && |req_i) ? diag_q : diag_q == LAST ? '0 : diag_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) diag_q <= '0;
    else         diag_q <= diag_d;
  end

  assign probe_diagonal_o = diag_q;

  function automatic logic [NumOut-1:0] with_bit(input int k);             // the columns whose number has bit k
    for (int o = 0; o < NumOut; o++) with_bit[o] = 1'(o >> k);
  endfunction

  function automatic logic [NumCells-1:0] down(input logic [NumCells-1:0] x, input int rows);
    down = (x << (rows * NumOut)) | (x >> ((Size - rows) * NumOut));       // around the end
  endfunction

  initial begin
    if (NumIn < 1 || NumIn > 64) $fatal(1, "alloc_wavefront: NumIn is 1 to 64");
    if (NumOut < 1 || NumOut > 64) $fatal(1, "alloc_wavefront: NumOut is 1 to 64");
  end

`ifndef SYNTHESIS
  logic [NumIn*NumOut-1:0] rows_used;                       // cells of the rows that have a grant
  logic [NumOut-1:0]       used_op, twice;                  // columns that have a grant; second grants of a row or column

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
    assert ((gnt_o & ~req_i) == '0);                        // never grant without a request
    assert (twice == '0);                                   // one output for an input, one input for an output
    assert ((req_i & ~rows_used & ~{NumIn{used_op}}) == '0);  // maximal
    assert (32'(probe_diagonal_o) < Size);
  end
`endif
endmodule

`default_nettype wire
