// SPDX-License-Identifier: Apache-2.0
//
// track_table_proof -- a register always has a valid copy somewhere. Look-ups of any one register
// are what the updates have made of it. Nothing is assumed.

`default_nettype none

module track_table_proof #(
  parameter int Warps = 2,
  parameter int Regs  = 3
) (
  input  wire logic        clk_i,
  input  wire logic [5:0]  lk_warp_i,
  input  wire logic [39:0] lk_regs_i,
  input  wire logic        wr_valid_i,
  input  wire logic [5:0]  wr_warp_i,
  input  wire logic [7:0]  wr_reg_i,
  input  wire logic        wr_near_i,
  input  wire logic        mv_valid_i,
  input  wire logic [5:0]  mv_warp_i,
  input  wire logic [7:0]  mv_reg_i,
  input  wire logic        mv_near_i,
  input  wire logic        clear_valid_i,
  input  wire logic [5:0]  clear_warp_i,
  input  wire logic [5:0]  warp_i,  // in the cycle of reset: the register to watch
  input  wire logic [7:0]  reg_i
);

  logic       rst_n = 1'b0;                   // low in the first cycle only
  logic [4:0] fb, nb;
  logic [5:0] warp;
  logic [7:0] rg;
  logic       there, is_far, is_near, moved;

  track_table #(.Warps(Warps), .Regs(Regs)) u_dut (
    .clk_i, .rst_ni (rst_n), .lk_warp_i, .lk_regs_i, .fb_o (fb), .nb_o (nb), .wr_valid_i, .wr_warp_i, .wr_reg_i,
    .wr_near_i, .mv_valid_i, .mv_warp_i, .mv_reg_i, .mv_near_i, .clear_valid_i, .clear_warp_i
  );

  assign there = 32'(warp) < Warps && 32'(rg) < Regs;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      warp    <= warp_i;
      rg      <= reg_i;
      is_far  <= 1'b1;
      is_near <= 1'b1;
      moved   <= 1'b0;
    end else begin
      // Rule 2: updates of one cycle apply in the order write, move, clear.
      if (wr_valid_i && wr_warp_i == warp && wr_reg_i == rg) begin
        is_far  <= !wr_near_i;
        is_near <= wr_near_i;
      end
      if (mv_valid_i && mv_warp_i == warp && mv_reg_i == rg) begin
        if (mv_near_i) is_near <= 1'b1;
        else           is_far  <= 1'b1;
        moved <= moved || (mv_near_i && !is_near);
      end
      if (clear_valid_i && clear_warp_i == warp) begin
        is_far  <= 1'b1;
        is_near <= 1'b1;
      end
    end
  end

  always_comb if (rst_n) begin
    // Rules 2 and 3: no update leaves a register without a copy.
    some_copy: assert (32'(lk_warp_i) >= Warps || 32'(lk_regs_i[7:0]) >= Regs || fb[0] || nb[0]);
    // Rules 1 to 3: the watched register.
    as_told:   assert (!there || lk_warp_i != warp || lk_regs_i[7:0] != rg || (fb[0] == is_far && nb[0] == is_near));
    // Rule 1: all look-ups are alike.
    same:      assert (lk_regs_i[39:32] != lk_regs_i[7:0] || (fb[4] == fb[0] && nb[4] == nb[0]));
    // Rule 4.
    outside:   assert ((32'(lk_warp_i) < Warps && 32'(lk_regs_i[15:8]) < Regs) || (!fb[1] && !nb[1]));
    // A near copy was added, and then a far write removed it.
    there_and_back: cover (there && moved && is_far && !is_near);
  end
endmodule

`default_nettype wire
