// SPDX-License-Identifier: Apache-2.0
`ifndef UART_DEFS_VH
`define UART_DEFS_VH
`define UD    #1
`define IDLE  2'd0
`define START 2'd1
`define DATA  2'd2
`define STOP  2'd3
`endif
