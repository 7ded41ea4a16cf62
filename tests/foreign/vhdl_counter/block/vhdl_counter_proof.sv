// SPDX-License-Identifier: Apache-2.0
//
// vhdl_counter_proof -- what the counter in VHDL promises, for all inputs.

`default_nettype none

module vhdl_counter_proof #(
  parameter int WIDTH = 8,
  parameter int START = 2
) (
  input wire logic       Clk,
  input wire logic       Rst_N,
  input wire logic [1:0] Command_mode,
  input wire logic [7:0] Command_value
);

  logic             started = 1'b0;           // low in the first cycle only, which is one of reset
  logic             last_reset, last_rewind;
  logic [WIDTH-1:0] count;
  logic [2:0]       phase;

  vhdl_counter #(.WIDTH(WIDTH), .START(START)) u_dut (
    .Clk, .Rst_N (Rst_N && started), .Command_mode, .Command_value, .count, .phase, .wrapped (), .busy ());

  always @(posedge Clk) begin
    started     <= 1'b1;
    last_reset  <= !Rst_N || !started;
    last_rewind <= Command_mode == 2'd3;
  end

  always_comb if (started) begin
    phases:  assert (phase <= 3'd4);
    full:    cover (count == WIDTH'(START + 3));
    rewinds: assert (!(last_reset || last_rewind) || count == WIDTH'(START) || !Rst_N);
  end
endmodule

`default_nettype wire
