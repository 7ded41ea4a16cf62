// SPDX-License-Identifier: Apache-2.0
//
// tom_lines_env -- what tom_lines may expect from tom_stack: pushes and ends of warps that exist.

`default_nettype none

module tom_lines_env #(
  parameter  int Warps = 48,
  localparam int WarpW = $clog2(Warps)
) (
  input wire logic             rst_ni,
  input wire logic             push_valid_i,
  input wire logic [WarpW-1:0] push_warp_i,
  input wire logic             end_valid_i,
  input wire logic [WarpW-1:0] end_warp_i
);

  always_comb if (rst_ni) begin
    // tom_stack passes on only slots of running blocks.
    push_exists: assume (!push_valid_i || 32'(push_warp_i) < Warps);
    end_exists:  assume (!end_valid_i || 32'(end_warp_i) < Warps);
  end
endmodule

`default_nettype wire
