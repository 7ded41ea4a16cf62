/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions by which an object may learn what is outside of it, or end the process that judges it.
 * The linker sends each such call of an object's own code to a __wrap_ function (--wrap). One list
 * for the linker's options (harness/lockstep/objects/recipe_compile.c) and for those functions.
 * Included with
 *   WRAP(name)                                   written by hand: images.c, the ends of the process
 *                                                in variant.c
 *   UNKNOWN(type, name, parameters, arguments)   nobody knows what it saw; images.c makes the
 *                                                function of the row
 */
/* clang-format off */
WRAP(fopen) WRAP(fopen64) WRAP(freopen) WRAP(freopen64)
WRAP(open) WRAP(open64) WRAP(openat) WRAP(openat64) WRAP(__open_2) WRAP(__open64_2)
WRAP(getenv) WRAP(secure_getenv) WRAP(vfork)
WRAP(exit) WRAP(_exit) WRAP(_Exit) WRAP(quick_exit)

UNKNOWN(int, stat, (const char *path, struct stat *info), (path, info))
UNKNOWN(int, stat64, (const char *path, struct stat64 *info), (path, info))
UNKNOWN(int, lstat, (const char *path, struct stat *info), (path, info))
UNKNOWN(int, lstat64, (const char *path, struct stat64 *info), (path, info))
UNKNOWN(int, fstatat, (int folder, const char *path, struct stat *info, int flags), (folder, path, info, flags))
UNKNOWN(int, statx, (int folder, const char *path, int flags, unsigned mask, struct statx *info),
        (folder, path, flags, mask, info))
UNKNOWN(int, access, (const char *path, int mode), (path, mode))
UNKNOWN(int, faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags))
UNKNOWN(DIR *, opendir, (const char *path), (path))
UNKNOWN(int, scandir, (const char *path, struct dirent ***list, int (*want)(const struct dirent *),
                       int (*compare)(const struct dirent **, const struct dirent **)), (path, list, want, compare))
UNKNOWN(int, glob, (const char *pattern, int flags, int (*failed)(const char *, int), glob_t *found),
        (pattern, flags, failed, found))
UNKNOWN(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size))
UNKNOWN(char *, realpath, (const char *path, char *to), (path, to))
UNKNOWN(int, socket, (int family, int type, int protocol), (family, type, protocol))
UNKNOWN(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))
UNKNOWN(void *, dlopen, (const char *path, int flags), (path, flags))
UNKNOWN(FILE *, popen, (const char *command, const char *mode), (command, mode))
UNKNOWN(int, system, (const char *command), (command))
UNKNOWN(pid_t, fork, (void), ())
UNKNOWN(int, posix_spawn, (pid_t *child, const char *path, const void *actions, const void *attributes,
                           char *const argv[], char *const environment[]),
        (child, path, actions, attributes, argv, environment))
UNKNOWN(int, posix_spawnp, (pid_t *child, const char *file, const void *actions, const void *attributes,
                            char *const argv[], char *const environment[]),
        (child, file, actions, attributes, argv, environment))
UNKNOWN(long, syscall, (long number, long a, long b, long c, long d, long e, long f), (number, a, b, c, d, e, f))
