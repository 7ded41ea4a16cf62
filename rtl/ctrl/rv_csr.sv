// SPDX-License-Identifier: Apache-2.0
//
// rv_csr -- control registers of the controller's core: machine mode only, one interrupt.
//
// A CSR instruction reads a register, changes it by value_i and writes it back in one cycle.
// Traps, interrupts and returns come first: in their cycle an access writes nothing.
// rdata_o and illegal_o depend on the access of the same cycle. All other outputs are state.
//
//   priority      1 intr_i   2 trap_i   3 mret_i   4 access_i; the first one counts alone
//   intr_i        mepc = pc, mcause = bit 31, 11, mtval = 0, MPIE = MIE, MIE = 0
//   trap_i        mepc = pc, mcause = cause, mtval = tval,   MPIE = MIE, MIE = 0
//   mret_i        MIE = MPIE, MPIE = 1
//
//   register      bits that software can change; all others are constants
//   mstatus       7 MPIE, 3 MIE
//   mie           11 MEIE
//   mtvec         31:2 base, 0 vectored
//   mepc          31:2
//   mcause        31, 3:0
//   mscratch, mtval, mcycle(h), minstret(h)   all

`default_nettype none

module rv_csr #(
  parameter int HartId = 0 // value of mhartid, 0 .. 65535
) (
  input  wire logic        clk_i,            // clock, rising edge
  input  wire logic        rst_ni,           // asynchronous reset, active low
  input  wire logic        irq_i,            // interrupt line, level; MEIP one cycle later
  // An instruction's access
  input  wire logic        access_i,         // a CSR instruction is at addr_i
  input  wire logic [11:0] addr_i,           // number of the register
  input  wire logic [1:0]  sub_i,            // 1 write, 2 or 0 set bits, 3 clear bits
  input  wire logic        none_i,           // rs1 is register 0 or the immediate is 0
  input  wire logic [31:0] value_i,          // what to write, set or clear; valid with access_i
  output      logic [31:0] rdata_o,          // the register before the access; 0 if unknown
  output      logic        illegal_o,        // no such register, or a write to a read-only one
  // What the core does
  input  wire logic        trap_i,           // the instruction at pc_i traps
  input  wire logic [3:0]  cause_i,          // its cause, for mcause; valid with trap_i
  input  wire logic [31:0] tval_i,           // its value for mtval; valid with trap_i
  input  wire logic        intr_i,           // the core takes the interrupt
  input  wire logic [31:0] pc_i,             // address for mepc, a multiple of four
  input  wire logic        mret_i,           // the core returns from a trap
  input  wire logic        retire_i,         // an instruction ends; minstret counts it
  // What it needs
  output      logic        wake_o,           // MEIE and MEIP: WFI goes on
  output      logic        take_o,           // wake_o and MIE: take the interrupt
  output      logic [31:0] handler_o,        // address of the trap handler
  output      logic [31:0] handler_irq_o,    // the same for interrupts: 44 higher if vectored
  output      logic [31:0] epc_o,            // mepc, where MRET continues
  // Probes
  output      logic        probe_mie_o,      // mstatus.MIE: interrupts are enabled
  output      logic        probe_mpie_o,     // mstatus.MPIE: MIE before the last trap
  output      logic        probe_meie_o,     // mie.MEIE: mie lets the interrupt through
  output      logic        probe_meip_o,     // mip.MEIP: the interrupt waits
  output      logic [4:0]  probe_mcause_o,   // mcause, bit 31 and bits 3:0
  output      logic [31:0] probe_mtval_o,    // mtval
  output      logic [31:0] probe_mscratch_o, // mscratch
  output      logic [63:0] probe_mcycle_o,   // mcycleh, mcycle
  output      logic [63:0] probe_minstret_o  // minstreth, minstret
);

  // State: only the bits that can change.
  // base_q and vectored_q are mtvec, cause_q is mcause's bit 31 and bits 3:0.
  logic        mie_d, mie_q, mpie_d, mpie_q, meie_d, meie_q, meip_q, vectored_d, vectored_q;
  logic [29:0] base_d, base_q, epc_d, epc_q;
  logic [4:0]  cause_d, cause_q;
  logic [31:0] tval_d, tval_q, scratch_d, scratch_q;
  logic [63:0] cycle_d, cycle_q, instret_d, instret_q;

  // Read: the register before the access. There is one if its address is in rv_isa.def.
  logic there;

  always_comb begin
    there   = 1'b1;
    rdata_o = '0;
    case (addr_i)
      ctrl_pkg::CSR_MSTATUS:   rdata_o = {19'd0, 2'b11, 3'd0, mpie_q, 3'd0, mie_q, 3'd0};
      ctrl_pkg::CSR_MISA:      rdata_o = 32'h40001100;
      ctrl_pkg::CSR_MIE:       rdata_o = {20'd0, meie_q, 11'd0};
      ctrl_pkg::CSR_MTVEC:     rdata_o = {base_q, 1'b0, vectored_q};
      ctrl_pkg::CSR_MSCRATCH:  rdata_o = scratch_q;
      ctrl_pkg::CSR_MEPC:      rdata_o = {epc_q, 2'd0};
      ctrl_pkg::CSR_MCAUSE:    rdata_o = {cause_q[4], 27'd0, cause_q[3:0]};
      ctrl_pkg::CSR_MTVAL:     rdata_o = tval_q;
      ctrl_pkg::CSR_MIP:       rdata_o = {20'd0, meip_q, 11'd0};
      ctrl_pkg::CSR_MCYCLE:    rdata_o = cycle_q[31:0];
      ctrl_pkg::CSR_MINSTRET:  rdata_o = instret_q[31:0];
      ctrl_pkg::CSR_MCYCLEH:   rdata_o = cycle_q[63:32];
      ctrl_pkg::CSR_MINSTRETH: rdata_o = instret_q[63:32];
      ctrl_pkg::CSR_MHARTID:   rdata_o = 32'(HartId);
      default:                 there   = zero(addr_i);
    endcase
  end

  // Registers that exist and are always 0, by ranges of addresses. A write to one of them is legal,
  // unless its address says read-only, and changes nothing.
  function automatic logic zero(input logic [11:0] addr);
    zero = addr == ctrl_pkg::ZERO_MSTATUSH_FIRST || addr == ctrl_pkg::ZERO_MCOUNTINHIBIT_FIRST
           || addr == ctrl_pkg::ZERO_MCONFIGPTR_FIRST
           || (addr >= ctrl_pkg::ZERO_MHPMEVENT_FIRST && addr <= ctrl_pkg::ZERO_MHPMEVENT_LAST)
           || (addr >= ctrl_pkg::ZERO_MHPMCOUNTER_FIRST && addr <= ctrl_pkg::ZERO_MHPMCOUNTER_LAST)
           || (addr >= ctrl_pkg::ZERO_MHPMCOUNTERH_FIRST && addr <= ctrl_pkg::ZERO_MHPMCOUNTERH_LAST)
           || (addr >= ctrl_pkg::ZERO_MVENDORID_FIRST && addr <= ctrl_pkg::ZERO_MVENDORID_LAST);
  endfunction

  // Write: a set or clear access with nothing to change does not count as a write.
  // The two high bits of an address say that its register is read-only. illegal_o means something
  // with access_i alone; the core makes a trap of it in the same cycle.
  logic        writes, write, turns;
  logic [31:0] wdata;

  assign writes    = sub_i == 2'd1 || !none_i;
  assign illegal_o = !there || (writes && addr_i[11:10] == 2'b11);
  assign turns     = intr_i || trap_i || mret_i;
  assign write     = access_i && writes && !illegal_o && !turns;
  assign wdata     = sub_i == 2'd1 ? value_i : sub_i == 2'd3 ? rdata_o & ~value_i : rdata_o | value_i;

  // Next state. Counters count by default. A write replaces the half that it names and stops the
  // other half for a cycle, so that no carry changes what software wrote. So the instruction that
  // writes minstret is not counted in it. mip has no case: MEIP follows irq_i alone. At most one of
  // the two ifs acts, as turns stops the write.
  always_comb begin
    mie_d      = mie_q;
    mpie_d     = mpie_q;
    meie_d     = meie_q;
    vectored_d = vectored_q;
    base_d     = base_q;
    epc_d      = epc_q;
    cause_d    = cause_q;
    tval_d     = tval_q;
    scratch_d  = scratch_q;
    cycle_d    = cycle_q + 64'd1;
    instret_d  = instret_q + 64'(retire_i);
    if (intr_i || trap_i) begin
      mie_d   = 1'b0;
      mpie_d  = mie_q;
      epc_d   = pc_i[31:2];
      cause_d = intr_i ? {1'b1, 4'd11} : {1'b0, cause_i};
      tval_d  = intr_i ? '0 : tval_i;
    end else if (mret_i) begin
      mie_d  = mpie_q;
      mpie_d = 1'b1;
    end
    if (write) begin
      case (addr_i)
        ctrl_pkg::CSR_MSTATUS:   {mpie_d, mie_d} = {wdata[7], wdata[3]};
        ctrl_pkg::CSR_MIE:       meie_d = wdata[11];
        ctrl_pkg::CSR_MTVEC:     {base_d, vectored_d} = {wdata[31:2], wdata[0]};
        ctrl_pkg::CSR_MSCRATCH:  scratch_d = wdata;
        ctrl_pkg::CSR_MEPC:      epc_d = wdata[31:2];
        ctrl_pkg::CSR_MCAUSE:    cause_d = {wdata[31], wdata[3:0]};
        ctrl_pkg::CSR_MTVAL:     tval_d = wdata;
        ctrl_pkg::CSR_MCYCLE:    cycle_d = {cycle_q[63:32], wdata};
        ctrl_pkg::CSR_MCYCLEH:   cycle_d = {wdata, cycle_q[31:0]};
        ctrl_pkg::CSR_MINSTRET:  instret_d = {instret_q[63:32], wdata};
        ctrl_pkg::CSR_MINSTRETH: instret_d = {wdata, instret_q[31:0]};
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mie_q      <= 1'b0;
      mpie_q     <= 1'b0;
      meie_q     <= 1'b0;
      meip_q     <= 1'b0;
      vectored_q <= 1'b0;
      base_q     <= '0;
      epc_q      <= '0;
      cause_q    <= '0;
      tval_q     <= '0;
      scratch_q  <= '0;
      cycle_q    <= '0;
      instret_q  <= '0;
    end else begin
      mie_q      <= mie_d;
      mpie_q     <= mpie_d;
      meie_q     <= meie_d;
      meip_q     <= irq_i;
      vectored_q <= vectored_d;
      base_q     <= base_d;
      epc_q      <= epc_d;
      cause_q    <= cause_d;
      tval_q     <= tval_d;
      scratch_q  <= scratch_d;
      cycle_q    <= cycle_d;
      instret_q  <= instret_d;
    end
  end

  // With MIE 0 WFI goes on, too, and nothing is taken. A vectored handler is four bytes a cause
  // above the base, and the only interrupt has cause 11.
  assign wake_o           = meie_q && meip_q;
  assign take_o           = wake_o && mie_q;
  assign handler_o        = {base_q, 2'd0};
  assign handler_irq_o    = {base_q + (vectored_q ? 30'd11 : 30'd0), 2'd0};
  assign epc_o            = {epc_q, 2'd0};
  assign probe_mie_o      = mie_q;
  assign probe_mpie_o     = mpie_q;
  assign probe_meie_o     = meie_q;
  assign probe_meip_o     = meip_q;
  assign probe_mcause_o   = cause_q;
  assign probe_mtval_o    = tval_q;
  assign probe_mscratch_o = scratch_q;
  assign probe_mcycle_o   = cycle_q;
  assign probe_minstret_o = instret_q;

  // An instruction's address is a multiple of four.
  logic unused_pc;
  assign unused_pc = &{1'b0, pc_i[1:0]};

  initial begin
    if (HartId < 0 || HartId > 65535) $fatal(1, "rv_csr: HartId must be 0 to 65535");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!take_o || wake_o);
    assert (handler_o[1:0] == '0 && handler_irq_o[1:0] == '0 && epc_o[1:0] == '0);
  end
`endif
endmodule

`default_nettype wire
