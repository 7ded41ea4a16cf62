// SPDX-License-Identifier: Apache-2.0
//
// arb_matrix_proof -- in arb_matrix the least recently served requester wins, for free requests.
//
// `who` and `other` are any two requesters. other_older says which of them was served less
// recently. "No requester wins while an older one asks" is the whole rule.

`default_nettype none

module arb_matrix_proof #(
  parameter  int NumReq = 4,
  localparam int IdxW   = $clog2(NumReq + 1)
) (
  input  wire logic              clk_i,
  input  wire logic [NumReq-1:0] req_i,
  input  wire logic              update_i,
  input  wire logic [IdxW-1:0]   who_i,
  input  wire logic [IdxW-1:0]   other_i
);

  logic              rst_n = 1'b0;            // low in the first cycle only
  logic [NumReq-1:0] gnt, young, last;  // last: the winner taken last; after reset the last requester
  logic [IdxW-1:0]   who, other, count;
  logic              won, other_won, other_asks, other_older;

  arb_matrix #(.NumReq(NumReq)) u_dut (.clk_i, .rst_ni (rst_n), .req_i, .update_i, .gnt_o (gnt),
                                       .probe_youngest_o (young));

  waited #(.NumReq(NumReq)) u_waited (
    .clk_i, .rst_ni (rst_n), .req_i, .gnt_i (gnt), .update_i, .waits_i (1'b1), .who_i, .who_o (who), .won_o (won),
    .count_o (count)
  );

  assign other_won  = (gnt & (NumReq'(1) << other)) != '0;
  assign other_asks = (req_i & (NumReq'(1) << other)) != '0;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      other       <= other_i;
      other_older <= other_i < who_i;
      last        <= NumReq'(1) << (NumReq - 1);
    end else if (update_i) begin
      if (won || other_won) other_older <= won;
      if (req_i != '0) last <= gnt;
    end
  end

  always_comb if (rst_n) begin
    // Choices of the proof, fixed in reset: any two different requesters stand for all pairs.
    assume (who < NumReq && other < NumReq && (who != other || NumReq == 1));
    // Rule 2: one grant at most, only for a request, and one for any request.
    one_grant:       assert ((gnt & (gnt - 1'b1)) == '0);
    only_asked:      assert ((gnt & ~req_i) == '0);
    work_conserving: assert ((gnt != '0) == (req_i != '0));
    // Rules 1 to 3: `who` does not win while an older requester asks.
    least_recent:    assert (!(won && other_asks && other_older) || NumReq == 1);
    // Rule 3: the probe names the winner taken last.
    youngest:        assert (young == last);
    // A requester that keeps asking waits for NumReq - 1 grants at most.
    served:          assert (count < NumReq);
    // That bound is reached.
    longest_wait:    cover (count == NumReq - 1 && won && update_i);
  end
endmodule

`default_nettype wire
