// SPDX-License-Identifier: Apache-2.0
//
// router_crit -- critical path detection: stall counters, tracker requests, critical ports and the
// ordered list of critical pairs (NUPIM paper, III-A).
//
//   stall_i --> live --epoch--> latched --> selection --> trk_req, sent
//                                              ^ trk_in: pending
//                                              v pair (i, o)
//                           pair_q: pairs of this epoch --epoch, tracker has left--> list --> rank
//
// In the cycle after an epoch (start_o) the router asks for a tracker on its most stalled output. A
// tracker that comes in waits as pending. The lowest pending input is served, one a cycle: the most
// stalled output without a tracker gets one. That selects the pair. When the tracker leaves
// (trk_sent_i) the port becomes critical. At the epoch's end the pairs whose tracker has left
// become the front of the list, and ranks follow the list.
//
// The older rules: without PairSent a pair goes into the list when it is selected, behind the pairs
// of this epoch (the first picked_q). Without RankNext ranks follow the list at once.
//
//   tracker of an output:  none --chosen--> requested --trk_sent--> sent --epoch--> none
//                                           (req_q, sent_q)         (sent_q)
//
// All outputs are state.

`default_nettype none

module router_crit #(
  parameter int Ports     = 5,   // ports of the router, 2 to 16
  parameter int ListLen   = 8,   // places in the list, 1 to 64
  parameter int TrackPct  = 50,  // k: least share of the highest stalls, 0 to 100 %
  parameter int HystBits  = 6,   // h: what is not selected for 2^h epochs goes, 0 to 8
  parameter int CountBits = 20,  // bits of a stall counter, 4 to 32
  parameter int CountStart = 0,  // counters begin an epoch with this; 0 but in checks
  parameter int PairSent  = 1,   // a pair is listed when its tracker 1: leaves, 0: is requested
  parameter int RankNext  = 1    // ranks act 1: from the next epoch on, 0: at once
) (
  input  wire logic                       clk_i,           // router clock
  input  wire logic                       rst_ni,          // asynchronous, active low
  input  wire logic                       epoch_i,         // last cycle of an epoch
  input  wire logic [Ports-1:0]           stall_i,         // bit o: a flit for output o cannot go
  input  wire logic [Ports-1:0]           trk_in_i,        // bit i: a tracker came in on input i
  input  wire logic [Ports-1:0]           trk_sent_i,      // bit o: a flit takes the tracker of output o
  output      logic                       start_o,         // first cycle of an epoch
  output      logic [Ports-1:0]           trk_req_o,       // bit o: the next flit of o takes a tracker
  output      logic [Ports-1:0]           crit_port_o,     // bit o: output o is critical
  output      logic [Ports*Ports*7-1:0]   rank_o,          // 7 bits a pair in * Ports + out: ListLen - place, or 0
  output      logic [Ports*CountBits-1:0] latched_o,       // CountBits an output: stalls of the last epoch
  output      logic [Ports-1:0]           sent_o,          // bit o: o has or had a tracker in this epoch
  output      logic [6:0]                 list_len_o,      // pairs in the list
  output      logic [ListLen*8-1:0]       list_o,          // 8 bits a place, first lowest: 7:4 input, 3:0 output
  output      logic [Ports*CountBits-1:0] probe_live_o,    // CountBits an output: stalls of this epoch
  output      logic [Ports-1:0]           probe_pending_o  // bit i: a tracker from input i waits
);

  localparam int PortBits  = $clog2(Ports);
  localparam int PairBits  = 2 * PortBits;                 // a pair: {input, output}
  localparam int AgeBits   = HystBits > 0 ? HystBits : 1;  // of an age that is kept
  localparam int Wide      = CountBits + 7;                // room for a count times 100
  localparam int LenBits   = $clog2(ListLen + 1);          // of the list's length, and of a rank
  localparam int PlaceBits = ListLen > 1 ? $clog2(ListLen) : 1;
  localparam int Waiting   = Ports - 1;                   // most pairs of an epoch: an output is the router's
  localparam int PickBits  = PairSent != 0 ? PortBits : LenBits;
  localparam logic [CountBits-1:0] Start = CountBits'(CountStart);

  logic                       start_d, start_q;
  logic [Ports*CountBits-1:0] live_d, live_q, live_now, latched_d, latched_q;
  logic [CountBits-1:0]       most_d, most_q;             // highest of latched_q
  logic [Ports-1:0]           pending_d, pending_q, served;
  logic [Ports-1:0]           sent_d, sent_q, req_d, req_q, chosen;
  logic [Ports-1:0]           crit_d, crit_q, touched_d, touched_q, crit_now, touched_now;
  logic [Ports*AgeBits-1:0]   crit_age_d, crit_age_q;
  logic [ListLen*PairBits-1:0] list_d, list_q;
  logic [ListLen*AgeBits-1:0] age_d, age_q;
  logic [LenBits-1:0]         len_d, len_q;
  logic [PickBits-1:0]        picked_d, picked_q;
  // With PairSent: the pairs of this epoch, in order of selection.
  logic [Waiting*PairBits-1:0] pair_d, pair_q;
  logic [Ports-1:0]           unsent;                     // outputs whose tracker has not left
  logic [(1<<PortBits)-1:0]   waits;                      // the same, for any number of an output
  logic [Ports*Ports*LenBits-1:0] rank_d, rank_q;

  // Stalls of this epoch, and of the last one. A counter that is full stays full. The stall of an
  // epoch's last cycle belongs to that epoch: latched takes live_now, not live_q.
  always_comb begin
    live_now = live_q;
    for (int o = 0; o < Ports; o++) begin
      if (stall_i[o] && !(&live_q[o*CountBits +: CountBits])) begin
        live_now[o*CountBits +: CountBits] = live_q[o*CountBits +: CountBits] + CountBits'(1);
      end
    end
    live_d    = epoch_i ? {Ports{Start}} : live_now;
    latched_d = latched_q;
    most_d    = most_q;
    if (epoch_i) begin
      latched_d = live_now;
      most_d    = '0;
      for (int o = 0; o < Ports; o++) begin
        if (live_now[o*CountBits +: CountBits] > most_d) most_d = live_now[o*CountBits +: CountBits];
      end
    end
    start_d = epoch_i;
  end

  // Selection: `chosen` is the output that gets a tracker, `served` the input whose
  // tracker asked for it. The router's own tracker, in the cycle of start, needs no
  // share of the highest: it is the highest. A pending input is served once, whether an output is
  // left for it or not. No tracker goes back to the input it came from, none to an output without
  // stalls, and none to an output that has or had one. In an epoch's last cycle nothing is
  // selected, and what still waits is dropped.
  logic [CountBits-1:0] best, stalls;
  logic [PortBits-1:0]  from, to;

  always_comb begin
    chosen = '0;
    served = '0;
    best   = '0;
    stalls = '0;
    from   = '0;
    to     = '0;
    if (!epoch_i && (start_q || |pending_q)) begin
      if (!start_q) served = pending_q & (~pending_q + Ports'(1));
      for (int i = 0; i < Ports; i++) if (served[i]) from = PortBits'(i);
      for (int o = Ports - 1; o >= 0; o--) begin          // downwards: the lowest among equals stays
        stalls = latched_q[o*CountBits +: CountBits];
        if (|stalls && stalls >= best && (start_q || (!served[o] && !sent_q[o] && enough(stalls, most_q)))) begin
          best      = stalls;
          chosen    = '0;
          chosen[o] = 1'b1;
          to        = PortBits'(o);
        end
      end
    end
    pending_d = epoch_i ? '0 : (pending_q & ~served) | trk_in_i;
    sent_d    = epoch_i ? '0 : sent_q | chosen;
    req_d     = epoch_i ? '0 : unsent | chosen;
  end

  // Critical ports. A port that no tracker has touched in an epoch ages; a touched one has age 0. A
  // tracker that leaves in an epoch's last cycle still counts for that epoch.
  logic [AgeBits:0] port_age;
  assign crit_now    = crit_q | trk_sent_i;
  assign touched_now = touched_q | trk_sent_i;

  always_comb begin
    crit_d     = crit_now;
    touched_d  = touched_now;
    crit_age_d = crit_age_q;
    port_age   = '0;
    if (epoch_i) begin
      touched_d = '0;
      for (int o = 0; o < Ports; o++) begin
        port_age = touched_now[o] ? '0 : older(crit_age_q[o*AgeBits +: AgeBits]);
        if (port_age[HystBits]) crit_d[o] = 1'b0;
        crit_age_d[o*AgeBits +: AgeBits] = crit_d[o] ? port_age[AgeBits-1:0] : '0;
      end
    end
  end

  // The list. An entry is a pair {input, output} and its age in epochs; place 0 has the highest
  // rank. At the epoch's end the pairs of this epoch go before the others, which age.
  //
  //   pair_q, picked_q = 3   n0 n1 n2       no flit took the tracker of n1
  //   list_q, len_q = 4      p0 p1 p2 p3    p1 is the pair n2, p3 gets too old
  //   list_d, len_d = 4      n0 n2 p0 p2    age 0, 0, one more, one more
  logic       listed;
  logic [PlaceBits-1:0] place;                            // where the pair was, or the place that a shift fills
  logic [LenBits-1:0] kept;
  logic [AgeBits:0]   age;

  assign unsent = req_q & ~trk_sent_i;
  assign waits  = (1<<PortBits)'(unsent);

  always_comb begin
    list_d   = list_q;
    age_d    = age_q;
    len_d    = len_q;
    picked_d = picked_q;
    pair_d   = pair_q;
    listed   = 1'b0;
    place    = len_q < LenBits'(ListLen) ? PlaceBits'(len_q) : PlaceBits'(ListLen - 1);
    kept     = '0;
    age      = '0;
    if (epoch_i) begin
      list_d   = '0;
      age_d    = '0;
      picked_d = '0;
      pair_d   = '0;
      // First the pairs of this epoch whose tracker has left, in order of
      // selection. Their age is 0.
      if (PairSent != 0) begin
        for (int n = 0; n < Waiting; n++) begin
          if (PickBits'(n) < picked_q && !waits[pair_q[n*PairBits +: PortBits]] && kept < LenBits'(ListLen)) begin
            list_d[kept*PairBits +: PairBits] = pair_q[n*PairBits +: PairBits];
            kept = kept + 1'b1;
          end
        end
      end
      // Then the others, one epoch older, but for those that are too old, were
      // selected anew, or find no place.
      for (int p = 0; p < ListLen; p++) begin
        age    = PairSent == 0 && PickBits'(p) < picked_q ? '0 : older(age_q[p*AgeBits +: AgeBits]);
        listed = 1'b0;                                    // selected anew
        if (PairSent != 0) begin
          for (int n = 0; n < Waiting; n++) begin
            if (PickBits'(n) < picked_q && pair_q[n*PairBits +: PairBits] == list_q[p*PairBits +: PairBits] &&
                !waits[pair_q[n*PairBits +: PortBits]]) listed = 1'b1;
          end
        end
        if (LenBits'(p) < len_q && !age[HystBits] && !listed && kept < LenBits'(ListLen)) begin
          list_d[kept*PairBits +: PairBits] = list_q[p*PairBits +: PairBits];
          age_d[kept*AgeBits +: AgeBits]    = age[AgeBits-1:0];
          kept                              = kept + 1'b1;
        end
      end
      len_d = kept;
    end else if (|served && |chosen && PairSent != 0) begin
      // A selected pair waits for its tracker to leave.
      pair_d[picked_q*PairBits +: PairBits] = {from, to};
      picked_d = picked_q + 1'b1;
    end else if (|served && |chosen && 32'(picked_q) < ListLen) begin
      // The older rule: a pair goes to place picked_q. The places from there to its old place, or
      // to the end of the list, move up by one. With ListLen pairs of this epoch in the list a
      // further pair moves nothing.
      for (int p = 0; p < ListLen; p++) begin
        if (LenBits'(p) < len_q && list_q[p*PairBits +: PairBits] == {from, to}) begin
          listed = 1'b1;
          place  = PlaceBits'(p);
        end
      end
      for (int p = 1; p < ListLen; p++) begin
        if (PickBits'(p) > picked_q && PlaceBits'(p) <= place) begin
          list_d[p*PairBits +: PairBits] = list_q[(p-1)*PairBits +: PairBits];
          age_d[p*AgeBits +: AgeBits]    = age_q[(p-1)*AgeBits +: AgeBits];
        end
      end
      list_d[picked_q*PairBits +: PairBits] = {from, to};
      age_d[picked_q*AgeBits +: AgeBits]    = '0;
      if (!listed && len_q < LenBits'(ListLen)) len_d = len_q + 1'b1;
      picked_d = picked_q + 1'b1;
    end
  end

  // Ranks are registered, so that no search of the list stands in front of the allocations.
  always_comb begin
    rank_d = rank_q;
    if (epoch_i || (RankNext == 0 && |served)) begin
      rank_d = ranks(list_d, len_d);
    end
  end

  always_comb begin
    for (int k = 0; k < Ports * Ports; k++) rank_o[k*7 +: 7] = 7'(rank_q[k*LenBits +: LenBits]);
    for (int p = 0; p < ListLen; p++)
      list_o[p*8 +: 8] = {4'(list_q[p*PairBits+PortBits +: PortBits]), 4'(list_q[p*PairBits +: PortBits])};
  end

  assign start_o         = start_q;
  assign trk_req_o       = req_q;
  assign crit_port_o     = crit_q;
  assign latched_o       = latched_q;
  assign sent_o          = sent_q;
  assign list_len_o      = 7'(len_q);
  assign probe_live_o    = live_q;
  assign probe_pending_o = pending_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q    <= '0;
      live_q     <= {Ports{Start}};
      latched_q  <= '0;
      most_q     <= '0;
      pending_q  <= '0;
      sent_q     <= '0;
      req_q      <= '0;
      crit_q     <= '0;
      touched_q  <= '0;
      crit_age_q <= '0;
      list_q     <= '0;
      age_q      <= '0;
      len_q      <= '0;
      picked_q   <= '0;
      rank_q     <= '0;
      pair_q     <= '0;
    end else begin
      start_q    <= start_d;
      live_q     <= live_d;
      latched_q  <= latched_d;
      most_q     <= most_d;
      pending_q  <= pending_d;
      sent_q     <= sent_d;
      req_q      <= req_d;
      crit_q     <= crit_d;
      touched_q  <= touched_d;
      crit_age_q <= crit_age_d;
      list_q     <= list_d;
      age_q      <= age_d;
      len_q      <= len_d;
      picked_q   <= picked_d;
      rank_q     <= rank_d;
      pair_q     <= pair_d;
    end
  end

  // Has an output at least TrackPct % of the highest stalls?
  function automatic logic enough(input logic [CountBits-1:0] t, input logic [CountBits-1:0] most);
    enough = Wide'(t) * Wide'(100) >= Wide'(most) * Wide'(TrackPct);
  endfunction

  // The rank of every pair of two ports. It is ListLen - place: the front has the highest, and 0 is
  // left for pairs that are not listed.
  function automatic logic [Ports*Ports*LenBits-1:0] ranks(input logic [ListLen*PairBits-1:0] list,
                                                           input logic [LenBits-1:0] len);
    ranks = '0;
    for (int i = 0; i < Ports; i++) begin
      for (int o = 0; o < Ports; o++) begin
        for (int p = 0; p < ListLen; p++) begin
          if (i != o && LenBits'(p) < len && list[p*PairBits +: PairBits] == {PortBits'(i), PortBits'(o)}) begin
            ranks[(i*Ports+o)*LenBits +: LenBits] = LenBits'(ListLen - p);
          end
        end
      end
    end
  endfunction

  // An age of 2^HystBits has its highest bit set and is not kept.
  function automatic logic [AgeBits:0] older(input logic [AgeBits-1:0] a);
    older = {1'b0, a} + 1'b1;
  endfunction

  initial if (Ports < 2 || Ports > 16) $fatal(1, "router_crit: Ports must be 2 to 16");
  initial if (PairSent != 0 && RankNext == 0) $fatal(1, "router_crit: PairSent needs RankNext");

`ifndef SYNTHESIS
  // A tracker is requested only where it was chosen, and the pairs of an epoch fit into pair_q.
  always @(posedge clk_i) if (rst_ni) begin
    assert ((chosen & sent_q) == '0);                     // an output has one tracker an epoch
    assert ((chosen & (chosen - Ports'(1))) == '0);
    assert ((req_q & ~sent_q) == '0);
    assert (32'(picked_q) <= (PairSent != 0 ? Waiting : 32'(len_q)));
    assert (!(|served && |chosen && PairSent != 0) || 32'(picked_q) < Waiting);
  end
`endif

`ifdef FORMAL
  // Every reachable state is like this. Proofs prove it, then begin there.
  logic [Ports*Ports*LenBits-1:0] rank_is;                // ranks of the list
  logic [CountBits-1:0]     most_is;                      // highest of the latched counters

  // A pair is of two different ports.
  function automatic logic legal(input logic [PairBits-1:0] pair);
    legal = 32'(pair[PortBits-1:0]) < Ports && 32'(pair[PairBits-1:PortBits]) < Ports &&
            pair[PortBits-1:0] != pair[PairBits-1:PortBits];
  endfunction

  always_comb begin
    rank_is = ranks(list_q, len_q);
    most_is = '0;
    for (int o = 0; o < Ports; o++)
      if (latched_q[o*CountBits +: CountBits] > most_is) most_is = latched_q[o*CountBits +: CountBits];
  end

  always @(posedge clk_i) if (rst_ni) begin
    assert (most_q == most_is);
    if (PairSent != 0 || RankNext == 0) assert (rank_q == rank_is);
    assert (len_q <= LenBits'(ListLen));
    assert (!start_q || (live_q == {Ports{Start}} && sent_q == '0 && pending_q == '0 && touched_q == '0 &&
                         picked_q == '0));
    assert ((touched_q & ~crit_q) == '0);
    for (int n = 0; n < Waiting; n++) begin
      assert ((PairSent != 0 && PickBits'(n) < picked_q) || pair_q[n*PairBits +: PairBits] == '0);
      assert (PairSent == 0 || PickBits'(n) >= picked_q || (legal(pair_q[n*PairBits +: PairBits]) &&
                                                                   sent_q[pair_q[n*PairBits +: PortBits]]));
      for (int m = 0; m < n; m++)
        assert (PairSent == 0 || PickBits'(n) >= picked_q ||
                pair_q[n*PairBits +: PortBits] != pair_q[m*PairBits +: PortBits]);
    end
    for (int o = 0; o < Ports; o++) begin
      assert (HystBits != 0 || crit_age_q[o*AgeBits +: AgeBits] == '0);
      assert (crit_q[o] || crit_age_q[o*AgeBits +: AgeBits] == '0);
    end
    for (int p = 0; p < ListLen; p++) begin
      assert (HystBits != 0 || age_q[p*AgeBits +: AgeBits] == '0);
      assert (LenBits'(p) < len_q || (list_q[p*PairBits +: PairBits] == '0 && age_q[p*AgeBits +: AgeBits] == '0));
      assert (PairSent != 0 || PickBits'(p) >= picked_q ||
              (age_q[p*AgeBits +: AgeBits] == '0 && sent_q[list_q[p*PairBits +: PortBits]]));
      assert (LenBits'(p) >= len_q || legal(list_q[p*PairBits +: PairBits]));
      for (int q = 0; q < p; q++)
        assert (LenBits'(p) >= len_q || list_q[p*PairBits +: PairBits] != list_q[q*PairBits +: PairBits]);
    end
  end
`endif
endmodule

`default_nettype wire
