// SPDX-License-Identifier: Apache-2.0
//
// tom_pack -- an offload request, packed: a header, then the rows of its live-in registers, the lowest first (TOM paper, section 4.2).
//
// Three steps: a beat is chosen, and its place taken (the header, or the lowest register that is left, whose row is read); the row is there, or
// the header is made of what go brought; the beat goes out, from registers. Each step takes a cycle, a beat a cycle can be chosen.

`default_nettype none

module tom_pack #(
  parameter  int Warps      = 48,                        // warps of the SM, 2 to 256
  parameter  int PackCycles = 10,                        // cycles from a go to the first beat, 3 to 255
  parameter  int OutCredits = 4,                         // beats that the receiver has places for, 1 to 15
  localparam int WarpW      = $clog2(Warps),
  localparam int StackW     = tom_pkg::STACK_W,
  localparam int RegW       = tom_pkg::REG_W,
  localparam int Regs       = tom_pkg::META_IN_W,
  localparam int RowW       = tom_pkg::ROW_BITS,
  localparam int CredW      = $clog2(OutCredits + 1)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  // From the decision
  input  wire logic              go_valid_i,
  input  wire logic [WarpW-1:0]  go_warp_i,
  input  wire logic [StackW-1:0] go_stack_i,
  input  wire logic [31:0]       go_pc_i,
  input  wire logic [31:0]       go_exit_i,
  input  wire logic [31:0]       go_mask_i,
  input  wire logic [Regs-1:0]   go_in_i,
  input  wire logic [Regs-1:0]   go_out_i,
  output      logic              go_ready_o,
  // To and from the register file
  output      logic              rd_valid_o,
  output      logic [WarpW-1:0]  rd_warp_o,
  output      logic [RegW-1:0]   rd_reg_o,
  input  wire logic [RowW-1:0]   rd_data_i,
  // To the stack
  output      logic              out_valid_o,
  output      logic [RowW-1:0]   out_beat_o,
  output      logic              out_last_o,
  input  wire logic              credit_i,
  output      logic              err_o,                  // sticky
  // Probes
  output      logic [CredW-1:0]  probe_credits_o,
  output      logic [Regs-1:0]   probe_left_o
);

  localparam int WaitW = PackCycles > 3 ? $clog2(PackCycles - 2) : 1;
  localparam int FlatW = WarpW + StackW + 96 + Regs;

  // The request
  logic              go, busy_d, busy_q, head_d, head_q;
  logic [WaitW-1:0]  wait_d, wait_q;
  logic [Regs-1:0]   left_d, left_q, in_q;
  logic [FlatW-1:0]  flat_q;                             // warp, stack, pc, exit, mask, out
  logic [WarpW-1:0]  warp;
  logic [StackW-1:0] stack;
  logic [31:0]       pc, exit, mask;
  logic [Regs-1:0]   out;

  assign go = go_valid_i && !busy_q;
  assign {warp, stack, pc, exit, mask, out} = flat_q;

  // First step: what goes next
  logic             choose, last;
  logic [Regs-1:0]  lowest, others;
  logic [CredW-1:0] credits_d, credits_q;
  logic             back, err_d, err_q;

  assign lowest = left_q & (~left_q + 1'b1);
  assign others = left_q & ~lowest;
  assign choose = busy_q && wait_q == '0 && credits_q != '0;
  assign last   = head_q ? left_q == '0 : others == '0;

  always_comb begin
    busy_d = go || (busy_q && !(choose && last));
    head_d = go || (head_q && !choose);
    left_d = go ? go_in_i : choose && !head_q ? others : left_q;
    wait_d = go ? WaitW'(PackCycles - 3) : wait_q != '0 ? wait_q - 1'b1 : wait_q;
  end

  assign back      = credit_i && 32'(credits_q) != OutCredits;
  assign credits_d = credits_q + CredW'(back) - CredW'(choose);
  assign err_d     = err_q || (credit_i && !back);

  // Second and third step
  logic            got_q, got_head_q, got_last_q, out_valid_q, out_last_q;
  logic [RowW-1:0] beat_d, beat_q, header;

  always_comb begin
    header = '0;
    header[tom_pkg::REQ_WARP_LSB +: WarpW]   = warp;
    header[tom_pkg::REQ_STACK_LSB +: StackW] = stack;
    header[tom_pkg::REQ_PC_LSB +: 32]        = pc;
    header[tom_pkg::REQ_EXIT_LSB +: 32]      = exit;
    header[tom_pkg::REQ_MASK_LSB +: 32]      = mask;
    header[tom_pkg::REQ_IN_LSB +: Regs]      = in_q;
    header[tom_pkg::REQ_OUT_LSB +: Regs]     = out;
  end

  assign beat_d = got_head_q ? header : rd_data_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      head_q      <= 1'b0;
      wait_q      <= '0;
      left_q      <= '0;
      in_q        <= '0;
      flat_q      <= '0;
      credits_q   <= CredW'(OutCredits);
      err_q       <= 1'b0;
      got_q       <= 1'b0;
      got_head_q  <= 1'b0;
      got_last_q  <= 1'b0;
      out_valid_q <= 1'b0;
      out_last_q  <= 1'b0;
      beat_q      <= '0;
    end else begin
      busy_q      <= busy_d;
      head_q      <= head_d;
      wait_q      <= wait_d;
      left_q      <= left_d;
      if (go) in_q   <= go_in_i;
      if (go) flat_q <= {go_warp_i, go_stack_i, go_pc_i, go_exit_i, go_mask_i, go_out_i};
      credits_q   <= credits_d;
      err_q       <= err_d;
      got_q       <= choose;
      got_head_q  <= head_q;
      got_last_q  <= last;
      out_valid_q <= got_q;
      out_last_q  <= got_last_q;
      if (got_q) beat_q <= beat_d;
    end
  end

  assign go_ready_o      = !busy_q;
  assign rd_valid_o      = choose && !head_q;
  assign rd_warp_o       = warp;
  assign rd_reg_o        = index(lowest);
  assign out_valid_o     = out_valid_q;
  assign out_beat_o      = beat_q;
  assign out_last_o      = out_last_q;
  assign err_o           = err_q;
  assign probe_credits_o = credits_q;
  assign probe_left_o    = left_q;

  function automatic logic [RegW-1:0] index(input logic [Regs-1:0] one);
    index = '0;
    for (int i = 0; i < Regs; i++) index = index | (one[i] ? RegW'(i) : '0);
  endfunction

  initial begin
    if (Warps < 2 || Warps > 256) $fatal(1, "tom_pack: Warps must be 2 to 256");
    if (PackCycles < 3 || PackCycles > 255) $fatal(1, "tom_pack: PackCycles must be 3 to 255");
    if (OutCredits < 1 || OutCredits > 15) $fatal(1, "tom_pack: OutCredits must be 1 to 15");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (busy_q || (left_q == '0 && !head_q));
    assert (!head_q || left_q == in_q);
    assert (32'(credits_q) <= OutCredits);
  end
`endif
endmodule

`default_nettype wire
