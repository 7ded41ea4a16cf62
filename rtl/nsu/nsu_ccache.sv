// SPDX-License-Identifier: Apache-2.0
//
// nsu_ccache -- the NSU's constant cache: 4-way, 128-byte lines, filled by physical address.
//
// A ro_cache with 32-bit words and two outstanding misses; its contract holds word for word.

`default_nettype none

module nsu_ccache #(
  parameter  int Bytes    = 4096, // capacity, a power of two, 512 .. 65536
  localparam int AddrBits = nsu_pkg::ADDR_BITS
) (
  input  wire logic                          clk_i,            // clock, rising edge
  input  wire logic                          rst_ni,           // asynchronous reset, active low; invalidates all lines
  // From and to the load unit
  input  wire logic                          req_i,            // look req_addr_i up
  input  wire logic [AddrBits-1:0]           req_addr_i,       // byte address, a multiple of 4; with req_i
  output      logic                          rsp_hit_o,        // one cycle after req_i; held until after the next one
  output      logic [31:0]                   rsp_data_o,       // the constant, with rsp_hit_o
  // To the warp table
  output      logic                          wake_o,           // pulse: warps whose LDC missed may try again
  // To and from the network interface
  output      logic                          ft_valid_o,       // a missing line has not been asked for yet
  output      logic [AddrBits-1:0]           ft_addr_o,        // its address, with ft_valid_o
  input  wire logic                          ft_ready_i,       // the request is taken in this cycle
  input  wire logic                          fill_valid_i,     // a line arrives; there is no way to refuse it
  input  wire logic [AddrBits-1:0]           fill_addr_i,      // its address, low 7 bits ignored
  input  wire logic [nsu_pkg::LINE_BITS-1:0] fill_data_i,      // the line
  output      logic                          err_noreq_o,      // one cycle: the last cycle's fill was not asked for
  // Probes
  output      logic                          probe_miss_o,     // the last cycle's request missed
  output      logic [AddrBits-1:0]           probe_miss_addr_o // its line's address, with probe_miss_o
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
