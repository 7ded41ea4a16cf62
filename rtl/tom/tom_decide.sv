// SPDX-License-Identifier: Apache-2.0
//
// tom_decide -- the decision of tom_ctrl on one warp's instance: registers that its condition names, tom_cond on them, links, learning.
//
// start_i: its entry and its threads are there in the next cycle, and are kept. Then a register is read each cycle, the lowest bit of left first, and its
// row is there a cycle later, got; the last row goes into the condition as it comes. decides_o is high in that cycle, yes_o and why_o are of it.

`default_nettype none

module tom_decide #(
  parameter  int WarpW = 6,
  localparam int MetaW = tom_pkg::META_BITS,
  localparam int RegW  = tom_pkg::REG_W,
  localparam int RowW  = tom_pkg::ROW_BITS
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  // From the table
  input  wire logic             start_i,
  input  wire logic [WarpW-1:0] start_warp_i,
  input  wire logic [MetaW-1:0] entry_i,
  input  wire logic [31:0]      threads_i,
  // From the GPU
  input  wire logic             learn_i,
  input  wire logic             hot_tx_i,
  input  wire logic             hot_rx_i,
  // To and from the register file
  output      logic             op_valid_o,
  output      logic [RegW-1:0]  op_reg_o,
  input  wire logic [RowW-1:0]  op_data_i,
  // The decision
  output      logic             busy_o,
  output      logic [WarpW-1:0] warp_o,
  output      logic             decides_o,
  output      logic             yes_o,
  output      logic [1:0]       why_o                    // the lower bits: the first three alone
);

  localparam int COND = tom_pkg::META_COND_LSB;

  // The entry
  logic             busy_q, row_q, tx_q, rx_q, compares;
  logic [WarpW-1:0] warp_q;
  logic [63:0]      cond_q;
  logic [1:0]       kind;                                // as it comes

  assign kind     = entry_i[COND + tom_pkg::COND_KIND_LSB +: 2];
  assign compares = kind == tom_pkg::KIND_DISTANCE || kind == tom_pkg::KIND_STEPS;

  // Registers: start, bound, step from the lowest bit
  logic [2:0]  left_d, left_q, next, got_q;
  logic [4:0]  lane_q;                                   // the first active thread
  logic [31:0] word, start_q, bound_q;

  assign next   = left_q & (~left_q + 1'b1);
  assign word   = op_data_i[32'(lane_q)*32 +: 32];

  always_comb begin
    left_d = left_q & ~next;
    if (row_q) begin
      left_d[0] = compares && entry_i[COND + tom_pkg::COND_HAS_START_LSB];
      left_d[1] = compares && entry_i[COND + tom_pkg::COND_HAS_BOUND_LSB];
      left_d[2] = kind == tom_pkg::KIND_STEPS;
    end
  end

  // The verdict
  logic hold, hot;

  assign decides_o = busy_q && !row_q && left_q == '0;
  assign hot       = (hot_tx_i && !tx_q) || (hot_rx_i && !rx_q);
  assign yes_o     = hold && !hot && !learn_i;
  assign why_o     = !hold ? tom_pkg::WHY_CONDITION[1:0] : hot ? tom_pkg::WHY_CHANNEL[1:0] : tom_pkg::WHY_LEARNING[1:0];

  tom_cond u_cond (
    .clk_i, .rst_ni, .kind_i (cond_q[tom_pkg::COND_KIND_LSB +: 2]), .up_i (cond_q[tom_pkg::COND_UP_LSB]),
    .is_signed_i (cond_q[tom_pkg::COND_IS_SIGNED_LSB]), .shift_i (cond_q[tom_pkg::COND_SHIFT_LSB +: tom_pkg::COND_SHIFT_W]),
    .beyond_i (cond_q[tom_pkg::COND_BEYOND_LSB]), .imm_i (cond_q[tom_pkg::COND_IMM_LSB +: tom_pkg::COND_IMM_W]),
    .start_i (got_q[0] ? word : start_q), .bound_i (got_q[1] ? word : bound_q), .step_i (got_q[2] ? word : '0), .hold_o (hold)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      row_q   <= 1'b0;
      left_q  <= '0;
      got_q   <= '0;
      warp_q  <= '0;
      cond_q  <= '0;
      tx_q    <= 1'b0;
      rx_q    <= 1'b0;
      lane_q  <= '0;
      start_q <= '0;
      bound_q <= '0;
    end else begin
      busy_q  <= start_i || (busy_q && !decides_o);
      row_q   <= start_i;
      left_q  <= left_d;
      got_q   <= next;
      if (start_i) warp_q <= start_warp_i;
      if (row_q) begin
        cond_q <= entry_i[COND +: 64];
        tx_q   <= entry_i[tom_pkg::META_TX_LSB];
        rx_q   <= entry_i[tom_pkg::META_RX_LSB];
        lane_q <= first(threads_i);
      end
      start_q <= row_q ? '0 : got_q[0] ? word : start_q;
      bound_q <= row_q ? '0 : got_q[1] ? word : bound_q;
    end
  end

  assign op_valid_o = left_q != '0;
  assign op_reg_o   = (next[0] ? cond_q[tom_pkg::COND_START_LSB +: RegW] : '0) | (next[1] ? cond_q[tom_pkg::COND_BOUND_LSB +: RegW] : '0) |
                      (next[2] ? cond_q[tom_pkg::COND_STEP_LSB +: RegW] : '0);
  assign busy_o     = busy_q;
  assign warp_o     = warp_q;

  function automatic logic [4:0] first(input logic [31:0] bits);
    first = '0;
    for (int i = 31; i >= 0; i--) if (bits[i]) first = 5'(i);
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) assert (busy_q || (left_q == '0 && got_q == '0 && !row_q));
`endif
endmodule

`default_nettype wire
