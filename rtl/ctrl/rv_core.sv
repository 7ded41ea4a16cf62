// SPDX-License-Identifier: Apache-2.0
//
// rv_core -- the controller: an RV32IM core with machine mode, one instruction after the other.
//
// A state a step: FETCH has the request on the bus, INSTR waits for its response and reads rs1 with it, READ reads rs2, EXEC computes; then MULDIV,
// or ACCESS and DATA, or nothing; RETIRE writes rd and goes on. What an instruction changes in the control registers it changes in its last state
// before RETIRE, so that RETIRE sees whether an interrupt is to be taken. The operands stay where they are until then (a_q, the memory's own
// register of the row read last), and with them the address. All outputs are state.

`default_nettype none

module rv_core #(
  parameter int ResetPc = 0,                     // address of the first instruction, a multiple of four
  parameter int HartId  = 0                      // mhartid, 0 to 65535
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        irq_i,
  // To and from the memory of instructions
  output      logic        im_req_valid_o,
  output      logic [31:0] im_req_addr_o,
  input  wire logic        im_req_ready_i,
  input  wire logic        im_rsp_valid_i,
  input  wire logic [31:0] im_rsp_data_i,
  input  wire logic        im_rsp_err_i,
  output      logic        im_rsp_ready_o,
  // To and from the memory of data
  output      logic        dm_req_valid_o,
  output      logic        dm_req_write_o,
  output      logic [31:0] dm_req_addr_o,
  output      logic [3:0]  dm_req_mask_o,
  output      logic [31:0] dm_req_data_o,
  input  wire logic        dm_req_ready_i,
  input  wire logic        dm_rsp_valid_i,
  input  wire logic [31:0] dm_rsp_data_i,
  input  wire logic        dm_rsp_err_i,
  output      logic        dm_rsp_ready_o,
  output      logic        sleeping_o,
  // Probes
  output      logic        probe_valid_o,
  output      logic        probe_trap_o,
  output      logic        probe_intr_o,
  output      logic [31:0] probe_pc_o,
  output      logic [31:0] probe_insn_o,
  output      logic [4:0]  probe_rd_o,
  output      logic [31:0] probe_rd_value_o,
  output      logic [31:0] probe_next_pc_o,
  output      logic        probe_memory_o,
  output      logic [31:0] probe_address_o,
  output      logic [3:0]  probe_mask_o,
  output      logic        probe_mie_o,
  output      logic        probe_mpie_o,
  output      logic [4:0]  probe_mcause_o,
  output      logic [31:0] probe_mepc_o,
  output      logic [31:0] probe_mtval_o,
  output      logic [63:0] probe_mcycle_o,
  output      logic [63:0] probe_minstret_o
);

  localparam logic [2:0] FETCH = 3'd0, INSTR = 3'd1, READ = 3'd2, EXEC = 3'd3, MULDIV = 3'd4, ACCESS = 3'd5, DATA = 3'd6, RETIRE = 3'd7;

  logic [2:0]  state_d, state_q;
  logic [29:0] pc_d, pc_q, next_d, next_q;       // of the instruction, and of the one behind it
  logic [31:0] instr_d, instr_q, a_d, a_q, res_d, res_q;
  logic        trap_d, trap_q;                   // it ends with a trap
  logic        got, over, ends;                  // an instruction comes; this is its last state before RETIRE; RETIRE's last cycle

  // The instruction
  logic        legal, writes;
  logic [3:0]  kind, sub;
  logic [31:0] imm;

  assign got     = state_q == INSTR && im_rsp_valid_i;
  assign instr_d = got ? im_rsp_data_i : instr_q;

  rv_decode u_decode (
    .clk_i, .rst_ni, .instr_i (instr_q), .legal_o (legal), .kind_o (kind), .sub_o (sub), .imm_o (imm), .writes_o (writes)
  );

  // Its operands
  logic [31:0] row, b;
  logic        write;

  assign write = ends && !trap_q && writes;

  sram_1r1w #(.Width(32), .Depth(32), .LaneBits(32)) u_registers (
    .clk_i, .rst_ni, .wr_en_i (write), .wr_addr_i (instr_q[11:7]), .wr_mask_i (1'b1), .wr_data_i (res_q),
    .rd_en_i (got || state_q == READ), .rd_addr_i (got ? im_rsp_data_i[19:15] : instr_q[24:20]), .rd_data_o (row)
  );

  assign a_d = state_q == READ ? row & {32{instr_q[19:15] != 5'd0}} : a_q;
  assign b   = row & {32{instr_q[24:20] != 5'd0}};

  // What it computes
  logic [31:0] pc, y, sum, target, word, value;
  logic        taken, jumps;

  rv_alu u_alu (.clk_i, .rst_ni, .sub_i (sub), .a_i (a_q), .b_i (kind == ctrl_pkg::KIND_OP_IMM ? imm : b), .y_o (y), .taken_o (taken));

  assign pc     = {pc_q, 2'd0};
  assign sum    = (kind == ctrl_pkg::KIND_AUIPC || kind == ctrl_pkg::KIND_JAL || kind == ctrl_pkg::KIND_BRANCH ? pc : a_q) + imm;
  assign target = {sum[31:1], 1'b0};
  assign jumps  = kind == ctrl_pkg::KIND_JAL || kind == ctrl_pkg::KIND_JALR || (kind == ctrl_pkg::KIND_BRANCH && taken);

  logic        product, unused_ready, done;
  logic [31:0] result;
  logic [6:0]  unused_left;

  assign product = state_q == EXEC && legal && kind == ctrl_pkg::KIND_MULDIV;

  rv_muldiv u_muldiv (
    .clk_i, .rst_ni, .start_i (product), .op_i (sub[2:0]), .a_i (a_q), .b_i (b), .ready_o (unused_ready), .done_o (done), .y_o (result),
    .probe_left_o (unused_left)
  );

  // Its way to memory
  logic       memory, reads, uneven;
  logic [3:0] mask;

  assign reads  = kind == ctrl_pkg::KIND_LOAD;
  assign memory = reads || kind == ctrl_pkg::KIND_STORE;
  assign uneven = (sub[1] && sum[1:0] != 2'd0) || (sub[0] && sum[0]);
  assign mask   = (sub[1] ? 4'b1111 : sub[0] ? 4'b0011 : 4'b0001) << sum[1:0];
  assign word   = dm_rsp_data_i >> {sum[1:0], 3'd0};
  assign value  = sub[1] ? word : sub[0] ? {{16{word[15] && !sub[2]}}, word[15:0]} : {{24{word[7] && !sub[2]}}, word[7:0]};

  assign im_req_valid_o = state_q == FETCH;
  assign im_req_addr_o  = pc;
  assign im_rsp_ready_o = state_q == INSTR;
  assign dm_req_valid_o = state_q == ACCESS;
  assign dm_req_write_o = state_q == ACCESS && !reads;
  assign dm_req_addr_o  = {sum[31:2], 2'd0};
  assign dm_req_mask_o  = mask;
  assign dm_req_data_o  = sub[1] ? b : sub[0] ? {2{b[15:0]}} : {4{b[7:0]}};
  assign dm_rsp_ready_o = state_q == DATA;

  // Control registers
  logic        csr, bad_csr, mret, trap, intr, wake, take;
  logic [3:0]  cause;
  logic [31:0] csr_value, tval, handler, handler_irq, epc;
  logic        unused_meie, unused_meip;
  logic [31:0] unused_mscratch;

  assign csr  = state_q == EXEC && legal && kind == ctrl_pkg::KIND_CSR;
  assign mret = state_q == EXEC && legal && kind == ctrl_pkg::KIND_MRET;

  rv_csr #(.HartId(HartId)) u_csr (
    .clk_i, .rst_ni, .irq_i, .access_i (csr), .addr_i (instr_q[31:20]), .sub_i (sub[1:0]), .none_i (instr_q[19:15] == 5'd0),
    .value_i (sub[2] ? imm : a_q), .rdata_o (csr_value), .illegal_o (bad_csr), .trap_i (trap), .cause_i (cause), .tval_i (tval), .intr_i (intr),
    .pc_i (intr ? {next_q, 2'd0} : pc), .mret_i (mret), .retire_i (over && !trap), .wake_o (wake), .take_o (take), .handler_o (handler),
    .handler_irq_o (handler_irq), .epc_o (epc), .probe_mie_o, .probe_mpie_o, .probe_meie_o (unused_meie), .probe_meip_o (unused_meip),
    .probe_mcause_o, .probe_mtval_o, .probe_mscratch_o (unused_mscratch), .probe_mcycle_o, .probe_minstret_o
  );

  // Traps
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

  // What comes of it
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

  always_comb begin
    next_d = pc_q + 30'd1;
    if (jumps) next_d = target[31:2];
    if (mret)  next_d = epc[31:2];
    if (trap)  next_d = handler[31:2];
    if (!over) next_d = next_q;
  end

  assign trap_d     = over ? trap : trap_q;
  assign sleeping_o = state_q == RETIRE && !trap_q && kind == ctrl_pkg::KIND_WFI && !wake;
  assign ends       = state_q == RETIRE && !sleeping_o;
  assign intr       = ends && take;
  assign pc_d       = intr ? handler_irq[31:2] : ends ? next_q : pc_q;

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

  // Handlers and what mepc says are multiples of four.
  logic unused_low;
  assign unused_low = &{1'b0, handler[1:0], handler_irq[1:0], epc[1:0]};

  initial begin
    if (ResetPc < 0 || ResetPc % 4 != 0) $fatal(1, "rv_core: ResetPc must be a multiple of 4");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(im_req_valid_o) + 32'(im_rsp_ready_o) + 32'(dm_req_valid_o) + 32'(dm_rsp_ready_o) + 32'(probe_valid_o) <= 1);
    assert (!write || instr_q[11:7] != 5'd0);
    assert (!product || unused_ready);
    assert (!(state_q == ACCESS || state_q == DATA) || (legal && memory && !uneven));
    assert (state_q != MULDIV || (legal && kind == ctrl_pkg::KIND_MULDIV));
    assert (!csr || !mret);
  end
`endif
endmodule

`default_nettype wire
