// SPDX-License-Identifier: Apache-2.0
//
// router_crit_proof -- no port gets two trackers in an epoch, and the list of critical pairs stays
// a list.
//
// Stalls, incoming trackers and epochs are free. A tracker leaves only if it is requested. `out` is
// any one output, `here` and `there` are any two places of the list, (from, out) is any pair of
// ports. A pair was selected when an output is new in `sent`, for the lowest pending input. It is
// fresh at an epoch's end if it was selected in the epoch and its tracker has left.

`default_nettype none

module router_crit_proof #(
  parameter  int Ports     = 2,
  parameter  int ListLen   = 2,
  parameter  int TrackPct  = 50,
  parameter  int HystBits  = 1,
  parameter  int CountBits = 4,
  parameter  int PairSent  = 1,
  parameter  int RankNext  = 1
) (
  input  wire logic             clk_i,
  input  wire logic             epoch_i,
  input  wire logic [Ports-1:0] stall_i,
  input  wire logic [Ports-1:0] trk_in_i,
  input  wire logic [Ports-1:0] trk_sent_i,
  input  wire logic [3:0]       out_i,
  input  wire logic [3:0]       from_i,
  input  wire logic [6:0]       here_i,
  input  wire logic [6:0]       there_i
);

  localparam int Most = 1 << HystBits;  // epochs without a selection after which a pair leaves

  logic                       rst_n = 1'b0;   // low in the first cycle only
  logic                       start;
  logic [Ports-1:0]           trk_req, crit_port, sent, pending, hot;
  logic [Ports*Ports*7-1:0]   rank;
  logic [Ports*CountBits-1:0] latched, live;
  logic [6:0]                 list_len;
  logic [ListLen*8-1:0]       list;

  logic [3:0]                 out;
  logic [CountBits-1:0]       stalls, last, latched_out;  // of `out`: this epoch's, the last one's
  logic                       had, req_q, epoch_q, selected, is_most;
  logic [7:0]                 pair_here, pair_there;
  logic                       rank_wrong, crit_q, sent_q;
  logic [CountBits-1:0]       most;

  logic [Ports-1:0]           sent_q2, pending_q, served;  // as one cycle ago; the input served then
  logic                       start_q, pair_selected, due, beaten;
  logic [3:0]                 from;
  logic                       listed, listed_q, pair_touched, port_touched;  // ..touched: in this epoch
  logic [HystBits:0]          pair_age, port_age;  // epochs in a row without, at most Most
  logic [Ports-1:0]           by_pair, left, earlier;  // outputs: of pairs; tracker left; of earlier pairs
  logic [Ports-1:0]           by_pair_now, left_now, earlier_now;
  logic                       fresh, fresh_q, pair_touched_q;  // ..q: at the end of the last epoch
  logic [6:0]                 due_place, due_place_q, place;  // where the fresh pair must be; where it is
  logic [Ports*Ports*7-1:0]   rank_q;

  router_crit #(
    .Ports(Ports), .ListLen(ListLen), .TrackPct(TrackPct), .HystBits(HystBits), .CountBits(CountBits),
    .PairSent(PairSent), .RankNext(RankNext)
  ) u_dut (
    .clk_i, .rst_ni (rst_n), .epoch_i, .stall_i, .trk_in_i, .trk_sent_i, .start_o (start), .trk_req_o (trk_req),
    .crit_port_o (crit_port), .rank_o (rank), .latched_o (latched), .sent_o (sent), .list_len_o (list_len),
    .list_o (list), .probe_live_o (live), .probe_pending_o (pending)
  );

  assign hot      = Ports'(1) << out;
  assign selected = (trk_req & hot) != '0 && !req_q;  // a new tracker request

  always_comb begin
    pair_here   = '0;
    pair_there  = '0;
    rank_wrong  = 1'b0;
    most        = '0;
    latched_out = '0;
    for (int p = 0; p < ListLen; p++) begin
      if (32'(here_i) == p) pair_here = list[p*8 +: 8];
      if (32'(there_i) == p) pair_there = list[p*8 +: 8];
    end
    for (int o = 0; o < Ports; o++) begin
      if (latched[o*CountBits +: CountBits] > most) most = latched[o*CountBits +: CountBits];
      if (32'(out) == o) latched_out = latched[o*CountBits +: CountBits];
      for (int i = 0; i < Ports; i++) begin
        if (here_i < list_len && pair_here == {4'(i), 4'(o)} &&
            32'(rank[(i*Ports + o)*7 +: 7]) != ListLen - 32'(here_i)) rank_wrong = 1'b1;
      end
    end
    is_most = latched_out == most;
  end

  // Rules 4 to 6: the selection, and whether another output should have been taken.
  always_comb begin
    served = start_q ? '0 : pending_q & (~pending_q + 1'b1);
    beaten = 1'b0;
    for (int o = 0; o < Ports; o++) begin
      if (32'(out) != o && !sent_q2[o] && !served[o] && (latched[o*CountBits +: CountBits] > latched_out ||
          (latched[o*CountBits +: CountBits] == latched_out && o < 32'(out)))) beaten = 1'b1;
    end
    due = !epoch_q && (start_q || pending_q != '0) && latched_out != '0 && (sent_q2 & hot) == '0 &&
          (served & hot) == '0 &&
          (start_q || 32'(latched_out) * 100 >= 32'(most) * TrackPct);
    pair_selected = selected && served == Ports'(1) << from;
    listed = 1'b0;
    place  = '0;
    for (int p = 0; p < ListLen; p++) begin
      if (p < 32'(list_len) && list[p*8 +: 8] == {from, out}) begin
        listed = 1'b1;
        place  = 7'(p);
      end
    end
  end

  // Rule 7: this epoch's pairs, and the place of a fresh one.
  always_comb begin
    by_pair_now = by_pair | (served != '0 ? sent & ~sent_q2 : '0);
    left_now    = left | trk_sent_i;
    earlier_now = pair_selected ? by_pair : earlier;
    fresh       = (pair_touched || pair_selected) && (left_now & hot) != '0;
    due_place   = '0;
    for (int o = 0; o < Ports; o++) if (earlier_now[o] && left_now[o]) due_place = due_place + 1'b1;
  end

  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    epoch_q <= rst_n && epoch_i;
    if (!rst_n) begin
      out    <= out_i;
      stalls <= '0;
      last   <= '0;
      had    <= 1'b0;
      req_q  <= 1'b0;
      crit_q <= 1'b0;
      sent_q <= 1'b0;
      from         <= from_i;
      sent_q2      <= '0;
      pending_q    <= '0;
      start_q      <= 1'b0;
      listed_q     <= 1'b0;
      pair_touched <= 1'b0;
      port_touched <= 1'b0;
      pair_age     <= '0;
      port_age     <= '0;
      by_pair      <= '0;
      left         <= '0;
      earlier      <= '0;
      fresh_q        <= 1'b0;
      pair_touched_q <= 1'b0;
      due_place_q  <= '0;
      rank_q       <= '0;
    end else begin
      // Rules 1 and 2 for the watched output.
      if ((stall_i & hot) != '0 && stalls != {CountBits{1'b1}}) stalls <= stalls + 1'b1;
      if (epoch_i) begin
        stalls <= '0;
        last   <= (stall_i & hot) != '0 && stalls != {CountBits{1'b1}} ? stalls + 1'b1 : stalls;
      end
      had    <= !epoch_i && (had || selected);
      req_q  <= (trk_req & hot) != '0 && (trk_sent_i & hot) == '0 && !epoch_i;
      crit_q <= (crit_port & hot) != '0;
      sent_q <= (trk_sent_i & hot) != '0;
      sent_q2      <= sent;
      pending_q    <= pending;
      start_q      <= start;
      listed_q     <= listed;
      pair_touched <= !epoch_i && (pair_touched || pair_selected);
      port_touched <= !epoch_i && (port_touched || (trk_sent_i & hot) != '0);
      // Rules 7 and 10: epochs in a row without the pair.
      if (PairSent == 0 ? pair_selected : epoch_i && fresh)      pair_age <= '0;
      else if (epoch_i && (PairSent != 0 || !pair_touched) && 32'(pair_age) < Most) pair_age <= pair_age + 1'b1;
      by_pair      <= epoch_i ? '0 : by_pair_now;
      left         <= epoch_i ? '0 : left_now;
      earlier      <= epoch_i ? '0 : earlier_now;
      fresh_q        <= epoch_i && fresh;
      pair_touched_q <= epoch_i && (pair_touched || pair_selected);
      due_place_q  <= due_place;
      rank_q       <= rank;
      // Rule 13: epochs in a row without a tracker through the output.
      if ((trk_sent_i & hot) != '0)                              port_age <= '0;
      else if (epoch_i && !port_touched && 32'(port_age) < Most) port_age <= port_age + 1'b1;
    end
  end

  always_comb if (rst_n) begin
    // Choices of the proof, fixed in reset: any output and any pair.
    assume (32'(out) < Ports && 32'(from) < Ports);
    // Rule 12: router_output sends only a requested tracker.
    assume ((trk_sent_i & ~trk_req) == '0);
    // Rules 5 and 6: an output is selected at most once an epoch.
    once_an_epoch:   assert (!(selected && had));
    // Rules 5 and 6.
    marked_as_sent:  assert (!selected || (sent & hot) != '0);
    // Rules 1 and 2: the latched counter is exact.
    stalls_counted:  assert (latched_out == last);
    // Rules 5 and 6: a selected output has its share of stalls.
    enough_stalls:   assert (!selected || (latched_out != '0 && 32'(latched_out) * 100 >= 32'(most) * TrackPct));
    // Rule 7: the list has no pair twice and no gap, and only pairs of different ports.
    no_pair_twice:   assert (!(here_i < there_i && there_i < list_len && pair_here == pair_there));
    list_is_dense:   assert (list_len <= ListLen && (here_i < list_len || pair_here == '0));
    pair_is_legal:   assert (here_i >= list_len || (pair_here[7:4] != pair_here[3:0] && 32'(pair_here[3:0]) < Ports &&
                                                    32'(pair_here[7:4]) < Ports));
    // Rules 8 and 10: ranks follow the list.
    rank_is_place:   assert (!rank_wrong || (PairSent == 0 && RankNext != 0));
    // Rule 7: with RankNext ranks change at an epoch's end only.
    ranks_wait:      assert (rank == rank_q || epoch_q);
    // Rule 7: a fresh pair's place, or past the end.
    in_its_place:    assert (!fresh_q || (listed ? place == due_place_q : due_place_q >= 7'(ListLen)));
    // Rule 7: only fresh pairs enter the list; old ones leave by age or for want of a place.
    only_if_fresh:   assert (!listed || listed_q || fresh_q);
    old_pair_stays:  assert (!(listed_q && !fresh_q) || listed || (epoch_q &&
        (32'(pair_age) == Most || 32'(list_len) == ListLen)));
    old_pair_goes:   assert (!listed || 32'(pair_age) < Most);
    // Rule 12.
    critical_if_sent: assert ((crit_port & hot) == '0 || crit_q || sent_q);
    // Rules 5 and 6: no other output had more stalls, or as many and a lower number.
    the_most_first:  assert (!(selected && beaten));
    // Rules 5 and 6: an output is selected if one is due.
    asked_if_due:    assert (!due || sent != sent_q2);
    // Rule 10, for PairSent = 0: pairs stay for 2^HystBits epochs, and no longer.
    pair_stays:      assert (!(epoch_q && listed_q && 32'(pair_age) < Most) || listed);
    pair_goes:       assert (!listed || pair_selected || 32'(pair_age) < Most);
    // Rule 13: likewise critical ports.
    port_stays:      assert (!(epoch_q && (crit_q || sent_q) && 32'(port_age) < Most) || (crit_port & hot) != '0);
    port_goes:       assert ((crit_port & hot) == '0 || 32'(port_age) < Most);
    // The list is full; a selected pair whose tracker has not left keeps its old place.
    full_list:       cover (list_len == ListLen && 32'(Ports) > 1);
    one_left_only:   cover (epoch_q && !fresh_q && listed && pair_touched_q);
    // A second tracker in an epoch; a port stops being critical.
    second_tracker:  cover (selected && !start && had == 1'b0 && sent != hot);
    forgotten:       cover (crit_q && (crit_port & hot) == '0);
  end
endmodule

`default_nettype wire
