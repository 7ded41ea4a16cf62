// SPDX-License-Identifier: Apache-2.0
//
// lsu -- a subcore's load/store unit for ld/st.global (MPU paper, IV-B2, Fig. 4 (1)).
//
// One instruction is worked on at a time (phase_q):
//
//   IDLE --no threads-> EMPTY ---cm_valid-----------> IDLE
//   IDLE --offloaded--> OFFLOAD --its message taken-> IDLE
//   IDLE --a load-----> SPLIT ---last transfer taken> IDLE     a transfer: a message, or rq_*
//   IDLE --a store----> DATA ----last row there-----> SPLIT
//
// What is not offloaded has an entry, which outlives the work:
//
//   free --accept--> busy --last transfer taken--> all --last answer--> done ----> free
//                                              a store commits, a load's REGWs go out on dn_
//
// lsu_numbers knows what a request number is for, lsu_words what loads have read. On dn_ REGWs go
// before the work, but what has been shown stays (dn_held_q). All outputs are state.

`default_nettype none

module lsu #(
  parameter int Entries = 4,  // loads and stores under way that are not offloaded, 1 to 16
  parameter int Reqs    = 32  // transfers under way, 1 to 256
) (
  input  wire logic                                          clk_i,            // core clock
  input  wire logic                                          rst_ni,           // asynchronous, active low
  // Constant after reset
  input  wire logic [lsu_pkg::CORE_BITS-1:0]                 core_id_i,        // this core
  input  wire logic [1:0]                                    subcore_id_i,     // this subcore
  input  wire logic [lsu_pkg::NBU_W-1:0]                     nbu_id_i,         // near-bank unit of this subcore
  input  wire logic                                          no_offload_i,     // 1: offload nothing
  // From dispatch
  input  wire logic                                          in_valid_i,       // an instruction; taken with in_ready_o
  input  wire logic                                          in_store_i,       // 1: store, 0: load
  input  wire logic [lsu_pkg::WARP_W-1:0]                    in_warp_i,        // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]                     in_reg_i,         // its (first) data register
  input  wire logic [lsu_pkg::ID_W-1:0]                      in_tag_i,         // its tag, for commit
  input  wire logic [lsu_pkg::SIZE_W-1:0]                    in_size_i,        // 2^in_size_i bytes a thread
  input  wire logic                                          in_sign_i,        // load: extend with the sign
  input  wire logic [lsu_pkg::LANES-1:0]                     in_mask_i,        // threads
  input  wire logic [lsu_pkg::LANES*lsu_pkg::GADDR_BITS-1:0] in_addr_i,        // 35 bits a thread: core, unit, address
  output      logic                                          in_ready_o,       // no work, and an entry is free
  // To and from the move engine
  output      logic                                          need_data_o,      // a row for a store, until dt_valid_i
  output      logic [lsu_pkg::WARP_W-1:0]                    need_warp_o,      // its warp
  output      logic [lsu_pkg::REG_W-1:0]                     need_reg_o,       // its register
  input  wire logic                                          dt_valid_i,       // the row comes
  input  wire logic [lsu_pkg::ROW_BITS-1:0]                  dt_data_i,        // 32 words
  // To the near-bank units
  output      logic                                          dn_valid_o,       // a message; stays until dn_take_i
  output      logic [lsu_pkg::BEAT_BITS-1:0]                 dn_hdr_o,         // header: lsu_msg.def
  output      logic [31:0]                                   dn_mask_o,        // WR: bytes; REGW: threads; else 0
  output      logic [lsu_pkg::ROW_BITS-1:0]                  dn_data_o,        // WR: low 256 bits; REGW; else 0
  input  wire logic                                          dn_take_i,        // takes the message
  // To other cores
  output      logic                                          rq_valid_o,       // a transfer; stays until rq_take_i
  output      logic                                          rq_write_o,       // 1: write, 0: read
  output      logic [lsu_pkg::CORE_BITS-1:0]                 rq_core_o,        // where it goes
  output      logic [lsu_pkg::NBU_W-1:0]                     rq_nbu_o,         // unit of that core
  output      logic [lsu_pkg::ADDR_BITS-1:0]                 rq_addr_o,        // byte address, a multiple of 32
  output      logic [lsu_pkg::ID_W-1:0]                      rq_id_o,          // request number
  output      logic [lsu_pkg::XFER_BYTES-1:0]                rq_mask_o,        // write: bytes, else 0
  output      logic [lsu_pkg::XFER_BITS-1:0]                 rq_data_o,        // write: 32 bytes, else 0
  input  wire logic                                          rq_take_i,        // takes the transfer
  // Answers of the near-bank units
  input  wire logic                                          rs_valid_i,       // an answer, in any order
  input  wire logic                                          rs_write_i,       // 1: of a write, 0: of a read
  input  wire logic [lsu_pkg::ID_W-1:0]                      rs_id_i,          // its request number
  input  wire logic [lsu_pkg::XFER_BITS-1:0]                 rs_data_i,        // read: 32 bytes
  // Answers of other cores
  input  wire logic                                          rr_valid_i,       // an answer, in any order
  input  wire logic                                          rr_write_i,       // 1: of a write, 0: of a read
  input  wire logic [lsu_pkg::ID_W-1:0]                      rr_id_i,          // its request number
  input  wire logic [lsu_pkg::XFER_BITS-1:0]                 rr_data_i,        // read: 32 bytes
  // To commit
  output      logic                                          cm_valid_o,       // commit: a store, or no threads
  output      logic [lsu_pkg::ID_W-1:0]                      cm_tag_o,         // its tag
  output      logic [1:0]                                    err_o,            // 0 unknown number, 1 wrong kind
  output      logic                                          probe_offload_o,  // accepted a cycle ago: is offloaded
  output      logic [8:0]                                    probe_reqs_o      // request numbers in use
);

  localparam int EntryW = Entries > 1 ? $clog2(Entries) : 1;
  localparam int OpW    = lsu_pkg::WARP_W + lsu_pkg::REG_W + lsu_pkg::SIZE_W + 1 + lsu_pkg::LANES + 5 * lsu_pkg::LANES;

  localparam logic [2:0] IDLE = 3'd0, EMPTY = 3'd1, OFFLOAD = 3'd2, DATA = 3'd3, SPLIT = 3'd4;

  // The work: the instruction, its rows if it is a store, and the threads that are not yet served.
  logic [2:0]                                    phase_d, phase_q;
  logic                                          accept, offload, fresh_d, fresh_q;  // fresh: the work's first cycle
  logic                                          store_d, store_q, sign_d, sign_q;
  logic [lsu_pkg::WARP_W-1:0]                    warp_d, warp_q;
  logic [lsu_pkg::REG_W-1:0]                     reg_d, reg_q;
  logic [lsu_pkg::ID_W-1:0]                      tag_d, tag_q;
  logic [lsu_pkg::SIZE_W-1:0]                    size_d, size_q;
  logic [lsu_pkg::LANES*lsu_pkg::GADDR_BITS-1:0] addr_d, addr_q;
  logic [EntryW-1:0]                             entry_d, entry_q, entry_free;  // its entry
  logic                                          second_d, second_q;            // a store's second row
  logic [lsu_pkg::ROW_BITS-1:0]                  low_d, low_q, high_d, high_q;
  logic [31:0]                                   left_d, left_q;  // threads not yet served

  // The entries. op has what a load's rows need: warp, reg, size, sign, mask,
  // the addresses' low five bits.
  logic [OpW-1:0]           op [0:Entries-1];
  logic [lsu_pkg::ID_W-1:0] tag_e [0:Entries-1];
  logic [Entries-1:0]       busy_d, busy_q, all_d, all_q;     // all: all transfers are taken
  logic [Entries*6-1:0]     out_d, out_q;                     // 6 bits an entry: answers still to come
  logic [Entries-1:0]       store_e_d, store_e_q, done_e;

  // Acceptance. Offloaded is what is local and in this unit, with consecutive
  // addresses and all threads.
  logic [31:0]  close_t;
  logic [159:0] in_off;

  for (genvar t = 0; t < 32; t++) begin : gen_thread
    assign close_t[t] = in_valid_i && in_addr_i[t*35+26 +: 9] == {core_id_i, nbu_id_i}
                        && in_addr_i[t*35 +: 35] == in_addr_i[34:0] + (35'(t) << in_size_i);
    assign in_off[t*5 +: 5] = in_addr_i[t*35 +: 5];
  end
  assign offload    = !no_offload_i && &in_mask_i && &close_t;
  assign in_ready_o = phase_q == IDLE && !(&busy_q);
  assign accept     = in_valid_i && in_ready_o;

  always_comb begin
    entry_free = '0;
    for (int i = Entries - 1; i >= 0; i--) if (!busy_q[i]) entry_free = EntryW'(i);
  end

  assign store_d = accept ? in_store_i : store_q;
  assign sign_d  = accept ? in_sign_i : sign_q;
  assign warp_d  = accept ? in_warp_i : warp_q;
  assign reg_d   = accept ? in_reg_i : reg_q;
  assign tag_d   = accept ? in_tag_i : tag_q;
  assign size_d  = accept ? in_size_i : size_q;
  assign addr_d  = accept ? in_addr_i : addr_q;
  assign entry_d = accept ? entry_free : entry_q;
  assign fresh_d = accept;

  // A store's rows.
  assign need_data_o = phase_q == DATA;
  assign need_warp_o = warp_q;
  assign need_reg_o  = reg_q + 8'(second_q);
  assign second_d    = !accept && (second_q || (need_data_o && dt_valid_i));
  assign low_d       = need_data_o && dt_valid_i && !second_q ? dt_data_i : low_q;
  assign high_d      = need_data_o && dt_valid_i && second_q ? dt_data_i : high_q;

  // The next transfer: the threads that it serves, its number, and where it goes, to dn_ or to rq_.
  logic [29:0]                   line;
  logic [31:0]                   lanes, wmask;
  logic [lsu_pkg::XFER_BITS-1:0] wdata;
  logic [7:0]                    num;
  logic                          split, near, num_there, shown, taken, last, work_dn, dn_work, dn_taken;

  assign split = phase_q == SPLIT;

  lsu_coalesce i_coalesce (
    .active_i(split), .store_i(store_q), .size_i(size_q),
    .left_i(left_q), .addr_i(addr_q), .low_i(low_q), .high_i(high_q),
    .line_o(line), .lanes_o(lanes), .mask_o(wmask), .data_o(wdata)
  );

  assign near = line[29:23] == core_id_i;

  assign rq_valid_o = split && !near && num_there;
  assign rq_write_o = store_q;
  assign rq_core_o  = line[29:23];
  assign rq_nbu_o   = line[22:21];
  assign rq_addr_o  = {line[20:0], 5'd0};
  assign rq_id_o    = num;
  assign rq_mask_o  = wmask;
  assign rq_data_o  = wdata;

  assign work_dn  = phase_q == OFFLOAD || (split && near && num_there);
  assign dn_taken = dn_valid_o && dn_take_i;
  assign shown    = rq_valid_o || (split && dn_work);
  assign taken    = (rq_valid_o && rq_take_i) || (split && dn_work && dn_taken);
  assign last     = (left_q & ~lanes) == '0;
  assign left_d   = accept ? in_mask_i : taken ? left_q & ~lanes : left_q;

  // The phases.
  always_comb begin
    phase_d = phase_q;
    case (phase_q)
      IDLE:    if (accept) phase_d = in_mask_i == '0 ? EMPTY : offload ? OFFLOAD : in_store_i ? DATA : SPLIT;
      OFFLOAD: if (dn_work && dn_taken) phase_d = IDLE;
      DATA:    if (dt_valid_i && (size_q != 2'd3 || second_q)) phase_d = SPLIT;
      SPLIT:   if (taken && last) phase_d = IDLE;
      default: phase_d = IDLE;
    endcase
  end

  // On dn_: rows of loads that are done, else the work. Rows wait at most for the message that is
  // shown, so entries become free whatever the work waits for. A second row goes before all others:
  // row_entry_q keeps its entry.
  logic [Entries-1:0]           rows_e, stores_e;
  logic [EntryW-1:0]            rows_lowest, stores_lowest;
  logic                         dn_held_d, dn_held_q, dn_row_d, dn_row_q, dn_row, row_last, row_taken;
  logic [EntryW-1:0]            row_entry_d, row_entry_q, row_entry;
  logic                         row_high_d, row_high_q;   // the second row of row_entry_q is next
  logic [lsu_pkg::WARP_W-1:0]   r_warp;
  logic [lsu_pkg::REG_W-1:0]    r_reg, row_reg;
  logic [lsu_pkg::SIZE_W-1:0]   r_size;
  logic                         r_sign;
  logic [31:0]                  r_mask;
  logic [159:0]                 unused_off;
  logic [lsu_pkg::ROW_BITS-1:0] row;

  for (genvar e = 0; e < Entries; e++) begin : gen_done
    assign done_e[e] = busy_q[e] && all_q[e] && out_q[e*6 +: 6] == '0;
  end
  assign rows_e   = done_e & ~store_e_q;
  assign stores_e = done_e & store_e_q;

  always_comb begin
    rows_lowest   = '0;
    stores_lowest = '0;
    for (int i = Entries - 1; i >= 0; i--) begin
      if (rows_e[i])   rows_lowest   = EntryW'(i);
      if (stores_e[i]) stores_lowest = EntryW'(i);
    end
  end

  assign dn_row      = dn_held_q ? dn_row_q : row_high_q || |rows_e;
  assign row_entry   = (dn_held_q && dn_row_q) || row_high_q ? row_entry_q : rows_lowest;
  assign dn_work     = !dn_row && work_dn;
  assign dn_valid_o  = dn_row || dn_work;
  assign dn_held_d   = dn_valid_o && !dn_take_i;
  assign dn_row_d    = dn_row;
  assign row_entry_d = row_entry;
  assign row_last    = r_size != 2'd3 || row_high_q;
  assign row_taken   = dn_row && dn_take_i;
  assign row_high_d  = row_taken ? !row_last : row_high_q;
  assign row_reg     = r_reg + 8'(row_high_q);
  assign {r_warp, r_reg, r_size, r_sign, r_mask, unused_off} = op[row_entry];

  always_comb begin
    dn_hdr_o  = '0;
    dn_mask_o = '0;
    dn_data_o = '0;
    if (dn_row) begin
      dn_hdr_o  = header(lsu_pkg::MSG_REGW, nbu_id_i, 2'd2, r_warp, row_reg, 8'(!row_last), 26'd0, tag_e[row_entry]);
      dn_mask_o = r_mask;
      dn_data_o = row;
    end else if (phase_q == OFFLOAD) begin
      dn_hdr_o  = header(store_q ? lsu_pkg::MSG_STO : lsu_pkg::MSG_LDO, nbu_id_i, size_q, warp_q, reg_q,
                         8'(sign_q && !store_q), addr_q[25:0], tag_q);
    end else if (split) begin
      dn_hdr_o  = header(store_q ? lsu_pkg::MSG_WR : lsu_pkg::MSG_RD, line[22:21], 2'd0, 6'd0, 8'd0, 8'(subcore_id_i),
                         {line[20:0], 5'd0}, num);
      dn_mask_o = wmask;
      dn_data_o = 1024'(wdata);
    end
  end

  // Answers, two a cycle. The kind of the entry decides what an answer is
  // taken for, not the answer's own.
  logic              rs_hit, rr_hit, rs_store, rr_store;
  logic [EntryW-1:0] rs_entry, rr_entry;
  logic [31:0]       rs_lanes, rr_lanes;
  logic [159:0]      rs_off, rr_off;
  logic [48:0]       unused_rs, unused_rr;
  logic [1:0]        err_d, err_q;

  lsu_numbers #(.Reqs(Reqs), .EntryW(EntryW)) i_numbers (
    .clk_i, .rst_ni,
    .shown_i(shown), .taken_i(taken), .entry_i(entry_q), .lanes_i(lanes), .there_o(num_there), .num_o(num),
    .an_valid_i({rr_valid_i, rs_valid_i}), .an_id_i({rr_id_i, rs_id_i}),
    .an_hit_o({rr_hit, rs_hit}), .an_entry_o({rr_entry, rs_entry}),
    .an_lanes_o({rr_lanes, rs_lanes}), .probe_used_o(probe_reqs_o)
  );

  assign {unused_rs, rs_off} = op[rs_entry];
  assign {unused_rr, rr_off} = op[rr_entry];
  assign rs_store            = store_e_q[rs_entry];
  assign rr_store            = store_e_q[rr_entry];
  assign err_d               = {(rs_hit && rs_write_i != rs_store) || (rr_hit && rr_write_i != rr_store),
                                (rs_valid_i && !rs_hit) || (rr_valid_i && !rr_hit)};

  lsu_words #(.Entries(Entries)) i_words (
    .clk_i,
    .wr_valid_i({rr_hit && !rr_store, rs_hit && !rs_store}),
    .wr_entry_i({rr_entry, rs_entry}), .wr_lanes_i({rr_lanes, rs_lanes}),
    .wr_off_i({rr_off, rs_off}), .wr_data_i({rr_write_i ? 256'd0 : rr_data_i, rs_write_i ? 256'd0 : rs_data_i}),
    .rd_valid_i(dn_row), .rd_entry_i(row_entry), .rd_mask_i(r_mask),
    .rd_size_i(r_size), .rd_sign_i(r_sign), .rd_high_i(row_high_q), .row_o(row)
  );

  // The entries from accept to their end. What is offloaded, or has no threads, stores its fields,
  // too, but its entry stays free. EMPTY has the commit port for its one cycle: a store that is
  // done waits, and keeps its entry.
  assign store_e_d  = (store_e_q & ~hot(accept, entry_free)) | (hot(accept, entry_free) & {Entries{in_store_i}});
  assign busy_d     = (busy_q & ~hot(row_taken && row_last, row_entry)
                              & ~hot(cm_valid_o && phase_q != EMPTY, stores_lowest))
                      | hot(accept && in_mask_i != '0 && !offload, entry_free);
  assign all_d      = (all_q & ~hot(accept, entry_free)) | hot(taken && last, entry_q);

  for (genvar e = 0; e < Entries; e++) begin : gen_out
    assign out_d[e*6 +: 6] = out_q[e*6 +: 6] + 6'(taken && entry_q == EntryW'(e)) - 6'(rs_hit && rs_entry == EntryW'(e))
                             - 6'(rr_hit && rr_entry == EntryW'(e));
  end

  // No reset: an entry's fields mean something only while it is busy.
  always_ff @(posedge clk_i) begin
    if (accept) op[entry_free]    <= {in_warp_i, in_reg_i, in_size_i, in_sign_i, in_mask_i, in_off};
    if (accept) tag_e[entry_free] <= in_tag_i;
  end

  // Commit of stores, the lowest entry first, and of instructions without threads.
  assign cm_valid_o      = phase_q == EMPTY || |stores_e;
  assign cm_tag_o        = phase_q == EMPTY ? tag_q : tag_e[stores_lowest];
  assign err_o           = err_q;
  assign probe_offload_o = fresh_q && phase_q == OFFLOAD;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q     <= IDLE;
      fresh_q     <= '0;
      store_q     <= '0;
      sign_q      <= '0;
      warp_q      <= '0;
      reg_q       <= '0;
      tag_q       <= '0;
      size_q      <= '0;
      addr_q      <= '0;
      entry_q     <= '0;
      second_q    <= '0;
      low_q       <= '0;
      high_q      <= '0;
      left_q      <= '0;
      busy_q      <= '0;
      all_q       <= '0;
      out_q       <= '0;
      store_e_q   <= '0;
      dn_held_q   <= '0;
      dn_row_q    <= '0;
      row_entry_q <= '0;
      row_high_q  <= '0;
      err_q       <= '0;
    end else begin
      phase_q     <= phase_d;
      fresh_q     <= fresh_d;
      store_q     <= store_d;
      sign_q      <= sign_d;
      warp_q      <= warp_d;
      reg_q       <= reg_d;
      tag_q       <= tag_d;
      size_q      <= size_d;
      addr_q      <= addr_d;
      entry_q     <= entry_d;
      second_q    <= second_d;
      low_q       <= low_d;
      high_q      <= high_d;
      left_q      <= left_d;
      busy_q      <= busy_d;
      all_q       <= all_d;
      out_q       <= out_d;
      store_e_q   <= store_e_d;
      dn_held_q   <= dn_held_d;
      dn_row_q    <= dn_row_d;
      row_entry_q <= row_entry_d;
      row_high_q  <= row_high_d;
      err_q       <= err_d;
    end
  end

  function automatic logic [lsu_pkg::BEAT_BITS-1:0] header(
    input logic [lsu_pkg::TYPE_W-1:0] kind, input logic [lsu_pkg::NBU_W-1:0] nbu,
        input logic [lsu_pkg::SIZE_W-1:0] size,
    input logic [lsu_pkg::WARP_W-1:0] warp, input logic [lsu_pkg::REG_W-1:0] rg, input logic [lsu_pkg::AREG_W-1:0] areg,
    input logic [lsu_pkg::ADDR_W-1:0] addr, input logic [lsu_pkg::ID_W-1:0] id);
    header = (64'(kind) << lsu_pkg::TYPE_LSB) | (64'(nbu) << lsu_pkg::NBU_LSB) | (64'(size) << lsu_pkg::SIZE_LSB)
             | (64'(warp) << lsu_pkg::WARP_LSB) | (64'(rg) << lsu_pkg::REG_LSB) | (64'(areg) << lsu_pkg::AREG_LSB)
             | (64'(addr) << lsu_pkg::ADDR_LSB) | (64'(id) << lsu_pkg::ID_LSB);
  endfunction

  // One-hot of an entry, or 0.
  function automatic logic [Entries-1:0] hot(input logic valid, input logic [EntryW-1:0] entry);
    hot = Entries'(valid) << entry;
  endfunction

  initial begin
    if (Entries < 1 || Entries > 16) $fatal(1, "lsu: Entries must be 1 to 16");
    if (Reqs < 1 || Reqs > 256) $fatal(1, "lsu: Reqs must be 1 to 256");
  end

`ifndef SYNTHESIS
  // SPLIT has threads to serve, only a load sends rows, and a second row follows its first.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!split || left_q != '0);
    assert (!dn_row || !store_e_q[row_entry]);
    assert (!row_high_q || (dn_row && !(dn_held_q && !dn_row_q)));
  end
`endif
endmodule

`default_nettype wire
