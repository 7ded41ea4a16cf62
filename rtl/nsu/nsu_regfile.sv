// SPDX-License-Identifier: Apache-2.0
//
// nsu_regfile -- register file: 16 registers a warp of 32 threads x 32 bits.
//
// One read port and one write port with fixed priorities; grants come in the cycle of the request:
//
//   read    the lanes (always granted), the store unit, the end unit
//   write   the lanes (always granted), the load unit
//
// The row that was read is there in the next cycle and stays until the cycle of the next grant.
// A read of the row that is written in the same cycle gives the old content.
// Reset does not touch the contents; they are 0 at power-up.

`default_nettype none

module nsu_regfile #(
  parameter  int NumWarps = 48, // warp slots, 1 .. 64
  localparam int Rows     = NumWarps * nsu_pkg::NUM_REGS,
  localparam int RowBits  = $clog2(Rows),
  localparam int LineBits = nsu_pkg::LINE_BITS
) (
  input  wire logic                           clk_i,         // clock, rising edge
  input  wire logic                           rst_ni,        // reset, for assertions only
  // From and to the lanes, the store unit and the end unit
  input  wire logic                           ex_rd_valid_i, // the lanes read; always granted
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] ex_rd_slot_i,  // warp slot, less than NumWarps
  input  wire logic [3:0]                     ex_rd_reg_i,   // register
  input  wire logic                           st_rd_valid_i, // the store unit asks to read
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] st_rd_slot_i,  // warp slot, less than NumWarps
  input  wire logic [3:0]                     st_rd_reg_i,   // register
  output      logic                           st_rd_gnt_o,   // granted in this cycle: the lanes do not read
  input  wire logic                           en_rd_valid_i, // the end unit asks to read
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] en_rd_slot_i,  // warp slot, less than NumWarps
  input  wire logic [3:0]                     en_rd_reg_i,   // register
  output      logic                           en_rd_gnt_o,   // granted in this cycle: no other read
  output      logic [LineBits-1:0]            rd_data_o,     // row of the last granted read, thread i at [32 i +: 32]
  // From and to the lanes and the load unit
  input  wire logic                           ex_wr_valid_i, // the lanes write; always granted
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] ex_wr_slot_i,  // warp slot, less than NumWarps
  input  wire logic [3:0]                     ex_wr_reg_i,   // register
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] ex_wr_mask_i,  // threads to write
  input  wire logic [LineBits-1:0]            ex_wr_row_i,   // the row
  input  wire logic                           ld_wr_valid_i, // the load unit asks to write
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] ld_wr_slot_i,  // warp slot, less than NumWarps
  input  wire logic [3:0]                     ld_wr_reg_i,   // register
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] ld_wr_mask_i,  // threads to write
  input  wire logic [LineBits-1:0]            ld_wr_row_i,   // the row
  output      logic                           ld_wr_gnt_o    // granted in this cycle: the lanes do not write
);

  // A row of the memory is a register of a slot, at {slot, register}: a word a thread.
  logic [9:0] rd_row, wr_row;

  // The lanes come first, so that their reads and write-backs need no way to stall.
  assign st_rd_gnt_o = st_rd_valid_i && !ex_rd_valid_i;
  assign en_rd_gnt_o = en_rd_valid_i && !ex_rd_valid_i && !st_rd_valid_i;
  assign ld_wr_gnt_o = ld_wr_valid_i && !ex_wr_valid_i;

  assign rd_row = ex_rd_valid_i ? {ex_rd_slot_i, ex_rd_reg_i} :
                  st_rd_valid_i ? {st_rd_slot_i, st_rd_reg_i} : {en_rd_slot_i, en_rd_reg_i};
  assign wr_row = ex_wr_valid_i ? {ex_wr_slot_i, ex_wr_reg_i} : {ld_wr_slot_i, ld_wr_reg_i};

  sram_1r1w #(.Width(LineBits), .Depth(Rows), .LaneBits(nsu_pkg::WORD_BITS)) u_rows (
    .clk_i, .rst_ni,
    .wr_en_i   (ex_wr_valid_i || ld_wr_valid_i),
    .wr_addr_i (RowBits'(wr_row)),
    .wr_mask_i (ex_wr_valid_i ? ex_wr_mask_i : ld_wr_mask_i),
    .wr_data_i (ex_wr_valid_i ? ex_wr_row_i : ld_wr_row_i),
    .rd_en_i   (ex_rd_valid_i || st_rd_valid_i || en_rd_valid_i),
    .rd_addr_i (RowBits'(rd_row)),
    .rd_data_o
  );

  // Slots are in range, so the upper bits of a row's number are zero.
  logic unused_row;
  assign unused_row = &{1'b0, rd_row, wr_row};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (2'(ex_rd_valid_i) + 2'(st_rd_gnt_o) + 2'(en_rd_gnt_o) <= 2'd1);  // one read a cycle
    assert (!(ex_wr_valid_i && ld_wr_gnt_o));
  end
`endif
endmodule

`default_nettype wire
