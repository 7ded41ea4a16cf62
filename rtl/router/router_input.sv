// SPDX-License-Identifier: Apache-2.0
//
// router_input -- one input port of a router: the buffers of its VCs, and what the
// packet at the front of each VC is doing.
//
//   in_flit --> u_flits: a range of rows per VC --> rd_flit --> st_flit
//      |        row_q: tail, div, hops, port of each row, in flip-flops
//      +--> packet at the front: phase, out_port, out_vc, hops, div
//
// Phase of a VC's packet:
//
//         flit at the front       one cycle              va_gnt           tail leaves
//   none -----------------> routing -------> allocating --------> active ------------> none
//     |                                       ^     |
//     +---------------------------------------+     +--> none: va_gnt, and a tail leaves at once
//                 with Lookahead
//
// Flits are stored as they will leave: tracker flag cleared, hops counted, next route written. Only
// the VC is put in on the way out. The memory is read with the switch grant, so the flit comes in
// the next cycle. What is needed before that is in flip-flops.
//
// In a cycle at most one flit comes and one leaves. So at most two packets start: one behind a tail
// that leaves, one that comes into an empty VC. Their VCs differ. All outputs are registered.

`default_nettype none

module router_input #(
  parameter  int Ports     = 5,                      // ports of the router, 2 to 16
  parameter  int NumVCs    = 2,                      // normal VCs, 1 to 16
  parameter  int Classes   = 1,                      // message classes: 1 or 2
  parameter  int Tr        = 0,                      // 1: a priority buffer per class
  parameter  int Depth     = 8,                      // flits a VC, before priority buffers: 1 to 64
  parameter  int FlitBits  = 64,                     // bits of a flit: a multiple of 64, up to 1024
  parameter  int Lookahead = 0,                      // 1: the route comes in the header
  localparam int V         = NumVCs + Tr * Classes,  // VCs of the port, at most 16
  localparam int VcW       = router_pkg::VC_W,       // bits of a VC's number
  localparam int PortW     = router_pkg::ROUTE_W,    // bits of a port's number
  localparam int HopsW     = router_pkg::HOPS_W      // bits of a number of hops
) (
  input  wire logic                clk_i,         // router clock
  input  wire logic                rst_ni,        // asynchronous, active low
  // From the wire and the route table
  input  wire logic                in_valid_i,    // a flit comes
  input  wire logic [FlitBits-1:0] in_flit_i,     // the flit, with in_valid_i
  input  wire logic [PortW-1:0]    table_i,       // route table's entry for its dest, same cycle
  // From the allocators
  input  wire logic [V-1:0]        va_gnt_i,      // bit v: VC v gets an output VC; only if allocating
  input  wire logic [VcW*V-1:0]    va_vc_i,       // VcW a VC: the output VC, with va_gnt_i
  input  wire logic [V-1:0]        sa_gnt_i,      // one-hot or 0: the front flit of VC v leaves
  // To the allocators
  output      logic [V-1:0]        ready_o,       // bit v: a flit is in the buffer
  output      logic [V-1:0]        routing_o,     // bit v: first cycle of a packet
  output      logic [V-1:0]        allocating_o,  // bit v: the packet waits for an output VC
  output      logic [V-1:0]        active_o,      // bit v: the packet has an output VC
  output      logic [V-1:0]        tail_o,        // bit v: the flit at the front is a tail
  output      logic [V-1:0]        div_o,         // bit v: the packet's head has div set
  output      logic [PortW*V-1:0]  out_port_o,    // PortW a VC: output port of the packet
  output      logic [VcW*V-1:0]    out_vc_o,      // VcW a VC: output VC, while active_o
  output      logic [HopsW*V-1:0]  hops_o,        // HopsW a VC: hops of the packet as it came
  // To the output ports
  output      logic                st_valid_o,    // a flit crosses the switch: sa_gnt_i a cycle ago
  output      logic [PortW-1:0]    st_port_o,     // its output port
  output      logic [FlitBits-1:0] st_flit_o,     // the flit with its output VC; 0 without st_valid_o
  // To the sender
  output      logic                cr_valid_o,    // a credit for the sender, with st_valid_o
  output      logic [VcW-1:0]      cr_vc_o,       // VC whose slot is free
  // To congestion management, and errors
  output      logic                trk_o,         // a tracker flag came a cycle ago
  output      logic [3:0]          err_o          // a cycle later: full, VC, head or tail order, port
);

  localparam int Slots    = NumVCs * Depth > 2 ? NumVCs * Depth : 2;  // rows of the memory, >= 2
  localparam int AddrW    = $clog2(Slots);
  localparam int IdxW     = V > 1 ? $clog2(V) : 1;         // bits of the number of a VC of this port
  localparam int ROW_BITS = 2 + HopsW + PortW;             // of row_q: tail, div, hops, port
  // Rows of each VC, 16 bits each; then the first and the last row of each VC.
  localparam logic [16*16-1:0] DEPTHS = router_pkg::vc_depths(NumVCs, Classes, Tr, Depth);
  localparam logic [V*AddrW-1:0] FIRST = rows(0), LAST = rows(1);
  localparam logic [HopsW-1:0] MAX_HOPS = {HopsW{1'b1}};

  // Arrival: fields of the flit on the wire, and the row that it goes to.
  logic [router_pkg::HDR_W-1:0] hdr;
  logic                         vc_ok, store, wr_head, wr_tail, wr_div;
  logic [VcW-1:0]               wr_vc;
  logic [HopsW-1:0]             wr_hops;
  logic [PortW-1:0]             wr_port;
  logic [IdxW-1:0]              wr_idx;
  logic [V-1:0]                 in_hot, wr_hot;            // VC of the flit, one-hot; wr_hot: if it is stored
  logic [AddrW-1:0]             wr_row;
  logic [FlitBits-1:0]          wr_flit;

  // Departure: the flit that leaves (rd_row) and what is at the front behind it (rd_next).
  logic                         rd_en, last, left, rd_tail, rd_div;
  logic [VcW-1:0]               rd_vc, st_vc;
  logic [HopsW-1:0]             rd_hops;
  logic [PortW-1:0]             rd_port, st_port;
  logic [IdxW-1:0]              rd_idx;
  logic [AddrW-1:0]             rd_row, rd_next;
  logic [ROW_BITS-1:0]          behind;
  logic [FlitBits-1:0]          rd_flit;

  // Buffers: each VC is a ring in its range of rows. An entry of row_q is
  // what a packet starts with.
  logic [V*AddrW-1:0]           wptr_q, rptr_q;
  logic [V-1:0]                 ready_q, full_q, tail_q;
  logic [V-1:0]                 inside_q;                  // the flit stored last was no tail
  logic [ROW_BITS-1:0]          row_q [0:Slots-1];

  // Packets: the phases, and the fields of the packet that started last.
  logic [V-1:0]                 over, begin_rd, begin_wr;  // over: a tail leaves; begin: a packet starts
  logic [V-1:0]                 routing_q, allocating_q, active_q, div_q;
  logic [PortW*V-1:0]           out_port_q;
  logic [VcW*V-1:0]             out_vc_q;
  logic [HopsW*V-1:0]           hops_q;

  logic                         st_valid_q, trk_q;
  logic [PortW-1:0]             st_port_q;
  logic [VcW-1:0]               st_vc_q, cr_vc_q;
  logic [3:0]                   err_q;

  assign hdr     = in_flit_i[router_pkg::HDR_W-1:0];
  assign wr_head = hdr[router_pkg::HEAD_LSB];
  assign wr_tail = hdr[router_pkg::TAIL_LSB];
  assign wr_div  = hdr[router_pkg::DIV_LSB];
  assign wr_vc   = hdr[router_pkg::VC_LSB +: VcW];
  assign wr_hops = hdr[router_pkg::HOPS_LSB +: HopsW];
  assign wr_port = Lookahead != 0 ? hdr[router_pkg::ROUTE_LSB +: PortW] : table_i;
  assign vc_ok   = 32'(wr_vc) < V;

  // A flit goes into its VC unless the VC is full. A slot that is freed in
  // this cycle still counts as full.
  always_comb begin : arrive
    wr_idx  = '0;
    in_hot  = '0;
    wr_flit = '0;
    if (in_valid_i && vc_ok) begin
      wr_idx  = wr_vc[IdxW-1:0];
      in_hot  = V'(1) << wr_idx;
      wr_flit = in_flit_i;
      wr_flit[router_pkg::TRK_LSB]       = 1'b0;
      wr_flit[router_pkg::VC_LSB +: VcW] = '0;
      if (wr_head && wr_hops != MAX_HOPS) wr_flit[router_pkg::HOPS_LSB +: HopsW]  = wr_hops + HopsW'(1);
      if (wr_head && Lookahead != 0)      wr_flit[router_pkg::ROUTE_LSB +: PortW] = table_i;
    end
  end
  assign wr_hot = in_hot & ~full_q;
  assign store  = |wr_hot;
  assign wr_row = wptr_q[wr_idx*AddrW +: AddrW];

  // The flit that leaves, and its output VC: of a speculative grant the one
  // that is allocated right now.
  always_comb begin : depart
    rd_en   = |sa_gnt_i;
    rd_vc   = '0;
    rd_idx  = '0;
    rd_row  = '0;
    rd_next = '0;
    last    = 1'b0;
    over    = '0;
    behind  = '0;
    st_port = '0;
    st_vc   = '0;
    if (rd_en) begin
      for (int v = 0; v < V; v++) if (sa_gnt_i[v]) rd_vc = rd_vc | VcW'(v);
      rd_idx  = rd_vc[IdxW-1:0];
      rd_row  = rptr_q[rd_idx*AddrW +: AddrW];
      rd_next = after(rd_idx, rd_row);
      last    = rd_next == wptr_q[rd_idx*AddrW +: AddrW];
      over    = sa_gnt_i & tail_q;
      behind  = row_q[rd_next];
      st_port = out_port_q[rd_idx*PortW +: PortW];
      st_vc   = |(va_gnt_i & sa_gnt_i) ? va_vc_i[rd_idx*VcW +: VcW] : out_vc_q[rd_idx*VcW +: VcW];
    end
  end

  // The flit behind one that leaves may be the flit that comes in the same
  // cycle: it bypasses row_q.
  assign left     = !last || |(wr_hot & sa_gnt_i);
  assign {rd_tail, rd_div, rd_hops, rd_port} = last ? {wr_tail, wr_div, wr_hops, wr_port} : behind;
  assign begin_rd = left ? over : '0;
  assign begin_wr = wr_hot & ~(ready_q | active_q);

  // The flip-flops of the rows have no reset: a row means something only between the pointers.
  always_ff @(posedge clk_i) begin
    if (store) row_q[wr_row] <= {wr_tail, wr_div, wr_hops, wr_port};
  end

  // The state. Next states stand here and not as _d: they are evaluated once
  // a cycle, and only where something moves.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q       <= FIRST;
      rptr_q       <= FIRST;
      ready_q      <= '0;
      full_q       <= '0;
      tail_q       <= '0;
      inside_q     <= '0;
      routing_q    <= '0;
      allocating_q <= '0;
      active_q     <= '0;
      div_q        <= '0;
      out_port_q   <= '0;
      out_vc_q     <= '0;
      hops_q       <= '0;
      st_valid_q   <= 1'b0;
      st_port_q    <= '0;
      st_vc_q      <= '0;
      cr_vc_q      <= '0;
      trk_q        <= 1'b0;
      err_q        <= '0;
    end else begin
      if (store) begin
        wptr_q   <= put_row(wptr_q, wr_idx, after(wr_idx, wr_row));
        inside_q <= (inside_q & ~wr_hot) | (wr_tail ? '0 : wr_hot);
      end
      if (rd_en) rptr_q <= put_row(rptr_q, rd_idx, rd_next);
      if (store || rd_en) begin
        ready_q    <= (ready_q & ~(left ? '0 : sa_gnt_i)) | wr_hot;
        full_q     <= (full_q | (after(wr_idx, wr_row) == rptr_q[wr_idx*AddrW +: AddrW] ? wr_hot : '0)) & ~sa_gnt_i;
        tail_q     <= (tail_q & ~sa_gnt_i) | (left && rd_tail ? sa_gnt_i : '0) | (wr_tail ? wr_hot & ~ready_q : '0);
        div_q      <= (div_q & ~(begin_rd | begin_wr)) | (rd_div ? begin_rd : '0) | (wr_div ? begin_wr : '0);
        out_port_q <= put_port(put_port(out_port_q, |begin_rd, rd_idx, rd_port), |begin_wr, wr_idx, wr_port);
        hops_q     <= put_hops(put_hops(hops_q, |begin_rd, rd_idx, rd_hops), |begin_wr, wr_idx, wr_hops);
      end
      if (|va_gnt_i) out_vc_q <= (out_vc_q & ~spread(va_gnt_i)) | (va_vc_i & spread(va_gnt_i));

      routing_q    <= Lookahead != 0 ? '0 : begin_rd | begin_wr;
      allocating_q <= routing_q | (allocating_q & ~va_gnt_i) | (Lookahead != 0 ? begin_rd | begin_wr : '0);
      active_q     <= (active_q | va_gnt_i) & ~over;

      st_valid_q <= rd_en;
      st_port_q  <= st_port;
      st_vc_q    <= st_vc;
      cr_vc_q    <= rd_vc;
      trk_q      <= in_valid_i && hdr[router_pkg::TRK_LSB];
      err_q      <= {(|begin_rd && 32'(rd_port) >= Ports) || (|begin_wr && 32'(wr_port) >= Ports),
                     store && wr_head == |(wr_hot & inside_q), in_valid_i && !vc_ok, |(in_hot & full_q)};
    end
  end

  // An entry is a flit as it leaves, but for its VC.
  sram_1r1w #(.Width(FlitBits), .Depth(Slots), .LaneBits(FlitBits)) u_flits (
    .clk_i, .rst_ni,
    .wr_en_i (store), .wr_addr_i (wr_row), .wr_mask_i (1'b1), .wr_data_i (wr_flit),
    .rd_en_i (rd_en), .rd_addr_i (rd_row), .rd_data_o (rd_flit)
  );

  assign ready_o      = ready_q;
  assign routing_o    = routing_q;
  assign allocating_o = allocating_q;
  assign active_o     = active_q;
  assign tail_o       = tail_q;
  assign div_o        = div_q;
  assign out_port_o   = out_port_q;
  assign out_vc_o     = out_vc_q;
  assign hops_o       = hops_q;
  assign st_valid_o   = st_valid_q;
  assign st_port_o    = st_port_q;
  assign cr_valid_o   = st_valid_q;
  assign cr_vc_o      = cr_vc_q;
  assign trk_o        = trk_q;
  assign err_o        = err_q;
  always_comb begin
    st_flit_o = rd_flit;
    st_flit_o[router_pkg::VC_LSB +: VcW] = st_vc_q;
    if (!st_valid_q) st_flit_o = '0;
  end

  // The row after `row` in the ring of VC idx.
  function automatic logic [AddrW-1:0] after(input logic [IdxW-1:0] idx, input logic [AddrW-1:0] row);
    after = row == LAST[idx*AddrW +: AddrW] ? FIRST[idx*AddrW +: AddrW] : row + 1'b1;
  endfunction

  // A vector with the element of VC idx replaced.
  function automatic logic [V*AddrW-1:0] put_row(input logic [V*AddrW-1:0] all, input logic [IdxW-1:0] idx,
                                                 input logic [AddrW-1:0] row);
    put_row = all;
    put_row[idx*AddrW +: AddrW] = row;
  endfunction

  function automatic logic [PortW*V-1:0] put_port(input logic [PortW*V-1:0] all, input logic en,
                                                  input logic [IdxW-1:0] idx, input logic [PortW-1:0] port);
    put_port = all;
    if (en) put_port[idx*PortW +: PortW] = port;
  endfunction

  function automatic logic [HopsW*V-1:0] put_hops(input logic [HopsW*V-1:0] all, input logic en,
                                                  input logic [IdxW-1:0] idx, input logic [HopsW-1:0] hops);
    put_hops = all;
    if (en) put_hops[idx*HopsW +: HopsW] = hops;
  endfunction

  // Each bit once for every bit of a VC number.
  function automatic logic [VcW*V-1:0] spread(input logic [V-1:0] x);
    for (int v = 0; v < V; v++) spread[v*VcW +: VcW] = {VcW{x[v]}};
  endfunction

  // The first (0) or last (1) row of every VC.
  function automatic logic [V*AddrW-1:0] rows(input int end_of);
    int row;
    row  = 0;
    rows = '0;
    for (int v = 0; v < V; v++) begin
      if (end_of == 0) rows[v*AddrW +: AddrW] = AddrW'(row);
      row = row + 32'(DEPTHS[v*16 +: 16]);
      if (end_of != 0) rows[v*AddrW +: AddrW] = AddrW'(row - 1);
    end
  endfunction

  initial begin
    if (NumVCs % Classes != 0) $fatal(1, "router_input: Classes must divide NumVCs");
    if (V > 16) $fatal(1, "router_input: at most 16 VCs, priority buffers included");
    if (DEPTHS[15:0] == '0) $fatal(1, "router_input: Depth leaves a VC no flit");
    if (FlitBits % 64 != 0) $fatal(1, "router_input: FlitBits must be a multiple of 64");
  end

`ifndef SYNTHESIS
  // Grants fit the phases, the phases exclude each other, and a flit at the front has a phase. The
  // checks run only where something moves.
  always @(posedge clk_i) if (rst_ni) begin
    if (rd_en || |va_gnt_i) begin
      assert ((sa_gnt_i & (sa_gnt_i - 1'b1)) == '0 && (sa_gnt_i & ~ready_q) == '0);
      assert ((sa_gnt_i & ~active_q & ~(allocating_q & va_gnt_i)) == '0 && (va_gnt_i & ~allocating_q) == '0);
    end
    if (store) assert (((routing_q | allocating_q) & active_q) == '0 && (routing_q & allocating_q) == '0);
    if (store) assert ((ready_q & ~(routing_q | allocating_q | active_q)) == '0);  // the front has started
    if (store) assert (((routing_q | allocating_q | full_q | tail_q) & ~ready_q) == '0);
  end
`endif
endmodule

`default_nettype wire
