// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps
`include "uart_defs.vh"

module uart_rx #(
    parameter CLKS_PER_BIT = 8
) (
    input            clk,
    input            reset,
    input            rxd,
    output reg [7:0] data,
    output reg       valid,
    output reg       frame_error
);

    localparam CW = $clog2(CLKS_PER_BIT);

    reg [1:0]    sync;
    reg [1:0]    state;
    reg [CW-1:0] cnt;
    reg [2:0]    bit;
    reg          bad;

    wire line = sync[1];
    wire half = (cnt == CLKS_PER_BIT / 2 - 1);
    wire last = (cnt == CLKS_PER_BIT - 1);

    always @(posedge clk)
        if (reset) sync <= `UD 2'b11;
        else       sync <= `UD {sync[0], rxd};

    always @(posedge clk)
        if (reset) begin
            state       <= `UD `IDLE;
            cnt         <= `UD {CW{1'b0}};
            bit         <= `UD 3'd0;
            bad         <= `UD 1'b0;
            data        <= `UD 8'd0;
            valid       <= `UD 1'b0;
            frame_error <= `UD 1'b0;
        end else begin
            valid       <= `UD 1'b0;
            frame_error <= `UD 1'b0;
            cnt         <= `UD cnt + 1'b1;
            case (state)
                `IDLE: begin
                    cnt <= `UD {CW{1'b0}};
                    if (line) bad <= `UD 1'b0;
                    if (!line && !bad) state <= `UD `START;
                end
                `START: if (half) begin
                    cnt   <= `UD {CW{1'b0}};
                    bit   <= `UD 3'd0;
                    state <= `UD line ? `IDLE : `DATA;
                end
                `DATA: if (last) begin
                    cnt  <= `UD {CW{1'b0}};
                    bit  <= `UD bit + 3'd1;
                    data <= `UD {line, data[7:1]};
                    if (bit == 3'd7) state <= `UD `STOP;
                end
                `STOP: if (last) begin
                    state       <= `UD `IDLE;
                    valid       <= `UD line;
                    frame_error <= `UD !line;
                    bad         <= `UD !line;
                end
            endcase
        end

endmodule
