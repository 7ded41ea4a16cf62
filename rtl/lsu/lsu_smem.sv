// SPDX-License-Identifier: Apache-2.0
//
// lsu_smem -- ld/st.shared against the core's near-bank shared memory, in passes without bank
// conflicts (MPU paper, IV-C).
//
// One message at a time:
//
//         last row there        store: last pass granted, or nothing to serve
//   READ ----------------> PASS ----------------------------------------------> DONE --> READ
//                           |   load: nothing to serve                           ^
//                           +----------------------------> WRITE -- last row ----+
//                           |   load: last pass granted      ^      granted
//                           +---------------------> LAST ----+
//
// READ reads the message's registers: asked_q counts the grants, a row comes in the cycle
// after its grant. PASS asks each bank for the row that its lowest waiting thread needs, and
// serves all threads that need that word. Eight bytes take a second round for the high
// words. A load's words come in the cycle after the grant, the last ones in LAST. WRITE
// writes a load's rows to the register file.
//
// Outputs depend on state and on the message.

`default_nettype none

module lsu_smem #(
  parameter int Threads   = 32,    // threads of a warp, and banks: a power of two, 2 to 32
  parameter int SmemBytes = 65536  // bytes: a power of two, 128 to Threads * 2048
) (
  input  wire logic                                      clk_i,       // core clock
  input  wire logic                                      rst_ni,      // asynchronous, active low
  // From lsu_rx
  input  wire logic                                      s_valid_i,   // a message; stays until s_take_o
  input  wire logic [lsu_pkg::BEAT_BITS-1:0]             s_hdr_i,     // its header
  input  wire logic [lsu_pkg::BEAT_BITS-1:0]             s_ctl_i,     // its beat 1: mask, offset, sign
  output      logic                                      s_take_o,    // the message is done
  // Register file, reads
  output      logic                                      rf_req_o,    // a row is wanted, until rf_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]                rf_warp_o,   // its warp
  output      logic [lsu_pkg::REG_W-1:0]                 rf_reg_o,    // its register
  input  wire logic                                      rf_gnt_i,    // same cycle: the row comes in the next one
  input  wire logic [32*Threads-1:0]                     rf_data_i,   // the row
  // Shared memory
  output      logic                                      sm_req_o,    // a pass; stays until sm_gnt_i
  output      logic                                      sm_we_o,     // 1: write, 0: read
  output      logic [Threads-1:0]                        sm_banks_o,  // banks that the pass uses
  output      logic [lsu_pkg::SMEM_ROW_BITS*Threads-1:0] sm_row_o,    // 9 bits a bank: word in the bank
  output      logic [32*Threads-1:0]                     sm_wdata_o,  // write: a word a bank
  output      logic [4*Threads-1:0]                      sm_wmask_o,  // write: 4 bits a bank, bytes written
  input  wire logic                                      sm_gnt_i,    // the pass is granted
  input  wire logic [32*Threads-1:0]                     sm_rdata_i,  // a word a bank, in the cycle after sm_gnt_i
  // Register file, writes
  output      logic                                      rw_valid_o,  // a row for the register file, until rw_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]                rw_warp_o,   // its warp
  output      logic [lsu_pkg::REG_W-1:0]                 rw_reg_o,    // its register
  output      logic [Threads-1:0]                        rw_mask_o,   // threads that are written
  output      logic [32*Threads-1:0]                     rw_data_o,   // a word a thread, extended
  input  wire logic                                      rw_gnt_i,    // the row is written
  // To lsu_done
  output      logic                                      done_o,      // one cycle: the message is done
  output      logic [lsu_pkg::ID_W-1:0]                  done_id_o,   // its instruction
  output      logic                                      err_o        // one cycle: threads were left out
);

  localparam logic [2:0] READ = 3'd0, PASS = 3'd1, LAST = 3'd2, WRITE = 3'd3, DONE = 3'd4;
  localparam int BankBits = $clog2(Threads);
  localparam int RowBits  = lsu_pkg::SMEM_ROW_BITS;

  // The message.
  logic                       store, sign;
  logic [lsu_pkg::SIZE_W-1:0] size;
  logic [Threads-1:0]         mask;
  logic [16:0]                offset;

  assign store  = s_hdr_i[lsu_pkg::TYPE_LSB +: lsu_pkg::TYPE_W] == lsu_pkg::MSG_STS;
  assign size   = s_hdr_i[lsu_pkg::SIZE_LSB +: lsu_pkg::SIZE_W];
  assign mask   = s_ctl_i[Threads-1:0];
  assign offset = s_ctl_i[48:32];
  assign sign   = s_ctl_i[49];

  // Its rows (addresses, low and high words of a store), the threads that
  // still wait, and a load's words.
  logic [2:0]    phase_d, phase_q;
  logic [1:0]    asked_d, asked_q, needed;
  logic          coming_d, coming_q;                      // row asked_q - 1 comes in this cycle
  logic [32*Threads-1:0] addr_d, addr_q, low_d, low_q, high_d, high_q;
  logic          first_d, first_q;                        // first cycle of PASS
  logic          word_d, word_q;                          // of eight bytes: the high ones
  logic [Threads-1:0] left_d, left_q, left;               // threads to be served
  logic [Threads-1:0] served, ok;
  logic [Threads-1:0] caught_d, caught_q;                 // threads whose words come in this cycle
  logic          caught_word_d, caught_word_q;
  logic [32*Threads-1:0] load_d, load_q, load_high_d, load_high_q;
  logic          second_d, second_q;                      // WRITE: row reg + 1
  logic          err_d, err_q;

  // Registers: the address row, and for a store one or two rows of data.
  assign needed    = !store ? 2'd1 : size == 2'd3 ? 2'd3 : 2'd2;
  assign rf_req_o  = s_valid_i && phase_q == READ && asked_q < needed;
  assign rf_warp_o = s_hdr_i[lsu_pkg::WARP_LSB +: lsu_pkg::WARP_W];
  assign rf_reg_o  = asked_q == 2'd0 ? s_hdr_i[lsu_pkg::AREG_LSB +: lsu_pkg::AREG_W]
                                     : s_hdr_i[lsu_pkg::REG_LSB +: lsu_pkg::REG_W] + 8'(asked_q == 2'd2);
  assign coming_d  = rf_req_o && rf_gnt_i;
  assign asked_d   = s_take_o ? '0 : asked_q + 2'(coming_d);
  assign addr_d    = coming_q && asked_q == 2'd1 ? rf_data_i : addr_q;
  assign low_d     = coming_q && asked_q == 2'd2 ? rf_data_i : low_q;
  assign high_d    = coming_q && asked_q == 2'd3 ? rf_data_i : high_q;

  // The threads' addresses. A thread out of range, or not aligned, is left out (ok). An aligned
  // access that begins below SmemBytes ends there, too. A sum below 0 wraps to a large address, so
  // it is out of range.
  logic [31:0]   a;
  logic [32*Threads-1:0] word_addr;                       // a thread's byte address

  always_comb begin
    ok        = '0;
    word_addr = '0;
    a         = '0;
    if (phase_q == PASS || phase_q == LAST) begin
      for (int t = 0; t < Threads; t++) begin
        a     = addr_q[t*32 +: 32] + {{15{offset[16]}}, offset};
        ok[t] = mask[t] && a < 32'(SmemBytes) && (a & ((32'd1 << size) - 32'd1)) == '0;
        word_addr[t*32 +: 32] = a;
      end
    end
  end
  // ok is known in the first cycle of PASS: from then on left loses the threads that are served.
  assign left = first_q ? ok : left_q;

  // What every thread needs: bank and row of its word, and for a store its bytes at their places in
  // the word. Addresses are aligned, so the high word is in the next bank, in the same row.
  //
  //   address   | 0 | row in the bank, 9 bits | bank, BankBits | byte, 2 bits |
  logic [BankBits*Threads-1:0] bank_t;
  logic [RowBits*Threads-1:0]  row_t;
  logic [32*Threads-1:0]       datum_t;
  logic [4*Threads-1:0]        datum_mask_t;

  always_comb begin
    bank_t       = '0;
    row_t        = '0;
    datum_t      = '0;
    datum_mask_t = '0;
    if (phase_q == PASS || phase_q == LAST) begin
      for (int t = 0; t < Threads; t++) begin
        bank_t[t*BankBits +: BankBits] = word_addr[t*32+2 +: BankBits] | BankBits'(word_q);
        row_t[t*RowBits +: RowBits]    = word_addr[t*32+2+BankBits +: RowBits];
        if (store) begin
          datum_t[t*32 +: 32]   = (word_q ? high_q[t*32 +: 32] : low_q[t*32 +: 32]) << {word_addr[t*32 +: 2], 3'd0};
          datum_mask_t[t*4 +: 4] = (size == 2'd0 ? 4'b0001 : size == 2'd1 ? 4'b0011 : 4'b1111) << word_addr[t*32 +: 2];
        end
      end
    end
  end

  // One pass: each bank chooses for itself, so a pass serves at least one
  // thread of each bank that is needed.
  //
  //   thread    0   1   2   3
  //   word      A   B   A   C      A and B are in bank 0, C is in bank 5
  //   pass 0    A   .   A   C      bank 0: thread 0 is the lowest, and thread 2 needs its word, too
  //   pass 1    .   B   .   .
  logic [Threads*Threads-1:0] served_bank;                // threads served, by bank

  for (genvar b = 0; b < Threads; b++) begin : gen_bank
    logic [Threads-1:0] here, match;                      // waiting threads of the bank; of its word
    logic [31:0] word;                                    // data that are stored
    logic [RowBits-1:0] row;
    logic [3:0]  wmask;

    // The row of the lowest waiting thread; of two threads that write a byte
    // the higher one's stays.
    always_comb begin
      row   = '0;
      word  = '0;
      wmask = '0;
      for (int t = 0; t < Threads; t++)
        here[t] = left[t] && phase_q == PASS && bank_t[t*BankBits +: BankBits] == BankBits'(b);
      for (int t = Threads - 1; t >= 0; t--) if (here[t]) row = row_t[t*RowBits +: RowBits];
      for (int t = 0; t < Threads; t++) match[t] = here[t] && row_t[t*RowBits +: RowBits] == row;
      for (int t = 0; t < Threads; t++) begin             // the highest thread's bytes stay
        if (match[t]) begin
          word  = (word & ~spread(datum_mask_t[t*4 +: 4])) | (datum_t[t*32 +: 32] & spread(datum_mask_t[t*4 +: 4]));
          wmask = wmask | datum_mask_t[t*4 +: 4];
        end
      end
    end

    assign sm_banks_o[b]                     = |here;
    assign sm_row_o[b*RowBits +: RowBits]    = row;
    assign sm_wdata_o[b*32 +: 32]            = word;
    assign sm_wmask_o[b*4 +: 4]              = wmask;
    assign served_bank[b*Threads +: Threads] = match;
  end

  // Each thread has one bank, so no thread is served twice.
  always_comb begin
    served = '0;
    for (int b = 0; b < Threads; b++) served = served | served_bank[b*Threads +: Threads];
  end
  // Without a thread to serve there is no pass.
  assign sm_req_o = phase_q == PASS && |left;
  assign sm_we_o  = store;

  // A load's words, extended. They come a cycle after the grant, when word_q may already be the
  // next round's. caught_word_q is the round that they belong to.
  logic [31:0] got;

  always_comb begin
    load_d      = phase_q == READ ? '0 : load_q;
    load_high_d = phase_q == READ ? '0 : load_high_q;
    got         = '0;
    for (int t = 0; t < Threads; t++) begin
      if (caught_q[t]) begin
        got = sm_rdata_i[{word_addr[t*32+2 +: BankBits] | BankBits'(caught_word_q), 5'd0} +: 32]
              >> {word_addr[t*32 +: 2], 3'd0};
        if (size == 2'd0) got = {{24{sign && got[7]}}, got[7:0]};
        if (size == 2'd1) got = {{16{sign && got[15]}}, got[15:0]};
        if (caught_word_q) load_high_d[t*32 +: 32] = got;
        else               load_d[t*32 +: 32]      = got;
      end
    end
  end

  // The phases. left_d is ok again at the start of the second round. A store is over with its last
  // grant. A load needs LAST for the words of its last grant; without a pass it goes to WRITE at
  // once, and writes zeros.
  always_comb begin
    phase_d       = phase_q;
    first_d       = 1'b0;
    word_d        = word_q;
    left_d        = left;
    caught_d      = '0;
    caught_word_d = word_q;
    second_d      = second_q;
    err_d         = first_q && |(mask & ~ok);
    case (phase_q)
      READ: begin
        word_d   = 1'b0;
        second_d = 1'b0;
        if (coming_q && asked_q == needed) begin
          phase_d = PASS;
          first_d = 1'b1;
        end
      end
      PASS: begin
        if (!(|left)) begin
          phase_d = store ? DONE : WRITE;
        end else if (sm_gnt_i) begin
          caught_d = store ? '0 : served;
          left_d   = left & ~served;
          if (left == served) begin
            if (size == 2'd3 && !word_q) begin
              word_d = 1'b1;
              left_d = ok;
            end else begin
              phase_d = store ? DONE : LAST;
            end
          end
        end
      end
      LAST:    phase_d = WRITE;
      WRITE: begin
        if (rw_gnt_i) begin
          second_d = 1'b1;
          if (size != 2'd3 || second_q) phase_d = DONE;
        end
      end
      default: phase_d = READ;
    endcase
  end

  assign rw_valid_o = phase_q == WRITE;
  assign rw_warp_o  = rf_warp_o;
  assign rw_reg_o   = s_hdr_i[lsu_pkg::REG_LSB +: lsu_pkg::REG_W] + 8'(second_q);
  assign rw_mask_o  = mask;
  assign rw_data_o  = second_q ? load_high_q : load_q;
  assign done_o     = phase_q == DONE;
  assign done_id_o  = s_hdr_i[lsu_pkg::ID_LSB +: lsu_pkg::ID_W];
  assign s_take_o   = phase_q == DONE;
  assign err_o      = err_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q       <= '0;
      asked_q       <= '0;
      coming_q      <= '0;
      addr_q        <= '0;
      low_q         <= '0;
      high_q        <= '0;
      first_q       <= '0;
      word_q        <= '0;
      left_q        <= '0;
      caught_q      <= '0;
      caught_word_q <= '0;
      load_q        <= '0;
      load_high_q   <= '0;
      second_q      <= '0;
      err_q         <= '0;
    end else begin
      phase_q       <= phase_d;
      asked_q       <= asked_d;
      coming_q      <= coming_d;
      addr_q        <= addr_d;
      low_q         <= low_d;
      high_q        <= high_d;
      first_q       <= first_d;
      word_q        <= word_d;
      left_q        <= left_d;
      caught_q      <= caught_d;
      caught_word_q <= caught_word_d;
      load_q        <= load_d;
      load_high_q   <= load_high_d;
      second_q      <= second_d;
      err_q         <= err_d;
    end
  end

  // A byte mask as a mask of bits.
  function automatic logic [31:0] spread(input logic [3:0] bytes);
    spread = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
  endfunction

  // Fields that shared memory has no use for.
  logic unused;
  assign unused = &{1'b0, s_hdr_i, s_ctl_i};

  initial begin
    if (Threads < 2 || Threads > 32 || (Threads & (Threads - 1)) != 0)
      $fatal(1, "lsu_smem: Threads must be a power of two, 2 to 32");
    if (SmemBytes < 128 || SmemBytes > Threads * 2048 || (SmemBytes & (SmemBytes - 1)) != 0) begin
      $fatal(1, "lsu_smem: SmemBytes must be a power of two, 128 to Threads * 2048");
    end
  end

`ifndef SYNTHESIS
  // lsu_rx gives only LDS and STS here. Grants answer requests, and a message
  // stays until it is done.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!s_valid_i || store || s_hdr_i[lsu_pkg::TYPE_LSB +: lsu_pkg::TYPE_W] == lsu_pkg::MSG_LDS);
    assert (!rf_gnt_i || rf_req_o);
    assert (!sm_gnt_i || sm_req_o);
    assert (!rw_gnt_i || rw_valid_o);
    assert (s_valid_i || phase_q == READ);
  end
`endif
endmodule

`default_nettype wire
