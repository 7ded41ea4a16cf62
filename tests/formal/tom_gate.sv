// SPDX-License-Identifier: Apache-2.0
//
// tom_gate_proof -- no stack is given more than its limit, one instance a cycle. Pending instances
// are those granted less those done. An ask is answered once and in time: at once if it is refused,
// with the Sms-th grant of its open stack at the latest.
//
// The wrapper watches any one SM and one stack.

`default_nettype none

module tom_gate_proof #(
  parameter  int Sms       = 3,
  parameter  int Stacks    = 2,
  parameter  int CountBits = 2,
  parameter  int SeenBits  = 7
) (
  input  wire logic                 clk_i,
  input  wire logic [Sms-1:0]       ask_i,
  input  wire logic [Sms*3-1:0]     ask_stack_i,
  input  wire logic [CountBits-1:0] limit_i,
  input  wire logic                 ctrl_i,
  input  wire logic [Stacks-1:0]    done_i,
  input  wire logic [Sms-1:0]       seen_i,
  input  wire logic [SeenBits-1:0]  target_i,
  input  wire logic [5:0]           who_i,
  input  wire logic [2:0]           which_i
);

  logic                        rst_n = 1'b0;           // low in the first cycle only
  logic [Sms-1:0]              gnt, nak, answered;
  logic [Stacks*CountBits-1:0] pending;
  logic                        irq, err;
  logic [SeenBits-1:0]         seen;

  tom_gate #(.Sms(Sms), .Stacks(Stacks), .CountBits(CountBits), .SeenBits(SeenBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .ask_i, .ask_stack_i, .limit_i, .ctrl_i, .done_i, .seen_i, .target_i, .gnt_o (gnt),
    .nak_o (nak), .pending_o (pending), .irq_o (irq), .err_o (err), .probe_answered_o (answered), .probe_seen_o (seen)
  );

  logic [5:0]           who;
  logic [2:0]           which;
  logic [2:0]           mine;  // the stack that `who` asks for
  logic [CountBits-1:0] its, mine_pending;  // pending instances of `which`, of `mine`
  logic [Sms*3-1:0]     last_stack;
  logic [CountBits-1:0] last_its, last_limit;
  logic [7:0]           ledger, count, count_now;
  logic                 kept_q, kept, waits, open, exists, was_open, was_shut, was_lost, was_ctrl, last_waits, wrong,
      met;
  logic [2:0]           last_mine;
  logic [15:0]          plain, more;

  assign mine         = ask_stack_i[who*3 +: 3];
  assign its          = pending[which*CountBits +: CountBits];
  assign exists       = 32'(mine) < Stacks;
  assign mine_pending = pending[mine*CountBits +: CountBits];
  assign open         = exists && mine_pending < limit_i;

  // Rule 2: answers to the watched SM, kept while its ask stays.
  assign kept      = kept_q || gnt[who] || nak[who];
  assign waits     = ask_i[who] && !kept;
  assign count_now = was_open && !gnt[who] ? count + 8'd1 : count;

  always_comb begin
    more = '0;
    for (int k = 0; k < Sms; k++) more = more + 16'(seen_i[k]);
  end

  // This cycle's grants of the watched stack.
  logic [7:0] grants;
  logic       any_lost;

  always_comb begin
    grants   = '0;
    any_lost = 1'b0;
    for (int k = 0; k < Sms; k++) begin
      if (gnt[k] && last_stack[k*3 +: 3] == which) grants = grants + 8'd1;
      if (ask_i[k] && !answered[k] && 32'(ask_stack_i[k*3 +: 3]) >= Stacks) any_lost = 1'b1;
    end
  end

  always @(posedge clk_i) begin
    rst_n      <= 1'b1;
    last_stack <= ask_stack_i;
    last_its   <= its;
    last_limit <= limit_i;
    last_mine  <= mine;
    if (!rst_n) begin
      who   <= who_i;
      which <= which_i;
      {ledger, count, plain} <= '0;
      {kept_q, was_open, was_shut, was_lost, was_ctrl, last_waits, wrong, met} <= '0;
    end else begin
      ledger     <= ledger + grants - 8'(done_i[which] && its != '0);
      kept_q     <= ask_i[who] && kept;
      was_open   <= waits && open;
      was_shut   <= waits && exists && !open;
      was_lost   <= waits && !exists;
      was_ctrl   <= ctrl_i;
      last_waits <= waits;
      count      <= waits && (!last_waits || last_mine == mine) ? count_now : '0;
      wrong      <= wrong || any_lost || (done_i & none_pending(pending)) != '0;
      plain      <= target_i == '0 ? '0 : plain + more > 16'((1 << SeenBits) - 1) ? 16'((1 << SeenBits) - 1)
                    : plain + more;
      met        <= target_i != '0 && (met || plain + more >= 16'(target_i));
    end
  end

  always_comb if (rst_n) begin
    // Choices of the proof, fixed in reset.
    assume (32'(who) < Sms);
    assume (32'(which) < Stacks);
    // Rule 3: one grant a stack and cycle.
    one_grant:   assert (grants <= 8'd1);
    // Rule 3: never beyond the limit.
    never_past:  assert (its <= last_its || its <= last_limit);
    // Rules 1 and 5.
    conserved:   assert (8'(its) == ledger + grants);
    // Rule 2: an answer only to an ask, and only one.
    only_asked:  assert ((!gnt[who] && !nak[who]) || (last_waits && !(gnt[who] && nak[who])));
    // Rule 3: in turn, after Sms - 1 other grants at most.
    served:      assert (32'(count_now) < Sms);
    // Rules 4 and 6: refused at once, and only then.
    refused:     assert (nak[who] == (was_lost || (was_shut && was_ctrl)));
    // Rule 3: granted only while the stack is open.
    not_full:    assert (!gnt[who] || was_open);
    // Rule 7.
    learnt:      assert (irq == met && 16'(seen) == plain);
    // Rule 6.
    flagged:     assert (err == wrong);
    // The longest wait; all of a stack's instances pending.
    last_of_all: cover (32'(count_now) == Sms - 1 && was_open);
    all_used:    cover (its == '1 && 32'(last_limit) == (1 << CountBits) - 1 && grants != '0);
  end

  function automatic logic [Stacks-1:0] none_pending(input logic [Stacks*CountBits-1:0] counts);
    for (int s = 0; s < Stacks; s++) none_pending[s] = counts[s*CountBits +: CountBits] == '0;
  endfunction
endmodule

`default_nettype wire
