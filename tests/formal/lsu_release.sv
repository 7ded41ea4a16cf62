// SPDX-License-Identifier: Apache-2.0
//
// lsu_release -- lsu_xact and lsu_tx, wired as in lsu_ext: no tag is released twice, and what goes
// up is still in the table.
//
// lsu_tx releases the tags that go up, the controller's answer all others. Tags, kinds, answers and
// the bus are free, with one exception: the controller answers a tag once. With Twice = 1 it
// answers as often as it likes, which must break the claims.

`default_nettype none

module lsu_release #(
  parameter int Xacts = 2,
  parameter bit Twice = 1'b0
) (
  input  wire logic        clk_i,
  input  wire logic        alloc_i,
  input  wire logic [1:0]  kind_i,
  input  wire logic [10:0] ref_i,
  input  wire logic        mr_valid_i,
  input  wire logic [7:0]  mr_tag_i,
  input  wire logic        done_i,
  input  wire logic        row_i,
  input  wire logic        take_i
);

  logic             rst_n = 1'b0;             // low in the first cycle only
  logic             free, lk_hit, up_hit, a_valid, rel_valid, to_up, down, answered;
  logic [7:0]       tag, a_tag, rel_tag;
  logic [1:0]       lk_kind, a_kind, err, up_valid;
  logic [10:0]      a_ref;
  logic [Xacts-1:0] waits = '0;  // tags without an answer so far

  always_comb begin
    answered = Twice;
    for (int i = 0; i < Xacts; i++) if (32'(mr_tag_i) == i && waits[i]) answered = 1'b1;
    answered = answered && mr_valid_i && rst_n;
  end

  lsu_xact #(.Xacts(Xacts)) i_xact (
    .clk_i, .rst_ni (rst_n),
    .free_o (free), .tag_o (tag), .alloc_i (alloc_i && free), .al_kind_i (kind_i), .al_ref_i (ref_i),
    .lk_valid_i (answered), .lk_tag_i (mr_tag_i), .lk_hit_o (lk_hit), .lk_kind_o (lk_kind), .lk_ref_o (),
    .up_valid_i (a_valid), .up_tag_i (a_tag), .up_hit_o (up_hit), .up_kind_o (a_kind), .up_ref_o (a_ref),
    .rel_valid_i (rel_valid), .rel_tag_i (rel_tag), .rel2_valid_i (down), .rel2_tag_i (mr_tag_i),
    .err_o (err), .probe_used_o ()
  );
  assign to_up = lk_hit && !lk_kind[1];
  assign down  = lk_hit && lk_kind[1];

  lsu_tx #(.Xacts(Xacts)) i_tx (
    .clk_i, .rst_ni (rst_n), .nbu_id_i ('0),
    .in_valid_i (to_up), .in_tag_i (mr_tag_i),
    .a_valid_o (a_valid), .a_tag_o (a_tag), .a_kind_i (a_kind), .a_ref_i (a_ref), .rel_valid_o (rel_valid),
    .rel_tag_o (rel_tag), .rd_en_o (), .rd_tag_o (), .rd_data_i ('0),
    .d_valid_i (done_i), .d_id_i ('0), .d_take_o (),
    .v_valid_i (row_i), .v_hdr_i ('0), .v_data_i ('0), .v_take_o (),
    .up_valid_o (up_valid), .up_beat_o (), .up_take_i (take_i && up_valid[0])
  );

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    for (int i = 0; i < Xacts; i++) begin
      if (rst_n && alloc_i && free && 32'(tag) == i)  waits[i] <= 1'b1;
      else if (answered && 32'(mr_tag_i) == i)        waits[i] <= 1'b0;
    end
  end

  always @(posedge clk_i) if (rst_n) begin
    // lsu_ext.ports, rule 3: an answer and lsu_tx never release the same tag in a cycle.
    assert (!(rel_valid && down && rel_tag == mr_tag_i));
    // lsu_tx.ports, rule 5: the transaction is still there when its answer begins.
    assert (!a_valid || up_hit);
    assert (err == '0);  // no release of a free tag, no answer for one
  end
endmodule

`default_nettype wire
