// SPDX-License-Identifier: Apache-2.0
//
// ofld_ratio_proof -- the ratio stays within 0 and all, and moves only at an epoch's end, as
// Algorithm 1 says. An epoch is EpochCycles running cycles. No instruction is lost or counted
// twice.
//
// The wrapper states the rule again with signed numbers; its history is a shift register of
// reversals. It counts instructions itself, in a wider number. Nothing is assumed.

`default_nettype none

module ofld_ratio_proof #(
  parameter int EpochCycles = 3,
  parameter int Init        = 2,
  parameter int StepInit    = 3,
  parameter int StepMin     = 1,
  parameter int StepMax     = 3,
  parameter int Window      = 4,
  parameter int MoveBy      = 0,
  parameter int CountBits   = 16
) (
  input wire logic        clk_i,
  input wire logic        run_i,
  input wire logic        done_valid_i,
  input wire logic [15:0] done_instrs_i
);

  localparam logic [35:0] MOST = (36'd1 << CountBits) - 36'd1;

  logic                 rst_n = 1'b0;              // low in the first cycle only
  logic [4:0]           ratio, probe_step;
  logic [32:0]          threshold;
  logic                 epoch_end, probe_up, probe_known;
  logic [23:0]          probe_cycle;
  logic [Window-1:0]    probe_history;
  logic [CountBits-1:0] count, prev;

  ofld_ratio #(.EpochCycles(EpochCycles), .Init(Init), .StepInit(StepInit), .StepMin(StepMin), .StepMax(StepMax),
               .Window(Window),
               .MoveBy(MoveBy), .CountBits(CountBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .run_i, .done_valid_i, .done_instrs_i, .ratio_o (ratio), .threshold_o (threshold),
    .epoch_end_o (epoch_end), .probe_up_o (probe_up), .probe_step_o (probe_step), .probe_history_o (probe_history),
    .probe_count_o (count), .probe_cycle_o (probe_cycle), .probe_known_o (probe_known), .probe_prev_o (prev)
  );

  // Rules 1 to 3: epochs and their sums.
  logic [23:0] cycles;  // running cycles of this epoch
  logic        last, ended, told, known;  // an epoch's last cycle; one and two cycles later; an epoch is remembered
  logic [35:0] sum, all, cur, before;

  assign last = run_i && 32'(cycles) == EpochCycles - 1;
  assign all  = sum + (done_valid_i ? {20'd0, done_instrs_i} : 36'd0);

  // Rule 4: the next step and the next ratio.
  logic signed [6:0] way, step, steps, move, place, to;
  logic [Window-1:0] reversed, now;
  logic [4:0]        reversals;
  logic              less;

  // Worse than the epoch before: the direction turns round. `reversed` is
  // the history of these verdicts.
  assign less = cur < before;
  assign now  = Window == 1 ? less : {reversed, less};

  always_comb begin
    reversals = '0;
    for (int i = 0; i < Window; i++) if (now[i]) reversals = reversals + 5'd1;
    // The step shrinks if most of the window's epochs were reversals, else it grows.
    steps = step;
    if (32'(reversals) * 2 > Window && 32'(step) > StepMin) steps = step - 7'sd1;
    else if (32'(step) < StepMax) steps = step + 7'sd1;
    move = MoveBy != 0 ? 7'sd1 : steps;
    to   = (way == 7'sd1) != less ? place + move : place - move;
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      cycles   <= '0;
      ended    <= 1'b0;
      told     <= 1'b0;
      known    <= 1'b0;
      sum      <= '0;
      before   <= '0;
      way      <= 7'sd1;
      step     <= 7'(StepInit);
      place    <= 7'(Init);
      reversed <= '0;
    end else begin
      cycles <= last ? '0 : cycles + 24'(run_i);
      sum    <= last ? '0 : all > MOST ? MOST : all;
      ended  <= last;
      told   <= ended;
      if (last) cur <= all > MOST ? MOST : all;
      if (ended) begin
        known  <= 1'b1;
        before <= cur;
      end
      if (ended && known) begin
        reversed <= now;
        step     <= steps;
        // A move beyond an end is not made; the direction turns round instead.
        if (to < 7'sd0 || to > 7'sd20) way <= (way == 7'sd1) != less ? -7'sd1 : 7'sd1;
        else begin
          way   <= (way == 7'sd1) != less ? 7'sd1 : -7'sd1;
          place <= to;
        end
      end
    end
  end

  // For `holds` and the covers.
  logic [4:0] ratio_q;
  logic       begun, step_grew, step_fell;

  always @(posedge clk_i) begin
    begun   <= rst_n;
    ratio_q <= ratio;
    if (!rst_n) {step_grew, step_fell} <= '0;
    else begin
      step_fell <= step_fell || 32'(probe_step) == StepMin;
      step_grew <= step_grew || (step_fell && 32'(probe_step) == StepMax);
    end
  end

  logic is_counted;

  assign is_counted = probe_cycle == cycles && {4'd0, 32'(count)} == sum && probe_known == known &&
                      (!known || {4'd0, 32'(prev)} == before)
                      && epoch_end == told && 32'(cycles) < EpochCycles;

  always_comb if (rst_n) begin
    // Rule 4: ratio and step stay within their limits.
    in_range:  assert (ratio <= 5'd20 && 32'(probe_step) >= StepMin && 32'(probe_step) <= StepMax);
    // Rule 3.
    on_time:   assert (epoch_end == told);
    // Rules 1 and 2, by the probes.
    counted:   assert (is_counted);
    // Rule 3: the ratio holds until epoch_end.
    holds:     assert (!begun || epoch_end || ratio == ratio_q);
    // Rule 4: ratio, step, direction and history.
    by_rule:   assert (is_counted && 7'(ratio) == place && 7'(probe_step) == step && probe_up == (way == 7'sd1) &&
                       probe_history == reversed
                       && place >= 7'sd0 && place <= 7'sd20 && 32'(step) >= StepMin && 32'(step) <= StepMax);
    // Rule 5.
    rounded:   assert (ratio > 5'd20 || (39'(threshold) * 39'd20 <= {2'd0, ratio, 32'd0} &&
                                         {2'd0, ratio, 32'd0} < 39'(threshold) * 39'd20 + 39'd20));
    // Both ends of the ratio, and steps in both directions.
    all_of_it: cover (ratio == 5'd20);
    nothing:   cover (ratio == 5'd0);
    both_ways: cover (step_grew);
  end
endmodule

`default_nettype wire
