// SPDX-License-Identifier: Apache-2.0
//
// An arbiter: the lowest requester is served, and what each one sent last stays in sight.
// Ports are unpacked arrays, whose ranges run both ways.
package row_arb_pkg;
  typedef enum logic [1:0] {NONE, FIRST, AGAIN = 3} how_e;
  typedef struct packed {
    how_e       how;
    logic [7:0] data;
  } entry_t;
endpackage

module row_arb_leaf (
  input  logic [7:0] data_i [2],
  input  logic       swap_i,
  output logic [7:0] data_o [1:0]
);
  assign data_o[0] = swap_i ? data_i[1] : data_i[0];
  assign data_o[1] = swap_i ? data_i[0] : data_i[1];
endmodule

module row_arb #(
  parameter int unsigned N = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [N-1:0]         req_i,
  input  logic [7:0]           data_i [N],
  input  logic [65:0]          tag_i [1:0],
  input  logic                 swap_i,
  input  logic                 ready_i,
  output logic [N-1:0]         gnt_o,
  output logic                 valid_o,
  output logic [7:0]           data_o,
  output row_arb_pkg::entry_t last_o [N-1:0],
  output logic [65:0]          tag_o [0:1],
  output logic [7:0]           pair_o [2][2]
);
  import row_arb_pkg::*;
  localparam int unsigned IdxW = $clog2(N);

  logic [IdxW-1:0] index;
  entry_t          held [0:N-1];
  logic [7:0]      first [0:1], leaf [0:1];

  always_comb begin
    index = IdxW'(N - 1);
    for (int k = N - 1; k >= 0; k--) if (req_i[k]) index = IdxW'(k);
  end
  for (genvar k = 0; k < N; k++) begin : gen_grant
    assign gnt_o[k] = valid_o && ready_i && index == IdxW'(k);
  end
  assign valid_o = |req_i;
  assign data_o  = data_i[index];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned k = 0; k < N; k++) held[k] <= '{how: NONE, data: '0};
      tag_o <= '{default: '0};
    end else if (valid_o && ready_i) begin
      held[index].data <= data_o;
      held[index].how  <= held[index].how == NONE ? FIRST : AGAIN;
      tag_o               <= tag_i;
    end
  end
  assign last_o = held;

  assign first = '{data_i[0], data_i[N - 1]};
  row_arb_leaf u_leaf (.data_i(first), .swap_i(swap_i), .data_o(leaf));
  assign pair_o[0] = leaf;
  assign pair_o[1] = '{leaf[1] & data_o, leaf[0]};
endmodule
