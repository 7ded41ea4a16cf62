// SPDX-License-Identifier: Apache-2.0
//
// nsu_rx -- receive side of the NSU's network interface: phits to beats, and packet decode.
//
// Phits are shifted into the beat register from above, so that the first one ends at the bottom. A beat's last phit
// makes rx_valid_o, the strobe of its type and the credit of its class in the next cycle, and nothing can delay that.
// After reset the next phit is the first of a beat. Data are not reset.

`default_nettype none

`include "nsu_types.svh"

module nsu_rx #(
  parameter  int PortBits = 1472,                                    // bits of the packet port
  localparam int BeatBits = nsu_pkg::PKT_HDR_W + nsu_pkg::LINE_BITS,
  localparam int NumPhits = (BeatBits + PortBits - 1) / PortBits,    // phits a beat
  localparam int CntBits  = NumPhits > 1 ? $clog2(NumPhits) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // From the network
  input  wire logic                          in_valid_i,
  input  wire logic                          in_class_i,
  input  wire logic [PortBits-1:0]           in_phit_i,
  // To the network
  output      logic [1:0]                    in_credit_o,
  // To the buffers and caches
  output      logic                          rx_valid_o,
  output      pkt_hdr_t                      rx_hdr_o,
  output      logic [nsu_pkg::LINE_BITS-1:0] rx_data_o,
  output      logic                          rx_cmd_o,
  output      logic                          rx_wta_o,
  output      logic                          rx_rdr_o,
  output      logic                          rx_wack_o,
  output      logic                          rx_ifill_o,
  output      logic                          rx_cfill_o,
  output      logic                          err_type_o,
  output      logic                          err_class_o
);

  localparam logic [CntBits-1:0] LAST = CntBits'(NumPhits - 1);

  logic [NumPhits*PortBits-1:0] beat_d, beat_q;
  logic [CntBits-1:0]           cnt_d, cnt_q;                        // phits of this beat that are here
  logic                         last, valid_q, class_q, known;
  pkt_hdr_t                     hdr;

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
