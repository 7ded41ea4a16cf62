// SPDX-License-Identifier: Apache-2.0
//
// tom_unpack -- offload acknowledgements, taken apart: register updates, cache invalidations, then the warp goes on (TOM paper, section 4.2).
//
// A row is written from a register in the cycle after it came. A list's lines are kept and shifted out, one a cycle; nothing is taken meanwhile.
// All outputs are state.

`default_nettype none

module tom_unpack #(
  parameter  int Warps    = 48,                          // warps of the SM, 2 to 256
  parameter  int LineBits = 33,                          // bits of a line's address, 1 to 41
  localparam int WarpW    = $clog2(Warps),
  localparam int RegW     = tom_pkg::REG_W,
  localparam int Regs     = tom_pkg::META_OUT_W,
  localparam int RowW     = tom_pkg::ROW_BITS,
  localparam int Most     = tom_pkg::LIST_MOST,
  localparam int CountW   = tom_pkg::LIST_COUNT_W
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // From the stacks
  input  wire logic                ack_valid_i,
  input  wire logic [RowW-1:0]     ack_beat_i,
  input  wire logic                ack_last_i,
  output      logic                ack_ready_o,
  // To the register file
  output      logic                wr_valid_o,
  output      logic [WarpW-1:0]    wr_warp_o,
  output      logic [RegW-1:0]     wr_reg_o,
  output      logic [31:0]         wr_mask_o,
  output      logic [RowW-1:0]     wr_row_o,
  // To the caches
  output      logic                inv_valid_o,
  output      logic [LineBits-1:0] inv_line_o,
  input  wire logic                inv_ready_i,
  // To the SM's warps
  output      logic                done_valid_o,
  output      logic [WarpW-1:0]    done_warp_o,
  output      logic                err_o,                // sticky
  // Probes
  output      logic [1:0]          probe_state_o,
  output      logic [Regs-1:0]     probe_left_o
);

  localparam logic [1:0] S_HEAD = 2'd0, S_ROWS = 2'd1, S_LIST = 2'd2, S_OVER = 2'd3;

  logic [1:0]               state_d, state_q;
  logic [WarpW-1:0]         warp_q;
  logic [31:0]              mask_q;
  logic                     done_q;                      // the block is over with this message
  logic [Regs-1:0]          left_d, left_q, lowest, others, outs;
  logic [CountW-1:0]        lines, num_d, num_q;         // of a list, still to be invalidated
  logic [Most*LineBits-1:0] list_d, list_q;
  logic                     wr_valid_q, over, short_of, err_d, err_q, take, head, row, more;
  logic [RegW-1:0]          wr_reg_q;
  logic [RowW-1:0]          wr_row_q;

  assign take   = ack_valid_i && ack_ready_o;
  assign head   = take && state_q == S_HEAD;
  assign row    = take && state_q == S_ROWS;
  assign outs   = ack_beat_i[tom_pkg::ACK_OUT_LSB +: Regs];
  assign lowest = left_q & (~left_q + 1'b1);
  assign others = left_q & ~lowest;
  assign lines  = ack_beat_i[CountW-1:0];
  assign more   = 32'(lines) > Most;
  assign over   = state_q == S_OVER && num_q == '0 && !wr_valid_q;

  always_comb begin
    left_d   = head ? outs : row ? others : left_q;
    short_of = take && ack_last_i && left_d != '0;
    state_d  = over ? S_HEAD : state_q;
    if (take) state_d = ack_last_i ? S_OVER : left_d != '0 ? S_ROWS : S_LIST;
    if (short_of) left_d = '0;
    num_d  = num_q;
    list_d = list_q;
    if (take && state_q == S_LIST) begin
      num_d  = more ? CountW'(Most) : lines;
      list_d = ack_beat_i[CountW +: Most*LineBits];
    end else if (inv_valid_o && inv_ready_i) begin
      num_d  = num_q - 1'b1;
      list_d = list_q >> LineBits;
    end
  end

  assign err_d = err_q || short_of || (take && state_q == S_LIST && more);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= S_HEAD;
      warp_q     <= '0;
      mask_q     <= '0;
      done_q     <= 1'b0;
      left_q     <= '0;
      num_q      <= '0;
      list_q     <= '0;
      wr_valid_q <= 1'b0;
      wr_reg_q   <= '0;
      wr_row_q   <= '0;
      err_q      <= 1'b0;
    end else begin
      state_q    <= state_d;
      if (head) warp_q <= ack_beat_i[tom_pkg::ACK_WARP_LSB +: WarpW];
      if (head) mask_q <= ack_beat_i[tom_pkg::ACK_MASK_LSB +: 32];
      if (head) done_q <= ack_beat_i[tom_pkg::ACK_DONE_LSB];
      left_q     <= left_d;
      num_q      <= num_d;
      list_q     <= list_d;
      wr_valid_q <= row;
      if (row) wr_reg_q <= index(lowest);
      if (row) wr_row_q <= ack_beat_i;
      err_q      <= err_d;
    end
  end

  assign ack_ready_o   = num_q == '0 && state_q != S_OVER;
  assign wr_valid_o    = wr_valid_q;
  assign wr_warp_o     = warp_q;
  assign wr_reg_o      = wr_reg_q;
  assign wr_mask_o     = mask_q;
  assign wr_row_o      = wr_row_q;
  assign inv_valid_o   = num_q != '0;
  assign inv_line_o    = list_q[LineBits-1:0];
  assign done_valid_o  = over && done_q;
  assign done_warp_o   = warp_q;
  assign err_o         = err_q;
  assign probe_state_o = state_q;
  assign probe_left_o  = left_q;

  function automatic logic [RegW-1:0] index(input logic [Regs-1:0] one);
    index = '0;
    for (int i = 0; i < Regs; i++) index = index | (one[i] ? RegW'(i) : '0);
  endfunction

  initial begin
    if (Warps < 2 || Warps > 256) $fatal(1, "tom_unpack: Warps must be 2 to 256");
    if (LineBits < 1 || LineBits > 41) $fatal(1, "tom_unpack: LineBits must be 1 to 41");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((state_q == S_ROWS) == (left_q != '0));
    assert (32'(num_q) <= Most && (num_q == '0 || state_q[1]));
  end
`endif
endmodule

`default_nettype wire
