// SPDX-License-Identifier: Apache-2.0
//
// nsu_regfile_proof -- a register read has the value written last, thread by thread. The first
// requester in the order of the port file is granted, and no other.
//
// The wrapper watches any one register and one thread. Two threads are written, the last one and
// one between. A thread's word is one bit repeated.

`default_nettype none

`include "parts/sram_words.svh"

module nsu_regfile_proof #(
  parameter int NumWarps = 1
) (
  input  wire logic        clk_i,
  input  wire logic [2:0]  rd_i,              // ex, st, en ask
  input  wire logic [29:0] rd_row_i,          // of each: slot, register
  input  wire logic [1:0]  wr_i,              // ex, ld
  input  wire logic [19:0] wr_row_i,
  input  wire logic [3:0]  wr_on_i,           // threads, of each
  input  wire logic [3:0]  wr_bit_i,          // their words
  input  wire logic [9:0]  row_i,  // in the cycle of reset: the register to watch,
  input  wire logic        thread_i  // and its thread
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          st_gnt, en_gnt, ld_gnt, now, read, known, taken;
  logic [1023:0] rd_data, ex_row, ld_row;
  logic [9:0]    row, rd_row, wr_row;
  logic          thread;
  logic [1:0]    wr_on, wr_bit;
  logic [31:0]   word;

  nsu_regfile #(.NumWarps(NumWarps)) u_dut (
    .clk_i, .rst_ni (rst_n), .ex_rd_valid_i (rd_i[0]), .ex_rd_slot_i (rd_row_i[9:4]), .ex_rd_reg_i (rd_row_i[3:0]),
    .st_rd_valid_i (rd_i[1]), .st_rd_slot_i (rd_row_i[19:14]), .st_rd_reg_i (rd_row_i[13:10]), .st_rd_gnt_o (st_gnt),
    .en_rd_valid_i (rd_i[2]), .en_rd_slot_i (rd_row_i[29:24]), .en_rd_reg_i (rd_row_i[23:20]), .en_rd_gnt_o (en_gnt),
    .rd_data_o (rd_data), .ex_wr_valid_i (wr_i[0] && rst_n), .ex_wr_slot_i (wr_row_i[9:4]),
    .ex_wr_reg_i (wr_row_i[3:0]), .ex_wr_mask_i (spread(wr_on_i[1:0])), .ex_wr_row_i (ex_row),
    .ld_wr_valid_i (wr_i[1] && rst_n), .ld_wr_slot_i (wr_row_i[19:14]), .ld_wr_reg_i (wr_row_i[13:10]),
    .ld_wr_mask_i (spread(wr_on_i[3:2])), .ld_wr_row_i (ld_row), .ld_wr_gnt_o (ld_gnt)
  );

  // The two threads in a mask
  function automatic logic [31:0] spread(input logic [1:0] two);
    spread = {two[1], 17'd0, two[0], 13'd0};
  endfunction

  always_comb begin
    ex_row = '0;
    ld_row = '0;
    ex_row[13*32 +: 32] = {32{wr_bit_i[0]}};
    ex_row[31*32 +: 32] = {32{wr_bit_i[1]}};
    ld_row[13*32 +: 32] = {32{wr_bit_i[2]}};
    ld_row[31*32 +: 32] = {32{wr_bit_i[3]}};
  end

  assign rd_row  = rd_i[0] ? rd_row_i[9:0] : rd_i[1] ? rd_row_i[19:10] : rd_row_i[29:20];
  assign wr_row  = wr_i[0] ? wr_row_i[9:0] : wr_row_i[19:10];
  assign wr_on   = wr_i[0] ? wr_on_i[1:0] : wr_on_i[3:2];
  assign wr_bit  = wr_i[0] ? wr_bit_i[1:0] : wr_bit_i[3:2];
  assign word    = thread ? rd_data[31*32 +: 32] : rd_data[13*32 +: 32];

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      row    <= row_i;
      thread <= thread_i;
      now    <= 1'b0;
      known  <= 1'b0;
      taken  <= 1'b0;
    end else begin
      if (wr_i != '0 && wr_row == row && wr_on[thread]) now <= wr_bit[thread];
      if (rd_i != '0) begin
        known <= rd_row == row;
        read  <= now;
        taken <= rd_i[2:0] == 3'b100 && wr_i != '0 && wr_row == rd_row;
      end
    end
  end

  always_comb if (rst_n) begin
    // Rule 6: slots are in range; the watched one is a choice of the proof.
    assume (32'(rd_row_i[9:4]) < NumWarps && 32'(rd_row_i[19:14]) < NumWarps && 32'(rd_row_i[29:24]) < NumWarps);
    assume (32'(wr_row_i[9:4]) < NumWarps && 32'(wr_row_i[19:14]) < NumWarps && 32'(row[9:4]) < NumWarps);
    // Rule 1.
    first_reads:  assert (st_gnt == (rd_i[1:0] == 2'b10) && en_gnt == (rd_i == 3'b100));
    // Rule 3.
    first_writes: assert (ld_gnt == (wr_i == 2'b10));
    // Rules 2 to 4: the watched register's word, the old one if it is written in the same cycle.
    reads_back:   assert (!known || word == {32{read}});
    // Such a read gives the old word.
    old_row:      cover (known && taken && read && !now);
  end
endmodule

`default_nettype wire
