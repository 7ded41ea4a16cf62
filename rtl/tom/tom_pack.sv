// SPDX-License-Identifier: Apache-2.0
//
// tom_pack -- sends an offload request: a header, then the rows of its live-in registers, the
// lowest first (TOM paper, section 4.2).
//
// A beat has three steps, a cycle each. A new beat can be chosen in each cycle.
//
//   cycle t          t+1                  t+2
//   +--------+     +----------------+    +--------------+
//   | choose | --> | got            | -> | out          |
//   +--------+     +----------------+    +--------------+
//   take a place,  rd_data_i comes,      out_* registers
//   rd_valid_o     or header is made
//
// The header is chosen first, PackCycles - 2 cycles after the go. Then come the registers of
// left_q. The place at the receiver is taken with the choice, so a chosen beat never waits.

`default_nettype none

module tom_pack #(
  parameter  int Warps      = 48,                     // warps of the SM, 2 to 256
  parameter  int PackCycles = 10,                     // cycles from a go to its header at out_*, 3 to 255
  parameter  int OutCredits = 4,                      // beats that the receiver has places for, 1 to 15
  localparam int WarpW      = $clog2(Warps),          // bits of a warp's number
  localparam int StackW     = tom_pkg::STACK_W,       // bits of a stack's number
  localparam int RegW       = tom_pkg::REG_W,         // bits of a register's number
  localparam int Regs       = tom_pkg::META_IN_W,     // registers of a thread
  localparam int RowW       = tom_pkg::ROW_BITS,      // bits of a row and of a beat
  localparam int CredW      = $clog2(OutCredits + 1)  // bits of the credit counter
) (
  input  wire logic              clk_i,            // core clock
  input  wire logic              rst_ni,           // asynchronous, active low
  // From the decision
  input  wire logic              go_valid_i,       // send an instance; taken with go_ready_o
  input  wire logic [WarpW-1:0]  go_warp_i,        // its warp
  input  wire logic [StackW-1:0] go_stack_i,       // the stack that gets it
  input  wire logic [31:0]       go_pc_i,          // first instruction of the block
  input  wire logic [31:0]       go_exit_i,        // instruction at which the GPU goes on
  input  wire logic [31:0]       go_mask_i,        // active threads
  input  wire logic [Regs-1:0]   go_in_i,          // bit r: register r is a live-in and is sent
  input  wire logic [Regs-1:0]   go_out_i,         // bit r: register r is a live-out
  output      logic              go_ready_o,       // low while beats are still to be chosen
  // To and from the register file
  output      logic              rd_valid_o,       // reads a row; two cycles before its beat
  output      logic [WarpW-1:0]  rd_warp_o,        // its warp
  output      logic [RegW-1:0]   rd_reg_o,         // its register
  input  wire logic [RowW-1:0]   rd_data_i,        // the row, in the cycle after rd_valid_o
  // To the stack
  output      logic              out_valid_o,      // a beat, for one cycle; credits bound the rate
  output      logic [RowW-1:0]   out_beat_o,       // TOM_REQ header or a row
  output      logic              out_last_o,       // last beat of the request
  input  wire logic              credit_i,         // one cycle: the receiver has one place more
  output      logic              err_o,            // sticky: a credit although all places are free
  // Probes
  output      logic [CredW-1:0]  probe_credits_o,  // places at the receiver
  output      logic [Regs-1:0]   probe_left_o      // bit r: the row of register r is still to be read
);

  localparam int WaitW = PackCycles > 3 ? $clog2(PackCycles - 2) : 1;  // the wait is PackCycles - 3 cycles or less
  localparam int FlatW = WarpW + StackW + 96 + Regs;                   // fields of a go, without its live-ins

  // The request that is being sent. Fields that only the header needs stand in one flat register.
  logic              go, busy_d, busy_q, head_d, head_q;  // head: the header is still to be chosen
  logic [WaitW-1:0]  wait_d, wait_q;
  logic [Regs-1:0]   left_d, left_q, in_q;               // left: registers still to be read; in: all of them
  logic [FlatW-1:0]  flat_q;                             // warp, stack, pc, exit, mask, out
  logic [WarpW-1:0]  warp;
  logic [StackW-1:0] stack;
  logic [31:0]       pc, exit, mask;
  logic [Regs-1:0]   out;

  assign go = go_valid_i && !busy_q;
  assign {warp, stack, pc, exit, mask, out} = flat_q;

  // First step: choose the next beat. busy falls with the last choice, not with the last beat. So
  // the next request can begin while two beats of this one are on their way.
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

  // A credit without a place in use is an error and does not count, so the counter never wraps.
  assign back      = credit_i && 32'(credits_q) != OutCredits;
  assign credits_d = credits_q + CredW'(back) - CredW'(choose);
  assign err_d     = err_q || (credit_i && !back);

  // Second and third step. They never stall: each chosen beat has its place at the receiver.
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

  // The next go cannot spoil a header: in_q and flat_q change only after the
  // header has left the second step.
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
  // Without a request nothing is left to send. The header goes before all rows. The counter of
  // places never exceeds OutCredits.
  always @(posedge clk_i) if (rst_ni) begin
    assert (busy_q || (left_q == '0 && !head_q));
    assert (!head_q || left_q == in_q);
    assert (32'(credits_q) <= OutCredits);
  end
`endif
endmodule

`default_nettype wire
