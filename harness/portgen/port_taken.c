/* SPDX-License-Identifier: Apache-2.0 */
#include "port_taken.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

typedef struct {
  const char *whose;
  const char *names; /* with a blank before and behind each name */
} taken_t;

enum { ASSERT, WORDS_OF_C };

static const taken_t all[] = {
    [ASSERT] = {"assert.h's: it switches off the model's assertions", " NDEBUG "},
    [WORDS_OF_C] =
        {"a word of C",
         " alignas alignof asm auto bool break case char const continue default do double else enum extern false "
         "float for goto if inline int long "
         "noreturn register restrict return short signed sizeof static static_assert struct switch thread_local true "
         "typedef typeof union unsigned "
         "void volatile while "},
    {"a macro of C's library",
     " linux unix assert errno stdin stdout stderr offsetof va_arg va_copy va_end va_start setjmp NULL EOF BUFSIZ "
     "FILENAME_MAX FOPEN_MAX "
     "L_tmpnam TMP_MAX SEEK_SET SEEK_CUR SEEK_END RAND_MAX EXIT_SUCCESS EXIT_FAILURE MB_CUR_MAX MB_LEN_MAX "
     "CLOCKS_PER_SEC TIME_UTC CHAR_BIT "
     "CHAR_MIN CHAR_MAX CHAR_WIDTH SCHAR_MIN SCHAR_MAX UCHAR_MAX SHRT_MIN SHRT_MAX USHRT_MAX INT_MIN INT_MAX "
     "INT_WIDTH UINT_MAX LONG_MIN "
     "LONG_MAX ULONG_MAX LLONG_MIN LLONG_MAX ULLONG_MAX BOOL_MAX SIZE_MAX SSIZE_MAX PTRDIFF_MIN PTRDIFF_MAX WCHAR_MIN "
     "WCHAR_MAX WINT_MIN WINT_MAX WEOF SIG_ATOMIC_MIN SIG_ATOMIC_MAX SIG_DFL SIG_ERR SIG_IGN NSIG PATH_MAX NAME_MAX "
     "PIPE_BUF "
     "NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL MAXFLOAT FLT_MIN FLT_MAX "
     "FLT_DIG FLT_EPSILON FLT_RADIX FLT_ROUNDS DBL_MIN DBL_MAX DBL_DIG DBL_EPSILON LDBL_MIN LDBL_MAX DECIMAL_DIG EDOM "
     "EILSEQ ERANGE EINVAL "
     "ENOMEM EINTR EIO "},
    {"a macro of Lockstack's",
     " CLOG2 PORTGEN PORTS_FILE PORTS_HEADER PORTS_H PORT_WORDS VARIANT_H BLOCK MODEL_HEADER DUT_KIND DUT_CLASS "
     "DUT_HEADER DUT_SYMS_HEADER "
     "DUT_H STIM_H RNG_H HAVE_STIM HAVE_DEVICE HAVE_PROBES HAVE_FAULTS HAVE_COV SRAMS NUM_STRUCTS T_STATE T_IN T_OUT "
     "STR STR_ CAT CAT_ FIELD "
     "ENDS LEVEL_low LEVEL_high always "},
};

/* Names reserved by form: __x and _X for the compiler; INT8_MAX, UINT_LEAST16_WIDTH and PRIx64 for
 * stdint.h and inttypes.h; VM_, VL_ and LOCKSTACK_ for tools. */
static const char *taken_by_form(const char *name) {
  static const char *const ends[] = {"_MAX", "_MIN", "_C", "_WIDTH"};
  const char *at = name + (*name == 'U');
  if (name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1])))
    return "the compiler's, as all names are that begin with __ or _ and a capital";
  if (strncmp(name, "VM_", 3) == 0 || strncmp(name, "VL_", 3) == 0)
    return "Verilator's, as all names are that begin with VM_ and VL_";
  if (strncmp(name, "LOCKSTACK_", 10) == 0) return "Lockstack's, as all names are that begin with LOCKSTACK_";
  if (strncmp(at, "INT", 3)) return NULL;
  at += 3;
  if (strncmp(at, "_LEAST", 6) == 0) at += 6;
  else if (strncmp(at, "_FAST", 5) == 0) at += 5;
  if (strncmp(at, "MAX", 3) == 0 || strncmp(at, "PTR", 3) == 0) at += 3;
  else if (isdigit((unsigned char)*at)) at += strspn(at, "0123456789");
  else return NULL;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (strcmp(at, ends[i]) == 0) return "a macro of stdint.h";
  return NULL;
}

static bool is_among(const taken_t *taken, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = taken->names; n && (at = strstr(at, name)); at += n)
    if (at[-1] == ' ' && at[n] == ' ') return true;
  return false;
}

bool port_is_word_of_c(const char *name) {
  return is_among(&all[WORDS_OF_C], name);
}

const char *port_taken(const char *name) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (is_among(&all[i], name)) return all[i].whose;
  return taken_by_form(name);
}
