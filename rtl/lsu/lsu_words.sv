// SPDX-License-Identifier: Apache-2.0
//
// lsu_words -- the data of the loads under way: up to eight bytes for each entry and thread.
//
//   answer 0, 1 --> per thread: 8 aligned bytes, shifted --> word of (entry, thread)
//   rd_entry --> per thread: word, extended to 32 bits --> row_o
//
// Two answers may come in a cycle, also for one entry; their threads take their bytes at its end.
// row_o is combinational, from state. A row may be wanted in the cycle after its last answer, and
// two entries may be written at once. So the data are in flip-flops and in no sram.

`default_nettype none

module lsu_words #(
  parameter  int Entries = 4,                                 // loads under way, 1 to 16
  localparam int EntryW  = Entries > 1 ? $clog2(Entries) : 1  // bits of an entry's number
) (
  input  wire logic                         clk_i,       // core clock; no reset
  // Answers: 0 from the near-bank units, 1 from other cores
  input  wire logic [1:0]                   wr_valid_i,  // bit 0: answer of a near-bank unit, 1: of another core
  input  wire logic [2*EntryW-1:0]          wr_entry_i,  // EntryW an answer: its load
  input  wire logic [63:0]                  wr_lanes_i,  // 32 bits an answer: threads that it is for
  input  wire logic [319:0]                 wr_off_i,    // 5 bits a thread and answer: byte in the transfer
  input  wire logic [511:0]                 wr_data_i,   // 32 bytes an answer
  // A row
  input  wire logic                         rd_valid_i,  // a row is wanted; 0: row_o is 0
  input  wire logic [EntryW-1:0]            rd_entry_i,  // of this load
  input  wire logic [31:0]                  rd_mask_i,   // threads of the load; 0 for the others
  input  wire logic [lsu_pkg::SIZE_W-1:0]   rd_size_i,   // binary logarithm of the bytes a thread: 0 to 3
  input  wire logic                         rd_sign_i,   // extend one and two bytes with their sign
  input  wire logic                         rd_high_i,   // of eight bytes: 1 the high words, 0 the low
  output      logic [lsu_pkg::ROW_BITS-1:0] row_o        // 32 words, same cycle
);

  for (genvar t = 0; t < 32; t++) begin : gen_thread
    logic [Entries*64-1:0] word_q;                        // 64 bits an entry
    logic [63:0]           new0, new1, word;
    logic [31:0]           row;

    // An address is a multiple of the size, so a datum is within eight aligned bytes. Above the
    // datum the shift leaves bytes that are not the thread's. They are stored, and the size cuts
    // them off where the row is made.
    always_comb begin
      new0 = '0;
      if (wr_valid_i[0]) begin
        case (wr_off_i[t*5+3 +: 2])
          2'd0:    new0 = wr_data_i[63:0];
          2'd1:    new0 = wr_data_i[127:64];
          2'd2:    new0 = wr_data_i[191:128];
          default: new0 = wr_data_i[255:192];
        endcase
        new0 = new0 >> {wr_off_i[t*5 +: 3], 3'd0};
      end
    end
    always_comb begin
      new1 = '0;
      if (wr_valid_i[1]) begin
        case (wr_off_i[160+t*5+3 +: 2])
          2'd0:    new1 = wr_data_i[319:256];
          2'd1:    new1 = wr_data_i[383:320];
          2'd2:    new1 = wr_data_i[447:384];
          default: new1 = wr_data_i[511:448];
        endcase
        new1 = new1 >> {wr_off_i[160+t*5 +: 3], 3'd0};
      end
    end

    // A thread of an entry is in one transfer only, so two answers never bring the same datum. A
    // thread without an answer keeps what an earlier load left; rd_mask_i hides it.
    for (genvar e = 0; e < Entries; e++) begin : gen_entry
      always_ff @(posedge clk_i) begin
        if (wr_valid_i[0] && wr_lanes_i[t] && wr_entry_i[EntryW-1:0] == EntryW'(e))
          word_q[e*64 +: 64] <= new0;
        else if (wr_valid_i[1] && wr_lanes_i[32+t] && wr_entry_i[2*EntryW-1:EntryW] == EntryW'(e))
          word_q[e*64 +: 64] <= new1;
      end
    end

    // The register of a thread, extended to 32 bits.
    always_comb begin
      word = '0;
      row  = '0;
      if (rd_valid_i && rd_mask_i[t]) begin
        for (int e = 0; e < Entries; e++) if (rd_entry_i == EntryW'(e)) word = word_q[e*64 +: 64];
        case (rd_size_i)
          2'd0:    row = {{24{rd_sign_i && word[7]}}, word[7:0]};
          2'd1:    row = {{16{rd_sign_i && word[15]}}, word[15:0]};
          2'd2:    row = word[31:0];
          default: row = rd_high_i ? word[63:32] : word[31:0];
        endcase
      end
    end
    assign row_o[t*32 +: 32] = row;
  end
endmodule

`default_nettype wire
