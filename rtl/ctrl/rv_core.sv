// SPDX-License-Identifier: Apache-2.0
//
// rv_core -- the controller: an RV32IM core with machine mode, one instruction after the other.
//
// Each state is a step of the instruction (rv_core.ports has the cycles):
//
//              im_req_ready         im_rsp_valid
//   +--> FETCH -------------> INSTR ------------> READ ---> EXEC
//   |                         reads rs1         reads rs2     |
//   |                           |                    +--------+---------+
//   |                           |  multiply, divide  |        |         |  load, store
//   |               im_rsp_err  |                    v        |         v
//   |                 (a trap)  |                  MULDIV     |       ACCESS
//   |                           |                    |        |         |  dm_req_ready
//   |                           |              done  |        | else    v
//   |                           |                    |        | or trap DATA
//   |                           v                    v        v         |  dm_rsp_valid
//   +------------------------ RETIRE <------------------------+---------+
//        unless WFI sleeps    writes rd
//
// Control registers change in the last state before RETIRE (signal over). So RETIRE sees what the
// instruction has enabled, and decides there whether an interrupt is taken. WFI waits in RETIRE.
// Operands stay until RETIRE, rs1 in a_q and rs2 at the output of the register memory. So does the
// address, the sum of rs1 and the immediate. All outputs are state.

