// SPDX-License-Identifier: Apache-2.0
//
// router_output_proof -- no credit is lost or made, and VCs are held from grant to tail. Flits pass
// FIFO and link unchanged, in order and on time.
//
// `vc` is any one VC. A flit arrives in the cycle after its grant. Credits that come back are free,
// also false ones. The wrapper follows any one flit from the switch to the wire, and counts the
// flits before it. What holds for this flit holds for all.

`default_nettype none

module router_output_proof #(
  parameter  int NumVCs   = 2,
  parameter  int Classes  = 1,
  parameter  int Tr       = 0,
  parameter  int Depth    = 2,
  parameter  int FlitBits = 64,
  parameter  int OutDepth = 0,
  localparam int V        = NumVCs + Tr * Classes
) (
  input  wire logic                clk_i,
  input  wire logic [V-1:0]        va_take_i,
  input  wire logic                sa_valid_i,
  input  wire logic [3:0]          sa_vc_i,
  input  wire logic                sa_tail_i,
  input  wire logic [FlitBits-1:0] st_flit_i,
  input  wire logic                cr_valid_i,
  input  wire logic [3:0]          cr_vc_i,
  input  wire logic [1:0]          width_i,
  input  wire logic                off_i,
  input  wire logic                trk_req_i,
  input  wire logic [3:0]          vc_i,
  input  wire logic                remember_i  // follow the flit that comes from the switch
);

  localparam int OF_CLASS = NumVCs / Classes;

  logic                rst_n = 1'b0;          // low in the first cycle only
  logic [V-1:0]        taken, space;
  logic                busy, waits, out_valid, trk_sent, cr_seen;
  logic [FlitBits-1:0] out_flit;
  logic [1:0]          err;

  logic [3:0]          vc;
  logic [V-1:0]        vc_hot, sa_hot;
  logic                sa_here, st_valid, cr_valid_q, held;
  logic [3:0]          cr_vc_q;
  logic [7:0]          depth, credits;        // of vc
  logic [1:0]          err_due;
  logic                full_here;
  logic                free, starts, sending;
  logic [3:0]          left;  // cycles that the flit on the link still takes
  logic [5:0]          queued, there;  // flits in the FIFO; with the one that comes
  logic                in_queue, on_link;  // where the followed flit is
  logic [5:0]          before;  // flits of the FIFO before it
  logic [FlitBits-1:0] flit;

  router_output #(.NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .Depth(Depth), .FlitBits(FlitBits),
                  .OutDepth(OutDepth)) u_dut (
    .clk_i, .rst_ni (rst_n), .va_take_i, .sa_valid_i, .sa_vc_i, .sa_tail_i, .st_valid_i (st_valid), .st_flit_i,
    .cr_valid_i, .cr_vc_i, .width_i, .off_i, .trk_req_i, .taken_o (taken), .space_o (space), .busy_o (busy),
    .out_valid_o (out_valid), .out_flit_o (out_flit), .waits_o (waits), .trk_sent_o (trk_sent), .cr_seen_o (cr_seen),
    .err_o (err)
  );

  // The depth of a VC: R6 of rtl/router/README.md.
  function automatic logic [7:0] depth_of(input logic [3:0] v);
    depth_of = Tr == 0 ? 8'(Depth) : 32'(v) >= NumVCs ? 8'd4
             : 8'(Depth - 4 / OF_CLASS) - (32'(v) % OF_CLASS < 4 % OF_CLASS ? 8'd1 : 8'd0);
  endfunction

  assign vc_hot       = V'(1) << vc;
  assign sa_hot       = V'(1) << sa_vc_i;
  assign sa_here      = sa_valid_i && sa_vc_i == vc;
  assign depth        = depth_of(vc);
  assign full_here    = credits == depth;
  assign there        = queued + 6'(st_valid);
  assign free         = OutDepth == 0 || (left == '0 && !off_i);
  assign starts       = free && there != '0;

  always @(posedge clk_i) begin
    rst_n      <= 1'b1;
    st_valid   <= rst_n && sa_valid_i;
    cr_valid_q <= rst_n && cr_valid_i;
    cr_vc_q    <= cr_vc_i;
    if (!rst_n) begin
      vc      <= vc_i;
      credits <= depth_of(vc_i);
      held    <= 1'b0;
      err_due <= '0;
      queued  <= '0;
      left    <= '0;
      sending <= 1'b0;
      in_queue <= 1'b0;
      on_link <= 1'b0;
      before  <= '0;
      flit    <= '0;
    end else begin
      credits <= credits - 8'(sa_here) + 8'(cr_valid_q && cr_vc_q == vc && !full_here);
      held    <= (held || (va_take_i & vc_hot) != '0) && !(sa_here && sa_tail_i);
      queued  <= there - 6'(starts);
      sending <= starts || left != '0;
      left    <= left != '0 ? left - 1'b1 : starts && OutDepth != 0 ? (4'd1 << width_i) - 1'b1 : '0;
      err_due <= {cr_valid_q && 32'(cr_vc_q) >= V, cr_valid_q && cr_vc_q == vc && full_here};
      if (on_link && out_valid) on_link <= 1'b0;
      if (in_queue && starts) begin
        in_queue <= before != '0;
        before   <= before - 1'b1;
        if (before == '0) begin
          on_link <= 1'b1;
          flit[router_pkg::TRK_LSB] <= trk_req_i;
        end
      end else if (!in_queue && !on_link && st_valid && remember_i) begin
        in_queue <= !(starts && queued == '0);
        on_link  <= starts && queued == '0;
        before   <= queued - 6'(starts);
        flit     <= st_flit_i;
        flit[router_pkg::TRK_LSB] <= trk_req_i;
      end
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(vc) < V);
    // Rule 6: the allocators' duties.
    assume (!sa_valid_i || (!busy && (sa_hot & space) != '0 && 32'(sa_vc_i) < V));
    assume ((va_take_i & taken) == '0);
    // The other bits of a flit go the same way, so fewer are enough.
    assume (st_flit_i[FlitBits-1:8] == '0);
    // Rules 2 and 3: the credits are exact, and never more than the depth.
    credits_kept:  assert (((space & vc_hot) != '0) == (credits != '0));
    never_more:    assert (credits <= depth);
    // Rule 5.
    false_credit:  assert ((!err_due[0] || err[0]) && err[1] == err_due[1]);
    // Rule 1.
    held_to_tail:  assert (((taken & vc_hot) != '0) == held);
    // Rule 10: busy is exact, so the FIFO never overflows.
    room:          assert (busy == (OutDepth != 0 && 32'(there) - 32'(starts) == OutDepth) && 32'(queued) <= OutDepth);
    // Rule 11.
    waiting:       assert (waits == (!free && there != '0));
    // Rules 7 to 9: a flit is on the wire in its cycle.
    on_time:       assert (out_valid == (sending && left == '0));
    // Rules 7, 8 and 13: the followed flit, with its tracker.
    in_order:      assert (!(on_link && out_valid) || out_flit == flit);
    // A wire without a flit is zero.
    zero:          assert (out_valid || out_flit == '0);
    // Rule 13.
    tracker:       assert (trk_sent == (starts && trk_req_i));
    // A credit comes for a VC without any; a narrow link; a full FIFO.
    empty_vc:      cover (credits == '0 && cr_valid_q && cr_vc_q == vc && 32'(vc) == V - 1);
    narrow:        cover (on_link && left == 4'd7 && waits);
    full_fifo:     cover (32'(queued) == OutDepth && busy && in_queue && 32'(before) == OutDepth - 1);
  end
endmodule

`default_nettype wire
