// SPDX-License-Identifier: Apache-2.0
//
// router_input -- one input port of a router: the buffers of its VCs and what each one's packet is doing.
//
// Flits are in one memory, each VC in its own range of rows, as they will leave: tracker flag cleared, hops counted and the
// next route written on arrival; only the VC is put in on the way out. It is read with the switch grant, so that the flit is
// there in the next cycle. What is needed before that (a row's tail bit, and what a packet starts with) is in flip-flops.
// In a cycle at most one flit comes and one leaves, so that at most two packets start: one behind a tail that leaves, one
// that comes into an empty VC. Their VCs differ. All outputs are registered; memory rows are not reset.

`default_nettype none

module router_input #(
  parameter  int Ports     = 5,                            // ports of the router, 2..16
  parameter  int NumVCs    = 2,                            // normal VCs, 1..16
  parameter  int Classes   = 1,                            // message classes: 1 or 2
  parameter  int Tr        = 0,                            // a priority buffer per class
  parameter  int Depth     = 8,                            // flits a VC, before priority buffers are taken out
  parameter  int FlitBits  = 64,                           // bits of a flit: a multiple of 64
  parameter  int Lookahead = 0,                            // the route comes in the header
  localparam int V         = NumVCs + Tr * Classes
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // From the wire and the route table
  input  wire logic                in_valid_i,
  input  wire logic [FlitBits-1:0] in_flit_i,
  input  wire logic [3:0]          table_i,
  // From the allocators
  input  wire logic [V-1:0]        va_gnt_i,
  input  wire logic [4*V-1:0]      va_vc_i,
  input  wire logic [V-1:0]        sa_gnt_i,
  // To the allocators
  output      logic [V-1:0]        ready_o,                // a flit is there
  output      logic [V-1:0]        routing_o,
  output      logic [V-1:0]        allocating_o,
  output      logic [V-1:0]        active_o,
  output      logic [V-1:0]        tail_o,
  output      logic [V-1:0]        div_o,
  output      logic [4*V-1:0]      out_port_o,
  output      logic [4*V-1:0]      out_vc_o,
  output      logic [4*V-1:0]      hops_o,
  // To the output ports
  output      logic                st_valid_o,
  output      logic [3:0]          st_port_o,
  output      logic [FlitBits-1:0] st_flit_o,
  // To the sender
  output      logic                cr_valid_o,
  output      logic [3:0]          cr_vc_o,
  // To congestion management, and errors
  output      logic                trk_o,
  output      logic [3:0]          err_o                   // full, VC out of range, head or tail out of order, no such port
);

  localparam int Slots = NumVCs * Depth > 2 ? NumVCs * Depth : 2;
  localparam int AddrW = $clog2(Slots);
  localparam int InfoW = 10;                               // tail, div, hops, port
  localparam logic [16*16-1:0] DEPTHS = router_pkg::vc_depths(NumVCs, Classes, Tr, Depth);
  localparam logic [V*AddrW-1:0] FIRST = rows(0), LAST = rows(1);  // a VC's rows
  localparam logic [3:0] MAX_HOPS = 4'hf;

  // Arrival
  logic [router_pkg::HDR_W-1:0] hdr;
  logic [3:0]                   hdr_hops, wr_hops, wr_vc, wr_port;
  logic                         head, wr_tail, vc_ok, store, write_trk;
  logic [V-1:0]                 in_hot, wr_hot;
  logic [31:0]                  wr_idx;
  logic [AddrW-1:0]             wr_row, wr_next;
  logic [InfoW-1:0]             wr_info;
  logic [FlitBits-1:0]          wr_flit;
  logic [3:0]                   wr_route;

  // Departure
  logic                         rd_en, last, left, rd_tail, rd_div;
  logic [3:0]                   rd_vc, rd_hops, rd_port;
  logic [31:0]                  rd_idx;
  logic [AddrW-1:0]             rd_row, rd_next;
  logic [FlitBits-1:0]          rd_flit;

  // Buffers
  logic [V*AddrW-1:0]           wptr_d, wptr_q, rptr_d, rptr_q;
  logic [V-1:0]                 ready_d, ready_q, full_d, full_q, tail_d, tail_q, inside_d, inside_q;
  logic [InfoW-1:0]             info_q [0:Slots-1];

  // Packets
  logic [V-1:0]                 over, begin_rd, begin_wr;
  logic [V-1:0]                 routing_d, routing_q, allocating_d, allocating_q, active_d, active_q, div_d, div_q;
  logic [4*V-1:0]               out_port_d, out_port_q, out_vc_d, out_vc_q, hops_d, hops_q;

  logic                         st_valid_q, trk_q;
  logic [3:0]                   st_port_d, st_port_q, st_vc_d, st_vc_q, cr_vc_q, err_d, err_q;

  // Arrival: into its VC unless that is full, as it leaves
  assign hdr       = in_flit_i[router_pkg::HDR_W-1:0];
  assign head      = hdr[router_pkg::HEAD_LSB];
  assign wr_tail   = hdr[router_pkg::TAIL_LSB];
  assign wr_vc     = hdr[router_pkg::VC_LSB +: 4];
  assign hdr_hops  = hdr[router_pkg::HOPS_LSB +: 4];
  assign write_trk = in_valid_i && hdr[router_pkg::TRK_LSB];
  assign vc_ok     = 32'(wr_vc) < V;
  assign wr_idx    = vc_ok ? 32'(wr_vc) : 32'd0;
  assign in_hot    = in_valid_i && vc_ok ? V'(32'd1 << wr_idx) : '0;
  assign wr_hot    = in_hot & ~full_q;
  assign store     = |wr_hot;
  assign wr_row    = wptr_q[wr_idx*AddrW +: AddrW];
  assign wr_next   = wr_row == LAST[wr_idx*AddrW +: AddrW] ? FIRST[wr_idx*AddrW +: AddrW] : wr_row + 1'b1;
  assign wr_hops   = head && hdr_hops != MAX_HOPS ? hdr_hops + 4'd1 : hdr_hops;
  assign wr_route  = head && Lookahead != 0 ? table_i : hdr[router_pkg::ROUTE_LSB +: 4];
  assign wr_port   = Lookahead != 0 ? hdr[router_pkg::ROUTE_LSB +: 4] : table_i;
  assign wr_info   = {wr_tail, hdr[router_pkg::DIV_LSB], hdr_hops, wr_port};
  assign inside_d  = (inside_q & ~wr_hot) | (wr_tail ? '0 : wr_hot);
  always_comb begin
    wr_flit = in_flit_i;
    wr_flit[router_pkg::TRK_LSB]        = 1'b0;
    wr_flit[router_pkg::VC_LSB +: 4]    = '0;
    wr_flit[router_pkg::ROUTE_LSB +: 4] = wr_route;
    wr_flit[router_pkg::HOPS_LSB +: 4]  = wr_hops;
  end

  // Departure: what is at the front behind the flit that leaves, if anything
  assign rd_en   = |sa_gnt_i;
  assign rd_vc   = index(sa_gnt_i);
  assign rd_idx  = 32'(rd_vc);
  assign rd_row  = rptr_q[rd_idx*AddrW +: AddrW];
  assign rd_next = rd_row == LAST[rd_idx*AddrW +: AddrW] ? FIRST[rd_idx*AddrW +: AddrW] : rd_row + 1'b1;
  assign last    = rd_next == wptr_q[rd_idx*AddrW +: AddrW];
  assign left    = !last || |(wr_hot & sa_gnt_i);
  assign {rd_tail, rd_div, rd_hops, rd_port} = last ? wr_info : info_q[rd_next];

  assign ready_d = (ready_q & ~(left ? '0 : sa_gnt_i)) | wr_hot;
  assign full_d  = (full_q & ~sa_gnt_i) | (wr_next == rptr_q[wr_idx*AddrW +: AddrW] ? wr_hot & ~sa_gnt_i : '0);
  assign tail_d  = (tail_q & ~sa_gnt_i) | (left && rd_tail ? sa_gnt_i : '0) | (wr_tail ? wr_hot & ~ready_q : '0);
  always_comb begin
    wptr_d = wptr_q;
    rptr_d = rptr_q;
    if (store) wptr_d[wr_idx*AddrW +: AddrW] = wr_next;
    if (rd_en) rptr_d[rd_idx*AddrW +: AddrW] = rd_next;
  end

  // Packets
  assign over         = sa_gnt_i & tail_q;
  assign begin_rd     = left ? over : '0;
  assign begin_wr     = wr_hot & ~(routing_q | allocating_q | active_q);
  assign routing_d    = Lookahead != 0 ? '0 : begin_rd | begin_wr;
  assign allocating_d = routing_q | (allocating_q & ~va_gnt_i) | (Lookahead != 0 ? begin_rd | begin_wr : '0);
  assign active_d     = (active_q | va_gnt_i) & ~over;
  assign div_d        = (div_q & ~(begin_rd | begin_wr)) | (rd_div ? begin_rd : '0) |
                        (hdr[router_pkg::DIV_LSB] ? begin_wr : '0);
  always_comb begin
    out_port_d = out_port_q;
    hops_d     = hops_q;
    out_vc_d   = out_vc_q;
    if (|begin_rd) begin
      out_port_d[rd_idx*4 +: 4] = rd_port;
      hops_d[rd_idx*4 +: 4]     = rd_hops;
    end
    if (|begin_wr) begin
      out_port_d[wr_idx*4 +: 4] = wr_port;
      hops_d[wr_idx*4 +: 4]     = hdr_hops;
    end
    if (|va_gnt_i) begin
      for (int v = 0; v < V; v++) if (va_gnt_i[v]) out_vc_d[v*4 +: 4] = va_vc_i[v*4 +: 4];
    end
  end

  assign st_port_d = rd_en ? out_port_q[rd_idx*4 +: 4] : '0;
  assign st_vc_d   = !rd_en ? '0 : |(va_gnt_i & sa_gnt_i) ? va_vc_i[rd_idx*4 +: 4] : out_vc_q[rd_idx*4 +: 4];
  assign err_d     = {(|begin_rd && 32'(rd_port) >= Ports) || (|begin_wr && 32'(wr_port) >= Ports),
                      store && head == |(wr_hot & inside_q), in_valid_i && !vc_ok, |(in_hot & full_q)};

  always_ff @(posedge clk_i) begin
    if (store) info_q[wr_row] <= wr_info;
  end

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
      wptr_q       <= wptr_d;
      rptr_q       <= rptr_d;
      ready_q      <= ready_d;
      full_q       <= full_d;
      tail_q       <= tail_d;
      inside_q     <= inside_d;
      routing_q    <= routing_d;
      allocating_q <= allocating_d;
      active_q     <= active_d;
      div_q        <= div_d;
      out_port_q   <= out_port_d;
      out_vc_q     <= out_vc_d;
      hops_q       <= hops_d;
      st_valid_q   <= rd_en;
      st_port_q    <= st_port_d;
      st_vc_q      <= st_vc_d;
      cr_vc_q      <= rd_vc;
      trk_q        <= write_trk;
      err_q        <= err_d;
    end
  end

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
    st_flit_o[router_pkg::VC_LSB +: 4] = st_vc_q;
    if (!st_valid_q) st_flit_o = '0;
  end

  function automatic logic [3:0] index(input logic [V-1:0] hot);
    index = '0;
    for (int v = 0; v < V; v++) if (hot[v]) index = index | 4'(v);
  endfunction

  // The first (0) or last (1) row of every VC
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
  always @(posedge clk_i) if (rst_ni) begin
    assert ((sa_gnt_i & (sa_gnt_i - 1'b1)) == '0 && (sa_gnt_i & ~ready_q) == '0);
    assert ((sa_gnt_i & ~active_q & ~(allocating_q & va_gnt_i)) == '0);
    assert ((va_gnt_i & ~allocating_q) == '0);
    assert ((routing_q & allocating_q) == '0 && ((routing_q | allocating_q) & active_q) == '0);
    assert (((routing_q | allocating_q) & ~ready_q) == '0);                    // a packet that has not left has its head here
    assert ((ready_q & ~(routing_q | allocating_q | active_q)) == '0);         // what is at the front has started
    assert (((full_q | tail_q) & ~ready_q) == '0 && (begin_rd & begin_wr) == '0);
  end
`endif
endmodule

`default_nettype wire
