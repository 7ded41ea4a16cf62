/* SPDX-License-Identifier: Apache-2.0
 *
 * A beat is collected phit by phit; the complete beat shows for one cycle.
 */
#include "nsu_rx.h"

void nsu_rx_reset(nsu_rx_t *s) {
  *s = (nsu_rx_t){0};
}

/* The packet types that an NSU receives. */
static bool nsu_rx_known(unsigned type) {
  switch (type) {
  case PKT_CMD:
  case PKT_WTA:
  case PKT_RDF_RESP:
  case PKT_WRITE_ACK:
  case PKT_IFILL:
  case PKT_CFILL: return true;
  default: return false;
  }
}

void nsu_rx_eval(const nsu_rx_t *s, const nsu_rx_in_t *in, nsu_rx_out_t *out) {
  (void)in;
  const uint32_t *hdr = s->beat + LINE_WORDS;
  unsigned type = s->rx_valid ? (unsigned)HDR_GET(hdr, type) : 0;
  out->in_credit = s->rx_valid ? 1u << s->in_class : 0;
  out->rx_valid = s->rx_valid;
  if (s->rx_valid) {
    memcpy(out->rx_hdr, hdr, PKT_HDR_WORDS * sizeof *hdr);
    memcpy(out->rx_data, s->beat, LINE_WORDS * sizeof *hdr);
  }
  out->rx_cmd = type == PKT_CMD;
  out->rx_wta = type == PKT_WTA;
  out->rx_rdr = type == PKT_RDF_RESP;
  out->rx_wack = type == PKT_WRITE_ACK;
  out->rx_ifill = type == PKT_IFILL;
  out->rx_cfill = type == PKT_CFILL;
  out->err_type = s->rx_valid && !nsu_rx_known(type);
  out->err_class = s->rx_valid && nsu_rx_known(type) && pkt_type_class(type) != (int)s->in_class;
}

/* Rule 3: every phit is taken. The class is that of a beat's last phit (rule 4). */
void nsu_rx_step(nsu_rx_t *s, const nsu_rx_in_t *in) {
  s->rx_valid = false;
  if (!in->in_valid) return;
  beat_put_phit(s->beat, s->count++, PortBits, in->in_phit);
  if (s->count < BEAT_PHITS) return;
  s->count = 0;
  s->rx_valid = true;
  s->in_class = in->in_class;
}

bool nsu_rx_idle(const nsu_rx_t *s) {
  return !s->rx_valid;
}
