// SPDX-License-Identifier: Apache-2.0
//
// move_near_proof -- every message is answered once, with the row that came in the cycle after its
// grant.
//
// A row is eight bits repeated, because fewer different rows are enough.

`default_nettype none

module move_near_proof (
  input  wire logic        clk_i,
  input  wire logic        v_valid_i,
  input  wire logic [63:0] v_hdr_i,
  input  wire logic        rf_gnt_i,
  input  wire logic [7:0]  row_i,
  input  wire logic        out_take_i
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          v_take, rf_req, out_valid, comes, held;
  logic [5:0]    rf_warp;
  logic [7:0]    rf_reg, row;
  logic [63:0]   out_hdr, hdr;
  logic [1023:0] out_data;
  logic [1:0]    waits;

  move_near u_dut (
    .clk_i, .rst_ni (rst_n), .v_valid_i, .v_hdr_i, .v_take_o (v_take), .rf_req_o (rf_req), .rf_warp_o (rf_warp),
    .rf_reg_o (rf_reg), .rf_gnt_i, .rf_data_i ({128{row_i}}), .out_valid_o (out_valid), .out_hdr_o (out_hdr),
    .out_data_o (out_data), .out_take_i
  );

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    comes <= rst_n && v_take;
    if (!rst_n) begin
      held  <= 1'b0;
      waits <= '0;
    end else begin
      held  <= comes || (held && !out_take_i);
      waits <= !held || out_take_i ? '0 : waits == 2'd3 ? 2'd3 : waits + 2'd1;
      if (v_take) hdr <= v_hdr_i;
      if (comes) row <= row_i;
    end
  end

  always_comb if (rst_n) begin
    // lsu_rfport grants only requests.
    assume (!rf_gnt_i || rf_req);
    // lsu_tx takes only a row that is there.
    assume (!out_take_i || out_valid);
    // Rule 1: the message is taken with its grant.
    taken_with_row: assert (v_take == rf_gnt_i);
    // Rules 1 and 3: the next request when the row before has gone.
    one_at_a_time:  assert (rf_req == (v_valid_i && !comes && !held));
    // Rule 1.
    its_register:   assert (!rf_req || (rf_warp == v_hdr_i[lsu_pkg::WARP_LSB +: 6] &&
                                        rf_reg == v_hdr_i[lsu_pkg::REG_LSB +: 8]));
    // Rule 2: a row that came is shown until it is taken.
    answered_once:  assert (out_valid == held);
    // Rule 2: with the message's header.
    its_row:        assert (!held || (out_hdr == hdr && out_data == {128{row}}));
    waits_long:     cover (held && waits == 2'd3 && out_take_i && v_valid_i);
  end
endmodule

`default_nettype wire
