// SPDX-License-Identifier: Apache-2.0
//
// nsu_acks_proof -- a slot is told to be without writes in flight exactly when each that was sent has been acknowledged; what nothing
// waits for is flagged and changes nothing.
//
// One slot, any, is watched. Assumed: at most 7 of its writes are in flight at a time.

`default_nettype none

module nsu_acks_proof #(
  parameter int NumWarps = 3
) (
  input  wire logic       clk_i,
  input  wire logic       inc_i,
  input  wire logic [5:0] inc_slot_i,
  input  wire logic       dec_i,
  input  wire logic [5:0] dec_slot_i,
  input  wire logic [5:0] slot_i              // in the cycle of reset: the slot that is watched
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic [63:0] zero, there;                   // there: slots there are
  logic        err, wrong, asked;
  logic [5:0]  slot;
  logic [2:0]  count;                         // its writes in flight

  nsu_acks #(.NumWarps(NumWarps)) u_dut (
    .clk_i, .rst_ni (rst_n), .inc_i (inc_i && rst_n), .inc_slot_i, .dec_i (dec_i && rst_n), .dec_slot_i, .zero_o (zero), .err_noreq_o (err)
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
    assume (32'(inc_slot_i) < NumWarps);
    assume (!(inc_i && inc_slot_i == slot && count == 3'd7));
    assume (32'(slot) < NumWarps);
    is_zero:    assert (zero[slot] == (count == '0));
    in_range:   assert ((zero & ~there) == '0);
    flagged:    assert (!asked || err == wrong);
    both_ways:  cover (inc_i && dec_i && inc_slot_i == slot && dec_slot_i == slot && count == 3'd2 && !zero[slot]);
  end
endmodule

`default_nettype wire
