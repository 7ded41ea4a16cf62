#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A header field has its width from its family's list (a packet's from rtl/nsu/nsu_packet.def, a
# TSV message's from rtl/lsu/lsu_msg.def), by the name that the family's package gives it, and
# nowhere a number: of what RTL of the families declares, nothing that is named as a field (X,
# at_X, with _i, _o, _d, _q or without) has that field's width written as [N:0].
#   field_widths.sh FOLDER    FILE:LINE: NAME ...
#   field_widths.sh --fires   it sees such a declaration of each kind, and no other

# Fields of the list on standard input ("name width", "name each*count"), in the files; % in
# `called` is a field's name.
literals() { # literals CALLED UPPER FILE...
  awk -v called="$1" -v upper="$2" '
    FILENAME == "-" { n = split($2, factor, "*"); width[$1] = n > 1 ? factor[1] * factor[2] : factor[1]; fields++; next }
    { sub(/\/\/.*/, "") }
    FNR == 1 { bits = 0 } # the width of the names that follow; 0: none, or not a number alone
    {
      text = $0
      while (match(text, /\[[0-9]+:0\]|[A-Za-z_][A-Za-z_0-9]*|[^ \t]/)) {
        word = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (word ~ /^\[/ && RLENGTH > 1) bits = substr(word, 2) + 1
        else if (word !~ /^[A-Za-z_,]/ || word ~ /^(input|output|logic|localparam|begin|end)$/) bits = 0
        else if (bits && word != ",") {
          name = word
          sub(/_([io]|[dq][0-9]*)$/, "", name)
          for (field in width)
            if (width[field] == bits && (name == field || substr(name, length(name) - length(field)) == "_" field)) {
              right = called
              sub(/%/, upper ? toupper(field) : field, right)
              printf "%s:%d: %s is the field %s: [%s-1:0]\n", FILENAME, FNR, word, field, right
            }
        }
      }
    }
    END { if (!fields) print "no fields in the list of " called }' - "${@:3}"
}

check() ( # check FOLDER
  cd "$1" || exit 3
  shopt -s nullglob
  packets=(rtl/nsu/*.sv rtl/offload/*.sv)
  messages=(rtl/lsu/*.sv)
  [ "${#packets[@]}" -gt 0 ] && [ "${#messages[@]}" -gt 0 ] || { echo 'field_widths.sh: no RTL'; exit 3; }
  found=$(
    sed -nE 's/^PKT_FIELD\((\w+), *([0-9]+),.*/\1 \2/p; s/^PKT_FIELD_V\((\w+), *([0-9]+), *([0-9]+),.*/\1 \2*\3/p' \
      rtl/nsu/nsu_packet.def |
      literals nsu_pkg::PKT_%_W 0 "${packets[@]}"
    sed -nE 's/^LSU_FIELD\((\w+), *[0-9]+, *([0-9]+),.*/\1 \2/p' rtl/lsu/lsu_msg.def |
      literals lsu_pkg::%_W 1 "${messages[@]}"
  )
  [ -z "$found" ] || { echo "$found"; exit 1; }
)

fires() {
  local folder said list
  folder=$(mktemp -d) || exit 3
  trap 'rm -rf "$folder"' EXIT
  mkdir -p "$folder"/rtl/{nsu,offload,lsu}
  printf '%s\n' 'PKT_FIELD(slot,  6, "of warps")' 'PKT_FIELD(mask, 32, "threads")' \
    'PKT_FIELD_V(offs, 32, 7, "bytes")' >"$folder/rtl/nsu/nsu_packet.def"
  printf '%s\n' 'logic [nsu_pkg::PKT_slot_W-1:0] slot_q;' 'logic [5:0] slots, idx_q; // slot' \
    'logic [2:0] unused_mask;' 'assign x = y[5:0] & slot_q;' \
    'logic [5:0] x;' 'logic slot;' >"$folder/rtl/nsu/good.sv"
  printf '%s\n' 'LSU_FIELD(nbu,  4,  2, "unit")' >"$folder/rtl/lsu/lsu_msg.def"
  printf '%s\n' 'logic [lsu_pkg::NBU_W-1:0] nbu_q;' 'logic [5:0] slot;' >"$folder/rtl/lsu/good.sv"
  said=$(check "$folder") || { echo "field_widths.sh complains of what is right: $said"; exit 1; }
  printf '%s\n' 'logic [5:0] a, slot_q;' '  input  wire logic [31:0] wb_mask_i,' >"$folder/rtl/nsu/bad.sv"
  printf '%s\n' 'function automatic logic f(input logic [5:0] go_slot, input logic [4:0] slot);' \
    'logic [223:0] offs_q2 [0:3];' >"$folder/rtl/offload/bad.sv"
  printf '%s\n' '  logic [1:0] head_nbu;' >"$folder/rtl/lsu/bad.sv"
  said=$(check "$folder") && { echo 'field_widths.sh sees no width'; exit 1; }
  [ "$said" = 'rtl/nsu/bad.sv:1: slot_q is the field slot: [nsu_pkg::PKT_slot_W-1:0]
rtl/nsu/bad.sv:2: wb_mask_i is the field mask: [nsu_pkg::PKT_mask_W-1:0]
rtl/offload/bad.sv:1: go_slot is the field slot: [nsu_pkg::PKT_slot_W-1:0]
rtl/offload/bad.sv:2: offs_q2 is the field offs: [nsu_pkg::PKT_offs_W-1:0]
rtl/lsu/bad.sv:1: head_nbu is the field nbu: [lsu_pkg::NBU_W-1:0]' ] || { echo "field_widths.sh says: $said"; exit 1; }
  rm "$folder"/rtl/*/bad.sv
  for list in nsu/nsu_packet lsu/lsu_msg; do
    mv "$folder/rtl/$list.def" "$folder/kept"
    : >"$folder/rtl/$list.def"
    check "$folder" >/dev/null && { echo "field_widths.sh is content without fields of $list"; exit 1; }
    mv "$folder/kept" "$folder/rtl/$list.def"
  done
  true
}

case $1 in
--fires) fires ;;
*) check "${1:?field_widths.sh FOLDER}" ;;
esac
