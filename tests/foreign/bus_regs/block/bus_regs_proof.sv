// SPDX-License-Identifier: Apache-2.0
//
// What holds whatever comes in. The vectors bus.in and bus.out have the members of the modport, in
// its order.
module bus_regs_proof #(
  parameter int DataWidth = 8,
  parameter int bus_AddrWidth = 3
) (
  input logic                     clk,
  input logic                     rst_n,
  input logic                     valid,
  input logic [1:0]               op,
  input logic [bus_AddrWidth-1:0] addr,
  input logic [DataWidth-1:0]     wdata,
  input logic                     ready_0,
  input logic                     ready_1
);
  logic started = 1'b0;  // low in the first cycle only, which is one of reset
  logic ready, error, valid_0, valid_1;
  logic [DataWidth-1:0] rdata, data_0, data_1, all;

  bus_regs #(.DataWidth(DataWidth), .bus_AddrWidth(bus_AddrWidth)) dut (
    .clk  (clk),
    .rst_n(rst_n && started),
    .\bus.in      ({valid, op, addr, wdata}),
    .\bus.out     ({ready, rdata, error}),
    .\lane.0.in  (ready_0),
    .\lane.0.out ({valid_0, data_0}),
    .\lane.1.in  (ready_1),
    .\lane.1.out ({valid_1, data_1}),
    .ones        (all)
  );

  always @(posedge clk) started <= 1'b1;

  always_comb if (started) begin
    lanes_by_bit  : assert ((!valid_0 || !data_0[0]) && (!valid_1 || data_1[0]));
    only_lanes_wait : assert (ready || (valid && addr[1:0] == 2'd3));
    both_full     : cover (valid_0 && valid_1);
  end
endmodule
