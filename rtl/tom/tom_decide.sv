// SPDX-License-Identifier: Apache-2.0
//
// tom_decide -- decides for tom_ctrl whether one warp's instance is
// offloaded. It reads the registers that the condition names, then judges
// condition, busy links and learning, in this order.
//
//   cycle       t        t+1       t+2       ...  t+1+k     t+2+k
//   start_i     1        .         .              .         .
//   entry_i     .        entry     .              .         .
//   op_valid_o  0        0         1         ...  1         0
//   op_data_i   .        .         .         ...  row k-1   row k
//   decides_o   0        0         0         ...  0         1
//
// k is the number of registers, 0 to 3; they are start, bound, step. The last row goes into the
// condition in the cycle in which it comes. yes_o and why_o are valid with decides_o.

`default_nettype none

module tom_decide #(
  parameter  int WarpW = 6,                   // bits of a warp's number
  localparam int MetaW = tom_pkg::META_BITS,  // bits of an entry of the metadata table
  localparam int RegW  = tom_pkg::REG_W,      // bits of a register's number
  localparam int RowW  = tom_pkg::ROW_BITS    // bits of a register of all threads
) (
  input  wire logic             clk_i,         // core clock
  input  wire logic             rst_ni,        // asynchronous, active low
  // From the table
  input  wire logic             start_i,       // begin a decision; only while busy_o is 0
  input  wire logic [WarpW-1:0] start_warp_i,  // warp of the decision, with start_i
  input  wire logic [MetaW-1:0] entry_i,       // its table entry, in the cycle after start_i
  input  wire logic [31:0]      threads_i,     // its active threads, in the cycle after start_i
  // From the GPU
  input  wire logic             learn_i,       // the map is not known yet; read with decides_o
  input  wire logic             hot_tx_i,      // tx links are busy; read with decides_o
  input  wire logic             hot_rx_i,      // rx links are busy; read with decides_o
  // To and from the register file
  output      logic             op_valid_o,    // reads register op_reg_o of warp_o
  output      logic [RegW-1:0]  op_reg_o,      // register that the condition names
  input  wire logic [RowW-1:0]  op_data_i,     // its row, in the cycle after op_valid_o
  // The decision
  output      logic             busy_o,        // from the cycle after start_i to decides_o
  output      logic [WarpW-1:0] warp_o,        // warp of the decision, while busy_o
  output      logic             decides_o,     // one cycle: the verdict is valid
  output      logic             yes_o,         // with decides_o: 1: go on to the first access
  output      logic [1:0]       why_o          // with a no: WHY_CONDITION, _CHANNEL or _LEARNING
);

  localparam int COND = tom_pkg::META_COND_LSB;          // lowest bit of the condition in an entry

  // The entry. It comes from the table's memory one cycle after start_i (row_q) and is kept from
  // then on: the table serves other readers meanwhile.
  logic             busy_q, row_q, tx_q, rx_q, compares;  // row_q: the entry comes in this cycle
  logic [WarpW-1:0] warp_q;
  logic [63:0]      cond_q;                              // fields tom_pkg::COND_*
  logic [1:0]       kind;                                // of the entry that comes

  assign kind     = entry_i[COND + tom_pkg::COND_KIND_LSB +: 2];
  assign compares = kind == tom_pkg::KIND_DISTANCE || kind == tom_pkg::KIND_STEPS;

  // The registers. left has a bit for each one still to be read: start is bit 0, bound 1, step 2.
  // got says which of them op_data_i has in this cycle, as a one-hot value.
  logic [2:0]  left_d, left_q, next, got_q;
  logic [4:0]  lane_q;                                   // first active thread: its word counts
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

  // The verdict. No register is left to be read; the last row may come in this very cycle. A link
  // counts as hot only if the block does not save traffic on it.
  logic hold, hot;

  assign decides_o = busy_q && !row_q && left_q == '0;
  assign hot       = (hot_tx_i && !tx_q) || (hot_rx_i && !rx_q);
  assign yes_o     = hold && !hot && !learn_i;
  assign why_o     = !hold ? tom_pkg::WHY_CONDITION[1:0] : hot ? tom_pkg::WHY_CHANNEL[1:0] : tom_pkg::WHY_LEARNING[1:0];

  // A row that comes in this cycle bypasses start_q and bound_q. Step is always the last to be
  // read, so it needs no register.
  tom_cond u_cond (
    .clk_i, .rst_ni, .kind_i (cond_q[tom_pkg::COND_KIND_LSB +: 2]), .up_i (cond_q[tom_pkg::COND_UP_LSB]),
    .is_signed_i (cond_q[tom_pkg::COND_IS_SIGNED_LSB]),
    .shift_i (cond_q[tom_pkg::COND_SHIFT_LSB +: tom_pkg::COND_SHIFT_W]), .beyond_i (cond_q[tom_pkg::COND_BEYOND_LSB]),
    .imm_i (cond_q[tom_pkg::COND_IMM_LSB +: tom_pkg::COND_IMM_W]), .start_i (got_q[0] ? word : start_q),
    .bound_i (got_q[1] ? word : bound_q), .step_i (got_q[2] ? word : '0), .hold_o (hold)
  );

  // start_q and bound_q are 0 when a decision begins: a register that is not named counts as 0.
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

  // One register a cycle, the lowest bit of left first.
  assign op_valid_o = left_q != '0;
  assign op_reg_o   = (next[0] ? cond_q[tom_pkg::COND_START_LSB +: RegW] : '0) |
                      (next[1] ? cond_q[tom_pkg::COND_BOUND_LSB +: RegW] : '0) |
                      (next[2] ? cond_q[tom_pkg::COND_STEP_LSB +: RegW] : '0);
  assign busy_o     = busy_q;
  assign warp_o     = warp_q;

  function automatic logic [4:0] first(input logic [31:0] bits);
    first = '0;
    for (int i = 31; i >= 0; i--) if (bits[i]) first = 5'(i);
  endfunction

`ifndef SYNTHESIS
  // Without a decision under way nothing is read and nothing comes.
  always @(posedge clk_i) if (rst_ni) assert (busy_q || (left_q == '0 && got_q == '0 && !row_q));
`endif
endmodule

`default_nettype wire
