// SPDX-License-Identifier: Apache-2.0
//
// nsu_tx_proof -- every beat that is taken leaves once, whole, in the order of its class, its phits
// one after the other. Classes take turns. Nothing is sent without a credit, and no credit is lost
// or made. Requests are granted in turn, one a cycle.
//
// The wrapper watches any one beat of one class. The memories keep every 13th bit of a beat and its
// highest 16 bits (type, stacks); other bits come out 0. Inputs are four bits repeated, so that
// fewer are different. Fetches and credits make their own header. Nothing is assumed.

`default_nettype none

`include "nsu_types.svh"

module sram_1r1w #(                           // some bits of a row
  parameter  int Width    = 32,
  parameter  int Depth    = 128,
  parameter  int LaneBits = 8,
  localparam int AddrW    = $clog2(Depth),
  localparam int Keep     = (Width - 16) / 13 + 1
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             wr_en_i,
  input  wire logic [AddrW-1:0] wr_addr_i,
  input  wire logic             wr_mask_i,
  input  wire logic [Width-1:0] wr_data_i,
  input  wire logic             rd_en_i,
  input  wire logic [AddrW-1:0] rd_addr_i,
  output      logic [Width-1:0] rd_data_o
);
  logic [Keep+15:0] mem [0:Depth-1];
  logic [Keep+15:0] kept, rd_q;

  always_comb begin
    kept = '0;
    kept[Keep +: 16] = wr_data_i[Width-16 +: 16];
    for (int i = 0; i < Keep; i++) kept[i] = wr_data_i[i*13];
    rd_data_o = '0;
    for (int i = 0; i < Keep; i++) rd_data_o[i*13] = rd_q[i];
    rd_data_o[Width-16 +: 16] = rd_q[Keep +: 16];
  end

  always @(posedge clk_i) begin
    if (rd_en_i) rd_q <= mem[rd_addr_i];
    if (wr_en_i) mem[wr_addr_i] <= kept;
  end
endmodule

