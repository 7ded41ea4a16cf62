// SPDX-License-Identifier: Apache-2.0
//
// nsu_acks_proof -- a slot counts as without writes in flight exactly when all that were sent are
// acknowledged. An acknowledgement of no write is flagged and changes nothing.
//
// The wrapper watches any one slot.

`default_nettype none

module nsu_acks_proof #(
  parameter int NumWarps = 3
) (
  input  wire logic       clk_i,
  input  wire logic       inc_i,
  input  wire logic [5:0] inc_slot_i,
  input  wire logic       dec_i,
  input  wire logic [5:0] dec_slot_i,
  input  wire logic [5:0] slot_i  // in the cycle of reset: the slot to watch
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic [63:0] zero, there;  // there: slots that exist
  logic        err, wrong, asked;
  logic [5:0]  slot;
  logic [2:0]  count;  // the watched slot's writes in flight

  nsu_acks #(.NumWarps(NumWarps)) u_dut (
    .clk_i, .rst_ni (rst_n), .inc_i (inc_i && rst_n), .inc_slot_i, .dec_i (dec_i && rst_n), .dec_slot_i, .zero_o (zero),
    .err_noreq_o (err)
  );

  always_comb for (int i = 0; i < 64; i++) there[i] = i < NumWarps;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    asked <= rst_n && dec_i && (dec_slot_i == slot || 32'(dec_slot_i) >= NumWarps);
    wrong <= rst_n && dec_i && (dec_slot_i == slot ? count == '0 : 32'(dec_slot_i) >= NumWarps);
    if (!rst_n) begin
      slot  <= slot_i;
      count <= '0;
    end else begin
      count <= count + 3'(inc_i && inc_slot_i == slot) - 3'(dec_i && dec_slot_i == slot && count != '0);
    end
  end

  always_comb if (rst_n) begin
    // Rule 1: a sent write names a slot in range.
    assume (32'(inc_slot_i) < NumWarps);
    // A limit of the proof: at most 7 writes of the watched slot are in
    // flight (rule 6 allows 2,048).
    assume (!(inc_i && inc_slot_i == slot && count == 3'd7));
    // A choice of the proof, fixed in reset.
    assume (32'(slot) < NumWarps);
    // Rules 1 to 4: the watched slot's bit is exact.
    is_zero:    assert (zero[slot] == (count == '0));
    // Rule 4: bits of slots that do not exist are 0.
    in_range:   assert ((zero & ~there) == '0);
    // Rule 5.
    flagged:    assert (!asked || err == wrong);
    // A write and an acknowledgement of one slot in one cycle (rule 3).
    both_ways:  cover (inc_i && dec_i && inc_slot_i == slot && dec_slot_i == slot && count == 3'd2 && !zero[slot]);
  end
endmodule

`default_nettype wire
