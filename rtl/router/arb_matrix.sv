// SPDX-License-Identifier: Apache-2.0
//
// arb_matrix -- matrix arbiter: the least recently served requester wins.
//
// Every requester is older or younger than every other; the oldest of those that ask gets gnt_o, one-hot or zero, in the cycle of req_i.
// A winner becomes the youngest of all at the clock edge when update_i says the grant was taken; otherwise nothing moves. After reset
// requester i is older than all above it.
//
// Of the matrix only the cells above the diagonal are kept: row i, column j > i says that i is older than j.

`default_nettype none

module arb_matrix #(
  parameter  int NumReq   = 4,                         // requesters, 1 to 64
  localparam int NumCells = NumReq * NumReq
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [NumReq-1:0] req_i,
  input  wire logic              update_i,             // grant was taken this cycle
  output      logic [NumReq-1:0] gnt_o,                // one-hot or zero
  output      logic [NumReq-1:0] probe_youngest_o      // one-hot
);

  localparam logic [NumReq-1:0] ALL = {NumReq{1'b1}};

  logic [NumCells-1:0] older_d, older_q;
  logic [NumReq-1:0]   beaten;                         // somebody older asks
  logic [NumReq-1:0]   served;                         // becomes the youngest

  always_comb begin
    beaten = '0;
    for (int i = 0; i < NumReq; i++) begin
      if (req_i[i]) beaten = beaten | older_q[i*NumReq +: NumReq];
      if ((req_i & ~older_q[i*NumReq +: NumReq] & above(i)) != '0) beaten[i] = 1'b1;
    end
  end

  assign gnt_o  = req_i & ~beaten;
  assign served = update_i ? gnt_o : '0;

  always_comb begin
    for (int i = 0; i < NumReq; i++) begin
      older_d[i*NumReq +: NumReq] = served[i] ? '0 : (older_q[i*NumReq +: NumReq] | served) & above(i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) older_q <= by_number(ALL);
    else         older_q <= older_d;
  end

  always_comb begin
    probe_youngest_o = '1;
    for (int i = 0; i < NumReq; i++) begin
      probe_youngest_o = probe_youngest_o & (older_q[i*NumReq +: NumReq] | ~above(i));
      if (older_q[i*NumReq +: NumReq] != '0) probe_youngest_o[i] = 1'b0;
    end
  end

  function automatic logic [NumReq-1:0] above(input int i);               // the requesters above i
    above = (ALL << i) << 1;
  endfunction

  function automatic logic [NumCells-1:0] by_number(input logic [NumReq-1:0] all);
    for (int i = 0; i < NumReq; i++) by_number[i*NumReq +: NumReq] = (all << i) << 1;
  endfunction

  initial if (NumReq < 1 || NumReq > 64) $fatal(1, "arb_matrix: NumReq is 1 to 64");

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);                   // never grant without a request
    assert ($onehot0(gnt_o));
    assert (|gnt_o == |req_i);                         // work-conserving
    assert ($onehot(probe_youngest_o));                // the ages are an order
  end
`endif
endmodule

`default_nettype wire
