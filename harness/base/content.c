/* SPDX-License-Identifier: Apache-2.0 */
#include "content.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static const int64_t second_ns = 1000000000;
enum {
  MOUNT_UNIQUE = 0x4000 /* STATX_MNT_ID_UNIQUE, which the C library may not know */,
  WANTED = STATX_BASIC_STATS | MOUNT_UNIQUE
};

void content_free(content_t *content) {
  for (size_t i = 0; i < content->count; i++) free(content->files[i].path);
  free(content->files);
  *content = (content_t){0};
}

/* ---- one file */

static int64_t nanoseconds(struct timespec t) {
  return (int64_t)t.tv_sec * second_ns + t.tv_nsec;
}

/* The mount's number, because a new disk may get the device number of an old one. Kernels since
 * Linux 6.8 give each mount a number of its own. The device of / stays while the system runs, so
 * its further mounts (containers, jobs) count as one. */
static uint64_t mount_of(const struct statx *s) {
  static dev_t root;
  struct stat info;
  if (!root && stat("/", &info) == 0) root = info.st_dev;
  return s->stx_mask & MOUNT_UNIQUE && makedev(s->stx_dev_major, s->stx_dev_minor) != root ? s->stx_mnt_id << 32 : 0;
}

static int64_t time_of(struct statx_timestamp t) {
  return t.tv_sec * second_ns + t.tv_nsec;
}

static content_stamp_t stamp_of(const struct statx *s) {
  const uint64_t device = makedev(s->stx_dev_major, s->stx_dev_minor) ^ mount_of(s);
  return (content_stamp_t){device, s->stx_ino, (int64_t)s->stx_size, time_of(s->stx_mtime), time_of(s->stx_ctime)};
}

/* False if the file was written so recently that another write might not change its times. */
static bool is_settled(const content_stamp_t *stamp) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const int64_t since = nanoseconds(now) - CONTENT_SETTLED * second_ns;
  return stamp->mtime_ns < since && stamp->ctime_ns < since;
}

/* True for file systems that give a file a new time at each write, also through mmap. A tmpfs does
 * not for mmap, and a network file system may show old times. */
static bool has_times(int descriptor) {
  enum { XFS = 0x58465342, ZFS = 0x2fc12fc1, BCACHEFS = 0xca451a4e, JFS = 0x3153464a };
  struct statfs info;
  if (fstatfs(descriptor, &info)) return false;
  switch ((uint32_t)info.f_type) {
  case EXT4_SUPER_MAGIC: /* ext2 and ext3, too */
  case BTRFS_SUPER_MAGIC:
  case F2FS_SUPER_MAGIC:
  case OVERLAYFS_SUPER_MAGIC:
  case SQUASHFS_MAGIC:
  case ISOFS_SUPER_MAGIC:
  case XFS:
  case ZFS:
  case BCACHEFS:
  case JFS: return true;
  default: return false;
  }
}

content_stamp_t content_stamp(int descriptor) {
  struct statx info;
  if (statx(descriptor, "", AT_EMPTY_PATH, WANTED, &info)) return (content_stamp_t){.size = -1};
  content_stamp_t stamp = stamp_of(&info);
  if (!is_settled(&stamp) || !has_times(descriptor)) stamp.size = -1;
  return stamp;
}

bool content_look(const char *path, content_stamp_t *now) {
  struct statx info;
  if (statx(AT_FDCWD, path, 0, WANTED, &info)) return false;
  *now = stamp_of(&info);
  return true;
}

bool content_same_stamp(const content_stamp_t *was, const content_stamp_t *now) {
  return was->size >= 0 && memcmp(was, now, sizeof *now) == 0;
}

static void finish_sum(SHA2_CTX *context, char sum[CONTENT_SUM]) {
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256Final(digest, context);
  for (size_t i = 0; i < sizeof digest; i++) snprintf(sum + 2 * i, 3, "%02x", digest[i]);
}

static bool sum_descriptor(int descriptor, char sum[CONTENT_SUM]) {
  uint8_t bytes[1 << 16];
  SHA2_CTX context;
  ssize_t n;
  SHA256Init(&context);
  while ((n = read(descriptor, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) SHA256Update(&context, bytes, (size_t)n);
  finish_sum(&context, sum);
  return n == 0;
}

/* The content of a folder, "lib/", is its resolved path. There is no stamp, since a link's times
 * are not the folder's. */
static bool sum_folder(const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp) {
  char *real = realpath(path, NULL);
  if (!real) return false;
  content_sum_bytes(real, strlen(real), sum);
  free(real);
  *stamp = (content_stamp_t){.size = -1};
  return true;
}

/* Reads and sums the file. The stamp is taken before the read, so that a concurrent write shows
 * next time. */
static bool read_sum(const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp) {
  struct stat info;
  if (*path && path[strlen(path) - 1] == '/') return sum_folder(path, sum, stamp);
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  bool ok = fstat(descriptor, &info) == 0;
  if (ok && S_ISDIR(info.st_mode)) ok = false, errno = EISDIR;
  if (ok) *stamp = content_stamp(descriptor);
  ok = ok && sum_descriptor(descriptor, sum);
  const int error = errno;
  close(descriptor);
  errno = error;
  return ok;
}

bool content_sum(const char *path, char sum[CONTENT_SUM]) {
  content_stamp_t stamp;
  return read_sum(path, sum, &stamp);
}

bool content_sum_stamp(const char *path, char sum[CONTENT_SUM], content_stamp_t *stamp) {
  return read_sum(path, sum, stamp);
}

void content_sum_bytes(const void *bytes, size_t size, char sum[CONTENT_SUM]) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, bytes, size);
  finish_sum(&context, sum);
}

