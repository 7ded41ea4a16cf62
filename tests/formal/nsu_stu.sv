// SPDX-License-Identifier: Apache-2.0
//
// nsu_stu_proof -- a store reads its register once, then writes each of its threads once, with its
// own word to its own address. It writes as many packets as lines. Every accepted packet is
// counted. The store is done once, with the last packet, and the next one comes no earlier.
//
// Three threads can be on, in any of four lines of two stacks, at any of four offsets. Their words
// are one bit repeated. The wrapper watches any one of the three.

`default_nettype none

`include "nsu_types.svh"

module nsu_stu_proof (
  input  wire logic        clk_i,
  input  wire logic        go_i,
  input  wire logic [3:0]  reg_i,
  input  wire logic [25:0] id_i,  // slot, sm, warp, seq
  input  wire logic [2:0]  on_i,              // in the cycle of go: the store's threads
  input  wire logic [1:0]  size_i,
  input  wire logic [11:0] addr_i,            // four bits each
  input  wire logic        rf_gnt_i,
  input  wire logic [2:0]  words_i,
  input  wire logic        wr_ready_i,
  input  wire logic [1:0]  thread_i           // in the cycle of reset: the thread that is watched
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          ready, rf_valid, wr_valid, sent, done;
  logic [5:0]    rf_slot, sent_slot, done_slot;
  logic [3:0]    rf_reg;
  pkt_hdr_t      hdr;
  logic [1023:0] row, data;
  logic [1279:0] addrs;

  logic          busy, read, started;  // the register has been granted; the packets have begun
  logic [2:0]    on, left, words, now;  // threads on; still to be written; of this packet
  logic [1:0]    size, thread;
  logic [11:0]   addr;
  logic [25:0]   id;
  logic [3:0]    rg, mine;                    // mine: the watched thread's address
  logic [31:0]   mask, word, want;
  logic [39:0]   address, place, line;  // the watched thread's, by the packet and by go; the packet's line
  logic [223:0]  all_offs;
  logic [6:0]    offs;
  logic [4:0]    lane;

  nsu_stu u_dut (
    .clk_i, .rst_ni (rst_n), .stack_id_i (4'd9), .go_i, .go_instr_i ({12'd0, reg_i, 48'd0}), .go_slot_i (id_i[25:20]),
    .go_sm_i (id_i[19:12]), .go_warp_i (id_i[11:6]), .go_seq_i (id_i[5:0]), .ready_o (ready), .wa_row_i (addrs),
    .wa_mask_i (spread(on)), .wa_size_i (size), .rf_rd_valid_o (rf_valid), .rf_rd_slot_o (rf_slot),
    .rf_rd_reg_o (rf_reg), .rf_rd_gnt_i (rf_gnt_i), .rf_rd_data_i (row), .wr_valid_o (wr_valid), .wr_hdr_o (hdr),
    .wr_data_o (data), .wr_ready_i, .sent_o (sent), .sent_slot_o (sent_slot), .done_o (done), .done_slot_o (done_slot)
  );

  // The three threads in a mask. An address of four bits: stack, line, and one of four offsets: as
  // in an aligned packet, 0, the thread's number, 127.
  function automatic logic [31:0] spread(input logic [2:0] three);
    spread = {three[2], 17'd0, three[1], 12'd0, three[0]};
  endfunction
  function automatic logic [39:0] full(input logic [3:0] four, input logic [6:0] place, input logic [6:0] thread_);
    full = {5'd0, four[3], 26'd0, four[2], four[1:0] == 2'd0 ? place : four[1:0] == 2'd1 ? 7'd0 : four[1:0] == 2'd2
            ? thread_ : 7'd127};
  endfunction

  always_comb begin
    row   = '0;
    addrs = '0;
    row[31:0]              = {32{words_i[0]}};
    row[13*32 +: 32]       = {32{words_i[1]}};
    row[1023:992]          = {32{words_i[2]}};
    addrs[39:0]            = full(addr[3:0], 7'd0, 7'd0);
    addrs[13*40 +: 40]     = full(addr[7:4], 7'd13 << size, 7'd13);
    addrs[1279:1240]       = full(addr[11:8], 7'd31 << size, 7'd31);
  end

  assign mask    = hdr.mask;
  assign now     = {mask[31], mask[13], mask[0]};
  assign mine    = thread == 2'd0 ? addr[3:0] : thread == 2'd1 ? addr[7:4] : addr[11:8];
  assign lane    = thread == 2'd0 ? 5'd0 : thread == 2'd1 ? 5'd13 : 5'd31;
  assign word    = thread == 2'd0 ? data[31:0] : thread == 2'd1 ? data[13*32 +: 32] : data[1023:992];
  assign all_offs = hdr.offs;
  assign line    = hdr.addr;
  assign offs    = thread == 2'd0 ? all_offs[6:0] : thread == 2'd1 ? all_offs[13*7 +: 7] : all_offs[31*7 +: 7];
  assign place   = full(mine, 7'(lane) << size, 7'(lane));
  assign want    = {32{words[thread]}} & (size == 2'd0 ? 32'hff : size == 2'd1 ? 32'hffff : 32'hffffffff);
  assign address = hdr.addr + (hdr.aligned ? 40'(lane) << size : 40'(offs));

  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    if (!rst_n) begin
      busy    <= 1'b0;
      read    <= 1'b0;
      started <= 1'b0;
      thread  <= thread_i;
    end else begin
      if (rf_gnt_i) read <= 1'b1;
      if (read && !started) begin
        started <= 1'b1;
        words   <= words_i;
        left    <= on;
      end
      if (wr_valid && wr_ready_i) left <= left & ~now;
      if (done) begin
        busy    <= 1'b0;
        read    <= 1'b0;
        started <= 1'b0;
      end
      if (go_i) begin
        busy <= 1'b1;
        rg   <= reg_i;
        id   <= id_i;
        on   <= on_i;
        size <= size_i;
        addr <= addr_i;
      end
    end
  end

  always_comb if (rst_n) begin
    // Rule 1: nsu_warps issues only to a ready unit.
    assume (!go_i || ready);
    // nsu_regfile grants only requests.
    assume (!rf_gnt_i || rf_valid);
    // A choice of the proof, fixed in reset.
    assume (thread < 2'd3);
    // Rule 1.
    idle:       assert (ready == (!busy || done));
    // Rule 2.
    reads_once: assert (rf_valid == (busy && !read) && (!rf_valid || (rf_slot == id[25:20] && rf_reg == rg)));
    // Rule 4 and nsu_wgen.ports, rules 2 and 3: each thread in one packet.
    its_turn:   assert (wr_valid == (started && left != '0) && (!wr_valid ||
                                                                (now != '0 && (now & ~left) == '0 &&
                                                                    mask == spread(now))));
    // nsu_wgen.ports, rule 7.
    its_word:   assert (!wr_valid || word == (now[thread] ? want : '0));
    // nsu_wgen.ports, rules 5 and 6: the packet names the watched thread's address.
    its_place:  assert (!wr_valid || !now[thread] || (address == place && line[6:0] == '0 &&
                                                      hdr.dst == {1'b0, mine[3], 2'd0}));
    // nsu_wgen.ports, rule 2: all threads of the line go together.
    whole_line: assert (!wr_valid || !left[thread] || now[thread] == (line[39:7] == place[39:7]));
    // nsu_wgen.ports, rules 5 and 6: the other fields.
    its_header: assert (!wr_valid || ({hdr.slot, hdr.sm, hdr.warp, hdr.seq} == id && hdr.lmask == spread(on) &&
                                      hdr.size == size &&
                        hdr.ptype == nsu_pkg::PKT_WRITE && hdr.src == 4'd9 && hdr.target == 4'd9 &&
                        {hdr.cr_cmd, hdr.cr_rd, hdr.cr_wr} == '0));
    // Rule 6.
    counted:    assert (sent == (wr_valid && wr_ready_i) && (!sent || sent_slot == id[25:20]));
    // Rule 5.
    done_once:  assert (done == (started && (left == '0 || (sent && (left & ~now) == '0))) &&
                        (!done || done_slot == id[25:20]));
    // Two packets, with a size of two bytes.
    three:      cover (done && on == 3'b111 && left == 3'b100 && words == 3'b101 && size == 2'd1);
  end
endmodule

`default_nettype wire
