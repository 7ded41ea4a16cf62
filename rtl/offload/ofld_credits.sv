// SPDX-License-Identifier: Apache-2.0
//
// ofld_credits -- NDP buffer manager of one NSU: who may begin a block there (NSU paper, section 4.3).
//
// Requests wait in a FIFO. The oldest is granted (gnt_valid_o) in any cycle in which the credits that are there are enough for it; the clock edge
// takes them and brings the next one. Credits that come count from the next cycle on. All outputs are state.

`default_nettype none

module ofld_credits #(
  parameter  int CmdEntries = 10,                        // entries of the command buffer, 1 to 64
  parameter  int RdEntries  = 256,                       // of the read data buffer, 2 to MAX_ENTRIES
  parameter  int WrEntries  = 256,                       // of the write address buffer, 2 to MAX_ENTRIES
  parameter  int Depth      = 16,                        // requests that can wait, 1 to 1024
  parameter  int TagBits    = 13,                        // bits of a tag, 1 to 32
  localparam int CountW     = $clog2(Depth + 1),
  localparam int CmdW       = nsu_pkg::PKT_cr_cmd_W,     // of what an NSU says that it has freed: as many entries as fit
  localparam int EntryW     = nsu_pkg::PKT_cr_rd_W
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  // From the SMs
  input  wire logic               req_valid_i,
  input  wire logic [TagBits-1:0] req_tag_i,
  input  wire logic [6:0]         req_rd_i,
  input  wire logic [6:0]         req_wr_i,
  output      logic               req_ready_o,
  // To the SMs
  output      logic               gnt_valid_o,
  output      logic [TagBits-1:0] gnt_tag_o,
  // From the NSU
  input  wire logic               cr_valid_i,
  input  wire logic [CmdW-1:0]    cr_cmd_i,
  input  wire logic [EntryW-1:0]  cr_rd_i,
  input  wire logic [EntryW-1:0]  cr_wr_i,
  output      logic               err_o,                 // sticky
  // Probes
  output      logic [6:0]         probe_cmd_o,
  output      logic [EntryW-1:0]  probe_rd_o,
  output      logic [EntryW-1:0]  probe_wr_o,
  output      logic [CountW-1:0]  probe_count_o
);

  localparam int PtrW = Depth > 1 ? $clog2(Depth) : 1;

  // Those that wait
  logic               push, full, empty, waits, over, under;
  logic [PtrW-1:0]    unused_wptr, unused_rptr;
  logic [6:0]         rd, wr;
  logic               too_much;

  assign too_much = 32'(req_rd_i) > RdEntries || 32'(req_wr_i) > WrEntries;
  assign push     = req_valid_i && !full && !too_much;

  fifo #(.Width(TagBits + 14), .Depth(Depth)) u_waiting (
    .clk_i, .rst_ni, .push_i (push), .wdata_i ({req_tag_i, req_rd_i, req_wr_i}), .pop_i (gnt_valid_o), .full_o (full), .empty_o (empty),
    .not_empty_o (waits), .count_o (probe_count_o), .rdata_o ({gnt_tag_o, rd, wr}), .overflow_o (over), .underflow_o (under),
    .probe_wptr_o (unused_wptr), .probe_rptr_o (unused_rptr)
  );

  // Credits
  logic [6:0]        cmd_d, cmd_q, cmd_left;
  logic [EntryW-1:0] rd_d, rd_q, rd_left, wr_d, wr_q, wr_left;
  logic [8:0]        cmd_sum;
  logic [EntryW:0]   rd_sum, wr_sum;
  logic              back, fits, err_d, err_q;

  assign gnt_valid_o = waits && cmd_q != '0 && EntryW'(rd) <= rd_q && EntryW'(wr) <= wr_q;

  // An NSU frees what was taken before this cycle: the check is of the credits as they are
  assign cmd_sum = 9'(cmd_q) + 9'(cr_cmd_i);
  assign rd_sum  = (EntryW+1)'(rd_q) + (EntryW+1)'(cr_rd_i);
  assign wr_sum  = (EntryW+1)'(wr_q) + (EntryW+1)'(cr_wr_i);
  assign fits    = 32'(cmd_sum) <= CmdEntries && 32'(rd_sum) <= RdEntries && 32'(wr_sum) <= WrEntries;
  assign back    = cr_valid_i && fits;

  assign cmd_left = back ? cmd_sum[6:0] : cmd_q;
  assign rd_left  = back ? rd_sum[EntryW-1:0] : rd_q;
  assign wr_left  = back ? wr_sum[EntryW-1:0] : wr_q;
  assign cmd_d    = cmd_left - 7'(gnt_valid_o);
  assign rd_d     = rd_left - (EntryW'(rd) & {EntryW{gnt_valid_o}});
  assign wr_d     = wr_left - (EntryW'(wr) & {EntryW{gnt_valid_o}});
  assign err_d    = err_q || (cr_valid_i && !fits) || (req_valid_i && (full || too_much));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cmd_q <= 7'(CmdEntries);
      rd_q  <= EntryW'(RdEntries);
      wr_q  <= EntryW'(WrEntries);
      err_q <= 1'b0;
    end else begin
      cmd_q <= cmd_d;
      rd_q  <= rd_d;
      wr_q  <= wr_d;
      err_q <= err_d;
    end
  end

  assign req_ready_o = !full;
  assign err_o       = err_q;
  assign probe_cmd_o = cmd_q;
  assign probe_rd_o  = rd_q;
  assign probe_wr_o  = wr_q;

  initial begin
    if (CmdEntries < 1 || CmdEntries > 64) $fatal(1, "ofld_credits: CmdEntries must be 1 to 64");
    if (RdEntries < 2 || RdEntries > nsu_pkg::MAX_ENTRIES) $fatal(1, "ofld_credits: RdEntries must be 2 to 1023");
    if (WrEntries < 2 || WrEntries > nsu_pkg::MAX_ENTRIES) $fatal(1, "ofld_credits: WrEntries must be 2 to 1023");
    if (Depth < 1 || Depth > 1024) $fatal(1, "ofld_credits: Depth must be 1 to 1024");
    if (TagBits < 1 || TagBits > 32) $fatal(1, "ofld_credits: TagBits must be 1 to 32");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(cmd_q) <= CmdEntries && 32'(rd_q) <= RdEntries && 32'(wr_q) <= WrEntries);
    assert (!over && !under && empty != waits);
  end
`endif
endmodule

`default_nettype wire
