// SPDX-License-Identifier: Apache-2.0
//
// router_output -- one output port of a router: its VCs and their credits,
// the output FIFO and the link.
//
//   st_flit --+--> past_flit ------------+--> flit on the link --> out_flit, when left is 0
//             +--> u_queue (OutDepth) ---+    for 2^width cycles
//
// A flit that finds the FIFO empty and the link free goes past the FIFO into the link's register. A
// flit of the FIFO is on the link as the row that the memory has read last. The flit stays there
// until its link, which may be narrower than a flit, has carried it (left is 0). Without a FIFO the
// link has full width and is always free.
//
// A credit is registered on arrival and counted a cycle later. space is a flip-flop of its own, not
// a comparison of counters, because both allocations wait for it. busy, waits and trk_sent are
// combinational; the rest depends on registers only.

`default_nettype none

module router_output #(
  parameter  int NumVCs   = 2,                      // normal VCs, 1 to 16
  parameter  int Classes  = 1,                      // message classes: 1 or 2
  parameter  int Tr       = 0,                      // 1: a priority buffer per class
  parameter  int Depth    = 8,                      // flits a VC, before priority buffers: 1 to 64
  parameter  int FlitBits = 64,                     // bits of a flit: a multiple of 64, up to 1024
  parameter  int OutDepth = 0,                      // flits of the output FIFO, up to 16; 0: none, full width
  localparam int V        = NumVCs + Tr * Classes,  // VCs of the port, at most 16
  localparam int VcW      = router_pkg::VC_W        // bits of a VC's number
) (
  input  wire logic                clk_i,        // router clock
  input  wire logic                rst_ni,       // asynchronous, active low
  // From the allocators
  input  wire logic [V-1:0]        va_take_i,    // bit v: a packet gets VC v; only if not taken
  input  wire logic                sa_valid_i,   // a flit leaves its input; only if not busy_o
  input  wire logic [VcW-1:0]      sa_vc_i,      // its output VC, one with space
  input  wire logic                sa_tail_i,    // the flit is a tail: its VC is free again
  // From the input ports
  input  wire logic                st_valid_i,   // the flit comes, a cycle after sa_valid_i
  input  wire logic [FlitBits-1:0] st_flit_i,    // the flit, with its output VC
  // From the receiver
  input  wire logic                cr_valid_i,   // the receiver gives a credit
  input  wire logic [VcW-1:0]      cr_vc_i,      // VC of the credit
  // From congestion management
  input  wire logic [1:0]          width_i,      // 0 W, 1 W/2, 2 W/4, 3 W/8; read when a flit starts
  input  wire logic                off_i,        // no flit may start in this cycle
  input  wire logic                trk_req_i,    // the flit that starts gets the tracker flag
  // To the allocators
  output      logic [V-1:0]        taken_o,      // bit v: a packet holds VC v
  output      logic [V-1:0]        space_o,      // bit v: VC v has a credit
  output      logic                busy_o,       // the FIFO is full at the end of this cycle; same cycle
  // To the wire
  output      logic                out_valid_o,  // a flit is on the wire, for one cycle
  output      logic [FlitBits-1:0] out_flit_o,   // the flit; 0 without out_valid_o
  // To congestion management, and errors
  output      logic                waits_o,      // a flit waits and the link is not free; same cycle
  output      logic                trk_sent_o,   // a flit starts with the tracker flag; same cycle
  output      logic                cr_seen_o,    // cr_valid_i of the cycle before
  output      logic [1:0]          err_o         // one cycle: credit too many, credit for no VC
);

  // The larger depth of a normal VC and of a priority buffer.
  localparam int MaxDepth = Tr != 0 && Depth < router_pkg::PRIO_DEPTH ? router_pkg::PRIO_DEPTH : Depth;
  localparam int CountW   = $clog2(MaxDepth + 1);
  localparam logic [16*16-1:0]    DEPTHS = router_pkg::vc_depths(NumVCs, Classes, Tr, Depth);
  localparam logic [V*CountW-1:0] FULL   = counts(DEPTHS);  // credits of each VC after reset

  // VCs: taken says that some packet holds the VC, not which one. A counter per VC has its credits.
  logic [V-1:0]          taken_d, taken_q, space_d, space_q;
  logic [V*CountW-1:0]   count_d, count_q;
  logic [V-1:0]          sa_hot, cr_hot, back;             // back: a credit that counts
  logic [31:0]           sa_idx, cr_idx;
  logic [CountW-1:0]     sa_count, cr_count;
  logic                  cr_ok, cr_valid_q;
  logic [VcW-1:0]        cr_vc_q;
  logic [1:0]            err_d, err_q;

  // Link: at most one flit is on it, and the oldest of the FIFO is the next.
  logic                  starts, queued;                   // starts: goes onto the link; queued: in the FIFO
  logic                  trk_q;
  logic [FlitBits-1:0]   flit;                             // on the link; its tracker flag is apart

  // A tail gives its VC back in the cycle of its switch grant.
  assign sa_idx   = 32'(sa_vc_i) < V ? 32'(sa_vc_i) : 32'd0;
  assign sa_hot   = sa_valid_i ? V'(32'd1 << sa_idx) : '0;
  assign sa_count = count_q[sa_idx*CountW +: CountW];
  assign taken_d  = (taken_q | va_take_i) & ~(sa_tail_i ? sa_hot : '0);

  // A credit that comes. A VC that has all its credits takes no more, so a counter never wraps.
  assign cr_ok    = 32'(cr_vc_q) < V;
  assign cr_idx   = cr_ok ? 32'(cr_vc_q) : 32'd0;
  assign cr_hot   = cr_valid_q && cr_ok ? V'(32'd1 << cr_idx) : '0;
  assign cr_count = count_q[cr_idx*CountW +: CountW];
  assign back     = cr_count == FULL[cr_idx*CountW +: CountW] ? '0 : cr_hot;
  assign err_d    = {cr_valid_q && !cr_ok, |(cr_hot & ~back)};
  assign space_d  = (space_q & ~(sa_count == CountW'(1) ? sa_hot : '0)) | back;

  // A flit and a credit of the same VC in one cycle cancel out.
  always_comb begin
    count_d = count_q;
    if (sa_hot != back) begin
      if (sa_valid_i) count_d[sa_idx*CountW +: CountW] = sa_count - 1'b1;
      if (|back)      count_d[cr_idx*CountW +: CountW] = cr_count + 1'b1;
    end
  end

  // FIFO and link
  if (OutDepth == 0) begin : gen_direct
    logic                unused;
    logic                sending_q;
    logic [FlitBits-1:0] flit_q;

    assign queued      = 1'b0;
    assign starts      = st_valid_i;
    assign busy_o      = 1'b0;
    assign waits_o     = 1'b0;
    assign out_valid_o = sending_q;
    assign flit        = flit_q;
    assign unused      = &{1'b0, width_i, off_i, queued};

    always_ff @(posedge clk_i) if (st_valid_i) flit_q <= st_flit_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) sending_q <= 1'b0;
      else         sending_q <= starts;
    end
  end else begin : gen_fifo
    localparam int Rows  = OutDepth > 2 ? OutDepth : 2;
    localparam int RowW  = $clog2(Rows);
    localparam int FillW = $clog2(OutDepth + 1);
    localparam logic [RowW-1:0] LAST = RowW'(OutDepth - 1);

    logic                free, push, pop;
    logic [FillW-1:0]    fill_d, fill_q;                   // flits in the FIFO
    logic [RowW-1:0]     wptr_q, rptr_q;
    logic                sending_d, sending_q, past_d, past_q;  // past: the flit on the link went past the FIFO
    logic [2:0]          left_d, left_q;                        // cycles that it takes after this one
    logic [FlitBits-1:0] past_flit_q, queue_flit;

    // busy looks at the end of the cycle, so the switch never gives a flit for which there is no
    // place. The flit that is on the link does not count: it has left the FIFO.
    assign queued      = fill_q != '0;
    assign free        = left_q == '0 && !off_i;
    assign starts      = free && (queued || st_valid_i);
    assign pop         = starts && queued;
    assign push        = st_valid_i && (queued || !free);
    assign fill_d      = fill_q + FillW'(push) - FillW'(pop);
    assign busy_o      = fill_d == FillW'(OutDepth);
    assign waits_o     = !free && (queued || st_valid_i);
    assign sending_d   = starts || left_q != '0;
    assign left_d      = starts ? 3'((4'd1 << width_i) - 4'd1) : left_q != '0 ? left_q - 1'b1 : '0;
    assign past_d      = starts ? !queued : past_q;
    assign out_valid_o = sending_q && left_q == '0;
    assign flit        = past_q ? past_flit_q : queue_flit;

    // An entry is a flit as it came from the switch.
    sram_1r1w #(.Width(FlitBits), .Depth(Rows), .LaneBits(FlitBits)) u_queue (
      .clk_i, .rst_ni,
      .wr_en_i (push), .wr_addr_i (wptr_q), .wr_mask_i (1'b1), .wr_data_i (st_flit_i),
      .rd_en_i (pop),  .rd_addr_i (rptr_q), .rd_data_o (queue_flit)
    );

    always_ff @(posedge clk_i) if (starts && !queued) past_flit_q <= st_flit_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        fill_q    <= '0;
        wptr_q    <= '0;
        rptr_q    <= '0;
        sending_q <= 1'b0;
        past_q    <= 1'b1;
        left_q    <= '0;
      end else begin
        fill_q    <= fill_d;
        if (push) wptr_q <= wptr_q == LAST ? '0 : wptr_q + 1'b1;
        if (pop)  rptr_q <= rptr_q == LAST ? '0 : rptr_q + 1'b1;
        sending_q <= sending_d;
        past_q    <= past_d;
        left_q    <= left_d;
      end
    end

`ifndef SYNTHESIS
    always @(posedge clk_i) if (rst_ni) begin
      assert (!(push && !pop && fill_q == FillW'(OutDepth)));  // the switch gives no flit without a place
      assert (sending_q || left_q == '0);
    end
`endif
  end

  // The tracker flag goes with the flit that starts. It is for one link, so
  // the flit's own is dropped.
  assign trk_sent_o = starts && trk_req_i;
  always_ff @(posedge clk_i) if (starts) trk_q <= trk_req_i;
  always_comb begin
    out_flit_o = flit;
    out_flit_o[router_pkg::TRK_LSB] = trk_q;
    if (!out_valid_o) out_flit_o = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q    <= '0;
      space_q    <= '1;
      count_q    <= FULL;
      cr_valid_q <= 1'b0;
      cr_vc_q    <= '0;
      err_q      <= '0;
    end else begin
      taken_q    <= taken_d;
      space_q    <= space_d;
      count_q    <= count_d;
      cr_valid_q <= cr_valid_i;
      cr_vc_q    <= cr_vc_i;
      err_q      <= err_d;
    end
  end

  assign taken_o   = taken_q;
  assign space_o   = space_q;
  assign cr_seen_o = cr_valid_q;
  assign err_o     = err_q;

  logic unused_trk;
  assign unused_trk = flit[router_pkg::TRK_LSB];           // the flag is for one link

  function automatic logic [V*CountW-1:0] counts(input logic [16*16-1:0] depths);
    for (int v = 0; v < V; v++) counts[v*CountW +: CountW] = depths[v*16 +: CountW];
  endfunction

  initial begin
    if (NumVCs % Classes != 0) $fatal(1, "router_output: Classes must divide NumVCs");
    if (V > 16) $fatal(1, "router_output: at most 16 VCs, priority buffers included");
    if (DEPTHS[15:0] == '0) $fatal(1, "router_output: Depth leaves a VC no flit");
    if (FlitBits % 64 != 0) $fatal(1, "router_output: FlitBits must be a multiple of 64");
    if (OutDepth > 16) $fatal(1, "router_output: OutDepth is 0 to 16");
  end

`ifndef SYNTHESIS
  logic         sa_valid_q2;
  logic [V-1:0] held;                                      // VCs with space, by their counters

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sa_valid_q2 <= 1'b0;
    else         sa_valid_q2 <= sa_valid_i;
  end
  always_comb begin
    held = '0;
    for (int v = 0; v < V; v++) held[v] = count_q[v*CountW +: CountW] != '0;
  end

  // The allocators keep to busy, space and taken, and space says what the counters say.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!sa_valid_i || (!busy_o && 32'(sa_vc_i) < V));
    assert ((sa_hot & ~space_q) == '0);                    // no flit without a credit
    assert ((va_take_i & taken_q) == '0);                  // no VC given twice
    assert (st_valid_i == sa_valid_q2);
    assert (space_q == held);
  end
`endif
endmodule

`default_nettype wire
