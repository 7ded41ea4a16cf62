// SPDX-License-Identifier: Apache-2.0
//
// move_near -- near half of the register move engine: reads a row of the near-bank register file
// and sends it up (MPU paper, IV-B1).
//
// One message at a time:
//
//           v_valid: rf_req       rf_gnt: v_take       a cycle        out_take
//   idle ----------------> asking --------> coming -----------> held ---------> idle
//                                           rf_data comes       out_valid

`default_nettype none

module move_near (
  input  wire logic                          clk_i,        // core clock
  input  wire logic                          rst_ni,       // asynchronous, active low
  // From lsu_rx
  input  wire logic                          v_valid_i,    // a register-move message; stays until v_take_o
  input  wire logic [lsu_pkg::BEAT_BITS-1:0] v_hdr_i,      // its header: warp, reg
  output      logic                          v_take_o,     // the message is taken, with rf_gnt_i
  // Register file
  output      logic                          rf_req_o,     // a row is wanted, until rf_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]    rf_warp_o,    // its warp
  output      logic [lsu_pkg::REG_W-1:0]     rf_reg_o,     // its register
  input  wire logic                          rf_gnt_i,     // same cycle: the row comes in the next one
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  rf_data_i,    // the row, in the cycle after rf_gnt_i
  // To lsu_tx
  output      logic                          out_valid_o,  // header and row, until out_take_i
  output      logic [lsu_pkg::BEAT_BITS-1:0] out_hdr_o,    // header of the message
  output      logic [lsu_pkg::ROW_BITS-1:0]  out_data_o,   // 32 words
  input  wire logic                          out_take_i    // lsu_tx takes both; only with out_valid_o
);

  logic                          coming_d, coming_q;      // the row comes in this cycle
  logic                          held_d, held_q;          // header and row wait for lsu_tx
  logic [lsu_pkg::BEAT_BITS-1:0] hdr_d, hdr_q;
  logic [lsu_pkg::ROW_BITS-1:0]  data_d, data_q;

  // A row is asked for only when its register is free, so the row never waits on the file's output.
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
  // One message at a time: a row comes only when none is held. Grants and takes answer a request.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(coming_q && held_q));
    assert (!rf_gnt_i || rf_req_o);
    assert (!out_take_i || out_valid_o);
  end
`endif
endmodule

`default_nettype wire
