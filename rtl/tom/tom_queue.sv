// SPDX-License-Identifier: Apache-2.0
//
// tom_queue -- the beats of tom_stack's link that wait, in a memory.
//
// A beat that comes in cycle n is at rdata_o from n + 2 on, as soon as it is the oldest. The
// memory's output register holds it until pop_i. The next beat is read in the cycle of the pop, so
// a beat a cycle can leave. The sender counts places, so the queue has credits instead of a ready.
//
//   push_i --> memory [wptr ... rptr] --> output register (have_q) --> rdata_o
//              level_q counts both

`default_nettype none

module tom_queue #(
  parameter  int Width  = 1031,              // bits of a beat
  parameter  int Depth  = 464,               // places, >= 2
  localparam int PtrW   = $clog2(Depth),     // bits of a place's number
  localparam int LevelW = $clog2(Depth + 1)  // bits of the number of beats
) (
  input  wire logic              clk_i,     // core clock
  input  wire logic              rst_ni,    // asynchronous, active low
  input  wire logic              push_i,    // a beat comes
  input  wire logic [Width-1:0]  wdata_i,   // the beat, with push_i
  output      logic              over_o,    // with push_i: there is no place, the beat is lost
  output      logic              valid_o,   // rdata_o has the oldest beat
  output      logic [Width-1:0]  rdata_o,   // oldest beat, stays until pop_i
  input  wire logic              pop_i,     // takes rdata_o; only with valid_o
  output      logic              credit_o,  // one cycle: a beat was popped in the cycle before
  output      logic [LevelW-1:0] level_o    // beats that have a place
);

  localparam logic [PtrW-1:0] LAST = PtrW'(Depth - 1);   // Depth need not be a power of two

  // have: the memory's output has a beat that was not popped. The level counts that beat, too: its
  // place is free only with the pop.
  logic              have_d, have_q, push, read, credit_q;
  logic [PtrW-1:0]   wptr_d, wptr_q, rptr_d, rptr_q;
  logic [LevelW-1:0] level_d, level_q;

  assign push    = push_i && 32'(level_q) != Depth;
  assign over_o  = push_i && !push;
  assign read    = level_q != LevelW'(have_q) && (!have_q || pop_i);
  // An unread beat exists if level is above have. It is read when the output
  // is free or becomes free.
  assign have_d  = read || (have_q && !pop_i);
  assign level_d = level_q + LevelW'(push) - LevelW'(pop_i);
  assign wptr_d  = !push ? wptr_q : wptr_q == LAST ? '0 : wptr_q + 1'b1;
  assign rptr_d  = !read ? rptr_q : rptr_q == LAST ? '0 : rptr_q + 1'b1;

  // An entry is a beat as it came.
  sram_1r1w #(.Width(Width), .Depth(Depth), .LaneBits(Width)) u_beats (
    .clk_i, .rst_ni, .wr_en_i (push), .wr_addr_i (wptr_q), .wr_mask_i (1'b1), .wr_data_i (wdata_i), .rd_en_i (read),
    .rd_addr_i (rptr_q), .rd_data_o (rdata_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      have_q   <= 1'b0;
      wptr_q   <= '0;
      rptr_q   <= '0;
      level_q  <= '0;
      credit_q <= 1'b0;
    end else begin
      have_q   <= have_d;
      wptr_q   <= wptr_d;
      rptr_q   <= rptr_d;
      level_q  <= level_d;
      credit_q <= pop_i;
    end
  end

  assign valid_o  = have_q;
  assign credit_o = credit_q;
  assign level_o  = level_q;

`ifndef SYNTHESIS
  // Only a beat that is there is popped, and the level counts the beat on the memory's output.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!pop_i || have_q);
    assert (32'(level_q) <= Depth && (!have_q || level_q != '0));
  end
`endif
endmodule

`default_nettype wire
