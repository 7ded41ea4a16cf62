// SPDX-License-Identifier: Apache-2.0
//
// nsu_warps -- warp table: state of every warp slot; selects one to fetch for and one to dispatch.
//
// A slot is in one state, and BUSY while an earlier instruction of it is under way:
//
//   FREE --spawn--> FETCH --selected--> ASKED --MISS--> WAIT_I --iwake--> FETCH
//                                       |   |
//                             KNOWN     |   +--HALT--> HALT, until reset
//         +--------------+--------------+------------------+
//         | ALU          | BEG, LDC, LD | ST               | END
//         |              | (LD without  | (without its     |
//         |              |  its data:   |  addresses:      |
//         |              |  WAIT_RD     |  WAIT_WR         |
//         |              |  to rd_cpl)  |  to wr_cpl)      |
//         v              v              v                  v
//         EX             LD             ST                 EN
//         | go           | go           | go               | go
//         v              v              v                  v
//       FETCH, BUSY    FETCH, BUSY    FETCH, BUSY        LAST --en_done--> FREE
//                      LDC: CONST
//
//   CONST --ld_done--> FETCH
//   CONST --ld_miss--> WAIT_C --cwake--> LD
//
//   go needs a slot that is not BUSY and a unit that is ready; END also needs its writes
//   acknowledged. ex_done, ld_done and st_done end BUSY.
//
// A state is a vector with one bit a slot, so that all events of a cycle are masks. A KNOWN
// instruction only marks its slot (step; bump for a load or store). pc and seq count up when the
// slot is selected for the next fetch: so pc_q and seq_q are those of the known instruction.
// They have two write ports, spawn and select, which never name the same slot.
// go_* are combinational: slots whose unit is ready take part in the selection of the same cycle.
// Fields are not reset.

