// SPDX-License-Identifier: Apache-2.0
//
// nsu_wgen_proof -- a store writes each of its threads once, with its own word to its own address.
// Each packet is for one line and has all threads of that line. The store is done once, with the
// last packet, or at once if it has no threads.
//
// Three threads can be on, in any of four lines of two stacks, at any of four offsets. Their words
// are one bit repeated. The wrapper watches any one of the three.

`default_nettype none

`include "nsu_types.svh"

module nsu_wgen_proof (
  input  wire logic        clk_i,
  input  wire logic        start_i,
  input  wire logic [25:0] id_i,              // slot, sm, warp, seq
  input  wire logic [2:0]  on_i,              // the store's threads
  input  wire logic [1:0]  size_i,
  input  wire logic [11:0] addr_i,            // four bits each
  input  wire logic [2:0]  words_i,
  input  wire logic        wr_ready_i,
  input  wire logic [1:0]  thread_i           // in the cycle of reset: the thread that is watched
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          ready, wr_valid, done;
  pkt_hdr_t      hdr;
  logic [1023:0] row, data;
  logic [1279:0] addrs;

  logic          busy;
  logic [2:0]    on, left, words, now;  // threads on; still to be written; of this packet
  logic [1:0]    size, thread;
  logic [11:0]   addr;
  logic [25:0]   id;
  logic [3:0]    mine;  // the watched thread's address
  logic [31:0]   mask, word, want;
  logic [39:0]   address, place, line;  // the watched thread's, by the packet and by start; the packet's line
  logic [223:0]  all_offs;
  logic [6:0]    offs;
  logic [4:0]    lane;

  nsu_wgen u_dut (
    .clk_i, .rst_ni (rst_n), .stack_id_i (4'd9), .start_i, .slot_i (id_i[25:20]), .sm_i (id_i[19:12]),
    .warp_i (id_i[11:6]), .seq_i (id_i[5:0]), .mask_i (spread(on_i)), .size_i, .addrs_i (addrs), .data_i (row),
    .ready_o (ready), .wr_valid_o (wr_valid), .wr_hdr_o (hdr), .wr_data_o (data), .wr_ready_i, .done_o (done)
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
    addrs[39:0]            = full(addr_i[3:0], 7'd0, 7'd0);
    addrs[13*40 +: 40]     = full(addr_i[7:4], 7'd13 << size_i, 7'd13);
    addrs[1279:1240]       = full(addr_i[11:8], 7'd31 << size_i, 7'd31);
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
    rst_n <= 1'b1;
    if (!rst_n) begin
      busy   <= 1'b0;
      thread <= thread_i;
    end else begin
      if (wr_valid && wr_ready_i) left <= left & ~now;
      if (done) busy <= 1'b0;
      if (start_i && !busy) begin
        busy  <= 1'b1;
        id    <= id_i;
        on    <= on_i;
        left  <= on_i;
        words <= words_i;
        size  <= size_i;
        addr  <= addr_i;
      end
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (thread < 2'd3);
    // Rules 1 and 4.
    idle:       assert (ready == !busy);
    // Rules 2 and 3: each thread in one packet.
    its_turn:   assert (wr_valid == (busy && left != '0) && (!wr_valid ||
                                                             (now != '0 && (now & ~left) == '0 &&
                                                              mask == spread(now))));
    // Rule 7.
    its_word:   assert (!wr_valid || word == (now[thread] ? want : '0));
    // Rules 5 and 6: the packet names the watched thread's address.
    its_place:  assert (!wr_valid || !now[thread] || (address == place && line[6:0] == '0 &&
                                                      hdr.dst == {1'b0, mine[3], 2'd0}));
    // Rule 2: all threads of the line go together.
    whole_line: assert (!wr_valid || !left[thread] || now[thread] == (line[39:7] == place[39:7]));
    // Rules 5 and 6: the other fields.
    its_header: assert (!wr_valid || ({hdr.slot, hdr.sm, hdr.warp, hdr.seq} == id && hdr.lmask == spread(on) &&
                                      hdr.size == size &&
                        hdr.ptype == nsu_pkg::PKT_WRITE && hdr.src == 4'd9 && hdr.target == 4'd9 &&
                        {hdr.cr_cmd, hdr.cr_rd, hdr.cr_wr} == '0));
    // Rule 4.
    done_once:  assert (done == (busy && (left == '0 || (wr_valid && wr_ready_i && (left & ~now) == '0))));
    // Two packets, with a size of two bytes.
    three:      cover (done && on == 3'b111 && left == 3'b100 && words == 3'b101 && size == 2'd1);
  end
endmodule

`default_nettype wire
