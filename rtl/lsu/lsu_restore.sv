// SPDX-License-Identifier: Apache-2.0
//
// lsu_restore -- restores the addresses of an offloaded access from its leading one (MPU paper,
// IV-B2). Combinational; the clock is for the assertions only.
//
// 32 threads access 2^size bytes each, one behind the other, from addr_i on: n_o
// transfers of 32 aligned bytes. Transfer k is at xaddr_o and holds bytes of the
// threads in lanes_o. Size 2, off 8, so n = 5:
//
//   transfer   0              1              2              3              4
//   threads    [..] 0 to 5    6 to 13        14 to 21       22 to 29       30, 31 [..]

`default_nettype none

module lsu_restore (
  input  wire logic                          clk_i,    // for the assertions only
  input  wire logic                          rst_ni,   // for the assertions only
  input  wire logic [lsu_pkg::ADDR_BITS-1:0] addr_i,   // byte address of thread 0, in the near-bank unit
  input  wire logic [lsu_pkg::SIZE_W-1:0]    size_i,   // binary logarithm of the bytes a thread: 0 to 3
  input  wire logic [3:0]                    k_i,      // which transfer, from 0
  output      logic [3:0]                    n_o,      // transfers of the access, 1 to 9
  output      logic [4:0]                    off_o,    // place of thread 0 in transfer 0, bytes
  output      logic [lsu_pkg::ADDR_BITS-1:0] xaddr_o,  // address of transfer k; 0 when k_i is n_o or more
  output      logic [lsu_pkg::LANES-1:0]     lanes_o   // threads with a byte in it; 0 when k_i is n_o or more
);

  logic [8:0] last;                     // place of the last byte, from the start of transfer 0
  logic [8:0] first, behind;            // places of a thread's first and last byte
  logic       there;                    // transfer k exists

  assign off_o   = addr_i[4:0];
  assign last = 9'(off_o) + (9'd32 << size_i) - 9'd1;
  assign n_o        = 4'(last >> 5) + 4'd1;
  assign there   = k_i < n_o;
  assign xaddr_o = there ? {addr_i[25:5] + 21'(k_i), 5'd0} : '0;

  // A thread is in a transfer with its first or its last byte; a datum is
  // never longer than a transfer.
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
  // An access has 1 to 9 transfers, and each of them holds a byte of some thread.
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
