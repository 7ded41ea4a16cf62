// SPDX-License-Identifier: Apache-2.0
//
// ofld_ratio -- share of offloaded blocks: hill climbing on the throughput of their instructions.
//
// Source: NSU paper, section 7.2, Algorithm 1. Ratio and steps are twentieths: 20 is every block.
// An epoch's end takes three cycles, to keep the sum's adder out of the path of the decision:
//
//   cycle t     last of the epoch: the sum moves from the counter into cur_q
//   cycle t+1   ended_q: compare with the epoch before; decide direction, history, step, ratio
//   cycle t+2   epoch_end_o: the new ratio and threshold are valid
//
// Epochs may be as short as one cycle: the stages overlap then.
// All outputs are state, threshold_o through a table.

`default_nettype none

module ofld_ratio #(
  parameter int EpochCycles = 30000, // cycles of an epoch, 1 .. 2^24 - 1
  parameter int Init        = 2,     // ratio after reset, 0 .. 20
  parameter int StepInit    = 3,     // step after reset, StepMin .. StepMax
  parameter int StepMin     = 1,     // least step, 1 .. 20
  parameter int StepMax     = 3,     // greatest step, 1 .. 20
  parameter int Window      = 4,     // epochs in the history, 1 .. 16
  parameter int MoveBy      = 0,     // the ratio moves by: 0 the step, 1 a twentieth
  parameter int CountBits   = 32     // bits of an epoch's sum, 16 .. 32
) (
  input  wire logic                 clk_i,           // clock, rising edge
  input  wire logic                 rst_ni,          // asynchronous reset, active low
  // From the GPU
  input  wire logic                 run_i,           // this cycle belongs to an epoch
  input  wire logic                 done_valid_i,    // instructions of blocks have ended, on GPU or NSU
  input  wire logic [15:0]          done_instrs_i,   // how many; they count whether run_i is high or not
  // To the offload decision
  output      logic [4:0]           ratio_o,         // blocks to offload, in twentieths, 0 .. 20
  output      logic [32:0]          threshold_o,     // ratio * 2^32 / 20; offload if a block's hash is less
  output      logic                 epoch_end_o,     // one cycle: ratio and threshold are new from here on
  // Probes
  output      logic                 probe_up_o,      // the next move goes up, unless it is reversed
  output      logic [4:0]           probe_step_o,    // step, StepMin .. StepMax
  output      logic [Window-1:0]    probe_history_o, // 1: reversed; bit 0 is the last epoch
  output      logic [CountBits-1:0] probe_count_o,   // sum of the current epoch so far
  output      logic [23:0]          probe_cycle_o,   // cycles of the current epoch so far
  output      logic                 probe_known_o,   // an epoch before the current one has ended
  output      logic [CountBits-1:0] probe_prev_o     // its sum, valid with probe_known_o
);

  localparam int                CycleW = EpochCycles > 1 ? $clog2(EpochCycles) : 1;
  localparam logic [CycleW-1:0] Last   = CycleW'(EpochCycles - 1);
  localparam logic [4:0]        Least = 5'(StepMin), Most = 5'(StepMax), Half = 5'(Window / 2);

  // The current epoch. Cycles without run_i do not count, but keep what is known.
  // The sum stays at its highest value instead of wrapping: after a wrap a good epoch looks bad.
  logic [CycleW-1:0]    cycle_d, cycle_q;
  logic                 last;
  logic [CountBits:0]   sum;                      // with its carry
  logic [CountBits-1:0] told, total, count_d, count_q, cur_d, cur_q, prev_d, prev_q;
  logic                 ended_d, ended_q, known_d, known_q, epoch_end_d, epoch_end_q;

  assign last    = run_i && cycle_q == Last;
  assign cycle_d = last ? '0 : cycle_q + CycleW'(run_i);
  assign told    = CountBits'(done_instrs_i) & {CountBits{done_valid_i}};
  assign sum     = {1'b0, count_q} + {1'b0, told};
  assign total   = sum[CountBits-1:0] | {CountBits{sum[CountBits]}};
  assign count_d = last ? '0 : total;
  assign cur_d   = last ? total : cur_q;
  assign ended_d = last;

  // The decision, in the cycle after the epoch's last one. The first epoch is only remembered.
  logic              decide, worse, many, fits;
  logic              up_d, up_q, up;
  logic [Window-1:0] history_d, history_q, history;
  logic [4:0]        changes, step_d, step_q, step, amount, ratio_d, ratio_q, target;

  assign prev_d      = ended_q ? cur_q : prev_q;
  assign known_d     = known_q || ended_q;
  assign epoch_end_d = ended_q;
  assign decide      = ended_q && known_q;
  assign worse       = cur_q < prev_q;
  assign up          = up_q ^ worse;
  assign history     = Window'({history_q, worse});

  // Reversals in the last Window epochs, this one included. Window is at most 16: 5 bits.
  always_comb begin
    changes = '0;
    for (int i = 0; i < Window; i++) changes = changes + 5'(history[i]);
  end

  // More reversals than moves in one direction make the step smaller; else it grows.
  // This is Algorithm 1's "else": the least step grows even after more reversals.
  assign many   = changes > Half;
  assign step   = many && step_q > Least ? step_q - 5'd1 : step_q < Most ? step_q + 5'd1 : step_q;
  assign amount = MoveBy != 0 ? 5'd1 : step;
  assign fits   = up ? amount <= 5'd20 - ratio_q : amount <= ratio_q;
  assign target = up ? ratio_q + amount : ratio_q - amount;

  // A move that would leave 0 .. 20 is not made, and the direction turns. The history does not
  // record that turn: it says nothing about the throughput.
  assign up_d      = decide ? up ^ !fits : up_q;
  assign history_d = decide ? history : history_q;
  assign step_d    = decide ? step : step_q;
  assign ratio_d   = decide && fits ? target : ratio_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q     <= '0;
      count_q     <= '0;
      cur_q       <= '0;
      prev_q      <= '0;
      ended_q     <= 1'b0;
      known_q     <= 1'b0;
      epoch_end_q <= 1'b0;
      up_q        <= 1'b1;
      history_q   <= '0;
      step_q      <= 5'(StepInit);
      ratio_q     <= 5'(Init);
    end else begin
      cycle_q     <= cycle_d;
      count_q     <= count_d;
      cur_q       <= cur_d;
      prev_q      <= prev_d;
      ended_q     <= ended_d;
      known_q     <= known_d;
      epoch_end_q <= epoch_end_d;
      up_q        <= up_d;
      history_q   <= history_d;
      step_q      <= step_d;
      ratio_q     <= ratio_d;
    end
  end

  // threshold = ratio / 5 * 2^30. Whole fives are the bits from 30 up; the rest is one of five
  // fractions, rounded down. So a table of five constants replaces the division.
  logic [2:0] fives;
  logic [2:0] rest;

  assign fives = 3'(ratio_q >= 5'd5) + 3'(ratio_q >= 5'd10) + 3'(ratio_q >= 5'd15) + 3'(ratio_q >= 5'd20);

  // ratio - 5 * fives; its low three bits are enough
  assign rest  = ratio_q[2:0] - (fives + {fives[0], 2'd0});

  always_comb begin
    threshold_o = {fives, 30'd0};
    case (rest)
      3'd1:    threshold_o[29:0] = 30'h0ccccccc;
      3'd2:    threshold_o[29:0] = 30'h19999999;
      3'd3:    threshold_o[29:0] = 30'h26666666;
      3'd4:    threshold_o[29:0] = 30'h33333333;
      default: threshold_o[29:0] = '0;
    endcase
  end

  assign ratio_o         = ratio_q;
  assign epoch_end_o     = epoch_end_q;
  assign probe_up_o      = up_q;
  assign probe_step_o    = step_q;
  assign probe_history_o = history_q;
  assign probe_count_o   = count_q;
  assign probe_cycle_o   = 24'(cycle_q);
  assign probe_known_o   = known_q;
  assign probe_prev_o    = prev_q;

  initial begin
    if (EpochCycles < 1 || EpochCycles > 16777215) $fatal(1, "ofld_ratio: EpochCycles must be 1 to 16777215");
    if (Init < 0 || Init > 20) $fatal(1, "ofld_ratio: Init must be 0 to 20");
    if (StepMin < 1 || StepMax > 20) $fatal(1, "ofld_ratio: steps must be 1 to 20");
    if (StepInit < StepMin || StepInit > StepMax) $fatal(1, "ofld_ratio: StepInit must be StepMin to StepMax");
    if (Window < 1 || Window > 16) $fatal(1, "ofld_ratio: Window must be 1 to 16");
    if (CountBits < 16 || CountBits > 32) $fatal(1, "ofld_ratio: CountBits must be 16 to 32");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (cycle_q <= Last);
    assert (ratio_q <= 5'd20);
    assert (step_q >= Least && step_q <= Most);
  end
`endif
endmodule

`default_nettype wire
