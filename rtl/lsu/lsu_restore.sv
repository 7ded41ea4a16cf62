// SPDX-License-Identifier: Apache-2.0
//
// lsu_restore -- restores the addresses of an offloaded access from its leading one (MPU paper, IV-B2). Combinational.
//
// 32 threads access 2^size bytes each, one behind the other, from addr_i on: n_o transfers of 32 aligned bytes, of which the k-th is at
// xaddr_o and holds bytes of the threads in lanes_o. The clock is for the assertions only.

`default_nettype none

module lsu_restore (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [lsu_pkg::ADDR_BITS-1:0] addr_i,
  input  wire logic [lsu_pkg::SIZE_W-1:0]    size_i,
  input  wire logic [3:0]                    k_i,
  output      logic [3:0]                    n_o,
  output      logic [4:0]                    off_o,
  output      logic [lsu_pkg::ADDR_BITS-1:0] xaddr_o,     // 0 when k_i is n_o or more
  output      logic [lsu_pkg::LANES-1:0]     lanes_o      // likewise
);

  logic [8:0] last;               // place of the last byte, counted from the first transfer's first
  logic [8:0] first, behind;            // places of a thread's first and last byte
  logic       there;

  assign off_o   = addr_i[4:0];
  assign last = 9'(off_o) + (9'd32 << size_i) - 9'd1;
  assign n_o        = 4'(last >> 5) + 4'd1;
  assign there   = k_i < n_o;
  assign xaddr_o = there ? {addr_i[25:5] + 21'(k_i), 5'd0} : '0;

  always_comb begin
    lanes_o    = '0;
    first      = '0;
    behind     = '0;
    for (int t = 0; t < 32; t++) begin
      first      = 9'(off_o) + (9'(t) << size_i);
      behind     = first + (9'd1 << size_i) - 9'd1;
      lanes_o[t] = there && (4'(first >> 5) == k_i || 4'(behind >> 5) == k_i);
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (n_o >= 4'd1 && n_o <= 4'd9);
    assert (|lanes_o == there);
  end
`else
  logic unused;
  assign unused = &{1'b0, clk_i, rst_ni};
`endif
endmodule

`default_nettype wire
