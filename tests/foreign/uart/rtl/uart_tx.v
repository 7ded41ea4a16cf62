// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps
`include "uart_defs.vh"

module uart_tx #(
    parameter CLKS_PER_BIT = 8
) (
    input            clk,
    input            reset,
    input            start,
    input      [7:0] data,
    output reg       txd,
    output           busy
);

    localparam CW = $clog2(CLKS_PER_BIT);

    reg [1:0]    state;
    reg [CW-1:0] cnt;
    reg [2:0]    bit;
    reg [7:0]    shift;

    assign busy = (state != `IDLE);

    wire last = (cnt == CLKS_PER_BIT - 1);

    always @(posedge clk)
        if (reset) begin
            state <= `UD `IDLE;
            cnt   <= `UD {CW{1'b0}};
            bit   <= `UD 3'd0;
            shift <= `UD 8'd0;
            txd   <= `UD 1'b1;
        end else begin
            cnt <= `UD (state == `IDLE || last) ? {CW{1'b0}} : cnt + 1'b1;
            case (state)
                `IDLE: if (start) begin
                    state <= `UD `START;
                    shift <= `UD data;
                    txd   <= `UD 1'b0;
                end
                `START: if (last) begin
                    state <= `UD `DATA;
                    bit   <= `UD 3'd0;
                    txd   <= `UD shift[0];
                end
                `DATA: if (last) begin
                    bit   <= `UD bit + 3'd1;
                    txd   <= `UD (bit == 3'd7) ? 1'b1 : shift[1];
                    shift <= `UD {1'b0, shift[7:1]};
                    if (bit == 3'd7) state <= `UD `STOP;
                end
                `STOP: if (last) state <= `UD `IDLE;
            endcase
        end

endmodule
