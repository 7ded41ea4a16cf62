// SPDX-License-Identifier: Apache-2.0
//
// nsu_rx -- receive side of the NSU's network interface: phits to beats, and packet decode.
//
// A beat is {header, line}. It comes in NumPhits phits, lowest bits first. Phits are shifted into
// the beat register from above, so that the first one ends at the bottom:
//
//   in_phit_i --> [ phit P-1 | ... | phit 1 | phit 0 ] --> header, line, strobe of the type
//
// The last phit of a beat in cycle t makes rx_valid_o, one strobe and the credit in t+1. Nothing
// can delay that. After reset the next phit is the first of a beat. Data are not reset.

`default_nettype none

`include "nsu_types.svh"

module nsu_rx #(
  parameter  int PortBits = 1472,                                 // bits of the packet port, 32 .. 4096
  localparam int BeatBits = nsu_pkg::PKT_HDR_W + nsu_pkg::LINE_BITS,
  localparam int NumPhits = (BeatBits + PortBits - 1) / PortBits, // phits a beat
  localparam int CntBits  = NumPhits > 1 ? $clog2(NumPhits) : 1
) (
  input  wire logic                          clk_i,       // clock, rising edge
  input  wire logic                          rst_ni,      // asynchronous reset, active low; drops a beat under way
  // From the network
  input  wire logic                          in_valid_i,  // a phit; always accepted
  input  wire logic                          in_class_i,  // message class: 0 request, 1 response
  input  wire logic [PortBits-1:0]           in_phit_i,   // the phit, with in_valid_i
  // To the network
  output      logic [1:0]                    in_credit_o, // bit c, pulse: a beat of class c was taken
  // To the buffers and caches
  output      logic                          rx_valid_o,  // one cycle: a beat is complete
  output      pkt_hdr_t                      rx_hdr_o,    // its header, with rx_valid_o
  output      logic [nsu_pkg::LINE_BITS-1:0] rx_data_o,   // its line, with rx_valid_o
  output      logic                          rx_cmd_o,    // it is an offload command, for the command buffer
  output      logic                          rx_wta_o,    // write addresses, for their buffer
  output      logic                          rx_rdr_o,    // an RDF response, for the read data buffer
  output      logic                          rx_wack_o,   // a write acknowledgement, for its counters
  output      logic                          rx_ifill_o,  // an instruction fill, for that cache
  output      logic                          rx_cfill_o,  // a constant fill, for that cache
  output      logic                          err_type_o,  // with rx_valid_o: another type; no strobe
  output      logic                          err_class_o  // with a strobe: not its type's class
);

  localparam logic [CntBits-1:0] LAST = CntBits'(NumPhits - 1);

  // The beat under way, and how many of its phits are here
  logic [NumPhits*PortBits-1:0] beat_d, beat_q;
  logic [CntBits-1:0]           cnt_d, cnt_q;
  logic                         last, valid_q, class_q, known;
  pkt_hdr_t                     hdr;

  // With one phit a beat there is nothing to shift or to count.
  if (NumPhits == 1) begin : gen_whole
    assign beat_d = in_phit_i;
    assign last   = 1'b1;
    assign cnt_d  = '0;
  end else begin : gen_shift
    assign beat_d = {in_phit_i, beat_q[NumPhits*PortBits-1:PortBits]};
    assign last   = cnt_q == LAST;
    assign cnt_d  = !in_valid_i ? cnt_q : last ? '0 : cnt_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      beat_q  <= beat_d;
      class_q <= in_class_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cnt_q   <= '0;
      valid_q <= 1'b0;
    end else begin
      cnt_q   <= cnt_d;
      valid_q <= in_valid_i && last;
    end
  end

  // Decode: exactly one strobe, or err_type_o, for each beat. The class of the last phit counts.
  assign hdr         = beat_q[nsu_pkg::LINE_BITS +: nsu_pkg::PKT_HDR_W];
  assign rx_valid_o  = valid_q;
  assign rx_hdr_o    = hdr;
  assign rx_data_o   = beat_q[nsu_pkg::LINE_BITS-1:0];
  assign in_credit_o = {valid_q && class_q, valid_q && !class_q};

  assign rx_cmd_o    = valid_q && hdr.ptype == nsu_pkg::PKT_CMD;
  assign rx_wta_o    = valid_q && hdr.ptype == nsu_pkg::PKT_WTA;
  assign rx_rdr_o    = valid_q && hdr.ptype == nsu_pkg::PKT_RDF_RESP;
  assign rx_wack_o   = valid_q && hdr.ptype == nsu_pkg::PKT_WRITE_ACK;
  assign rx_ifill_o  = valid_q && hdr.ptype == nsu_pkg::PKT_IFILL;
  assign rx_cfill_o  = valid_q && hdr.ptype == nsu_pkg::PKT_CFILL;
  assign known       = rx_cmd_o || rx_wta_o || rx_rdr_o || rx_wack_o || rx_ifill_o || rx_cfill_o;
  assign err_type_o  = valid_q && !known;
  assign err_class_o = known && class_q != nsu_pkg::pkt_class(hdr.ptype);

  // Bits of the last phit behind the beat are dropped.
  if (NumPhits * PortBits > BeatBits) begin : gen_pad
    logic unused_pad;
    assign unused_pad = &{1'b0, beat_q[NumPhits*PortBits-1:BeatBits]};
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (3'(rx_cmd_o) + 3'(rx_wta_o) + 3'(rx_rdr_o) + 3'(rx_wack_o) + 3'(rx_ifill_o) + 3'(rx_cfill_o) +
            3'(err_type_o) <= 3'd1);
    assert (rx_valid_o == (known || err_type_o));
    assert (rx_valid_o == |in_credit_o && !(&in_credit_o));
    assert (32'(cnt_q) < NumPhits);
  end
`endif
endmodule

`default_nettype wire
