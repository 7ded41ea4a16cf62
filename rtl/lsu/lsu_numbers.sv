// SPDX-License-Identifier: Apache-2.0
//
// lsu_numbers -- request numbers of a load/store unit: which transfer of which entry, for which
// threads, does an answer belong to?
//
//            shown (lowest free number)       taken            answer
//   a number:  free -------------------> shown ------> in use --------> free, a cycle later
//                                         | ^
//                                         +-+ shown, not taken: the number stays
//
// While there_o is high, num_o is the number of the next transfer. Two answers, 0 and 1, are looked
// up in the same cycle. Of two answers to one number the second misses. The look-ups are why what[]
// is flip-flops and no sram, whatever its size.

`default_nettype none

module lsu_numbers #(
  parameter  int Reqs   = 32,                           // numbers, 1 to 256
  parameter  int EntryW = 2,                            // bits of an entry of the unit
  localparam int ReqW   = Reqs > 1 ? $clog2(Reqs) : 1,  // bits of a number
  localparam int CountW = $clog2(Reqs + 1)              // bits of the number of numbers in use
) (
  input  wire logic                      clk_i,        // core clock
  input  wire logic                      rst_ni,       // asynchronous, active low
  // The next transfer
  input  wire logic                      shown_i,      // the next transfer is shown; only with there_o
  input  wire logic                      taken_i,      // it is taken; only with shown_i
  input  wire logic [EntryW-1:0]         entry_i,      // its entry, with taken_i
  input  wire logic [lsu_pkg::LANES-1:0] lanes_i,      // its threads, with taken_i
  output      logic                      there_o,      // there is a number for the next transfer
  output      logic [7:0]                num_o,        // that number; stays until taken_i
  // Answers
  input  wire logic [1:0]                an_valid_i,   // bit i: answer i comes
  input  wire logic [15:0]               an_id_i,      // 8 bits an answer: its number
  output      logic [1:0]                an_hit_o,     // bit i, same cycle: its number is in use
  output      logic [2*EntryW-1:0]       an_entry_o,   // EntryW an answer, with an_hit_o: entry
  output      logic [63:0]               an_lanes_o,   // 32 bits an answer, with an_hit_o: threads
  output      logic [8:0]                probe_used_o  // numbers in use
);

  logic [EntryW+31:0] what [0:Reqs-1];                    // what a number is for: {entry, threads}
  logic [Reqs-1:0]    used_d, used_q;
  logic [CountW-1:0]  count_d, count_q;
  logic               shown_d, shown_q;                   // the transfer was shown, with number num_q
  logic [ReqW-1:0]    num_d, num_q, lowest, num;
  logic [7:0]         id0, id1;

  // The number is chosen once: a lower one that becomes free meanwhile must
  // not change what is shown.
  always_comb begin
    lowest = '0;
    for (int i = Reqs - 1; i >= 0; i--) if (!used_q[i]) lowest = ReqW'(i);
  end
  assign there_o = shown_q || !(&used_q);
  assign num     = shown_q ? num_q : lowest;
  assign num_o   = 8'(num);
  assign shown_d = shown_i && !taken_i;
  assign num_d   = num;

  // Answers. A number that does not exist misses.
  assign {id1, id0}  = an_id_i;
  assign an_hit_o[0] = an_valid_i[0] && 32'(id0) < Reqs && used_q[id0[ReqW-1:0]];
  assign an_hit_o[1] = an_valid_i[1] && 32'(id1) < Reqs && used_q[id1[ReqW-1:0]] && !(an_valid_i[0] && id0 == id1);
  assign {an_entry_o[EntryW-1:0], an_lanes_o[31:0]}         = what[id0[ReqW-1:0]];
  assign {an_entry_o[2*EntryW-1:EntryW], an_lanes_o[63:32]} = what[id1[ReqW-1:0]];

  // A number freed in this cycle is free from the next one on.
  always_comb begin
    used_d = used_q;
    if (an_hit_o[0]) used_d[id0[ReqW-1:0]] = 1'b0;
    if (an_hit_o[1]) used_d[id1[ReqW-1:0]] = 1'b0;
    if (taken_i)     used_d[num]           = 1'b1;
    count_d = count_q + CountW'(taken_i) - CountW'(an_hit_o[0]) - CountW'(an_hit_o[1]);
  end
  assign probe_used_o = 9'(count_q);

  // No reset: an entry means something only while its number is in use.
  always_ff @(posedge clk_i) begin
    if (taken_i) what[num] <= {entry_i, lanes_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q  <= '0;
      count_q <= '0;
      shown_q <= '0;
      num_q   <= '0;
    end else begin
      used_q  <= used_d;
      count_q <= count_d;
      shown_q <= shown_d;
      num_q   <= num_d;
    end
  end

  initial if (Reqs < 1 || Reqs > 256) $fatal(1, "lsu_numbers: Reqs must be 1 to 256");

`ifndef SYNTHESIS
  // A transfer is shown only with a number, and the number that is taken is free.
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(count_q) <= Reqs);
    assert (!shown_i || there_o);
    assert (!taken_i || (shown_i && !used_q[num]));
  end
`endif
endmodule

`default_nettype wire
