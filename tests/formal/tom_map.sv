// SPDX-License-Identifier: Apache-2.0
//
// tom_map_proof -- every access and every end of an instance is in the sums, once and for every
// map, as the rules say.
//
// The wrapper watches any one warp and one map; for what other warps add it checks bounds. An event
// of a cycle is in the sums of the next one, which rd_ shows one cycle later.

`default_nettype none

module tom_map_proof #(
  parameter  int Warps     = 3,
  parameter  int Maps      = 2,
  parameter  int StackBits = 1,
  parameter  int Rule      = 1,
  parameter  int CountBits = 4,
  localparam int WarpW     = $clog2(Warps),
  localparam int AddrW     = Maps - 1 + StackBits,
  localparam int Stacks    = 1 << StackBits
) (
  input wire logic             clk_i,
  input wire logic             clear_i,
  input wire logic             on_i,
  input wire logic             beg_valid_i,
  input wire logic [WarpW-1:0] beg_warp_i,
  input wire logic             acc_valid_i,
  input wire logic [WarpW-1:0] acc_warp_i,
  input wire logic [AddrW-1:0] acc_addr_i,
  input wire logic             end_valid_i,
  input wire logic [WarpW-1:0] end_warp_i,
  input wire logic [WarpW-1:0] who_i,
  input wire logic [3:0]       which_i
);

  logic                 rst_n = 1'b0;                    // low in the first cycle only
  logic                 more;
  logic [CountBits-1:0] seen, total, same, touched;
  logic [Warps-1:0]     open;
  logic [WarpW-1:0]     who;
  logic [3:0]           which;

  tom_map #(.Warps(Warps), .Maps(Maps), .StackBits(StackBits), .Rule(Rule), .CountBits(CountBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .clear_i, .on_i, .beg_valid_i, .beg_warp_i, .acc_valid_i, .acc_warp_i, .acc_addr_i,
    .end_valid_i, .end_warp_i, .rd_map_i (which), .more_o (more), .seen_o (seen), .total_o (total), .rd_same_o (same),
    .rd_touched_o (touched), .probe_open_o (open)
  );

  // Rule 1: the warp's instance after a cycle's begin (b), access (a) and end (e).
  logic                 is_open, open_b, open_a, open_e;
  logic                 began, began_b, began_a;  // it has accessed a line
  logic [StackBits-1:0] first, first_a, stack;
  logic [Stacks-1:0]    been, been_b, been_a;  // stacks of the map that it touched
  logic                 begins, accesses, ends, is_same;

  assign stack    = acc_addr_i[which +: StackBits];
  assign begins   = on_i && beg_valid_i && beg_warp_i == who;
  assign open_b   = begins || is_open;
  assign began_b  = !begins && began;
  assign been_b   = begins ? '0 : been;
  assign accesses = on_i && acc_valid_i && acc_warp_i == who && open_b;
  assign open_a   = open_b;
  assign began_a  = began_b || accesses;
  assign first_a  = accesses && !began_b ? stack : first;
  assign is_same  = stack == first_a;
  assign ends     = on_i && end_valid_i && end_warp_i == who && open_a;
  assign open_e   = open_a && !ends;

  always_comb begin
    been_a = been_b;
    if (accesses) been_a[stack] = 1'b1;
  end

  // Events of the last cycle (1) and of the one before (2).
  logic                 clear_1, clear_2, acc_1, acc_2, other_acc_1, other_acc_2, same_1, same_2, end_1, end_2,
      other_end_1, other_end_2, two;
  logic [3:0]           stacks_1, stacks_2;
  logic [CountBits-1:0] last_seen, last_total, last_same, last_touched;

  // Rule 5: sums stop at their highest value.
  function automatic logic [CountBits-1:0] plus(input logic [CountBits-1:0] sum, input logic [3:0] by);
    plus = 8'(sum) + 8'(by) > 8'((1 << CountBits) - 1) ? '1 : CountBits'(8'(sum) + 8'(by));
  endfunction

  // Stacks in a set.
  function automatic logic [3:0] number(input logic [Stacks-1:0] set);
    number = '0;
    for (int k = 0; k < Stacks; k++) if (set[k]) number = number + 4'd1;
  endfunction

  // The warp's instance, and events on their way through the two stages of the sums.
  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    {last_seen, last_total, last_same, last_touched} <= {seen, total, same, touched};
    if (!rst_n) begin
      who   <= who_i;
      which <= which_i;
      {is_open, began, been, two} <= '0;
      {clear_1, clear_2, acc_1, acc_2, other_acc_1, other_acc_2, same_1, same_2, end_1, end_2, other_end_1,
       other_end_2} <= '0;
      {stacks_1, stacks_2} <= '0;
    end else begin
      two     <= 1'b1;
      is_open <= open_e && !clear_i;
      began   <= began_a && !clear_i;
      been    <= clear_i ? '0 : been_a;
      first   <= first_a;
      clear_1     <= clear_i;
      acc_1       <= accesses;
      other_acc_1 <= on_i && acc_valid_i && acc_warp_i != who;
      same_1      <= is_same;
      end_1       <= ends;
      other_end_1 <= on_i && end_valid_i && end_warp_i != who;
      stacks_1    <= number(been_a);
      {clear_2, acc_2, other_acc_2, same_2, end_2, other_end_2, stacks_2} <= {clear_1, acc_1, other_acc_1, same_1,
          end_1, other_end_1, stacks_1};
    end
  end

  always_comb if (rst_n) begin
    // Choices of the proof, fixed in reset.
    assume (32'(who) < Warps);
    assume (32'(which) < Maps);
    // An SM names warps that it has.
    assume (!beg_valid_i || 32'(beg_warp_i) < Warps);
    assume (!acc_valid_i || 32'(acc_warp_i) < Warps);
    assume (!end_valid_i || 32'(end_warp_i) < Warps);
    // Rules 1, 2 and 4: the probe.
    opened:     assert (open[who] == is_open);
    // Rules 3 and 5: total.
    all_counted: assert (!two || clear_1 || other_acc_1 || total == plus(last_total, 4'(acc_1)));
    // Rules 4 and 5: seen and more.
    all_ended:  assert (!two || clear_1 || other_end_1 || (seen == plus(last_seen, 4'(end_1)) && more == end_1));
    told:       assert (!two || clear_1 || seen == plus(last_seen, 4'(more)));
    // Rules 3, 5 and 6: accesses to the first stack.
    same_stack: assert (!two || clear_2 || other_acc_2 || same == plus(last_same, 4'(Rule != 0 && acc_2 && same_2)));
    // Rules 4 to 6: stacks touched.
    all_stacks: assert (!two || clear_2 || other_end_2 || touched == plus(last_touched, end_2 ? stacks_2 : 4'd0));
    // What all warps together can add in a cycle.
    bounds:     assert (!two || clear_2 || ((Rule != 0 || same == '0) &&
                                            (same == last_same || same == plus(last_same, 4'd1)) &&
                                            touched >= last_touched &&
                                            touched <= plus(last_touched, 4'(Stacks))));
    // Rule 1.
    cleared:    assert (!two || !clear_1 || (seen == '0 && total == '0 && !more && open == '0));
    cleared_2:  assert (!two || !clear_2 || (same == '0 && touched == '0));
    // An instance has touched all stacks; an access goes to another stack than the first.
    everywhere: cover (end_2 && 32'(stacks_2) == Stacks && touched == plus(last_touched, stacks_2));
    elsewhere:  cover (acc_2 && !same_2);
  end
endmodule

`default_nettype wire
