// SPDX-License-Identifier: Apache-2.0
//
// ofld_credits -- NDP buffer manager of one NSU: grants blocks their buffer entries there.
//
// Source: NSU paper, section 4.3.
// Requests wait in a FIFO. The oldest request is granted (gnt_valid_o) in the first cycle in which
// all its credits are free. The clock edge takes the credits and brings the next request.
// Credits that an NSU returns count from the next cycle on. All outputs are state.
// A small request never passes a large one, so that none waits for ever.
//
//   cycle       t     t+1   t+2   t+3   t+4   t+5
//   req_valid   1     1     .     .     .     .
//   req_tag     a     b     .     .     .     .
//   cr_valid    .     .     1     .     .     .    returns what a lacks
//   gnt_valid   0     0     0     1     1     0
//   gnt_tag     .     .     .     a     b     .

`default_nettype none

module ofld_credits #(
  parameter  int CmdEntries = 10,                    // entries of the command buffer, 1 .. 64
  parameter  int RdEntries  = 256,                   // entries of the read data buffer, 2 .. MAX_ENTRIES
  parameter  int WrEntries  = 256,                   // entries of the write address buffer, 2 .. MAX_ENTRIES
  parameter  int Depth      = 16,                    // requests that can wait, 1 .. 1024
  parameter  int TagBits    = 13,                    // bits of a tag, 1 .. 32
  localparam int CountW     = $clog2(Depth + 1),
  localparam int CmdW       = nsu_pkg::PKT_cr_cmd_W, // bits of a count of freed command entries
  localparam int EntryW     = nsu_pkg::PKT_cr_rd_W   // the same of read data and write address entries
) (
  input  wire logic               clk_i,        // clock, rising edge
  input  wire logic               rst_ni,       // asynchronous reset, active low; frees all entries
  // From the SMs
  input  wire logic               req_valid_i,  // an SM asks for a block's entries
  input  wire logic [TagBits-1:0] req_tag_i,    // SM and warp, returned with the grant
  input  wire logic [6:0]         req_rd_i,     // read data entries: loads of the block, 0 .. 64
  input  wire logic [6:0]         req_wr_i,     // write address entries: stores of the block, 0 .. 64
  output      logic               req_ready_o,  // the request can wait here; else it is lost, and err_o
  // To the SMs
  output      logic               gnt_valid_o,  // the oldest request has its entries in this cycle
  output      logic [TagBits-1:0] gnt_tag_o,    // its tag, valid with gnt_valid_o
  // From the NSU
  input  wire logic               cr_valid_i,   // the NSU has freed entries; a packet's counts
  input  wire logic [CmdW-1:0]    cr_cmd_i,     // command entries freed
  input  wire logic [EntryW-1:0]  cr_rd_i,      // read data entries freed
  input  wire logic [EntryW-1:0]  cr_wr_i,      // write address entries freed
  output      logic               err_o,        // sticky: a request or a return that cannot be right
  // Probes
  output      logic [6:0]         probe_cmd_o,  // free command entries
  output      logic [EntryW-1:0]  probe_rd_o,   // free read data entries
  output      logic [EntryW-1:0]  probe_wr_o,   // free write address entries
  output      logic [CountW-1:0]  probe_count_o // requests that wait
);

  localparam int PtrW = Depth > 1 ? $clog2(Depth) : 1;

  // Requests that wait. An entry holds the tag and both counts.
  // A request for more entries than exist is refused, as it would block all others for ever.
  logic               push, full, empty, waits, over, under;
  logic [PtrW-1:0]    unused_wptr, unused_rptr;
  logic [6:0]         rd, wr;
  logic               too_much;

  assign too_much = 32'(req_rd_i) > RdEntries || 32'(req_wr_i) > WrEntries;
  assign push     = req_valid_i && !full && !too_much;

  fifo #(.Width(TagBits + 14), .Depth(Depth)) u_waiting (
    .clk_i, .rst_ni,
    .push_i (push), .wdata_i ({req_tag_i, req_rd_i, req_wr_i}), .pop_i (gnt_valid_o), .full_o (full), .empty_o (empty),
    .not_empty_o (waits), .count_o (probe_count_o), .rdata_o ({gnt_tag_o, rd, wr}),
    .overflow_o (over), .underflow_o (under),
    .probe_wptr_o (unused_wptr), .probe_rptr_o (unused_rptr)
  );

  // Credits: the free entries of each buffer. A block takes one command entry.
  logic [6:0]        cmd_d, cmd_q, cmd_left;
  logic [EntryW-1:0] rd_d, rd_q, rd_left, wr_d, wr_q, wr_left;
  logic [8:0]        cmd_sum;
  logic [EntryW:0]   rd_sum, wr_sum;
  logic              back, fits, err_d, err_q;

  // A grant takes entries of all three buffers at once or not at all.
  assign gnt_valid_o = waits && cmd_q != '0 && EntryW'(rd) <= rd_q && EntryW'(wr) <= wr_q;

  // An NSU frees only entries that were taken before this cycle. So the check for too many credits
  // uses the registered credits, and a grant of this cycle does not matter.
  assign cmd_sum = 9'(cmd_q) + 9'(cr_cmd_i);
  assign rd_sum  = (EntryW+1)'(rd_q) + (EntryW+1)'(cr_rd_i);
  assign wr_sum  = (EntryW+1)'(wr_q) + (EntryW+1)'(cr_wr_i);
  assign fits    = 32'(cmd_sum) <= CmdEntries && 32'(rd_sum) <= RdEntries && 32'(wr_sum) <= WrEntries;
  assign back    = cr_valid_i && fits;

  // Returned credits are added before the grant's are taken; both may come in one cycle.
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