`default_nettype none

module rv_core #(
  parameter int ResetPc = 0, // address of the first instruction, a multiple of 4
  parameter int HartId  = 0  // value of mhartid, 0 .. 65535
) (
  input  wire logic        clk_i,            // clock, rising edge
  input  wire logic        rst_ni,           // asynchronous reset, active low; registers x1 .. x31 keep
  input  wire logic        irq_i,            // interrupt line, level; mip.MEIP one cycle later
  // Instruction memory: one request at a time
  output      logic        im_req_valid_o,   // fetch; stays until im_req_ready_i
  output      logic [31:0] im_req_addr_o,    // byte address, multiple of 4; with im_req_valid_o
  input  wire logic        im_req_ready_i,   // the request is taken in this cycle
  input  wire logic        im_rsp_valid_i,   // the response, in a cycle after the request's
  input  wire logic [31:0] im_rsp_data_i,    // the instruction, with im_rsp_valid_i
  input  wire logic        im_rsp_err_i,     // nothing at that address: the core traps
  output      logic        im_rsp_ready_o,   // the core waits; with valid: response taken
  // Data memory: one request at a time; stores have a response, too
  output      logic        dm_req_valid_o,   // load or store; stays until dm_req_ready_i
  output      logic        dm_req_write_o,   // store; 0 without dm_req_valid_o
  output      logic [31:0] dm_req_addr_o,    // byte address, multiple of 4; with dm_req_valid_o
  output      logic [3:0]  dm_req_mask_o,    // bytes of the word, bit 0: bits 7:0; loads, too
  output      logic [31:0] dm_req_data_o,    // store data, repeated in all lanes; with dm_req_write_o
  input  wire logic        dm_req_ready_i,   // the request is taken in this cycle
  input  wire logic        dm_rsp_valid_i,   // the response, in a cycle after the request's
  input  wire logic [31:0] dm_rsp_data_i,    // the word of a load, with dm_rsp_valid_i
  input  wire logic        dm_rsp_err_i,     // nothing at that address: the core traps
  output      logic        dm_rsp_ready_o,   // the core waits; with valid: response taken
  // To the system
  output      logic        sleeping_o,       // WFI waits for an interrupt that mie lets through
  // Probes
  output      logic        probe_valid_o,    // last cycle of an instruction
  output      logic        probe_trap_o,     // it ends with a trap; it wrote no register
  output      logic        probe_intr_o,     // behind it an interrupt is taken
  output      logic [31:0] probe_pc_o,       // its address
  output      logic [31:0] probe_insn_o,     // its 32 bits
  output      logic [4:0]  probe_rd_o,       // register that it writes; 0: none
  output      logic [31:0] probe_rd_value_o, // value written; 0: none
  output      logic [31:0] probe_next_pc_o,  // address of the next instruction
  output      logic        probe_memory_o,   // it is a load or store, without a trap
  output      logic [31:0] probe_address_o,  // its byte address, with probe_memory_o
  output      logic [3:0]  probe_mask_o,     // its dm_req_mask_o, with probe_memory_o
  output      logic        probe_mie_o,      // mstatus.MIE
  output      logic        probe_mpie_o,     // mstatus.MPIE
  output      logic [4:0]  probe_mcause_o,   // mcause, bit 31 and bits 3:0
  output      logic [31:0] probe_mepc_o,     // mepc
  output      logic [31:0] probe_mtval_o,    // mtval
  output      logic [63:0] probe_mcycle_o,   // mcycleh, mcycle: cycles since reset
  output      logic [63:0] probe_minstret_o  // minstreth, minstret: instructions without a trap
);

  localparam logic [2:0] FETCH = 3'd0, INSTR = 3'd1, READ = 3'd2, EXEC = 3'd3, MULDIV = 3'd4,
                         ACCESS = 3'd5, DATA = 3'd6, RETIRE = 3'd7;

  // State of the instruction. Addresses leave out their two low bits, which are always 0.
  // got: the instruction comes. over: its last state before RETIRE. ends: RETIRE's last cycle.
  logic [2:0]  state_d, state_q;
  logic [29:0] pc_d, pc_q, next_d, next_q;       // of this instruction, and of the next one
  logic [31:0] instr_d, instr_q, a_d, a_q, res_d, res_q;
  logic        trap_d, trap_q;                   // it ends with a trap
  logic        got, over, ends;

  // Decode. instr_q is loaded from the response; the decoder works from READ on.
  logic        legal, writes;
  logic [3:0]  kind, sub;
  logic [31:0] imm;

  assign got     = state_q == INSTR && im_rsp_valid_i;
  assign instr_d = got ? im_rsp_data_i : instr_q;

  rv_decode u_decode (
    .clk_i, .rst_ni,
    .instr_i (instr_q), .legal_o (legal), .kind_o (kind), .sub_o (sub), .imm_o (imm), .writes_o (writes)
  );

  // Operands. An entry of the register memory is the word of a register. The memory has one read
  // port: INSTR reads rs1 with the response, READ reads rs2. A read of register 0 gives 0, whatever
  // the memory holds.
  //
  //   state     INSTR (got)   READ    EXEC .. RETIRE
  //   read      rs1           rs2     nothing
  //   row       .             rs1     rs2
  //   a_q       .             .       rs1
  logic [31:0] row, b;
  logic        write;

  assign write = ends && !trap_q && writes;

  sram_1r1w #(.Width(32), .Depth(32), .LaneBits(32)) u_registers (
    .clk_i, .rst_ni, .wr_en_i (write), .wr_addr_i (instr_q[11:7]), .wr_mask_i (1'b1), .wr_data_i (res_q),
    .rd_en_i (got || state_q == READ), .rd_addr_i (got ? im_rsp_data_i[19:15] : instr_q[24:20]), .rd_data_o (row)
  );

  assign a_d = state_q == READ ? row & {32{instr_q[19:15] != 5'd0}} : a_q;
  assign b   = row & {32{instr_q[24:20] != 5'd0}};

  // Results and addresses: rv_alu computes y, one adder each jump's target and each data address.
  // JALR clears bit 0 of its target, and the other jumps' immediates are even. So bit 1 alone can
  // make a target uneven. A branch that is not taken is no jump, and its target does not trap.
  logic [31:0] pc, y, sum, target, word, value;
  logic        taken, jumps;

  rv_alu u_alu (
    .clk_i, .rst_ni,
    .sub_i (sub), .a_i (a_q), .b_i (kind == ctrl_pkg::KIND_OP_IMM ? imm : b), .y_o (y), .taken_o (taken)
  );

  assign pc     = {pc_q, 2'd0};
  assign sum    = (kind == ctrl_pkg::KIND_AUIPC || kind == ctrl_pkg::KIND_JAL ||
                   kind == ctrl_pkg::KIND_BRANCH ? pc : a_q) + imm;
  assign target = {sum[31:1], 1'b0};
  assign jumps  = kind == ctrl_pkg::KIND_JAL || kind == ctrl_pkg::KIND_JALR || (kind == ctrl_pkg::KIND_BRANCH && taken);

  // Products and quotients: started in EXEC; MULDIV waits for done.
  logic        product, unused_ready, done;
  logic [31:0] result;
  logic [6:0]  unused_left;

  assign product = state_q == EXEC && legal && kind == ctrl_pkg::KIND_MULDIV;

  rv_muldiv u_muldiv (
    .clk_i, .rst_ni,
    .start_i (product), .op_i (sub[2:0]), .a_i (a_q), .b_i (b),
    .ready_o (unused_ready), .done_o (done), .y_o (result), .probe_left_o (unused_left)
  );

  // Loads and stores. The bus has aligned words, and mask names the bytes. A store repeats its data
  // in all lanes. A load's bytes move to the bottom; bit 2 of sub says that they have no sign.
  //
  //   sub[1:0]   size   uneven unless     mask, sum[1:0] = 0 1 2 3
  //   0          byte                     0001 0010 0100 1000
  //   1          half   sum[0] = 0        0011   .  1100   .
  //   2          word   sum[1:0] = 0      1111   .    .    .
  logic       memory, reads, uneven;
  logic [3:0] mask;

  assign reads  = kind == ctrl_pkg::KIND_LOAD;
  assign memory = reads || kind == ctrl_pkg::KIND_STORE;
  assign uneven = (sub[1] && sum[1:0] != 2'd0) || (sub[0] && sum[0]);
  assign mask   = (sub[1] ? 4'b1111 : sub[0] ? 4'b0011 : 4'b0001) << sum[1:0];
  assign word   = dm_rsp_data_i >> {sum[1:0], 3'd0};
  assign value  = sub[1] ? word :
                  sub[0] ? {{16{word[15] && !sub[2]}}, word[15:0]} : {{24{word[7] && !sub[2]}}, word[7:0]};

  // The buses follow from the state: one request or one response at a time.
  assign im_req_valid_o = state_q == FETCH;
  assign im_req_addr_o  = pc;
  assign im_rsp_ready_o = state_q == INSTR;
  assign dm_req_valid_o = state_q == ACCESS;
  assign dm_req_write_o = state_q == ACCESS && !reads;
  assign dm_req_addr_o  = {sum[31:2], 2'd0};
  assign dm_req_mask_o  = mask;
  assign dm_req_data_o  = sub[1] ? b : sub[0] ? {2{b[15:0]}} : {4{b[7:0]}};
  assign dm_rsp_ready_o = state_q == DATA;

  // Control registers change in the cycle of over or, for an interrupt, in RETIRE's last cycle.
  // The interrupt's mepc is the next instruction, so pc_i is next_q then.
  logic        csr, bad_csr, mret, trap, intr, wake, take;
  logic [3:0]  cause;
  logic [31:0] csr_value, tval, handler, handler_irq, epc;
  logic        unused_meie, unused_meip;
  logic [31:0] unused_mscratch;

  assign csr  = state_q == EXEC && legal && kind == ctrl_pkg::KIND_CSR;
  assign mret = state_q == EXEC && legal && kind == ctrl_pkg::KIND_MRET;

  rv_csr #(.HartId(HartId)) u_csr (
    .clk_i, .rst_ni, .irq_i,
    .access_i (csr), .addr_i (instr_q[31:20]), .sub_i (sub[1:0]), .none_i (instr_q[19:15] == 5'd0),
    .value_i (sub[2] ? imm : a_q), .rdata_o (csr_value), .illegal_o (bad_csr),
    .trap_i (trap), .cause_i (cause), .tval_i (tval), .intr_i (intr), .pc_i (intr ? {next_q, 2'd0} : pc),
    .mret_i (mret), .retire_i (over && !trap), .wake_o (wake), .take_o (take),
    .handler_o (handler), .handler_irq_o (handler_irq), .epc_o (epc),
    .probe_mie_o, .probe_mpie_o, .probe_meie_o (unused_meie), .probe_meip_o (unused_meip),
    .probe_mcause_o, .probe_mtval_o, .probe_mscratch_o (unused_mscratch), .probe_mcycle_o, .probe_minstret_o
  );

  // Traps, in the state that finds them. An instruction traps once: a trap sends it to RETIRE.
  // What is checked first in EXEC wins: no instruction that is illegal reaches the bus. MULDIV and
  // ACCESS find none. A store whose response has an error traps as a load does.
  always_comb begin
    trap  = 1'b0;
    cause = ctrl_pkg::CAUSE_ILLEGAL;
    tval  = sum;
    case (state_q)
      INSTR: begin
        trap  = got && im_rsp_err_i;
        cause = ctrl_pkg::CAUSE_FETCH_FAULT;
        tval  = pc;
      end
      EXEC:
        if (!legal || (csr && bad_csr)) begin
          trap = 1'b1;
          tval = instr_q;
        end else if (kind == ctrl_pkg::KIND_EBREAK) begin
          trap  = 1'b1;
          cause = ctrl_pkg::CAUSE_BREAKPOINT;
          tval  = pc;
        end else if (kind == ctrl_pkg::KIND_ECALL) begin
          trap  = 1'b1;
          cause = ctrl_pkg::CAUSE_ECALL;
          tval  = '0;
        end else if (jumps) begin
          trap  = target[1];
          cause = ctrl_pkg::CAUSE_FETCH_MISALIGNED;
          tval  = target;
        end else if (memory) begin
          trap  = uneven;
          cause = reads ? ctrl_pkg::CAUSE_LOAD_MISALIGNED : ctrl_pkg::CAUSE_STORE_MISALIGNED;
        end
      DATA: begin
        trap  = dm_rsp_valid_i && dm_rsp_err_i;
        cause = reads ? ctrl_pkg::CAUSE_LOAD_FAULT : ctrl_pkg::CAUSE_STORE_FAULT;
      end
      default: ;
    endcase
  end

  // The result, kept from over on for the write in RETIRE
  always_comb begin
    case (kind)
      ctrl_pkg::KIND_LUI:                      res_d = imm;
      ctrl_pkg::KIND_AUIPC:                    res_d = sum;
      ctrl_pkg::KIND_JAL, ctrl_pkg::KIND_JALR: res_d = pc + 32'd4;
      ctrl_pkg::KIND_LOAD:                     res_d = value;
      ctrl_pkg::KIND_MULDIV:                   res_d = result;
      ctrl_pkg::KIND_CSR:                      res_d = csr_value;
      default:                                 res_d = y;
    endcase
    if (!over) res_d = res_q;
  end

  // The next address: a trap goes before a return, a return before a jump, a jump before the next
  // word.
  always_comb begin
    next_d = pc_q + 30'd1;
    if (jumps) next_d = target[31:2];
    if (mret)  next_d = epc[31:2];
    if (trap)  next_d = handler[31:2];
    if (!over) next_d = next_q;
  end

  // RETIRE. An interrupt replaces the next address; mepc keeps the one that it replaces. Behind a
  // trap take is 0, as the trap has disabled the interrupt.
  assign trap_d     = over ? trap : trap_q;
  assign sleeping_o = state_q == RETIRE && !trap_q && kind == ctrl_pkg::KIND_WFI && !wake;
  assign ends       = state_q == RETIRE && !sleeping_o;
  assign intr       = ends && take;
  assign pc_d       = intr ? handler_irq[31:2] : ends ? next_q : pc_q;

  // Next state, as in the picture above. over goes to RETIRE, whatever the case says.
  always_comb begin
    state_d = state_q;
    over    = 1'b0;
    case (state_q)
      FETCH: if (im_req_ready_i) state_d = INSTR;
      INSTR: begin
        over = trap;
        if (got) state_d = READ;
      end
      READ:  state_d = EXEC;
      EXEC: begin
        state_d = product ? MULDIV : ACCESS;
        over    = trap || !(product || memory);
      end
      MULDIV: over = done;
      ACCESS: if (dm_req_ready_i) state_d = DATA;
      DATA:   over = dm_rsp_valid_i;
      default: if (ends) state_d = FETCH;
    endcase
    if (over) state_d = RETIRE;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= FETCH;
      pc_q    <= 30'(ResetPc / 4);
      next_q  <= '0;
      instr_q <= '0;
      a_q     <= '0;
      res_q   <= '0;
      trap_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      pc_q    <= pc_d;
      next_q  <= next_d;
      instr_q <= instr_d;
      a_q     <= a_d;
      res_q   <= res_d;
      trap_q  <= trap_d;
    end
  end

  assign probe_valid_o    = ends;
  assign probe_trap_o     = trap_q;
  assign probe_intr_o     = intr;
  assign probe_pc_o       = pc;
  assign probe_insn_o     = instr_q;
  assign probe_rd_o       = write ? instr_q[11:7] : '0;
  assign probe_rd_value_o = write ? res_q : '0;
  assign probe_next_pc_o  = {pc_d, 2'd0};
  assign probe_memory_o   = ends && !trap_q && memory;
  assign probe_address_o  = sum;
  assign probe_mask_o     = mask;
  assign probe_mepc_o     = epc;

  // Handlers and mepc are multiples of four.
  logic unused_low;
  assign unused_low = &{1'b0, handler[1:0], handler_irq[1:0], epc[1:0]};

  initial begin
    if (ResetPc < 0 || ResetPc % 4 != 0) $fatal(1, "rv_core: ResetPc must be a multiple of 4");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(im_req_valid_o) + 32'(im_rsp_ready_o) + 32'(dm_req_valid_o) + 32'(dm_rsp_ready_o)
            + 32'(probe_valid_o) <= 1);
    assert (!write || instr_q[11:7] != 5'd0);
    assert (!product || unused_ready);
    assert (!(state_q == ACCESS || state_q == DATA) || (legal && memory && !uneven));
    assert (state_q != MULDIV || (legal && kind == ctrl_pkg::KIND_MULDIV));
    assert (!csr || !mret);
  end
`endif
endmodule

`default_nettype wire
