// SPDX-License-Identifier: Apache-2.0
//
// Two lanes of one word each.
module bus_lanes #(
  parameter int unsigned DataWidth = 8
) (
  input  logic       clk,
  input  logic       rst_n,
  word_if.sink       word,
  word_if.source     lane [2],
  output logic [1:0] full
);
  assign word.ready = !full[word.data[0]];

  for (genvar k = 0; k < 2; k++) begin : gen_lane
    logic [DataWidth-1:0] held;

    assign lane[k].valid = full[k];
    assign lane[k].data = held;

    always_ff @(posedge clk or negedge rst_n) begin
      if (!rst_n) begin
        full[k] <= 1'b0;
        held <= '0;
      end else if (word.fire && word.data[0] == 1'(k)) begin
        full[k] <= 1'b1;
        held <= word.data;
      end else if (lane[k].fire) begin
        full[k] <= 1'b0;
      end
    end
  end
endmodule
