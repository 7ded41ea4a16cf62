// SPDX-License-Identifier: Apache-2.0
//
// arb_list_proof -- arb_list keeps its list's order and its bound, for free requests and a list
// that may change every cycle.
//
// `who` is any one requester; while it waits it is not listed. Among the grants that the list does
// not choose it has at the latest the NumReq-th. With a bound at most Bound grants to the list come
// before each of those. If it waits alone with listed requesters, it waits for Bound + NumReq - 1
// grants at most. Without a bound a cover shows that it starves.

`default_nettype none

module arb_list_proof #(
  parameter  int NumReq    = 4,
  parameter  int ListLen   = 2,
  parameter  int Bound     = 0,
  localparam int IdxW      = $clog2(NumReq + 1),
  localparam int FirstBits = NumReq > 1 ? $clog2(NumReq) : 1
) (
  input  wire logic                 clk_i,
  input  wire logic [NumReq-1:0]    req_i,
  input  wire logic [ListLen*6-1:0] list_i,
  input  wire logic [ListLen-1:0]   list_valid_i,
  input  wire logic                 update_i,
  input  wire logic [IdxW-1:0]      who_i
);

  localparam int MOST  = NumReq * (Bound + 1) + NumReq;  // the counters stop here, above every bound
  localparam int CNT_W = $clog2(MOST + 1);

  logic                 rst_n = 1'b0;         // low in the first cycle only
  logic [NumReq-1:0]    gnt;
  logic [FirstBits-1:0] first;
  logic [7:0]           streak;
  logic [IdxW-1:0]      who;
  logic                 won, listed, rank_beaten, any_listed, others_unlisted;
  logic                 strict;  // the list counts in this cycle (rules 5 to 7)
  logic [NumReq-1:0]    in_list;
  logic [CNT_W-1:0]     count, count_alone, count_turns;

  arb_list #(.NumReq(NumReq), .ListLen(ListLen), .Bound(Bound)) u_dut (
    .clk_i, .rst_ni (rst_n), .req_i, .list_i, .list_valid_i, .update_i, .gnt_o (gnt), .probe_first_o (first),
    .probe_streak_o (streak)
  );

  waited #(.NumReq(NumReq), .Most(MOST)) u_waited (
    .clk_i, .rst_ni (rst_n), .req_i, .gnt_i (gnt), .update_i, .waits_i (!listed), .who_i, .who_o (who), .won_o (won),
    .count_o (count)
  );

  waited #(.NumReq(NumReq), .Most(MOST)) u_alone (
    .clk_i, .rst_ni (rst_n), .req_i, .gnt_i (gnt), .update_i, .waits_i (!listed && !others_unlisted), .who_i, .who_o (),
    .won_o (), .count_o (count_alone)
  );

  waited #(.NumReq(NumReq), .Most(MOST)) u_turns (
    .clk_i, .rst_ni (rst_n), .req_i, .gnt_i (gnt), .update_i (update_i && !(strict && any_listed)), .waits_i (!listed),
    .who_i, .who_o (), .won_o (), .count_o (count_turns)
  );

  always_comb begin
    in_list     = '0;
    listed      = 1'b0;
    rank_beaten = 1'b0;  // a requester with a place before that of `who` asks
    for (int k = 0; k < ListLen; k++) begin
      if (list_valid_i[k]) begin
        for (int i = 0; i < NumReq; i++) begin
          if (32'(list_i[k*6 +: 6]) == i) begin
            in_list[i] = 1'b1;
            if (32'(who) == i) listed = 1'b1;
            else if (req_i[i] && !listed) rank_beaten = 1'b1;
          end
        end
      end
    end
  end

  assign any_listed      = (req_i & in_list) != '0;
  assign others_unlisted = (req_i & ~in_list & ~(NumReq'(1) << who)) != '0;
  assign strict          = Bound == 0 || 32'(streak) != Bound;

  always @(posedge clk_i) rst_n <= 1'b1;

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset: any value in range stands for all requesters.
    assume (who < NumReq);
    // Rule 3: one grant at most, only for a request, and one for any request.
    one_grant:       assert ((gnt & (gnt - 1'b1)) == '0);
    only_asked:      assert ((gnt & ~req_i) == '0);
    work_conserving: assert ((gnt != '0) == (req_i != '0));
    // Rule 2: while the list counts, `who` never wins against a lower place.
    list_order:      assert (!(strict && won && rank_beaten));
    // Rule 6: the streak stops at Bound.
    streak_bound:    assert (streak <= Bound);
    // Rule 9: the wait of an unlisted requester while the list changes.
    served:          assert (Bound == 0 || count < NumReq * (Bound + 1));
    // Rule 9: its wait as the only unlisted requester.
    served_alone:    assert (Bound == 0 || count_alone < Bound + NumReq);
    // Rules 4 and 7: grants that the list does not choose are by turns.
    turns:           assert (count_turns < NumReq);
    // Rule 5: without a bound an unlisted requester can starve.
    starves:         cover (count == MOST && Bound == 0);
    // The bound of served_alone is reached.
    longest_alone:   cover (count_alone == Bound + NumReq - 1 && won && Bound != 0);
    // A listed requester wins while unlisted ones ask.
    list_wins:       cover (won && listed && others_unlisted);
  end
endmodule

`default_nettype wire
