// SPDX-License-Identifier: Apache-2.0
// nsu_lanes -- the lane array: a warp's instruction in P = 32 / Lanes passes, results gathered to a row.
//
// A start (start_valid_i and start_ready_o) in cycle f registers its operands; pass p feeds threads p Lanes ..
// p Lanes + Lanes - 1 in cycle f+1+p; its results leave the lanes four cycles later and are in the row one cycle after
// that. wb_valid_o in cycle f+P+5 shows tag, mask and row; words outside the mask are zero. start_ready_o when no pass
// remains after this cycle's, so passes of successive starts run back to back. Rows and operands have no reset.
//
// An instruction of pairs (nsu_pkg::isa_pairs) takes two cycles a pass, pass p in cycle f+1+2p. Its row of low words is written
// back in cycle f+2P+4; if its result is a pair, that of high words follows in the next cycle (wb_high_o), when nothing else
// can: its lanes' results came two cycles before, and the next ones come no sooner than now.

`default_nettype none

module nsu_lanes #(
  parameter int Lanes    = 8,                // physical lanes, a power of two, 1 .. 32
  parameter int TagBits  = 10,               // carried from start to write-back
  localparam int ROW     = nsu_pkg::LINE_BITS,
  localparam int MASK    = nsu_pkg::PKT_mask_W,
  localparam int PASSES  = nsu_pkg::WARP_WIDTH / Lanes,
  localparam int SLICE   = Lanes * nsu_pkg::WORD_BITS
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  // From nsu_exec
  input  wire logic               start_valid_i,
  input  wire logic [7:0]         op_i,
  input  wire logic [ROW-1:0]     a_i,       // thread i's word at [32 i +: 32]
  input  wire logic [ROW-1:0]     b_i,
  input  wire logic [ROW-1:0]     c_i,
  input  wire logic [ROW-1:0]     ah_i,      // high words of pairs
  input  wire logic [ROW-1:0]     bh_i,
  input  wire logic [ROW-1:0]     ch_i,
  input  wire logic [TagBits-1:0] tag_i,
  input  wire logic [MASK-1:0]    mask_i,
  // To nsu_exec
  output      logic               start_ready_o,
  output      logic               wb_valid_o,
  output      logic               wb_high_o, // the second row of a pair
  output      logic               wb_last_o, // its instruction's last row
  output      logic [TagBits-1:0] wb_tag_o,
  output      logic [MASK-1:0]    wb_mask_o,
  output      logic [ROW-1:0]     wb_row_o,
  // Probes
  output      logic               probe_pass_valid_o,
  output      logic [4:0]         probe_pass_o,
  output      logic [7:0]         probe_op_o,
  output      logic               probe_res_valid_o,
  output      logic [SLICE-1:0]   probe_res_o
);

  localparam logic [4:0] LAST_PASS = 5'(PASSES - 1);
  localparam int         LATENCY   = nsu_pkg::LANE_LATENCY;

  // The instruction in the lanes: operands and mask move down a slice with every pass.
  logic               start, last;
  logic               pairs, half_q, issue, done;   // half: the second cycle of a pass; done: it is the pass's last
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

  always_ff @(posedge clk_i) begin           // clock-gated while idle
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

  for (genvar i = 0; i < Lanes; i++) begin : g_lane
    nsu_lane u_lane (
      .clk_i, .rst_ni,
      .valid_i(issue), .op_i(op_q), .a_i(a_q[32*i +: 32]), .b_i(b_q[32*i +: 32]), .c_i(c_q[32*i +: 32]),
      .ah_i(ah_q[32*i +: 32]), .bh_i(bh_q[32*i +: 32]), .ch_i(ch_q[32*i +: 32]),
      .valid_o(res_valid[i]), .y_o(res[32*i +: 32]), .yh_o(resh[32*i +: 32])
    );
  end

  // What a pass carries beside the lanes; the oldest on top.
  localparam int CARRY = TagBits + Lanes + 2;
  logic [LATENCY*CARRY-1:0] carry_q;
  logic [TagBits-1:0]       res_tag;
  logic [Lanes-1:0]         res_mask;
  logic                     res_last, res_pair;      // pair: of which two rows are written

  logic       pair_d;
  logic [2:0] unused_operands;
  assign {unused_operands, pair_d} = nsu_pkg::isa_pairs(op_q);

  always_ff @(posedge clk_i) carry_q <= {carry_q[(LATENCY-1)*CARRY-1:0], tag_q, mask_q[Lanes-1:0], last, pair_d};

  assign {res_tag, res_mask, res_last, res_pair} = carry_q[(LATENCY-1)*CARRY +: CARRY];

  // Row and mask fill from the top: after the last pass every slice has reached its place.
  logic               wb_valid_q, wb_pair_q, wb_high_q;   // high: the second row, in the cycle after
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
