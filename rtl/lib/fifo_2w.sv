// SPDX-License-Identifier: Apache-2.0
//
// fifo_2w -- first in, first out, up to two words in and one out a cycle, from flip-flops.
//
// valid_o and rdata_o, the oldest word, are state. Of two words pushed in one cycle the low one is first. A word for which there is no
// place, counting one taken in the same cycle as still there, is dropped and flagged at once. Words are not reset.

`default_nettype none

module fifo_2w #(
  parameter  int Width  = 32,                             // bits of a word
  parameter  int Depth  = 4,                              // words, >= 1
  localparam int PtrW   = Depth > 1 ? $clog2(Depth) : 1,
  localparam int CountW = $clog2(Depth + 1)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic [1:0]         push_i,
  input  wire logic [2*Width-1:0] wdata_i,
  output      logic [1:0]         over_o,
  input  wire logic               take_i,
  output      logic               valid_o,
  output      logic [Width-1:0]   rdata_o,
  output      logic [CountW-1:0]  probe_count_o
);

  logic [Width-1:0]  mem [0:Depth-1];
  logic [PtrW-1:0]   wptr_d, wptr_q, wptr2, rptr_d, rptr_q;
  logic [CountW-1:0] count_d, count_q;
  logic [1:0]        store;
  logic              room, room2;

  assign room   = count_q != CountW'(Depth);
  assign room2  = count_q < CountW'(Depth - 1);
  assign store  = {push_i[1] && (push_i[0] ? room2 : room), push_i[0] && room};
  assign over_o = push_i & ~store;

  assign wptr2  = store[0] ? next(wptr_q) : wptr_q;       // where word 1 goes
  assign wptr_d = store[1] ? next(wptr2) : wptr2;
  assign rptr_d = take_i && valid_o ? next(rptr_q) : rptr_q;

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
