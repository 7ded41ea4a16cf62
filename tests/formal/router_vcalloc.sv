// SPDX-License-Identifier: Apache-2.0
//
// router_vcalloc_proof -- no VC is given twice and none that is held. A packet gets only a VC that
// it asks for and may have. Inputs are free.
//
// `one` and `other` are any two input VCs. A second allocator gets the same requests without the
// level bit of a priority buffer. As long as no port has two requests, both must grant alike.

`default_nettype none

module router_vcalloc_proof #(
  parameter  int Ports   = 2,
  parameter  int NumVCs  = 2,
  parameter  int Classes = 1,
  parameter  int Tr      = 0,
  parameter  int KeepVC  = 0,
  parameter  int PrioAcross = 0,
  localparam int V       = NumVCs + Tr * Classes,
  localparam int N       = Ports * V,
  localparam int IdxW    = $clog2(N + 1)
) (
  input  wire logic            clk_i,
  input  wire logic [N-1:0]    req_i,
  input  wire logic [N-1:0]    div_i,
  input  wire logic [4*N-1:0]  out_port_i,
  input  wire logic [12*N-1:0] level_i,
  input  wire logic [N-1:0]    taken_i,
  input  wire logic [N-1:0]    space_i,
  input  wire logic [IdxW-1:0] one_i,
  input  wire logic [IdxW-1:0] other_i
);

  localparam int PER_CLASS = NumVCs / Classes;

  logic           rst_n = 1'b0;               // low in the first cycle only
  logic [N-1:0]   elig, gnt, gnt_space, take, given;
  logic [4*N-1:0] gnt_vc;
  logic           both, clash, wrong_vc, wrong_space;
  logic [3:0]     port_one, vc_one, port_other, vc_other;

  router_vcalloc #(.Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .KeepVC(KeepVC),
                   .PrioAcross(PrioAcross)) u_dut (
    .clk_i, .rst_ni (rst_n), .req_i, .div_i, .out_port_i, .level_i, .taken_i, .space_i, .elig_o (elig), .gnt_o (gnt),
    .gnt_space_o (gnt_space), .gnt_vc_o (gnt_vc), .take_o (take)
  );

  // The second allocator.
  logic [N-1:0]    gnt_plain, unused_elig, unused_space, unused_take;
  logic [4*N-1:0]  vc_plain;
  localparam int   LEVEL_PRIO_BIT = 4;
  logic [12*N-1:0] plain;  // levels without that bit
  logic            alone, alone_q;  // no port has had two requests in a cycle so far

  router_vcalloc #(.Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .KeepVC(KeepVC),
                   .PrioAcross(PrioAcross)) u_plain (
    .clk_i, .rst_ni (rst_n), .req_i, .div_i, .out_port_i, .level_i (plain), .taken_i, .space_i, .elig_o (unused_elig),
    .gnt_o (gnt_plain), .gnt_space_o (unused_space), .gnt_vc_o (vc_plain), .take_o (unused_take)
  );

  always_comb begin
    plain = level_i;
    alone = alone_q;
    for (int i = 0; i < N; i++) plain[i*12 + LEVEL_PRIO_BIT] = 1'b0;
    for (int p = 0; p < Ports; p++) if ((req_i[p*V +: V] & (req_i[p*V +: V] - 1'b1)) != '0) alone = 1'b0;
  end

  // passed: `one` gets a VC that `other` also asks for. But `other` has the bit, is of the same
  // port and at least as high otherwise.
  logic [11:0] level_one, level_other;
  logic        other_asks, room, passed;

  always_comb begin
    level_one   = '0;
    level_other = '0;
    other_asks  = 1'b0;
    room        = 1'b0;
    for (int i = 0; i < N; i++) begin
      if (32'(one_i) == i) level_one = level_i[i*12 +: 12];
      if (32'(other_i) == i) begin
        level_other = level_i[i*12 +: 12];
        for (int p = 0; p < Ports; p++) begin
          if (32'(out_port_i[i*4 +: 4]) == p && req_i[i]) begin
            for (int c = 0; c < Classes; c++) begin
              if (Tr != 0 && (i % V < NumVCs ? i % V / PER_CLASS : i % V - NumVCs) == c)
                room = !taken_i[p*V + NumVCs + c] && space_i[p*V + NumVCs + c];
            end
            for (int w = 0; w < V; w++) begin
              if (32'(vc_one) == w && may(i % V, w, div_i[i]) && (div_i[i] || (room ? w >= NumVCs : w < NumVCs)))
                other_asks = 1'b1;
            end
          end
        end
      end
    end
    passed = (gnt & (N'(1) << one_i)) != '0 && other_asks && 32'(one_i) / V == 32'(other_i) / V &&
             port_one == port_other &&
             !level_one[LEVEL_PRIO_BIT] && level_other[LEVEL_PRIO_BIT] &&
             {level_other[11:5], level_other[3:0]} >= {level_one[11:5], level_one[3:0]};
  end

  // Rule 1: input VC v may have output VC w of its class; with KeepVC only of its own number. Only
  // a packet that is not divergent may have a priority buffer.
  function automatic logic may(input int v, input int w, input logic div);
    may = (v < NumVCs ? v / PER_CLASS : v - NumVCs) == (w < NumVCs ? w / PER_CLASS : w - NumVCs) &&
          (KeepVC == 0 || v == w) && (w < NumVCs || !div);
  endfunction

  always_comb begin
    // Output VCs that are granted, and grants that break rule 1 or 5.
    given       = '0;
    wrong_vc    = 1'b0;
    wrong_space = 1'b0;
    both        = 1'b0;
    port_one    = '0;
    port_other  = '0;
    vc_one      = '0;
    vc_other    = '0;
    for (int i = 0; i < N; i++) begin
      if (gnt[i]) begin
        wrong_vc = wrong_vc || 32'(gnt_vc[i*4 +: 4]) >= V || 32'(out_port_i[i*4 +: 4]) >= Ports;
        for (int p = 0; p < Ports; p++) begin
          for (int w = 0; w < V; w++) begin
            if (32'(out_port_i[i*4 +: 4]) == p && 32'(gnt_vc[i*4 +: 4]) == w) begin
              given[p*V + w] = 1'b1;
              if (!may(i % V, w, div_i[i])) wrong_vc = 1'b1;
              if (gnt_space[i] != space_i[p*V + w]) wrong_space = 1'b1;
            end
          end
        end
      end
      if (32'(one_i) == i) port_one = out_port_i[i*4 +: 4];
      if (32'(one_i) == i) vc_one = gnt_vc[i*4 +: 4];
      if (32'(other_i) == i) port_other = out_port_i[i*4 +: 4];
      if (32'(other_i) == i) vc_other = gnt_vc[i*4 +: 4];
    end
    both  = one_i != other_i && (gnt & (N'(1) << one_i)) != '0 && (gnt & (N'(1) << other_i)) != '0;
    clash = both && port_one == port_other && vc_one == vc_other;
  end

  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    alone_q <= !rst_n || alone;
  end

  always_comb if (rst_n) begin
    // Rules 3 and 4: no two grants of one VC.
    given_once:      assert (!clash);
    // Rule 1: no VC that is taken.
    not_held:        assert ((take & taken_i) == '0);
    // Rules 1 and 2: only for requests; take and gnt say the same (rule 5).
    only_asked:      assert (((gnt | elig) & ~req_i) == '0);
    taken_is_given:  assert (take == given);
    // Rule 1.
    its_class:       assert (!wrong_vc);
    // Rule 5.
    space_told:      assert (!wrong_space && (gnt_space & ~gnt) == '0);
    // Rules 2 and 3: some grant if any request is eligible.
    work_conserving: assert (elig == '0 || gnt != '0);
    // Rule 3: between ports the bit says nothing (PrioAcross = 0).
    inside_only:     assert (!alone || (gnt == gnt_plain && gnt_vc == vc_plain));
    // Rule 3: inside a port the bit goes first.
    prio_first:      assert (!passed);
    // Two packets of the same output port get a VC in one cycle.
    two_at_a_port:   cover (both && port_one == port_other);
  end
endmodule

`default_nettype wire
