// SPDX-License-Identifier: Apache-2.0
//
// A block in Icarus Verilog behind dut.h: every device is a process of vvp of its own, driven over
// a socket by icarus_vpi.c inside it. Compiled once per object with BLOCK, PORTS_FILE,
// PORTS_HEADER, HAVE_PROBES, ICARUS_VVP (the compiled block), ICARUS_FOLDER and ICARUS_MODULE
// (where the VPI module is, and its name), and the parameters from variant.h.
//
// Icarus knows X and Z: an output that has one of them, though it is valid, does not match, and
// get_undefined says which bits. $error and $fatal of the RTL are lines on vvp's standard output.
// No snapshots: what wants to go back starts a process anew.
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <ftw.h>
#include <new>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "dut.h"
#include "icarus_frame.h"
#include "random.h"
}
#include "variant.h"
extern "C" {
#include PORTS_HEADER
#include "port_elements.h"
}

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#pragma GCC diagnostic ignored "-Wunused-variable"

extern char **environ;
// The shim's own calls, by the names that go past images.c (wraps.h).
extern "C" {
std::FILE *__real_fopen(const char *name, const char *mode);
char *__real_getenv(const char *name);
int __real_posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]);
}

namespace {

using in_t = CAT(BLOCK, _in_t);
using out_t = CAT(BLOCK, _out_t);

// A field of a struct of ports as a type, and an output: its value, with zeros where it is
// undefined, and where that is.
template <std::size_t pin_words> struct vector { uint32_t word[pin_words]; };
template <typename pin_t> struct four_state { pin_t value, undefined; };

// The ports as the frames have them.
struct device_t {
#ifdef NO_CLOCK
  uint64_t no_clock; // the bench has a clock that goes nowhere
#else
#define CLOCK(name) uint64_t name;
#endif
#ifndef UNCOMPARED
#define RESET(name, level, sync) uint64_t name;
#endif
#define IN(name, width, valid) uint64_t name##_i;
#define IN_V(name, width, valid) vector<PORT_WORDS(width)> name##_i;
#define IN_S(name, type, valid) IN_V(name, PORT_WIDTH_##type, valid)
#define IN_FIELDS(name, type, width, valid) IN_V(name, width, valid)
#define OUT(name, width, valid) four_state<uint64_t> name##_o;
#define OUT_V(name, width, valid) four_state<vector<PORT_WORDS(width)>> name##_o;
#define OUT_S(name, type, valid) OUT_V(name, PORT_WIDTH_##type, valid)
#define PROBE OUT
#define PROBE_V OUT_V
#define PROBE_S OUT_S
#define OUT_FIELDS(name, type, width, valid) OUT_V(name, width, valid)
#define PROBE_FIELDS OUT_FIELDS
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
};

template <typename pin_t, typename field_t> inline void put(pin_t &pin, const field_t &field) {
  static_assert(sizeof pin == sizeof field, "a pin and its field are the same bytes");
  std::memcpy(&pin, &field, sizeof pin);
}
inline void put(uint64_t &pin, unsigned level) {
  pin = level;
}
template <std::size_t pin_words> inline void get(const vector<pin_words> &pin, uint32_t (&words)[pin_words]) {
  std::memcpy(words, &pin, sizeof words);
}
template <typename pin_t, typename field_t> inline void get(const four_state<pin_t> &pin, field_t &field) {
  static_assert(sizeof pin.value == sizeof field, "a pin and its field are the same bytes");
  std::memcpy(&field, &pin.value, sizeof field);
}
template <typename pin_t, typename field_t> inline bool same(const four_state<pin_t> &pin, const field_t &field) {
  static const pin_t defined{};
  return std::memcmp(&pin.value, &field, sizeof field) == 0 &&
         std::memcmp(&pin.undefined, &defined, sizeof defined) == 0;
}

#define undefined_bits(pin, words) get((pin).undefined, words)
#define PIN(name) top.name
#define PIN_IN(name) top.name##_i
#define PIN_OUT(name) top.name##_o
#include "shim_ports.h"

// Ones where an output is undefined; of fields that are not valid none. What qualifies others
// and is undefined itself counts as 1 (is_NAME), behind a ! as 0 (no_NAME): it may be valid.
void read_undefined(const device_t &top, out_t *out) {
  const uint64_t is_always = 1;
#define OUT(name, width, valid)                                           \
  const uint64_t is_##name = top.name##_o.value | top.name##_o.undefined; \
  const uint64_t no_##name = top.name##_o.value & ~uint64_t{top.name##_o.undefined};
#define PROBE OUT
#define OUT_FIELDS(name, type, width, valid)                                                 \
  decltype(out->name) is_##name, no_##name;                                                  \
  std::memcpy(&is_##name, &out->name, sizeof is_##name);                                     \
  std::memcpy(&no_##name, &out->name, sizeof no_##name);                                     \
  vector<PORT_WORDS(width)> either_##name = top.name##_o.value, sure_##name = either_##name; \
  for (std::size_t i = 0; i < PORT_WORDS(width); i++) {                                      \
    either_##name.word[i] |= top.name##_o.undefined.word[i];                                 \
    sure_##name.word[i] &= ~top.name##_o.undefined.word[i];                                  \
  }
#define OUT_FIELD(name, port, member, lsb, width, valid) \
  get_bits(either_##port.word, lsb, width, is_##name);   \
  get_bits(sure_##port.word, lsb, width, no_##name);
#define WHEN_OUT(number, text, on) const uint64_t is_##number = on;
#define OUT_FIELD_V OUT_FIELD
#define PROBE_FIELDS OUT_FIELDS
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD_V
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define OUT(name, width, valid) \
  if (is_##valid) std::memcpy(&out->name, &top.name##_o.undefined, sizeof out->name);
#define OUT_V OUT
#define OUT_S(name, type, valid) OUT(name, , valid)
#define OUT_N(name, n, width, valid)                                  \
  std::memcpy(&out->name, &top.name##_o.undefined, sizeof out->name); \
  port_clear_elements(out->name, n, width, is_##valid);
#define PROBE OUT
#define PROBE_V OUT
#define PROBE_S OUT_S
#define PROBE_N OUT_N
#define OUT_FIELD(name, port, member, lsb, width, valid) \
  if (is_##valid) get_bits(top.port##_o.undefined.word, lsb, width, out->name);
#define OUT_FIELD_V OUT_FIELD
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD_V
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

// --- frames

std::vector<uint32_t> input_frame(const device_t &top) {
  std::vector<uint32_t> frame{ICARUS_ALL};
  auto add = [&frame](const void *pin, std::size_t width) {
    const uint32_t *words = static_cast<const uint32_t *>(pin);
    frame.insert(frame.end(), words, words + (width + 31) / 32);
  };
#ifdef NO_CLOCK
  add(&top.no_clock, 1);
#else
  bool first = true; // the bench makes the others of it
#define CLOCK(name) \
  if (first) add(&top.name, 1), first = false;
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#ifndef UNCOMPARED
#define RESET(name, level, sync) add(&top.name, 1);
#endif
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
#define IN(name, width, valid) add(&top.name##_i, width);
#define IN_V IN
#define IN_S(name, type, valid) IN(name, PORT_WIDTH_##type, valid)
#define IN_FIELDS(name, type, width, valid) IN(name, width, valid)
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
  return frame;
}

constexpr std::size_t output_words = 0
#define OUT(name, width, valid) +2 * (((width) + 31) / 32)
#define OUT_V OUT
#define OUT_S(name, type, valid) OUT(name, PORT_WIDTH_##type, valid)
#define PROBE OUT
#define PROBE_V OUT
#define PROBE_S OUT_S
#define OUT_FIELDS(name, type, width, valid) OUT(name, width, valid)
#define PROBE_FIELDS OUT_FIELDS
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
    ;

// X is 1 in both planes, Z in the second alone.
template <typename pin_t> const uint32_t *take(four_state<pin_t> &pin, const uint32_t *at, std::size_t words) {
  uint32_t *value = reinterpret_cast<uint32_t *>(&pin.value), *undefined = reinterpret_cast<uint32_t *>(&pin.undefined);
  for (std::size_t i = 0; i < words; i++) {
    undefined[i] = at[words + i];
    value[i] = at[i] & ~undefined[i];
  }
  return at + 2 * words;
}

void unpack_outputs(device_t &top, const uint32_t *at) {
#define OUT(name, width, valid) at = take(top.name##_o, at, ((width) + 31) / 32);
#define OUT_V OUT
#define OUT_S(name, type, valid) OUT(name, PORT_WIDTH_##type, valid)
#define PROBE OUT
#define PROBE_V OUT
#define PROBE_S OUT_S
#define OUT_FIELDS(name, type, width, valid) OUT(name, width, valid)
#define PROBE_FIELDS OUT_FIELDS
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
}

// --- the process

int remove_one(const char *path, const struct stat *, int, struct FTW *) {
  return std::remove(path);
}

struct device {
  device_t top{};
  pid_t child = -1;
  int socket = -1, words = -1; // words: what it says
  std::string said, text, end; // said: a line that is not yet whole; end: what the process ended with
  std::string folder, start;   // of copies of memory images; where vvp starts in it
  bool has_failed = false, gone = false, fails = false; // fails: in this exchange
  bool used = false;                                    // since power-up

  ~device() {
    if (socket >= 0) close(socket); // it ends by itself when it reads no more
    if (words >= 0) close(words);
    int status;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (!folder.empty()) nftw(folder.c_str(), remove_one, 8, FTW_DEPTH | FTW_PHYS);
  }
};

std::string last_failure;    // of the last create, or of a call since that returned false
uint64_t seed = RANDOM_SEED; // of the next device

int high(int fd) { // out of the way of the descriptors that the child gets
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 16);
  close(fd);
  return copy;
}

// vvp opens memory images by itself: it starts in a folder of its own with copies of those that the
// RTL may name, some way down, so that a name may begin with "..".
bool make_folder(device *d) {
  const char *base = __real_getenv("TMPDIR");
  d->folder = std::string{base && *base == '/' ? base : "/tmp"} + "/lockstack-icarus-XXXXXX";
  if (!mkdtemp(&d->folder[0])) return d->folder.clear(), false;
  d->start = d->folder;
  for (int i = 0; i < 4; i++) mkdir((d->start += "/in").c_str(), 0700);
  return true;
}

bool copy_image(device *d, const std::string &name) {
  void *bytes;
  std::size_t size;
  if (name.empty() || !dut_read_file(name.c_str(), &bytes, &size)) return true;
  if (name[0] == '/') return std::free(bytes), true; // vvp opens it by this name
  bool ok = !d->folder.empty() || make_folder(d);
  for (std::size_t at = name.find('/'); ok && at != std::string::npos; at = name.find('/', at + 1))
    mkdir((d->start + "/" + name.substr(0, at)).c_str(), 0700);
  std::FILE *file = ok ? __real_fopen((d->start + "/" + name).c_str(), "w") : nullptr;
  ok = file && std::fwrite(bytes, 1, size, file) == size;
  std::free(bytes);
  return file && std::fclose(file) == 0 && ok;
}

bool copy_images(device *d) {
  for (unsigned i = 0; i < dut_num_images; i++)
    if (!copy_image(d, dut_images[i].name)) return false;
  return true;
}

bool start(device *d) {
  int ends[2], pipe_ends[2];
  if (!copy_images(d)) return false;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return false;
  if (pipe2(pipe_ends, O_CLOEXEC)) {
    close(ends[0]), close(ends[1]);
    return false;
  }
  int theirs = high(ends[1]), out = high(pipe_ends[1]);
  d->socket = high(ends[0]), d->words = high(pipe_ends[0]);
  fcntl(d->words, F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  if (!d->folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, d->start.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, out, 2);
  posix_spawn_file_actions_adddup2(&actions, theirs, ICARUS_FD);
  posix_spawnattr_init(&attributes); // a group of its own: Ctrl-C is not for it
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const std::string random = "+lockstack_seed=" + std::to_string(seed);
  const char *argv[] = {"vvp", "-n", "-M", ICARUS_FOLDER, "-m", ICARUS_MODULE, ICARUS_VVP, random.c_str(), nullptr};
  int failed = __real_posix_spawnp(&d->child, "vvp", &actions, &attributes, const_cast<char **>(argv), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(theirs), close(out);
  if (failed) d->child = -1, errno = failed;
  return !failed;
}

// Names of copies (harness/lockstep/objects) as those of the originals: "src/tree/rtl/x.sv",
// "src/at/home/a_x20b/x.sv".
std::string original_names(std::string text) {
  static const std::string tree = "src/tree/", other = "src/at/";
  for (std::size_t at; (at = text.find(tree)) != std::string::npos;) text.replace(at, tree.size(), ICARUS_TREE "/");
  for (std::size_t at; (at = text.find(other)) != std::string::npos;) {
    text.replace(at, other.size(), "/");
    unsigned sign;
    int used = 0;
    for (std::size_t x = at; (x = text.find("_x", x)) != std::string::npos && x < text.find(':', at); x++)
      if (std::sscanf(text.c_str() + x, "_x%2x%n", &sign, &used) == 1 && used == 4)
        text.replace(x, 4, 1, static_cast<char>(sign));
  }
  return text;
}

void fail(device *d, const std::string &text) {
  last_failure = original_names(text);
  if (!d->has_failed) d->text = last_failure;
  d->has_failed = d->fails = true;
}

// "ERROR: FILE:LINE: what", what being empty for an assertion, and $finish or $stop from
// icarus_vpi.c; "FATAL: ..." ends it.
void one_line(device *d, const std::string &line) {
  if (line.compare(0, 7, "ERROR: ") && line.compare(0, 7, "FATAL: ")) return;
  std::string text = line.substr(7);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (!text.empty() && text.back() == ':') text += " Assertion failed";
  fail(d, text);
}

void listen(device *d) {
  char bytes[4096];
  for (ssize_t n; (n = read(d->words, bytes, sizeof bytes)) > 0;) d->said.append(bytes, static_cast<std::size_t>(n));
  for (std::size_t end; (end = d->said.find('\n')) != std::string::npos; d->said.erase(0, end + 1))
    one_line(d, d->said.substr(0, end));
}

// An end without a word of the RTL is none of its failures.
void lost(device *d) {
  d->gone = true;
  listen(d);
  if (!d->has_failed)
    fail(d, DUT_ENVIRONMENT "vvp (Icarus Verilog) has ended: " +
                (d->said.empty() ? std::string{"it was killed"} : d->said));
  d->end = last_failure;
  if (d->end.find(DUT_ENVIRONMENT) != 0 && d->end.find(DUT_INTERRUPTED) != 0)
    d->end = DUT_ENDED + d->end + ", and vvp (Icarus Verilog) has ended with it";
}

bool deliver(device *d, const void *bytes, std::size_t size) {
  const char *at = static_cast<const char *>(bytes);
  while (size) {
    ssize_t n = send(d->socket, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

double cpu_seconds(pid_t process) {
  clockid_t clock;
  timespec t;
  if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &t)) return 0;
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Icarus Verilog has an always_comb wake itself by what it writes to words of arrays and parts of
// vectors: time then stands still.
bool stands_still(device *d, double since) {
  static bool before; // what comes after the first time is the same failure again, to record it
  const unsigned most = dut_guard->seconds ? dut_guard->seconds : 10; // the largest block takes less than one
  const bool stopped = dut_guard->interrupted && dut_guard->interrupted();
  if (!stopped && cpu_seconds(d->child) - since < (before ? 0.1 : 1.0) * most) return false;
  if (stopped) fail(d, DUT_INTERRUPTED "interrupted");
  else
    fail(d, DUT_ENVIRONMENT "vvp (Icarus Verilog) computes one clock cycle for more than " + std::to_string(most) +
                " s of CPU time: a loop without delay, for it");
  before = before || !stopped;
  kill(d->child, SIGKILL);
  return true;
}

bool receive(device *d, void *bytes, std::size_t size) {
  char *at = static_cast<char *>(bytes);
  double since = cpu_seconds(d->child);
  while (size) {
    pollfd fds[] = {{d->socket, POLLIN, 0}, {d->words, POLLIN, 0}}; // it may have much to say before it answers
    int ready = poll(fds, 2, 100);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0 && stands_still(d, since)) return false;
    if (ready <= 0) continue;
    if (fds[1].revents & POLLIN) listen(d);
    if (!(fds[0].revents & (POLLIN | POLLHUP))) continue;
    ssize_t n = recv(d->socket, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

// A frame there and the answer back. False: an assertion failed, or the process is gone.
bool exchange(device *d, const std::vector<uint32_t> &frame) {
  uint32_t count = 0, answer[output_words + 1];
  d->fails = false;
  if (d->gone) {
    last_failure = d->end;
    return false;
  }
  bool ok = deliver(d, frame.data(), frame.size() * sizeof frame[0]) && receive(d, &count, sizeof count);
  ok = ok && (count == 0 || count == output_words) && receive(d, answer, count * sizeof answer[0]);
  if (!ok) {
    lost(d);
    return false;
  }
  if (count) unpack_outputs(d->top, answer);
  listen(d);
  return !d->fails;
}

// --- dut.h

bool dev_eval(void *dev) {
  device *d = static_cast<device *>(dev);
  set_clock(d->top, 0);
  return exchange(d, input_frame(d->top));
}

bool dev_step(void *dev) {
  static const std::vector<uint32_t> rising{ICARUS_CLOCK};
  return exchange(static_cast<device *>(dev), rising);
}

void dev_set_inputs(void *dev, const void *in) {
  set_inputs(static_cast<device *>(dev)->top, static_cast<const in_t *>(in));
}

bool dev_matches(void *dev, const void *out) {
  device *d = static_cast<device *>(dev);
  return d->gone || outputs_match(d->top, static_cast<const out_t *>(out)); // gone: eval has said so
}

void (*canonical)(void *out);

void dev_get_outputs(void *dev, void *out) {
  read_outputs(static_cast<device *>(dev)->top, static_cast<out_t *>(out));
  canonical(out);
}

void dev_get_undefined(void *dev, void *out) {
  std::memset(out, 0, sizeof(out_t));
  read_undefined(static_cast<device *>(dev)->top, static_cast<out_t *>(out));
}

// Initial blocks run here: a parameter out of range is a $fatal.
bool power_up(device *d) {
  zero_inputs(d->top);
  set_reset(d->top, true);
  if (start(d)) return dev_eval(d);
  fail(d, DUT_ENVIRONMENT "vvp (Icarus Verilog) cannot be started: " + std::string{std::strerror(errno)});
  return false;
}

// A block without a reset begins anew at power-up.
void dev_reset(void *dev, const void *in) {
  device *d = static_cast<device *>(dev);
#ifdef UNCOMPARED
  if (d->used && !d->gone) {
    d->~device();
    new (d) device;
    if (!power_up(d)) return;
  }
#endif
  if (!d->gone) d->has_failed = false;
  reset_inputs(d->top, static_cast<const in_t *>(in));
  set_reset(d->top, true);
  for (int i = 0; i < reset_cycles; i++) {
    dev_eval(d);
    dev_step(d);
  }
  set_reset(d->top, false);
  d->used = true;
}

void dev_seed(uint64_t number) {
  seed = number;
}

void *dev_create() {
  device *d = new (std::nothrow) device;
  last_failure.clear();
  if (!d) return nullptr;
  if (power_up(d)) return d;
  last_failure = (d->text.find("Unable to open") == std::string::npos ? "" : DUT_INPUT) + d->text;
  delete d;
  return nullptr;
}

void dev_destroy(void *dev) {
  delete static_cast<device *>(dev);
}

const char *dev_failure(void *dev) {
  if (!dev) return last_failure.empty() ? nullptr : last_failure.c_str();
  device *d = static_cast<device *>(dev);
  return d->has_failed ? d->text.c_str() : nullptr;
}

} // namespace

extern "C" void dut_shim_fill(dut_t *dut) {
  canonical = dut->canonical;
  dut->seed = dev_seed;
  dut->create = dev_create;
  dut->destroy = dev_destroy;
  dut->reset = dev_reset;
  dut->set_inputs = dev_set_inputs;
  dut->eval = dev_eval;
  dut->matches = dev_matches;
  dut->get_outputs = dev_get_outputs;
  dut->get_undefined = dev_get_undefined;
  dut->step = dev_step;
  dut->failure = dev_failure;
}
