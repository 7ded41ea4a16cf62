// SPDX-License-Identifier: Apache-2.0
//
// router_swalloc -- switch allocation: at most one flit leaves an input
// port, and at most one goes to an output port.
//
//   req, level --> make_offers: a VC for each pair of ports --> match: iSLIP of ports --> gnt_o
//                  (vc_above: VC pointers)                     (out_above, in_above: port pointers)
//
// gnt_o is valid in the cycle of the inputs. At its end the VC pointer of a granted input port
// moves just above the granted VC. The pointers of ports matched in the first iteration move just
// above each other. After reset VC 0, input 0 and output 0 come first.
//
// A pointer is kept as the mask of all that lies above the last winner. If nobody who asks is in
// the mask, the lowest who asks comes first:
//
//   above = 1100 (1 won last), asks = 1011: asks & above = 1000, so 3 wins
//   above = 1100 (1 won last), asks = 0011: nobody is above, so 0 wins
//
// Offers and matches are P rows of P bits: a row is an input port, a bit an output port. So all
// outputs grant at once. The match is the one of alloc_islip on these rows. A pair's level is the
// level of the VC that is offered; it is looked at only where there is a choice.

`default_nettype none

module router_swalloc #(
  parameter  int Ports     = 5,                   // ports, 2 to 16
  parameter  int VCs       = 2,                   // VCs of a port, priority buffers included, 1 to 16
  parameter  int SpecYield = 0,                   // 1: speculative requests rank below others
  parameter  int Iters     = 1,                   // iterations of iSLIP, 1 to 8
  parameter  int PrioAcross = 0,                  // 1: priority buffers go first between ports, too
  localparam int P         = Ports,               // ports
  localparam int N         = Ports * VCs,         // input VCs, at most 64
  localparam int PortW     = router_pkg::ROUTE_W  // bits of a port's number
) (
  input  wire logic               clk_i,       // router clock
  input  wire logic               rst_ni,      // asynchronous, active low
  // From the input ports
  input  wire logic [N-1:0]       req_i,       // bit i: input VC i asks for its output
  input  wire logic [N-1:0]       spec_i,      // bit i: the request is speculative
  input  wire logic [PortW*N-1:0] out_port_i,  // PortW an input VC: output that it asks for
  input  wire logic [12*N-1:0]    level_i,     // 12 bits an input VC; higher wins
  // From the output ports
  input  wire logic [P-1:0]       busy_i,      // bit o: output o takes no flit
  // To both
  output      logic [N-1:0]       gnt_o        // bit i: the flit at the front of i leaves; same cycle
);

  localparam int LEVEL_BITS = 13;             // an offer's level: the packet's, and below it not spec
  // Bit 4 of a packet's level (router_level) is bit 5 of an offer's. It counts inside a port: for
  // what the port offers and accepts. Bits below LEAST_BIT do not count between ports.
  localparam int PRIO_BIT = 5;
  localparam int LEAST_BIT = SpecYield != 0 ? 0 : 1;

  initial if (Ports < 2 || Ports > 16 || VCs < 1 || VCs > 16 || N > 64)
    $fatal(1, "Ports is 2..16, VCs of a port 1..16, of all at most 64");
  initial if (Iters < 1) $fatal(1, "Iters is 1 or more");

  // The pointers, as masks; a row is an input port.
  logic [N-1:0]   vc_above_d, vc_above_q;     // VCs above the last granted
  logic [P*P-1:0] out_above_d, out_above_q;   // bit o: the input is above the last partner of o
  logic [P*P-1:0] in_above_d, in_above_q;     // outputs above the input's last partner

  // Offers: for each pair of ports one VC, by level, then by the VC pointer.
  logic [VCs*P-1:0]   asks;                   // of one input port, row = VC: its output, one-hot
  logic [P-1:0]       rest, late, turn, seen;
  logic [N*P-1:0]     offer;                  // row = input VC: outputs that it is offered to
  logic [P*P-1:0]     offers;                 // row = input port: outputs with an offer

  logic               uneven;                 // levels within a port may differ

  // The level of an offer.
  function automatic logic [LEVEL_BITS-1:0] level_of(input int i);
    level_of = {level_i[12 * i +: 12], !spec_i[i]};
  endfunction

  // All outputs of a port at once. rest: outputs for which VC v has the highest
  // level; seen: outputs that have their VC. late: outputs for which one of these VCs is above the
  // pointer. For the others the turn goes around the end. A request for a busy output, or for a
  // port that there is not, sets no bit of asks. A VC asks for one output, so it is offered at most
  // once.
  always_comb begin : make_offers
    uneven = |level_i || |spec_i;
    asks   = '0;
    rest   = '0;
    late   = '0;
    turn   = '0;
    seen   = '0;
    offer  = '0;
    offers = '0;
    for (int ip = 0; ip < P; ip++) begin
      if (|req_i[ip * VCs +: VCs]) begin
        for (int v = 0; v < VCs; v++) begin
          asks[v * P +: P] = (P'(1) << out_port_i[PortW * (ip * VCs + v) +: PortW])
                             & {P{req_i[ip * VCs + v]}} & ~busy_i;
        end
        late = '0;
        seen = '0;
        for (int v = 0; v < VCs; v++) begin
          rest = asks[v * P +: P];
          if (uneven) begin
            for (int u = 0; u < VCs; u++) begin
              if (u != v) rest = rest & ~(asks[u * P +: P] & {P{level_of(ip * VCs + u) > level_of(ip * VCs + v)}});
            end
          end
          offer[(ip * VCs + v) * P +: P] = rest;
          late = late | (rest & {P{vc_above_q[ip * VCs + v]}});
        end
        for (int v = 0; v < VCs; v++) begin
          turn = offer[(ip * VCs + v) * P +: P] & ({P{vc_above_q[ip * VCs + v]}} | ~late);
          offer[(ip * VCs + v) * P +: P] = turn & ~seen;
          seen = seen | turn;
        end
        offers[ip * P +: P] = seen;
      end
    end
  end

  // Levels of the offers. They count only if some port, input or output, has two offers.
  logic [P-1:0]          once, twice;
  logic [LEVEL_BITS-1:0] used;                // bits that some level has; 0: no choice to make

  always_comb begin : look_at_levels
    used  = '0;
    once  = '0;
    twice = '0;
    if (|level_i || (SpecYield != 0 && |spec_i)) begin
      for (int ip = 0; ip < P; ip++) begin
        twice = twice | (once & offers[ip * P +: P]) | (offers[ip * P +: P] & (offers[ip * P +: P] - 1'b1));
        once  = once | offers[ip * P +: P];
      end
      if (|twice) begin
        for (int i = 0; i < N; i++) used = used | level_of(i);
      end
    end
  end

  // Of one input port: outputs to which a VC is offered whose level has bit b.
  function automatic logic [P-1:0] having(input logic [VCs*P-1:0] shown, input logic [12*VCs-1:0] level,
                                          input logic [VCs-1:0] spec, input int b);
    // verilator no_inline_task
    having = '0;
    for (int v = 0; v < VCs; v++) begin
      having = having | (shown[v * P +: P] & {P{b == 0 ? !spec[v] : level[12 * v + (b == 0 ? 0 : b - 1)]}});
    end
  endfunction

  // The match. Levels are compared bit by bit from the top, for all outputs at once. If an output
  // has an offer with the bit, its offers without the bit drop out.
  //
  //   grant    offers of ports without a partner -> highest level -> out_above: an input an output
  //   accept   grants of an input                -> highest level -> in_above: an output an input
  //   again    inputs without a grant, and outputs whose grant was not accepted
  //
  // Only partners of the first iteration move pointers (first): a port that lost there keeps its
  // turn. So among equal levels none starves whose request stays.
  logic [P*P-1:0] asking, rows, granted, matched, first;
  logic [P-1:0]   out_any, out_late, out_turn, out_seen, out_done, take, best;

  always_comb begin : match
    matched     = '0;
    first       = '0;
    asking      = '0;
    granted     = '0;
    out_any     = '0;
    out_late    = '0;
    out_turn    = '0;
    out_seen    = '0;
    out_done    = '0;
    take        = '0;
    best        = '0;
    rows        = '0;
    for (int it = 0; it < Iters; it++) begin
      // Grant: every output that is not matched yet.
      asking = offers;
      if (it > 0) begin
        for (int ip = 0; ip < P; ip++)
          asking[ip * P +: P] = |matched[ip * P +: P] ? '0 : offers[ip * P +: P] & ~out_done;
      end
      if (|used) begin
        for (int b = LEVEL_BITS - 1; b >= LEAST_BIT; b--) begin
          out_any = '0;
          if (used[b] && (PrioAcross != 0 || b != PRIO_BIT)) begin
            for (int ip = 0; ip < P; ip++) begin
              rows[ip * P +: P] = having(offer[ip * VCs * P +: VCs * P], level_i[12 * ip * VCs +: 12 * VCs],
                                         spec_i[ip * VCs +: VCs], b);
              out_any = out_any | (asking[ip * P +: P] & rows[ip * P +: P]);
            end
          end
          if (|out_any) begin
            for (int ip = 0; ip < P; ip++) asking[ip * P +: P] = asking[ip * P +: P] & (rows[ip * P +: P] | ~out_any);
          end
        end
      end
      out_late = '0;
      for (int ip = 0; ip < P; ip++) out_late = out_late | (asking[ip * P +: P] & out_above_q[ip * P +: P]);
      out_seen = '0;
      for (int ip = 0; ip < P; ip++) begin
        out_turn = asking[ip * P +: P] & (out_above_q[ip * P +: P] | ~out_late);
        granted[ip * P +: P] = out_turn & ~out_seen;
        out_seen = out_seen | out_turn;
      end
      // Accept: every input with grants
      for (int ip = 0; ip < P; ip++) begin
        if (|granted[ip * P +: P]) begin
          take = granted[ip * P +: P];
          if (|used && |(take & (take - 1'b1))) begin
            for (int b = LEVEL_BITS - 1; b >= LEAST_BIT; b--) begin
              best = take & having(offer[ip * VCs * P +: VCs * P], level_i[12 * ip * VCs +: 12 * VCs],
                                   spec_i[ip * VCs +: VCs], b);
              if (|best) take = best;
            end
          end
          if (|(take & in_above_q[ip * P +: P])) take = take & in_above_q[ip * P +: P];
          take = take & (~take + 1'b1);
          matched[ip * P +: P] = matched[ip * P +: P] | take;
          out_done = out_done | take;
        end
      end
      if (it == 0) first = matched;
    end
  end

  // The pointers of the ports, and the VCs that win. below: outputs whose partner is a lower input.
  // won is one-hot: of the VCs that ask for the matched output one alone was offered to it. A VC
  // pointer moves whichever iteration matched its port.
  logic [P-1:0]   below, out_moved;
  logic [VCs-1:0] won;

  always_comb begin : finish
    in_above_d  = in_above_q;
    out_above_d = out_above_q;
    vc_above_d  = vc_above_q;
    gnt_o       = '0;
    won         = '0;
    below       = '0;
    out_moved   = '0;
    for (int ip = 0; ip < P; ip++) out_moved = out_moved | first[ip * P +: P];
    for (int ip = 0; ip < P; ip++) begin
      out_above_d[ip * P +: P] = below | (out_above_q[ip * P +: P] & ~out_moved);
      below = below | first[ip * P +: P];
      if (|first[ip * P +: P]) in_above_d[ip * P +: P] = ~(first[ip * P +: P] | (first[ip * P +: P] - 1'b1));
      if (|matched[ip * P +: P]) begin
        for (int v = 0; v < VCs; v++) won[v] = |(offer[(ip * VCs + v) * P +: P] & matched[ip * P +: P]);
        gnt_o[ip * VCs +: VCs]      = won;
        vc_above_d[ip * VCs +: VCs] = ~(won | (won - 1'b1));
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vc_above_q  <= '0;
      out_above_q <= '0;
      in_above_q  <= '0;
    end else begin
      vc_above_q  <= vc_above_d;
      out_above_q <= out_above_d;
      in_above_q  <= in_above_d;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);
    assert ((out_done & busy_i) == '0);
    assert (|gnt_o == |offers);               // an offer leads to a match
  end
`endif

`ifdef FORMAL
  // Every reachable state is like this: a mask is all that lies above something, and no more.
  // Proofs prove it, then begin there.
  always @(posedge clk_i) if (rst_ni) begin
    for (int ip = 0; ip < P; ip++) begin
      assert (!vc_above_q[ip * VCs] && ((vc_above_q[ip * VCs +: VCs] << 1) & ~vc_above_q[ip * VCs +: VCs]) == '0);
      assert (!in_above_q[ip * P] && ((in_above_q[ip * P +: P] << 1) & ~in_above_q[ip * P +: P]) == '0);
      if (ip > 0) assert ((out_above_q[(ip - 1) * P +: P] & ~out_above_q[ip * P +: P]) == '0);
    end
    assert (out_above_q[0 +: P] == '0);
  end
`endif
endmodule

`default_nettype wire
