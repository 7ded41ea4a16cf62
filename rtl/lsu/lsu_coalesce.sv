// SPDX-License-Identifier: Apache-2.0
//
// lsu_coalesce -- the next transfer of a load or store that is not offloaded. Combinational.
//
// The transfer is the one of the lowest thread that is not yet served; it serves all threads in it.
//
//   left, addr --> line: transfer of the lowest thread --> lanes: all threads of that transfer
//   rows, lanes --> per thread: bytes and places --> per byte: the highest thread's --> mask, data
//
// If several threads store to one byte, the highest thread wins. An address is a multiple of the
// size. A thread's datum, repeated over the 32 bytes, therefore has each byte at every place that
// it may have. Without active_i all outputs are zero (and simulation does nothing).

`default_nettype none

module lsu_coalesce (
  input  wire logic                                          active_i,  // a load or store wants a transfer
  input  wire logic                                          store_i,   // it is a store
  input  wire logic [lsu_pkg::SIZE_W-1:0]                    size_i,    // 2^size_i bytes a thread
  input  wire logic [31:0]                                   left_i,    // bit t: thread t is not yet served
  input  wire logic [lsu_pkg::LANES*lsu_pkg::GADDR_BITS-1:0] addr_i,    // 35 bits a thread: byte address in the machine
  input  wire logic [lsu_pkg::ROW_BITS-1:0]                  low_i,     // store: low words of all threads
  input  wire logic [lsu_pkg::ROW_BITS-1:0]                  high_i,    // store of 8 bytes: high words
  output      logic [29:0]                                   line_o,    // core, near-bank unit, address / 32
  output      logic [lsu_pkg::LANES-1:0]                     lanes_o,   // bit t: the transfer serves thread t
  output      logic [31:0]                                   mask_o,    // store: bytes that are written
  output      logic [lsu_pkg::XFER_BITS-1:0]                 data_o     // store: byte k at bits 8k+7 to 8k
);

  // The transfer of the lowest thread.
  always_comb begin
    line_o = '0;
    if (active_i) begin
      for (int t = 31; t >= 0; t--) if (left_i[t]) line_o = addr_i[t*35+5 +: 30];  // the lowest thread's stays
    end
  end

  // A thread: is it served, and which bytes of the transfer does it write (32 bits a thread)? Its
  // datum is repeated (8 bytes a thread).
  logic [lsu_pkg::ROW_BITS-1:0] places_t_byte;
  logic [2047:0]                datum_t;

  for (genvar t = 0; t < 32; t++) begin : gen_thread
    logic [31:0] low, high, places;
    logic [63:0] datum;

    assign low        = low_i[t*32 +: 32];
    assign high       = high_i[t*32 +: 32];
    assign lanes_o[t] = active_i && left_i[t] && addr_i[t*35+5 +: 30] == line_o;

    always_comb begin
      datum  = '0;
      places = '0;
      if (store_i && lanes_o[t]) begin
        case (size_i)
          2'd0:    datum = {8{low[7:0]}};
          2'd1:    datum = {4{low[15:0]}};
          2'd2:    datum = {2{low}};
          default: datum = {high, low};
        endcase
        case (size_i)
          2'd0:    places = 32'h00000001;
          2'd1:    places = 32'h00000003;
          2'd2:    places = 32'h0000000f;
          default: places = 32'h000000ff;
        endcase
        places = places << addr_i[t*35 +: 5];
      end
    end

    assign places_t_byte[t*32 +: 32] = places;
    assign datum_t[t*64 +: 64]       = datum;
  end

  // A byte of the transfer: the datum of the highest thread that writes it.
  for (genvar b = 0; b < 32; b++) begin : gen_byte
    logic [7:0] value;
    logic       written;

    always_comb begin
      value   = '0;
      written = 1'b0;
      if (active_i && store_i) begin
        for (int t = 0; t < 32; t++) begin
          if (places_t_byte[t*32+b]) begin
            value   = datum_t[t*64+(b%8)*8 +: 8];         // the highest thread's stays
            written = 1'b1;
          end
        end
      end
    end

    assign mask_o[b]        = written;
    assign data_o[b*8 +: 8] = value;
  end
endmodule

`default_nettype wire
