// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps

module simple_ram #(
    parameter WIDTH = 8,
    parameter ADDR_WIDTH = 4
) (
    input  wire                  clk,
    input  wire                  we,
    input  wire [ADDR_WIDTH-1:0] waddr,
    input  wire [WIDTH-1:0]      wdata,
    input  wire [ADDR_WIDTH-1:0] raddr,
    output wire [WIDTH-1:0]      rdata
);

reg [WIDTH-1:0] mem [0:(1 << ADDR_WIDTH)-1];

assign rdata = mem[raddr];

always @(posedge clk)
    if (we) mem[waddr] <= wdata;

endmodule
