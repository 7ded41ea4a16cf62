// SPDX-License-Identifier: Apache-2.0
//
// ro_cache -- read-only, set-associative cache with 128-byte lines and a few outstanding misses.
//
// The cache compares tags in the cycle of the request and reads only the way that hits.
// A row of the memory is a line; the word is picked from the row after the read.
// A miss is handled one cycle later, when a fill of the request's own cycle is known.
// Reset clears the valid bits; lines and tags keep their values.
//
//   t    req_i: compare tags; on a hit read the line; a fill of this cycle comes too late
//   t+1  hit:  rsp_hit_o, rsp_data_o, held until the cycle after the next request
//        miss: the line was filled in t       wake_o in t+2
//              the line is outstanding        nothing: its fill brings wake_o
//              a place is free                the miss takes the lowest one
//              else                           nothing: a later fill brings wake_o
//   t+2  ft_valid_o, ft_addr_o until ft_ready_i; then the fill, and wake_o one cycle after it
//
// A requester that missed asks again after wake_o, and not before.

`default_nettype none

module ro_cache #(
  parameter  int WordBits = 64,   // bits of a word: 32 or 64
  parameter  int Bytes    = 4096, // capacity, a power of two: Ways * 128 .. 65536
  parameter  int Ways     = 4,    // ways, a power of two, 1 .. 16
  parameter  int Mshrs    = 2,    // outstanding misses, 1 .. 16
  localparam int AddrBits = nsu_pkg::ADDR_BITS,
  localparam int LineBits = nsu_pkg::LINE_BITS
) (
  input  wire logic                clk_i,            // clock, rising edge
  input  wire logic                rst_ni,           // asynchronous reset, active low; invalidates all lines
  // Look-up
  input  wire logic                req_i,            // look req_addr_i up
  input  wire logic [AddrBits-1:0] req_addr_i,       // byte address, multiple of a word; valid with req_i
  output      logic                rsp_hit_o,        // one cycle after req_i; held until after the next one
  output      logic [WordBits-1:0] rsp_data_o,       // the word, valid with rsp_hit_o
  output      logic                wake_o,           // pulse: requesters that missed may ask again
  // To the network interface
  output      logic                ft_valid_o,       // a missing line has not been asked for yet
  output      logic [AddrBits-1:0] ft_addr_o,        // its address, low 7 bits 0; valid with ft_valid_o
  input  wire logic                ft_ready_i,       // the request is taken in this cycle
  // From the network interface
  input  wire logic                fill_valid_i,     // a line arrives; there is no way to refuse it
  input  wire logic [AddrBits-1:0] fill_addr_i,      // its address, low 7 bits ignored
  input  wire logic [LineBits-1:0] fill_data_i,      // the line, byte 0 in the low bits
  output      logic                err_noreq_o,      // one cycle: the last cycle's fill was not asked for
  // Probes
  output      logic                probe_miss_o,     // the last cycle's request missed
  output      logic [AddrBits-1:0] probe_miss_addr_o // its line's address, valid with probe_miss_o
);

  localparam int Lines    = Bytes / nsu_pkg::LINE_BYTES;
  localparam int Sets     = Lines / Ways;
  localparam int LnaBits  = AddrBits - nsu_pkg::OFFSET_BITS;         // bits of a line's number: tag and set
  localparam int SetBits  = Sets > 1 ? $clog2(Sets) : 1;
  localparam int WayBits  = Ways > 1 ? $clog2(Ways) : 1;
  localparam int RowBits  = Lines > 1 ? $clog2(Lines) : 1;
  localparam int SelBits  = $clog2(LineBits / WordBits);
  localparam int ByteBits = $clog2(WordBits / 8);

  // Lines. An entry is row set * Ways + way: valid bit, line number (tag and set), 128 bytes.
  // ptr_q holds one pointer a set: the way that a fill of a full set replaces.
  logic [Lines-1:0]         valid_d, valid_q;
  logic [LnaBits-1:0]       tag_q [0:Lines-1];                       // the whole line number
  logic [Sets*WayBits-1:0]  ptr_d, ptr_q;

  // Look-up; names with _q are of the request in the last cycle.
  logic [LnaBits-1:0]       req_lna, fill_lna, miss_lna_q;
  logic [31:0]              req_set, fill_set, fill_row;
  logic [RowBits-1:0]       req_row;
  logic                     hit, hit_d, hit_q, miss_d, miss_q, filled_d, filled_q;
  logic [SelBits-1:0]       sel_q;
  logic [LineBits-1:0]      line;

  // Misses. An entry is a place: outstanding (out_q), asked for (asked_q), and its line number.
  logic [Mshrs-1:0]         out_d, out_q, asked_d, asked_q;
  logic [LnaBits-1:0]       miss_q_lna [0:Mshrs-1];
  logic [Mshrs-1:0]         fill_match, new_hot, ask_hot;
  logic                     known, add, fill, any_invalid;
  logic                     wake_d, wake_q, noreq_d, noreq_q;
  logic [WayBits-1:0]       fill_way;

  assign req_lna  = req_addr_i[AddrBits-1:nsu_pkg::OFFSET_BITS];
  assign fill_lna = fill_addr_i[AddrBits-1:nsu_pkg::OFFSET_BITS];
  assign req_set  = Sets > 1 ? 32'(req_lna[SetBits-1:0])  : 32'd0;
  assign fill_set = Sets > 1 ? 32'(fill_lna[SetBits-1:0]) : 32'd0;

  // Look-up. At most one way has the line: a line that is present or outstanding never becomes
  // another miss.
  always_comb begin
    hit     = 1'b0;
    req_row = '0;
    if (req_i) begin
      for (int w = Ways - 1; w >= 0; w--) begin
        if (valid_q[RowBits'(req_set * Ways + 32'(w))] && tag_q[RowBits'(req_set * Ways + 32'(w))] == req_lna) begin
          hit     = 1'b1;
          req_row = RowBits'(req_set * Ways + 32'(w));
        end
      end
    end
  end

  // A fill belongs to the one outstanding miss of its line that has been asked for.
  always_comb begin
    fill_match = '0;
    if (fill_valid_i) begin
      for (int m = 0; m < Mshrs; m++) fill_match[m] = asked_q[m] && miss_q_lna[m] == fill_lna;
    end
  end
  assign fill    = |fill_match;
  assign noreq_d = fill_valid_i && !fill;

  // The fill takes the lowest invalid way of its set, else the way that the pointer names.
  // Only a replacement moves the pointer.
  always_comb begin
    any_invalid = 1'b0;
    fill_way    = '0;
    fill_row    = fill_set * Ways;
    valid_d     = valid_q;
    ptr_d       = ptr_q;
    if (fill) begin
      for (int w = Ways - 1; w >= 0; w--) begin
        if (!valid_q[RowBits'(fill_row + 32'(w))]) begin
          any_invalid = 1'b1;
          fill_way    = WayBits'(w);
        end
      end
      if (!any_invalid) begin
        fill_way = ptr_q[fill_set * WayBits +: WayBits];
        ptr_d[fill_set * WayBits +: WayBits] = Ways > 1 ? fill_way + 1'b1 : '0;
      end
      fill_row = fill_row + 32'(fill_way);
      valid_d[RowBits'(fill_row)] = 1'b1;
    end
  end

  // Miss, in the cycle after the look-up. Decisions use the registered places: a place that a fill
  // frees in this cycle is not free yet.
  always_comb begin
    known = 1'b0;
    for (int m = 0; m < Mshrs; m++) if (out_q[m] && miss_q_lna[m] == miss_lna_q) known = 1'b1;
  end
  assign add     = miss_q && !filled_q && !known && !(&out_q);
  assign new_hot = add ? ~out_q & (out_q + 1'b1) : '0;
  assign wake_d  = fill || (miss_q && filled_q);

  // Fetch: the lowest outstanding miss that has not been asked for.
  assign ask_hot    = (out_q & ~asked_q) & (~(out_q & ~asked_q) + 1'b1);
  assign ft_valid_o = |ask_hot;
  always_comb begin
    ft_addr_o = '0;
    for (int m = 0; m < Mshrs; m++) if (ask_hot[m]) ft_addr_o = {miss_q_lna[m], {nsu_pkg::OFFSET_BITS{1'b0}}};
  end

  assign out_d   = (out_q & ~fill_match) | new_hot;
  assign asked_d = (asked_q & ~fill_match) | (ft_ready_i ? ask_hot : '0);

  // The answer stays until the next request: a reader that is stalled needs no register of its own.
  assign hit_d    = req_i ? hit : hit_q;
  assign miss_d   = req_i && !hit;
  assign filled_d = fill && fill_lna == req_lna;

  // Without reset: valid, outstanding and miss bits say which of these mean something.
  always_ff @(posedge clk_i) begin
    if (req_i) begin
      sel_q      <= req_addr_i[ByteBits +: SelBits];
      miss_lna_q <= req_lna;
    end
    if (fill) tag_q[RowBits'(fill_row)] <= fill_lna;
    for (int m = 0; m < Mshrs; m++) if (new_hot[m]) miss_q_lna[m] <= miss_lna_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      ptr_q    <= '0;
      hit_q    <= 1'b0;
      miss_q   <= 1'b0;
      filled_q <= 1'b0;
      out_q    <= '0;
      asked_q  <= '0;
      wake_q   <= 1'b0;
      noreq_q  <= 1'b0;
    end else begin
      valid_q  <= valid_d;
      ptr_q    <= ptr_d;
      hit_q    <= hit_d;
      miss_q   <= miss_d;
      filled_q <= filled_d;
      out_q    <= out_d;
      asked_q  <= asked_d;
      wake_q   <= wake_d;
      noreq_q  <= noreq_d;
    end
  end

  // The line memory is read on a hit only, so the line of the last hit stays at its output.
  sram_1r1w #(.Width(LineBits), .Depth(Lines > 1 ? Lines : 2), .LaneBits(LineBits)) u_lines (
    .clk_i, .rst_ni,
    .wr_en_i (fill),         .wr_addr_i (RowBits'(fill_row)), .wr_mask_i (1'b1), .wr_data_i (fill_data_i),
    .rd_en_i (req_i && hit), .rd_addr_i (req_row),           .rd_data_o (line)
  );

  assign rsp_hit_o         = hit_q;
  assign rsp_data_o        = line[32'(sel_q) * WordBits +: WordBits];
  assign wake_o            = wake_q;
  assign err_noreq_o       = noreq_q;
  assign probe_miss_o      = miss_q;
  assign probe_miss_addr_o = {miss_lna_q, {nsu_pkg::OFFSET_BITS{1'b0}}};

  // Byte offsets in a line do not matter for the tags.
  logic unused_addr;
  assign unused_addr = &{1'b0, req_addr_i, fill_addr_i};

  initial begin
    if (Bytes < Ways * nsu_pkg::LINE_BYTES) $fatal(1, "ro_cache: Bytes must be at least Ways * 128");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((asked_q & ~out_q) == '0);        // only outstanding misses have been asked for
    assert ((fill_match & (fill_match - 1'b1)) == '0);  // a line has one place
    assert (!(rsp_hit_o && probe_miss_o));
  end
`endif
endmodule

`default_nettype wire
