// SPDX-License-Identifier: Apache-2.0
//
// waited -- part of the arbiters' proofs: how many grants others have taken while one requester has
// been waiting.
//
// who_o is any one requester: who_i in the cycle of reset. The proof assumes that it is below
// NumReq. count_o counts taken grants of others, up to Most. It starts again in a cycle in which
// who_o does not ask, waits_i is 0, or who_o is served.

`default_nettype none

module waited #(
  parameter  int NumReq = 4,
  parameter  int Most   = NumReq,
  localparam int IdxW   = $clog2(NumReq + 1),
  localparam int CntW   = $clog2(Most + 1)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [NumReq-1:0] req_i,
  input  wire logic [NumReq-1:0] gnt_i,
  input  wire logic              update_i,
  input  wire logic              waits_i,     // who_o is of those that the bound is promised to
  input  wire logic [IdxW-1:0]   who_i,
  output      logic [IdxW-1:0]   who_o,
  output      logic              won_o,       // who_o has the grant
  output      logic [CntW-1:0]   count_o
);

  logic [NumReq-1:0] who;                     // one-hot

  assign who   = NumReq'(1) << who_o;
  assign won_o = (gnt_i & who) != '0;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      who_o   <= who_i;
      count_o <= '0;
    end else if ((req_i & who) == '0 || !waits_i || (won_o && update_i)) begin
      count_o <= '0;
    end else if (update_i && 32'(count_o) != Most) begin
      count_o <= count_o + 1'b1;
    end
  end
endmodule

`default_nettype wire
