// SPDX-License-Identifier: Apache-2.0
//
// arb_rr -- round-robin arbiter, one grant per cycle.
//
// The requester just above the last winner has the highest priority; after reset, that is
// requester 0. The pointer moves only when update_i says that the grant was taken.
// gnt_o depends on req_i of the same cycle, and not on update_i.

`default_nettype none

module arb_rr #(
  parameter int NumReq = 4 // requesters, 1 .. 64
) (
  input  wire logic              clk_i,       // clock, rising edge
  input  wire logic              rst_ni,      // asynchronous reset, active low
  input  wire logic [NumReq-1:0] req_i,       // one bit a requester
  input  wire logic              update_i,    // the grant of this cycle was taken
  output      logic [NumReq-1:0] gnt_o,       // one-hot, or zero without a request; same cycle as req_i
  output      logic [NumReq-1:0] probe_mask_o // requesters above the last winner, all ones after reset
);

  logic [NumReq-1:0] mask_d, mask_q;          // requesters above the last winner
  logic [NumReq-1:0] req_masked;

  // The lowest requester above the last winner wins, or the lowest of all if there is none above.
  // A grant that was not taken leaves the mask as it is.
  assign req_masked = req_i & mask_q;
  assign gnt_o      = |req_masked ? lowest(req_masked) : lowest(req_i);
  assign mask_d     = (update_i && |req_i) ? ~(gnt_o | (gnt_o - 1'b1)) : mask_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mask_q <= '1;
    else         mask_q <= mask_d;
  end

  assign probe_mask_o = mask_q;

  function automatic logic [NumReq-1:0] lowest(input logic [NumReq-1:0] x);
    lowest = x & (~x + 1'b1);                 // lowest set bit
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);          // never grant without a request
    assert ((gnt_o & (gnt_o - 1'b1)) == '0);  // one-hot or zero
    assert (|gnt_o == |req_i);                // work-conserving
  end
`endif

`ifdef FORMAL
  // Every reachable mask is all ones above some place. Proofs start from there.
  always @(posedge clk_i) if (rst_ni) assert ((~mask_q & (~mask_q + 1'b1)) == '0);
`endif
endmodule

`default_nettype wire
