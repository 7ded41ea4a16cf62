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
  localparam int V         = NumVCs + Tr * Classes,
  localparam int VcW       = router_pkg::VC_W,
  localparam int PortW     = router_pkg::ROUTE_W,
  localparam int HopsW     = router_pkg::HOPS_W
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // From the wire and the route table
  input  wire logic                in_valid_i,
  input  wire logic [FlitBits-1:0] in_flit_i,
  input  wire logic [PortW-1:0]    table_i,
  // From the allocators
  input  wire logic [V-1:0]        va_gnt_i,
  input  wire logic [VcW*V-1:0]    va_vc_i,
  input  wire logic [V-1:0]        sa_gnt_i,
  // To the allocators
  output      logic [V-1:0]        ready_o,                // a flit is there
  output      logic [V-1:0]        routing_o,
  output      logic [V-1:0]        allocating_o,
  output      logic [V-1:0]        active_o,
  output      logic [V-1:0]        tail_o,
  output      logic [V-1:0]        div_o,
  output      logic [PortW*V-1:0]  out_port_o,
  output      logic [VcW*V-1:0]    out_vc_o,
  output      logic [HopsW*V-1:0]  hops_o,
  // To the output ports
  output      logic                st_valid_o,
  output      logic [PortW-1:0]    st_port_o,
  output      logic [FlitBits-1:0] st_flit_o,
  // To the sender
  output      logic                cr_valid_o,
  output      logic [VcW-1:0]      cr_vc_o,
  // To congestion management, and errors
  output      logic                trk_o,
  output      logic [3:0]          err_o                   // full, VC out of range, head or tail out of order, no such port
);

  localparam int Slots    = NumVCs * Depth > 2 ? NumVCs * Depth : 2;
  localparam int AddrW    = $clog2(Slots);
  localparam int IdxW     = V > 1 ? $clog2(V) : 1;         // bits of the number of a VC that is there
  localparam int ROW_BITS = 2 + HopsW + PortW;             // of row_q: tail, div, hops, port
  localparam logic [16*16-1:0] DEPTHS = router_pkg::vc_depths(NumVCs, Classes, Tr, Depth);
  localparam logic [V*AddrW-1:0] FIRST = rows(0), LAST = rows(1);  // a VC's rows
  localparam logic [HopsW-1:0] MAX_HOPS = {HopsW{1'b1}};

  // Arrival
  logic [router_pkg::HDR_W-1:0] hdr;
  logic                         vc_ok, store, wr_head, wr_tail, wr_div;
  logic [VcW-1:0]               wr_vc;
  logic [HopsW-1:0]             wr_hops;
  logic [PortW-1:0]             wr_port;
  logic [IdxW-1:0]              wr_idx;
  logic [V-1:0]                 in_hot, wr_hot;            // the VC a flit comes for, and if it is stored
  logic [AddrW-1:0]             wr_row;
  logic [FlitBits-1:0]          wr_flit;

  // Departure, and what is at the front behind it
  logic                         rd_en, last, left, rd_tail, rd_div;
  logic [VcW-1:0]               rd_vc, st_vc;
  logic [HopsW-1:0]             rd_hops;
  logic [PortW-1:0]             rd_port, st_port;
  logic [IdxW-1:0]              rd_idx;
  logic [AddrW-1:0]             rd_row, rd_next;
  logic [ROW_BITS-1:0]          behind;
  logic [FlitBits-1:0]          rd_flit;

  // Buffers
  logic [V*AddrW-1:0]           wptr_q, rptr_q;
  logic [V-1:0]                 ready_q, full_q, tail_q;
  logic [V-1:0]                 inside_q;                  // the flit stored last was no tail
  logic [ROW_BITS-1:0]          row_q [0:Slots-1];

  // Packets
  logic [V-1:0]                 over, begin_rd, begin_wr;
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

  // Into its VC unless that is full, as it will leave
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

  // What follows a departure may be the flit that comes in the same cycle
  assign left     = !last || |(wr_hot & sa_gnt_i);
  assign {rd_tail, rd_div, rd_hops, rd_port} = last ? {wr_tail, wr_div, wr_hops, wr_port} : behind;
  assign begin_rd = left ? over : '0;
  assign begin_wr = wr_hot & ~(ready_q | active_q);

  always_ff @(posedge clk_i) begin
    if (store) row_q[wr_row] <= {wr_tail, wr_div, wr_hops, wr_port};
  end

  // Next states are written here and not as _d: decided once a cycle, and only where something moves
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

  // The row after ROW of VC idx
  function automatic logic [AddrW-1:0] after(input logic [IdxW-1:0] idx, input logic [AddrW-1:0] row);
    after = row == LAST[idx*AddrW +: AddrW] ? FIRST[idx*AddrW +: AddrW] : row + 1'b1;
  endfunction

  function automatic logic [V*AddrW-1:0] put_row(input logic [V*AddrW-1:0] all, input logic [IdxW-1:0] idx, input logic [AddrW-1:0] row);
    put_row = all;
    put_row[idx*AddrW +: AddrW] = row;
  endfunction

  function automatic logic [PortW*V-1:0] put_port(input logic [PortW*V-1:0] all, input logic en, input logic [IdxW-1:0] idx, input logic [PortW-1:0] port);
    put_port = all;
    if (en) put_port[idx*PortW +: PortW] = port;
  endfunction

  function automatic logic [HopsW*V-1:0] put_hops(input logic [HopsW*V-1:0] all, input logic en, input logic [IdxW-1:0] idx, input logic [HopsW-1:0] hops);
    put_hops = all;
    if (en) put_hops[idx*HopsW +: HopsW] = hops;
  endfunction

  // Each bit once for every bit of a VC number
  function automatic logic [VcW*V-1:0] spread(input logic [V-1:0] x);
    for (int v = 0; v < V; v++) spread[v*VcW +: VcW] = {VcW{x[v]}};
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
    if (rd_en || |va_gnt_i) begin
      assert ((sa_gnt_i & (sa_gnt_i - 1'b1)) == '0 && (sa_gnt_i & ~ready_q) == '0);
      assert ((sa_gnt_i & ~active_q & ~(allocating_q & va_gnt_i)) == '0 && (va_gnt_i & ~allocating_q) == '0);
    end
    if (store) assert (((routing_q | allocating_q) & active_q) == '0 && (routing_q & allocating_q) == '0);
    if (store) assert ((ready_q & ~(routing_q | allocating_q | active_q)) == '0);  // what is at the front has started
    if (store) assert (((routing_q | allocating_q | full_q | tail_q) & ~ready_q) == '0);
  end
`endif
endmodule

`default_nettype wire
