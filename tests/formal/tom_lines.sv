// SPDX-License-Identifier: Apache-2.0
//
// tom_lines_proof -- no line is lost, made up or told twice in a list. A list is never too long,
// and every push and end is over in time.
//
// The wrapper watches any one line of any one warp.

`default_nettype none
`include "tom_lines.env.sv"

module tom_lines_proof #(
  parameter  int Warps    = 2,
  parameter  int Lines    = 2,
  parameter  int LineBits = 2,
  localparam int WarpW    = $clog2(Warps),
  localparam int CountW   = $clog2(Lines + 1),
  localparam int BeatW    = 5 + Lines * LineBits
) (
  input  wire logic                clk_i,
  input  wire logic                push_valid_i,
  input  wire logic [WarpW-1:0]    push_warp_i,
  input  wire logic [LineBits-1:0] push_line_i,
  input  wire logic                end_valid_i,
  input  wire logic [WarpW-1:0]    end_warp_i,
  input  wire logic                list_ready_i,
  input  wire logic [WarpW-1:0]    warp_i,
  input  wire logic [LineBits-1:0] line_i
);

  logic                rst_n = 1'b0;             // low in the first cycle only
  logic                push_ready, end_ready, list_valid, list_last, read, done, added;
  logic [WarpW-1:0]    list_warp;
  logic [BeatW-1:0]    beat;
  logic [CountW-1:0]   count;

  tom_lines #(.Warps(Warps), .Lines(Lines), .LineBits(LineBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .push_valid_i, .push_warp_i, .push_line_i, .push_ready_o (push_ready), .end_valid_i,
    .end_warp_i, .end_ready_o (end_ready), .list_valid_o (list_valid), .list_warp_o (list_warp),
    .list_last_o (list_last), .list_beat_o (beat), .list_ready_i, .probe_read_o (read), .probe_done_o (done),
    .probe_added_o (added), .probe_count_o (count)
  );
  tom_lines_env #(.Warps(Warps)) u_env (.rst_ni (rst_n), .push_valid_i, .push_warp_i, .end_valid_i, .end_warp_i);

  logic [WarpW-1:0]    warp;
  logic [LineBits-1:0] line;
  logic                owed, fresh, ends, begins, taken, told, twice, rest;
  logic [2:0]          busy;  // cycles without a list that waits

  assign begins = push_valid_i && push_ready && push_warp_i == warp && push_line_i == line;
  assign taken  = list_valid && list_ready_i && list_warp == warp;

  // Rule 5: the watched line in the list, and the bits behind the list's lines.
  always_comb begin
    told  = 1'b0;
    twice = 1'b0;
    rest  = 1'b0;
    for (int k = 0; k < Lines; k++) begin
      if (k < 32'(beat[4:0])) begin
        twice = twice || (told && beat[5 + k*LineBits +: LineBits] == line);
        told  = told || beat[5 + k*LineBits +: LineBits] == line;
      end else begin
        rest = rest || beat[5 + k*LineBits +: LineBits] != '0;
      end
    end
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      warp <= warp_i;
      line <= line_i;
      {owed, fresh, ends, busy} <= '0;
    end else begin
      // owed: pushed and in no list since. fresh: the push in work is the watched line's.
      if (begins) owed <= 1'b1;
      else if (taken && told) owed <= 1'b0;
      fresh <= begins || (fresh && !push_ready);
      ends  <= (end_valid_i && end_ready && end_warp_i == warp) || (ends && !(taken && list_last));
      busy  <= push_ready || list_valid ? 3'd0 : busy + 3'd1;
    end
  end

  // A block that is in reset gets no input; its memory would take a push.
  always_comb assume (rst_n || (!push_valid_i && !end_valid_i));

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(warp) < Warps);
    // Rules 2 and 3: a pushed line is in a list by its block's end.
    not_lost:    assert (!taken || !list_last || !owed || told);
    // Only pushed lines are in lists, each once (rule 2).
    not_made_up: assert (!list_valid || list_warp != warp || !told || owed);
    once:        assert (!list_valid || list_warp != warp || !twice);
    // Rules 3 and 5: a list sent ahead is full; bits behind the lines are 0.
    in_bounds:   assert (!list_valid || (32'(beat[4:0]) <= Lines && !rest && (list_last || 32'(beat[4:0]) == Lines)));
    // Rule 4.
    only_ends:   assert (!list_valid || !list_last || list_warp != warp || ends);
    // Rules 2 to 4.
    in_time:     assert (busy <= 3'd2);
    // A list goes ahead with an end behind it; a full last list.
    ahead_first: cover (taken && !list_last && fresh && ends && told == 1'b0);
    full_last:   cover (taken && list_last && told && 32'(beat[4:0]) == Lines);
  end
endmodule

`default_nettype wire
