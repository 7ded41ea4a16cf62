// SPDX-License-Identifier: Apache-2.0
//
// tom_lines -- lines that each warp of a stack's SM has written, to be invalidated in the GPU's caches (TOM paper, sections 4.2 and 4.4.2).
//
// A row of a memory is a warp's list, a counter beside it says how many of its lines are in use. One thing at a time: the row of a push is read,
// and in the next cycle (S_PUSH) the line is looked for and written behind the others; or the row goes out first (S_AHEAD). A row to be sent stays on
// the memory's output until it is taken. An end that came with a push waits (S_FETCH) until the row is written. All outputs are state.

`default_nettype none

module tom_lines #(
  parameter  int Warps    = 48,                          // warps of a stack's SM, 2 to 192
  parameter  int Lines    = 8,                           // lines of a list, 1 to LIST_MOST
  parameter  int LineBits = 33,                          // bits of a line's address, 1 to 41
  localparam int WarpW    = $clog2(Warps),
  localparam int CountW   = tom_pkg::LIST_COUNT_W,
  localparam int NumW     = $clog2(Lines + 1),
  localparam int BeatW    = CountW + Lines * LineBits
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // From the SM's stores
  input  wire logic                push_valid_i,
  input  wire logic [WarpW-1:0]    push_warp_i,
  input  wire logic [LineBits-1:0] push_line_i,
  output      logic                push_ready_o,
  // From the SM's ends of blocks
  input  wire logic                end_valid_i,
  input  wire logic [WarpW-1:0]    end_warp_i,
  output      logic                end_ready_o,
  // To the acknowledgements
  output      logic                list_valid_o,
  output      logic [WarpW-1:0]    list_warp_o,
  output      logic                list_last_o,
  output      logic [BeatW-1:0]    list_beat_o,
  input  wire logic                list_ready_i,
  // Probes
  output      logic                probe_read_o,
  output      logic                probe_done_o,
  output      logic                probe_added_o,
  output      logic [NumW-1:0]     probe_count_o
);

  localparam logic [2:0] S_IDLE = 3'd0, S_PUSH = 3'd1, S_AHEAD = 3'd2, S_FETCH = 3'd3, S_LAST = 3'd4;

  logic [2:0]          state_d, state_q;
  logic                end_d, end_q;                     // an end waits
  logic                read_q;                           // a row was read, for the probe alone
  logic [WarpW-1:0]    warp_d, warp_q, end_warp_d, end_warp_q;
  logic [LineBits-1:0] line_d, line_q;

  // The lists
  logic                      rd_en, wr_en;
  logic [Lines-1:0]          place;
  logic [Lines*LineBits-1:0] row;
  logic [Warps*NumW-1:0]     counts_q;
  logic [NumW-1:0]           count, count_d;
  logic                      count_en;

  sram_1r1w #(.Width(Lines * LineBits), .Depth(Warps), .LaneBits(LineBits)) u_rows (
    .clk_i, .rst_ni, .wr_en_i (wr_en), .wr_addr_i (warp_q), .wr_mask_i (place), .wr_data_i ({Lines{line_q}}),
    .rd_en_i (rd_en), .rd_addr_i (warp_d), .rd_data_o (row)
  );

  assign count = counts_q[32'(warp_q)*NumW +: NumW];

  // The line in the row
  logic             known, full;
  logic [Lines-1:0] behind;                              // one-hot: the first place that is not in use

  always_comb begin
    known  = 1'b0;
    behind = '0;
    for (int k = 0; k < Lines; k++) begin
      if (k < 32'(count) && row[k*LineBits +: LineBits] == line_q) known = 1'b1;
      behind[k] = 32'(count) == k;
    end
  end

  assign full = 32'(count) == Lines;

  always_comb begin
    state_d    = state_q;
    end_d      = end_q;
    end_warp_d = end_warp_q;
    warp_d     = warp_q;
    line_d     = line_q;
    rd_en      = 1'b0;
    wr_en      = 1'b0;
    place      = behind;
    count_en   = 1'b0;
    count_d    = count + 1'b1;
    case (state_q)
      S_IDLE: begin
        end_d      = push_valid_i && end_valid_i;
        end_warp_d = end_warp_i;
        warp_d     = push_valid_i ? push_warp_i : end_warp_i;
        line_d     = push_line_i;
        rd_en      = push_valid_i || end_valid_i;
        state_d    = push_valid_i ? S_PUSH : end_valid_i ? S_LAST : S_IDLE;
      end
      S_PUSH: begin
        wr_en    = !known;                               // a full one has no place behind
        count_en = !known && !full;
        state_d  = !known && full ? S_AHEAD : end_q ? S_FETCH : S_IDLE;
      end
      S_AHEAD: begin
        place    = Lines'(1);
        wr_en    = list_ready_i;
        count_en = list_ready_i;
        count_d  = NumW'(1);
        state_d  = !list_ready_i ? S_AHEAD : end_q ? S_FETCH : S_IDLE;
      end
      S_FETCH: begin
        warp_d  = end_warp_q;
        rd_en   = 1'b1;
        state_d = S_LAST;
      end
      default: begin                                     // S_LAST
        count_en = list_ready_i;
        count_d  = '0;
        state_d  = list_ready_i ? S_IDLE : S_LAST;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= S_IDLE;
      end_q      <= 1'b0;
      read_q     <= 1'b0;
      end_warp_q <= '0;
      warp_q     <= '0;
      line_q     <= '0;
      counts_q   <= '0;
    end else begin
      state_q    <= state_d;
      end_q      <= end_d;
      read_q     <= rd_en;
      end_warp_q <= end_warp_d;
      warp_q     <= warp_d;
      line_q     <= line_d;
      if (count_en) counts_q[32'(warp_q)*NumW +: NumW] <= count_d;
    end
  end

  always_comb begin
    list_beat_o = '0;
    list_beat_o[CountW-1:0] = CountW'(count);
    for (int k = 0; k < Lines; k++) begin
      if (k < 32'(count)) list_beat_o[CountW + k*LineBits +: LineBits] = row[k*LineBits +: LineBits];
    end
  end

  assign push_ready_o  = state_q == S_IDLE;
  assign end_ready_o   = state_q == S_IDLE;
  assign list_valid_o  = state_q == S_AHEAD || state_q == S_LAST;
  assign list_last_o   = state_q == S_LAST;
  assign list_warp_o   = warp_q;
  assign probe_read_o  = read_q;
  assign probe_done_o  = state_q == S_PUSH;
  assign probe_added_o = !known;
  assign probe_count_o = count;

  initial begin
    if (Warps < 2 || Warps > 192) $fatal(1, "tom_lines: Warps must be 2 to 192");
    if (Lines < 1 || Lines > tom_pkg::LIST_MOST) $fatal(1, "tom_lines: Lines must be 1 to 24");
    if (LineBits < 1 || LineBits > 41) $fatal(1, "tom_lines: LineBits must be 1 to 41");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (state_q <= S_LAST && (state_q == S_IDLE || 32'(count) <= Lines));
  end
`endif
endmodule

`default_nettype wire
