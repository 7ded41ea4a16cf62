// SPDX-License-Identifier: Apache-2.0
//
// lsu_tx_proof -- whatever begins goes up whole, once and unchanged. Tags are released once,
// answers keep their order, sources take turns.
//
// The wrapper reads beat by beat what the bus takes. Data are one bit repeated in every beat, and
// numbers of a header a few bits repeated, because fewer different values are enough. There are
// never more answers than transactions.

`default_nettype none

module lsu_tx_proof #(
  parameter  int Xacts = 2,
  localparam int CntW  = $clog2(Xacts + 2)
) (
  input  wire logic        clk_i,
  input  wire logic        in_valid_i,
  input  wire logic        in_tag_i,
  input  wire logic        a_kind_i,  // 1: a write
  input  wire logic        a_ref_i,
  input  wire logic [3:0]  rd_beats_i,
  input  wire logic        d_valid_i,
  input  wire logic        d_id_i,
  input  wire logic        v_valid_i,
  input  wire logic [63:0] v_hdr_i,
  input  wire logic [15:0] v_beats_i,
  input  wire logic        up_take_i,
  input  wire logic        remember_i,  // watch this cycle's answer
  input  wire logic [1:0]  who_i              // any source
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          a_valid, rel_valid, rd_en, d_take, v_take;
  logic [7:0]    a_tag, rel_tag, rd_tag;
  logic [1:0]    up_valid, valid_q;
  logic [127:0]  up_beat, beat_q;
  logic [255:0]  rd_data;
  logic [1023:0] v_data;

  lsu_tx #(.Xacts(Xacts)) u_dut (
    .clk_i, .rst_ni (rst_n), .nbu_id_i (2'd2), .in_valid_i, .in_tag_i ({7'd0, in_tag_i}), .a_valid_o (a_valid),
    .a_tag_o (a_tag), .a_kind_i ({1'b0, a_kind_i}), .a_ref_i ({11{a_ref_i}}), .rel_valid_o (rel_valid),
    .rel_tag_o (rel_tag), .rd_en_o (rd_en), .rd_tag_o (rd_tag), .rd_data_i (rd_data), .d_valid_i, .d_id_i ({8{d_id_i}}),
    .d_take_o (d_take), .v_valid_i, .v_hdr_i, .v_data_i (v_data), .v_take_o (v_take), .up_valid_o (up_valid),
    .up_beat_o (up_beat), .up_take_i
  );

  always_comb begin
    for (int i = 0; i < 4; i++) rd_data[i*64 +: 64] = {64{rd_beats_i[i]}};
    for (int i = 0; i < 16; i++) v_data[i*64 +: 64] = {64{v_beats_i[i]}};
  end

  // Messages that have begun with a header that the bus has not taken: at most one of each source.
  logic [2:0]      out, seen, begins, wrong;   // answer, done id, row
  logic            a_write, a_ref, d_id, reading, broken_beat, stray;
  logic [63:0]     v_hdr, beat;
  logic [15:0]     beats;  // beats still to come of the message being taken, the next one lowest
  logic [4:0]      left, left_now;
  logic [15:0]     v_beats, beats_now;
  logic [3:0]      a_beats;
  logic [7:0]      tag_q;

  assign begins = {v_take, d_take, a_valid};

  always_comb begin
    // The beats of this word, one after the other: the next beat of a message, or a header.
    left_now    = left;
    beats_now   = beats;
    seen        = '0;
    wrong       = '0;
    broken_beat = 1'b0;
    stray       = up_valid == 2'b10;
    beat        = '0;
    for (int b = 0; b < 2; b++) begin
      beat = up_beat[b*64 +: 64];
      if (!up_valid[b]) stray = stray || beat != '0;
      else if (left_now != '0) begin
        if (beat != {64{beats_now[0]}}) broken_beat = 1'b1;
        beats_now = beats_now >> 1;
        left_now  = left_now - 5'd1;
      end else if (beat[3:0] == lsu_pkg::MSG_CPL) begin
        wrong[1] = seen[1] || !out[1] || beat[63:4] != {{8{d_id}}, 50'd0, 2'd2};
        seen[1]  = 1'b1;
      end else if (beat[3:0] == lsu_pkg::MSG_MVR) begin
        wrong[2]  = seen[2] || !out[2] || beat[63:4] != {v_hdr[63:56], 34'd0, v_hdr[21:8], 2'd0, v_hdr[5:4]};
        seen[2]   = 1'b1;
        left_now  = 5'd16;
        beats_now = v_beats;
      end else begin
        wrong[0] = seen[0] || !out[0] || beat != {{8{a_ref}}, 31'd0, {3{a_ref}}, 16'd0, 2'd2, a_write ? lsu_pkg::MSG_WRA
                                                  : lsu_pkg::MSG_RDR};
        seen[0]  = 1'b1;
        if (!a_write) left_now = 5'd4;
        beats_now = {12'd0, reading ? rd_beats_i : a_beats};
      end
    end
  end

  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    reading <= rst_n && rd_en;
    tag_q   <= a_tag;
    valid_q <= rst_n && !up_take_i ? up_valid : 2'd0;
    beat_q  <= up_beat;
    if (!rst_n) begin
      out  <= '0;
      left <= '0;
    end else begin
      out <= (out & ~(up_take_i ? seen : 3'd0)) | begins;
      if (up_take_i) begin
        left  <= left_now;
        beats <= beats_now;
      end
    end
    if (a_valid) {a_write, a_ref} <= {a_kind_i, a_ref_i};
    if (d_take) d_id <= d_id_i;
    if (v_take) {v_hdr, v_beats} <= {v_hdr_i, v_beats_i};
    if (reading) a_beats <= rd_beats_i;
  end

  // The order of answers, and how many messages of other sources begin while one source waits.
  logic [CntW-1:0] count, before;
  logic            watched, kept;
  logic [1:0]      who;
  logic [2:0]      others;
  logic [2:0]      asks;

  assign asks = {v_valid_i, d_valid_i, count != '0};

  always @(posedge clk_i) begin
    if (!rst_n) begin
      count   <= '0;
      watched <= 1'b0;
      who     <= who_i;
      others  <= '0;
    end else begin
      // Answers that wait, and those before the watched one.
      count <= count + CntW'(in_valid_i) - CntW'(a_valid);
      if (!watched && remember_i && in_valid_i) begin
        watched <= 1'b1;
        before  <= count - CntW'(a_valid);
        kept    <= in_tag_i;
      end else if (watched && a_valid) begin
        watched <= before != '0;
        before  <= before - 1'b1;
      end
      // Messages of others that begin while the watched source waits.
      if (!asks[who] || begins[who]) others <= '0;
      else if (others < 3'd3) others <= others + 3'(begins[0]) + 3'(begins[1]) + 3'(begins[2]);
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset: any source.
    assume (who < 2'd3);
    // Rule 3: the bus takes only a word that is there.
    assume (!up_take_i || up_valid[0]);
    // Rule 1: there are no more answers than transactions.
    assume (!in_valid_i || 32'(count) + 32'(reading) < Xacts);
    // Few different headers, as the head of this file says.
    assume (v_hdr_i[63:56] == {8{v_hdr_i[56]}} && v_hdr_i[21:8] == {14{v_hdr_i[8]}} && v_hdr_i[5:4] == {2{v_hdr_i[4]}});
    // Rules 3, 5, 6, 8 and 9: every beat taken is the next one of a message, or begins one.
    whole:         assert (wrong == '0 && !broken_beat && !stray);
    // Rules 5 and 8: a source begins nothing before its last header is
    // taken, and only with a message.
    one_of_each:   assert ((begins & out & ~(up_take_i ? seen : 3'd0)) == '0 && (begins & ~asks) == '0);
    // Rule 4: a header that has begun is in the word.
    none_lost:     assert (up_valid != '0 || out == '0);
    // Rule 3: a word stays until it is taken.
    word_stays:    assert (valid_q == '0 || (up_valid == valid_q && up_beat == beat_q));
    // Rules 6 and 7.
    released_once: assert (rel_valid == (reading || (a_valid && a_kind_i)) &&
                           (!rel_valid || rel_tag == (reading ? tag_q : a_tag)) &&
                           !(reading && a_valid) && rd_en == (a_valid && !a_kind_i) && (!rd_en || rd_tag == a_tag));
    // Rule 1: the watched answer begins when none is before it.
    in_order:      assert (!watched || !a_valid || before != '0 || a_tag == {7'd0, kept});
    // Rule 4: a source waits for two messages of others at most.
    in_turn:       assert (others < 3'd3);
    // An answer and an id share a word; a row's last beat shares one with an id.
    two_in_word:   cover (up_take_i && up_valid == 2'b11 && left == '0 && seen == 3'b011 && a_write);
    row_through:   cover (up_take_i && left == 5'd1 && beats[0] && seen[1]);
  end
endmodule

`default_nettype wire