/* ---- the list */

content_file_t *content_find(const content_t *content, const char *path) {
  for (size_t i = 0; i < content->count; i++)
    if (strcmp(content->files[i].path, path) == 0) return &content->files[i];
  return NULL;
}

static content_file_t *add_content_file(content_t *content, const char *path, const char *sum) {
  if (content->count == content->room) {
    const size_t room = content->room ? 2 * content->room : 64;
    content_file_t *more = reallocarray(content->files, room, sizeof *more);
    if (!more) return content->failed = true, NULL;
    content->files = more, content->room = room;
  }
  content_file_t *file = &content->files[content->count];
  *file = (content_file_t){.path = strdup(path), .stamp = {.size = -1}};
  if (!file->path) return content->failed = true, NULL;
  snprintf(file->sum, sizeof file->sum, "%s", sum);
  content->count++;
  return file;
}

bool content_note(content_t *content, const char *path, trouble_t *trouble) {
  char sum[CONTENT_SUM];
  content_stamp_t stamp;
  if (content_find(content, path)) return true;
  if (!read_sum(path, sum, &stamp)) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  content_file_t *file = add_content_file(content, path, sum);
  if (!file) return trouble_memory(trouble);
  file->stamp = stamp;
  return true;
}

void content_note_none(content_t *content, const char *path) {
  if (!content_find(content, path)) add_content_file(content, path, CONTENT_NONE);
}

void content_note_sum(content_t *content, const char *path, const char *sum) {
  if (!content_find(content, path)) add_content_file(content, path, sum);
}

/* ---- is all as it was? */

static bool is_same(content_file_t *file, size_t *read) {
  char sum[CONTENT_SUM];
  content_stamp_t stamp, now;
  const bool there = content_look(file->path, &now);
  if (strcmp(file->sum, CONTENT_NONE) == 0) return !there;
  if (!there) return false;
  if (content_same_stamp(&file->stamp, &now)) return true;
  if (!read_sum(file->path, sum, &stamp) || strcmp(sum, file->sum) != 0) return false;
  file->stamp = stamp;
  if (read && stamp.size >= 0) ++*read;
  return true;
}

const content_file_t *content_changed(content_t *content, size_t *read) {
  if (read) *read = 0;
  for (size_t i = 0; i < content->count; i++)
    if (!is_same(&content->files[i], read)) return &content->files[i];
  return NULL;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const content_file_t *)a)->path, ((const content_file_t *)b)->path);
}

void content_key(content_t *content, char key[CONTENT_SUM]) {
  SHA2_CTX context;
  SHA256Init(&context);
  qsort(content->files, content->count, sizeof *content->files, by_path);
  for (size_t i = 0; i < content->count; i++) {
    const content_file_t *file = &content->files[i];
    SHA256Update(&context, (const uint8_t *)file->path, strlen(file->path) + 1);
    SHA256Update(&context, (const uint8_t *)file->sum, strlen(file->sum) + 1);
  }
  finish_sum(&context, key);
}

/* ---- as text */

#define LINE "%s %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %s\n"

void content_write(const content_t *content, FILE *file) {
  for (size_t i = 0; i < content->count; i++) {
    const content_file_t *f = &content->files[i];
    fprintf(file, LINE, f->sum, f->stamp.device, f->stamp.inode, f->stamp.size, f->stamp.mtime_ns, f->stamp.ctime_ns,
            f->path);
  }
}

/* Parses one line; a path may hold anything but a line end. The line is copied, because sscanf
 * measures the whole rest of the text. */
static bool read_line(content_t *content, const char *text, int length) {
  content_file_t f = {0};
  char path[4096], line[sizeof path + 256];
  int at = 0;
  if (length >= (int)sizeof line) return false;
  memcpy(line, text, (size_t)length);
  line[length] = 0;
  if (sscanf(line, "%64s %" SCNu64 " %" SCNu64 " %" SCNd64 " %" SCNd64 " %" SCNd64 "%n", f.sum, &f.stamp.device,
             &f.stamp.inode, &f.stamp.size, &f.stamp.mtime_ns, &f.stamp.ctime_ns, &at) != 6)
    return false;
  const size_t sum = strlen(f.sum);
  if (line[at] != ' ' || at + 1 >= length || length - at > (int)sizeof path) return false;
  if (strcmp(f.sum, CONTENT_NONE) && (sum != CONTENT_SUM - 1 || strspn(f.sum, "0123456789abcdef") != sum)) return false;
  snprintf(path, sizeof path, "%.*s", length - at - 1, line + at + 1);
  content_file_t *file = add_content_file(content, path, f.sum);
  if (file) file->stamp = f.stamp;
  return file != NULL;
}

bool content_read(content_t *content, const char *text) {
  while (*text) {
    const char *end = strchr(text, '\n');
    if (!end || !read_line(content, text, (int)(end - text))) return false;
    text = end + 1;
  }
  return true;
}
