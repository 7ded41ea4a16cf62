// SPDX-License-Identifier: Apache-2.0
//
// lsu_smem_proof -- every thread that may be served is served once a half, in the passes of rule 6.
// A load's register gets its words. A store's bytes go to their words, the highest thread's where
// two threads want one byte. A message is done once, after all of it.
//
// A message stays until it is taken (lsu_smem.env.sv). The wrapper keeps the threads left and the
// words they need for all threads. It watches any one thread's word and any one bank's bytes. Its
// registers go through the block's stages, so that abc merges them and proofs end. The cycles
// themselves are checked in lockstep with the model, which is written from the port file.

`include "lsu_smem.env.sv"

`default_nettype none

module lsu_smem_proof #(
  parameter int Threads   = 4,
  parameter int SmemBytes = 128
) (
  input  wire logic                  clk_i,
  input  wire logic                  begin_i,             // a message comes
  input  wire logic [63:0]           hdr_i,
  input  wire logic [63:0]           ctl_i,
  input  wire logic                  rf_gnt_i,
  input  wire logic [32*Threads-1:0] rf_data_i,
  input  wire logic                  sm_gnt_i,
  input  wire logic [32*Threads-1:0] sm_rdata_i,
  input  wire logic                  rw_gnt_i,
  // in the cycle of reset: the thread and the bank that are watched
  input  wire logic [4:0]            thread_i,
  input  wire logic [4:0]            bank_i
);

  localparam int BankBits = $clog2(Threads);
  localparam int WordBits = BankBits + 9;  // bits of a word's address

  logic                  rst_n = 1'b0;                    // low in the first cycle only
  logic                  valid, take, rf_req, sm_req, sm_we, rw_valid, done, err;
  logic [63:0]           hdr, ctl;
  logic [5:0]            rf_warp, rw_warp;
  logic [7:0]            rf_reg, rw_reg, done_id;
  logic [Threads-1:0]    sm_banks, rw_mask;
  logic [9*Threads-1:0]  sm_row;
  logic [32*Threads-1:0] sm_wdata, rw_data;
  logic [4*Threads-1:0]  sm_wmask;

  // Grants come only for requests, and a message only when none is there. Messages are LDS or STS.
  logic                  begins, rf_gnt, sm_gnt, rw_gnt;

  assign begins = begin_i && !valid;
  assign rf_gnt = rf_gnt_i && rf_req;
  assign sm_gnt = sm_gnt_i && sm_req;
  assign rw_gnt = rw_gnt_i && rw_valid;

  lsu_smem #(.Threads(Threads), .SmemBytes(SmemBytes)) u_dut (
    .clk_i, .rst_ni (rst_n), .s_valid_i (valid), .s_hdr_i (hdr), .s_ctl_i (ctl), .s_take_o (take),
    .rf_req_o (rf_req), .rf_warp_o (rf_warp), .rf_reg_o (rf_reg), .rf_gnt_i (rf_gnt), .rf_data_i,
    .sm_req_o (sm_req), .sm_we_o (sm_we), .sm_banks_o (sm_banks), .sm_row_o (sm_row), .sm_wdata_o (sm_wdata),
    .sm_wmask_o (sm_wmask), .sm_gnt_i (sm_gnt), .sm_rdata_i,
    .rw_valid_o (rw_valid), .rw_warp_o (rw_warp), .rw_reg_o (rw_reg), .rw_mask_o (rw_mask), .rw_data_o (rw_data),
    .rw_gnt_i (rw_gnt), .done_o (done), .done_id_o (done_id), .err_o (err)
  );

  lsu_smem_env u_env (.clk_i, .rst_ni (rst_n), .s_valid_i (valid), .s_hdr_i (hdr), .s_ctl_i (ctl), .s_take_o (take));

  // The message's stage: registers are read, threads served, the last words awaited, registers
  // written; over.
  localparam logic [2:0] READS = 3'd0, SERVES = 3'd1, WAITS = 3'd2, WRITES = 3'd3, ENDS = 3'd4;
  logic [2:0]            stage;

  // The message's fields.
  logic                  store, eight;
  logic [1:0]            size, rows;
  logic [Threads-1:0]    mask;
  logic [7:0]            data_reg;

  assign store    = hdr[lsu_pkg::TYPE_LSB +: 4] == lsu_pkg::MSG_STS;
  assign size     = hdr[lsu_pkg::SIZE_LSB +: 2];
  assign eight    = size == 2'd3;
  assign rows     = !store ? 2'd1 : eight ? 2'd3 : 2'd2;
  assign mask     = ctl[Threads-1:0];
  assign data_reg = hdr[lsu_pkg::REG_LSB +: 8];

  // Its register rows, as they come.
  logic [1:0]            asked;
  logic                  comes;
  logic [32*Threads-1:0] row, low, high;

  // Threads with a legal address (rule 4); those left in this half, the words that they need, and
  // the pass (rule 6).
  logic [32*Threads-1:0] addr;
  logic [Threads-1:0]    fits, left, left_q, pass;
  logic                  first, half, passing, needs;     // first: the first pass could start; needs: the bank
  logic [BankBits-1:0]   bank, thread;                    // watched
  logic [WordBits-1:0]   word [Threads];
  logic [WordBits-1:0]   first_word;                      // that of the lowest thread left that needs the bank

  always_comb begin
    for (int t = 0; t < Threads; t++) begin
      // Rule 4: address plus offset; legal if it is in the memory and aligned.
      addr[t*32 +: 32] = row[t*32 +: 32] + {{15{ctl[48]}}, ctl[48:32]};
      fits[t] = mask[t] && addr[t*32 +: 32] < 32'(SmemBytes) && (addr[t*32 +: 3] & 3'((4'd1 << size) - 4'd1)) == '0;
      word[t] = addr[t*32+2 +: WordBits] | WordBits'(half);
    end
    left    = first ? fits : left_q;
    passing = stage == SERVES && left != '0;
    needs   = 1'b0;
    pass    = '0;
    // Rule 6: each bank serves the word of the lowest thread left that needs it.
    for (int t = 0; t < Threads; t++) begin
      first_word = '0;
      for (int u = Threads - 1; u >= 0; u--) if (left[u] && word[u][BankBits-1:0] == word[t][BankBits-1:0])
        first_word = word[u];
      pass[t] = left[t] && word[t] == first_word;
    end
    first_word = '0;
    for (int t = Threads - 1; t >= 0; t--) if (left[t] && word[t][BankBits-1:0] == bank) first_word = word[t];
    for (int t = 0; t < Threads; t++) if (left[t] && word[t][BankBits-1:0] == bank) needs = 1'b1;
  end

  // The watched bank's bytes: of two threads the higher one's (rule 8).
  logic [31:0]           wanted;
  logic [3:0]            written;

  always_comb begin
    wanted  = '0;
    written = '0;
    for (int t = 0; t < Threads; t++) begin
      if (store && pass[t] && word[t][BankBits-1:0] == bank) begin
        for (int y = 0; y < 4; y++) begin
          if (y >= 32'(addr[t*32 +: 2]) && (size >= 2'd2 || y < 32'(addr[t*32 +: 2]) + (1 << size))) begin
            written[y]       = 1'b1;
            wanted[y*8 +: 8] = half ? high[t*32 + (y - 32'(addr[t*32 +: 2]))*8 +: 8]
                               : low[t*32 + (y - 32'(addr[t*32 +: 2]))*8 +: 8];
          end
        end
      end
    end
  end

  // A load's end: words come, the registers are written, then done (rules 7, 9, 10).
  logic [Threads-1:0]    hit;                             // threads whose words come in this cycle
  logic                  hit_half, upper;                 // for which half; the second register is written
  logic [32*Threads-1:0] loaded_low, loaded_high;
  logic [31:0]           bytes;
  // a thread was left out, in the cycle after the first pass could start
  logic                  wrong;

  always @(posedge clk_i) begin
    if (stage == READS) begin
      loaded_low  <= '0;
      loaded_high <= '0;
    end
    for (int t = 0; t < Threads; t++) begin
      bytes = sm_rdata_i[{addr[t*32+2 +: BankBits] | BankBits'(hit_half), 5'd0} +: 32] >> {addr[t*32 +: 2], 3'd0};
      if (size == 2'd0) bytes = {{24{ctl[49] && bytes[7]}}, bytes[7:0]};
      if (size == 2'd1) bytes = {{16{ctl[49] && bytes[15]}}, bytes[15:0]};
      if (hit[t] && !hit_half) loaded_low[t*32 +: 32]  <= bytes;
      if (hit[t] && hit_half)  loaded_high[t*32 +: 32] <= bytes;
    end
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    comes <= rst_n && rf_gnt;
    if (!rst_n) begin
      bank   <= bank_i[BankBits-1:0];
      thread <= thread_i[BankBits-1:0];
    end
    if (begins) begin
      hdr <= hdr_i;
      hdr[lsu_pkg::TYPE_LSB +: 4] <= hdr_i[lsu_pkg::TYPE_LSB] ? lsu_pkg::MSG_STS : lsu_pkg::MSG_LDS;
      ctl <= ctl_i;
    end
    valid    <= rst_n && (begins || (valid && !take));
    hit      <= rst_n && sm_req && sm_gnt && !sm_we ? pass : '0;
    hit_half <= half;
    first    <= rst_n && comes && asked == rows;
    wrong    <= rst_n && first && mask != fits;
    if (comes && asked == 2'd1) row  <= rf_data_i;
    if (comes && asked == 2'd2) low  <= rf_data_i;
    if (comes && asked == 2'd3) high <= rf_data_i;
    if (!rst_n || take) begin
      asked  <= '0;
    end else begin
      asked <= asked + 2'(rf_gnt);
    end
    if (!rst_n) begin
      stage  <= READS;
      half   <= 1'b0;
      upper  <= 1'b0;
      left_q <= '0;
    end else begin
      left_q <= left;
      // One message through its stages.
      case (stage)
        READS: begin
          half  <= 1'b0;
          upper <= 1'b0;
          if (comes && asked == rows) stage <= SERVES;
        end
        SERVES: begin
          if (left == '0) begin
            stage <= store ? ENDS : WRITES;
          end else if (sm_gnt) begin
            left_q <= left & ~pass;
            if (left == pass) begin
              half  <= eight;
              stage <= eight && !half ? SERVES : store ? ENDS : WAITS;
              if (eight && !half) left_q <= fits;
            end
          end
        end
        WAITS:   stage <= WRITES;
        WRITES: begin
          if (rw_gnt) begin
            upper <= 1'b1;
            stage <= eight && !upper ? WRITES : ENDS;
          end
        end
        default: stage <= READS;
      endcase
    end
  end

  always_comb if (rst_n) begin
    // Rule 1: the registers are read in order.
    its_rows:   assert (rf_req == (valid && asked < rows) && (!rf_req || (rf_warp == hdr[lsu_pkg::WARP_LSB +: 6] &&
                        rf_reg == (asked == '0 ? hdr[lsu_pkg::AREG_LSB +: 8] : data_reg + 8'(asked) - 8'd1))));
    // Rule 6: passes until no thread is left.
    all_served: assert (sm_req == passing && (!sm_req || sm_we == store));
    // Rules 5 and 6: the watched bank's word.
    by_rule:    assert (!sm_req || (sm_banks[bank] == needs &&
                        sm_row[bank*9 +: 9] == 9'(first_word >> BankBits)));
    // Rule 8: its bytes.
    its_bytes:  assert (!sm_req || (sm_wmask[bank*4 +: 4] == written && sm_wdata[{bank, 5'd0} +: 32] == wanted));
    // The three above in one, for a method that needs them together.
    passes:     assert (sm_req == passing && (!sm_req || (sm_we == store && sm_banks[bank] == needs &&
                        sm_row[bank*9 +: 9] == 9'(first_word >> BankBits) &&
                        sm_wmask[bank*4 +: 4] == written && sm_wdata[{bank, 5'd0} +: 32] == wanted)));
    // Rules 7 and 9: the watched thread's word, extended; 0 for one left out.
    its_word:   assert (!rw_valid || rw_data[{thread, 5'd0} +: 32] == (upper ? loaded_high[{thread, 5'd0} +: 32]
        : loaded_low[{thread, 5'd0} +: 32]));
    // Rule 9: a load's register is written when its words are there.
    written_to: assert (rw_valid == (stage == WRITES) && (!rw_valid ||
                                                          (rw_mask == mask && rw_warp == hdr[lsu_pkg::WARP_LSB +: 6] &&
                        rw_reg == data_reg + 8'(upper))));
    // Rule 10: done once, and taken with it.
    done_once:  assert (done == (stage == ENDS) && take == done && (!done || done_id == hdr[lsu_pkg::ID_LSB +: 8]));
    // Rule 4: a thread left out is flagged once.
    flagged:    assert (err == wrong);
    // A second pass in the second half; a load of eight bytes with a thread left out.
    conflicts:  cover (sm_req && sm_gnt && left_q != '0 && half);
    both:       cover (done && !store && eight && mask != fits && fits != '0);
  end
endmodule

`default_nettype wire
