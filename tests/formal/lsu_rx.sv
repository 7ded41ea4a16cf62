// SPDX-License-Identifier: Apache-2.0
//
// lsu_rx_proof -- every message for this unit that has a place comes out of its class once, whole
// and in order, and gives one credit back. A sender that keeps to its credits loses nothing.
//
// The wrapper watches any one class, one message of it and one beat of that. In a beat all bits
// above type and unit are two bits repeated, because fewer different values are enough.

`default_nettype none

module lsu_rx_proof #(
  parameter  int MemDepth   = 2,
  parameter  int SmemDepth  = 2,
  parameter  int WriteDepth = 1,
  parameter  int MoveDepth  = 2
) (
  input  wire logic       clk_i,
  input  wire logic [1:0] dn_valid_i,
  input  wire logic [7:0] beat0_i,  // two free bits, unit, type
  input  wire logic [7:0] beat1_i,
  input  wire logic [3:0] take_i,
  input  wire logic [1:0] class_i,  // in the cycle of reset: the class to watch,
  input  wire logic [4:0] number_i,           // the beat of the message
  input  wire logic       remember_i,  // watch a message of this cycle: the one that ends with beat 0,
  input  wire logic       second_i            // or with beat 1
);

  localparam logic [1:0] NBU = 2'd1;

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic [3:0]    credit, valid;
  logic [63:0]   m_hdr, s_hdr, s_ctl, w_hdr, v_hdr;
  logic [31:0]   m_mask, w_mask;
  logic [255:0]  m_data;
  logic [1023:0] w_data;
  logic [2:0]    err, err_due;

  logic [15:0]   beats;                       // of this cycle, eight bits each
  logic [7:0]    beat, hdr, hdr_now, piece, piece_now;  // piece: the watched beat of the unfinished message
  logic [4:0]    left, left_now, number, at, at_now;
  logic [1:0]    class_w, ends, lost, stored;
  logic [15:0]   ends_hdr, ends_piece;
  logic [3:0]    took;
  logic          bad, alien, over;
  logic [3:0]    count, before, depth, count_now, owed;  // of the watched class; owed: credits that the sender has used
  logic          watched, kept_long, honest;
  logic [7:0]    kept_hdr, kept_piece;
  logic [63:0]   out_hdr, out_piece;

  lsu_rx #(.MemDepth(MemDepth), .SmemDepth(SmemDepth), .WriteDepth(WriteDepth), .MoveDepth(MoveDepth)) u_dut (
    .clk_i, .rst_ni (rst_n), .nbu_id_i (NBU), .dn_valid_i,
    .dn_beat_i ({{29{beat1_i[7:6]}}, beat1_i[5:0], {29{beat0_i[7:6]}}, beat0_i[5:0]}), .dn_credit_o (credit),
    .m_valid_o (valid[0]), .m_hdr_o (m_hdr), .m_mask_o (m_mask), .m_data_o (m_data), .m_take_i (take_i[0]),
    .s_valid_o (valid[1]), .s_hdr_o (s_hdr), .s_ctl_o (s_ctl), .s_take_i (take_i[1]), .w_valid_o (valid[2]),
    .w_hdr_o (w_hdr), .w_mask_o (w_mask), .w_data_o (w_data), .w_take_i (take_i[2]), .v_valid_o (valid[3]),
    .v_hdr_o (v_hdr), .v_take_i (take_i[3]), .err_o (err)
  );

  assign beats = {beat1_i, beat0_i};
  // Places of the watched class.
  assign depth = class_w == 2'd0 ? 4'(MemDepth) : class_w == 2'd1 ? 4'(SmemDepth) : class_w == 2'd2 ? 4'(WriteDepth)
                 : 4'(MoveDepth);

  always_comb begin
    // Rules 1 to 4: one beat after the other. A header sets the number of beats;
    // the last beat ends the message.
    left_now   = left;
    hdr_now    = hdr;
    at_now     = at;
    piece_now  = piece;
    beat       = '0;
    ends       = '0;
    ends_hdr   = '0;
    ends_piece = '0;
    bad        = 1'b0;
    alien      = 1'b0;
    for (int b = 0; b < 2; b++) begin
      beat = beats[b*8 +: 8];
      if (dn_valid_i[b]) begin
        if (left_now == '0) begin
          hdr_now   = beat;
          piece_now = '0;
          at_now    = 5'd1;
          left_now  = lsu_pkg::msg_beats(beat[3:0]);
          if (left_now == '0) bad = 1'b1;
        end else begin
          if (at_now == number) piece_now = beat;
          at_now = at_now + 5'd1;
        end
        if (left_now == 5'd1) begin
          if (hdr_now[5:4] != NBU) alien = 1'b1;
          else ends[b] = lsu_pkg::msg_class(hdr_now[3:0]) == class_w;
        end
        ends_hdr[b*8 +: 8]   = hdr_now;
        ends_piece[b*8 +: 8] = piece_now;
        if (left_now != '0) left_now = left_now - 5'd1;
      end
    end
    // Rule 3: a message that ends is stored if its class has a place.
    count_now = count;
    stored    = '0;
    for (int b = 0; b < 2; b++) begin
      if (ends[b] && count_now < depth) begin
        stored[b] = 1'b1;
        count_now = count_now + 4'd1;
      end
    end
    over = stored != ends;
  end

  // The count of the watched class, the sender's credits, and the messages before the watched one.
  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    took    <= rst_n ? take_i : '0;
    err_due <= rst_n ? {alien, over, bad} : '0;
    if (!rst_n) begin
      left    <= '0;
      count   <= '0;
      owed    <= '0;
      watched <= 1'b0;
      class_w <= class_i;
      number  <= number_i;
      honest  <= 1'b1;
    end else begin
      left  <= left_now;
      at    <= at_now;
      hdr   <= hdr_now;
      piece <= piece_now;
      count <= count_now - 4'(take_i[class_w]);
      owed  <= owed + 4'(ends[0]) + 4'(ends[1]) - 4'(credit[class_w]);
      if (owed + 4'(ends[0]) + 4'(ends[1]) > depth) honest <= 1'b0;
      if (!watched && remember_i && stored[second_i]) begin
        watched    <= 1'b1;
        before     <= count - 4'(take_i[class_w]) + 4'(second_i && stored[0]);
        kept_hdr   <= ends_hdr[second_i*8 +: 8];
        kept_piece <= ends_piece[second_i*8 +: 8];
      end else if (watched && take_i[class_w]) begin
        watched <= before != '0;
        before  <= before - 4'd1;
      end
    end
  end

  // The watched beat at the class's output; 0 if the class has no such beat.
  always_comb begin
    out_hdr   = class_w == 2'd0 ? m_hdr : class_w == 2'd1 ? s_hdr : class_w == 2'd2 ? w_hdr : v_hdr;
    out_piece = '0;
    if (class_w == 2'd0 && number == 5'd1) out_piece = {32'd0, m_mask};
    if (class_w == 2'd1 && number == 5'd1) out_piece = s_ctl;
    if (class_w == 2'd2 && number == 5'd1) out_piece = {32'd0, w_mask};
    for (int i = 2; i < 6; i++) if (class_w == 2'd0 && number == 5'(i)) out_piece = m_data[(i-2)*64 +: 64];
    for (int i = 2; i < 18; i++) if (class_w == 2'd2 && number == 5'(i)) out_piece = w_data[(i-2)*64 +: 64];
    kept_long = number == 5'd1 && class_w != 2'd1;              // only the mask of beat 1 is kept
  end

  always_comb if (rst_n) begin
    // Rule 1: beat 1 comes only with beat 0.
    assume (!dn_valid_i[1] || dn_valid_i[0]);
    // Rule 5: take only with valid; the other blocks keep this.
    assume ((take_i & ~valid) == '0);
    // A choice of the proof, fixed in reset; the header is watched anyway.
    assume (number >= 5'd1 && number <= 5'd17);
    // Rules 3 and 5: a class is valid while it has a message.
    there:        assert (valid[class_w] == (count != '0));
    // Rule 6.
    one_credit:   assert (credit == took);
    // Rules 2 to 4.
    // Another class may raise err[1], too.
    flagged:      assert (err[0] == err_due[0] && err[2] == err_due[2] && (!err_due[1] || err[1]));
    // Rule 3: within its credits a sender loses no message.
    none_lost:    assert (!honest || !err_due[1]);
    // Rules 3, 5 and 7: the watched message comes out whole, when none is before it.
    its_header:   assert (!watched || before != '0 || out_hdr == {{29{kept_hdr[7:6]}}, kept_hdr[5:0]});
    its_beat:     assert (!watched || before != '0 ||
                          out_piece == ({{29{kept_piece[7:6]}}, kept_piece[5:0]} & {{32{!kept_long}}, 32'hffffffff}));
    // Two messages of a class end in one cycle.
    two_at_once:  cover (stored == 2'b11 && class_w == 2'd0 && ends_hdr[3:0] == lsu_pkg::MSG_WR);
    // The last beat of the longest message comes out.
    long_one:     cover (watched && class_w == 2'd2 && before == '0 && take_i[2] && kept_piece != '0 &&
                         number == 5'd17);
  end
endmodule

`default_nettype wire
