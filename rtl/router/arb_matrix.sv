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
  parameter int NumReq = 4                             // requesters, 1 to 64
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [NumReq-1:0] req_i,
  input  wire logic              update_i,             // grant was taken this cycle
  output      logic [NumReq-1:0] gnt_o,                // one-hot or zero
  output      logic [NumReq-1:0] probe_youngest_o      // one-hot
);

  logic [NumReq-1:0] older_d [0:NumReq-1], older_q [0:NumReq-1];
  logic [NumReq-1:0] beaten;                           // somebody older asks
  logic [NumReq-1:0] served;                           // becomes the youngest

  always_comb begin
    beaten = '0;
    for (int i = 0; i < NumReq; i++) begin
      beaten    = beaten | (older_q[i] & {NumReq{req_i[i]}});
      beaten[i] = beaten[i] | (|(req_i & ~older_q[i] & above(i)));
    end
  end

  assign gnt_o  = req_i & ~beaten;
  assign served = update_i ? gnt_o : '0;

  always_comb begin
    for (int i = 0; i < NumReq; i++) older_d[i] = served[i] ? '0 : (older_q[i] | served) & above(i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) for (int i = 0; i < NumReq; i++) older_q[i] <= above(i);
    else         for (int i = 0; i < NumReq; i++) older_q[i] <= older_d[i];
  end

  always_comb begin
    probe_youngest_o = '1;
    for (int i = 0; i < NumReq; i++) begin
      probe_youngest_o    = probe_youngest_o & (older_q[i] | ~above(i));
      probe_youngest_o[i] = probe_youngest_o[i] & ~(|older_q[i]);
    end
  end

  function automatic logic [NumReq-1:0] above(input int i);  // the requesters above i
    above = ({NumReq{1'b1}} << i) << 1;
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
