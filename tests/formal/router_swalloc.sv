// SPDX-License-Identifier: Apache-2.0
//
// router_swalloc_proof -- at most one flit from an input port and to an output port, never to a
// busy one, for free inputs.
//
// A second allocator gets the same requests without the level bit of a priority buffer. As long as
// no port has two requests, both must grant alike.

`default_nettype none

module router_swalloc_proof #(
  parameter  int Ports     = 2,
  parameter  int VCs       = 2,
  parameter  int SpecYield = 0,
  parameter  int Iters     = 1,
  parameter  int PrioAcross = 0,
  localparam int N         = Ports * VCs
) (
  input  wire logic             clk_i,
  input  wire logic [N-1:0]     req_i,
  input  wire logic [N-1:0]     spec_i,
  input  wire logic [4*N-1:0]   out_port_i,
  input  wire logic [12*N-1:0]  level_i,
  input  wire logic [Ports-1:0] busy_i
);

  logic             rst_n = 1'b0;             // low in the first cycle only
  logic [N-1:0]     gnt, asks;  // asks: requests that may be granted
  logic             two_of_input, two_to_output, beaten;
  logic [VCs-1:0]   row;
  logic [Ports-1:0] used;

  router_swalloc #(.Ports(Ports), .VCs(VCs), .SpecYield(SpecYield), .Iters(Iters), .PrioAcross(PrioAcross)) u_dut (
    .clk_i, .rst_ni (rst_n), .req_i, .spec_i, .out_port_i, .level_i, .busy_i, .gnt_o (gnt)
  );

  // The second allocator.
  logic [N-1:0]    gnt_plain;
  localparam int   LEVEL_PRIO_BIT = 4;
  logic [12*N-1:0] plain;  // levels without that bit
  logic            alone, alone_q;  // no port has had two requests in a cycle so far

  router_swalloc #(.Ports(Ports), .VCs(VCs), .SpecYield(SpecYield), .Iters(Iters), .PrioAcross(PrioAcross)) u_plain (
    .clk_i, .rst_ni (rst_n), .req_i, .spec_i, .out_port_i, .level_i (plain), .busy_i, .gnt_o (gnt_plain)
  );

  always_comb begin
    plain = level_i;
    alone = alone_q;
    for (int i = 0; i < N; i++) plain[i*12 + LEVEL_PRIO_BIT] = 1'b0;
    for (int p = 0; p < Ports; p++) if ((req_i[p*VCs +: VCs] & (req_i[p*VCs +: VCs] - 1'b1)) != '0) alone = 1'b0;
  end

  always_comb begin
    // What rules 1 to 3 forbid, and the requests whose output is free.
    two_of_input  = 1'b0;
    two_to_output = 1'b0;
    beaten        = 1'b0;  // a VC of the same port asks for the same output with a higher level
    used          = '0;
    asks          = '0;
    row           = '0;
    for (int p = 0; p < Ports; p++) begin
      row = gnt[p*VCs +: VCs];
      if ((row & (row - 1'b1)) != '0) two_of_input = 1'b1;
      for (int v = 0; v < VCs; v++) begin
        for (int o = 0; o < Ports; o++) begin
          if (32'(out_port_i[(p*VCs + v)*4 +: 4]) == o) begin
            asks[p*VCs + v] = req_i[p*VCs + v] && !busy_i[o];
            if (gnt[p*VCs + v] && used[o]) two_to_output = 1'b1;
            if (gnt[p*VCs + v]) used[o] = 1'b1;
          end
        end
        for (int u = 0; u < VCs; u++) begin
          if (gnt[p*VCs + v] && req_i[p*VCs + u] && out_port_i[(p*VCs + u)*4 +: 4] == out_port_i[(p*VCs + v)*4 +: 4] &&
              {level_i[(p*VCs + u)*12 +: 12], !spec_i[p*VCs + u]} > {level_i[(p*VCs + v)*12 +: 12],
                  !spec_i[p*VCs + v]}) beaten = 1'b1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    alone_q <= !rst_n || alone;
  end

  always_comb if (rst_n) begin
    // Rules 2 and 3: one flit from an input and to an output, only for a request.
    one_of_input:    assert (!two_of_input);
    one_to_output:   assert (!two_to_output);
    // Rules 1 and 3: never to a busy output; some grant if any request may be granted.
    only_asked:      assert ((gnt & ~asks) == '0);
    work_conserving: assert ((gnt != '0) == (asks != '0));
    // Rule 1: the offered VC has the highest level of its port and output.
    highest_vc:      assert (!beaten);
    // Rule 2: between ports the bit says nothing (PrioAcross = 0).
    inside_only:     assert (!alone || gnt == gnt_plain);
    // Every output gets a flit in one cycle.
    all_ports:       cover (used == {Ports{1'b1}});
  end
endmodule

`default_nettype wire
