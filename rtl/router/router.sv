// SPDX-License-Identifier: Apache-2.0
//
// router -- input-buffered virtual-channel router with the congestion
// management of the NUPIM paper.
//
// This file is wiring. The port file of a block says what the block does in which cycle; README.md
// says why the block exists. All outputs, probes included, depend on registers only.
//
//   in_* -> store | route | VC allocation | switch allocation | traversal -> FIFO, link -> out_*
//           input   input   vcalloc         swalloc             input, here  output
//                   (1)     (2)             (2)
//
// (1) Lookahead drops this stage. (2) Spec joins the two. router_level ranks packets for both
// allocations from the list of router_crit; router_width sets the width of the links.
//
// Names of vectors end in their element: ip input port, op output port, ivc
// input VC, ovc output VC.

`default_nettype none

module router #(
  parameter  int Ports       = 5,                      // ports, 2 to 16
  parameter  int NumVCs      = 2,                      // normal VCs of a port, all classes, 1 to 16
  parameter  int Classes     = 1,                      // message classes, each with its own VCs: 1 or 2
  parameter  int Depth       = 8,                      // flits a VC, before priority buffers: 1 to 64
  parameter  int OutDepth    = 0,                      // flits of an output FIFO, up to 16; 0: none
  parameter  int FlitBits    = 64,                     // bits of a flit: a multiple of 64, up to 1024
  parameter  int NumDest     = 64,                     // destinations, 1 to 1024
  parameter  int Lookahead   = 0,                      // 1: lookahead routing, no route stage
  parameter  int Spec        = 0,                      // 1: speculative switch allocation, with VC allocation
  parameter  int SpecYield   = 0,                      // 1: speculative requests rank below others
  parameter  int KeepVC      = 0,                      // 1: packets keep the number of their VC
  parameter  int Crit        = 0,                      // 1: critical pairs first
  parameter  int Tr          = 0,                      // 1: a priority buffer a class
  parameter  int PrioAcross  = 0,                      // 1: priority buffers go first between ports, too
  parameter  int Width       = 0,                      // 1: link width management; needs Crit and OutDepth
  parameter  int Dist        = 0,                      // 1: packets that have come farther first
  parameter  int Bound       = 0,                      // prioritised flits in a row while others wait; 0: no bound
  parameter  int Iters       = 1,                      // iterations of the switch allocator, 1 to 8
  parameter  int ListLen     = 8,                      // places in the critical list, 1 to 64
  parameter  int TrackPct    = 50,                     // k: least share of the highest stalls, %
  parameter  int HystBits    = 6,                      // h: what is not selected for 2^h epochs goes, 0 to 8
  parameter  int PairSent    = 1,                      // a pair is listed when its tracker 1: leaves, 0: is requested
  parameter  int RankNext    = 1,                      // 1: ranks act from the next epoch on, 0: at once
  parameter  int CountBits   = 20,                     // bits of stall and rate counters, 4 to 32
  parameter  int EpochCycles = 100000,                 // cycles of an epoch, 1 to 2^24 - 1
  parameter  int Penalty     = 2500,                   // cycles that a change of width takes, 0 to 65535
  parameter  int WidthPct    = 90,                     // w: share of the highest stalls above which a link grows, %
  localparam int V           = NumVCs + Tr * Classes,  // VCs of a port, at most 16
  localparam int N           = Ports * V,              // input VCs, and output VCs, at most 64
  localparam int VcW         = router_pkg::VC_W,       // bits of a VC's number
  localparam int PortW       = router_pkg::ROUTE_W,    // bits of a port's number
  localparam int HopsW       = router_pkg::HOPS_W,     // bits of a number of hops
  localparam int DestW       = router_pkg::DEST_W      // bits of a destination
) (
  input  wire logic                      clk_i,              // router clock
  input  wire logic                      rst_ni,             // asynchronous, active low
  // Configuration and time
  input  wire logic                      cfg_valid_i,        // writes an entry of the route table
  input  wire logic [DestW-1:0]          cfg_dest_i,         // its destination
  input  wire logic [PortW-1:0]          cfg_port_i,         // its port; with Lookahead at the next router
  input  wire logic                      epoch_i,            // last cycle of an epoch, from router_epoch
  input  wire logic [Ports-1:0]          link_i,             // outputs with managed width: constant after reset
  // From and to the senders
  input  wire logic [Ports-1:0]          in_valid_i,         // bit p: a flit comes at port p
  input  wire logic [Ports*FlitBits-1:0] in_flit_i,          // FlitBits a port, ignored without valid
  output      logic [Ports-1:0]          cr_valid_o,         // bit p: a credit for the sender at port p
  output      logic [Ports*VcW-1:0]      cr_vc_o,            // VcW a port: VC of the credit, 0 without
  // To and from the receivers
  output      logic [Ports-1:0]          out_valid_o,        // bit p: a flit leaves at port p
  output      logic [Ports*FlitBits-1:0] out_flit_o,         // FlitBits a port, 0 without valid
  input  wire logic [Ports-1:0]          ocr_valid_i,        // bit p: the receiver at port p gives a credit
  input  wire logic [Ports*VcW-1:0]      ocr_vc_i,           // VcW a port: VC of the credit
  output      logic [5:0]                err_o,              // one cycle each; 3:0 of any input, 5:4 of any output
  // Probes, in the order of cause
  output      logic [N-1:0]              probe_va_o,         // VC allocation grants of the cycle before
  output      logic [N-1:0]              probe_sa_o,         // switch grants that counted in the cycle before
  output      logic [Ports-1:0]          probe_stall_o,      // outputs with a stalled flit in the cycle before
  output      logic [Ports-1:0]          probe_sent_o,       // outputs whose tracker has left this epoch
  output      logic [Ports-1:0]          probe_crit_port_o,  // outputs that are critical
  output      logic [6:0]                probe_list_len_o,   // pairs in the critical list
  output      logic [ListLen*8-1:0]      probe_list_o,       // 8 bits a place: input, output; the first lowest
  output      logic [Ports*2-1:0]        probe_width_o,      // 2 bits an output: 0 W, 1 W/2, 2 W/4, 3 W/8
  output      logic [Ports-1:0]          probe_off_o         // outputs whose width changes
);

  // Input ports: the packet at the front of each input VC, and the flit that crosses the switch.
  logic [Ports*DestW-1:0]         dest_ip;
  logic [Ports*PortW-1:0]         table_ip, st_port_ip;
  logic [Ports*4-1:0]             err_ip;
  logic [N-1:0]                   ready_ivc, routing_ivc, allocating_ivc, active_ivc, tail_ivc, div_ivc;
  logic [N*PortW-1:0]             out_port_ivc;
  logic [N*VcW-1:0]               out_vc_ivc;
  logic [N*HopsW-1:0]             hops_ivc;
  logic [Ports-1:0]               st_valid_ip, trk_ip;
  logic [Ports*FlitBits-1:0]      st_flit_ip;

  // Allocation: requests and grants by input VC, output VCs that are held or have a credit.
  logic [N*12-1:0]                level_ivc;
  logic [N-1:0]                   elig_ivc, va_gnt_ivc, va_space_ivc, spec_ivc, space_ivc, go_ivc, sa_req_ivc,
                                  sa_gnt_ivc, leave_ivc;
  logic [N*VcW-1:0]               va_vc_ivc;
  logic [N-1:0]                   taken_ovc, space_ovc, take_ovc;

  // Grants that count, by input port and by output port
  logic [Ports-1:0]               leave_ip, leave_tail_ip, sa_valid_op, sa_tail_op;
  logic [Ports*PortW-1:0]         leave_port_ip;
  logic [Ports*VcW-1:0]           leave_vc_ip, sa_vc_op;

  // Output ports: the FIFO, the link, and what they tell congestion management.
  logic [Ports-1:0]               busy_op, waits_op, st_valid_op, trk_sent_op, cr_seen_op;
  logic [Ports*FlitBits-1:0]      st_flit_op;
  logic [Ports*2-1:0]             err_op;

  // Congestion management
  logic                           start;
  logic [Ports-1:0]               stall_op, trk_req_op, crit_op, off_op;
  logic [Ports*Ports*7-1:0]       rank_ip_op;
  logic [Ports*CountBits-1:0]     latched_op;
  logic [Ports*2-1:0]             width_op;

  logic [N-1:0]                   probe_va_q, probe_sa_q;
  logic [Ports-1:0]               probe_stall_q;

  // Input ports
  router_route #(.Ports(Ports), .NumDest(NumDest)) u_route (
    .clk_i, .rst_ni, .cfg_valid_i, .cfg_dest_i, .cfg_port_i, .dest_i (dest_ip), .port_o (table_ip)
  );

  for (genvar p = 0; p < Ports; p++) begin : gen_input
    assign dest_ip[p*DestW +: DestW] = in_flit_i[p*FlitBits + router_pkg::DEST_LSB +: DestW];

    router_input #(
      .Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .Depth(Depth), .FlitBits(FlitBits),
      .Lookahead(Lookahead)
    ) u_input (
      .clk_i, .rst_ni,
      .in_valid_i   (in_valid_i[p]),
      .in_flit_i    (in_flit_i[p*FlitBits +: FlitBits]),
      .table_i      (table_ip[p*PortW +: PortW]),
      .va_gnt_i     (va_gnt_ivc[p*V +: V]),
      .va_vc_i      (va_vc_ivc[p*V*VcW +: V*VcW]),
      .sa_gnt_i     (leave_ivc[p*V +: V]),
      .ready_o      (ready_ivc[p*V +: V]),
      .routing_o    (routing_ivc[p*V +: V]),
      .allocating_o (allocating_ivc[p*V +: V]),
      .active_o     (active_ivc[p*V +: V]),
      .tail_o       (tail_ivc[p*V +: V]),
      .div_o        (div_ivc[p*V +: V]),
      .out_port_o   (out_port_ivc[p*V*PortW +: V*PortW]),
      .out_vc_o     (out_vc_ivc[p*V*VcW +: V*VcW]),
      .hops_o       (hops_ivc[p*V*HopsW +: V*HopsW]),
      .st_valid_o   (st_valid_ip[p]),
      .st_port_o    (st_port_ip[p*PortW +: PortW]),
      .st_flit_o    (st_flit_ip[p*FlitBits +: FlitBits]),
      .cr_valid_o   (cr_valid_o[p]),
      .cr_vc_o      (cr_vc_o[p*VcW +: VcW]),
      .trk_o        (trk_ip[p]),
      .err_o        (err_ip[p*4 +: 4])
    );
  end

  // Allocation
  router_vcalloc #(
    .Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .KeepVC(KeepVC), .PrioAcross(PrioAcross)
  ) u_vcalloc (
    .clk_i, .rst_ni,
    .req_i       (allocating_ivc),
    .div_i       (div_ivc),
    .out_port_i  (out_port_ivc),
    .level_i     (level_ivc),
    .taken_i     (taken_ovc),
    .space_i     (space_ovc),
    .elig_o      (elig_ivc),
    .gnt_o       (va_gnt_ivc),
    .gnt_space_o (va_space_ivc),
    .gnt_vc_o    (va_vc_ivc),
    .take_o      (take_ovc)
  );

  // A request of the switch needs a flit and a credit. A speculative one has no output VC yet: elig
  // says that some VC that the packet may get has a credit.
  always_comb begin
    for (int i = 0; i < N; i++) begin
      space_ivc[i] = active_ivc[i] && space_ovc[32'(out_port_ivc[i*PortW +: PortW])*V + 32'(out_vc_ivc[i*VcW +: VcW])];
    end
  end
  assign go_ivc     = active_ivc & ready_ivc;
  assign spec_ivc   = Spec != 0 ? allocating_ivc & elig_ivc : '0;
  assign sa_req_ivc = (go_ivc & space_ivc) | spec_ivc;

  router_swalloc #(.Ports(Ports), .VCs(V), .SpecYield(SpecYield), .Iters(Iters), .PrioAcross(PrioAcross)) u_swalloc (
    .clk_i, .rst_ni,
    .req_i      (sa_req_ivc),
    .spec_i     (spec_ivc),
    .out_port_i (out_port_ivc),
    .level_i    (level_ivc),
    .busy_i     (busy_op),
    .gnt_o      (sa_gnt_ivc)
  );

  // A speculative grant counts only with an output VC and a credit for it. The grants
  // that count are sorted by input port, then by output port: at most one VC leaves an
  // input, and at most one goes to an output.
  // A grant that does not count has cost its input and its output this cycle. Its packet has lost
  // nothing: the flit stays, and an output VC that it got without a credit is its own.
  assign leave_ivc = sa_gnt_ivc & (active_ivc | (va_gnt_ivc & va_space_ivc));

  always_comb begin
    leave_ip      = '0;
    leave_tail_ip = '0;
    leave_port_ip = '0;
    leave_vc_ip   = '0;
    for (int i = 0; i < N; i++) begin
      if (leave_ivc[i]) begin
        leave_ip[i/V]                     = 1'b1;
        leave_tail_ip[i/V]                = tail_ivc[i];
        leave_port_ip[i/V*PortW +: PortW] = out_port_ivc[i*PortW +: PortW];
        leave_vc_ip[i/V*VcW +: VcW]       = active_ivc[i] ? out_vc_ivc[i*VcW +: VcW] : va_vc_ivc[i*VcW +: VcW];
      end
    end
  end
  always_comb begin
    sa_valid_op = '0;
    sa_tail_op  = '0;
    sa_vc_op    = '0;
    for (int o = 0; o < Ports; o++) begin
      for (int p = 0; p < Ports; p++) begin
        if (leave_ip[p] && 32'(leave_port_ip[p*PortW +: PortW]) == o) begin
          sa_valid_op[o]         = 1'b1;
          sa_tail_op[o]          = sa_tail_op[o] | leave_tail_ip[p];
          sa_vc_op[o*VcW +: VcW] = sa_vc_op[o*VcW +: VcW] | leave_vc_ip[p*VcW +: VcW];
        end
      end
    end
  end

  // Traversal, in the cycle after the grant: a multiplexer per output port. At most one input has a
  // flit for an output, so an OR is enough.
  always_comb begin
    st_valid_op = '0;
    st_flit_op  = '0;
    for (int o = 0; o < Ports; o++) begin
      for (int p = 0; p < Ports; p++) begin
        if (st_valid_ip[p] && 32'(st_port_ip[p*PortW +: PortW]) == o) begin
          st_valid_op[o]                     = 1'b1;
          st_flit_op[o*FlitBits +: FlitBits] = st_flit_op[o*FlitBits +: FlitBits] | st_flit_ip[p*FlitBits +: FlitBits];
        end
      end
    end
  end

  // Output ports
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    router_output #(
      .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .Depth(Depth), .FlitBits(FlitBits), .OutDepth(OutDepth)
    ) u_output (
      .clk_i, .rst_ni,
      .va_take_i   (take_ovc[p*V +: V]),
      .sa_valid_i  (sa_valid_op[p]),
      .sa_vc_i     (sa_vc_op[p*VcW +: VcW]),
      .sa_tail_i   (sa_tail_op[p]),
      .st_valid_i  (st_valid_op[p]),
      .st_flit_i   (st_flit_op[p*FlitBits +: FlitBits]),
      .cr_valid_i  (ocr_valid_i[p]),
      .cr_vc_i     (ocr_vc_i[p*VcW +: VcW]),
      .width_i     (width_op[p*2 +: 2]),
      .off_i       (off_op[p]),
      .trk_req_i   (trk_req_op[p]),
      .taken_o     (taken_ovc[p*V +: V]),
      .space_o     (space_ovc[p*V +: V]),
      .busy_o      (busy_op[p]),
      .out_valid_o (out_valid_o[p]),
      .out_flit_o  (out_flit_o[p*FlitBits +: FlitBits]),
      .waits_o     (waits_op[p]),
      .trk_sent_o  (trk_sent_op[p]),
      .cr_seen_o   (cr_seen_op[p]),
      .err_o       (err_op[p*2 +: 2])
    );
  end

  always_comb begin
    err_o = '0;
    for (int p = 0; p < Ports; p++) err_o = err_o | {err_op[p*2 +: 2], err_ip[p*4 +: 4]};
  end

  // Congestion management. What a configuration does not have is not built. A stall: a flit with no
  // credit, or a flit whose link is not free. A packet that waits for an output VC is no stall. An
  // output has at most one stall a cycle.
  always_comb begin
    stall_op = waits_op;
    for (int i = 0; i < N; i++) begin
      if (go_ivc[i] && !space_ivc[i]) stall_op[32'(out_port_ivc[i*PortW +: PortW])] = 1'b1;
    end
  end

  // Levels: without Crit, Tr and Dist all are 0.
  if (Crit != 0 || Tr != 0 || Dist != 0) begin : gen_level
    logic [Ports-1:0] unused_fair;
    router_level #(.Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .Dist(Dist), .Bound(Bound)) u_level (
      .clk_i, .rst_ni,
      .rank_i (rank_ip_op), .out_port_i (out_port_ivc), .hops_i (hops_ivc),
      .asks_i (allocating_ivc | (go_ivc & space_ivc)), .sa_gnt_i (leave_ivc), .level_o (level_ivc),
      .fair_o (unused_fair)
    );
  end else begin : gen_no_level
    logic unused;
    assign level_ivc = '0;
    assign unused    = &{1'b0, rank_ip_op, hops_ivc};
  end

  // Critical path detection: without it no tracker goes out, and no pair is listed.
  if (Crit != 0) begin : gen_crit
    logic [Ports*CountBits-1:0] unused_live;
    logic [Ports-1:0]           unused_pending;
    router_crit #(
      .Ports(Ports), .ListLen(ListLen), .TrackPct(TrackPct), .HystBits(HystBits), .CountBits(CountBits),
      .PairSent(PairSent), .RankNext(RankNext)
    ) u_crit (
      .clk_i, .rst_ni, .epoch_i,
      .stall_i (stall_op), .trk_in_i (trk_ip), .trk_sent_i (trk_sent_op), .start_o (start), .trk_req_o (trk_req_op),
      .crit_port_o (crit_op), .rank_o (rank_ip_op), .latched_o (latched_op), .sent_o (probe_sent_o),
      .list_len_o (probe_list_len_o), .list_o (probe_list_o), .probe_live_o (unused_live),
      .probe_pending_o (unused_pending)
    );
  end else begin : gen_no_crit
    logic unused;
    assign start            = 1'b0;
    assign trk_req_op       = '0;
    assign crit_op          = '0;
    assign rank_ip_op       = '0;
    assign latched_op       = '0;
    assign probe_sent_o     = '0;
    assign probe_list_len_o = '0;
    assign probe_list_o     = '0;
    assign unused           = &{1'b0, epoch_i, trk_ip, trk_sent_op};
  end

  // Link widths: without management all links have width W.
  if (Width != 0) begin : gen_width
    logic [Ports*CountBits-1:0] unused_rate;
    router_width #(
      .Ports(Ports), .CountBits(CountBits), .EpochCycles(EpochCycles), .Penalty(Penalty), .WidthPct(WidthPct)
    ) u_width (
      .clk_i, .rst_ni, .epoch_i,
      .start_i (start), .link_i, .cr_seen_i (cr_seen_op), .crit_port_i (crit_op), .latched_i (latched_op),
      .width_o (width_op), .off_o (off_op), .probe_rate_o (unused_rate)
    );
  end else begin : gen_no_width
    logic unused;
    assign width_op = '0;
    assign off_op   = '0;
    assign unused   = &{1'b0, link_i, cr_seen_op, start, latched_op};
  end

  // Probes
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      probe_va_q    <= '0;
      probe_sa_q    <= '0;
      probe_stall_q <= '0;
    end else begin
      probe_va_q    <= va_gnt_ivc;
      probe_sa_q    <= leave_ivc;
      probe_stall_q <= stall_op;
    end
  end

  assign probe_va_o        = probe_va_q;
  assign probe_sa_o        = probe_sa_q;
  assign probe_stall_o     = probe_stall_q;
  assign probe_crit_port_o = crit_op;
  assign probe_width_o     = width_op;
  assign probe_off_o       = off_op;

  logic unused_routing;
  assign unused_routing = &{1'b0, routing_ivc};

  initial begin
    if (NumVCs % Classes != 0) $fatal(1, "router: Classes must divide NumVCs");
    if (N > 64 || V > 16) $fatal(1, "router: at most 16 VCs a port and 64 VCs in all, priority buffers included");
    if (Width != 0 && Crit == 0) $fatal(1, "router: Width needs Crit");
    if (Width != 0 && OutDepth == 0) $fatal(1, "router: Width needs OutDepth");
    if (Dist != 0 && (Crit != 0 || Tr != 0)) $fatal(1, "router: Dist does not go with Crit or Tr");
    if (KeepVC != 0 && Tr != 0) $fatal(1, "router: KeepVC does not go with Tr");
  end

`ifndef SYNTHESIS
  // The switch sends nothing to a busy output, and no output VC is given twice.
  always @(posedge clk_i) if (rst_ni) begin
    assert ((sa_valid_op & busy_op) == '0);
    assert ((sa_gnt_ivc & ~sa_req_ivc) == '0 && (va_gnt_ivc & ~allocating_ivc) == '0);
    assert ((take_ovc & taken_ovc) == '0);
  end
`endif
endmodule

`default_nettype wire
