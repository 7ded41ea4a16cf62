// SPDX-License-Identifier: Apache-2.0
//
// router_output -- one output port of a router: who holds its VCs, their credits, and the link.
//
// A credit is registered on arrival and counted a cycle later. space is a flip-flop of its own, not a comparison of counters:
// both allocations wait for it. A flit waits in the output register until its link, which may be narrower than a flit, has
// carried it; hold says for how long from the switch grant on, and so when the flit is through: in the cycle after hold is 0.
// busy and trk_sent are combinational, the rest is registered. The flit is not reset.

`default_nettype none

module router_output #(
  parameter  int NumVCs   = 2,                             // normal VCs, 1..16
  parameter  int Classes  = 1,                             // message classes: 1 or 2
  parameter  int Tr       = 0,                             // a priority buffer per class
  parameter  int Depth    = 8,                             // flits a VC, before priority buffers are taken out
  parameter  int FlitBits = 64,                            // bits of a flit: a multiple of 64
  localparam int V        = NumVCs + Tr * Classes,
  localparam int VcW      = router_pkg::VC_W
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // From the allocators
  input  wire logic [V-1:0]        va_take_i,
  input  wire logic                sa_valid_i,
  input  wire logic [VcW-1:0]      sa_vc_i,
  input  wire logic                sa_tail_i,
  // From the input ports
  input  wire logic                st_valid_i,
  input  wire logic [FlitBits-1:0] st_flit_i,
  // From the receiver
  input  wire logic                cr_valid_i,
  input  wire logic [VcW-1:0]      cr_vc_i,
  // From congestion management
  input  wire logic [1:0]          width_i,
  input  wire logic                off_i,
  input  wire logic                trk_req_i,
  // To the allocators
  output      logic [V-1:0]        taken_o,
  output      logic [V-1:0]        space_o,
  output      logic                busy_o,
  // To the wire
  output      logic                out_valid_o,
  output      logic [FlitBits-1:0] out_flit_o,
  // To congestion management, and errors
  output      logic                trk_sent_o,
  output      logic                cr_seen_o,
  output      logic [1:0]          err_o                   // credit too many, credit for a VC out of range
);

  localparam int MaxDepth = Tr != 0 && Depth < router_pkg::PRIO_DEPTH ? router_pkg::PRIO_DEPTH : Depth;
  localparam int CountW   = $clog2(MaxDepth + 1);
  localparam logic [16*16-1:0]    DEPTHS = router_pkg::vc_depths(NumVCs, Classes, Tr, Depth);
  localparam logic [V*CountW-1:0] FULL   = counts(DEPTHS);

  // VCs
  logic [V-1:0]          taken_d, taken_q, space_d, space_q;
  logic [V*CountW-1:0]   count_d, count_q;
  logic [V-1:0]          sa_hot, cr_hot, back;             // back: a credit that counts
  logic [31:0]           sa_idx, cr_idx;
  logic [CountW-1:0]     sa_count, cr_count;
  logic                  cr_ok, cr_valid_q;
  logic [VcW-1:0]        cr_vc_q;
  logic [1:0]            err_d, err_q;

  // Link
  logic [2:0]            hold_d, hold_q;
  logic                  wait_d, wait_q, out_valid_d, out_valid_q;
  logic [FlitBits-1:0]   flit_q;

  assign sa_idx   = 32'(sa_vc_i) < V ? 32'(sa_vc_i) : 32'd0;
  assign sa_hot   = sa_valid_i ? V'(32'd1 << sa_idx) : '0;
  assign sa_count = count_q[sa_idx*CountW +: CountW];
  assign taken_d  = (taken_q | va_take_i) & ~(sa_tail_i ? sa_hot : '0);

  assign cr_ok    = 32'(cr_vc_q) < V;
  assign cr_idx   = cr_ok ? 32'(cr_vc_q) : 32'd0;
  assign cr_hot   = cr_valid_q && cr_ok ? V'(32'd1 << cr_idx) : '0;
  assign cr_count = count_q[cr_idx*CountW +: CountW];
  assign back     = cr_count == FULL[cr_idx*CountW +: CountW] ? '0 : cr_hot;
  assign err_d    = {cr_valid_q && !cr_ok, |(cr_hot & ~back)};
  assign space_d  = (space_q & ~(sa_count == CountW'(1) ? sa_hot : '0)) | back;

  always_comb begin
    count_d = count_q;
    if (sa_hot != back) begin
      if (sa_valid_i) count_d[sa_idx*CountW +: CountW] = sa_count - 1'b1;
      if (|back)      count_d[cr_idx*CountW +: CountW] = cr_count + 1'b1;
    end
  end

  assign busy_o      = hold_q != '0 || off_i;
  assign hold_d      = sa_valid_i ? 3'((4'd1 << width_i) - 4'd1) : hold_q != '0 ? hold_q - 1'b1 : '0;
  assign wait_d      = (st_valid_i || wait_q) && hold_q != '0;
  assign out_valid_d = (st_valid_i || wait_q) && hold_q == '0;
  assign trk_sent_o  = st_valid_i && trk_req_i;

  always_ff @(posedge clk_i) begin
    if (st_valid_i) flit_q <= {st_flit_i[FlitBits-1:router_pkg::TRK_LSB+1], trk_req_i, st_flit_i[router_pkg::TRK_LSB-1:0]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q     <= '0;
      space_q     <= '1;
      count_q     <= FULL;
      cr_valid_q  <= 1'b0;
      cr_vc_q     <= '0;
      err_q       <= '0;
      hold_q      <= '0;
      wait_q      <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      taken_q     <= taken_d;
      space_q     <= space_d;
      count_q     <= count_d;
      cr_valid_q  <= cr_valid_i;
      cr_vc_q     <= cr_vc_i;
      err_q       <= err_d;
      hold_q      <= hold_d;
      wait_q      <= wait_d;
      out_valid_q <= out_valid_d;
    end
  end

  assign taken_o     = taken_q;
  assign space_o     = space_q;
  assign out_valid_o = out_valid_q;
  assign out_flit_o  = out_valid_q ? flit_q : '0;
  assign cr_seen_o   = cr_valid_q;
  assign err_o       = err_q;

  logic unused_trk;
  assign unused_trk = st_flit_i[router_pkg::TRK_LSB];      // the flag is for one link

  function automatic logic [V*CountW-1:0] counts(input logic [16*16-1:0] depths);
    for (int v = 0; v < V; v++) counts[v*CountW +: CountW] = depths[v*16 +: CountW];
  endfunction

  initial begin
    if (NumVCs % Classes != 0) $fatal(1, "router_output: Classes must divide NumVCs");
    if (V > 16) $fatal(1, "router_output: at most 16 VCs, priority buffers included");
    if (DEPTHS[15:0] == '0) $fatal(1, "router_output: Depth leaves a VC no flit");
    if (FlitBits % 64 != 0) $fatal(1, "router_output: FlitBits must be a multiple of 64");
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

  always @(posedge clk_i) if (rst_ni) begin
    assert (!sa_valid_i || (!busy_o && 32'(sa_vc_i) < V));
    assert ((sa_hot & ~space_q) == '0);                    // no flit without a credit
    assert ((va_take_i & taken_q) == '0);                  // no VC given twice
    assert (st_valid_i == sa_valid_q2);
    assert (space_q == held);
    assert (!(wait_q && st_valid_i) && !(wait_q && out_valid_q));
  end
`endif
endmodule

`default_nettype wire
