// SPDX-License-Identifier: Apache-2.0
//
// nsu_credits_proof -- every freed entry is told once: entries freed are entries told and entries
// still counted.
//
// The wrapper watches any one of the three kinds. It keeps "freed and not told" in a wider number,
// exact until a counter has no room for one more. From then on the counter is full until it is
// taken. Nothing is assumed.

`default_nettype none

module nsu_credits_proof (
  input  wire logic       clk_i,
  input  wire logic       cmd_free_i,
  input  wire logic       rd_free_i,
  input  wire logic       wr_free_i,
  input  wire logic       take_i,
  input  wire logic [1:0] kind_i  // in the cycle of reset: the counter to watch
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        pending, freed;
  logic [7:0]  cr_cmd;
  logic [9:0]  cr_rd, cr_wr, count, most;
  logic [1:0]  kind;
  logic [10:0] owed;  // freed and not told; stops at 1024, more than any counter holds

  nsu_credits u_dut (
    .clk_i, .rst_ni (rst_n), .cmd_free_i, .rd_free_i, .wr_free_i, .take_i, .pending_o (pending), .cr_cmd_o (cr_cmd),
    .cr_rd_o (cr_rd), .cr_wr_o (cr_wr)
  );

  assign count = kind == 2'd0 ? {2'd0, cr_cmd} : kind == 2'd1 ? cr_rd : cr_wr;
  assign freed = kind == 2'd0 ? cmd_free_i : kind == 2'd1 ? rd_free_i : wr_free_i;
  assign most  = kind == 2'd0 ? 10'd255 : 10'd1023;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      kind <= kind_i;
      owed <= '0;
    end else owed <= take_i ? 11'(freed) : owed[10] ? owed : owed + 11'(freed);
  end

  always_comb if (rst_n) begin
    // Rules 1, 3 and 4: no entry is lost or told twice; a full count stays full.
    conserved:  assert (count == (owed > {1'b0, most} ? most : owed[9:0]));
    // Rule 2.
    is_pending: assert (pending == ({cr_cmd, cr_rd, cr_wr} != '0));
    // A take comes with a further freed entry.
    taken_with: cover (take_i && freed && owed == 11'd3 && cr_cmd == 8'd2 && cr_rd == 10'd1);
  end
endmodule

`default_nettype wire
