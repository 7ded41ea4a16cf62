// SPDX-License-Identifier: Apache-2.0
//
// nsu_tx -- transmit side of the NSU's network interface: arbitration, classes, credits, phits.
//
//   writes, instruction and --round robin--> FIFO of requests ---+   a class that has
//     constant fetches                                           +-> a beat and a    --> phits
//   acknowledgements;       ---------------> FIFO of responses --+   credit is chosen
//     without any, credits
//
// A class is chosen when no phit remains after this cycle's; the class that did not send last
// goes first. The choice reads the FIFO's memory, whose output register is the beat on the port
// until the next choice. The grants and cr_take_o depend on the inputs of the cycle; out_* are
// registered.
//
//   t         chosen: the beat leaves its FIFO, a credit is used
//   t+1+j     phit j on out_phit_o, j < NumPhits

`default_nettype none

`include "nsu_types.svh"

module nsu_tx #(
  parameter  int PortBits   = 1472,                                 // bits of the packet port, 32 .. 4096
  parameter  int OutDepth   = 4,                                    // beats a class's FIFO holds, 1 .. 64
  parameter  int OutCredits = 4,                                    // beats of a class under way at a time, 1 .. 15
  localparam int BeatBits   = nsu_pkg::PKT_HDR_W + nsu_pkg::LINE_BITS,
  localparam int NumPhits   = (BeatBits + PortBits - 1) / PortBits, // phits a beat
  localparam int CntBits    = NumPhits > 1 ? $clog2(NumPhits) : 1,
  localparam int MemDepth   = OutDepth > 1 ? OutDepth : 2,
  localparam int PtrBits    = $clog2(MemDepth)
) (
  input  wire logic                             clk_i,        // clock, rising edge
  input  wire logic                             rst_ni,       // asynchronous reset, active low; drops all beats
  input  wire logic [nsu_pkg::STACK_BITS-1:0]   stack_id_i,   // this stack; constant after reset
  // From the store unit and the caches
  input  wire logic                             wr_valid_i,   // a WRITE packet of the store unit
  input  wire pkt_hdr_t                         wr_hdr_i,     // its header, with wr_valid_i
  input  wire logic [nsu_pkg::LINE_BITS-1:0]    wr_data_i,    // its line, with wr_valid_i
  output      logic                             wr_ready_o,   // granted: the packet is taken in this cycle
  input  wire logic                             if_valid_i,   // the instruction cache asks for a line
  input  wire logic [nsu_pkg::ADDR_BITS-1:0]    if_addr_i,    // its address, with if_valid_i
  output      logic                             if_ready_o,   // granted in this cycle
  input  wire logic                             cf_valid_i,   // the constant cache asks for a line
  input  wire logic [nsu_pkg::ADDR_BITS-1:0]    cf_addr_i,    // its address, with cf_valid_i
  output      logic                             cf_ready_o,   // granted in this cycle
  // From the end unit and the credit counters
  input  wire logic                             ack_idle_i,   // the end unit has no acknowledgement under way
  input  wire logic                             ack_valid_i,  // a beat of an acknowledgement
  input  wire pkt_hdr_t                         ack_hdr_i,    // its header, with ack_valid_i
  input  wire logic [nsu_pkg::LINE_BITS-1:0]    ack_data_i,   // its line, with ack_valid_i
  output      logic                             ack_ready_o,  // state: a place in the FIFO of responses
  input  wire logic                             cr_pending_i, // freed entries that the GPU does not know
  input  wire logic [nsu_pkg::PKT_cr_cmd_W-1:0] cr_cmd_i,     // command entries freed
  input  wire logic [nsu_pkg::PKT_cr_rd_W-1:0]  cr_rd_i,      // read data entries freed
  input  wire logic [nsu_pkg::PKT_cr_wr_W-1:0]  cr_wr_i,      // write address entries freed
  output      logic                             cr_take_o,    // the counts go into a CREDIT packet in this cycle
  // To and from the network
  output      logic                             out_valid_o,  // a phit; credits guarantee that there is a place for it
  output      logic                             out_class_o,  // message class: 0 request, 1 response
  output      logic [PortBits-1:0]              out_phit_o,   // the phit, with out_valid_o
  input  wire logic [1:0]                       out_credit_i, // bit c: a beat of class c was taken at the other end
  output      logic                             err_credit_o  // next cycle: more credits returned than used
);

  localparam logic [CntBits-1:0] LAST = CntBits'(NumPhits - 1);

  // Enqueue: one request and one response a cycle
  logic [2:0]                    req_gnt, unused_mask;
  logic [nsu_pkg::ADDR_BITS-1:0] ft_addr;
  pkt_hdr_t                      ft_hdr, cr_hdr;

  // By class: bit 0, or the low half, requests; bit 1 responses
  logic [1:0]                    full, empty, push, pop, has_credit, credit_err;
  logic [2*BeatBits-1:0]         beat_in, beat_out;

  // Send
  logic [1:0]                    can;
  logic                          last_phit, choose, pick;
  logic                          out_valid_d, out_valid_q, class_d, class_q, err_q;
  logic [CntBits-1:0]            cnt_d, cnt_q;                      // number of the phit on the port
  logic [BeatBits-1:0]           head;
  logic [NumPhits*PortBits-1:0]  beat;

  // A request that is granted is always taken, so the pointer moves with every grant.
  arb_rr #(.NumReq(3)) u_arb (
    .clk_i, .rst_ni,
    .req_i        ({cf_valid_i, if_valid_i, wr_valid_i} & {3{!full[0]}}),
    .update_i     (1'b1),
    .gnt_o        (req_gnt),
    .probe_mask_o (unused_mask)
  );
  assign {cf_ready_o, if_ready_o, wr_ready_o} = req_gnt;
  assign ack_ready_o = !full[1];

  // Credits go alone only if no acknowledgement can take them soon. They can wait, as their
  // counters hold as many as there are entries.
  assign cr_take_o   = empty[1] && !ack_valid_i && ack_idle_i && cr_pending_i;

  assign ft_addr = req_gnt[1] ? if_addr_i : cf_addr_i;

  // Headers of the packets that are made here; all other fields and the line are zero.
  always_comb begin
    ft_hdr        = '0;
    ft_hdr.ptype  = req_gnt[1] ? nsu_pkg::PKT_IFETCH : nsu_pkg::PKT_CFETCH;
    ft_hdr.src    = stack_id_i;
    ft_hdr.target = stack_id_i;
    ft_hdr.dst    = ft_addr[nsu_pkg::STACK_LSB +: nsu_pkg::STACK_BITS];
    ft_hdr.addr   = ft_addr;
    cr_hdr        = '0;
    cr_hdr.ptype  = nsu_pkg::PKT_CREDIT;
    cr_hdr.src    = stack_id_i;
    cr_hdr.target = stack_id_i;
    cr_hdr.dst    = '1;
    cr_hdr.cr_cmd = cr_cmd_i;
    cr_hdr.cr_rd  = cr_rd_i;
    cr_hdr.cr_wr  = cr_wr_i;
  end
  assign beat_in[0 +: BeatBits]        = req_gnt[0]  ? {wr_hdr_i, wr_data_i}   : {ft_hdr, {nsu_pkg::LINE_BITS{1'b0}}};
  assign beat_in[BeatBits +: BeatBits] = ack_valid_i ? {ack_hdr_i, ack_data_i} : {cr_hdr, {nsu_pkg::LINE_BITS{1'b0}}};
  assign push = {(ack_valid_i && !full[1]) || cr_take_o, |req_gnt};

  // A class's FIFO and credits. An entry of u_mem is a beat {header, line}; a ring of OutDepth.
  for (genvar c = 0; c < 2; c++) begin : gen_class
    logic [PtrBits-1:0] wptr_d, wptr_q, rptr_d, rptr_q;
    logic [6:0]         level_d, level_q;
    logic [3:0]         cred_d, cred_q, cred_left;

    sram_1r1w #(.Width(BeatBits), .Depth(MemDepth), .LaneBits(BeatBits)) u_mem (
      .clk_i, .rst_ni,
      .wr_en_i(push[c]), .wr_addr_i(wptr_q), .wr_mask_i(1'b1), .wr_data_i(beat_in[c*BeatBits +: BeatBits]),
      .rd_en_i(pop[c]),  .rd_addr_i(rptr_q), .rd_data_o(beat_out[c*BeatBits +: BeatBits])
    );

    // Both are state: a place that gets free in this cycle can be used in the next one.
    assign full[c]       = level_q == 7'(OutDepth);
    assign empty[c]      = level_q == '0;
    assign wptr_d        = !push[c] ? wptr_q : 32'(wptr_q) == OutDepth - 1 ? '0 : wptr_q + 1'b1;
    assign rptr_d        = !pop[c]  ? rptr_q : 32'(rptr_q) == OutDepth - 1 ? '0 : rptr_q + 1'b1;
    assign level_d       = level_q + 7'(push[c]) - 7'(pop[c]);

    // A credit that would make more than OutCredits is dropped. One used in this cycle counts as
    // used.
    assign has_credit[c] = cred_q != '0;
    assign cred_left     = cred_q - 4'(pop[c]);
    assign credit_err[c] = out_credit_i[c] && cred_left == 4'(OutCredits);
    assign cred_d        = cred_left + 4'(out_credit_i[c] && !credit_err[c]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wptr_q  <= '0;
        rptr_q  <= '0;
        level_q <= '0;
        cred_q  <= 4'(OutCredits);
      end else begin
        wptr_q  <= wptr_d;
        rptr_q  <= rptr_d;
        level_q <= level_d;
        cred_q  <= cred_d;
      end
    end

`ifndef SYNTHESIS
    always @(posedge clk_i) if (rst_ni) begin
      assert (32'(cred_q) < OutCredits + 1 && 32'(level_q) < OutDepth + 1);
      assert (32'(wptr_q) < OutDepth && 32'(rptr_q) < OutDepth);
      assert (!(push[c] && full[c]) && !(pop[c] && (empty[c] || !has_credit[c])));
    end
`endif
  end

  // class_q is the class of the beat on the port, or of the last one that was there.
  // Classes take turns where both can send; a class without credits does not stop the other one.
  assign can       = ~empty & has_credit;
  assign last_phit = !out_valid_q || cnt_q == LAST;
  assign choose    = last_phit && |can;
  assign pick      = can[!class_q] ? !class_q : class_q;
  assign pop       = {choose && pick, choose && !pick};

  assign out_valid_d = choose || !last_phit;
  assign class_d     = choose ? pick : class_q;
  assign cnt_d       = (choose || last_phit) ? '0 : cnt_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q <= 1'b0;
      class_q     <= 1'b1;                                          // a request goes first
      cnt_q       <= '0;
      err_q       <= 1'b0;
    end else begin
      out_valid_q <= out_valid_d;
      class_q     <= class_d;
      cnt_q       <= cnt_d;
      err_q       <= |credit_err;
    end
  end

  // The beat stays in the FIFO's output register; the counter picks the phit.
  assign out_valid_o  = out_valid_q;
  assign out_class_o  = class_q;
  assign err_credit_o = err_q;
  assign head         = class_q ? beat_out[BeatBits +: BeatBits] : beat_out[0 +: BeatBits];
  assign beat         = (NumPhits*PortBits)'(head);
  assign out_phit_o   = beat[32'(cnt_q) * PortBits +: PortBits];

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(cnt_q) < NumPhits);
    assert (!(&pop));
    assert ((req_gnt & (req_gnt - 1'b1)) == '0);
    assert (!(cr_take_o && ack_valid_i));
  end
`endif
endmodule

`default_nettype wire
