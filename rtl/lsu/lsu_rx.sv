// SPDX-License-Identifier: Apache-2.0
//
// lsu_rx -- messages from the TSV bus, sorted by class.
//
// Up to two beats a cycle make one stream of messages; a header says how many beats follow:
//
//   +--------+  header of several beats: left = beats - 1   +------+ --+ a beat: left - 1
//   | HEADER | -------------------------------------------> | BODY |   |
//   | left 0 | <------------------------------------------- | left | <-+
//   +--------+  last beat: ended                            +------+
//        | ^ header of one beat: ended; of no type: bad
//        +-+
//
// A message is stored in the FIFO of its class at the end of the cycle of its last beat.
// Two may end in one cycle. The heads of the FIFOs are state. A message taken in a cycle
// gives the sender its credit in the next.

`default_nettype none

module lsu_rx #(
  parameter int MemDepth   = 8,  // messages of class memory, 1 to 32
  parameter int SmemDepth  = 4,  // messages of class shared memory, 1 to 16
  parameter int WriteDepth = 2,  // messages of class register write, 1 to 8
  parameter int MoveDepth  = 2   // messages of class register move, 1 to 8
) (
  input  wire logic                            clk_i,        // core clock
  input  wire logic                            rst_ni,       // asynchronous, active low
  input  wire logic [lsu_pkg::NBU_W-1:0]       nbu_id_i,     // this unit's number; constant
  // From the TSV bus
  input  wire logic [1:0]                      dn_valid_i,   // beats of this cycle; bit 1 only with bit 0
  input  wire logic [2*lsu_pkg::BEAT_BITS-1:0] dn_beat_i,    // two beats, the first lowest
  output      logic [3:0]                      dn_credit_o,  // bit c: a message of class c was taken
  // To lsu_issue
  output      logic                            m_valid_o,    // the oldest message of class memory
  output      logic [lsu_pkg::BEAT_BITS-1:0]   m_hdr_o,      // its header
  output      logic [lsu_pkg::XFER_BYTES-1:0]  m_mask_o,     // WR: bytes that are written, else 0
  output      logic [lsu_pkg::XFER_BITS-1:0]   m_data_o,     // WR: 32 bytes, else 0
  input  wire logic                            m_take_i,     // removes it; only with m_valid_o
  // To lsu_smem
  output      logic                            s_valid_o,    // the oldest message of class shared memory
  output      logic [lsu_pkg::BEAT_BITS-1:0]   s_hdr_o,      // its header
  output      logic [lsu_pkg::BEAT_BITS-1:0]   s_ctl_o,      // beat 1: mask, offset, sign
  input  wire logic                            s_take_i,     // removes it; only with s_valid_o
  // To lsu_rfport
  output      logic                            w_valid_o,    // the oldest register write
  output      logic [lsu_pkg::BEAT_BITS-1:0]   w_hdr_o,      // its header
  output      logic [lsu_pkg::LANES-1:0]       w_mask_o,     // threads that are written
  output      logic [lsu_pkg::ROW_BITS-1:0]    w_data_o,     // 32 words
  input  wire logic                            w_take_i,     // removes it; only with w_valid_o
  // To move_near
  output      logic                            v_valid_o,    // the oldest register move
  output      logic [lsu_pkg::BEAT_BITS-1:0]   v_hdr_o,      // its header
  input  wire logic                            v_take_i,     // removes it; only with v_valid_o
  output      logic [2:0]                      err_o         // one cycle: 0 bad type, 1 no place, 2 other unit's
);

  // The stream: `left` beats of the message are still to come, `at` is the number of the next beat.
  // hdr and body have the beats that came.
  logic [4:0]                    left_d, left_q, at_d, at_q;
  logic [lsu_pkg::BEAT_BITS-1:0] hdr_d, hdr_q, beat;
  logic [1087:0]                 body_d, body_q;          // beats 1 to 17
  logic [1:0]                    ended;                   // a message ends with beat 0, beat 1 of this cycle
  logic [127:0]                  ended_hdr;
  logic [lsu_pkg::BEAT_BITS-1:0] ended_ctl;               // beat 1 of the message that has one
  logic [lsu_pkg::ROW_BITS-1:0]  ended_data;
  logic                          bad, alien;

  // Two beats in order, each with the state that the one before leaves. Of two messages that end in
  // one cycle at most one has a body, so one register is enough.
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

  // Classes: a FIFO with two write ports for each.
  logic [$clog2(MemDepth+1)-1:0]   unused_m;
  logic [$clog2(SmemDepth+1)-1:0]  unused_s;
  logic [$clog2(WriteDepth+1)-1:0] unused_w;
  logic [$clog2(MoveDepth+1)-1:0]  unused_v;

  logic [1:0] to_m, to_s, to_w, to_v, over_m, over_s, over_w, over_v;
  logic       long1;                                      // beat 1 ends a message with a body

  always_comb begin
    for (int b = 0; b < 2; b++) begin
      to_m[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd0;
      to_s[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd1;
      to_w[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd2;
      to_v[b] = ended[b] && lsu_pkg::msg_class(ended_hdr[b*64 + lsu_pkg::TYPE_LSB +: 4]) == 2'd3;
    end
    long1 = lsu_pkg::msg_beats(ended_hdr[64 + lsu_pkg::TYPE_LSB +: 4]) != 5'd1;
  end

  // An entry is a message: its header, and of its body what its class has. A body belongs to beat
  // 1's message if that is long, else to beat 0's.
  fifo_2w #(.Width(352), .Depth(MemDepth)) i_memory (
    .clk_i, .rst_ni, .push_i(to_m), .over_o(over_m), .take_i(m_take_i),
    .probe_count_o(unused_m), .valid_o(m_valid_o), .rdata_o({m_hdr_o, m_mask_o, m_data_o}),
    .wdata_i({ended_hdr[127:64], {288{long1}} & {ended_ctl[31:0], ended_data[255:0]},
              ended_hdr[63:0], ended_ctl[31:0], ended_data[255:0]})
  );
  fifo_2w #(.Width(128), .Depth(SmemDepth)) i_shared (
    .clk_i, .rst_ni, .push_i(to_s), .over_o(over_s), .take_i(s_take_i),
    .probe_count_o(unused_s), .valid_o(s_valid_o), .rdata_o({s_hdr_o, s_ctl_o}),
    .wdata_i({ended_hdr[127:64], ended_ctl, ended_hdr[63:0], ended_ctl})
  );
  fifo_2w #(.Width(1120), .Depth(WriteDepth)) i_write (
    .clk_i, .rst_ni, .push_i(to_w), .over_o(over_w), .take_i(w_take_i),
    .probe_count_o(unused_w), .valid_o(w_valid_o), .rdata_o({w_hdr_o, w_mask_o, w_data_o}),
    .wdata_i({ended_hdr[127:64], ended_ctl[31:0], ended_data, ended_hdr[63:0], ended_ctl[31:0], ended_data})
  );
  fifo_2w #(.Width(64), .Depth(MoveDepth)) i_move (
    .clk_i, .rst_ni, .push_i(to_v), .over_o(over_v), .take_i(v_take_i),
    .probe_count_o(unused_v), .valid_o(v_valid_o), .rdata_o(v_hdr_o), .wdata_i(ended_hdr)
  );

  // A credit goes back in the cycle after the take, when the place is free. A message that is
  // dropped gives none.
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
  // Beats come in order, and only a message that is shown is taken.
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
