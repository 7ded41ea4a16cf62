/* SPDX-License-Identifier: Apache-2.0
 *
 * A proof's description, with the parameters of arb_rr; and the same bytes as a port file.
 */
#include "proof.h"

#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static proof_t proof;
  trouble_t trouble = {0};
  const char *path = fuzz_file(data, size);
  memset(&proof, 0, sizeof proof);
  strcpy(proof.block, "arb_rr");
  if (!proof_read_ports(&proof, LOCKSTACK_SOURCE_DIR, path, &trouble)) fuzz_check_error(trouble.text);
  fuzz_check(proof.num_defaults <= PROOF_MOST, "no more parameters than there is room for");
  bool ports = proof_read_ports(&proof, LOCKSTACK_SOURCE_DIR, LOCKSTACK_SOURCE_DIR "/rtl/lib/arb_rr.ports", &trouble);
  fuzz_check(ports && proof.num_defaults, "arb_rr has parameters");
  if (!proof_read(&proof, path, &trouble)) {
    fuzz_check_error(trouble.text);
    return 0;
  }
  for (unsigned i = 0; i < proof.num_claims; i++)
    for (unsigned p = 0; p < proof.num_params; p++) proof_applies(&proof, proof.claims[i].only, proof.params[p]);
  if (!proof_set(&proof, "NumReq=5", &trouble)) fuzz_check_error(trouble.text);
  return 0;
}
