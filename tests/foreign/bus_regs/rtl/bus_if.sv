// SPDX-License-Identifier: Apache-2.0
//
// Requests with an answer in the same cycle.
interface bus_if #(
  parameter int unsigned AddrWidth = 3,
  parameter int unsigned DataWidth = 8
);
  logic                 valid;
  logic                 ready;
  bus_pkg::bus_op_e     op;
  logic [AddrWidth-1:0] addr;
  logic [DataWidth-1:0] wdata;
  logic [DataWidth-1:0] rdata;
  logic                 error;

  modport slave(input valid, op, addr, wdata, output ready, rdata, error);
  modport master(output valid, op, addr, wdata, input ready, rdata, error);
endinterface
