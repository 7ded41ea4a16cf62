// SPDX-License-Identifier: Apache-2.0
//
// arb_rr -- round-robin arbiter, one grant per cycle.
//
// The requester just above the last winner has the highest priority; after reset
// that is requester 0. The pointer moves only when update_i says the grant was taken.
// gnt_o is one-hot or zero and is valid in the cycle of req_i.

`default_nettype none

module arb_rr #(
  parameter int NumReq = 4                    // requesters, >= 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [NumReq-1:0] req_i,
  input  wire logic              update_i,    // grant was taken this cycle
  output      logic [NumReq-1:0] gnt_o,       // one-hot or zero
  output      logic [NumReq-1:0] probe_mask_o // requesters above the last winner
);

  logic [NumReq-1:0] mask_d, mask_q;          // requesters above the last winner
  logic [NumReq-1:0] req_masked;

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
  always @(posedge clk_i) if (rst_ni) assert ((~mask_q & (~mask_q + 1'b1)) == '0);  // all above a place: proofs begin there
`endif
endmodule

`default_nettype wire
