// SPDX-License-Identifier: Apache-2.0
//
// What Yosys 0.23 cannot read: a type as a parameter, an enum's value without a size, functions that
// return from a loop, casts, `inside`, a stream, an array written as a whole.
package burst_pkg;
  typedef enum logic [1:0] {IDLE, FILL = 2, SEND} state_e;
  typedef struct packed {
    logic [3:0] data;
    logic       last;
  } beat_t;
  function automatic logic [2:0] first_one(input logic [3:0] bits);
    for (int i = 0; i < 4; i++) begin
      if (bits[i]) return 3'(i);
    end
    return 4;
  endfunction
endpackage

module burst_slot #(parameter type T = logic, parameter int Depth = 2) (
    input  logic clk, rst_n, push, pop,
    input  T     in,
    output T     out,
    output logic [$clog2(Depth + 1) - 1:0] used
);
  T words [Depth];
  assign out = words[0];
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      words <= '{default: '0};
      used  <= '0;
    end else begin
      if (pop) for (int i = 0; i + 1 < Depth; i++) words[i] <= words[i + 1];
      if (push) words[int'(used) - int'(pop)] <= in;
      used <= used + ($bits(used))'(push) - ($bits(used))'(pop);
    end
endmodule

module burst import burst_pkg::*; #(parameter int Depth = 4) (
    input  logic       clk, rst_n,
    input  logic       push_i,
    input  logic [3:0] data_i,
    input  logic       last_i,
    output logic       ready_o,
    output logic       send_o,
    output logic [3:0] data_o,
    output logic [2:0] first_o,
    output logic [3:0] turned_o
);
  state_e state;
  beat_t  in, out;
  logic   push, pop;
  logic [$clog2(Depth + 1) - 1:0] used;

  assign in      = '{data: data_i, last: last_i};
  assign push    = push_i && ready_o;
  assign pop     = state == SEND && used != 0;
  assign ready_o = state inside {IDLE, FILL} && int'(used) < Depth;
  assign send_o  = pop;
  assign data_o  = out.data;
  assign first_o = first_one(out.data);
  always_comb turned_o = {<<{out.data}};

  burst_slot #(.T(beat_t), .Depth(Depth)) slots (.clk, .rst_n, .push, .pop, .in, .out, .used);

  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) state <= IDLE;
    else
      unique case (state)
        IDLE: if (push) state <= last_i ? SEND : FILL;
        FILL: if (push && (last_i || int'(used) + 1 == Depth)) state <= SEND;
        SEND: if (used == 1 || out.last) state <= used == 1 ? IDLE : FILL;
        default: state <= IDLE;
      endcase
endmodule
