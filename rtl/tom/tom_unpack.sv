// SPDX-License-Identifier: Apache-2.0
//
// tom_unpack -- takes offload acknowledgements apart: register updates, cache invalidations, then
// the warp goes on (TOM paper, section 4.2).
//
// A row is written from a register in the cycle after it came. The lines of a list are kept and
// shifted out, one a cycle; ack_ready_o is low meanwhile. All outputs are state.
//
//               out != 0            last row          ack_last
//   +------+ ------------> +------+ -------> +------+ -------> +------+
//   | HEAD |               | ROWS |          | LIST |          | OVER | --> HEAD
//   +------+ ------------------------------> +------+          +------+
//      |        out == 0                                          ^
//      +----------------------------------------------------------+
//               ack_last (from ROWS, too)
//
// OVER lasts until all rows are written and all lines are taken: done_valid_o in its last cycle.

`default_nettype none

module tom_unpack #(
  parameter  int Warps    = 48,                    // warps of the SM, 2 to 256
  parameter  int LineBits = 33,                    // bits of a line's address, 1 to 41
  localparam int WarpW    = $clog2(Warps),         // bits of a warp's number
  localparam int RegW     = tom_pkg::REG_W,        // bits of a register's number
  localparam int Regs     = tom_pkg::META_OUT_W,   // registers of a thread
  localparam int RowW     = tom_pkg::ROW_BITS,     // bits of a row and of a beat
  localparam int Most     = tom_pkg::LIST_MOST,    // lines of a list at most
  localparam int CountW   = tom_pkg::LIST_COUNT_W  // bits of the number of lines in a list
) (
  input  wire logic                clk_i,          // core clock
  input  wire logic                rst_ni,         // asynchronous, active low
  // From the stacks
  input  wire logic                ack_valid_i,    // a beat; taken with ack_ready_o
  input  wire logic [RowW-1:0]     ack_beat_i,     // TOM_ACK header, row, or list (number, lines)
  input  wire logic                ack_last_i,     // last beat of the message
  output      logic                ack_ready_o,    // low while lines are left, and in OVER
  // To the register file
  output      logic                wr_valid_o,     // writes a row, in the cycle after its beat
  output      logic [WarpW-1:0]    wr_warp_o,      // its warp
  output      logic [RegW-1:0]     wr_reg_o,       // its register
  output      logic [31:0]         wr_mask_o,      // threads that are written: the header's mask
  output      logic [RowW-1:0]     wr_row_o,       // 32 words
  // To the caches
  output      logic                inv_valid_o,    // a line to invalidate; stays until inv_ready_i
  output      logic [LineBits-1:0] inv_line_o,     // its address, without the byte in the line
  input  wire logic                inv_ready_i,    // takes the line; the next comes a cycle later
  // To the SM's warps
  output      logic                done_valid_o,   // one cycle: all is done, the header's done was 1
  output      logic [WarpW-1:0]    done_warp_o,    // warp that goes on
  output      logic                err_o,          // sticky: message too short, or list too long
  // Probes
  output      logic [1:0]          probe_state_o,  // what comes: 0 header, 1 row, 2 list, 3 nothing
  output      logic [Regs-1:0]     probe_left_o    // bit r: the row of register r is still to come
);

  localparam logic [1:0] S_HEAD = 2'd0, S_ROWS = 2'd1, S_LIST = 2'd2, S_OVER = 2'd3;

  // The message under way. Its warp, mask and done are the header's until the next header.
  logic [1:0]               state_d, state_q;
  logic [WarpW-1:0]         warp_q;
  logic [31:0]              mask_q;
  logic                     done_q;                                // the block is over with this message
  logic [Regs-1:0]          left_d, left_q, lowest, others, outs;  // left: rows to come, the lowest first
  logic [CountW-1:0]        lines, num_d, num_q;                   // num: lines still to be invalidated
  logic [Most*LineBits-1:0] list_d, list_q;                        // these lines, the next one lowest
  logic                     wr_valid_q, over, short_of, err_d, err_q, take, head, row, more;
  logic [RegW-1:0]          wr_reg_q;
  logic [RowW-1:0]          wr_row_q;

  // Beats by kind. An end before the last row is an error (short_of): the
  // message is over without them.
  assign take   = ack_valid_i && ack_ready_o;
  assign head   = take && state_q == S_HEAD;
  assign row    = take && state_q == S_ROWS;
  assign outs   = ack_beat_i[tom_pkg::ACK_OUT_LSB +: Regs];
  assign lowest = left_q & (~left_q + 1'b1);
  assign others = left_q & ~lowest;
  assign lines  = ack_beat_i[CountW-1:0];
  assign more   = 32'(lines) > Most;
  assign over   = state_q == S_OVER && num_q == '0 && !wr_valid_q;

  // The state machine. Only a beat leaves HEAD, ROWS and LIST, and no beat is taken in OVER.
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

  // Number of the set bit of a one-hot vector.
  function automatic logic [RegW-1:0] index(input logic [Regs-1:0] one);
    index = '0;
    for (int i = 0; i < Regs; i++) index = index | (one[i] ? RegW'(i) : '0);
  endfunction

  initial begin
    if (Warps < 2 || Warps > 256) $fatal(1, "tom_unpack: Warps must be 2 to 256");
    if (LineBits < 1 || LineBits > 41) $fatal(1, "tom_unpack: LineBits must be 1 to 41");
  end

`ifndef SYNTHESIS
  // Rows are expected exactly in ROWS. Lines are left only in LIST and OVER.
  always @(posedge clk_i) if (rst_ni) begin
    assert ((state_q == S_ROWS) == (left_q != '0));
    assert (32'(num_q) <= Most && (num_q == '0 || state_q[1]));
  end
`endif
endmodule

`default_nettype wire
