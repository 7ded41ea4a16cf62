// SPDX-License-Identifier: Apache-2.0
//
// nsu_wgen -- write generation: a store's data and addresses become WRITE packets, one a line.
//
// The lowest pending thread names the line. Every pending thread whose address lies in that line
// goes with the packet. When the packet is accepted, its threads are no longer pending; with the
// last packet, the store is done. A store without threads is done in the cycle after start.
// A packet is made anew in every cycle from registers, and so stays the same until it is accepted.
// wr_* depend on registers only, done_o also on wr_ready_i. Fields are not reset.
//
//   cycle      s  s+1  ...   a  a+1  a+2
//   start      1    .        .    .    .
//   wr_valid   .    1  ...   1    1    .
//   line            A  ...   A    B
//   wr_ready   .    .        1    1    .
//   done       .    .        .    1    .

`default_nettype none

`include "nsu_types.svh"

module nsu_wgen #(
  localparam int AddrBits = nsu_pkg::ADDR_BITS,
  localparam int LineBits = nsu_pkg::LINE_BITS,
  localparam int NumThr   = nsu_pkg::WARP_WIDTH
) (
  input  wire logic                           clk_i,      // clock, rising edge
  input  wire logic                           rst_ni,     // asynchronous reset, active low
  input  wire logic [nsu_pkg::STACK_BITS-1:0] stack_id_i, // this stack; constant after reset
  // From the store unit
  input  wire logic                           start_i,    // a store; taken with ready_o
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] slot_i,     // its warp slot; with start_i as all below
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]   sm_i,       // its id on the GPU: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0] warp_i,     // its id on the GPU: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]  seq_i,      // its id on the GPU: number of the store
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] mask_i,     // its threads
  input  wire logic [nsu_pkg::PKT_size_W-1:0] size_i,     // bytes a thread: 0 one, 1 two, 2 four
  input  wire logic [NumThr*AddrBits-1:0]     addrs_i,    // byte addresses, thread i's at [40 i +: 40]
  input  wire logic [LineBits-1:0]            data_i,     // words, thread i's at [32 i +: 32]
  output      logic                           ready_o,    // state: idle
  // To and from the network interface
  output      logic                           wr_valid_o, // a packet; stays the same until wr_ready_i
  output      pkt_hdr_t                       wr_hdr_o,   // its header, with wr_valid_o
  output      logic [LineBits-1:0]            wr_data_o,  // its line: thread i's word, cut to size, at [32 i +: 32]
  input  wire logic                           wr_ready_i, // the packet is accepted in this cycle
  // To the store unit
  output      logic                           done_o      // one cycle: all is accepted; idle in the next
);

  localparam int OffsBits = nsu_pkg::OFFSET_BITS;
  localparam int LnaBits  = AddrBits - OffsBits;                     // bits of a line's number

  // State: the threads that are still pending, and all fields of the store
  logic                       busy_d, busy_q, accept;
  logic [NumThr-1:0]          pending_d, pending_q;
  logic [nsu_pkg::PKT_slot_W-1:0] slot_q;
  logic [nsu_pkg::PKT_sm_W-1:0] sm_q;
  logic [nsu_pkg::PKT_warp_W-1:0] warp_q;
  logic [nsu_pkg::PKT_seq_W-1:0] seq_q;
  logic [nsu_pkg::PKT_mask_W-1:0] mask_q;
  logic [nsu_pkg::PKT_size_W-1:0] size_q;
  logic [NumThr*AddrBits-1:0] addrs_q;
  logic [LineBits-1:0]        data_q;

  // The packet of this cycle: line, threads, offsets. near: the thread lies where an aligned
  // packet has it.
  logic [LnaBits-1:0]         lna;
  logic [NumThr-1:0]          threads, near;
  logic [NumThr*OffsBits-1:0] offs;
  logic                       aligned, here;
  logic [31:0]                cut;                                   // the bits of a word that are stored

  assign ready_o    = !busy_q;
  assign accept     = start_i && ready_o;
  assign wr_valid_o = pending_q != '0;
  assign done_o     = busy_q && pending_d == '0;
  assign busy_d     = accept || (busy_q && !done_o);

  // A start names the pending threads; an accepted packet takes its threads away.
  always_comb begin
    pending_d = pending_q;
    if (accept)                        pending_d = mask_i;
    else if (wr_valid_o && wr_ready_i) pending_d = pending_q & ~threads;
  end

  // The first loop finds the line of the lowest pending thread, the second one all its threads.
  always_comb begin
    lna       = '0;
    threads   = '0;
    near      = '0;
    offs      = '0;
    wr_data_o = '0;
    here      = 1'b0;
    cut       = size_q == 2'd0 ? 32'h0000_00ff : size_q == 2'd1 ? 32'h0000_ffff : '1;
    if (wr_valid_o) begin
      for (int i = NumThr - 1; i >= 0; i--) begin
        if (pending_q[i]) lna = addrs_q[i*AddrBits+OffsBits +: LnaBits];
      end
      for (int i = 0; i < NumThr; i++) begin
        here       = pending_q[i] && addrs_q[i*AddrBits+OffsBits +: LnaBits] == lna;
        threads[i] = here;
        near[i]    = 8'(addrs_q[i*AddrBits +: OffsBits]) == 8'(i) << size_q;
        offs[i*OffsBits +: OffsBits] = addrs_q[i*AddrBits +: OffsBits] & {OffsBits{here}};
        wr_data_o[i*32 +: 32]        = data_q[i*32 +: 32] & cut & {32{here}};
      end
    end
  end
  assign aligned = (threads & ~near) == '0;

  // The header. An aligned packet leaves the offsets out: the receiver counts them from the size.
  always_comb begin
    wr_hdr_o         = '0;
    wr_hdr_o.ptype   = nsu_pkg::PKT_WRITE;
    wr_hdr_o.src     = stack_id_i;
    wr_hdr_o.target  = stack_id_i;
    wr_hdr_o.dst     = lna[nsu_pkg::STACK_LSB-OffsBits +: nsu_pkg::STACK_BITS];
    wr_hdr_o.sm      = sm_q;
    wr_hdr_o.warp    = warp_q;
    wr_hdr_o.seq     = seq_q;
    wr_hdr_o.slot    = slot_q;
    wr_hdr_o.addr    = {lna, {OffsBits{1'b0}}};
    wr_hdr_o.mask    = threads;
    wr_hdr_o.lmask   = mask_q;
    wr_hdr_o.size    = size_q;
    wr_hdr_o.aligned = aligned;
    wr_hdr_o.offs    = aligned ? '0 : offs;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      slot_q  <= slot_i;
      sm_q    <= sm_i;
      warp_q  <= warp_i;
      seq_q   <= seq_i;
      mask_q  <= mask_i;
      size_q  <= size_i;
      addrs_q <= addrs_i;
      data_q  <= data_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      pending_q <= '0;
    end else begin
      busy_q    <= busy_d;
      pending_q <= pending_d;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(wr_valid_o && !busy_q));
    assert (!wr_valid_o || (threads != '0 && (threads & ~pending_q) == '0));
    assert ((pending_q & ~mask_q) == '0 || !busy_q);
    assert (!done_o || !wr_valid_o || wr_ready_i);
  end
`endif
endmodule

`default_nettype wire
