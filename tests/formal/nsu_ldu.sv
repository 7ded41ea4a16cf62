// SPDX-License-Identifier: Apache-2.0
//
// nsu_ldu_proof -- each instruction writes just its registers, each once, with its own words,
// extended as its opcode says. OFLD.BEG frees its command's entry once, with the last register. An
// instruction is done once or has missed once, and the next one comes no earlier.
//
// In each byte of the watched thread's word the highest bit is free, and the other seven are one
// free bit. All other threads have the opposite word.

`default_nettype none

module nsu_ldu_proof (
  input  wire logic        clk_i,
  input  wire logic        go_i,
  input  wire logic [2:0]  what_i,            // which of the eight instructions
  input  wire logic [31:0] imm_i,
  input  wire logic [3:0]  rd_i,
  input  wire logic [11:0] slot_idx_i,
  input  wire logic [63:0] masks_i,  // of the warp, of the read data
  input  wire logic [39:0] cbase_i,
  // of each of the watched word's bytes the highest bit and the others: read data,
  input  wire logic [7:0]  row_i,
  input  wire logic [7:0]  cb_row_i,          // command
  input  wire logic        cc_hit_i,
  input  wire logic [31:0] cc_data_i,
  input  wire logic        rf_gnt_i,
  input  wire logic [4:0]  thread_i           // in the cycle of reset: the thread that is watched
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          ready, cb_rd, cb_free, cc_req, wr_valid, done, miss;
  logic [5:0]    cb_idx, cb_free_idx, wr_slot, done_slot, miss_slot;
  logic [2:0]    cb_beat;
  logic [39:0]   cc_addr;
  logic [3:0]    wr_reg;
  logic [31:0]   wr_mask;
  logic [1023:0] wr_row, rd_row, cb_row;
  logic [7:0]    opcode, op;

  logic          busy, beg, ldc, ld, asked;  // asked: the source has been asked for what is written
  logic [5:0]    slot, idx;
  logic [31:0]   imm, mask, word, want, from_rd, from_cb;
  logic [3:0]    rd, beat, count;
  logic [39:0]   cbase;
  logic [4:0]    thread;
  logic          last, ends;

  nsu_ldu u_dut (
    .clk_i, .rst_ni (rst_n), .go_i, .go_instr_i ({opcode, rd_i, 20'd0, imm_i}), .go_slot_i (slot_idx_i[11:6]),
    .go_mask_i (masks_i[31:0]), .go_cbase_i (cbase_i), .go_idx_i (slot_idx_i[5:0]), .ready_o (ready),
    .rd_row_i (rd_row), .rd_mask_i (masks_i[63:32]), .cb_rd_o (cb_rd), .cb_idx_o (cb_idx), .cb_beat_o (cb_beat),
    .cb_data_i (cb_row), .cb_free_o (cb_free), .cb_free_idx_o (cb_free_idx), .cc_req_o (cc_req), .cc_addr_o (cc_addr),
    .cc_hit_i, .cc_data_i, .rf_wr_valid_o (wr_valid), .rf_wr_slot_o (wr_slot), .rf_wr_reg_o (wr_reg),
    .rf_wr_mask_o (wr_mask), .rf_wr_row_o (wr_row), .rf_wr_gnt_i (rf_gnt_i), .done_o (done), .done_slot_o (done_slot),
    .miss_o (miss), .miss_slot_o (miss_slot)
  );

  always_comb begin
    case (what_i)
      3'd0:    opcode = nsu_pkg::OP_OFLD_BEG;
      3'd1:    opcode = nsu_pkg::OP_LD;
      3'd2:    opcode = nsu_pkg::OP_LD_U8;
      3'd3:    opcode = nsu_pkg::OP_LD_S8;
      3'd4:    opcode = nsu_pkg::OP_LD_U16;
      3'd5:    opcode = nsu_pkg::OP_LD_S16;
      default: opcode = nsu_pkg::OP_LDC;
    endcase
    for (int i = 0; i < 4; i++) begin
      from_rd[i*8 +: 8] = {row_i[2*i+1], {7{row_i[2*i]}}};
      from_cb[i*8 +: 8] = {cb_row_i[2*i+1], {7{cb_row_i[2*i]}}};
    end
    for (int i = 0; i < 32; i++) begin                               // all others differ from the watched one
      rd_row[i*32 +: 32] = 32'(i) == 32'(thread) ? from_rd : ~from_rd;
      cb_row[i*32 +: 32] = 32'(i) == 32'(thread) ? from_cb : ~from_cb;
    end
    word = 32'(wr_row >> {thread, 5'd0});
    case (op)
      nsu_pkg::OP_OFLD_BEG: want = from_cb;
      nsu_pkg::OP_LD_U8:    want = {24'd0, from_rd[7:0]};
      nsu_pkg::OP_LD_S8:    want = {{24{from_rd[7]}}, from_rd[7:0]};
      nsu_pkg::OP_LD_U16:   want = {16'd0, from_rd[15:0]};
      nsu_pkg::OP_LD_S16:   want = {{16{from_rd[15]}}, from_rd[15:0]};
      nsu_pkg::OP_LDC:      want = cc_data_i;
      default:              want = from_rd;
    endcase
  end

  assign beg   = op == nsu_pkg::OP_OFLD_BEG;
  assign ldc   = op == nsu_pkg::OP_LDC;
  assign ld    = !beg && !ldc;
  assign count = imm[31:28];
  assign last  = !beg || beat + 4'd1 >= count;
  assign ends  = busy && (beg && count == '0 ? 1'b1 : wr_valid && rf_gnt_i && last);

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      busy   <= 1'b0;
      thread <= thread_i;
    end else begin
      asked <= cb_rd || cc_req || (asked && !(wr_valid && rf_gnt_i));
      if (wr_valid && rf_gnt_i) beat <= beat + 4'd1;
      if (done || miss) busy <= 1'b0;
      if (go_i) begin
        busy  <= 1'b1;
        asked <= 1'b0;
        beat  <= '0;
        op    <= opcode;
        imm   <= imm_i;
        rd    <= rd_i;
        cbase <= cbase_i;
        {slot, idx} <= slot_idx_i;
        mask  <= masks_i[31:0];
      end
    end
  end

  always_comb if (rst_n) begin
    // Rule 1: nsu_warps issues only to a ready unit.
    assume (!go_i || ready);
    // nsu_regfile grants only requests.
    assume (!rf_gnt_i || wr_valid);
    // nsu_decode lets only lists of up to 7 registers pass.
    assume (what_i != 3'd0 || imm_i[31:28] <= 4'd7);
    // Rule 1.
    idle:       assert (ready == (!busy || done || miss));
    // Rules 5, 6 and 8: the command buffer and the constant cache are asked once.
    asks:       assert (cb_rd == (busy && beg && count != '0 && !asked) && cc_req == (busy && ldc && !asked) &&
                        (!cb_rd || (cb_idx == idx && 4'(cb_beat) == beat)) && (!cc_req || cc_addr == cbase + 40'(imm)));
    // Rules 2, 5 and 9.
    writes:     assert (wr_valid == (busy && (ld || (asked && (beg || cc_hit_i)))));
    // Rules 2, 5 and 9: slot, register, mask.
    its_reg:    assert (!wr_valid || (wr_slot == slot && wr_mask == (ld ? masks_i[63:32] : mask) &&
                                      wr_reg == (beg ? 4'(imm >> {beat, 2'd0}) : rd)));
    // Rules 2, 5 and 9: the words.
    its_word:   assert (!wr_valid || word == want);
    // Rules 3, 4, 6 and 9.
    done_once:  assert (done == ends && (!done || (done_slot == slot)));
    // Rules 4, 6 and 7.
    frees:      assert (cb_free == (done && beg) && (!cb_free || cb_free_idx == idx));
    // Rule 10.
    missed:     assert (miss == (busy && ldc && asked && !cc_hit_i) && (!miss || miss_slot == slot));
    // A BEG of two registers ends.
    two:        cover (done && beg && count == 4'd2 && beat == 4'd1 && word[31:30] == 2'b10);
  end
endmodule

`default_nettype wire
