// SPDX-License-Identifier: Apache-2.0
//
// lsu_tx -- messages to the TSV bus, packed into two beats a cycle.
//
//   answers (tags) --+
//   done ids --------+--> header, data_q: the next beat lowest --> word_q: two beats --> up_*
//   rows (move_near) +
//
// A word of two beats waits for the bus. It is filled when it is empty or taken: first with the
// beats that are left of the message being sent, then with new messages, sources in turn. An
// answer's data come from the read buffer a cycle after the answer has begun (fresh_q). So nothing
// follows its header in the word:
//
//   left_q:  0 --RDR header, fresh--> 4 --> 3 --> ... --> 0     0 --MVR header--> 16 --> ... --> 0
//            0 --WRA or CPL, a beat--> 0
//
// Words in sequence, the first beat first:
//
//   [WRA, CPL]  [MVR, 1]  [2, 3] .. [14, 15]  [16, RDR]  [1, 2]  [3, 4]

`default_nettype none

module lsu_tx #(
  parameter int Xacts = 32  // transactions under way, 2 to 256
) (
  input  wire logic                            clk_i,        // core clock
  input  wire logic                            rst_ni,       // asynchronous, active low
  input  wire logic [lsu_pkg::NBU_W-1:0]       nbu_id_i,     // this unit's number; constant
  // Answers, by tag
  input  wire logic                            in_valid_i,   // an answer is to go up; never refused
  input  wire logic [lsu_pkg::TAG_BITS-1:0]    in_tag_i,     // its transaction
  // lsu_xact
  output      logic                            a_valid_o,    // an answer begins: asks for its kind and ref
  output      logic [lsu_pkg::TAG_BITS-1:0]    a_tag_o,      // its transaction
  input  wire logic [1:0]                      a_kind_i,     // same cycle: 0 RD, 1 WR
  input  wire logic [lsu_pkg::REF_BITS-1:0]    a_ref_i,      // same cycle: {asker, id}
  output      logic                            rel_valid_o,  // a transaction is over
  output      logic [lsu_pkg::TAG_BITS-1:0]    rel_tag_o,    // its tag
  // Read buffer
  output      logic                            rd_en_o,      // reads the data of a read
  output      logic [lsu_pkg::TAG_BITS-1:0]    rd_tag_o,     // its entry
  input  wire logic [lsu_pkg::XFER_BITS-1:0]   rd_data_i,    // 32 bytes, in the cycle after rd_en_o
  // lsu_done
  input  wire logic                            d_valid_i,    // an id is done; stays until d_take_o
  input  wire logic [lsu_pkg::ID_W-1:0]        d_id_i,       // the id
  output      logic                            d_take_o,     // its CPL begins
  // move_near
  input  wire logic                            v_valid_i,    // a row; stays until v_take_o
  input  wire logic [lsu_pkg::BEAT_BITS-1:0]   v_hdr_i,      // header of its message: nbu, warp, reg, id
  input  wire logic [lsu_pkg::ROW_BITS-1:0]    v_data_i,     // 32 words
  output      logic                            v_take_o,     // its MVR begins
  // To the TSV bus
  output      logic [1:0]                      up_valid_o,   // beats of the word; bit 1 only with bit 0
  output      logic [2*lsu_pkg::BEAT_BITS-1:0] up_beat_o,    // two beats, until up_take_i; 0 without valid
  input  wire logic                            up_take_i     // the bus takes the word
);

  localparam logic [63:0] NONE = 64'd0;

  // The word, and the message being sent.
  logic [1:0]                    valid_d, valid_q;
  logic [127:0]                  word_d, word_q;
  logic [4:0]                    left_d, left_q;          // its beats that are in no word yet
  logic [lsu_pkg::ROW_BITS-1:0]  data_d, data_q;          // these beats, the next one lowest
  logic                          fresh_d, fresh_q;        // rd_data_i is what data_q should be
  logic [lsu_pkg::TAG_BITS-1:0]  tag_d, tag_q;            // whose data these are
  logic [1:0]                    turn_d, turn_q;          // source that began the last message
  logic                          fill, answers, closed;
  logic [2:0]                    can, pick;
  logic [lsu_pkg::BEAT_BITS-1:0] beat;

  logic                       unused_full, unused_empty, unused_over, unused_under;
  logic [$clog2(Xacts+1)-1:0] unused_count;
  logic [$clog2(Xacts)-1:0]   unused_wptr, unused_rptr;

  // An entry is a tag. There is a place for each transaction, so the
  // controller's answers never wait.
  fifo #(.Width(8), .Depth(Xacts)) i_answers (
    .clk_i, .rst_ni,
    .push_i(in_valid_i), .wdata_i(in_tag_i), .pop_i(a_valid_o),
    .full_o(unused_full), .empty_o(unused_empty), .not_empty_o(answers), .count_o(unused_count), .rdata_o(a_tag_o),
    .overflow_o(unused_over), .underflow_o(unused_under), .probe_wptr_o(unused_wptr), .probe_rptr_o(unused_rptr)
  );

  // A word is filled when it is empty or leaves.
  assign fill = up_take_i || valid_q == '0;

  // Both beats of a word in order. A source that has begun a message in this word has no more: its
  // next one is there in the next cycle.
  always_comb begin
    valid_d   = fill ? '0 : valid_q;
    word_d    = fill ? '0 : word_q;
    left_d    = left_q;
    data_d    = fresh_q ? {768'd0, rd_data_i} : data_q;
    fresh_d   = 1'b0;
    tag_d     = tag_q;
    turn_d    = turn_q;
    a_valid_o = 1'b0;
    rd_en_o   = 1'b0;
    d_take_o  = 1'b0;
    v_take_o  = 1'b0;
    closed    = 1'b0;                                     // an RDR header is in this word: nothing follows it
    can       = '0;
    pick      = '0;
    beat      = '0;
    for (int b = 0; b < 2; b++) begin
      if (fill && !closed) begin
        beat = '0;
        if (left_d != '0) begin
          beat       = data_d[63:0];
          data_d     = data_d >> 64;
          left_d     = left_d - 5'd1;
          valid_d[b] = 1'b1;
        end else begin
          can        = {v_valid_i && !v_take_o, d_valid_i && !d_take_o, answers && !a_valid_o};
          pick       = first_after(can, turn_d);
          valid_d[b] = |pick;
          if (pick[0]) begin
            a_valid_o = 1'b1;
            turn_d    = 2'd0;
            beat      = header(a_kind_i[0] ? lsu_pkg::MSG_WRA : lsu_pkg::MSG_RDR, nbu_id_i, a_ref_i[7:0])
                      | (64'(a_ref_i[10:8]) << lsu_pkg::AREG_LSB);
            if (!a_kind_i[0]) begin
              left_d  = 5'd4;
              fresh_d = 1'b1;
              rd_en_o = 1'b1;
              closed  = 1'b1;
              tag_d   = a_tag_o;
            end
          end
          if (pick[1]) begin
            d_take_o = 1'b1;
            turn_d   = 2'd1;
            beat     = header(lsu_pkg::MSG_CPL, nbu_id_i, d_id_i);
          end
          if (pick[2]) begin
            v_take_o = 1'b1;
            turn_d   = 2'd2;
            left_d   = 5'd16;
            data_d   = v_data_i;
            beat     = header(lsu_pkg::MSG_MVR, v_hdr_i[lsu_pkg::NBU_LSB +: lsu_pkg::NBU_W],
                              v_hdr_i[lsu_pkg::ID_LSB +: lsu_pkg::ID_W])
                     | (64'(v_hdr_i[lsu_pkg::WARP_LSB +: lsu_pkg::WARP_W]) << lsu_pkg::WARP_LSB)
                     | (64'(v_hdr_i[lsu_pkg::REG_LSB +: lsu_pkg::REG_W]) << lsu_pkg::REG_LSB);
          end
        end
        word_d[b*64 +: 64] = beat;
      end
    end
  end

  // A read's transaction ends when its data have left the buffer, a write's
  // when its header is made. Both do not meet in a cycle: with fresh_q four beats are left, so no
  // message begins.
  assign rd_tag_o    = a_tag_o;
  assign rel_valid_o = fresh_q || (a_valid_o && a_kind_i[0]);
  assign rel_tag_o   = fresh_q ? tag_q : a_tag_o;
  assign up_valid_o  = valid_q;
  assign up_beat_o   = word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      word_q  <= '0;
      left_q  <= '0;
      data_q  <= '0;
      fresh_q <= '0;
      tag_q   <= '0;
      turn_q  <= 2'd2;
    end else begin
      valid_q <= valid_d;
      word_q  <= word_d;
      left_q  <= left_d;
      data_q  <= data_d;
      fresh_q <= fresh_d;
      tag_q   <= tag_d;
      turn_q  <= turn_d;
    end
  end

  // A header of these fields, the others 0.
  function automatic logic [lsu_pkg::BEAT_BITS-1:0] header(input logic [lsu_pkg::TYPE_W-1:0] kind,
                                                           input logic [lsu_pkg::NBU_W-1:0] nbu,
                                                           input logic [lsu_pkg::ID_W-1:0] id);
    header = NONE | (64'(kind) << lsu_pkg::TYPE_LSB) | (64'(nbu) << lsu_pkg::NBU_LSB) | (64'(id) << lsu_pkg::ID_LSB);
  endfunction

  // The first that can, behind `last`, in a circle of three; one-hot or zero.
  function automatic logic [2:0] first_after(input logic [2:0] who, input logic [1:0] last);
    case (last)
      2'd0:    first_after = who[1] ? 3'b010 : who[2] ? 3'b100 : {2'b00, who[0]};
      2'd1:    first_after = who[2] ? 3'b100 : who[0] ? 3'b001 : {1'b0, who[1], 1'b0};
      default: first_after = who[0] ? 3'b001 : who[1] ? 3'b010 : {who[2], 2'b00};
    endcase
  endfunction

  // Fields that no message up has a use for.
  logic unused;
  assign unused = &{1'b0, a_kind_i[1], v_hdr_i};

  initial if (Xacts < 2 || Xacts > 256) $fatal(1, "lsu_tx: Xacts must be 2 to 256");

`ifndef SYNTHESIS
  // The word has no gap, only a word that is shown is taken, and each answer has its place.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(valid_q[1] && !valid_q[0]));
    assert (!up_take_i || valid_q[0]);
    assert (!in_valid_i || !unused_full);
  end
`endif

`ifdef FORMAL
  // Every reachable state is like this. Proofs prove it, then begin there.
  always @(posedge clk_i) if (rst_ni) begin
    assert (left_q <= 5'd16 && (!fresh_q || left_q == 5'd4));
    assert (turn_q <= 2'd2);
  end
`endif
endmodule

`default_nettype wire
