// SPDX-License-Identifier: Apache-2.0
//
// Part of verilated_shim.cpp for objects of kind rtl+faults: registers and memories by name,
// expanded from states.def, which harness/lockstep/objects makes. They are public to Verilator, so
// that whatever depends on one is computed anew in the next evaluation.
#ifndef VERILATED_STATE_H
#define VERILATED_STATE_H

#define DUT_SYMS CAT(DUT_CLASS, __Syms)

// Elements of a variable's storage: rows of a memory, however many dimensions it has.
template <typename state_t> struct rows { static constexpr uint32_t count = 1; };
template <typename state_t, std::size_t num_rows> struct rows<VlUnpacked<state_t, num_rows>> {
  static constexpr uint32_t count = num_rows * rows<state_t>::count;
};

#define TYPE_OF(storage) decltype(std::declval<DUT_SYMS &>().storage)

constexpr dut_state_t states[] = {
#define STATE(name, storage, bits) {name, (bits) / rows<TYPE_OF(storage)>::count, rows<TYPE_OF(storage)>::count},
#include "states.def"
#undef STATE
    {nullptr, 0, 0},
};
constexpr unsigned num_states = sizeof states / sizeof *states - 1;

#define STATE(name, storage, bits) +sizeof(TYPE_OF(storage))
constexpr std::size_t state_size = 0
#include "states.def"
    ;
#undef STATE

DUT_SYMS &syms_of(void *dev) {
  return *static_cast<device *>(dev)->top.rootp->vlSymsp;
}

void state_get(void *dev, void *bytes) {
  const DUT_SYMS &syms = syms_of(dev);
  char *at = static_cast<char *>(bytes);
#define STATE(name, storage, bits) std::memcpy(at, &syms.storage, sizeof syms.storage), at += sizeof syms.storage;
#include "states.def"
#undef STATE
}

void state_set(void *dev, const void *bytes) {
  DUT_SYMS &syms = syms_of(dev);
  const char *at = static_cast<const char *>(bytes);
#define STATE(name, storage, bits) std::memcpy(&syms.storage, at, sizeof syms.storage), at += sizeof syms.storage;
#include "states.def"
#undef STATE
}

void flip(void *dev, unsigned state, uint32_t element, uint32_t bit) {
  DUT_SYMS &syms = syms_of(dev);
  unsigned char *at = nullptr;
  std::size_t size = 0;
  unsigned i = 0;
#define STATE(name, storage, bits) \
  if (i++ == state) at = reinterpret_cast<unsigned char *>(&syms.storage), size = sizeof syms.storage;
#include "states.def"
#undef STATE
  at[element * (size / states[state].elements) + bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
}

#endif
