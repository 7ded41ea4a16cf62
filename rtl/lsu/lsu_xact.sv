// SPDX-License-Identifier: Apache-2.0
//
// lsu_xact -- transaction table: what the answer with a tag is for.
//
//   an entry:  free --alloc--> in use --rel or rel2--> free, for an alloc in the next cycle
//
// free_o and tag_o name the lowest free entry. Two look-ups (lk, up) and two releases a cycle.
// Look-ups answer in the same cycle, from state, so the table is flip-flops.

`default_nettype none

module lsu_xact #(
  parameter int Xacts = 32  // transactions under way, 2 to 256
) (
  input  wire logic                         clk_i,         // core clock
  input  wire logic                         rst_ni,        // asynchronous, active low
  // To and from lsu_issue
  output      logic                         free_o,        // an entry is free
  output      logic [lsu_pkg::TAG_BITS-1:0] tag_o,         // the lowest free entry
  input  wire logic                         alloc_i,       // a transaction begins: fills tag_o; only with free_o
  input  wire logic [1:0]                   al_kind_i,     // its kind: lsu_issue's x_kind
  input  wire logic [lsu_pkg::REF_BITS-1:0] al_ref_i,      // what it is for: lsu_issue's x_ref
  // Answer of the memory controller
  input  wire logic                         lk_valid_i,    // an answer comes
  input  wire logic [lsu_pkg::TAG_BITS-1:0] lk_tag_i,      // its tag
  output      logic                         lk_hit_o,      // same cycle: the entry is in use
  output      logic [1:0]                   lk_kind_o,     // with lk_hit_o: its kind
  output      logic [lsu_pkg::REF_BITS-1:0] lk_ref_o,      // with lk_hit_o: what it is for
  // To and from lsu_tx
  input  wire logic                         up_valid_i,    // a message goes up
  input  wire logic [lsu_pkg::TAG_BITS-1:0] up_tag_i,      // its tag
  output      logic                         up_hit_o,      // same cycle: the entry is in use
  output      logic [1:0]                   up_kind_o,     // with up_hit_o: its kind
  output      logic [lsu_pkg::REF_BITS-1:0] up_ref_o,      // with up_hit_o: what it is for
  // Releases
  input  wire logic                         rel_valid_i,   // an entry is done
  input  wire logic [lsu_pkg::TAG_BITS-1:0] rel_tag_i,     // which one
  input  wire logic                         rel2_valid_i,  // another entry is done
  input  wire logic [lsu_pkg::TAG_BITS-1:0] rel2_tag_i,    // which one
  output      logic [1:0]                   err_o,         // one cycle: 0 release of a free entry, 1 answer for one
  output      logic [8:0]                   probe_used_o   // entries in use
);

  localparam int TagW   = $clog2(Xacts);
  localparam int CountW = $clog2(Xacts + 1);

  logic [12:0]       what [0:Xacts-1];         // an entry: {kind, ref}
  logic [Xacts-1:0]  used_d, used_q;
  logic [CountW-1:0] count_d, count_q;
  logic [1:0]        err_d, err_q;
  logic              rel_hit, rel2_hit;

  // The lowest free entry, from state.
  always_comb begin
    tag_o = '0;
    for (int i = Xacts - 1; i >= 0; i--) if (!used_q[i]) tag_o = 8'(i);
  end
  assign free_o = !(&used_q);

  // Look-ups. A tag of Xacts or more is never in use.
  assign lk_hit_o = lk_valid_i && in_use(lk_tag_i, used_q);
  assign up_hit_o = up_valid_i && in_use(up_tag_i, used_q);
  assign rel_hit  = rel_valid_i && in_use(rel_tag_i, used_q);
  assign rel2_hit = rel2_valid_i && in_use(rel2_tag_i, used_q);
  assign {lk_kind_o, lk_ref_o} = what[lk_tag_i[TagW-1:0]];
  assign {up_kind_o, up_ref_o} = what[up_tag_i[TagW-1:0]];

  // Releases before the allocation: tag_o is free, so they never meet. The
  // same tag released twice counts once.
  always_comb begin
    used_d = used_q;
    if (rel_hit)           used_d[rel_tag_i[TagW-1:0]]  = 1'b0;
    if (rel2_hit)          used_d[rel2_tag_i[TagW-1:0]] = 1'b0;
    if (alloc_i && free_o) used_d[tag_o[TagW-1:0]]      = 1'b1;
    count_d = count_q + CountW'(alloc_i && free_o) - CountW'(rel_hit)
              - CountW'(rel2_hit && !(rel_hit && rel_tag_i == rel2_tag_i));
    err_d   = {lk_valid_i && !lk_hit_o, (rel_valid_i && !rel_hit) || (rel2_valid_i && !rel2_hit)};
  end

  assign err_o        = err_q;
  assign probe_used_o = 9'(count_q);

  // No reset: an entry means something only while it is in use.
  always_ff @(posedge clk_i) begin
    if (alloc_i && free_o) what[tag_o[TagW-1:0]] <= {al_kind_i, al_ref_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q  <= '0;
      count_q <= '0;
      err_q   <= '0;
    end else begin
      used_q  <= used_d;
      count_q <= count_d;
      err_q   <= err_d;
    end
  end

  function automatic logic in_use(input logic [7:0] tag, input logic [Xacts-1:0] used);
    in_use = 32'(tag) < Xacts && used[tag[TagW-1:0]];
  endfunction

  initial if (Xacts < 2 || Xacts > 256) $fatal(1, "lsu_xact: Xacts must be 2 to 256");

`ifndef SYNTHESIS
  // A transaction takes only a free entry, and the count agrees with the entries in use.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!alloc_i || free_o);
    assert (32'(count_q) <= Xacts);
    assert ((32'(count_q) == Xacts) == !free_o);
  end
`endif
endmodule

`default_nettype wire
