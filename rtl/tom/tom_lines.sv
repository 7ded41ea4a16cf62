// SPDX-License-Identifier: Apache-2.0
//
// tom_lines -- keeps the lines that each warp of a stack's SM has written (TOM paper, sections 4.2
// and 4.4.2). The GPU's caches invalidate them with the offload acknowledgement.
//
// A warp's list is a row of a memory; a counter in flip-flops says how many of its lines are in
// use. The block does one thing at a time. All outputs are state.
//
//            push                line known or a place is left, no end waits
//   +------+-----> +------+ -------------------------------------------> IDLE
//   | IDLE |       | PUSH | --row full--> +-------+ --list_ready, no end--> IDLE
//   +------+       +------+               | AHEAD |
//      | end alone     | end waits        +-------+
//      |               v                      | list_ready, end waits
//      |           +-------+ <----------------+
//      |           | FETCH |
//      |           +-------+
//      v               v
//   +------+ <---------+
//   | LAST | --list_ready--> IDLE
//   +------+
//
// IDLE reads the row of the push, or of the end without a push. PUSH looks for the line and adds
// it. AHEAD sends a full list; the line then begins the next one. FETCH reads the row of an end
// that came with a push, since the push may have changed it. LAST sends the row. A row that is sent
// stays on the memory's output until it is taken.

`default_nettype none

module tom_lines #(
  parameter  int Warps    = 48,                        // warps of a stack's SM, 2 to 192
  parameter  int Lines    = 8,                         // lines of a list, 1 to tom_pkg::LIST_MOST (24)
  parameter  int LineBits = 33,                        // bits of a line's address, 1 to 41
  localparam int WarpW    = $clog2(Warps),             // bits of a warp's number
  localparam int CountW   = tom_pkg::LIST_COUNT_W,     // bits of the number of lines in a beat
  localparam int NumW     = $clog2(Lines + 1),         // bits of the number of lines in a counter
  localparam int BeatW    = CountW + Lines * LineBits  // bits of a list: its number of lines, its lines
) (
  input  wire logic                clk_i,          // core clock
  input  wire logic                rst_ni,         // asynchronous, active low
  // From the SM's stores
  input  wire logic                push_valid_i,   // a warp has written a line; taken with push_ready_o
  input  wire logic [WarpW-1:0]    push_warp_i,    // its warp
  input  wire logic [LineBits-1:0] push_line_i,    // the line's address, without the byte in the line
  output      logic                push_ready_o,   // idle; always equal to end_ready_o
  // From the SM's ends of blocks
  input  wire logic                end_valid_i,    // a warp's block is over; taken with end_ready_o
  input  wire logic [WarpW-1:0]    end_warp_i,     // its warp; no push of it until its list has gone
  output      logic                end_ready_o,    // idle; always equal to push_ready_o
  // To the acknowledgements
  output      logic                list_valid_o,   // a list; stays until list_ready_i
  output      logic [WarpW-1:0]    list_warp_o,    // whose list
  output      logic                list_last_o,    // 1: of an end; 0: sent ahead, more may follow
  output      logic [BeatW-1:0]    list_beat_o,    // CountW bits: number of lines, then the lines
  input  wire logic                list_ready_i,   // takes the list; the block is idle one cycle later
  // Probes
  output      logic                probe_read_o,   // a row was read in the cycle before
  output      logic                probe_done_o,   // a push is being done
  output      logic                probe_added_o,  // with probe_done_o; 0: the line was in the list
  output      logic [NumW-1:0]     probe_count_o   // with probe_done_o: lines before the push
);

  localparam logic [2:0] S_IDLE = 3'd0, S_PUSH = 3'd1, S_AHEAD = 3'd2, S_FETCH = 3'd3, S_LAST = 3'd4;

  logic [2:0]          state_d, state_q;
  logic                end_d, end_q;                     // an end came with a push and waits
  logic                read_q;                           // a row was read, for the probe alone
  logic [WarpW-1:0]    warp_d, warp_q, end_warp_d, end_warp_q;
  logic [LineBits-1:0] line_d, line_q;

  // The lists. An entry of the memory is one warp's list: Lines places of LineBits bits, the oldest
  // line in the lowest place. A push writes one place (the mask) and needs no read-modify-write.
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

  // Is the line of the push in the row? Places above the counter have old data and do not count.
  logic             known, full;
  logic [Lines-1:0] behind;                              // one-hot: the lowest place not in use; 0 if full

  // The state machine. Writes always go to the row of warp_q, the row that is
  // on the memory's output.
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
        wr_en    = !known;                               // a full row has no place behind: no write
        count_en = !known && !full;
        state_d  = !known && full ? S_AHEAD : end_q ? S_FETCH : S_IDLE;
      end
      S_AHEAD: begin                                     // the old list is gone: the line is its first
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

  // Old data above the counter must not leave the block: these places of the beat are 0.
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
  // The state is a legal one, and no list has more lines than places.
  always @(posedge clk_i) if (rst_ni) begin
    assert (state_q <= S_LAST && (state_q == S_IDLE || 32'(count) <= Lines));
  end
`endif
endmodule

`default_nettype wire
