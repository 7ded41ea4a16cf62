// SPDX-License-Identifier: Apache-2.0
//
// Four registers on a bus. What is written into the last one goes to lane 0 or 1, by its lowest bit, and waits there
// until it is taken. A write to a lane that has a word must wait.
module bus_regs #(
  parameter int unsigned DataWidth = 8
) (
  input logic    clk,
  input logic    rst_n,
  bus_if.slave   bus,
  word_if.source lane [2],
  output logic [DataWidth-1:0] ones  // of the bits of register 0 those that register 1 has, too
);
  logic [DataWidth-1:0] regs[3];
  word_if #(.DataWidth(DataWidth)) word (.clk(clk));  // to the lanes
  logic [1:0] full;

  wire lanes = bus.addr[1:0] == 2'd3;
  wire write = bus.valid && bus.op != bus_pkg::BUS_READ && !bus.error;

  assign bus.error = bus.valid && |bus.addr[2:2];
  assign word.valid = write && lanes;
  assign word.data = bus.wdata;
  assign bus.ready = !word.valid || word.ready;
  assign bus.rdata = lanes ? DataWidth'(full) : regs[bus.addr[1:0]];
  assign ones = regs[0] & regs[1];

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      for (int i = 0; i < 3; i++) regs[i] <= '0;
    end else if (write && !lanes) begin
      unique case (bus.op)
        bus_pkg::BUS_SET:   regs[bus.addr[1:0]] <= regs[bus.addr[1:0]] | bus.wdata;
        bus_pkg::BUS_CLEAR: regs[bus.addr[1:0]] <= regs[bus.addr[1:0]] & ~bus.wdata;
        default:            regs[bus.addr[1:0]] <= bus.wdata;
      endcase
    end
  end

  bus_lanes #(.DataWidth(DataWidth)) u_lanes (.clk, .rst_n, .word(word), .lane(lane), .full);
endmodule
