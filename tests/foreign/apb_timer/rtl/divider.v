// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps

module divider (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       run,
    input  wire [7:0] divide,
    output wire       tick
);

reg [7:0] count;

assign tick = run && count >= divide;

always @(posedge clk or negedge rst_n)
    if (!rst_n)            count <= 8'd0;
    else if (!run || tick) count <= 8'd0;
    else                   count <= count + 8'd1;

endmodule
