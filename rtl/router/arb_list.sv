// SPDX-License-Identifier: Apache-2.0
//
// arb_list -- priority-list arbiter: an ordered list wins, the rest take turns.
//
// Of the requesters that ask, the one with the first place among the valid entries of list_i gets gnt_o, one-hot or zero, in the same
// cycle; when none of them is listed, the first at or above the round-robin pointer. The pointer moves just above a winner that the list
// did not choose, when update_i says the grant was taken; after reset it is 0.
//
// Bound 0: the list can starve the rest. Bound n: after n taken list grants in a row with an unlisted requester asking, the list is
// ignored, and all that ask take turns, until an unlisted one has been served. The count is 0 after reset, after a taken grant to an
// unlisted requester, and after a taken list grant with no unlisted one asking.

`default_nettype none

module arb_list #(
  parameter  int NumReq    = 4,                              // requesters, 1 to 64
  parameter  int ListLen   = 4,                              // places in the list, 1 to 64
  parameter  int Bound     = 0,                              // list grants in a row while others wait, up to 255; 0: no bound
  localparam int FirstBits = NumReq > 1 ? $clog2(NumReq) : 1
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic [NumReq-1:0]    req_i,
  input  wire logic [ListLen*6-1:0] list_i,                  // requester numbers, the first place lowest
  input  wire logic [ListLen-1:0]   list_valid_i,
  input  wire logic                 update_i,                // grant was taken this cycle
  output      logic [NumReq-1:0]    gnt_o,                   // one-hot or zero
  output      logic [FirstBits-1:0] probe_first_o,           // the pointer
  output      logic [7:0]           probe_streak_o           // taken list grants in a row while others waited
);

  logic [63:0]        req;                                   // one bit for each number that an entry can hold
  logic [ListLen-1:0] asking, first;                         // places whose requester asks; the first of them
  logic [5:0]         number;                                // the requester there
  logic               ignore;                                // it is the turn of the rest
  logic               by_list;                               // the list chooses
  logic [NumReq-1:0]  turn;                                  // the choice without it
  logic [NumReq-1:0]  mask;                                  // requesters above the last winner by turn

  assign req = 64'(req_i);

  always_comb begin
    for (int k = 0; k < ListLen; k++) asking[k] = list_valid_i[k] && req[list_i[k*6 +: 6]];
    first  = asking & (~asking + 1'b1);
    number = '0;
    for (int k = 0; k < ListLen; k++) if (first[k]) number = number | list_i[k*6 +: 6];
  end

  assign by_list = |asking && !ignore;
  assign gnt_o   = by_list ? NumReq'(64'd1 << number) : turn;

  arb_rr #(.NumReq(NumReq)) u_turns (
    .clk_i, .rst_ni, .req_i, .update_i (update_i && !by_list), .gnt_o (turn), .probe_mask_o (mask)
  );

  always_comb begin
    probe_first_o = '0;
    for (int i = NumReq - 1; i >= 0; i--) if (mask[i]) probe_first_o = FirstBits'(i);
  end

  if (Bound == 0) begin : gen_strict
    assign ignore         = 1'b0;
    assign probe_streak_o = '0;
  end else begin : gen_bound
    logic [63:0] listed;
    logic [7:0]  streak_d, streak_q;

    assign ignore         = streak_q == 8'(Bound);
    assign probe_streak_o = streak_q;

    always_comb begin
      listed = '0;
      for (int k = 0; k < ListLen; k++) if (list_valid_i[k]) listed[list_i[k*6 +: 6]] = 1'b1;
      streak_d = streak_q;
      if (update_i && |req_i) begin
        if (by_list)                                      streak_d = (req & ~listed) != '0 ? streak_q + 1'b1 : '0;
        else if ((gnt_o & ~listed[NumReq-1:0]) != '0) streak_d = '0;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) streak_q <= '0;
      else         streak_q <= streak_d;
    end
  end

  initial begin
    if (NumReq < 1 || NumReq > 64) $fatal(1, "arb_list: NumReq is 1 to 64");
    if (ListLen < 1 || ListLen > 64) $fatal(1, "arb_list: ListLen is 1 to 64");
    if (Bound < 0 || Bound > 255) $fatal(1, "arb_list: Bound is 0 to 255");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);                         // never grant without a request
    assert ($onehot0(gnt_o));
    assert (|gnt_o == |req_i);                               // work-conserving
    assert (32'(probe_streak_o) <= Bound);
  end
`endif
endmodule

`default_nettype wire
