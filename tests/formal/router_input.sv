// SPDX-License-Identifier: Apache-2.0
//
// router_input_proof -- no flit is overwritten, each VC's flits leave in order, and every slot's
// credit goes back once.
//
// `vc` is any one VC. The wrapper watches any one stored flit, and counts the flits before it. It
// must leave after just that many others, unchanged but for its VC, tracker flag, route and hops.
// Arriving flits are free: full VCs, VCs out of range, packets out of order.

`default_nettype none

module router_input_proof #(
  parameter  int Ports     = 2,
  parameter  int NumVCs    = 2,
  parameter  int Classes   = 1,
  parameter  int Tr        = 0,
  parameter  int Depth     = 2,
  parameter  int FlitBits  = 64,
  parameter  int Lookahead = 0,
  localparam int V         = NumVCs + Tr * Classes
) (
  input  wire logic                clk_i,
  input  wire logic                in_valid_i,
  input  wire logic [FlitBits-1:0] in_flit_i,
  input  wire logic [3:0]          table_i,
  input  wire logic [V-1:0]        va_gnt_i,
  input  wire logic [4*V-1:0]      va_vc_i,
  input  wire logic [V-1:0]        sa_gnt_i,
  input  wire logic [3:0]          vc_i,
  input  wire logic                remember_i  // watch this cycle's flit
);

  localparam int OF_CLASS = NumVCs / Classes;

  logic                rst_n = 1'b0;          // low in the first cycle only
  logic [V-1:0]        ready, routing, allocating, active, tail, div;
  logic [4*V-1:0]      out_port, out_vc, hops;
  logic                st_valid, cr_valid, trk;
  logic [3:0]          st_port, cr_vc, err;
  logic [FlitBits-1:0] st_flit;

  logic [3:0]          vc, in_vc;
  logic [V-1:0]        hot;
  logic [7:0]          depth, count, before;  // flits in the VC; those before the watched one
  logic                watched, arrives, full, stored, leaves, is_next, due;
  logic [FlitBits-1:0] flit, kept;  // as it came; the bits that do not change
  logic                inside;  // a packet has begun, its tail has not come
  logic [3:0]          port, port_due;        // where the watched flit goes
  logic [3:0]          vc_now, vc_due;  // the packet's output VC
  logic                came, came_trk, came_bad_vc, came_full, came_order;
  logic                leaves_q;
  logic                phase_error;

  router_input #(
    .Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .Depth(Depth), .FlitBits(FlitBits),
    .Lookahead(Lookahead)
  ) u_dut (
    .clk_i, .rst_ni (rst_n), .in_valid_i, .in_flit_i, .table_i, .va_gnt_i, .va_vc_i, .sa_gnt_i, .ready_o (ready),
    .routing_o (routing), .allocating_o (allocating), .active_o (active), .tail_o (tail), .div_o (div),
    .out_port_o (out_port), .out_vc_o (out_vc), .hops_o (hops), .st_valid_o (st_valid), .st_port_o (st_port),
    .st_flit_o (st_flit), .cr_valid_o (cr_valid), .cr_vc_o (cr_vc), .trk_o (trk), .err_o (err)
  );

  // The depth of a VC: R6 of rtl/router/README.md.
  function automatic logic [7:0] depth_of(input logic [3:0] v);
    depth_of = Tr == 0 ? 8'(Depth) : 32'(v) >= NumVCs ? 8'd4
             : 8'(Depth - 4 / OF_CLASS) - (32'(v) % OF_CLASS < 4 % OF_CLASS ? 8'd1 : 8'd0);
  endfunction

  assign in_vc   = in_flit_i[router_pkg::VC_LSB +: 4];
  assign hot     = V'(1) << vc;
  assign depth   = depth_of(vc);
  assign arrives = in_valid_i && in_vc == vc;
  assign full    = count == depth;
  assign stored  = arrives && !full;
  assign leaves  = (sa_gnt_i & hot) != '0;
  assign is_next = watched && before == '0 && leaves;

  always_comb begin
    // Bits that a flit keeps on its way: all but these.
    kept = {FlitBits{1'b1}};
    kept[router_pkg::TRK_LSB]        = 1'b0;
    kept[router_pkg::VC_LSB +: 4]    = '0;
    kept[router_pkg::ROUTE_LSB +: 4] = Lookahead != 0 ? '0 : 4'hf;
    kept[router_pkg::HOPS_LSB +: 4]  = '0;
  end

  always_comb begin
    // The watched VC's output, and whether a VC is in two phases at once.
    vc_now      = '0;
    port        = '0;
    phase_error = 1'b0;
    for (int v = 0; v < V; v++) begin
      if (hot[v]) vc_now = va_gnt_i[v] ? va_vc_i[v*4 +: 4] : out_vc[v*4 +: 4];
      if (hot[v]) port = out_port[v*4 +: 4];
      if (32'(routing[v]) + 32'(allocating[v]) + 32'(active[v]) > 1) phase_error = 1'b1;
    end
  end

  // The VC's level, the flits before the watched one, and what the next cycle must show.
  always @(posedge clk_i) begin
    rst_n       <= 1'b1;
    came        <= rst_n && in_valid_i;
    came_trk    <= in_flit_i[router_pkg::TRK_LSB];
    came_bad_vc <= 32'(in_vc) >= V;
    came_full   <= rst_n && arrives && full;
    came_order  <= rst_n && stored && in_flit_i[router_pkg::HEAD_LSB] == inside;
    leaves_q    <= rst_n && leaves;
    due         <= rst_n && is_next;
    vc_due      <= vc_now;
    port_due    <= port;
    if (!rst_n) begin
      vc      <= vc_i;
      count   <= '0;
      watched <= 1'b0;
      inside  <= 1'b0;
    end else begin
      count <= count + 8'(stored) - 8'(leaves);
      if (stored) inside <= !in_flit_i[router_pkg::TAIL_LSB];
      if (stored && remember_i && !watched) begin
        watched <= 1'b1;
        before  <= count - 8'(leaves);
        flit    <= in_flit_i;
      end else if (is_next) begin
        watched <= 1'b0;
      end else if (watched && leaves) begin
        before <= before - 1'b1;
      end
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(vc) < V);
    // Rule 8: the allocators' duties.
    assume ((sa_gnt_i & (sa_gnt_i - 1'b1)) == '0);
    assume ((sa_gnt_i & ~(ready & (active | (allocating & va_gnt_i)))) == '0);
    assume ((va_gnt_i & ~allocating) == '0);
    // User bits all go the same way, so fewer are enough.
    assume (in_flit_i[FlitBits-1:48] == '0);
    // Rule 11: the buffer's level is exact and within its depth.
    is_ready:       assert (((ready & hot) != '0) == (count != '0));
    in_bounds:      assert (count <= depth);
    // Rule 9: the watched flit leaves unchanged, in its turn.
    order:          assert (!due || (st_valid && (st_flit & kept) == (flit & kept)));
    // Rules 3, 5 and 9: by the packet's port and VC.
    right_way:      assert (!leaves_q || (st_valid && st_port == port_due &&
                                          st_flit[router_pkg::VC_LSB +: 4] == vc_due));
    // Rule 9: without a tracker, and with a head's hop counted.
    flag_cleared:   assert (!st_flit[router_pkg::TRK_LSB]);
    hops_counted:   assert (!due || st_flit[router_pkg::HOPS_LSB +: 4] ==
                            flit[router_pkg::HOPS_LSB +: 4] + 4'(flit[router_pkg::HEAD_LSB] &&
                                flit[router_pkg::HOPS_LSB +: 4] != 4'hf));
    // Rule 10.
    credit_once:    assert ((cr_valid && cr_vc == vc) == leaves_q);
    // Rule 2.
    tracker_seen:   assert (trk == (came && came_trk));
    bad_flits:      assert ((!came_full || err[0]) && err[1] == (came && came_bad_vc) && (!came_order || err[2]));
    // Rules 4 and 5: one phase at a time, and a packet that starts has a flit.
    one_phase:      assert (!phase_error && ((routing | allocating) & ~ready) == '0);
    // A flit leaves a VC that was too full for another; a tail leaves behind its head.
    full_then_sent: cover (due && came_full && 32'(vc) == V - 1);
    tail_behind:    cover (due && flit[router_pkg::TAIL_LSB] && !flit[router_pkg::HEAD_LSB] && !came_order &&
                           (active & hot) == '0);
  end
endmodule

`default_nettype wire