`default_nettype none

module nsu_warps #(
  parameter  int NumWarps = 48, // warp slots, 1 .. 64
  localparam int SlotBits = NumWarps > 1 ? $clog2(NumWarps) : 1
) (
  input  wire logic                            clk_i,             // clock, rising edge
  input  wire logic                            rst_ni,            // asynchronous reset, active low; frees all slots
  // From and to the command buffer
  input  wire logic                            sp_valid_i,        // a command waits for a slot
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]    sp_sm_i,           // its id on the GPU: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]  sp_warp_i,         // its id on the GPU: warp
  input  wire logic [nsu_pkg::ADDR_BITS-1:0]   sp_pc_i,           // address of its first instruction
  input  wire logic [nsu_pkg::WARP_WIDTH-1:0]  sp_mask_i,         // its threads
  input  wire logic [nsu_pkg::ADDR_BITS-1:0]   sp_cbase_i,        // address of its constants
  input  wire logic [nsu_pkg::PKT_count_W-1:0] sp_count_i,        // registers that the command carries
  input  wire logic [5:0]                      sp_idx_i,          // its entry in the command buffer
  output      logic                            sp_ready_o,        // state: a slot is free
  // To and from the issue stage: fetch
  output      logic                            sel_valid_o,       // fetch for this slot; there is no refusal
  output      logic [nsu_pkg::PKT_slot_W-1:0]  sel_slot_o,        // the slot; this and the next six: with sel_valid_o
  output      logic [nsu_pkg::PKT_sm_W-1:0]    sel_sm_o,          // its warp's SM
  output      logic [nsu_pkg::PKT_warp_W-1:0]  sel_warp_o,        // its warp's number on the SM
  output      logic [nsu_pkg::PKT_seq_W-1:0]   sel_seq_o,         // number of its next load or store
  output      logic [nsu_pkg::ADDR_BITS-1:0]   sel_pc_o,          // address of its next instruction
  output      logic [nsu_pkg::PKT_count_W-1:0] sel_count_o,       // registers that its command carries
  output      logic                            sel_begun_o,       // its OFLD.BEG has been found
  input  wire logic                            d_valid_i,         // answer to a fetch, a cycle after sel_valid_o
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  d_slot_i,          // its slot
  input  wire logic [1:0]                      d_next_i,          // nsu_pkg::FETCH_KNOWN, MISS or HALT
  input  wire logic [2:0]                      d_kind_i,          // nsu_pkg::KIND_* of a KNOWN instruction
  input  wire logic                            d_there_i,         // LD or ST whose buffer entry is complete
  input  wire logic [nsu_pkg::PKT_cr_rd_W-1:0] d_entry_i,         // that entry, with d_there_i
  // From the units, and to them and the issue stage: dispatch
  input  wire logic                            ex_ready_i,        // the lanes take an instruction in this cycle
  input  wire logic                            ld_ready_i,        // the same of the load unit
  input  wire logic                            st_ready_i,        // the same of the store unit
  input  wire logic                            en_ready_i,        // the same of the end unit
  input  wire logic [63:0]                     ack_zero_i,        // bit s: no write of slot s is in flight
  output      logic                            go_valid_o,        // dispatch this slot; its unit is ready
  output      logic [nsu_pkg::PKT_slot_W-1:0]  go_slot_o,         // the slot; this and the next eight: with go_valid_o
  output      logic [nsu_pkg::PKT_sm_W-1:0]    go_sm_o,           // its warp's SM
  output      logic [nsu_pkg::PKT_warp_W-1:0]  go_warp_o,         // its warp's number on the SM
  output      logic [nsu_pkg::PKT_seq_W-1:0]   go_seq_o,          // its sequence number, if a load or store
  output      logic [nsu_pkg::ADDR_BITS-1:0]   go_pc_o,           // address of the instruction
  output      logic [nsu_pkg::WARP_WIDTH-1:0]  go_mask_o,         // threads of the block
  output      logic [nsu_pkg::ADDR_BITS-1:0]   go_cbase_o,        // address of the constants
  output      logic [5:0]                      go_idx_o,          // entry in the command buffer
  output      logic                            go_mem_o,          // LD or ST: go_entry_o is valid
  output      logic [nsu_pkg::PKT_cr_rd_W-1:0] go_entry_o,        // entry of its read data or write addresses
  // From the units: ends
  input  wire logic                            ex_done_i,         // the lanes have written an instruction's last row
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  ex_done_slot_i,    // its slot
  input  wire logic                            ld_done_i,         // OFLD.BEG, LD or LDC is done
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  ld_done_slot_i,    // its slot
  input  wire logic                            ld_miss_i,         // LDC's line is not in the constant cache
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  ld_miss_slot_i,    // its slot
  input  wire logic                            st_done_i,         // ST has sent its last packet
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  st_done_slot_i,    // its slot
  input  wire logic                            en_done_i,         // OFLD.END has sent its last beat
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  en_done_slot_i,    // its slot
  // From the caches and the buffers
  input  wire logic                            iwake_i,           // an instruction line has come: try again
  input  wire logic                            cwake_i,           // a constant line has come: try again
  input  wire logic                            rd_cpl_i,          // an entry of read data is complete
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]    rd_cpl_sm_i,       // its id: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]  rd_cpl_warp_i,     // its id: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]   rd_cpl_seq_i,      // its id: number of the load
  input  wire logic [nsu_pkg::PKT_cr_rd_W-1:0] rd_cpl_idx_i,      // the entry
  input  wire logic                            wr_cpl_i,          // an entry of write addresses is complete
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]    wr_cpl_sm_i,       // its id: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]  wr_cpl_warp_i,     // its id: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]   wr_cpl_seq_i,      // its id: number of the store
  input  wire logic [nsu_pkg::PKT_cr_wr_W-1:0] wr_cpl_idx_i,      // the entry
  // Probes
  output      logic [63:0]                     probe_used_o,      // bit s: slot s is not FREE
  output      logic [63:0]                     probe_fetch_o,     // bit s: slot s is FETCH
  output      logic [63:0]                     probe_ready_o,     // bit s: slot s waits only for its unit
  output      logic [nsu_pkg::PKT_slot_W-1:0]  probe_fetch_ptr_o, // the next fetch looks from this slot up
  output      logic [nsu_pkg::PKT_slot_W-1:0]  probe_go_ptr_o     // the next dispatch looks from this slot up
);

  localparam int IdBits    = nsu_pkg::PKT_sm_W + nsu_pkg::PKT_warp_W;
  localparam int FieldBits = IdBits + nsu_pkg::WARP_WIDTH + nsu_pkg::ADDR_BITS + nsu_pkg::PKT_count_W + 6;

  // States: a slot is in at most one. A slot in HALT is used and in none; a FREE slot is not used.
  logic [NumWarps-1:0] fetch_d, fetch_q, asked_d, asked_q, wait_i_d, wait_i_q,
                       wait_rd_d, wait_rd_q, wait_wr_d, wait_wr_q;
  logic [NumWarps-1:0] ex_d, ex_q, ld_d, ld_q, st_d, st_q, en_d, en_q,
                       const_d, const_q, wait_c_d, wait_c_q, last_d, last_q;

  // Flags: used, BUSY; the known instruction is LDC, or has an entry (mem); step and bump; OFLD.BEG
  // has been found (begun).
  logic [NumWarps-1:0] used_d, used_q, busy_d, busy_q, ldc_d, ldc_q, mem_d, mem_q,
                       step_d, step_q, bump_d, bump_q, begun_d, begun_q;

  // An entry of each memory belongs to a slot. Fields: sm, warp, mask, cbase, count, idx.
  logic [FieldBits-1:0]            fields_q [0:NumWarps-1];
  logic [nsu_pkg::ADDR_BITS-1:0]   pc_q [0:NumWarps-1];
  logic [nsu_pkg::PKT_seq_W-1:0]   seq_q [0:NumWarps-1];
  logic [nsu_pkg::PKT_cr_rd_W-1:0] entry_q [0:NumWarps-1];

  logic [SlotBits-1:0] fetch_ptr_d, fetch_ptr_q, go_ptr_d, go_ptr_q, sel_slot, go_slot, sp_slot;
  logic [NumWarps-1:0] ready, may_go, sel_hot, go_hot, free_hot;
  logic                spawn, select, go;

  // Events as masks of slots; is_* say which unit the found instruction goes to.
  logic [NumWarps-1:0] ev_spawn, ev_select, ev_go, ev_d, ev_known, ev_done, ev_ld,
                       rd_match, wr_match, rd_woken, wr_woken;
  logic                is_ex, is_ld, is_st, is_en;

  function automatic logic [NumWarps-1:0] lowest(input logic [NumWarps-1:0] x);
    lowest = x & (~x + 1'b1);
  endfunction

  function automatic logic [SlotBits-1:0] encode(input logic [NumWarps-1:0] hot);
    encode = '0;
    for (int i = 0; i < NumWarps; i++) if (hot[i]) encode = encode | SlotBits'(i);
  endfunction

  function automatic logic [NumWarps-1:0] hot(input logic valid, input logic [nsu_pkg::PKT_slot_W-1:0] slot);
    hot = valid ? NumWarps'(64'd1 << slot) : '0;
  endfunction

  // Slots at or above the pointer, if any
  function automatic logic [NumWarps-1:0] above(input logic [NumWarps-1:0] x, input logic [SlotBits-1:0] ptr);
    above = x & ~((NumWarps'(1) << ptr) - 1'b1);
  endfunction

  // The slot above, or slot 0; NumWarps need not be a power of two.
  function automatic logic [SlotBits-1:0] next(input logic [SlotBits-1:0] slot);
    next = 32'(slot) == NumWarps - 1 ? '0 : slot + 1'b1;
  endfunction

  // Fetch: the first FETCH slot from the pointer on, cyclically. The pointer moves behind it.
  // The issue stage takes every selection, so a selected slot is ASKED in the next cycle.
  assign sel_hot     = above(fetch_q, fetch_ptr_q) != '0 ? lowest(above(fetch_q, fetch_ptr_q)) : lowest(fetch_q);
  assign sel_slot    = encode(sel_hot);
  assign select      = fetch_q != '0;
  assign fetch_ptr_d = select ? next(sel_slot) : fetch_ptr_q;

  logic [nsu_pkg::WARP_WIDTH-1:0] unused_mask;
  logic [nsu_pkg::ADDR_BITS-1:0]  unused_cbase;
  logic [5:0]                     unused_idx;
  assign {sel_sm_o, sel_warp_o, unused_mask, unused_cbase, sel_count_o, unused_idx} = fields_q[sel_slot];
  assign sel_valid_o = select;
  assign sel_slot_o  = nsu_pkg::PKT_slot_W'(sel_slot);
  assign sel_pc_o    = pc_q[sel_slot] + (step_q[sel_slot] ? nsu_pkg::ADDR_BITS'(nsu_pkg::INSTR_BYTES) : '0);
  assign sel_seq_o   = seq_q[sel_slot] + nsu_pkg::PKT_seq_W'(bump_q[sel_slot]);
  assign sel_begun_o = begun_q[sel_slot];

  // Dispatch: of the slots that lack nothing, those whose unit is ready; END also waits for its
  // writes. Nothing is selected that cannot go in this cycle, so that no turn is lost.
  assign ready    = (ex_q | ld_q | st_q | (en_q & ack_zero_i[NumWarps-1:0])) & ~busy_q;
  assign may_go   = ready & ((ex_q & {NumWarps{ex_ready_i}}) | (ld_q & {NumWarps{ld_ready_i}}) |
                             (st_q & {NumWarps{st_ready_i}}) | (en_q & {NumWarps{en_ready_i}}));
  assign go_hot   = above(may_go, go_ptr_q) != '0 ? lowest(above(may_go, go_ptr_q)) : lowest(may_go);
  assign go_slot  = encode(go_hot);
  assign go       = may_go != '0;
  assign go_ptr_d = go ? next(go_slot) : go_ptr_q;

  logic [nsu_pkg::PKT_count_W-1:0] unused_count;
  assign {go_sm_o, go_warp_o, go_mask_o, go_cbase_o, unused_count, go_idx_o} = fields_q[go_slot];
  assign go_valid_o = go;
  assign go_slot_o  = nsu_pkg::PKT_slot_W'(go_slot);
  assign go_seq_o   = seq_q[go_slot];
  assign go_pc_o    = pc_q[go_slot];
  assign go_mem_o   = mem_q[go_slot];
  assign go_entry_o = entry_q[go_slot];

  // Spawn: the lowest free slot, as registered
  assign sp_ready_o = used_q != '1;
  assign free_hot   = lowest(~used_q);
  assign sp_slot    = encode(free_hot);
  assign spawn      = sp_valid_i && sp_ready_o;

  // Slots with these ids. The search compares all slots; only those that wait are woken below.
  always_comb begin
    rd_match = '0;
    wr_match = '0;
    if (rd_cpl_i) begin
      for (int i = 0; i < NumWarps; i++) begin
        rd_match[i] = fields_q[i][FieldBits-1 -: IdBits] == {rd_cpl_sm_i, rd_cpl_warp_i} && seq_q[i] == rd_cpl_seq_i;
      end
    end
    if (wr_cpl_i) begin
      for (int i = 0; i < NumWarps; i++) begin
        wr_match[i] = fields_q[i][FieldBits-1 -: IdBits] == {wr_cpl_sm_i, wr_cpl_warp_i} && seq_q[i] == wr_cpl_seq_i;
      end
    end
  end

  // Found instructions, by unit; BEG and LDC go to the load unit, too.
  assign is_ex = d_kind_i == nsu_pkg::KIND_ALU;
  assign is_ld = d_kind_i == nsu_pkg::KIND_LD;
  assign is_st = d_kind_i == nsu_pkg::KIND_ST;
  assign is_en = d_kind_i == nsu_pkg::KIND_END;

  // An event of a slot that is not in the state that expects it is nothing: ev_d needs ASKED, and
  // the next states below take done events from BUSY, CONST and LAST only.
  assign ev_spawn  = spawn  ? free_hot : '0;
  assign ev_select = select ? sel_hot  : '0;
  assign ev_go     = go     ? go_hot   : '0;
  assign ev_d      = hot(d_valid_i, d_slot_i) & asked_q;
  assign ev_known  = d_next_i == 2'(nsu_pkg::FETCH_KNOWN) ? ev_d : '0;
  assign ev_ld     = hot(ld_done_i, ld_done_slot_i);
  assign ev_done   = hot(ex_done_i, ex_done_slot_i) | ev_ld | hot(st_done_i, st_done_slot_i);
  assign rd_woken  = wait_rd_q & rd_match;
  assign wr_woken  = wait_wr_q & wr_match;

  // Next states. A slot that goes is fetched for again at once, while its instruction runs. LDC is
  // kept until it is done, as it may have to be tried again; END has nothing after it.
  assign fetch_d   = (fetch_q & ~ev_select) | ev_spawn | (ev_go & ~(ldc_q | en_q)) |
                     (iwake_i ? wait_i_q : '0) | (const_q & ev_ld);
  assign asked_d   = (asked_q & ~ev_d) | ev_select;
  assign wait_i_d  = (iwake_i ? '0 : wait_i_q) | (d_next_i == 2'(nsu_pkg::FETCH_MISS) ? ev_d : '0);
  assign wait_rd_d = (wait_rd_q & ~rd_woken) | (is_ld && !d_there_i ? ev_known : '0);
  assign wait_wr_d = (wait_wr_q & ~wr_woken) | (is_st && !d_there_i ? ev_known : '0);
  assign ex_d      = (ex_q & ~ev_go) | (is_ex ? ev_known : '0);
  assign ld_d      = (ld_q & ~ev_go) | (!(is_ex || is_st || is_en || (is_ld && !d_there_i)) ? ev_known : '0) |
                     rd_woken | (cwake_i ? wait_c_q : '0);
  assign st_d      = (st_q & ~ev_go) | (is_st && d_there_i ? ev_known : '0) | wr_woken;
  assign en_d      = (en_q & ~ev_go) | (is_en ? ev_known : '0);
  assign const_d   = (const_q & ~(ev_ld | hot(ld_miss_i, ld_miss_slot_i))) | (ev_go & ldc_q);
  assign wait_c_d  = (cwake_i ? '0 : wait_c_q) | (const_q & hot(ld_miss_i, ld_miss_slot_i));
  assign last_d    = (last_q & ~hot(en_done_i, en_done_slot_i)) | (ev_go & en_q);

  // Flags. BUSY says that an instruction has left its slot, which may fetch the next one meanwhile.
  // LDC and END stay in their slot instead.
  assign used_d    = (used_q & ~(last_q & hot(en_done_i, en_done_slot_i))) | ev_spawn;
  assign busy_d    = (busy_q & ~ev_done) | (ev_go & ~(ldc_q | en_q));
  assign ldc_d     = (ldc_q & ~ev_known) | (d_kind_i == nsu_pkg::KIND_LDC ? ev_known : '0);
  assign mem_d     = (mem_q & ~ev_known) | (is_ld || is_st ? ev_known : '0);
  assign step_d    = (step_q & ~(ev_spawn | ev_select)) | ev_known;
  assign bump_d    = (bump_q & ~(ev_spawn | ev_select)) | (is_ld || is_st ? ev_known : '0);
  assign begun_d   = (begun_q & ~ev_spawn) | (d_kind_i == nsu_pkg::KIND_BEG ? ev_known : '0);

  // Entries: a completion names the entry of a slot that it wakes, else the answer to a fetch does.
  always_ff @(posedge clk_i) begin
    if (spawn) begin
      fields_q[sp_slot] <= {sp_sm_i, sp_warp_i, sp_mask_i, sp_cbase_i, sp_count_i, sp_idx_i};
      pc_q[sp_slot]     <= sp_pc_i;
      seq_q[sp_slot]    <= '0;
    end
    if (select) begin
      pc_q[sel_slot]    <= sel_pc_o;
      seq_q[sel_slot]   <= sel_seq_o;
    end
    for (int i = 0; i < NumWarps; i++) begin
      if (rd_woken[i])      entry_q[i] <= rd_cpl_idx_i;
      else if (wr_woken[i]) entry_q[i] <= wr_cpl_idx_i;
      else if (ev_d[i])     entry_q[i] <= d_entry_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {fetch_q, asked_q, wait_i_q, wait_rd_q, wait_wr_q} <= '0;
      {ex_q, ld_q, st_q, en_q, const_q, wait_c_q, last_q} <= '0;
      {used_q, busy_q, ldc_q, mem_q, step_q, bump_q, begun_q} <= '0;
      {fetch_ptr_q, go_ptr_q} <= '0;
    end else begin
      {fetch_q, asked_q, wait_i_q, wait_rd_q, wait_wr_q} <= {fetch_d, asked_d, wait_i_d, wait_rd_d, wait_wr_d};
      {ex_q, ld_q, st_q, en_q, const_q, wait_c_q, last_q} <= {ex_d, ld_d, st_d, en_d, const_d, wait_c_d, last_d};
      {used_q, busy_q, ldc_q, mem_q, step_q, bump_q, begun_q} <=
          {used_d, busy_d, ldc_d, mem_d, step_d, bump_d, begun_d};
      {fetch_ptr_q, go_ptr_q} <= {fetch_ptr_d, go_ptr_d};
    end
  end

  assign probe_used_o      = 64'(used_q);
  assign probe_fetch_o     = 64'(fetch_q);
  assign probe_ready_o     = 64'(ready);
  assign probe_fetch_ptr_o = nsu_pkg::PKT_slot_W'(fetch_ptr_q);
  assign probe_go_ptr_o    = nsu_pkg::PKT_slot_W'(go_ptr_q);

  // Acknowledgement bits of slots that do not exist
  logic unused_ack;
  assign unused_ack = &{1'b0, ack_zero_i};

`ifndef SYNTHESIS
  // Each slot in use is in one state, or halted; no slot is in two states.
  logic [NumWarps-1:0]    some, two;
  logic [12*NumWarps-1:0] states;
  assign states = {fetch_q, asked_q, wait_i_q, wait_rd_q, wait_wr_q, ex_q, ld_q, st_q, en_q, const_q, wait_c_q, last_q};
  always_comb begin
    some = '0;
    two  = '0;
    for (int i = 0; i < 12; i++) begin
      two  = two | (some & states[i*NumWarps +: NumWarps]);
      some = some | states[i*NumWarps +: NumWarps];
    end
  end

  always @(posedge clk_i) if (rst_ni) begin
    assert (two == '0);
    assert ((some & ~used_q) == '0);
    assert ((go_hot & busy_q) == '0 && (!go || (ready & go_hot) == go_hot));
    assert (32'(fetch_ptr_q) < NumWarps && 32'(go_ptr_q) < NumWarps);
  end
`endif
endmodule

`default_nettype wire
