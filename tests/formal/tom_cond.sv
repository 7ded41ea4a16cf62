// SPDX-License-Identifier: Apache-2.0
//
// tom_cond_proof -- the condition is the formula of the port file, in 64 bits with signs. For all
// operands; nothing is assumed.

`default_nettype none

module tom_cond_proof (
  input wire logic        clk_i,
  input wire logic [1:0]  kind_i,
  input wire logic        up_i,
  input wire logic        is_signed_i,
  input wire logic [3:0]  shift_i,
  input wire logic        beyond_i,
  input wire logic [31:0] imm_i,
  input wire logic [31:0] start_i,
  input wire logic [31:0] bound_i,
  input wire logic [31:0] step_i
);

  logic               rst_n = 1'b0;            // low in the first cycle only
  logic               hold;
  logic signed [63:0] start, bound, step, imm, distance, steps;

  tom_cond u_dut (
    .clk_i, .rst_ni (rst_n), .kind_i, .up_i, .is_signed_i, .shift_i, .beyond_i, .imm_i, .start_i, .bound_i, .step_i,
    .hold_o (hold)
  );

  assign start = is_signed_i ? {{32{start_i[31]}}, start_i} : {32'd0, start_i};
  assign bound = is_signed_i ? {{32{bound_i[31]}}, bound_i} : {32'd0, bound_i};
  assign step  = is_signed_i ? {{32{step_i[31]}}, step_i} : {32'd0, step_i};
  assign imm   = {{32{imm_i[31]}}, imm_i};

  // The shift, one of its bits after the other.
  always_comb begin
    steps = step;
    for (int i = 0; i < 4; i++) if (shift_i[i]) steps = steps << (1 << i);
    distance = bound - start;
    if (!up_i) distance = -distance;
  end

  always @(posedge clk_i) rst_n <= 1'b1;

  always_comb if (rst_n) begin
    // Rule 3, by kind.
    always_met: assert (kind_i != 2'd0 || hold);
    distances:  assert (kind_i != 2'd1 || hold == (distance >= imm));
    in_steps:   assert (kind_i != 2'd2 || hold == (beyond_i ? distance > steps : distance >= steps));
    never_met:  assert (kind_i != 2'd3 || !hold);
    // Just one step beyond; a step that needs more than 32 bits.
    passed:     cover (kind_i == 2'd2 && beyond_i && hold && distance == steps + 1 && step_i == 32'd3);
    far_step:   cover (kind_i == 2'd2 && hold && shift_i == 4'd15 && step_i == 32'h1ffff && !is_signed_i && up_i);
  end
endmodule

`default_nettype wire
