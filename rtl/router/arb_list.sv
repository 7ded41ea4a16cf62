// SPDX-License-Identifier: Apache-2.0
//
// arb_list -- priority-list arbiter: an ordered list wins, the rest take
// turns (NUPIM paper, section III-B).
//
// Of the requesters that ask, the one with the first place in the list gets gnt_o. If none of them
// is listed, the first at or above the round-robin pointer gets it. Both in the cycle of req_i. The
// pointer moves just above a winner that the list did not choose, when update_i says that the grant
// was taken; after reset it is 0.
//
// Bound 0: the list can starve the rest. Bound n: after n taken list grants in a row with an
// unlisted requester asking, the list is ignored until an unlisted one was served:
//
//   +---------+  list grant while unlisted asks: streak + 1, to n   +---------+
//   | by list | --------------------------------------------------> | ignored |
//   +---------+                                                     +---------+
//        ^          grant to an unlisted requester: streak = 0           |
//        +---------------------------------------------------------------+
//
// A list grant while no unlisted one asks, and a grant to an unlisted one, set the streak to 0.

`default_nettype none

module arb_list #(
  parameter  int NumReq    = 4,                               // requesters, 1 to 64
  parameter  int ListLen   = 4,                               // places in the list, 1 to 64
  parameter  int Bound     = 0,                               // list grants in a row while others wait; 0: no bound
  localparam int FirstBits = NumReq > 1 ? $clog2(NumReq) : 1  // bits of a requester's number
) (
  input  wire logic                 clk_i,          // router clock
  input  wire logic                 rst_ni,         // asynchronous, active low
  input  wire logic [NumReq-1:0]    req_i,          // bit i: requester i asks
  input  wire logic [ListLen*6-1:0] list_i,         // 6 bits a place, first place lowest: requesters
  input  wire logic [ListLen-1:0]   list_valid_i,   // bit k: place k is in use
  input  wire logic                 update_i,       // the grant of this cycle was taken
  output      logic [NumReq-1:0]    gnt_o,          // one-hot or zero, in the cycle of req_i
  output      logic [FirstBits-1:0] probe_first_o,  // the pointer: first in turn without the list
  output      logic [7:0]           probe_streak_o  // list grants in a row while others waited
);

  // The list as requests: which places ask, and the requester at the first of them. A place can
  // hold a number that no requester has; the vector of 64 bits makes such a place silent.
  logic [63:0]        req;                                   // a bit for each number that a place can hold
  logic [ListLen-1:0] asking, first;                         // asking: places whose requester asks; first: one-hot
  logic [5:0]         number;                                // requester at the first of these places
  logic               ignore;                                // the list is ignored: it is the turn of the rest
  logic               by_list;                               // the list chooses
  logic [NumReq-1:0]  turn;                                  // the choice without the list
  logic [NumReq-1:0]  mask;                                  // requesters above the last winner by turn

  assign req = 64'(req_i);

  always_comb begin
    for (int k = 0; k < ListLen; k++) asking[k] = list_valid_i[k] && req[list_i[k*6 +: 6]];
    first  = asking & (~asking + 1'b1);
    number = '0;
    for (int k = 0; k < ListLen; k++) if (first[k]) number = number | list_i[k*6 +: 6];
  end

  // A win by the list leaves the pointer, so a listed requester costs the others no turn.
  assign by_list = |asking && !ignore;
  assign gnt_o   = by_list ? NumReq'(64'd1 << number) : turn;

  arb_rr #(.NumReq(NumReq)) u_turns (
    .clk_i, .rst_ni, .req_i, .update_i (update_i && !by_list), .gnt_o (turn), .probe_mask_o (mask)
  );

  always_comb begin
    probe_first_o = '0;
    for (int i = NumReq - 1; i >= 0; i--) if (mask[i]) probe_first_o = FirstBits'(i);
  end

  // The bound. listed has a bit for each number in the list, whether it asks or not.
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
