// SPDX-License-Identifier: Apache-2.0
//
// lsu_proof -- exactly one transfer serves each thread of a load or store, and no number is given
// twice. An instruction ends once, after all its answers, and none is lost.
//
// Three threads (0, 1, 31) are free, with two cores, units, transfers and places in them each.
// There is no offloading, which needs all 32 threads. Takes, rows and answers come at any time,
// also answers to no request. The wrapper watches any one instruction; no other one has its tag.

`default_nettype none

module lsu_proof #(
  parameter int Entries = 2,
  parameter int Reqs    = 2
) (
  input  wire logic        clk_i,
  input  wire logic        in_valid_i,
  input  wire logic        in_store_i,
  input  wire logic [1:0]  in_tag_i,
  input  wire logic        in_wide_i,         // eight bytes, else four
  input  wire logic [2:0]  in_mask_i,
  input  wire logic [11:0] in_addr_i,         // core, unit, transfer, place of each thread
  input  wire logic        dt_valid_i,
  input  wire logic        dn_take_i,
  input  wire logic        rq_take_i,
  input  wire logic        rs_valid_i,
  input  wire logic        rs_write_i,
  input  wire logic [2:0]  rs_id_i,
  input  wire logic        rr_valid_i,
  input  wire logic        rr_write_i,
  input  wire logic [2:0]  rr_id_i,
  input  wire logic        watch_i            // watch the instruction that comes, if none is
);

  localparam logic [1:0] MINE = 2'd3;         // tag of the watched instruction

  logic            rst_n = 1'b0;              // low in the first cycle only
  logic            in_ready, need_data, dn_valid, rq_valid, rq_write, cm_valid, probe_offload;
  logic [5:0]      need_warp;
  logic [7:0]      need_reg, rq_id, cm_tag;
  logic [63:0]     dn_hdr;
  logic [31:0]     dn_mask, rq_mask;
  logic [1023:0]   dn_data;
  logic [6:0]      rq_core;
  logic [1:0]      rq_nbu, err;
  logic [25:0]     rq_addr;
  logic [255:0]    rq_data;
  logic [8:0]      probe_reqs;

  logic            accept, is_row, is_local, shown, taken, over, first_hits, rs_hit, rr_hit, ends, silent_dn, silent_rq;
  logic [2:0]      left, served, at_line, line_t; // threads not yet served, in the transfer that is shown
  logic [11:0]     addr;
  logic [2:0]      line;                      // of the transfer: core, unit, transfer
  logic [7:0]      id, dn_id_q, rq_id_q;
  logic [Reqs-1:0] used, mine;                // numbers in use; of them the watched instruction's
  logic [4:0]      under_way;                 // instructions
  logic            working, watching, mine_works, false_answer, wide, mixed;
  logic [1:0]      quiet;
  logic [8:0]      num_used;

  lsu #(.Entries(Entries), .Reqs(Reqs)) u_dut (
    .clk_i, .rst_ni (rst_n), .core_id_i (7'd1), .subcore_id_i (2'd0), .nbu_id_i (2'd0), .no_offload_i (1'b1),
    .in_valid_i, .in_store_i, .in_warp_i (6'd0), .in_reg_i (8'd0), .in_tag_i ({6'd0, in_tag_i}),
    .in_size_i ({1'b1, in_wide_i}), .in_sign_i (1'b0), .in_mask_i ({in_mask_i[2], 29'd0, in_mask_i[1:0]}),
    .in_addr_i ({place(in_addr_i[11:8]), 1015'd0, place(in_addr_i[7:4]), place(in_addr_i[3:0])}),
    .in_ready_o (in_ready), .need_data_o (need_data), .need_warp_o (need_warp), .need_reg_o (need_reg), .dt_valid_i,
    .dt_data_i (1024'd0), .dn_valid_o (dn_valid), .dn_hdr_o (dn_hdr), .dn_mask_o (dn_mask), .dn_data_o (dn_data),
    .dn_take_i, .rq_valid_o (rq_valid), .rq_write_o (rq_write), .rq_core_o (rq_core), .rq_nbu_o (rq_nbu),
    .rq_addr_o (rq_addr), .rq_id_o (rq_id), .rq_mask_o (rq_mask), .rq_data_o (rq_data), .rq_take_i, .rs_valid_i,
    .rs_write_i, .rs_id_i ({5'd0, rs_id_i}), .rs_data_i (256'd0), .rr_valid_i, .rr_write_i, .rr_id_i ({5'd0, rr_id_i}),
    .rr_data_i (256'd0), .cm_valid_o (cm_valid), .cm_tag_o (cm_tag), .err_o (err), .probe_offload_o (probe_offload),
    .probe_reqs_o (probe_reqs)
  );

  // A machine address: core 0 or 1, unit 0 or 1, transfer 0 or 1, byte 0 or 16 of it
  function automatic logic [34:0] place(input logic [3:0] x);
    place = {6'd0, x[3], 1'b0, x[2], 20'd0, x[1], x[0], 4'd0};
  endfunction

  // Messages down: a REGW is a row, another one a transfer of this core. rq_
  // is a transfer of another core.
  assign accept   = in_valid_i && in_ready;
  assign is_row   = dn_valid && dn_hdr[3:0] == lsu_pkg::MSG_REGW;
  assign is_local = dn_valid && !is_row;
  assign shown    = is_local || rq_valid;
  assign taken    = (is_local && dn_take_i) || (rq_valid && rq_take_i);
  assign id       = rq_valid ? rq_id : dn_hdr[63:56];
  assign line     = rq_valid ? {rq_core[0], rq_nbu[0], rq_addr[5]} : {1'b1, dn_hdr[4], dn_hdr[35]};
  assign ends     = is_row && dn_take_i && dn_hdr[22] == 1'b0;
  assign rs_hit   = rs_valid_i && 32'(rs_id_i) < Reqs && ((used >> rs_id_i) & 1'b1) != '0;
  assign rr_hit   = rr_valid_i && 32'(rr_id_i) < Reqs && ((used >> rr_id_i) & 1'b1) != '0 &&
                    !(rs_valid_i && rs_id_i == rr_id_i);

  always_comb begin
    // Threads whose address is in the transfer that is shown.
    line_t = '0;
    for (int i = 0; i < 3; i++) begin
      line_t     = addr[i*4+1 +: 3];
      at_line[i] = line_t == line;
    end
    served     = left & at_line;
    first_hits = left[0] ? at_line[0] : left[1] ? at_line[1] : at_line[2];
    over       = taken && (left & ~served) == '0;
    num_used   = '0;
    for (int i = 0; i < Reqs; i++) num_used = num_used + 9'(used[i]);
  end

  // Threads left, numbers in use, and instructions under way, counted by the wrapper.
  always @(posedge clk_i) begin
    rst_n        <= 1'b1;
    silent_dn    <= rst_n && dn_valid && !dn_take_i;
    silent_rq    <= rst_n && rq_valid && !rq_take_i;
    dn_id_q      <= dn_hdr[63:56];
    rq_id_q      <= rq_id;
    false_answer <= rst_n && ((rs_valid_i && !rs_hit) || (rr_valid_i && !rr_hit));
    if (!rst_n) begin
      left       <= '0;
      used       <= '0;
      mine       <= '0;
      under_way  <= '0;
      working    <= 1'b0;
      watching   <= 1'b0;
      mine_works <= 1'b0;
      quiet      <= '0;
      mixed      <= 1'b0;
    end else begin
      if (taken) left <= left & ~served;
      if (over) {working, mine_works} <= '0;
      used      <= (used & ~(Reqs'(rs_hit) << rs_id_i) & ~(Reqs'(rr_hit) << rr_id_i)) | (Reqs'(taken) << id);
      mine      <= (mine & ~(Reqs'(rs_hit) << rs_id_i) & ~(Reqs'(rr_hit) << rr_id_i)) |
                   (Reqs'(taken && mine_works) << id);
      under_way <= under_way + 5'(accept) - 5'(cm_valid) - 5'(ends);
      // Cycles without any work: three in a row mean that nothing is under way.
      quiet     <= accept || working || used != '0 || dn_valid || cm_valid ? '0 : quiet == 2'd3 ? quiet : quiet + 2'd1;
      mixed     <= (mixed && watching) || (mine_works && working && mine != '0 && rs_hit);
      if (watching && ((cm_valid && cm_tag[1:0] == MINE) || (ends && dn_hdr[57:56] == MINE))) watching <= 1'b0;
      if (accept) begin
        left    <= in_mask_i;
        addr    <= in_addr_i;
        working <= in_mask_i != '0;
        if (watch_i && !watching) begin
          watching   <= 1'b1;
          mine_works <= in_mask_i != '0;
          wide       <= in_wide_i && !in_store_i && &in_mask_i;
          mixed      <= 1'b0;
        end
      end
    end
  end

  always_comb if (rst_n) begin
    // Tags are the front end's: only the watched instruction has tag MINE.
    assume (!accept || (in_tag_i == MINE) == (watch_i && !watching));
    // Rule 6: the lowest thread left names the transfer that is shown.
    lowest_next: assert (!shown || (left != '0 && first_hits));
    // Rules 6 and 8: the next instruction is accepted when all threads are served.
    all_served:  assert (!in_ready || left == '0);
    // Rule 7: a transfer is shown with a free number.
    one_number:  assert (!shown || (32'(id) < Reqs && ((used >> id) & 1'b1) == '0));
    // The probe counts numbers in use.
    counted:     assert (probe_reqs == num_used);
    // Rules 10 to 12: no commit and no REGW before all transfers are taken and answered.
    when_done:   assert (!watching || (mine == '0 && !mine_works)
                         || (!(cm_valid && cm_tag[1:0] == MINE) && !(is_row && dn_hdr[57:56] == MINE)));
    // Rules 11 to 13: an instruction ends once.
    ends_once:   assert (under_way >= 5'(cm_valid) + 5'(ends) && 32'(under_way) <= Entries + 1);
    // When nothing moves for a while, no instruction is under way.
    none_lost:   assert (quiet != 2'd3 || under_way == '0);
    // Rules 3 and 8: what is shown stays until it is taken.
    stays:       assert ((!silent_dn || (dn_valid && dn_hdr[63:56] == dn_id_q)) &&
                         (!silent_rq || (rq_valid && rq_id == rq_id_q)));
    // Rule 9: an answer to a number not in use.
    flagged:     assert (err[0] == false_answer);
    // A load of eight bytes ends, with answers before its last take,
    // while another one is under way.
    wide_load:   cover (watching && wide && mixed && ends && dn_hdr[57:56] == MINE && under_way == 5'd2);
  end
endmodule

`default_nettype wire
