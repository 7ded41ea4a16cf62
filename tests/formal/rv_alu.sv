// SPDX-License-Identifier: Apache-2.0
//
// rv_alu_proof -- every operation and every comparison is what SystemVerilog's operators give. For
// all operands; nothing is assumed.

`default_nettype none

module rv_alu_proof (
  input wire logic        clk_i,
  input wire logic [3:0]  sub_i,
  input wire logic [31:0] a_i,
  input wire logic [31:0] b_i
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic [31:0] y, right;
  logic        taken;

  rv_alu u_dut (.clk_i, .rst_ni (rst_n), .sub_i, .a_i, .b_i, .y_o (y), .taken_o (taken));

  always @(posedge clk_i) rst_n <= 1'b1;

  // A shift to the right by the amount's bits, one after the other.
  always_comb begin
    right = a_i;
    for (int i = 0; i < 5; i++) begin
      if (b_i[i]) right = (right >> (1 << i)) | (sub_i[3] && a_i[31] ? ~(32'hffffffff >> (1 << i)) : 32'd0);
    end
  end

  always_comb if (rst_n) begin
    // Rule 2.
    sums:       assert (sub_i[2:0] != 3'd0 || y == (sub_i[3] ? a_i - b_i : a_i + b_i));
    left:       assert (sub_i[2:0] != 3'd1 || y == a_i << b_i[4:0]);
    compares:   assert (sub_i[2:1] != 2'd1 || y == 32'(sub_i[0] ? a_i < b_i : $signed(a_i) < $signed(b_i)));
    shifts:     assert (sub_i[2:0] != 3'd5 || y == right);
    bits:       assert ((sub_i[2:0] != 3'd4 || y == (a_i ^ b_i)) && (sub_i[2:0] != 3'd6 || y == (a_i | b_i)) &&
                        (sub_i[2:0] != 3'd7 || y == (a_i & b_i)));
    // Rule 3.
    same:       assert (sub_i[2] || taken == ((a_i == b_i) != sub_i[0]));
    signed_s:   assert (sub_i[2:1] != 2'd2 || taken == (($signed(a_i) < $signed(b_i)) != sub_i[0]));
    unsigned_s: assert (sub_i[2:1] != 2'd3 || taken == ((a_i < b_i) != sub_i[0]));
    all_sign:   cover (sub_i == 4'd13 && b_i[4:0] == 5'd31 && y == '1 && a_i[30:0] == '0);
  end
endmodule

`default_nettype wire
