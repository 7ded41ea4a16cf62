// SPDX-License-Identifier: Apache-2.0
//
// nsu_endu_proof -- an END becomes one acknowledgement: a beat for each register of its list, in
// order, at least one beat. A beat has the register's words of the threads that are on. The credits
// go with the first beat and are taken with it. The END is done with the last beat.
//
// A register's row is one bit repeated in each word; three threads can be on.

`default_nettype none

`include "nsu_types.svh"

module nsu_endu_proof (
  input  wire logic        clk_i,
  input  wire logic        go_i,
  input  wire logic [63:0] instr_i,
  input  wire logic [25:0] id_i,              // slot, sm, warp, seq
  input  wire logic [2:0]  on_i,              // threads
  input  wire logic        rf_gnt_i,
  input  wire logic [2:0]  words_i,           // the three threads' words
  input  wire logic [27:0] cr_i,              // cmd, rd, wr
  input  wire logic        ack_ready_i
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          ready, rf_valid, cr_take, ack_valid, done;
  logic [5:0]    rf_slot, done_slot;
  logic [3:0]    rf_reg;
  pkt_hdr_t      hdr, want;
  logic [1023:0] row, data, want_data;
  logic [3:0]    stack_id;

  logic          busy, comes, held;  // comes: the row is on rf_rd_data; held: a beat waits
  logic [2:0]    beat, count, on, words;
  logic [27:0]   list;
  logic [25:0]   id;
  logic          last;

  nsu_endu u_dut (
    .clk_i, .rst_ni (rst_n), .stack_id_i (stack_id), .go_i, .go_instr_i (instr_i), .go_slot_i (id_i[25:20]),
    .go_sm_i (id_i[19:12]), .go_warp_i (id_i[11:6]), .go_seq_i (id_i[5:0]), .go_mask_i (spread(on_i)), .ready_o (ready),
    .rf_rd_valid_o (rf_valid), .rf_rd_slot_o (rf_slot), .rf_rd_reg_o (rf_reg), .rf_rd_gnt_i (rf_gnt_i),
    .rf_rd_data_i (row), .cr_cmd_i (cr_i[27:20]), .cr_rd_i (cr_i[19:10]), .cr_wr_i (cr_i[9:0]), .cr_take_o (cr_take),
    .ack_valid_o (ack_valid), .ack_hdr_o (hdr), .ack_data_o (data), .ack_ready_i, .done_o (done),
    .done_slot_o (done_slot)
  );

  // The three threads in a mask
  function automatic logic [31:0] spread(input logic [2:0] three);
    spread = {three[2], 17'd0, three[1], 12'd0, three[0]};
  endfunction

  assign stack_id = 4'd9;
  always_comb begin
    row       = {1024{words_i[1]}};  // threads that are off have words, too
    row[31:0] = {32{words_i[0]}};
    row[1023:992] = {32{words_i[2]}};
    want_data = '0;
    want_data[31:0]         = {32{words[0]}};
    want_data[13*32 +: 32]  = {32{words[1]}};
    want_data[1023:992]     = {32{words[2]}};
    want        = '0;
    want.ptype  = nsu_pkg::PKT_OFLD_ACK;
    want.src    = stack_id;
    want.target = stack_id;
    want.dst    = 4'd15;
    {want.slot, want.sm, want.warp, want.seq} = id;
    want.mask   = spread(on);
    want.lmask  = spread(on);
    want.count  = count;
    want.beat   = beat;
    if (beat == '0) {want.cr_cmd, want.cr_rd, want.cr_wr} = cr_i;
  end

  assign last = count == '0 || beat == count - 3'd1;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    comes <= rst_n && rf_valid && rf_gnt_i;
    if (!rst_n) begin
      busy <= 1'b0;
      held <= 1'b0;
    end else begin
      if (comes) begin
        held  <= 1'b1;
        words <= words_i & on;
      end
      if (ack_valid && ack_ready_i) begin
        held <= 1'b0;
        beat <= beat + 3'd1;
        if (last) busy <= 1'b0;
      end
      if (go_i) begin
        busy  <= 1'b1;
        held  <= instr_i[30:28] == '0;
        beat  <= '0;
        words <= '0;
        count <= instr_i[30:28];
        list  <= instr_i[27:0];
        id    <= id_i;
        on    <= on_i;
      end
    end
  end

  always_comb if (rst_n) begin
    // Rule 1: nsu_warps issues only to a ready unit.
    assume (!go_i || ready);
    // nsu_regfile grants only requests.
    assume (!rf_gnt_i || rf_valid);
    // Rules 1 and 8.
    idle:       assert (ready == !busy);
    // Rules 3 and 4: registers are read in order, the next after the beat before.
    in_order:   assert (rf_valid == (busy && !comes && !held) && (!rf_valid ||
        (rf_slot == id[25:20] && rf_reg == 4'(list >> {beat, 2'd0}))));
    // Rules 2 and 4.
    a_beat:     assert (ack_valid == (busy && held));
    // Rule 5.
    its_header: assert (!ack_valid || hdr == want);
    // Rule 6.
    its_words:  assert (!ack_valid || data == want_data);
    // Rule 7.
    credits:    assert (cr_take == (ack_valid && ack_ready_i && beat == '0));
    // Rule 8.
    done_last:  assert (done == (ack_valid && ack_ready_i && last) && (!done || done_slot == id[25:20]));
    // Three registers.
    three:      cover (done && count == 3'd3 && words == 3'b101);
  end
endmodule

`default_nettype wire
