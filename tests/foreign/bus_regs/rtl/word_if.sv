// SPDX-License-Identifier: Apache-2.0
//
// Words of a stream: `fire` is when one goes over.
interface word_if #(
  parameter int unsigned DataWidth = 8
) (
  input logic clk
);
  logic                 valid, ready;
  logic [DataWidth-1:0] data;
  logic                 fire;
  logic                 went;  // in the cycle before

  assign fire = valid && ready;
  always_ff @(posedge clk) went <= fire;

  modport source(output valid, data, input ready, fire, went);
  modport sink(input valid, data, fire, output ready);
endinterface
