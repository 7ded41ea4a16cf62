// SPDX-License-Identifier: Apache-2.0
//
// A UART, 8 data bits, no parity, one stop bit.
`timescale 1ns / 1ps

module uart #(
    parameter CLKS_PER_BIT = 8
) (
    input        clk,
    input        reset,
    input        tx_start,
    input  [7:0] tx_data,
    output       tx_busy,
    output       txd,
    input        rxd,
    output [7:0] rx_data,
    output       rx_valid,
    output       rx_frame_error
);

    uart_tx #(.CLKS_PER_BIT(CLKS_PER_BIT)) transmitter (
        .clk(clk), .reset(reset), .start(tx_start), .data(tx_data), .txd(txd), .busy(tx_busy)
    );

    uart_rx #(.CLKS_PER_BIT(CLKS_PER_BIT)) receiver (
        .clk(clk), .reset(reset), .rxd(rxd), .data(rx_data), .valid(rx_valid), .frame_error(rx_frame_error)
    );

endmodule
