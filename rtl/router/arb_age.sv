// SPDX-License-Identifier: Apache-2.0
//
// arb_age -- weighted arbiter: the highest level wins (an age, a distance,
// a rank); equals take turns.
//
// Of the requesters that ask with the highest level, the first at or above the round-robin pointer
// gets gnt_o, around the end. Combinational from req_i and level_i. The pointer moves just above
// the winner, whatever its level, when update_i says that the grant was taken; after reset it is 0.
//
//   level_i, req_i --> tournament: best[1] --> top: those at best[1] --> arb_rr --> gnt_o

`default_nettype none

module arb_age #(
  parameter  int NumReq    = 4,                               // requesters, 1 to 64
  parameter  int LevelBits = 4,                               // bits of a level, 1 to 16
  localparam int FirstBits = NumReq > 1 ? $clog2(NumReq) : 1  // bits of a requester's number
) (
  input  wire logic                        clk_i,         // router clock
  input  wire logic                        rst_ni,        // asynchronous, active low
  input  wire logic [NumReq-1:0]           req_i,         // bit i: requester i asks
  input  wire logic [NumReq*LevelBits-1:0] level_i,       // LevelBits a requester, 0 lowest; read where req_i is 1
  input  wire logic                        update_i,      // the grant of this cycle was taken
  output      logic [NumReq-1:0]           gnt_o,         // one-hot or zero, in the cycle of req_i
  output      logic [FirstBits-1:0]        probe_first_o  // the pointer: first in turn among equals
);

  // A tournament as a heap: node n has the better of nodes 2n and 2n + 1. The leaves are the
  // requesters, and node 1 has the highest level. So the depth grows with the logarithm of NumReq.
  logic [LevelBits-1:0] best [1:2*NumReq-1];                       // leaf NumReq + i: requester i
  logic [NumReq-1:0]    top;                                       // those that ask with the highest level
  logic [NumReq-1:0]    mask;                                      // requesters above the last winner

  // A requester that does not ask has level 0 in the tournament; req_i keeps it out of top.
  always_comb begin
    for (int i = 0; i < NumReq; i++) best[NumReq+i] = req_i[i] ? level_i[i*LevelBits +: LevelBits] : '0;
    for (int n = NumReq - 1; n >= 1; n--) best[n] = best[2*n] > best[2*n+1] ? best[2*n] : best[2*n+1];
    for (int i = 0; i < NumReq; i++) top[i] = req_i[i] && best[NumReq+i] == best[1];
  end

  // The pointer is the mask of arb_rr.
  arb_rr #(.NumReq(NumReq)) u_turns (.clk_i, .rst_ni, .req_i (top), .update_i, .gnt_o, .probe_mask_o (mask));

  always_comb begin
    probe_first_o = '0;
    for (int i = NumReq - 1; i >= 0; i--) if (mask[i]) probe_first_o = FirstBits'(i);
  end

  initial begin
    if (NumReq < 1 || NumReq > 64) $fatal(1, "arb_age: NumReq is 1 to 64");
    if (LevelBits < 1 || LevelBits > 16) $fatal(1, "arb_age: LevelBits is 1 to 16");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);                               // never grant without a request
    assert ($onehot0(gnt_o));
    assert (|gnt_o == |req_i);                                     // work-conserving
  end
`endif
endmodule

`default_nettype wire
