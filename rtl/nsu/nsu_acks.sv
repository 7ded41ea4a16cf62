// SPDX-License-Identifier: Apache-2.0
//
// nsu_acks -- counts the writes of each warp slot that memory has not acknowledged.
//
// One increment and one decrement a cycle; both for one slot cancel out. some_q says which counts
// are not zero, so that the counts need no reset and zero_o no comparison.
// Decisions use the registered count. An acknowledgement of a slot without writes in flight, or of
// a slot that does not exist, is dropped. The next cycle reports it.

`default_nettype none

module nsu_acks #(
  parameter  int NumWarps = 48, // warp slots, 1 .. 64
  localparam int SlotBits = NumWarps > 1 ? $clog2(NumWarps) : 1
) (
  input  wire logic                           clk_i,      // clock, rising edge
  input  wire logic                           rst_ni,     // asynchronous reset, active low; all counts 0
  // From the store unit
  input  wire logic                           inc_i,      // a write was sent
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] inc_slot_i, // its slot, less than NumWarps
  // From the network interface
  input  wire logic                           dec_i,      // memory acknowledges a write
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] dec_slot_i, // its slot, from the packet's header
  // To the warp table
  output      logic [63:0]                    zero_o,     // bit s: slot s has no write in flight; state
  output      logic                           err_noreq_o // next cycle: nothing waited for the acknowledgement
);

  // A block has at most 64 stores of 32 lines each, so a count cannot overflow.
  localparam int CntBits = $clog2((1 << nsu_pkg::SEQ_BITS) * nsu_pkg::WARP_WIDTH + 1);

  // An entry of cnt_q is the count of a slot, valid where some_q is set.
  logic [NumWarps-1:0] some_d, some_q;
  logic [CntBits-1:0]  cnt_q [0:NumWarps-1];
  logic [SlotBits-1:0] dec_slot;
  logic [CntBits-1:0]  inc_cnt, dec_cnt;                             // the new counts
  logic                dec_ok, same, do_inc, do_dec, err_d, err_q;

  assign dec_slot = SlotBits'(dec_slot_i);
  assign dec_ok   = dec_i && 32'(dec_slot_i) < NumWarps && some_q[dec_slot];
  assign err_d    = dec_i && !dec_ok;
  assign same     = inc_slot_i == dec_slot_i;
  assign do_inc   = inc_i && !(dec_ok && same);
  assign do_dec   = dec_ok && !(inc_i && same);
  assign inc_cnt  = some_q[SlotBits'(inc_slot_i)] ? cnt_q[SlotBits'(inc_slot_i)] + 1'b1 : CntBits'(1);
  assign dec_cnt  = cnt_q[dec_slot] - 1'b1;

  // The increment comes last; the two never meet in one slot.
  always_comb begin
    some_d = some_q;
    if (do_dec) some_d[dec_slot] = dec_cnt != '0;
    if (do_inc) some_d[SlotBits'(inc_slot_i)] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (do_dec) cnt_q[dec_slot] <= dec_cnt;
    if (do_inc) cnt_q[SlotBits'(inc_slot_i)] <= inc_cnt;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      some_q <= '0;
      err_q  <= 1'b0;
    end else begin
      some_q <= some_d;
      err_q  <= err_d;
    end
  end

  always_comb begin
    zero_o               = '0;
    zero_o[NumWarps-1:0] = ~some_q;
  end
  assign err_noreq_o = err_q;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(do_inc && do_dec && same));
    assert (!do_dec || cnt_q[dec_slot] != '0);
  end
`endif
endmodule

`default_nettype wire
