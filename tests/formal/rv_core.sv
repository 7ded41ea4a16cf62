// SPDX-License-Identifier: Apache-2.0
//
// rv_core_proof -- one instruction after the other: each is fetched once, over once and in time,
// and then the next one that it names comes. Requests stay until they are taken, and only loads and
// stores access data. A trap writes no register and goes to the handler. Register 0 is 0.
//
// The wrapper follows an instruction from its fetch to its end, by handshakes alone. It tells loads
// and stores by their opcodes. Two parts with proofs of their own are replaced by smaller ones:
// there are two registers, for odd and even numbers, and products are sums, in their time. Nothing
// is assumed.

`default_nettype none

// Stand-in: one register for odd numbers and one for even numbers.
module sram_1r1w #(
  parameter  int Width    = 32,
  parameter  int Depth    = 32,
  parameter  int LaneBits = 32,
  localparam int AddrW    = $clog2(Depth)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             wr_en_i,
  input  wire logic [AddrW-1:0] wr_addr_i,
  input  wire logic             wr_mask_i,
  input  wire logic [Width-1:0] wr_data_i,
  input  wire logic             rd_en_i,
  input  wire logic [AddrW-1:0] rd_addr_i,
  output      logic [Width-1:0] rd_data_o
);
  logic [Width-1:0] even_q, odd_q;
  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= rd_addr_i[0] ? odd_q : even_q;
    if (wr_en_i && wr_mask_i && wr_addr_i[0]) odd_q <= wr_data_i;
    if (wr_en_i && wr_mask_i && !wr_addr_i[0]) even_q <= wr_data_i;
  end
endmodule

// Stand-in: a sum, 33 cycles after start as the real results.
module rv_muldiv (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        start_i,
  input  wire logic [2:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  output      logic        ready_o,
  output      logic        done_o,
  output      logic [31:0] y_o,
  output      logic [6:0]  probe_left_o
);
  logic [5:0] left_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else         left_q <= left_q != 6'd0 ? left_q - 6'd1 : start_i ? 6'd33 : 6'd0;
  end
  always_ff @(posedge clk_i) if (start_i && ready_o) y_o <= a_i + b_i + 32'(op_i);
  assign ready_o      = left_q == 6'd0;
  assign done_o       = left_q == 6'd1;
  assign probe_left_o = 7'(left_q);
endmodule

module rv_core_proof #(
  parameter int ResetPc = 256
) (
  input wire logic        clk_i,
  input wire logic        irq_i,
  input wire logic        im_req_ready_i,
  input wire logic        im_rsp_valid_i,
  input wire logic [31:0] im_rsp_data_i,
  input wire logic        im_rsp_err_i,
  input wire logic        dm_req_ready_i,
  input wire logic        dm_rsp_valid_i,
  input wire logic [31:0] dm_rsp_data_i,
  input wire logic        dm_rsp_err_i
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        im_req, im_rsp, dm_req, dm_write, dm_rsp, sleeping, valid, trap, intr, memory, unused_mie, unused_mpie;
  logic [31:0] im_addr, dm_addr, dm_data, pc, insn, rd_value, next_pc, address, mepc, unused_mtval;
  logic [3:0]  dm_mask, mask;
  logic [4:0]  rd, mcause;
  logic [63:0] unused_mcycle, unused_minstret;

  rv_core #(.ResetPc(ResetPc)) u_dut (
    .clk_i, .rst_ni (rst_n), .irq_i, .im_req_valid_o (im_req), .im_req_addr_o (im_addr), .im_req_ready_i,
    .im_rsp_valid_i, .im_rsp_data_i, .im_rsp_err_i, .im_rsp_ready_o (im_rsp), .dm_req_valid_o (dm_req),
    .dm_req_write_o (dm_write), .dm_req_addr_o (dm_addr), .dm_req_mask_o (dm_mask), .dm_req_data_o (dm_data),
    .dm_req_ready_i, .dm_rsp_valid_i, .dm_rsp_data_i, .dm_rsp_err_i, .dm_rsp_ready_o (dm_rsp), .sleeping_o (sleeping),
    .probe_valid_o (valid), .probe_trap_o (trap), .probe_intr_o (intr), .probe_pc_o (pc), .probe_insn_o (insn),
    .probe_rd_o (rd), .probe_rd_value_o (rd_value), .probe_next_pc_o (next_pc), .probe_memory_o (memory),
    .probe_address_o (address), .probe_mask_o (mask), .probe_mie_o (unused_mie), .probe_mpie_o (unused_mpie),
    .probe_mcause_o (mcause), .probe_mepc_o (mepc), .probe_mtval_o (unused_mtval), .probe_mcycle_o (unused_mcycle),
    .probe_minstret_o (unused_minstret)
  );

  // The instruction's place, cycles since its response, and the state of its access.
  localparam logic [1:0] ASKED = 2'd0, WAITED = 2'd1, UNDER_WAY = 2'd2;
  logic [1:0]  place;
  logic [5:0]  since;  // stops at its highest value
  logic [31:0] due, its_word;
  logic        refused, asked, answered, failed;

  // The opcodes that rule 4 gives other times than three cycles.
  logic is_load, is_store, is_product, is_wfi;
  assign is_load    = its_word[6:0] == 7'h03;
  assign is_store   = its_word[6:0] == 7'h23;
  assign is_product = its_word[6:0] == 7'h33 && its_word[31:25] == 7'h01;
  assign is_wfi     = its_word == 32'h10500073;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      place    <= ASKED;
      due      <= 32'(ResetPc);
      since    <= '0;
      its_word <= '0;
      refused  <= 1'b0;
      {asked, answered, failed} <= '0;
    end else begin
      if (place == ASKED && im_req && im_req_ready_i) place <= WAITED;
      if (place == WAITED && im_rsp && im_rsp_valid_i) begin
        place    <= UNDER_WAY;
        since    <= 6'd1;
        its_word <= im_rsp_data_i;
        refused  <= im_rsp_err_i;
        {asked, answered, failed} <= '0;
      end
      if (place == UNDER_WAY) begin
        if (since != '1) since <= since + 6'd1;
        if (dm_req && dm_req_ready_i) asked <= 1'b1;
        if (dm_rsp && dm_rsp_valid_i) {answered, failed} <= {1'b1, dm_rsp_err_i};
        if (valid) begin
          place <= ASKED;
          due   <= next_pc;
        end
      end
    end
  end

  // Requests of the last cycle that were not taken.
  logic        begun, im_held, dm_held;
  logic [31:0] old_im_addr;
  logic [68:0] old_dm;

  always @(posedge clk_i) begin
    begun       <= rst_n;
    im_held     <= im_req && !im_req_ready_i;
    dm_held     <= dm_req && !dm_req_ready_i;
    old_im_addr <= im_addr;
    old_dm      <= {dm_addr, dm_mask, dm_write, dm_write ? dm_data : 32'd0};
  end

  // Rule 4: the cycle in which the instruction is over.
  logic in_time;
  assign in_time = refused ? since == 6'd1 : is_load || is_store ? (trap && !asked ? since == 6'd3 : answered) :
                   is_product ? since == 6'd36 : is_wfi ? since >= 6'd3 : since == 6'd3;

  always_comb if (rst_n) begin
    // Rule 2: addresses are multiples of four.
    aligned:   assert ((!im_req || im_addr[1:0] == 2'd0) && (!dm_req || dm_addr[1:0] == 2'd0) &&
                       (!valid || next_pc[1:0] == 2'd0));
    // Rule 1: one request at a time, each with its response.
    in_turn:   assert (im_req == (place == ASKED) && im_rsp == (place == WAITED) && (!valid || place == UNDER_WAY) &&
                       (!dm_req || (place == UNDER_WAY
                       && !asked)) && (!dm_rsp || (place == UNDER_WAY && asked && !answered)));
    // Rule 4: the next request is of the instruction named before.
    next_one:  assert ((!im_req || im_addr == due) && (!valid || (pc == due && insn == its_word)));
    // Rule 1: a request stays until it is taken.
    steady:    assert (!begun || ((!im_held || (im_req && im_addr == old_im_addr)) &&
                       (!dm_held || (dm_req && {dm_addr, dm_mask, dm_write, dm_write ? dm_data : 32'd0} == old_dm))));
    // Rule 4.
    times:     assert (place != UNDER_WAY || (valid ? in_time : refused ? 1'b0 : is_load || is_store ? !answered
                                              : is_product ? since < 6'd36
                       : is_wfi ? (since < 6'd3 || sleeping) : since < 6'd3));
    // Rule 2: only loads and stores; the probes are those of the bus.
    accesses:  assert ((!dm_req || (is_load || is_store)) && (!dm_write || is_store) &&
                       (!memory || (dm_mask == mask && address[31:2] == dm_addr[31:2]
                       && answered && !failed)));
    // Rule 3: a trap writes no register, and mepc is its instruction.
    traps:     assert (!valid || !trap || (rd == 5'd0 && !memory && (intr || (mepc == pc && !mcause[4]))));
    // Rule 3: a failed fetch or access traps.
    failures:  assert (!valid || ((!refused && !failed) || trap));
    // Rule 3: register 0 is 0, written or read.
    zero:      assert (rd != 5'd0 || rd_value == 32'd0);
    from_zero: assert (!valid || trap || insn[6:0] != 7'h13 || insn[14:12] != 3'd0 || insn[19:15] != 5'd0 ||
                       insn[11:7] == 5'd0
                       || rd_value == {{20{insn[31]}}, insn[31:20]});
    // Rule 3: where JAL goes, and the instruction behind any that does not jump.
    jumps:     assert (!valid || trap || intr || insn[6:0] != 7'h6f ||
                       next_pc == pc + {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0});
    follows:   assert (!valid || trap || intr || insn[6:0] == 7'h6f || insn[6:0] == 7'h67 || insn[6:0] == 7'h63 ||
                       insn[6:0] == 7'h73
                       || next_pc == pc + 32'd4);
    // A store fails; a WFI ends with an interrupt.
    fault:     cover (valid && trap && failed && is_store);
    taken:     cover (valid && intr && !trap && is_wfi);
  end
endmodule

`default_nettype wire
