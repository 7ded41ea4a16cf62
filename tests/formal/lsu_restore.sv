// SPDX-License-Identifier: Apache-2.0
//
// lsu_restore_proof -- the transfers of an access hold exactly its bytes. Each byte is in one
// transfer, and no transfer or thread is too many.

`default_nettype none

module lsu_restore_proof (
  input  wire logic        clk_i,
  input  wire logic [25:0] addr_i,
  input  wire logic [1:0]  size_i,
  input  wire logic [3:0]  k_i,
  input  wire logic [7:0]  byte_i,            // any byte of the access
  input  wire logic [4:0]  thread_i           // any thread
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic [3:0]  n;
  logic [4:0]  off;
  logic [25:0] xaddr;
  logic [31:0] lanes;
  logic [9:0]  total, place, first, behind, begins;  // bytes in all; places, from the first transfer's beginning on
  logic [31:0] of_byte, of_thread;            // one-hot threads

  lsu_restore u_dut (
    .clk_i, .rst_ni (rst_n), .addr_i, .size_i, .k_i, .n_o (n), .off_o (off), .xaddr_o (xaddr), .lanes_o (lanes)
  );

  assign total     = 10'd32 << size_i;
  assign place     = 10'(addr_i[4:0]) + 10'(byte_i);
  assign first     = 10'(addr_i[4:0]) + (10'(thread_i) << size_i);
  assign behind    = 10'(addr_i[4:0]) + ((10'(thread_i) + 10'd1) << size_i);
  assign begins    = 10'(k_i) << 5;
  assign of_byte   = 32'd1 << (byte_i >> size_i);
  assign of_thread = 32'd1 << thread_i;

  always @(posedge clk_i) rst_n <= 1'b1;

  always_comb if (rst_n) begin
    // A choice of the proof: byte_i is any byte of the access.
    assume (10'(byte_i) < total);
    // Rule 2: a transfer's address is a multiple of 32.
    aligned:     assert (xaddr[4:0] == '0 && off == addr_i[4:0]);
    // Rules 2 and 3: a byte is in the transfer that its place names, with its thread.
    every_byte:  assert ((place >> 5) != 10'(k_i) || (k_i < n && xaddr + 26'(place[4:0]) == addr_i + 26'(byte_i) &&
                                                      (lanes & of_byte) != '0));
    // Rule 3: a thread of a transfer has a byte in it.
    no_other:    assert ((lanes & of_thread) == '0 || (k_i < n && first < begins + 10'd32 && behind > begins));
    // Rule 1: no transfer too many and none too few.
    as_many:     assert ((10'(n) << 5) >= 10'(addr_i[4:0]) + total &&
                         ((10'(n) - 10'd1) << 5) < 10'(addr_i[4:0]) + total);
    // Rules 2 and 3: nothing beyond the last transfer.
    past_it:     assert (k_i < n || (xaddr == '0 && lanes == '0));
    // The ninth transfer is beyond the end of the address space.
    wraps:       cover (n == 4'd9 && k_i == 4'd8 && xaddr == 26'd224 && lanes == 32'h80000000);
  end
endmodule

`default_nettype wire
