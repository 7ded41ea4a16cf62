// SPDX-License-Identifier: Apache-2.0
//
// arb_age_proof -- in arb_age the highest level wins and equals take turns, for free requests and
// levels.
//
// `who` and `other` are any two requesters. A requester that always has a highest level has at the
// latest the NumReq-th grant. A cover shows that a requester with a lower level can starve.

`default_nettype none

module arb_age_proof #(
  parameter  int NumReq    = 4,
  parameter  int LevelBits = 2,
  localparam int IdxW      = $clog2(NumReq + 1),
  localparam int FirstBits = NumReq > 1 ? $clog2(NumReq) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic [NumReq-1:0]           req_i,
  input  wire logic [NumReq*LevelBits-1:0] level_i,
  input  wire logic                        update_i,
  input  wire logic [IdxW-1:0]             who_i,
  input  wire logic [IdxW-1:0]             other_i
);

  localparam int STARVED = 2 * NumReq;        // more grants than a fair arbiter lets pass

  logic                           rst_n = 1'b0;  // low in the first cycle only
  logic [NumReq-1:0]              gnt;
  logic [FirstBits-1:0]           first;
  logic [IdxW-1:0]                who, other;
  logic                           won, top, other_higher;
  logic [IdxW-1:0]                count;
  logic [$clog2(STARVED + 1)-1:0] starved;
  logic [LevelBits-1:0]           level_who;

  arb_age #(.NumReq(NumReq), .LevelBits(LevelBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .req_i, .level_i, .update_i, .gnt_o (gnt), .probe_first_o (first)
  );

  waited #(.NumReq(NumReq)) u_waited (
    .clk_i, .rst_ni (rst_n), .req_i, .gnt_i (gnt), .update_i, .waits_i (top), .who_i, .who_o (who), .won_o (won),
    .count_o (count)
  );

  waited #(.NumReq(NumReq), .Most(STARVED)) u_starved (
    .clk_i, .rst_ni (rst_n), .req_i, .gnt_i (gnt), .update_i, .waits_i (1'b1), .who_i, .who_o (), .won_o (),
    .count_o (starved)
  );

  assign level_who = LevelBits'(level_i >> (32'(who) * LevelBits));

  always_comb begin
    // top: no requester has a level above that of `who`; other_higher: `other` has.
    top          = 1'b1;
    other_higher = 1'b0;
    for (int i = 0; i < NumReq; i++) begin
      if (req_i[i] && level_i[i*LevelBits +: LevelBits] > level_who) begin
        top = 1'b0;
        if (32'(other) == i) other_higher = 1'b1;
      end
    end
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) other <= other_i;
  end

  always_comb if (rst_n) begin
    // Choices of the proof, fixed in reset: any value in range stands for all requesters.
    assume (who < NumReq && other < NumReq);
    // Rule 3: one grant at most, only for a request, and one for any request.
    one_grant:       assert ((gnt & (gnt - 1'b1)) == '0);
    only_asked:      assert ((gnt & ~req_i) == '0);
    work_conserving: assert ((gnt != '0) == (req_i != '0));
    // Rule 2: no requester wins while another asks with a higher level.
    highest_wins:    assert (!(won && other_higher));
    // Rules 2 and 4: a requester with the highest level all the time waits
    // for NumReq - 1 grants at most.
    served:          assert (count < NumReq);
    // That bound is reached.
    longest_wait:    cover (count == NumReq - 1 && won && update_i);
    // With a lower level more grants pass than any fair arbiter would allow.
    lower_starves:   cover (starved == STARVED && NumReq > 1);
  end
endmodule

`default_nettype wire
