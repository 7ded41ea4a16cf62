// SPDX-License-Identifier: Apache-2.0
//
// arb_fixed_proof -- in arb_fixed the lowest requester wins, for free requests. A cover shows that
// requester 1 can starve.

`default_nettype none

module arb_fixed_proof #(
  parameter  int NumReq = 4,
  localparam int IdxW   = $clog2(NumReq + 1)
) (
  input  wire logic              clk_i,
  input  wire logic [NumReq-1:0] req_i,
  input  wire logic              update_i,
  input  wire logic [IdxW-1:0]   who_i
);

  localparam int STARVED = 4 * NumReq;        // more grants than any fair arbiter lets pass

  logic                           rst_n = 1'b0;  // low in the first cycle only
  logic [NumReq-1:0]              gnt;
  logic [IdxW-1:0]                who;
  logic                           won;
  logic [$clog2(STARVED + 1)-1:0] count;

  arb_fixed #(.NumReq(NumReq)) u_dut (.clk_i, .rst_ni (rst_n), .req_i, .update_i, .gnt_o (gnt));

  waited #(.NumReq(NumReq), .Most(STARVED)) u_waited (
    .clk_i, .rst_ni (rst_n), .req_i, .gnt_i (gnt), .update_i, .waits_i (1'b1), .who_i, .who_o (who), .won_o (won),
    .count_o (count)
  );

  always @(posedge clk_i) rst_n <= 1'b1;

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset: any value in range stands for all requesters.
    assume (who < NumReq);
    // Rule 1: one grant at most, only for a request, and one for any request.
    one_grant:       assert ((gnt & (gnt - 1'b1)) == '0);
    only_asked:      assert ((gnt & ~req_i) == '0);
    work_conserving: assert ((gnt != '0) == (req_i != '0));
    // Requester 0 never waits.
    first_at_once:   assert (gnt[0] == req_i[0]);
    // A requester wins only if no lower one asks.
    lowest_wins:     assert (!won || (req_i & ((NumReq'(1) << who) - 1'b1)) == '0);
    last_wins:       cover (gnt[NumReq-1] && update_i);
    // Rule 3: a requester that keeps asking can be passed over for ever.
    starves:         cover (count == STARVED && NumReq > 1);
  end
endmodule

`default_nettype wire
