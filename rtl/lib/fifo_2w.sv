// SPDX-License-Identifier: Apache-2.0
//
// fifo_2w -- first in, first out, up to two words in and one out a cycle, from flip-flops.
//
// valid_o and rdata_o, the oldest word, are state.
// Of two words pushed in one cycle, the low word is the older one.
// A word without a place is dropped, and over_o says so in the same cycle.
// A word taken in the same cycle still counts as a place taken, so over_o does not wait for take_i.
// Reset does not touch the words.

`default_nettype none

module fifo_2w #(
  parameter  int Width  = 32, // bits of a word, 1 .. 4096
  parameter  int Depth  = 4,  // words, 1 .. 1024
  localparam int PtrW   = Depth > 1 ? $clog2(Depth) : 1,
  localparam int CountW = $clog2(Depth + 1)
) (
  input  wire logic               clk_i,        // clock, rising edge
  input  wire logic               rst_ni,       // asynchronous reset, active low
  input  wire logic [1:0]         push_i,       // bit i: store word i of wdata_i
  input  wire logic [2*Width-1:0] wdata_i,      // word 0 in the low half, the older one
  output      logic [1:0]         over_o,       // bit i: word i is dropped; same cycle as push_i
  input  wire logic               take_i,       // remove rdata_o; only with valid_o
  output      logic               valid_o,      // rdata_o is the oldest word
  output      logic [Width-1:0]   rdata_o,      // valid with valid_o
  output      logic [CountW-1:0]  probe_count_o // words stored, 0 .. Depth
);

  // A ring of Depth words: wptr_q is the next free place, rptr_q the oldest word.
  logic [Width-1:0]  mem [0:Depth-1];
  logic [PtrW-1:0]   wptr_d, wptr_q, wptr2, rptr_d, rptr_q;
  logic [CountW-1:0] count_d, count_q;
  logic [1:0]        store;
  logic              room, room2;

  // Word 1 needs a second place only if word 0 comes with it.
  assign room   = count_q != CountW'(Depth);
  assign room2  = count_q < CountW'(Depth - 1);
  assign store  = {push_i[1] && (push_i[0] ? room2 : room), push_i[0] && room};
  assign over_o = push_i & ~store;

  // Stored words lie without a gap: word 1 goes to the first free place if word 0 does not come.
  assign wptr2  = store[0] ? next(wptr_q) : wptr_q;       // place of word 1
  assign wptr_d = store[1] ? next(wptr2) : wptr2;
  assign rptr_d = take_i && valid_o ? next(rptr_q) : rptr_q;

  // The count changes by -1 .. 2 a cycle: two words stored, one taken.
  always_comb begin
    count_d = count_q + CountW'(store[0]) + CountW'(store[1]);
    if (take_i && valid_o) count_d = count_d - CountW'(1);
  end

  assign valid_o       = count_q != '0;
  assign rdata_o       = mem[rptr_q];
  assign probe_count_o = count_q;

  always_ff @(posedge clk_i) begin
    if (store[0]) mem[wptr_q] <= wdata_i[Width-1:0];
    if (store[1]) mem[wptr2]  <= wdata_i[2*Width-1:Width];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      count_q <= '0;
    end else begin
      wptr_q  <= wptr_d;
      rptr_q  <= rptr_d;
      count_q <= count_d;
    end
  end

  // Depth need not be a power of two, so the pointers wrap by comparison.
  function automatic logic [PtrW-1:0] next(input logic [PtrW-1:0] p);
    next = p == PtrW'(Depth - 1) ? '0 : p + PtrW'(1);
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!take_i || valid_o);
    assert (count_q <= CountW'(Depth));
  end
`endif
endmodule

`default_nettype wire
