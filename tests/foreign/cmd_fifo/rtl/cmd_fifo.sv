// SPDX-License-Identifier: Apache-2.0
//
// A queue of commands. A flush empties it and is not kept itself.
typedef enum logic [1:0] {
  OP_READ  = 2'd0,
  OP_WRITE = 2'd1,
  OP_FLUSH = 2'd3
} op_e;

typedef struct packed {
  logic [3:0]  id;
  logic [15:0] addr;
} tag_t;

typedef struct packed {
  op_e             op;
  tag_t            tag;
  logic [3:0][7:0] data;
  logic            last;
} cmd_t;

typedef struct packed {
  logic       valid;
  cmd_t       cmd;
  logic [2:0] left;
} entry_t;

typedef enum logic [1:0] {EMPTY, SOME, FULL} level_e;

module cmd_fifo #(
  parameter int Depth = 4
) (
  input  logic   clk,
  input  logic   rst_n,
  input  logic   push,
  input  cmd_t   cmd,
  input  logic   pop,
  output entry_t head,
  output level_e level
);
  localparam int Index = Depth > 1 ? $clog2(Depth) : 1;

  logic [54:0] store [0:Depth-1];
  logic [7:0]  count, first;
  logic        flush, keep, drop;

  assign flush = push && cmd.op == OP_FLUSH;
  assign keep  = push && cmd.op != OP_FLUSH && level != FULL;
  assign drop  = pop && count != 8'd0;

  assign level = count == 8'd0 ? EMPTY : {24'd0, count} == Depth ? FULL : SOME;
  assign head.valid = count != 8'd0;
  assign head.cmd   = store[first[Index-1:0]];
  assign head.left  = count > 8'd7 ? 3'd7 : count[2:0];

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      count <= 8'd0;
      first <= 8'd0;
    end else if (flush) begin
      count <= 8'd0;
    end else begin
      count <= count + {7'd0, keep} - {7'd0, drop};
      if (drop) first <= {24'd0, first} == Depth - 1 ? 8'd0 : first + 8'd1;
    end
  end

  logic [8:0] last;
  logic [7:0] place;
  assign last  = {1'b0, first} + {1'b0, count};
  assign place = {23'd0, last} >= Depth ? last[7:0] - Depth[7:0] : last[7:0];

  always_ff @(posedge clk) if (keep) store[place[Index-1:0]] <= cmd;
endmodule
