// SPDX-License-Identifier: Apache-2.0
//
// nsu_lanes -- the lane array: a warp's instruction in P = 32 / Lanes passes, results in one row.
//
// A start (start_valid_i and start_ready_o) in cycle f registers the operands:
//
//   f+1+p      pass p: threads p Lanes .. p Lanes + Lanes - 1 enter the lanes
//   f+5+p      their results leave the lanes and shift into the row
//   f+P+5      wb_valid_o: tag, mask and row; words outside of the mask are zero
//
// start_ready_o says that no pass remains after this cycle's, so passes of successive starts run
// back to back. An instruction of pairs (nsu_pkg::isa_pairs) takes two cycles a pass:
//
//   f+1+2p     pass p
//   f+2P+4     wb_valid_o: the row of low words
//   f+2P+5     wb_valid_o and wb_high_o: the row of high words, if the result is a pair
//
// No other row can be due in that last cycle: the lanes' last results came two cycles before, and
// the next ones come no sooner than now. Rows and operands have no reset.

`default_nettype none

module nsu_lanes #(
  parameter int Lanes    = 8,  // physical lanes, a power of two, 1 .. 32
  parameter int TagBits  = 10, // bits of a tag, 1 .. 32
  localparam int ROW     = nsu_pkg::LINE_BITS,
  localparam int MASK    = nsu_pkg::PKT_mask_W,
  localparam int PASSES  = nsu_pkg::WARP_WIDTH / Lanes,
  localparam int SLICE   = Lanes * nsu_pkg::WORD_BITS
) (
  input  wire logic               clk_i,              // clock, rising edge
  input  wire logic               rst_ni,             // asynchronous reset, active low
  // From nsu_exec
  input  wire logic               start_valid_i,      // an instruction; taken with start_ready_o
  input  wire logic [7:0]         op_i,               // opcode, nsu_isa.def; with start_valid_i, as all below
  input  wire logic [ROW-1:0]     a_i,                // operand; thread i's word at [32 i +: 32]
  input  wire logic [ROW-1:0]     b_i,                // operand
  input  wire logic [ROW-1:0]     c_i,                // operand
  input  wire logic [ROW-1:0]     ah_i,               // high words of a, if a is a pair
  input  wire logic [ROW-1:0]     bh_i,               // high words of b, if b is a pair
  input  wire logic [ROW-1:0]     ch_i,               // high words of c, if c is a pair
  input  wire logic [TagBits-1:0] tag_i,              // carried to the write-back
  input  wire logic [MASK-1:0]    mask_i,             // threads that write
  // To nsu_exec
  output      logic               start_ready_o,      // state: a start is taken in this cycle
  output      logic               wb_valid_o,         // a row of results; there is no way to refuse it
  output      logic               wb_high_o,          // the row holds a pair's high words
  output      logic               wb_last_o,          // the instruction's last row; with wb_valid_o
  output      logic [TagBits-1:0] wb_tag_o,           // tag of the start, with wb_valid_o
  output      logic [MASK-1:0]    wb_mask_o,          // mask of the start, with wb_valid_o
  output      logic [ROW-1:0]     wb_row_o,           // results, 0 outside of the mask
  // Probes
  output      logic               probe_pass_valid_o, // a pass enters the lanes
  output      logic [4:0]         probe_pass_o,       // its number
  output      logic [7:0]         probe_op_o,         // its opcode
  output      logic               probe_res_valid_o,  // results of a pass leave the lanes
  output      logic [SLICE-1:0]   probe_res_o         // low words, lane i's at [32 i +: 32]
);

  localparam logic [4:0] LAST_PASS = 5'(PASSES - 1);
  localparam int         LATENCY   = nsu_pkg::LANE_LATENCY;

  // The instruction in the lanes. After every pass operands and mask move down by a slice of Lanes
  // words: the lanes always read the lowest slice.
  // half_q: second cycle of a pass of pairs. done: last cycle of a pass.
  logic               start, last;
  logic               pairs, half_q, issue, done;
  logic               busy_d, busy_q;
  logic [4:0]         pass_d, pass_q;
  logic [7:0]         op_q;
  logic [TagBits-1:0] tag_q;
  logic [MASK-1:0]    mask_q;
  logic [ROW-1:0]     a_q, b_q, c_q, ah_q, bh_q, ch_q;

  assign last          = pass_q == LAST_PASS;
  assign pairs         = nsu_pkg::isa_pairs(op_q) != 4'd0;
  assign issue         = busy_q && !half_q;
  assign done          = half_q || !pairs;
  assign start_ready_o = !busy_q || (last && done);
  assign start         = start_valid_i && start_ready_o;
  assign busy_d        = start || (busy_q && !(last && done));
  assign pass_d        = !busy_q ? 5'd0 : !done ? pass_q : last ? 5'd0 : pass_q + 5'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, pass_q, half_q} <= 7'd0;
    else         {busy_q, pass_q, half_q} <= {busy_d, pass_d, busy_q && !done};
  end

  // Clock-gated while idle
  always_ff @(posedge clk_i) begin
    if (start) begin
      {op_q, tag_q, mask_q} <= {op_i, tag_i, mask_i};
      {a_q, b_q, c_q}       <= {a_i, b_i, c_i};
      {ah_q, bh_q, ch_q}    <= {ah_i, bh_i, ch_i};
    end else if (busy_q && done) begin
      mask_q                <= mask_q >> Lanes;
      {a_q, b_q, c_q}       <= {a_q >> SLICE, b_q >> SLICE, c_q >> SLICE};
      {ah_q, bh_q, ch_q}    <= {ah_q >> SLICE, bh_q >> SLICE, ch_q >> SLICE};
    end
  end

  logic [Lanes-1:0] res_valid;
  logic [SLICE-1:0] res, resh;

  // All lanes work on the same instruction in step, one thread each.
  for (genvar i = 0; i < Lanes; i++) begin : g_lane
    nsu_lane u_lane (
      .clk_i, .rst_ni,
      .valid_i(issue), .op_i(op_q), .a_i(a_q[32*i +: 32]), .b_i(b_q[32*i +: 32]), .c_i(c_q[32*i +: 32]),
      .ah_i(ah_q[32*i +: 32]), .bh_i(bh_q[32*i +: 32]), .ch_i(ch_q[32*i +: 32]),
      .valid_o(res_valid[i]), .y_o(res[32*i +: 32]), .yh_o(resh[32*i +: 32])
    );
  end

  // Beside the lanes: tag, mask slice and flags of each pass, LATENCY entries, the oldest on top.
  // res_pair: two rows are written.
  localparam int CARRY = TagBits + Lanes + 2;
  logic [LATENCY*CARRY-1:0] carry_q;
  logic [TagBits-1:0]       res_tag;
  logic [Lanes-1:0]         res_mask;
  logic                     res_last, res_pair;

  logic       pair_d;
  logic [2:0] unused_operands;
  assign {unused_operands, pair_d} = nsu_pkg::isa_pairs(op_q);

  always_ff @(posedge clk_i) carry_q <= {carry_q[(LATENCY-1)*CARRY-1:0], tag_q, mask_q[Lanes-1:0], last, pair_d};

  assign {res_tag, res_mask, res_last, res_pair} = carry_q[(LATENCY-1)*CARRY +: CARRY];

  // Row and mask fill from the top: after the last pass every slice has reached its place.
  // The high words wait in a row of their own for the cycle after. wb_high_q: it is that cycle.
  logic               wb_valid_q, wb_pair_q, wb_high_q;
  logic [TagBits-1:0] wb_tag_q;
  logic [MASK-1:0]    wb_mask_d, wb_mask_q;
  logic [ROW-1:0]     row_d, row_q, rowh_d, rowh_q;
  logic [SLICE-1:0]   res_masked, resh_masked;

  always_comb begin
    for (int i = 0; i < Lanes; i++) begin
      res_masked[32*i +: 32]  = res[32*i +: 32] & {32{res_mask[i]}};
      resh_masked[32*i +: 32] = resh[32*i +: 32] & {32{res_mask[i]}};
    end
  end

  if (PASSES == 1) begin : g_one_pass
    assign {row_d, rowh_d, wb_mask_d} = {res_masked, resh_masked, res_mask};
  end else begin : g_passes
    assign row_d     = {res_masked, row_q[ROW-1:SLICE]};
    assign rowh_d    = {resh_masked, rowh_q[ROW-1:SLICE]};
    assign wb_mask_d = {res_mask, wb_mask_q[MASK-1:Lanes]};
  end

  always_ff @(posedge clk_i) begin
    if (res_valid[0]) {wb_tag_q, wb_mask_q, row_q, wb_pair_q} <= {res_tag, wb_mask_d, row_d, res_pair};
    if (res_valid[0] && res_pair) rowh_q <= rowh_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wb_valid_q, wb_high_q} <= 2'd0;
    else         {wb_valid_q, wb_high_q} <= {res_valid[0] && res_last, wb_valid_q && wb_pair_q};
  end

  assign wb_valid_o = wb_valid_q || wb_high_q;
  assign wb_high_o  = wb_high_q;
  assign wb_last_o  = wb_high_q || !wb_pair_q;
  assign wb_tag_o   = wb_tag_q;
  assign wb_mask_o  = wb_mask_q;
  assign wb_row_o   = wb_high_q ? rowh_q : row_q;

  assign probe_pass_valid_o = issue;
  assign probe_pass_o       = pass_q;
  assign probe_op_o         = op_q;
  assign probe_res_valid_o  = res_valid[0];
  assign probe_res_o        = res;

  initial if (Lanes < 1 || Lanes > 32 || (Lanes & (Lanes - 1)) != 0) $fatal(1, "Lanes: a power of two, 1 to 32");

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (res_valid == {Lanes{res_valid[0]}});                  // lanes run in step
    assert (!(wb_valid_q && wb_high_q));                          // one row a cycle
    assert (busy_q || pass_q == 5'd0);                            // passes count from 0
  end
`endif
endmodule

`default_nettype wire
