// SPDX-License-Identifier: Apache-2.0
//
// lsu_dramq -- requests on their way to the near-bank memory controller: a
// FIFO and the controller's credits.
//
//   push --> FIFO --> mc_*, while a credit is left
//                     credits: McCredits - 1 per mc_valid + 1 per mc_credit
//
// The controller never has to say no: a request goes out for one cycle, when
// its place is sure. All outputs are state.

`default_nettype none

module lsu_dramq #(
  parameter int QueueDepth = 16,  // requests that wait, 1 to 64
  parameter int McCredits  = 8    // requests that the controller can hold, 1 to 64
) (
  input  wire logic                           clk_i,        // core clock
  input  wire logic                           rst_ni,       // asynchronous, active low
  // From lsu_issue
  input  wire logic                           push_i,       // a request; only with ready_o
  input  wire logic                           write_i,      // 1: write, 0: read
  input  wire logic [lsu_pkg::ADDR_BITS-1:0]  addr_i,       // byte address in the near-bank unit
  input  wire logic [lsu_pkg::TAG_BITS-1:0]   tag_i,        // transaction; comes back with the answer
  input  wire logic [lsu_pkg::XFER_BITS-1:0]  wdata_i,      // write: 32 bytes, byte 0 lowest
  input  wire logic [lsu_pkg::XFER_BYTES-1:0] wmask_i,      // write: bytes that are written
  output      logic                           ready_o,      // the FIFO has a place
  // To and from the memory controller
  output      logic                           mc_valid_o,   // a request, for exactly one cycle
  output      logic                           mc_write_o,   // 1: write, 0: read
  output      logic [lsu_pkg::ADDR_BITS-1:0]  mc_addr_o,    // byte address
  output      logic [lsu_pkg::TAG_BITS-1:0]   mc_tag_o,     // transaction
  output      logic [lsu_pkg::XFER_BITS-1:0]  mc_wdata_o,   // write: 32 bytes
  output      logic [lsu_pkg::XFER_BYTES-1:0] mc_wmask_o,   // write: bytes that are written
  input  wire logic                           mc_credit_i,  // one cycle: the controller has a place more
  output      logic                           err_o         // one cycle: a credit too many; it does not count
);

  localparam int Width = 1 + lsu_pkg::ADDR_BITS + lsu_pkg::TAG_BITS + lsu_pkg::XFER_BITS + lsu_pkg::XFER_BYTES;
  localparam int PtrW  = QueueDepth > 1 ? $clog2(QueueDepth) : 1;

  // An entry of the FIFO is {write, addr, tag, wdata, wmask}.
  logic [6:0]       credits_d, credits_q;
  logic             err_d, err_q, full, waiting;
  logic [Width-1:0] head;

  logic             unused_empty, unused_over, unused_under;
  logic [$clog2(QueueDepth+1)-1:0] unused_count;
  logic [PtrW-1:0]  unused_wptr, unused_rptr;

  fifo #(.Width(Width), .Depth(QueueDepth)) i_queue (
    .clk_i, .rst_ni,
    .push_i(push_i), .wdata_i({write_i, addr_i, tag_i, wdata_i, wmask_i}), .pop_i(mc_valid_o),
    .full_o(full), .empty_o(unused_empty), .not_empty_o(waiting), .count_o(unused_count), .rdata_o(head),
    .overflow_o(unused_over), .underflow_o(unused_under), .probe_wptr_o(unused_wptr), .probe_rptr_o(unused_rptr)
  );

  assign ready_o    = !full;
  assign mc_valid_o = waiting && credits_q != '0;
  assign {mc_write_o, mc_addr_o, mc_tag_o, mc_wdata_o, mc_wmask_o} = head;

  // A credit beyond McCredits is an error and does not count, so the counter never wraps.
  assign err_d = mc_credit_i && credits_q == 7'(McCredits);
  assign err_o = err_q;

  always_comb begin
    credits_d = credits_q;
    if (mc_credit_i && !err_d) credits_d = credits_d + 7'd1;
    if (mc_valid_o)            credits_d = credits_d - 7'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credits_q <= 7'(McCredits);
      err_q     <= '0;
    end else begin
      credits_q <= credits_d;
      err_q     <= err_d;
    end
  end

  initial if (McCredits < 1 || McCredits > 64) $fatal(1, "lsu_dramq: McCredits must be 1 to 64");

`ifndef SYNTHESIS
  // A request comes only with ready, and the credits never exceed McCredits.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!push_i || ready_o);
    assert (credits_q <= 7'(McCredits));
  end
`endif
endmodule

`default_nettype wire
