// SPDX-License-Identifier: Apache-2.0
//
// The rules of rtl/lib/ro_cache.ports as properties, for a wrapper that includes this file in its
// module. The wrapper has WordBits, Words, ByteBits, Ways, Mshrs and the ports below; `CACHE is the
// block with its parameters.
//
// Line numbers have three free bits: eight lines, in two sets if there is more than one set. A bit
// for each line says whether it is outstanding. The properties watch any one line and one of its
// words. A word is one bit repeated; all other words are its opposite.

  logic                rst_n = 1'b0;          // low in the first cycle only
  logic                hit, wake, ft_valid, noreq, miss;
  logic [WordBits-1:0] data;
  logic [39:0]         ft_addr, miss_addr, req_addr;
  logic [1023:0]       fill_data;
  logic [4:0]          word;
  logic [2:0]          line, ft_line, was_line;
  logic [7:0]          out, asked;  // lines outstanding; those asked for
  logic [3:0]          num_out;
  logic                missed, was_req, filled_then, fills, adds;
  logic                now, then_, known, there, was_there;          // there: filled, and not yet pushed out
  logic [4:0]          others;                // fills of other lines since
  logic                wake_due, noreq_due;

  `CACHE u_dut (
    .clk_i, .rst_ni (rst_n), .req_i (req_i && rst_n), .req_addr_i (req_addr), .rsp_hit_o (hit), .rsp_data_o (data),
    .wake_o (wake), .ft_valid_o (ft_valid), .ft_addr_o (ft_addr), .ft_ready_i, .fill_valid_i (fill_valid_i && rst_n),
    .fill_addr_i (address(fill_line_i)), .fill_data_i (fill_data), .err_noreq_o (noreq), .probe_miss_o (miss),
    .probe_miss_addr_o (miss_addr)
  );

  function automatic logic [39:0] address(input logic [2:0] l);
    address = {l[2], 20'd0, l[1], 10'd0, l[0], 7'd0};
  endfunction

  assign req_addr = address(req_line_i) | (req_mine_i ? 40'(word) << ByteBits : 40'd0);
  assign ft_line  = {ft_addr[39], ft_addr[18], ft_addr[7]};
  always_comb begin
    for (int i = 0; i < Words; i++) fill_data[i*WordBits +: WordBits] = {WordBits{bit_i == (i == 32'(word))}};
    num_out = '0;
    for (int i = 0; i < 8; i++) num_out = num_out + 4'(out[i]);
  end

  assign fills  = fill_valid_i && asked[fill_line_i];
  assign missed = was_req && !hit;
  assign adds   = missed && !filled_then && !out[was_line] && 32'(num_out) < Mshrs;

  always @(posedge clk_i) begin
    rst_n     <= 1'b1;
    was_req   <= rst_n && req_i;
    wake_due  <= rst_n && (fills || (missed && filled_then));
    noreq_due <= rst_n && fill_valid_i && !fills;
    if (!rst_n) begin
      line   <= line_i;
      word   <= word_i;
      out    <= '0;
      asked  <= '0;
      there  <= 1'b0;
      known  <= 1'b0;
    end else begin
      for (int i = 0; i < 8; i++) begin
        if (adds && 32'(was_line) == i) out[i] <= 1'b1;
        if (ft_valid && ft_ready_i && 32'(ft_line) == i) asked[i] <= 1'b1;
        if (fills && 32'(fill_line_i) == i) begin
          out[i]   <= 1'b0;
          asked[i] <= 1'b0;
        end
      end
      if (fills && fill_line_i == line) begin
        now    <= bit_i;
        there  <= 1'b1;
        others <= '0;
      end else if (fills) begin
        others <= others + 5'd1;
        if (32'(others) == Ways - 1) there <= 1'b0;
      end
      if (req_i) begin
        was_line    <= req_line_i;
        filled_then <= fills && fill_line_i == req_line_i;
        known       <= req_line_i == line && req_mine_i;
        was_there   <= req_line_i == line && there;
        then_       <= now;
      end
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset. Word 0 is left out because
    // look-ups of other words use it.
    assume (32'(word) < Words && word != '0);
    // Rule 1: a hit gives the word of the last fill that the look-up saw.
    its_word:  assert (!known || !hit || data == {WordBits{then_}});
    // Rule 12: a line stays until Ways other lines have come.
    kept:      assert (!was_req || !was_there || hit);
    // Rules 6 and 9: ft_ shows an outstanding line not yet asked for, and no other.
    asks_once: assert (ft_valid == ((out & ~asked) != '0) && (!ft_valid ||
                                                              (ft_addr == address(ft_line) && out[ft_line] &&
                                                               !asked[ft_line])));
    // Rules 4 and 10: a wake comes for a line that came, and for nothing else.
    woken:     assert (wake == wake_due);
    // Rule 11: a fill that no miss asked for.
    flagged:   assert (noreq == noreq_due);
    // The probe shows last cycle's miss.
    missing:   assert (miss == missed && (!miss || miss_addr == address(was_line)));
    // The watched word is hit while all misses are outstanding.
    both_out:  cover (known && hit && was_there && then_ && 32'(num_out) == Mshrs && ft_valid);
  end
