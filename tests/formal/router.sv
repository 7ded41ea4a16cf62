// SPDX-License-Identifier: Apache-2.0
//
// router_proof -- the whole router between honest neighbours: no credit is lost or made, no flit
// overwritten, no VC given twice, and order is kept. Numbers R.. are rules of rtl/router/README.md.
//
// Neighbours keep to credits and send whole packets, on every VC by itself. Credits for flits that
// went out come back at any time. Two flits of one input VC are marked in their user bits, the
// first one and a later one. From drain_i on nothing comes in and credits come back at once. Then
// everything inside must leave, and all its credits must come back.

`default_nettype none

module router_proof #(
  parameter  int Ports     = 2,
  parameter  int NumVCs    = 2,
  parameter  int Classes   = 1,
  parameter  int Depth     = 2,
  parameter  int Lookahead = 0,
  parameter  int Spec      = 0,
  parameter  int KeepVC    = 0,
  parameter  int Crit      = 0,
  parameter  int Tr        = 0,
  parameter  int ListLen   = 2,
  localparam int FlitBits  = 64,
  localparam int V         = NumVCs + Tr * Classes,
  localparam int N         = Ports * V
) (
  input  wire logic                      clk_i,
  input  wire logic                      cfg_valid_i,
  input  wire logic [9:0]                cfg_dest_i,
  input  wire logic [3:0]                cfg_port_i,
  input  wire logic                      epoch_i,
  input  wire logic [Ports-1:0]          in_valid_i,
  input  wire logic [Ports*FlitBits-1:0] in_flit_i,
  input  wire logic [Ports-1:0]          ocr_valid_i,
  input  wire logic [Ports*4-1:0]        ocr_vc_i,
  input  wire logic                      drain_i  // from now on nothing comes in and credits come back at once
);

  localparam int TAG_LSB  = router_pkg::USER_LSB;  // 1: the first marked flit, 2: the second, 0: not marked
  localparam int OF_CLASS = NumVCs / Classes;
  localparam int FEW      = 2;  // flits inside when emptying begins,
  localparam int DRAINED  = 14;  // and the cycles that emptying takes at most
  localparam int CNT_W    = 4;  // bits of a VC's number of flits

  logic                      rst_n = 1'b0;           // low in the first cycle only
  logic [Ports-1:0]          cr_valid, out_valid;
  logic [Ports*4-1:0]        cr_vc;
  logic [Ports*FlitBits-1:0] out_flit;
  logic [5:0]                err;
  logic [Ports-1:0]          no_link;                // no output has a managed width
  logic [N-1:0]              in_here, in_head, in_tail, cr_here, out_here, out_head, out_tail, ocr_here;  // of every VC
  logic [N-1:0]              in_full, in_none, out_none, out_over;
  logic [N*CNT_W-1:0]        in_count, out_count;  // flits sent without a credit back so far
  logic [N-1:0]              in_inside, out_inside;  // a packet has begun and not ended
  logic                      first_in, first_out, second_in, second_out;  // marked flits that have come and gone
  logic                      first_comes, second_comes, first_leaves, second_leaves, twice, two_come;
  logic [3:0]                from;                   // input VC of the first
  logic                      same_vc, well_routed, drain, few;
  logic [5:0]                inside;  // flits sent without a credit back, of all VCs
  logic [4:0]                drained;

  router #(
    .Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Depth(Depth), .FlitBits(FlitBits), .NumDest(2),
    .Lookahead(Lookahead), .Spec(Spec), .KeepVC(KeepVC), .Crit(Crit), .Tr(Tr), .ListLen(ListLen), .HystBits(0),
    .CountBits(4)
  ) u_dut (
    .clk_i, .rst_ni (rst_n), .cfg_valid_i, .cfg_dest_i, .cfg_port_i, .epoch_i, .link_i (no_link), .in_valid_i,
    .in_flit_i, .cr_valid_o (cr_valid), .cr_vc_o (cr_vc), .out_valid_o (out_valid), .out_flit_o (out_flit),
    .ocr_valid_i, .ocr_vc_i, .err_o (err), .probe_va_o (), .probe_sa_o (), .probe_stall_o (), .probe_sent_o (),
    .probe_crit_port_o (), .probe_list_len_o (), .probe_list_o (), .probe_width_o (), .probe_off_o ()
  );

  // The depth of a VC: R6.
  function automatic logic [CNT_W-1:0] depth_of(input int v);
    depth_of = CNT_W'(Tr == 0 ? Depth : v >= NumVCs ? 4 : Depth - 4 / OF_CLASS - (v % OF_CLASS < 4 % OF_CLASS ? 1 : 0));
  endfunction

  always_comb begin
    // For each VC: the flit or credit of this cycle, and its counts. For
    // the marks: comings and goings.
    first_comes   = 1'b0;
    second_comes  = 1'b0;
    first_leaves  = 1'b0;
    second_leaves = 1'b0;
    twice         = 1'b0;
    two_come      = 1'b0;
    inside        = '0;
    same_vc       = 1'b1;
    well_routed   = 1'b1;
    for (int p = 0; p < Ports; p++) begin
      for (int v = 0; v < V; v++) begin
        in_here[p*V + v]  = in_valid_i[p] && 32'(in_flit_i[p*FlitBits + router_pkg::VC_LSB +: 4]) == v;
        in_head[p*V + v]  = in_flit_i[p*FlitBits + router_pkg::HEAD_LSB];
        in_tail[p*V + v]  = in_flit_i[p*FlitBits + router_pkg::TAIL_LSB];
        cr_here[p*V + v]  = cr_valid[p] && 32'(cr_vc[p*4 +: 4]) == v;
        out_here[p*V + v] = out_valid[p] && 32'(out_flit[p*FlitBits + router_pkg::VC_LSB +: 4]) == v;
        out_head[p*V + v] = out_flit[p*FlitBits + router_pkg::HEAD_LSB];
        out_tail[p*V + v] = out_flit[p*FlitBits + router_pkg::TAIL_LSB];
        ocr_here[p*V + v] = ocr_valid_i[p] && 32'(ocr_vc_i[p*4 +: 4]) == v;
        in_full[p*V + v]  = in_count[(p*V + v)*CNT_W +: CNT_W] == depth_of(v);
        in_none[p*V + v]  = in_count[(p*V + v)*CNT_W +: CNT_W] == '0;
        out_none[p*V + v] = out_count[(p*V + v)*CNT_W +: CNT_W] == '0;
        out_over[p*V + v] = out_count[(p*V + v)*CNT_W +: CNT_W] > depth_of(v);
      end
      if (in_valid_i[p] && in_flit_i[p*FlitBits + TAG_LSB +: 2] == 2'd1) begin
        two_come    = first_comes;
        first_comes = 1'b1;
      end
      if (in_valid_i[p] && in_flit_i[p*FlitBits + TAG_LSB +: 2] == 2'd2) begin
        two_come     = two_come || second_comes;
        second_comes = 1'b1;
        same_vc      = from == 4'(p * V) + in_flit_i[p*FlitBits + router_pkg::VC_LSB +: 4];
      end
      if (out_valid[p] && out_flit[p*FlitBits + TAG_LSB +: 2] == 2'd1) begin
        twice        = twice || first_leaves;
        first_leaves = 1'b1;
      end
      if (out_valid[p] && out_flit[p*FlitBits + TAG_LSB +: 2] == 2'd2) begin
        twice         = twice || second_leaves;
        second_leaves = 1'b1;
      end
      for (int v = 0; v < V; v++) inside = inside + 6'(in_count[(p*V + v)*CNT_W +: CNT_W]);
      if (32'(in_flit_i[p*FlitBits + router_pkg::ROUTE_LSB +: 4]) >= Ports) well_routed = 1'b0;
    end
  end

  assign no_link = '0;
  assign few     = inside <= 6'(FEW);

  // Flits without a credit, packets that have begun, and marks, by the wrapper's count.
  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    drain <= rst_n && (drain || drain_i);
    if (!rst_n) begin
      in_count   <= '0;
      out_count  <= '0;
      in_inside  <= '0;
      out_inside <= '0;
      first_in   <= 1'b0;
      first_out  <= 1'b0;
      second_in  <= 1'b0;
      second_out <= 1'b0;
      drained    <= '0;
    end else begin
      for (int i = 0; i < N; i++) begin
        in_count[i*CNT_W +: CNT_W]  <= in_count[i*CNT_W +: CNT_W] + CNT_W'(in_here[i]) - CNT_W'(cr_here[i]);
        out_count[i*CNT_W +: CNT_W] <= out_count[i*CNT_W +: CNT_W] + CNT_W'(out_here[i]) - CNT_W'(ocr_here[i]);
        if (in_here[i]) in_inside[i] <= !in_tail[i];
        if (out_here[i]) out_inside[i] <= !out_tail[i];
      end
      for (int p = 0; p < Ports; p++) begin
        if (in_valid_i[p] && in_flit_i[p*FlitBits + TAG_LSB +: 2] == 2'd1) from <= 4'(p * V)
          + in_flit_i[p*FlitBits + router_pkg::VC_LSB +: 4];
      end
      first_in   <= first_in || first_comes;
      second_in  <= second_in || second_comes;
      first_out  <= first_out || first_leaves;
      second_out <= second_out || second_leaves;
      if (drain && 32'(drained) != DRAINED) drained <= drained + 1'b1;
    end
  end

  // The neighbours. Each assumption is a duty that router.ports and the README name.
  always_comb if (rst_n) begin
    for (int p = 0; p < Ports; p++) begin
      // VCs in range, as flags for others are not the subject here.
      assume (!in_valid_i[p] || 32'(in_flit_i[p*FlitBits + router_pkg::VC_LSB +: 4]) < V);
      assume (!ocr_valid_i[p] || 32'(ocr_vc_i[p*4 +: 4]) < V);
      // Few different flits, because bits that no part reads all go the same way.
      assume (in_flit_i[p*FlitBits + router_pkg::HDR_W +: FlitBits - router_pkg::HDR_W] == '0);
      assume (in_flit_i[p*FlitBits + TAG_LSB + 2 +: 4] == '0 &&
              in_flit_i[p*FlitBits + router_pkg::DEST_LSB + 1 +: 9] == '0);
      // A flit has one mark at most.
      assume (in_flit_i[p*FlitBits + TAG_LSB +: 2] != 2'd3);
      // While emptying, the receivers give each credit back at once.
      assume (!drain || out_none[p*V +: V] == {V{1'b1}} || ocr_here[p*V +: V] != '0);
    end
    // R10: a sender sends only with a credit.
    assume ((in_here & in_full) == '0);
    // R5: packets are whole on each VC.
    assume ((in_here & (in_head ^ ~in_inside)) == '0);           // a head where a packet begins and only there
    // R10: a receiver gives back only credits for flits it got.
    assume ((ocr_here & out_none) == '0);
    // R13, R14: routes name existing ports.
    assume (well_routed && 32'(cfg_port_i) < Ports);
    // Marks: the first comes once, then the second on the same input VC, once.
    assume (!(first_comes && (first_in || second_comes)) && !(second_comes && (!first_in || second_in || !same_vc)) &&
            !two_come);
    // Emptying begins with few flits inside and whole packets only.
    assume (!(drain || drain_i) || in_valid_i == '0);
    assume (!drain_i || (in_inside == '0 && few));
  end

  always_comb if (rst_n) begin
    // router.ports, rule 10: with such neighbours no error is flagged.
    no_error:       assert (err == '0);
    // R10: a credit goes back only for a flit that came.
    no_credit_made: assert ((cr_here & in_none) == '0);
    // R10: nothing is sent without a credit.
    within_credit:  assert (out_over == '0);
    // R5, R19: packets leave whole, so no VC is given twice.
    whole_packets:  assert ((out_here & (out_head ^ ~out_inside)) == '0);
    // R5: flits of an input VC leave in order and once.
    in_order:       assert (!second_leaves || first_out);
    once:           assert (!twice && !(first_leaves && (first_out || !first_in)) &&
                            !(second_leaves && (second_out || !second_in)));
    // R10: after emptying all credits have come back, and the marked flits have left.
    no_credit_lost: assert (32'(drained) != DRAINED || (in_none == {N{1'b1}} && first_in == first_out &&
                                                        second_in == second_out));
    // Both marked flits pass; the router empties; all VCs of small routers are full.
    both_through:   cover (second_leaves);
    emptied:        cover (32'(drained) == DRAINED && second_out);
    full_of_flits:  cover (in_full == {N{1'b1}} && V < 3);
  end
endmodule

`default_nettype wire
