// SPDX-License-Identifier: Apache-2.0
//
// router_route -- the route table: destination to output port, one look-up
// per input port and cycle.
//
// Look-ups are combinational and see what was written in earlier cycles. Entries are flip-flops,
// not a memory: all input ports look at once, and all entries are 0 after reset.

`default_nettype none

module router_route #(
  parameter  int Ports   = 5,                   // ports of the router, 2 to 16
  parameter  int NumDest = 64,                  // destinations, 1 to 1024
  localparam int DestW   = router_pkg::DEST_W,  // bits of a destination
  localparam int PortW   = router_pkg::ROUTE_W  // bits of a port's number
) (
  input  wire logic                   clk_i,        // router clock
  input  wire logic                   rst_ni,       // asynchronous, active low
  // Configuration
  input  wire logic                   cfg_valid_i,  // writes an entry; ignored from NumDest on
  input  wire logic [DestW-1:0]       cfg_dest_i,   // destination: number of the entry
  input  wire logic [PortW-1:0]       cfg_port_i,   // its output port, read from the next cycle on
  // From the input wires
  input  wire logic [Ports*DestW-1:0] dest_i,       // DestW bits an input port: destination to look up
  // To the input ports
  output      logic [Ports*PortW-1:0] port_o        // PortW bits an input port, same cycle; 0 if unknown
);

  // The table has sixteen entries a row: entry d is place d mod 16 of row d / 16.
  localparam int Rows = (NumDest + 15) / 16;
  localparam int RowW = Rows > 1 ? $clog2(Rows) : 1;

  logic [16*PortW-1:0] row_q [0:Rows-1];
  logic [RowW-1:0]     write_row;
  logic                write;

  // A destination that does not exist writes nothing and reads 0.
  assign write     = cfg_valid_i && 32'(cfg_dest_i) < NumDest;
  assign write_row = row(cfg_dest_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int r = 0; r < Rows; r++) row_q[r] <= '0;
    end else if (write) begin
      row_q[write_row][32'(cfg_dest_i[3:0])*PortW +: PortW] <= cfg_port_i;
    end
  end

  always_comb begin
    port_o = '0;
    for (int i = 0; i < Ports; i++) begin
      if (32'(dest_i[i*DestW +: DestW]) < NumDest) begin
        port_o[i*PortW +: PortW] = row_q[row(dest_i[i*DestW +: DestW])][32'(dest_i[i*DestW +: 4])*PortW +: PortW];
      end
    end
  end

  // Row of a destination.
  function automatic logic [RowW-1:0] row(input logic [DestW-1:0] dest);
    row = Rows > 1 ? RowW'(dest >> 4) : '0;
  endfunction

  initial begin
    if (Ports < 2 || Ports > 16) $fatal(1, "router_route: Ports is from 2 to 16");
    if (NumDest < 1 || NumDest > 1 << DestW) $fatal(1, "router_route: NumDest is from 1 to 1024");
  end
endmodule

`default_nettype wire
