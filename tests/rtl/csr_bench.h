// SPDX-License-Identifier: Apache-2.0
// Base of testbenches of the blocks of registers: the map as tables (from the generated lists for C), structs at a
// block's ports taken apart, and which struct a register belongs to, by its name. It does not read
// hw/regs/fpgauge.toml.
#pragma once
#include <string>
#include <vector>

#include "hw/regs/fpgauge_regs.h"
#include "tb.h"

namespace csr {

enum Access { ro, rw, wo };
enum Kind { setting, index_of_table, written_through, window, value, flags };

struct Register {
  std::string name;
  uint32_t offset;
  Access access;
  unsigned bits, count;

  unsigned words() const { return bits > 32 ? 2 : 1; }
  unsigned octets() const { return 4 * words() * count; }
  uint32_t mask(unsigned word) const {
    const unsigned here = word == 1 && words() == 2 ? bits - 32 : bits < 32 ? bits : 32;
    return here == 32 ? UINT32_MAX : (UINT32_C(1) << here) - 1;
  }
  unsigned side() const { return name.rfind("TX_", 0) == 0 ? 1 : name.rfind("TCP_", 0) == 0 ? 2 : 0; } // rx, tx, tcp
  Kind kind() const {
    if (access == wo) return written_through;
    if (name == "LINK_STATUS") return flags; // belongs to the port, to no table
    if (name == "TCP_STATUS" || name == "TCP_CONNECTIONS" || name == "LINK_FLAPS") return value; // belongs to no table
    if (access == ro) return window;
    return name.size() > 6 && name.compare(name.size() - 6, 6, "_INDEX") == 0 ? index_of_table : setting;
  }
};

#define CSR_ROW(NAME, offset, access, bits, count) {#NAME, offset, access, bits, count},
inline const std::vector<Register> &port_registers() {
  static const std::vector<Register> list = {FPGAUGE_PORT_REGISTERS(CSR_ROW)};
  return list;
}
inline const std::vector<Register> &global_registers() {
  static const std::vector<Register> list = {FPGAUGE_GLOBAL_REGISTERS(CSR_ROW)};
  return list;
}
#undef CSR_ROW

// The register at an offset, or null; *word is its word.
inline const Register *find(const std::vector<Register> &list, uint32_t offset, unsigned *word) {
  for (const Register &r : list)
    if (offset % 4 == 0 && offset >= r.offset && offset < r.offset + r.octets()) {
      *word = (offset - r.offset) / 4;
      return &r;
    }
  return nullptr;
}

// A packed struct as a model fills it, or as a port shows it: members from the most significant bit down.
class Struct {
 public:
  void add(const std::string &name, unsigned bits) {
    members_.push_back({name, bits});
    total_ += bits;
  }
  bool has(const std::string &name) const {
    for (const Member &m : members_)
      if (m.name == name) return true;
    return false;
  }
  unsigned total() const { return total_; }

  // Exits if there is no such member: the testbench is wrong then.
  uint64_t get(const std::vector<uint8_t> &image, const std::string &name) const {
    unsigned bits;
    const unsigned low = place(name, &bits);
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++)
      value |= static_cast<uint64_t>(image[(low + i) / 8] >> ((low + i) % 8) & 1) << i;
    return value;
  }
  template <class Port> std::vector<uint8_t> image(const Port &port) const {
    std::vector<uint8_t> octets(sizeof(port) > (total_ + 7) / 8 ? sizeof(port) : (total_ + 7) / 8);
    tb::get_octets(port, octets.data(), octets.size());
    return octets;
  }
  // Random members at a port, nothing above them; returns the image.
  template <class Port> std::vector<uint8_t> put_random(Port &port, tb::Random &random) const {
    std::vector<uint8_t> octets(sizeof(port));
    for (unsigned i = 0; i < total_; i++)
      octets[i / 8] = static_cast<uint8_t>(octets[i / 8] | random.below(2) << i % 8);
    tb::put_octets(port, octets.data(), octets.size());
    return octets;
  }
  // The port carries these members and nothing else.
  template <class Port> void fits(const Port &, const char *name) const {
    const unsigned words = (total_ + 31) / 32, port = sizeof(Port) / 4;
    tb::check(total_ <= 16 || port == words, "%s: %u bits expected, the port has %u words", name, total_, port);
  }

 private:
  struct Member {
    std::string name;
    unsigned bits;
  };
  std::vector<Member> members_;
  unsigned total_ = 0;

  unsigned place(const std::string &name, unsigned *bits) const {
    unsigned low = total_;
    for (const Member &m : members_) {
      low -= m.bits;
      if (m.name == name) {
        *bits = m.bits;
        return low;
      }
    }
    fprintf(stderr, "no member %s\n", name.c_str());
    exit(2);
  }
};

}  // namespace csr
