// SPDX-License-Identifier: Apache-2.0
//
// router_route_proof -- every look-up gives what was written last, for any one destination and
// port. Nothing is assumed.

`default_nettype none

module router_route_proof #(
  parameter  int Ports   = 2,
  parameter  int NumDest = 20,
  localparam int PortIdxW = $clog2(Ports + 1)
) (
  input  wire logic                clk_i,
  input  wire logic                cfg_valid_i,
  input  wire logic [9:0]          cfg_dest_i,
  input  wire logic [3:0]          cfg_port_i,
  input  wire logic [Ports*10-1:0] dest_i,
  input  wire logic [9:0]          which_i,
  input  wire logic [PortIdxW-1:0] at_i
);

  logic               rst_n = 1'b0;           // low in the first cycle only
  logic [Ports*4-1:0] port;
  logic [9:0]         which;  // in the cycle of reset: the destination to watch
  logic [3:0]         entry;  // what was written for it last
  logic [3:0]         got;  // the look-up of port at_i
  logic               asked;

  router_route #(.Ports(Ports), .NumDest(NumDest)) u_dut (
    .clk_i, .rst_ni (rst_n), .cfg_valid_i, .cfg_dest_i, .cfg_port_i, .dest_i, .port_o (port)
  );

  always_comb begin
    // The port that looks up in this cycle may be any; the destination stays.
    got   = '0;
    asked = 1'b0;
    for (int i = 0; i < Ports; i++) begin
      if (32'(at_i) == i) begin
        got   = port[i*4 +: 4];
        asked = dest_i[i*10 +: 10] == which;
      end
    end
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      which <= which_i;
      entry <= '0;
    end else if (cfg_valid_i && cfg_dest_i == which) begin
      entry <= cfg_port_i;
    end
  end

  always_comb if (rst_n) begin
    // Rules 1 and 2.
    written:  assert (!asked || 32'(which) >= NumDest || got == entry);
    // Rule 1: a destination out of range gives 0.
    outside:  assert (!asked || 32'(which) < NumDest || got == '0);
    // The last entry is written and looked up.
    last_one: cover (asked && 32'(which) == NumDest - 1 && got == 4'd3);
  end
endmodule

`default_nettype wire
