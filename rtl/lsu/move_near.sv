// SPDX-License-Identifier: Apache-2.0
//
// move_near -- near half of the register move engine: reads a row of the near-bank register file and sends it up (MPU paper, IV-B1).
//
// One message at a time: the register is asked for while a message is there and none is held; with the grant the message is taken, in
// the next cycle its row comes, and from the one after that both wait for out_take_i.

`default_nettype none

module move_near (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // From lsu_rx
  input  wire logic                          v_valid_i,
  input  wire logic [lsu_pkg::BEAT_BITS-1:0] v_hdr_i,
  output      logic                          v_take_o,
  // Register file
  output      logic                          rf_req_o,
  output      logic [lsu_pkg::WARP_W-1:0]    rf_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]     rf_reg_o,
  input  wire logic                          rf_gnt_i,
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  rf_data_i,
  // To lsu_tx
  output      logic                          out_valid_o,
  output      logic [lsu_pkg::BEAT_BITS-1:0] out_hdr_o,
  output      logic [lsu_pkg::ROW_BITS-1:0]  out_data_o,
  input  wire logic                          out_take_i
);

  logic                          coming_d, coming_q;      // the row comes in this cycle
  logic                          held_d, held_q;
  logic [lsu_pkg::BEAT_BITS-1:0] hdr_d, hdr_q;
  logic [lsu_pkg::ROW_BITS-1:0]  data_d, data_q;

  assign rf_req_o  = v_valid_i && !coming_q && !held_q;
  assign rf_warp_o = v_hdr_i[lsu_pkg::WARP_LSB +: lsu_pkg::WARP_W];
  assign rf_reg_o  = v_hdr_i[lsu_pkg::REG_LSB +: lsu_pkg::REG_W];
  assign v_take_o  = rf_req_o && rf_gnt_i;

  assign coming_d = v_take_o;
  assign held_d   = coming_q || (held_q && !out_take_i);
  assign hdr_d    = v_take_o ? v_hdr_i : hdr_q;
  assign data_d   = coming_q ? rf_data_i : data_q;

  assign out_valid_o = held_q;
  assign out_hdr_o   = hdr_q;
  assign out_data_o  = data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      coming_q <= '0;
      held_q   <= '0;
      hdr_q    <= '0;
      data_q   <= '0;
    end else begin
      coming_q <= coming_d;
      held_q   <= held_d;
      hdr_q    <= hdr_d;
      data_q   <= data_d;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(coming_q && held_q));
    assert (!rf_gnt_i || rf_req_o);
    assert (!out_take_i || out_valid_o);
  end
`endif
endmodule

`default_nettype wire
