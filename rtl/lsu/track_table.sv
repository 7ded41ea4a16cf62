// SPDX-License-Identifier: Apache-2.0
//
// track_table -- register track table: where each register of each warp has a valid copy (MPU
// paper, IV-B1, Fig. 3: FBValid, NBValid).
//
// Two bits a register, far and near; at the end of a cycle, a later line wins:
//
//   wr     an instruction writes one copy     that copy is valid, the other is not
//   mv     a move has made a copy             that copy is valid, too
//   clear  a warp begins                      both copies of all its registers are valid
//
// Look-ups answer in the same cycle, from state. The table has five look-ups in one cycle and
// clears a whole warp. So it is flip-flops and no sram, whatever its size.

`default_nettype none

module track_table #(
  parameter int Warps = 16,  // warps of a subcore, 1 to 64
  parameter int Regs  = 64   // registers of a thread, 1 to 256
) (
  input  wire logic                        clk_i,          // core clock
  input  wire logic                        rst_ni,         // asynchronous, active low; then all copies are valid
  // From the offload engine: look-ups
  input  wire logic [lsu_pkg::WARP_W-1:0]  lk_warp_i,      // warp that is looked up
  input  wire logic [5*lsu_pkg::REG_W-1:0] lk_regs_i,      // five registers of 8 bits, the first lowest
  output      logic [4:0]                  fb_o,           // bit i, same cycle: i has a valid far-bank copy
  output      logic [4:0]                  nb_o,           // bit i, same cycle: i has a valid near-bank copy
  // From the offload engine: an instruction writes a register
  input  wire logic                        wr_valid_i,     // an instruction writes a register
  input  wire logic [lsu_pkg::WARP_W-1:0]  wr_warp_i,      // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]   wr_reg_i,       // its register
  input  wire logic                        wr_near_i,      // 1: in the near-bank file, 0: in the far-bank file
  // From the move engine: a copy was made
  input  wire logic                        mv_valid_i,     // a copy was made
  input  wire logic [lsu_pkg::WARP_W-1:0]  mv_warp_i,      // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]   mv_reg_i,       // its register
  input  wire logic                        mv_near_i,      // 1: to the near-bank file, 0: to the far-bank file
  // A warp begins
  input  wire logic                        clear_valid_i,  // a warp begins: its values are undefined
  input  wire logic [lsu_pkg::WARP_W-1:0]  clear_warp_i    // its warp
);

  localparam int RegW = Regs > 1 ? $clog2(Regs) : 1;

  logic [Warps*Regs-1:0] far_warp_reg, near_warp_reg;
  logic [Regs-1:0]       wr_hot, mv_hot;       // no bit for a register of Regs or more

  assign wr_hot = Regs'(1) << wr_reg_i;
  assign mv_hot = Regs'(1) << mv_reg_i;

  // A row of the table: the bits of one warp. A warp of Warps or more has no row, so it is ignored.
  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    logic [Regs-1:0] far_d, far_q, near_d, near_q;

    always_comb begin
      far_d  = far_q;
      near_d = near_q;
      if (wr_valid_i && wr_warp_i == 6'(w)) begin
        far_d  = wr_near_i ? far_d & ~wr_hot : far_d | wr_hot;
        near_d = wr_near_i ? near_d | wr_hot : near_d & ~wr_hot;
      end
      if (mv_valid_i && mv_warp_i == 6'(w)) begin
        if (mv_near_i) near_d = near_d | mv_hot;
        else           far_d  = far_d | mv_hot;
      end
      if (clear_valid_i && clear_warp_i == 6'(w)) begin
        far_d  = '1;
        near_d = '1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        far_q  <= '1;
        near_q <= '1;
      end else begin
        far_q  <= far_d;
        near_q <= near_d;
      end
    end

    assign far_warp_reg[w*Regs +: Regs]  = far_q;
    assign near_warp_reg[w*Regs +: Regs] = near_q;
  end

  // The look-up: the warp's row, none for a warp of Warps or more; of it five registers.
  logic [Regs-1:0] far_reg, near_reg;

  always_comb begin
    far_reg  = '0;
    near_reg = '0;
    for (int w = 0; w < Warps; w++) begin
      if (lk_warp_i == 6'(w)) begin
        far_reg  = far_warp_reg[w*Regs +: Regs];
        near_reg = near_warp_reg[w*Regs +: Regs];
      end
    end
  end

  always_comb begin
    fb_o = '0;
    nb_o = '0;
    for (int i = 0; i < 5; i++) begin
      fb_o[i] = 32'(lk_regs_i[i*8 +: 8]) < Regs && far_reg[lk_regs_i[i*8 +: RegW]];
      nb_o[i] = 32'(lk_regs_i[i*8 +: 8]) < Regs && near_reg[lk_regs_i[i*8 +: RegW]];
    end
  end

  initial begin
    if (Warps < 1 || Warps > 64) $fatal(1, "track_table: Warps must be 1 to 64");
    if (Regs < 1 || Regs > 256) $fatal(1, "track_table: Regs must be 1 to 256");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (&(far_warp_reg | near_warp_reg));  // every register has a valid copy
  end
`endif
endmodule

`default_nettype wire
