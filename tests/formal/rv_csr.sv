// SPDX-License-Identifier: Apache-2.0
//
// rv_csr_proof -- a register reads what was written to it, without the bits that cannot be written.
// Accesses to no register, and writes to read-only ones, are told and change nothing. Traps,
// interrupts and returns move mstatus, mepc, mcause and mtval as the manual says. Counters count,
// and keep what is written to them.
//
// The wrapper watches any one register; its address is chosen in reset. It keeps the two bits of
// mstatus itself. Nothing is assumed.

`default_nettype none

module rv_csr_proof #(
  parameter int HartId = 7
) (
  input wire logic        clk_i,
  input wire logic [11:0] watched_i,
  input wire logic        irq_i,
  input wire logic        access_i,
  input wire logic [11:0] addr_i,
  input wire logic [1:0]  sub_i,
  input wire logic        none_i,
  input wire logic [31:0] value_i,
  input wire logic        trap_i,
  input wire logic [3:0]  cause_i,
  input wire logic [31:0] tval_i,
  input wire logic        intr_i,
  input wire logic [31:0] pc_i,
  input wire logic        mret_i,
  input wire logic        retire_i
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic [31:0] rdata, handler, handler_irq, epc, mtval, mscratch;
  logic        illegal, wake, take, mie, mpie, meie, meip;
  logic [4:0]  mcause;
  logic [63:0] mcycle, minstret;

  rv_csr #(.HartId(HartId)) u_dut (
    .clk_i, .rst_ni (rst_n), .irq_i, .access_i, .addr_i, .sub_i, .none_i, .value_i, .rdata_o (rdata),
    .illegal_o (illegal), .trap_i, .cause_i, .tval_i, .intr_i, .pc_i, .mret_i, .retire_i, .wake_o (wake),
    .take_o (take), .handler_o (handler), .handler_irq_o (handler_irq), .epc_o (epc), .probe_mie_o (mie),
    .probe_mpie_o (mpie), .probe_meie_o (meie), .probe_meip_o (meip), .probe_mcause_o (mcause), .probe_mtval_o (mtval),
    .probe_mscratch_o (mscratch), .probe_mcycle_o (mcycle), .probe_minstret_o (minstret)
  );

  // The registers that exist: those of the list with bits of their own, and the others of the
  // manual's table.
  logic exists, read_only, writes, written, turned;

  always_comb begin
    case (addr_i)
      12'h300, 12'h301, 12'h304, 12'h305, 12'h310, 12'h320, 12'h340, 12'h341, 12'h342, 12'h343, 12'h344, 12'hb00,
      12'hb02, 12'hb80, 12'hb82,
      12'hf11, 12'hf12, 12'hf13, 12'hf14, 12'hf15: exists = 1'b1;
      default: exists = (addr_i[11:5] == 7'h19 && addr_i[4:0] > 5'd2) ||                       // mhpmevent3 to 31
                        // mhpmcounter3 to 31, their high halves
                        ((addr_i[11:5] == 7'h58 || addr_i[11:5] == 7'h5c) && addr_i[4:0] > 5'd2);
    endcase
  end

  assign read_only = addr_i >= 12'hc00;
  assign writes    = sub_i == 2'd1 || !none_i;
  assign turned    = intr_i || trap_i || mret_i;
  assign written   = access_i && !turned && exists && writes && !read_only;

  // The watched register: its value if only software writes it.
  logic [11:0] watched;
  logic [31:0] mask, ones, was, want;
  logic        known;

  assign want = sub_i == 2'd1 ? value_i : sub_i == 2'd3 ? rdata & ~value_i : rdata | value_i;

  always_comb begin
    ones = '0;
    case (watched)
      12'h300: {mask, ones} = {32'h88, 32'h1800};
      12'h304: mask = 32'h800;
      12'h305: mask = ~32'h2;
      12'h340, 12'h343: mask = '1;
      12'h341: mask = ~32'h3;
      12'h342: mask = 32'h8000000f;
      12'h301: {mask, ones} = {32'h0, 32'h40001100};
      12'hf14: {mask, ones} = {32'h0, 32'(HartId)};
      default: mask = '0;
    endcase
  end

  logic lives;  // it moves by itself
  assign lives = watched == 12'h344 || watched == 12'hb00 || watched == 12'hb02 || watched == 12'hb80 ||
                 watched == 12'hb82;

  logic        old_mie, old_mpie, old_intr, old_trap, old_mret, old_status, old_begun, old_irq, old_cycle, old_cycleh,
      old_instret, old_instreth,
               old_retire;
  logic [31:0] old_pc, old_tval, old_want;
  logic [3:0]  old_cause;
  logic [63:0] last_cycle, last_instret;

  always @(posedge clk_i) begin
    rst_n      <= 1'b1;
    old_begun  <= rst_n;
    if (!rst_n) begin
      watched <= watched_i;
      known   <= 1'b1;
      was     <= '0;
    end else begin
      if (turned && (watched == 12'h300 || watched == 12'h341 || watched == 12'h342 || watched == 12'h343))
        known <= 1'b0;
      if (written && addr_i == watched) {known, was} <= {1'b1, want};
    end
    {old_mie, old_mpie, old_intr, old_trap, old_mret, old_irq} <= {mie, mpie, intr_i, trap_i, mret_i, irq_i};
    {old_pc, old_tval, old_cause, old_want}                    <= {pc_i, tval_i, cause_i, want};
    {last_cycle, last_instret, old_retire}                     <= {mcycle, minstret, retire_i};
    old_status   <= written && addr_i == 12'h300;
    old_cycle    <= written && addr_i == 12'hb00;
    old_cycleh   <= written && addr_i == 12'hb80;
    old_instret  <= written && addr_i == 12'hb02;
    old_instreth <= written && addr_i == 12'hb82;
  end

  logic entered;
  assign entered = old_intr || old_trap;

  always_comb if (rst_n) begin
    // Rule 2.
    is_illegal: assert (illegal == (!exists || (writes && read_only)));
    // Rules 1 and 3.
    reads:      assert (addr_i != watched || lives || !known || rdata == ((was & mask) | ones));
    // Rule 5: traps and interrupts.
    enters:     assert (!old_begun || !entered || (!mie && mpie == old_mie && epc == {old_pc[31:2], 2'd0}
                        && mcause == (old_intr ? 5'd27 : {1'b0, old_cause}) && mtval == (old_intr ? '0 : old_tval)));
    // Rule 5: MRET; nothing else moves the two bits of mstatus.
    returns:    assert (!old_begun || entered || !old_mret || (mie == old_mpie && mpie));
    stays:      assert (!old_begun || entered || old_mret || old_status || (mie == old_mie && mpie == old_mpie));
    // Rules 4 and 7.
    interrupts: assert (!old_begun || (meip == old_irq && wake == (meie && meip) && take == (mie && meie && meip)));
    // Rule 7.
    goes:       assert (handler[1:0] == 2'd0 && (handler_irq == handler || handler_irq == handler + 32'd44));
    // Rule 6.
    cycles:     assert (!old_begun || mcycle == (old_cycle ? {last_cycle[63:32], old_want} : old_cycleh
                                                 ? {old_want, last_cycle[31:0]}
                        : last_cycle + 64'd1));
    instrets:   assert (!old_begun || minstret == (old_instret ? {last_instret[63:32], old_want} : old_instreth
                                                   ? {old_want, last_instret[31:0]}
                        : last_instret + 64'(old_retire)));
    vectored:   cover (take && handler_irq != handler);
  end
endmodule

`default_nettype wire
