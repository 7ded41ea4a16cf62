// SPDX-License-Identifier: Apache-2.0
//
// lsu_rx -- messages from the TSV bus, sorted by class.
//
// Up to two beats a cycle make one stream of messages; the header says how many beats follow. A message is stored in the FIFO of its class
// at the end of the cycle of its last beat, two in one cycle if need be. The heads of the FIFOs are state; a message taken in a cycle
// gives the sender its credit in the next.

`default_nettype none

module lsu_rx #(
  parameter int MemDepth   = 8,                           // messages of class memory
  parameter int SmemDepth  = 4,                           // shared memory
  parameter int WriteDepth = 2,                           // register write
  parameter int MoveDepth  = 2                            // register move
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  input  wire logic [lsu_pkg::NBU_W-1:0]       nbu_id_i,
  // From the TSV bus
  input  wire logic [1:0]                      dn_valid_i,
  input  wire logic [2*lsu_pkg::BEAT_BITS-1:0] dn_beat_i,
  output      logic [3:0]                      dn_credit_o,
  // To lsu_issue
  output      logic                            m_valid_o,
  output      logic [lsu_pkg::BEAT_BITS-1:0]   m_hdr_o,
  output      logic [lsu_pkg::XFER_BYTES-1:0]  m_mask_o,
  output      logic [lsu_pkg::XFER_BITS-1:0]   m_data_o,
  input  wire logic                            m_take_i,
  // To lsu_smem
  output      logic                            s_valid_o,
  output      logic [lsu_pkg::BEAT_BITS-1:0]   s_hdr_o,
  output      logic [lsu_pkg::BEAT_BITS-1:0]   s_ctl_o,
  input  wire logic                            s_take_i,
  // To lsu_rfport
  output      logic                            w_valid_o,
  output      logic [lsu_pkg::BEAT_BITS-1:0]   w_hdr_o,
  output      logic [lsu_pkg::LANES-1:0]       w_mask_o,
  output      logic [lsu_pkg::ROW_BITS-1:0]    w_data_o,
  input  wire logic                            w_take_i,
  // To move_near
  output      logic                            v_valid_o,
  output      logic [lsu_pkg::BEAT_BITS-1:0]   v_hdr_o,
  input  wire logic                            v_take_i,
  output      logic [2:0]                      err_o      // bad type, no room, another unit's
);

  // The stream: `left` beats of the message are still to come, `at` is the number of the next; hdr and body are what came
  logic [4:0]                    left_d, left_q, at_d, at_q;
  logic [lsu_pkg::BEAT_BITS-1:0] hdr_d, hdr_q, beat;
  logic [1087:0]                 body_d, body_q;          // beats 1 to 17
  logic [1:0]                    ended;                   // a message ends with beat 0, 1 of this cycle
  logic [127:0]                  ended_hdr;
  logic [lsu_pkg::BEAT_BITS-1:0] ended_ctl;               // beat 1 of the one that has it: at most one of two has beats behind its header
  logic [lsu_pkg::ROW_BITS-1:0]  ended_data;
  logic                          bad, alien;

  always_comb begin
    left_d     = left_q;
    at_d       = at_q;
    hdr_d      = hdr_q;
    body_d     = body_q;
    ended      = '0;
    ended_hdr  = '0;
    ended_ctl  = '0;
    ended_data = '0;
    bad        = 1'b0;
    alien      = 1'b0;
    beat       = '0;
    for (int b = 0; b < 2; b++) begin
      beat = dn_beat_i[b*64 +: 64];
      if (dn_valid_i[b]) begin
        if (left_d == '0) begin
          hdr_d  = beat;
          at_d   = 5'd1;
          left_d = lsu_pkg::msg_beats(beat[lsu_pkg::TYPE_LSB +: lsu_pkg::TYPE_W]);
          if (left_d == '0) bad = 1'b1;
          else              left_d = left_d - 5'd1;
          ended[b] = left_d == '0 && lsu_pkg::msg_beats(beat[lsu_pkg::TYPE_LSB +: lsu_pkg::TYPE_W]) != '0;
        end else begin
          for (int i = 1; i < 18; i++) if (at_d == 5'(i)) body_d[(i-1)*64 +: 64] = beat;
          at_d     = at_d + 5'd1;
          left_d   = left_d - 5'd1;
          ended[b] = left_d == '0;
        end
        if (ended[b] && hdr_d[lsu_pkg::NBU_LSB +: lsu_pkg::NBU_W] != nbu_id_i) begin
          ended[b] = 1'b0;
          alien    = 1'b1;
        end
        if (ended[b]) begin
          ended_hdr[b*64 +: 64] = hdr_d;
          if (at_d != 5'd1) {ended_data, ended_ctl} = body_d;
        end
      end
    end
  end

  // Classes
  logic [$clog2(MemDepth+1)-1:0]   unused_m;
  logic [$clog2(SmemDepth+1)-1:0]  unused_s;
  logic [$clog2(WriteDepth+1)-1:0] unused_w;
  logic [$clog2(MoveDepth+1)-1:0]  unused_v;

  logic [1:0] to_m, to_s, to_w, to_v, over_m, over_s, over_w, over_v;
  logic       long1;                                      // beat 1 ends a message that has a body; else the body is beat 0's

  always_comb begin
    for (int b = 0; b < 2; b++) begin
      to_m[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd0;
      to_s[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd1;
      to_w[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd2;
      to_v[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd3;
    end
    long1 = lsu_pkg::msg_beats(ended_hdr[64 + lsu_pkg::TYPE_LSB +: 4]) != 5'd1;
  end

  fifo_2w #(.Width(352), .Depth(MemDepth)) i_memory (
    .clk_i, .rst_ni, .push_i(to_m), .over_o(over_m), .take_i(m_take_i), .probe_count_o(unused_m), .valid_o(m_valid_o), .rdata_o({m_hdr_o, m_mask_o, m_data_o}),
    .wdata_i({ended_hdr[127:64], {288{long1}} & {ended_ctl[31:0], ended_data[255:0]},
              ended_hdr[63:0], ended_ctl[31:0], ended_data[255:0]})
  );
  fifo_2w #(.Width(128), .Depth(SmemDepth)) i_shared (
    .clk_i, .rst_ni, .push_i(to_s), .over_o(over_s), .take_i(s_take_i), .probe_count_o(unused_s), .valid_o(s_valid_o), .rdata_o({s_hdr_o, s_ctl_o}),
    .wdata_i({ended_hdr[127:64], ended_ctl, ended_hdr[63:0], ended_ctl})
  );
  fifo_2w #(.Width(1120), .Depth(WriteDepth)) i_write (
    .clk_i, .rst_ni, .push_i(to_w), .over_o(over_w), .take_i(w_take_i), .probe_count_o(unused_w), .valid_o(w_valid_o), .rdata_o({w_hdr_o, w_mask_o, w_data_o}),
    .wdata_i({ended_hdr[127:64], ended_ctl[31:0], ended_data, ended_hdr[63:0], ended_ctl[31:0], ended_data})
  );
  fifo_2w #(.Width(64), .Depth(MoveDepth)) i_move (
    .clk_i, .rst_ni, .push_i(to_v), .over_o(over_v), .take_i(v_take_i), .probe_count_o(unused_v), .valid_o(v_valid_o), .rdata_o(v_hdr_o), .wdata_i(ended_hdr)
  );

  logic [3:0] credit_d, credit_q;
  logic [2:0] err_d, err_q;

  assign credit_d    = {v_take_i && v_valid_o, w_take_i && w_valid_o, s_take_i && s_valid_o, m_take_i && m_valid_o};
  assign err_d       = {alien, |{over_m, over_s, over_w, over_v}, bad};
  assign dn_credit_o = credit_q;
  assign err_o       = err_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q   <= '0;
      at_q     <= '0;
      hdr_q    <= '0;
      body_q   <= '0;
      credit_q <= '0;
      err_q    <= '0;
    end else begin
      left_q   <= left_d;
      at_q     <= at_d;
      hdr_q    <= hdr_d;
      body_q   <= body_d;
      credit_q <= credit_d;
      err_q    <= err_d;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(dn_valid_i[1] && !dn_valid_i[0]));
    assert (!m_take_i || m_valid_o);
    assert (!s_take_i || s_valid_o);
    assert (!w_take_i || w_valid_o);
    assert (!v_take_i || v_valid_o);
  end
`endif
endmodule

`default_nettype wire
