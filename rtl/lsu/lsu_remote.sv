// SPDX-License-Identifier: Apache-2.0
//
// lsu_remote -- a core's server for other cores' accesses (MPU paper, IV-B2, Fig. 4 (2)).
//
//   in_ -> requests FIFO, data memory --start--> shown: dn_ --dn_take--> near-bank unit
//                                                | entry in use
//   out_ <- answers FIFO, data memory <--------- rs_: entry free
//
// The oldest request starts only when a place in the answers FIFO is sure for its answer. Then its
// data are read, the lowest free entry is chosen, and it is shown from the next cycle on. With
// dn_take_i the request leaves its FIFO, and the entry is in use. An answer takes the entry's
// requester into the answers FIFO. All outputs are state.

`default_nettype none

module lsu_remote #(
  parameter int InDepth       = 8,  // requests that wait, 1 to 64
  parameter int RemoteEntries = 16  // requests under way, answers included, 1 to 256
) (
  input  wire logic                           clk_i,          // core clock
  input  wire logic                           rst_ni,         // asynchronous, active low
  // From the network
  input  wire logic                           in_valid_i,     // a request; the sender has a credit for it
  input  wire logic                           in_write_i,     // 1: write, 0: read
  input  wire logic [lsu_pkg::CORE_BITS-1:0]  in_core_i,      // core that asks
  input  wire logic [1:0]                     in_subcore_i,   // its subcore
  input  wire logic [lsu_pkg::ID_W-1:0]       in_id_i,        // its request number
  input  wire logic [lsu_pkg::NBU_W-1:0]      in_nbu_i,       // near-bank unit of this core
  input  wire logic [lsu_pkg::ADDR_BITS-1:0]  in_addr_i,      // byte address in it; bits 4:0 are ignored
  input  wire logic [lsu_pkg::XFER_BYTES-1:0] in_mask_i,      // write: bytes that are written
  input  wire logic [lsu_pkg::XFER_BITS-1:0]  in_data_i,      // write: 32 bytes
  output      logic                           in_credit_o,    // one cycle: a request has left its place
  // To and from the near-bank units
  output      logic                           dn_valid_o,     // a message; stays until dn_take_i
  output      logic [lsu_pkg::BEAT_BITS-1:0]  dn_hdr_o,       // header: RD or WR, areg 4, id = entry
  output      logic [lsu_pkg::XFER_BYTES-1:0] dn_mask_o,      // WR: bytes that are written, else 0
  output      logic [lsu_pkg::XFER_BITS-1:0]  dn_data_o,      // WR: 32 bytes, else 0
  input  wire logic                           dn_take_i,      // takes the message
  input  wire logic                           rs_valid_i,     // an answer, in any order
  input  wire logic [lsu_pkg::ID_W-1:0]       rs_id_i,        // its entry
  input  wire logic [lsu_pkg::XFER_BITS-1:0]  rs_data_i,      // RD: 32 bytes
  // To the network
  output      logic                           out_valid_o,    // the oldest answer; stays until out_take_i
  output      logic                           out_write_o,    // 1: of a write, 0: of a read
  output      logic [lsu_pkg::CORE_BITS-1:0]  out_core_o,     // core that asked
  output      logic [1:0]                     out_subcore_o,  // its subcore
  output      logic [lsu_pkg::ID_W-1:0]       out_id_o,       // its request number
  output      logic [lsu_pkg::XFER_BITS-1:0]  out_data_o,     // read: 32 bytes, else 0
  input  wire logic                           out_take_i,     // takes the answer
  output      logic [1:0]                     err_o           // one cycle: 0 no place, 1 answer to a free entry
);

  // Widths of a requester, {write, core, subcore, id}, and of a request:
  // requester, near-bank unit, address / 32.
  localparam int WhoW      = 1 + lsu_pkg::CORE_BITS + 2 + lsu_pkg::ID_W;
  localparam int ReqW      = WhoW + lsu_pkg::NBU_W + lsu_pkg::ADDR_BITS - 5;
  localparam int InPtrW    = InDepth > 1 ? $clog2(InDepth) : 1;
  localparam int EntryW    = RemoteEntries > 1 ? $clog2(RemoteEntries) : 1;
  localparam int InRows    = InDepth > 1 ? InDepth : 2;   // a memory has two rows at least
  localparam int OutRows   = RemoteEntries > 1 ? RemoteEntries : 2;
  localparam int InCountW  = $clog2(InDepth + 1);
  localparam int OutCountW = $clog2(RemoteEntries + 1);

  // Requests: requester and address in a FIFO, masks and data in a memory by the same pointers.
  logic              in_full, in_any, start, take, unused_in_empty, unused_in_over, unused_in_under;
  logic [InCountW-1:0] unused_in_count;
  logic [InPtrW-1:0] in_wptr, in_rptr;
  logic [ReqW-1:0]           head;
  logic [WhoW-1:0]           head_who;
  logic [lsu_pkg::NBU_W-1:0] head_nbu;
  logic [20:0]               head_line;
  logic [287:0]              head_data;

  fifo #(.Width(ReqW), .Depth(InDepth)) i_requests (
    .clk_i, .rst_ni,
    .push_i(in_valid_i),
    .wdata_i({in_write_i, in_core_i, in_subcore_i, in_id_i, in_nbu_i, in_addr_i[25:5]}), .pop_i(take),
    .full_o(in_full), .empty_o(unused_in_empty), .not_empty_o(in_any), .count_o(unused_in_count), .rdata_o(head),
    .overflow_o(unused_in_over), .underflow_o(unused_in_under), .probe_wptr_o(in_wptr), .probe_rptr_o(in_rptr)
  );
  assign {head_who, head_nbu, head_line} = head;

  // An entry is {mask, data}; it is read when the request is shown.
  sram_1r1w #(.Width(288), .Depth(InRows), .LaneBits(288)) i_request_data (
    .clk_i, .rst_ni,
    .wr_en_i(in_valid_i && !in_full), .wr_addr_i(in_wptr), .wr_mask_i(1'b1), .wr_data_i({in_mask_i, in_data_i}),
    .rd_en_i(start), .rd_addr_i(in_rptr), .rd_data_o(head_data)
  );

  // Entries. who[] has the requester of each entry. It is looked up in the cycle of the answer, so
  // it is flip-flops also where it is large.
  logic [WhoW-1:0]          who [0:RemoteEntries-1];
  logic [RemoteEntries-1:0] used_d, used_q;
  logic [OutCountW-1:0]     under_way_d, under_way_q;     // entries in use, and answers in the FIFO
  logic                     rs_hit, out_any, out_pop;
  logic [EntryW-1:0]        free_d, free_q, lowest;       // free_q: entry of what is shown
  logic                     shown_d, shown_q;

  // The lowest free entry, from state.
  always_comb begin
    lowest = '0;
    for (int i = RemoteEntries - 1; i >= 0; i--) if (!used_q[i]) lowest = EntryW'(i);
  end

  // A request is shown only with under_way below RemoteEntries: its answer has a place.
  assign start   = in_any && !shown_q && 32'(under_way_q) < RemoteEntries;
  assign take    = shown_q && dn_take_i;
  assign shown_d = start || (shown_q && !dn_take_i);
  assign free_d  = start ? lowest : free_q;
  assign rs_hit  = rs_valid_i && 32'(rs_id_i) < RemoteEntries && used_q[rs_id_i[EntryW-1:0]];

  always_comb begin
    used_d = used_q;
    if (rs_hit) used_d[rs_id_i[EntryW-1:0]] = 1'b0;
    if (take)   used_d[free_q]              = 1'b1;
    // One request is shown at a time, so under_way_q cannot rise between start and take: what start
    // has seen still holds.
    under_way_d = under_way_q + OutCountW'(take) - OutCountW'(out_pop);   // an answer moves from one to the other
  end

  // No reset: an element of who[] means something only while its entry is in use.
  always_ff @(posedge clk_i) begin
    if (take) who[free_q] <= head_who;
  end

  // The message: RD or WR to the unit, with the entry as its id.
  assign dn_valid_o = shown_q;
  assign dn_hdr_o   = ((head_who[WhoW-1] ? 64'(lsu_pkg::MSG_WR) : 64'(lsu_pkg::MSG_RD)) << lsu_pkg::TYPE_LSB)
                      | (64'(head_nbu) << lsu_pkg::NBU_LSB) | (64'd4 << lsu_pkg::AREG_LSB)
                      | (64'({head_line, 5'd0}) << lsu_pkg::ADDR_LSB) | (64'(free_q) << lsu_pkg::ID_LSB);
  assign {dn_mask_o, dn_data_o} = head_who[WhoW-1] ? head_data : '0;

  // Answers: requesters in a FIFO, data in a memory by the same pointers.
  logic                          unused_out_full, unused_out_empty, unused_out_over, unused_out_under, out_more;
  logic [OutCountW-1:0]          out_count;
  logic [EntryW-1:0]             out_wptr, out_rptr, out_next;
  logic [lsu_pkg::XFER_BITS-1:0] out_row, direct_d, direct_q;
  logic                          comes_first, is_direct_d, is_direct_q;

  assign out_pop = out_any && out_take_i;

  fifo #(.Width(WhoW), .Depth(RemoteEntries)) i_answers (
    .clk_i, .rst_ni,
    .push_i(rs_hit), .wdata_i(who[rs_id_i[EntryW-1:0]]), .pop_i(out_pop),
    .full_o(unused_out_full), .empty_o(unused_out_empty), .not_empty_o(out_any), .count_o(out_count),
    .rdata_o({out_write_o, out_core_o, out_subcore_o, out_id_o}),
    .overflow_o(unused_out_over), .underflow_o(unused_out_under), .probe_wptr_o(out_wptr), .probe_rptr_o(out_rptr)
  );

  // The oldest answer's data are in the memory's output. If no other answer was there when it came,
  // they are in direct_q: a read of the memory would take a cycle more.
  //
  //   rs_hit, FIFO empty            --> direct_q             shown in the next cycle
  //   rs_hit, others wait           --> memory only
  //   out_pop, others wait          reads the next one's data, shown in the next cycle
  //   out_pop, the last, and rs_hit --> direct_q             shown in the next cycle
  assign out_next    = 32'(out_rptr) == RemoteEntries - 1 ? '0 : out_rptr + EntryW'(1);
  assign out_more    = 32'(out_count) > 1;
  assign comes_first = rs_hit && (!out_any || (out_pop && !out_more));
  assign is_direct_d = comes_first || (is_direct_q && !out_pop);
  assign direct_d    = comes_first ? rs_data_i : direct_q;

  sram_1r1w #(.Width(lsu_pkg::XFER_BITS), .Depth(OutRows), .LaneBits(lsu_pkg::XFER_BITS)) i_answer_data (
    .clk_i, .rst_ni,
    .wr_en_i(rs_hit), .wr_addr_i(out_wptr), .wr_mask_i(1'b1), .wr_data_i(rs_data_i),
    .rd_en_i(out_pop && out_more), .rd_addr_i(out_next), .rd_data_o(out_row)
  );

  assign out_valid_o = out_any;
  assign out_data_o  = out_write_o ? '0 : is_direct_q ? direct_q : out_row;

  // Credits and errors. A request that comes to a full FIFO is lost even if another leaves in that
  // cycle. No credit comes for it: its sender had none.
  logic       credit_d, credit_q;
  logic [1:0] err_d, err_q;

  assign credit_d    = take;
  assign err_d       = {rs_valid_i && !rs_hit, in_valid_i && in_full};
  assign in_credit_o = credit_q;
  assign err_o       = err_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q      <= '0;
      under_way_q <= '0;
      free_q      <= '0;
      shown_q     <= '0;
      direct_q    <= '0;
      is_direct_q <= '0;
      credit_q    <= '0;
      err_q       <= '0;
    end else begin
      used_q      <= used_d;
      under_way_q <= under_way_d;
      free_q      <= free_d;
      shown_q     <= shown_d;
      direct_q    <= direct_d;
      is_direct_q <= is_direct_d;
      credit_q    <= credit_d;
      err_q       <= err_d;
    end
  end

  // The place within the 32 bytes.
  logic unused;
  assign unused = &{1'b0, in_addr_i[4:0]};

  initial begin
    if (InDepth < 1 || InDepth > 64) $fatal(1, "lsu_remote: InDepth must be 1 to 64");
    if (RemoteEntries < 1 || RemoteEntries > 256) $fatal(1, "lsu_remote: RemoteEntries must be 1 to 256");
  end

`ifndef SYNTHESIS
  // Each request under way has a place for its answer, and the entry of a shown request is free.
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(under_way_q) <= RemoteEntries);
    assert (!shown_q || (in_any && !used_q[free_q]));
    assert (!unused_out_over && !unused_in_under);
  end
`endif

`ifdef FORMAL
  // Every reachable state is like this. Proofs prove it, then begin there.
  logic [OutCountW-1:0] out_there;                        // entries in use, and answers

  always_comb begin
    out_there = out_count;
    for (int i = 0; i < RemoteEntries; i++) out_there = out_there + OutCountW'(used_q[i]);
  end

  always @(posedge clk_i) if (rst_ni) begin
    assert (under_way_q == out_there);
    assert (32'(under_way_q) < RemoteEntries || !shown_q);
  end
`endif
endmodule

`default_nettype wire
