// SPDX-License-Identifier: Apache-2.0
//
// lsu_xact_proof -- a tag is given once until it is released, and both look-ups give what was
// stored with it.

`default_nettype none

module lsu_xact_proof #(
  parameter int Xacts = 3
) (
  input  wire logic        clk_i,
  input  wire logic        alloc_i,
  input  wire logic [1:0]  al_kind_i,
  input  wire logic [10:0] al_ref_i,
  input  wire logic        lk_valid_i,
  input  wire logic [7:0]  lk_tag_i,
  input  wire logic        up_valid_i,
  input  wire logic [7:0]  up_tag_i,
  input  wire logic        rel_valid_i,
  input  wire logic [7:0]  rel_tag_i,
  input  wire logic        rel2_valid_i,
  input  wire logic [7:0]  rel2_tag_i,
  input  wire logic [7:0]  watch_i  // in the cycle of reset: the tag to watch
);

  logic             rst_n = 1'b0;             // low in the first cycle only
  logic             free, lk_hit, up_hit, lk_used, up_used, rel_used, rel2_used;
  logic [7:0]       tag, watch;
  logic [1:0]       lk_kind, up_kind, err, err_due;
  logic [10:0]      lk_ref, up_ref;
  logic [8:0]       probe, count;
  logic [Xacts-1:0] used;
  logic [12:0]      what;  // kind and ref stored for the watched tag

  lsu_xact #(.Xacts(Xacts)) u_dut (
    .clk_i, .rst_ni (rst_n), .free_o (free), .tag_o (tag), .alloc_i, .al_kind_i, .al_ref_i, .lk_valid_i, .lk_tag_i,
    .lk_hit_o (lk_hit), .lk_kind_o (lk_kind), .lk_ref_o (lk_ref), .up_valid_i, .up_tag_i, .up_hit_o (up_hit),
    .up_kind_o (up_kind), .up_ref_o (up_ref), .rel_valid_i, .rel_tag_i, .rel2_valid_i, .rel2_tag_i, .err_o (err),
    .probe_used_o (probe)
  );

  always_comb begin
    // Tags of four ports, if in use. A tag of Xacts or more never is.
    lk_used   = 1'b0;
    up_used   = 1'b0;
    rel_used  = 1'b0;
    rel2_used = 1'b0;
    count     = '0;
    for (int i = 0; i < Xacts; i++) begin
      if (32'(lk_tag_i) == i)   lk_used   = used[i];
      if (32'(up_tag_i) == i)   up_used   = used[i];
      if (32'(rel_tag_i) == i)  rel_used  = used[i];
      if (32'(rel2_tag_i) == i) rel2_used = used[i];
      count = count + 9'(used[i]);
    end
  end

  // Rules 1 and 3: a tag is in use from its alloc to its release.
  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    err_due <= {2{rst_n}} & {lk_valid_i && !lk_used, (rel_valid_i && !rel_used) || (rel2_valid_i && !rel2_used)};
    if (!rst_n) begin
      used  <= '0;
      watch <= watch_i;
    end else begin
      for (int i = 0; i < Xacts; i++) begin
        if ((rel_valid_i && 32'(rel_tag_i) == i) || (rel2_valid_i && 32'(rel2_tag_i) == i)) used[i] <= 1'b0;
        if (alloc_i && 32'(tag) == i) used[i] <= 1'b1;
      end
      if (alloc_i && tag == watch) what <= {al_kind_i, al_ref_i};
    end
  end

  always_comb if (rst_n) begin
    // Rule 1: lsu_issue allocates only a free tag.
    assume (!alloc_i || free);
    // Rule 1: the tag offered is not in use.
    unique_tags: assert (free == (used != {Xacts{1'b1}}) && (!free ||
                                                             (32'(tag) < Xacts && (used & (Xacts'(1) << tag)) == '0)));
    // Rule 2: a look-up hits just the tags in use.
    hits:        assert (lk_hit == (lk_valid_i && lk_used) && up_hit == (up_valid_i && up_used));
    // Rule 2: kind and ref of the watched tag, on both look-ups.
    answers:     assert (!lk_hit || lk_tag_i != watch || {lk_kind, lk_ref} == what);
    goes_up:     assert (!up_hit || up_tag_i != watch || {up_kind, up_ref} == what);
    // The probe counts tags in use.
    counted:     assert (probe == count);
    // Rule 4.
    flagged:     assert (err == err_due);
    // Two tags are released in one cycle, with all tags in use.
    emptied:     cover (rel_valid_i && rel2_valid_i && rel_used && rel2_used && rel_tag_i != rel2_tag_i &&
                        32'(count) == Xacts && lk_hit);
  end
endmodule

`default_nettype wire
