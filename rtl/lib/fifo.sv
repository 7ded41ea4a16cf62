// SPDX-License-Identifier: Apache-2.0
//
// fifo -- first in, first out, from flip-flops.
//
// All outputs are state: a word pushed in cycle n can be read and popped from cycle n + 1 on.
// Push and pop may come in the same cycle.
// A push into a full FIFO is dropped, even when a pop comes with it, and sets overflow_o.
// A pop of an empty FIFO does nothing and sets underflow_o. Both flags stay until reset.
// Reset does not touch the words: rdata_o has no meaning while the FIFO is empty.

`default_nettype none

module fifo #(
  parameter  int Width  = 32, // bits of a word, 1 .. 4096
  parameter  int Depth  = 4,  // words, 1 .. 1024
  localparam int PtrW   = Depth > 1 ? $clog2(Depth) : 1,
  localparam int CountW = $clog2(Depth + 1)
) (
  input  wire logic              clk_i,        // clock, rising edge
  input  wire logic              rst_ni,       // asynchronous reset, active low
  // From the producer
  input  wire logic              push_i,       // store wdata_i at the end of the cycle, unless full_o
  input  wire logic [Width-1:0]  wdata_i,      // the word, valid with push_i
  // From the consumer
  input  wire logic              pop_i,        // remove rdata_o at the end of the cycle, unless empty_o
  // To both
  output      logic              full_o,       // a push of this cycle would be dropped
  output      logic              empty_o,      // no word to pop
  output      logic              not_empty_o,  // rdata_o is valid
  output      logic [CountW-1:0] count_o,      // words stored, 0 .. Depth
  output      logic [Width-1:0]  rdata_o,      // the oldest word, valid with not_empty_o
  output      logic              overflow_o,   // a push was dropped since reset
  output      logic              underflow_o,  // a pop found no word since reset
  output      logic [PtrW-1:0]   probe_wptr_o, // where the next word is stored
  output      logic [PtrW-1:0]   probe_rptr_o  // where the oldest word is stored
);

  localparam logic [PtrW-1:0] LAST = PtrW'(Depth - 1);

  // A ring of Depth words: wptr_q is the next free place, rptr_q the oldest word.
  // The count tells a full ring from an empty one, where both pointers are equal.
  logic [Width-1:0]  mem [0:Depth-1];
  logic [PtrW-1:0]   wptr_d, wptr_q, rptr_d, rptr_q;
  logic [CountW-1:0] count_d, count_q;
  logic              overflow_d, overflow_q, underflow_d, underflow_q;
  logic              do_push, do_pop;

  assign full_o      = count_q == CountW'(Depth);
  assign empty_o     = count_q == '0;
  assign not_empty_o = count_q != '0;
  assign count_o     = count_q;
  assign rdata_o     = mem[rptr_q];
  assign overflow_o  = overflow_q;
  assign underflow_o = underflow_q;

  // Decisions use the registered count alone, so that no path runs from pop_i to full_o.
  assign do_push = push_i && !full_o;
  assign do_pop  = pop_i && !empty_o;

  assign wptr_d      = !do_push ? wptr_q : wptr_q == LAST ? '0 : wptr_q + 1'b1;
  assign rptr_d      = !do_pop  ? rptr_q : rptr_q == LAST ? '0 : rptr_q + 1'b1;
  assign overflow_d  = overflow_q || (push_i && full_o);
  assign underflow_d = underflow_q || (pop_i && empty_o);

  always_comb begin
    count_d = count_q;
    if (do_push && !do_pop)      count_d = count_q + 1'b1;
    else if (!do_push && do_pop) count_d = count_q - 1'b1;
  end

  // The words need no reset: the pointers and the count say which of them are valid.
  always_ff @(posedge clk_i) begin
    if (do_push) mem[wptr_q] <= wdata_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q      <= '0;
      rptr_q      <= '0;
      count_q     <= '0;
      overflow_q  <= 1'b0;
      underflow_q <= 1'b0;
    end else begin
      wptr_q      <= wptr_d;
      rptr_q      <= rptr_d;
      count_q     <= count_d;
      overflow_q  <= overflow_d;
      underflow_q <= underflow_d;
    end
  end

  assign probe_wptr_o = wptr_q;
  assign probe_rptr_o = rptr_q;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(count_q) <= Depth);
    assert (32'(wptr_q) < Depth && 32'(rptr_q) < Depth);
  end
`endif
endmodule

`default_nettype wire
