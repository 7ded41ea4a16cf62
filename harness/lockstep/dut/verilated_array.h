// SPDX-License-Identifier: Apache-2.0
//
// Ports of the Verilated class that are unpacked arrays. The class has them as references to arrays
// of C++; recipe_arrays.c writes these types in their place, which also say how many bits an
// element has. put, get and same are those of verilated_shim.cpp: the shim sees one vector, with
// the element of the least index in the lowest bits, and of several dimensions the last one
// counting first.
#ifndef VERILATED_ARRAY_H
#define VERILATED_ARRAY_H

#include "verilated.h"

#include <cstring>
#include <type_traits>

namespace lockstack {

template <unsigned width, typename elements_t> struct array {
  static constexpr unsigned bits = width * (sizeof(elements_t) / sizeof(std::remove_all_extents_t<elements_t>));
  static constexpr unsigned words = (bits + 63) / 64 * 2; // as PORT_WORDS
  elements_t &elements;
  array(elements_t &of) : elements(of) {}
};

inline uint64_t take(const uint32_t *words, unsigned lsb, unsigned width) {
  uint64_t value = 0;
  for (unsigned done = 0, count; done < width; done += count) {
    const unsigned bit = (lsb + done) % 32;
    count = width - done < 32 - bit ? width - done : 32 - bit;
    value |= (words[(lsb + done) / 32] >> bit & ((uint64_t{1} << count) - 1)) << done;
  }
  return value;
}

// The bits of `words` are 0 before.
inline void give(uint32_t *words, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned done = 0, count; done < width; done += count) {
    const unsigned bit = (lsb + done) % 32;
    count = width - done < 32 - bit ? width - done : 32 - bit;
    words[(lsb + done) / 32] |= static_cast<uint32_t>((value >> done & ((uint64_t{1} << count) - 1)) << bit);
  }
}

template <unsigned width, typename element_t>
void put_element(element_t &element, const uint32_t *words, unsigned lsb) {
  element = static_cast<element_t>(take(words, lsb, width));
}
template <unsigned width, std::size_t n> void put_element(VlWide<n> &element, const uint32_t *words, unsigned lsb) {
  for (unsigned at = 0; at < width; at += 32)
    element[at / 32] = static_cast<uint32_t>(take(words, lsb + at, width - at < 32 ? width - at : 32));
}

template <unsigned width, typename element_t>
void get_element(const element_t &element, uint32_t *words, unsigned lsb) {
  give(words, lsb, width, element);
}
template <unsigned width, std::size_t n> void get_element(const VlWide<n> &element, uint32_t *words, unsigned lsb) {
  for (unsigned at = 0; at < width; at += 32)
    give(words, lsb + at, width - at < 32 ? width - at : 32, element[at / 32]);
}

// Calls `move` for each element with its lowest bit.
template <unsigned width, typename elements_t, typename move_t>
void each_element(elements_t &elements, unsigned &lsb, const move_t &move) {
  if constexpr (std::is_array_v<elements_t>) {
    for (auto &inner : elements) each_element<width>(inner, lsb, move);
  } else {
    move(elements, lsb);
    lsb += width;
  }
}

template <unsigned width, typename elements_t> void put(array<width, elements_t> &port, const uint32_t *words) {
  unsigned lsb = 0;
  each_element<width>(port.elements, lsb, [words](auto &e, unsigned at) { put_element<width>(e, words, at); });
}
template <unsigned width, typename elements_t> void put(array<width, elements_t> &port, uint64_t value) {
  const uint32_t words[] = {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
  put(port, words);
}

template <unsigned width, typename elements_t, std::size_t n>
void get(const array<width, elements_t> &port, uint32_t (&words)[n]) {
  unsigned lsb = 0;
  std::memset(words, 0, sizeof words);
  each_element<width>(port.elements, lsb, [&words](const auto &e, unsigned at) { get_element<width>(e, words, at); });
}
template <unsigned width, typename elements_t> void get(const array<width, elements_t> &port, uint64_t &value) {
  uint32_t words[2];
  get(port, words);
  value = words[0] | static_cast<uint64_t>(words[1]) << 32;
}

template <unsigned width, typename elements_t> bool same(const array<width, elements_t> &port, const uint32_t *words) {
  uint32_t mine[array<width, elements_t>::words];
  get(port, mine);
  return std::memcmp(mine, words, sizeof mine) == 0;
}
template <unsigned width, typename elements_t> bool same(const array<width, elements_t> &port, uint64_t value) {
  uint64_t mine;
  get(port, mine);
  return mine == value;
}

} // namespace lockstack

#endif
