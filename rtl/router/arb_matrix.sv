// SPDX-License-Identifier: Apache-2.0
//
// arb_matrix -- matrix arbiter: the least recently served requester wins.
//
// Every requester is older or younger than every other. The oldest of those that ask
// gets gnt_o, in the cycle of req_i. A winner becomes the youngest of all at the clock
// edge when update_i says that the grant was taken; otherwise nothing moves. After
// reset requester i is older than all above it.
//
// Only the cells above the diagonal are kept, as the others are their complement:
//
//       0  1  2  3      cell (i, j), j > i: 1: i is older than j, 0: j is older
//   0   .  1  1  1
//   1   .  .  1  1      after reset
//   2   .  .  .  1
//   3   .  .  .  .

`default_nettype none

module arb_matrix #(
  parameter int NumReq = 4  // requesters, 1 to 64
) (
  input  wire logic              clk_i,            // router clock
  input  wire logic              rst_ni,           // asynchronous, active low
  input  wire logic [NumReq-1:0] req_i,            // bit i: requester i asks
  input  wire logic              update_i,         // the grant of this cycle was taken
  output      logic [NumReq-1:0] gnt_o,            // one-hot or zero, in the cycle of req_i
  output      logic [NumReq-1:0] probe_youngest_o  // one-hot: all others are older
);

  // A row an element, as a vector; bits at and below the diagonal are 0.
  logic [NumReq-1:0] older_d [0:NumReq-1], older_q [0:NumReq-1];
  logic [NumReq-1:0] beaten;                           // an older requester asks
  logic [NumReq-1:0] served;                           // becomes the youngest

  // A requester i that asks beats those above it that have a one in row i. If
  // one with a zero there asks, it beats i.
  always_comb begin
    beaten = '0;
    for (int i = 0; i < NumReq; i++) begin
      beaten    = beaten | (older_q[i] & {NumReq{req_i[i]}});
      beaten[i] = beaten[i] | (|(req_i & ~older_q[i] & above(i)));
    end
  end

  assign gnt_o  = req_i & ~beaten;
  assign served = update_i ? gnt_o : '0;

  // A winner loses its ones and everybody else wins a one against it: it is the youngest.
  always_comb begin
    for (int i = 0; i < NumReq; i++) older_d[i] = served[i] ? '0 : (older_q[i] | served) & above(i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) for (int i = 0; i < NumReq; i++) older_q[i] <= above(i);
    else         for (int i = 0; i < NumReq; i++) older_q[i] <= older_d[i];
  end

  // For the probe: all below i are older than i by their rows, all above i by row i.
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
