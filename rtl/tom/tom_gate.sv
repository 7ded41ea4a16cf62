// SPDX-License-Identifier: Apache-2.0
//
// tom_gate -- counts the pending offload requests of each stack and answers the SMs that
// ask for the next one (TOM paper, sections 3.3 and 4.2). It also counts the instances
// that are seen while the map is learnt (4.3).
//
// Each stack has a counter and a round-robin arbiter of the SMs that ask for it.
// Answers are registers: an ask is answered in the next cycle at the earliest. From
// then on its stack's counter has the instance.
//
//   each SM:  IDLE --ask--> ASKS --gnt or nak--> ANSWERED --ask low--> IDLE
//
// answered_q is set in ANSWERED only.

`default_nettype none

module tom_gate #(
  parameter  int Sms       = 64,               // SMs of the GPU, 1 to 64
  parameter  int Stacks    = 4,                // memory stacks, 1 to 8
  parameter  int CountBits = 8,                // bits of the number of pending instances, 1 to 16
  parameter  int SeenBits  = 32,               // bits of the number of instances seen, 7 to 32
  localparam int StackW    = tom_pkg::STACK_W  // bits of a stack's number
) (
  input  wire logic                        clk_i,             // core clock
  input  wire logic                        rst_ni,            // asynchronous, active low
  // From the offload controllers
  input  wire logic [Sms-1:0]              ask_i,             // bit k: SM k asks, until gnt_o or nak_o
  input  wire logic [Sms*StackW-1:0]       ask_stack_i,       // StackW bits an SM: stack, with ask_i
  // Configuration
  input  wire logic [CountBits-1:0]        limit_i,           // most pending instances of a stack
  input  wire logic                        ctrl_i,            // 1: refuse asks for a full stack; 0: they wait
  // From the stacks
  input  wire logic [Stacks-1:0]           done_i,            // bit s: stack s has acknowledged an instance
  // From the map analysers
  input  wire logic [Sms-1:0]              seen_i,            // bit k: SM k has seen one more instance
  input  wire logic [SeenBits-1:0]         target_i,          // instances to be seen; 0: nothing is learnt
  // To the offload controllers
  output      logic [Sms-1:0]              gnt_o,             // bit k, one cycle: SM k may offload
  output      logic [Sms-1:0]              nak_o,             // bit k, one cycle: SM k may not
  output      logic [Stacks*CountBits-1:0] pending_o,         // CountBits bits a stack: granted, not done
  // To the GPU's runtime
  output      logic                        irq_o,             // level: target_i instances have been seen
  output      logic                        err_o,             // sticky: done_i of an idle stack, unknown stack
  // Probes
  output      logic [Sms-1:0]              probe_answered_o,  // bit k: the ask of SM k has its answer
  output      logic [SeenBits-1:0]         probe_seen_o       // instances seen; stays at its highest value
);

  // The asks, sorted by stack: bit s*Sms+k is SM k for stack s. An SM that has its answer does not
  // count, so an ask that stays high is not answered twice.
  logic [Stacks*Sms-1:0] asks, req, gnt, unused_mask;
  logic [Stacks-1:0]     open, some, empty;              // open: below limit; some: granted; empty: none pending
  logic [Sms-1:0]        waiting, lost;                  // lost: asks for a stack that does not exist
  logic [Sms-1:0]        gnt_d, gnt_q, nak_d, nak_q, answered_d, answered_q;

  assign waiting = ask_i & ~answered_q;

  always_comb begin
    asks = '0;
    lost = '0;
    for (int k = 0; k < Sms; k++) begin
      for (int s = 0; s < Stacks; s++) asks[s*Sms+k] = waiting[k] && 32'(ask_stack_i[k*StackW +: StackW]) == s;
      lost[k] = waiting[k] && 32'(ask_stack_i[k*StackW +: StackW]) >= Stacks;
    end
  end

  // One grant per stack and cycle. The stacks are independent: an SM asks for one stack at a time.
  for (genvar s = 0; s < Stacks; s++) begin : g_stack
    assign req[s*Sms +: Sms] = asks[s*Sms +: Sms] & {Sms{open[s]}};
    assign some[s]           = req[s*Sms +: Sms] != '0;

    arb_rr #(.NumReq(Sms)) u_turn (
      .clk_i, .rst_ni, .req_i (req[s*Sms +: Sms]), .update_i (1'b1), .gnt_o (gnt[s*Sms +: Sms]),
      .probe_mask_o (unused_mask[s*Sms +: Sms])
    );
  end

  // Refusals have no limit per cycle: all SMs that ask for a full stack are refused at once.
  always_comb begin
    gnt_d = '0;
    nak_d = lost;
    for (int s = 0; s < Stacks; s++) begin
      gnt_d = gnt_d | gnt[s*Sms +: Sms];
      if (ctrl_i && !open[s]) nak_d = nak_d | asks[s*Sms +: Sms];
    end
  end

  assign answered_d = ask_i & (answered_q | gnt_d | nak_d);

  // Pending instances. A grant and a done of the same cycle cancel out. A done of a stack without
  // pending instances is an error and does not count, so the counter never wraps.
  logic [Stacks*CountBits-1:0] pending_d, pending_q;
  logic                        err_d, err_q;

  always_comb begin
    for (int s = 0; s < Stacks; s++) begin
      open[s]  = pending_q[s*CountBits +: CountBits] < limit_i;
      empty[s] = pending_q[s*CountBits +: CountBits] == '0;
      pending_d[s*CountBits +: CountBits] = pending_q[s*CountBits +: CountBits] +
                                            CountBits'(some[s]) - CountBits'(done_i[s] && !empty[s]);
    end
  end

  assign err_d = err_q || (done_i & empty) != '0 || lost != '0;

  // Instances seen, from all SMs. The sum saturates, and irq stays until target_i is 0.
  logic [SeenBits-1:0] seen_d, seen_q, more;
  logic [SeenBits:0]   sum;
  logic                irq_d, irq_q;

  always_comb begin
    more = '0;
    for (int k = 0; k < Sms; k++) more = more + SeenBits'(seen_i[k]);
  end

  assign sum    = {1'b0, seen_q} + {1'b0, more};
  assign seen_d = target_i == '0 ? '0 : sum[SeenBits] ? '1 : sum[SeenBits-1:0];
  assign irq_d  = target_i != '0 && (irq_q || seen_d >= target_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gnt_q      <= '0;
      nak_q      <= '0;
      answered_q <= '0;
      pending_q  <= '0;
      err_q      <= 1'b0;
      seen_q     <= '0;
      irq_q      <= 1'b0;
    end else begin
      gnt_q      <= gnt_d;
      nak_q      <= nak_d;
      answered_q <= answered_d;
      pending_q  <= pending_d;
      err_q      <= err_d;
      seen_q     <= seen_d;
      irq_q      <= irq_d;
    end
  end

  assign gnt_o            = gnt_q;
  assign nak_o            = nak_q;
  assign pending_o        = pending_q;
  assign irq_o            = irq_q;
  assign err_o            = err_q;
  assign probe_answered_o = answered_q;
  assign probe_seen_o     = seen_q;

  initial begin
    if (Sms < 1 || Sms > 64) $fatal(1, "tom_gate: Sms must be 1 to 64");
    if (Stacks < 1 || Stacks > 8) $fatal(1, "tom_gate: Stacks must be 1 to 8");
    if (CountBits < 1 || CountBits > 16) $fatal(1, "tom_gate: CountBits must be 1 to 16");
    if (SeenBits < 7 || SeenBits > 32) $fatal(1, "tom_gate: SeenBits must be 7 to 32");
  end

`ifndef SYNTHESIS
  // No ask is granted and refused at once, and only an ask is granted.
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_q & nak_q) == '0);
    assert ((gnt_d & ~ask_i) == '0);
  end
`endif
endmodule

`default_nettype wire
