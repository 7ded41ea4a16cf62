/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks into an ELF file without trusting it: elf_at returns NULL for bytes that the file does not
 * have.
 */
#include "program_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- finding it ---- */

static bool is_program(const char *path) {
  struct stat status;
  return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

/* As a shell searches it; an empty folder is the present one. */
static bool find_on_path(const char *name, char path[PROGRAM_PATH]) {
  const char *folders = getenv("PATH");
  for (const char *at = folders ? folders : "/usr/bin:/bin"; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
    const int length = (int)strcspn(at, ":");
    if (snprintf(path, PROGRAM_PATH, "%.*s%s%s", length, at, length ? "/" : "", name) < PROGRAM_PATH &&
        is_program(path))
      return true;
  }
  return false;
}

/* A name with a slash is a path; any other is searched for. */
static bool find_program(const char *name, char path[PROGRAM_PATH], trouble_t *trouble) {
  if (!strchr(name, '/'))
    return find_on_path(name, path) || trouble_set(trouble, TROUBLE_INPUT, "no program '%s' on the PATH", name);
  if (snprintf(path, PROGRAM_PATH, "%s", name) >= PROGRAM_PATH)
    return trouble_set(trouble, TROUBLE_INPUT, "no file's name is as long as '%.60s...'", name);
  if (is_program(path)) return true;
  if (access(path, F_OK)) return trouble_set(trouble, TROUBLE_INPUT, "no program '%s': %s", name, strerror(errno));
  return trouble_set(trouble, TROUBLE_INPUT,
                     "'%s' is not a program; a file with permission to execute it would be right", name);
}

/* ---- what it is linked with ---- */

typedef struct {
  const uint8_t *bytes;
  size_t size;
} elf_t;

/* `bytes` bytes of the file at an offset. NULL: the file does not have them. */
static const void *elf_at(const elf_t *elf, uint64_t offset, uint64_t bytes) {
  return offset <= elf->size && bytes <= elf->size - offset ? elf->bytes + offset : NULL;
}

/* NULL: there is no header number i. */
static const Elf64_Phdr *program_header(const elf_t *elf, const Elf64_Ehdr *head, unsigned i) {
  return i < head->e_phnum && head->e_phentsize == sizeof(Elf64_Phdr)
             ? elf_at(elf, head->e_phoff + i * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr))
             : NULL;
}

/* Where the bytes at a virtual address are in the file. UINT64_MAX: nowhere. */
static uint64_t offset_of(const elf_t *elf, const Elf64_Ehdr *head, uint64_t address) {
  const Elf64_Phdr *p;
  for (unsigned i = 0; (p = program_header(elf, head, i)); i++)
    if (p->p_type == PT_LOAD && address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz)
      return p->p_offset + (address - p->p_vaddr);
  return UINT64_MAX;
}

static bool is_cuda_library(const char *library) {
  return !strncmp(library, "libcudart.so", 12) || !strncmp(library, "libcuda.so", 10);
}

/* Notes a library of CUDA that the program names; others are the system's. */
static void add_need(const elf_t *elf, uint64_t offset, program_file_t *file) {
  const char *name = elf_at(elf, offset, 1);
  if (!name || !memchr(name, 0, elf->size - offset) || strlen(name) >= PROGRAM_LIBRARY || !is_cuda_library(name) ||
      file->needs == PROGRAM_NEEDS)
    return;
  snprintf(file->need[file->needs++], PROGRAM_LIBRARY, "%s", name);
}

/* DT_RPATH goes before LD_LIBRARY_PATH, unless there is a DT_RUNPATH. */
static void read_needs(const elf_t *elf, const Elf64_Ehdr *head, const Elf64_Phdr *dynamic, program_file_t *file) {
  const uint64_t count = dynamic->p_filesz / sizeof(Elf64_Dyn);
  const Elf64_Dyn *d = elf_at(elf, dynamic->p_offset, count * sizeof *d);
  uint64_t strings = UINT64_MAX;
  bool later_path = false;
  for (uint64_t i = 0; d && i < count; i++) {
    if (d[i].d_tag == DT_STRTAB) strings = offset_of(elf, head, d[i].d_un.d_ptr);
    file->first_path |= d[i].d_tag == DT_RPATH;
    later_path |= d[i].d_tag == DT_RUNPATH;
  }
  file->first_path &= !later_path;
  for (uint64_t i = 0; d && strings != UINT64_MAX && i < count; i++)
    if (d[i].d_tag == DT_NEEDED) add_need(elf, strings + d[i].d_un.d_val, file);
}

/* A script or a program of another kind is left to the system. False: it is linked statically. */
static bool read_elf(const elf_t *elf, program_file_t *file, trouble_t *trouble) {
  const Elf64_Ehdr *head = elf_at(elf, 0, sizeof *head);
  const Elf64_Phdr *p;
  bool dynamic = false;
  if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64) return true;
  for (unsigned i = 0; (p = program_header(elf, head, i)); i++) {
    dynamic |= p->p_type == PT_INTERP;
    if (p->p_type == PT_DYNAMIC) read_needs(elf, head, p, file);
  }
  return dynamic ||
         trouble_set(
             trouble, TROUBLE_INPUT,
             "%s is linked statically, so no libcuda can be given to it; linked with -cudart shared and not with "
             "-static it runs",
             file->path);
}

/* A file that cannot be read may still be executable: nothing is known of it then. */
static bool read_file(program_file_t *file, trouble_t *trouble) {
  struct stat status;
  int fd = open(file->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true; /* may be executed, not read */
  void *bytes = fstat(fd, &status) || !status.st_size
                    ? MAP_FAILED
                    : mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (bytes == MAP_FAILED) return true;
  const bool good = read_elf(&(elf_t){bytes, (size_t)status.st_size}, file, trouble);
  munmap(bytes, (size_t)status.st_size);
  return good;
}

bool program_file_find(const char *name, const char *libraries, program_file_t *file, trouble_t *trouble) {
  char path[PROGRAM_PATH + PROGRAM_LIBRARY + 2];
  *file = (program_file_t){.needs = 0};
  if (!find_program(name, file->path, trouble) || !read_file(file, trouble)) return false;
  for (unsigned i = 0; i < file->needs; i++) {
    snprintf(path, sizeof path, "%s/%s", libraries, file->need[i]);
    if (access(path, R_OK))
      return trouble_set(trouble, TROUBLE_INPUT,
                         "%s needs %s; libcuda.so.1 and libcudart.so.11.0, .12 and .13 are what there is", file->path,
                         file->need[i]);
  }
  return true;
}
