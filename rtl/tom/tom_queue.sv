// SPDX-License-Identifier: Apache-2.0
//
// tom_queue -- beats that wait, in a memory: what tom_stack has of its link.
//
// A beat that comes in cycle n is at rdata_o from n + 2 on, as soon as it is the oldest; the memory's output holds it until pop_i. One that comes
// without a place is not kept, over_o is high with it. credit_o, from a register: a beat was popped in the cycle before.

`default_nettype none

module tom_queue #(
  parameter  int Width  = 1031,
  parameter  int Depth  = 464,                           // places, >= 2
  localparam int PtrW   = $clog2(Depth),
  localparam int LevelW = $clog2(Depth + 1)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              push_i,
  input  wire logic [Width-1:0]  wdata_i,
  output      logic              over_o,
  output      logic              valid_o,
  output      logic [Width-1:0]  rdata_o,
  input  wire logic              pop_i,                  // only with valid_o
  output      logic              credit_o,
  output      logic [LevelW-1:0] level_o                 // beats that have a place
);

  localparam logic [PtrW-1:0] LAST = PtrW'(Depth - 1);

  logic              have_d, have_q, push, read, credit_q;
  logic [PtrW-1:0]   wptr_d, wptr_q, rptr_d, rptr_q;
  logic [LevelW-1:0] level_d, level_q;

  assign push    = push_i && 32'(level_q) != Depth;
  assign over_o  = push_i && !push;
  assign read    = level_q != LevelW'(have_q) && (!have_q || pop_i);
  assign have_d  = read || (have_q && !pop_i);
  assign level_d = level_q + LevelW'(push) - LevelW'(pop_i);
  assign wptr_d  = !push ? wptr_q : wptr_q == LAST ? '0 : wptr_q + 1'b1;
  assign rptr_d  = !read ? rptr_q : rptr_q == LAST ? '0 : rptr_q + 1'b1;

  sram_1r1w #(.Width(Width), .Depth(Depth), .LaneBits(Width)) u_beats (
    .clk_i, .rst_ni, .wr_en_i (push), .wr_addr_i (wptr_q), .wr_mask_i (1'b1), .wr_data_i (wdata_i), .rd_en_i (read), .rd_addr_i (rptr_q),
    .rd_data_o (rdata_o)
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
  always @(posedge clk_i) if (rst_ni) begin
    assert (!pop_i || have_q);
    assert (32'(level_q) <= Depth && (!have_q || level_q != '0));
  end
`endif
endmodule

`default_nettype wire
