// SPDX-License-Identifier: Apache-2.0
//
// arb_fixed -- fixed-priority arbiter: the lowest requester wins.
//
// gnt_o is one-hot or zero and is valid in the cycle of req_i. The arbiter has no
// state. Clock, reset and update_i are there because all arbiters have one
// contract. Every requester but 0 can starve.

`default_nettype none

module arb_fixed #(
  parameter int NumReq = 4  // requesters, 1 to 64
) (
  input  wire logic              clk_i,     // for the assertions only
  input  wire logic              rst_ni,    // for the assertions only
  input  wire logic [NumReq-1:0] req_i,     // bit i: requester i asks
  input  wire logic              update_i,  // not used: there is no state
  output      logic [NumReq-1:0] gnt_o      // one-hot or zero, in the cycle of req_i
);

  logic unused_state;

  assign gnt_o        = req_i & (~req_i + 1'b1);
  assign unused_state = &{1'b0, clk_i, rst_ni, update_i};

  initial if (NumReq < 1 || NumReq > 64) $fatal(1, "arb_fixed: NumReq is 1 to 64");

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);          // never grant without a request
    assert ($onehot0(gnt_o));
    assert (|gnt_o == |req_i);                // work-conserving
  end
`endif
endmodule

`default_nettype wire
