// SPDX-License-Identifier: Apache-2.0
//
// arb_rr_proof -- what arb_rr promises, for free requests.
//
// who is any one requester, chosen in the cycle of reset. waited counts the grants that others have taken since it has
// been asking without a pause.

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
  logic [IdxW-1:0]   who, waited;
  logic              asks, won;

  arb_rr #(.NumReq(NumReq)) u_dut (.clk_i, .rst_ni (rst_n), .req_i, .update_i, .gnt_o (gnt), .probe_mask_o (mask));

  assign asks = |(req_i & (NumReq'(1) << who));
  assign won  = |(gnt & (NumReq'(1) << who));

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      who    <= who_i;
      waited <= '0;
    end else if (!asks || (update_i && won)) begin
      waited <= '0;
    end else if (update_i) begin
      waited <= waited + 1'b1;
    end
  end

  always_comb begin
    assume (!rst_n || who < NumReq);
    if (rst_n) begin
      one_grant:       assert ((gnt & (gnt - 1'b1)) == '0);
      only_asked:      assert ((gnt & ~req_i) == '0);
      work_conserving: assert ((gnt != '0) == (req_i != '0));
      served:          assert (waited < NumReq);                     // at the latest the NumReq-th grant is its own
      longest_wait:    cover (waited == NumReq - 1 && won && update_i);
    end
  end
endmodule

`default_nettype wire
