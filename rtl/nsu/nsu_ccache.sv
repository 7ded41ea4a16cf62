// SPDX-License-Identifier: Apache-2.0
//
// nsu_ccache -- the NSU's constant cache: 4-way, 128-byte lines, filled by physical address.
//
// A ro_cache with 32-bit words; its contract holds word for word.

`default_nettype none

module nsu_ccache #(
  parameter  int Bytes    = 4096,                                    // capacity in bytes, a power of two, >= 512
  localparam int AddrBits = nsu_pkg::ADDR_BITS
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // From and to the load unit
  input  wire logic                          req_i,
  input  wire logic [AddrBits-1:0]           req_addr_i,
  output      logic                          rsp_hit_o,
  output      logic [31:0]                   rsp_data_o,
  // To the warp table
  output      logic                          wake_o,
  // To and from the network interface
  output      logic                          ft_valid_o,
  output      logic [AddrBits-1:0]           ft_addr_o,
  input  wire logic                          ft_ready_i,
  input  wire logic                          fill_valid_i,
  input  wire logic [AddrBits-1:0]           fill_addr_i,
  input  wire logic [nsu_pkg::LINE_BITS-1:0] fill_data_i,
  output      logic                          err_noreq_o,
  // Probes
  output      logic                          probe_miss_o,
  output      logic [AddrBits-1:0]           probe_miss_addr_o
);

  ro_cache #(.WordBits(32), .Bytes(Bytes), .Ways(4), .Mshrs(2)) u_cache (
    .clk_i, .rst_ni,
    .req_i, .req_addr_i, .rsp_hit_o, .rsp_data_o, .wake_o,
    .ft_valid_o, .ft_addr_o, .ft_ready_i,
    .fill_valid_i, .fill_addr_i, .fill_data_i, .err_noreq_o,
    .probe_miss_o, .probe_miss_addr_o
  );
endmodule

`default_nettype wire
