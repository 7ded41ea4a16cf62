// SPDX-License-Identifier: Apache-2.0
//
// arb_rr_proof -- in arb_rr a requester that keeps asking has at the latest the NumReq-th grant,
// for free requests.

`default_nettype none

module arb_rr_proof #(
  parameter  int NumReq = 4,
  localparam int IdxW   = $clog2(NumReq + 1)
) (
  input  wire logic              clk_i,
  input  wire logic [NumReq-1:0] req_i,
  input  wire logic              update_i,
  input  wire logic [IdxW-1:0]   who_i
);

  logic              rst_n = 1'b0;            // low in the first cycle only
  logic [NumReq-1:0] gnt, mask;
  logic [IdxW-1:0]   who, count;
  logic              won;

  arb_rr #(.NumReq(NumReq)) u_dut (.clk_i, .rst_ni (rst_n), .req_i, .update_i, .gnt_o (gnt), .probe_mask_o (mask));

  waited #(.NumReq(NumReq)) u_waited (
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
    // Rules 2 and 3: a requester that keeps asking waits for NumReq - 1 grants at most.
    served:          assert (count < NumReq);
    // That bound is reached.
    longest_wait:    cover (count == NumReq - 1 && won && update_i);
  end
endmodule

`default_nettype wire