module nsu_tx_proof #(
  parameter  int PortBits   = 500,
  parameter  int OutDepth   = 2,
  parameter  int OutCredits = 2,
  localparam int BeatBits   = nsu_pkg::PKT_HDR_W + nsu_pkg::LINE_BITS,
  localparam int NumPhits   = (BeatBits + PortBits - 1) / PortBits,
  localparam int Keep       = (BeatBits - 16) / 13 + 1
) (
  input  wire logic       clk_i,
  input  wire logic [2:0] ask_i,              // write, instruction fetch, constant fetch
  input  wire logic [3:0] wr_bits_i,
  input  wire logic [3:0] ft_bits_i,
  input  wire logic       ack_valid_i,
  input  wire logic       ack_idle_i,
  input  wire logic       cr_pending_i,
  input  wire logic [3:0] ack_bits_i,
  input  wire logic [1:0] out_credit_i,
  input  wire logic       class_i,  // in the cycle of reset: the class to watch
  input  wire logic       remember_i  // watch this cycle's beat
);

  logic                rst_n = 1'b0;          // low in the first cycle only
  logic [2:0]          gnt, want_gnt;
  logic                ack_ready, cr_take, out_valid, out_class, err;
  logic [PortBits-1:0] phit;
  logic [BeatBits-1:0] wr_beat, ack_beat;
  pkt_hdr_t            ft_hdr, cr_hdr;
  logic [39:0]         addr;

  logic [1:0]          push, can, pop, back, over;  // pop: a beat is chosen; back: a credit is counted
  logic [6:0]          level [0:1];
  logic [4:0]          credit [0:1];
  logic [1:0]          turn;  // the request with priority
  logic                sending, class_q, free, pick, choose, class_w, watched, due, err_due;
  logic [7:0]          at;  // the phit that is out
  logic [6:0]          before;
  logic [Keep+15:0]    beat, beat_out, beat_in;
  logic [NumPhits*PortBits-1:0] whole, mask;
  logic                differs;

  nsu_tx #(.PortBits(PortBits), .OutDepth(OutDepth), .OutCredits(OutCredits)) u_dut (
    .clk_i, .rst_ni (rst_n), .stack_id_i (4'd9), .wr_valid_i (ask_i[0]), .wr_hdr_i (wr_beat[BeatBits-1:1024]),
    .wr_data_i (wr_beat[1023:0]), .wr_ready_o (gnt[0]), .if_valid_i (ask_i[1]), .if_addr_i (addr), .if_ready_o (gnt[1]),
    .cf_valid_i (ask_i[2]), .cf_addr_i (~addr), .cf_ready_o (gnt[2]), .ack_idle_i, .ack_valid_i,
    .ack_hdr_i (ack_beat[BeatBits-1:1024]), .ack_data_i (ack_beat[1023:0]), .ack_ready_o (ack_ready), .cr_pending_i,
    .cr_cmd_i ({2{ack_bits_i}}), .cr_rd_i ({10{ack_bits_i[0]}}), .cr_wr_i ({10{ack_bits_i[1]}}), .cr_take_o (cr_take),
    .out_valid_o (out_valid), .out_class_o (out_class), .out_phit_o (phit), .out_credit_i, .err_credit_o (err)
  );

  // The bits of a beat that the memories keep.
  function automatic logic [Keep+15:0] kept(input logic [BeatBits-1:0] x);
    kept = '0;
    for (int i = 0; i < Keep; i++) kept[i] = x[i*13];
    kept[Keep +: 16] = x[BeatBits-16 +: 16];
  endfunction

  // The beats that the requests of this cycle stand for. Fetches carry
  // an address or its complement.
  always_comb begin
    for (int i = 0; i < BeatBits; i++) begin
      wr_beat[i]  = wr_bits_i[i % 4];
      ack_beat[i] = ack_bits_i[i % 4];
    end
    for (int i = 0; i < 40; i++) addr[i] = ft_bits_i[i % 4];
    ft_hdr        = '0;
    ft_hdr.ptype  = gnt[1] ? nsu_pkg::PKT_IFETCH : nsu_pkg::PKT_CFETCH;
    ft_hdr.src    = 4'd9;
    ft_hdr.target = 4'd9;
    ft_hdr.dst    = gnt[1] ? addr[35:32] : ~addr[35:32];
    ft_hdr.addr   = gnt[1] ? addr : ~addr;
    cr_hdr        = '0;
    cr_hdr.ptype  = nsu_pkg::PKT_CREDIT;
    cr_hdr.src    = 4'd9;
    cr_hdr.target = 4'd9;
    cr_hdr.dst    = 4'd15;
    {cr_hdr.cr_cmd, cr_hdr.cr_rd, cr_hdr.cr_wr} = {{2{ack_bits_i}}, {10{ack_bits_i[0]}}, {10{ack_bits_i[1]}}};
  end

  // Rule 2: the first request from `turn` on.
  always_comb begin
    want_gnt = '0;
    if (32'(level[0]) < OutDepth) begin
      if (ask_i[turn]) want_gnt[turn] = 1'b1;
      else if (ask_i[turn == 2'd2 ? 2'd0 : turn + 2'd1]) want_gnt[turn == 2'd2 ? 2'd0 : turn + 2'd1] = 1'b1;
      else want_gnt = ask_i;                  // at most one is left
    end
  end
  // Beats that enter the FIFOs, by class: responses, requests.
  assign push    = {cr_take || (ack_valid_i && ack_ready), |gnt};
  assign beat_in = class_w ? kept(ack_valid_i ? ack_beat : {cr_hdr, 1024'd0})
                   : kept(gnt[0] ? wr_beat : {ft_hdr, 1024'd0});

  // Rules 7 to 9 and 12: choosing a class, using and returning credits.
  assign free   = !sending || 32'(at) == NumPhits - 1;
  assign can    = {level[1] != '0 && credit[1] != '0, level[0] != '0 && credit[0] != '0};
  assign choose = free && can != '0;
  assign pick   = can[!class_q] ? !class_q : class_q;
  assign pop    = {choose && pick, choose && !pick};
  always_comb for (int c = 0; c < 2; c++) begin
    back[c] = out_credit_i[c] && 32'(credit[c]) - 32'(pop[c]) < OutCredits;
    over[c] = out_credit_i[c] && !back[c];
  end

  // Levels, credits and the watched beat: how many are before it, and if it is on the output.
  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    err_due <= rst_n && over != '0;
    if (!rst_n) begin
      for (int c = 0; c < 2; c++) begin
        level[c]  <= '0;
        credit[c] <= 5'(OutCredits);
      end
      turn    <= '0;
      sending <= 1'b0;
      class_q <= 1'b1;
      watched <= 1'b0;
      due     <= 1'b0;
      class_w <= class_i;
    end else begin
      for (int c = 0; c < 2; c++) begin
        level[c]  <= level[c] + 7'(push[c]) - 7'(pop[c]);
        credit[c] <= credit[c] + 5'(back[c]) - 5'(pop[c]);
      end
      if (gnt != '0) turn <= gnt[0] ? 2'd1 : gnt[1] ? 2'd2 : 2'd0;
      sending <= choose || !free;
      at      <= free ? '0 : at + 8'd1;
      if (choose) class_q <= pick;
      if (free) due <= 1'b0;
      if (!watched && remember_i && push[class_w]) begin
        watched <= 1'b1;
        before  <= level[class_w] - 7'(pop[class_w]);
        beat    <= beat_in;
      end else if (watched && pop[class_w]) begin
        before  <= before - 7'd1;
        if (before == '0) begin
          due     <= 1'b1;
          watched <= 1'b0;
        end
      end
      if (watched && pop[class_w] && before == '0) beat_out <= beat;
    end
  end

  // The watched beat's phits, and the bits of them that the memories keep.
  always_comb begin
    whole = '0;
    mask  = '0;
    for (int i = 0; i < Keep; i++) {mask[i*13], whole[i*13]} = {1'b1, beat_out[i]};
    mask[BeatBits-16 +: 16]  = 16'hffff;
    whole[BeatBits-16 +: 16] = beat_out[Keep +: 16];
    differs = 1'b0;
    for (int i = 0; i < NumPhits; i++)
      if (32'(at) == i && ((phit ^ whole[i*PortBits +: PortBits]) & mask[i*PortBits +: PortBits]) != '0) differs = 1'b1;
  end

  always_comb if (rst_n) begin
    // Rules 2 and 3.
    granted:    assert (gnt == want_gnt);
    // Rules 5 and 6.
    acked:      assert (ack_ready == (32'(level[1]) < OutDepth) &&
                        cr_take == (level[1] == '0 && !ack_valid_i && ack_idle_i && cr_pending_i));
    // Rules 8 to 10: one beat at a time, in the class that is due.
    one_at_a_time: assert (out_valid == sending && (!out_valid || out_class == class_q));
    // Rules 1, 4, 9 and 11: the watched beat, phit by phit.
    its_phits:  assert (!due || (out_valid && out_class == class_w && !differs));
    // Rule 12.
    credits:    assert (err == err_due);
    // A beat goes out while both classes wait.
    both_wait:  cover (due && at == 8'd0 && level[0] != '0 && level[1] != '0 &&
                       beat_out[Keep+15:Keep+12] == nsu_pkg::PKT_CREDIT);
  end
endmodule

`default_nettype wire
