// What the programs that call at random share: numbers that a seed decides, and memory of exactly the size that a call is told. Under the
// address sanitizer each block is one of the heap; otherwise it lies between two protected pages, at the start or at the end of its memory.
#ifndef RANDOM_H
#define RANDOM_H
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uint64_t state;
static unsigned long round_number;

static inline uint32_t below(uint32_t bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(((state >> 32) * bound) >> 32);
}

static inline bool one_in(uint32_t times) { return below(times) == 0; }

static inline size_t at_most(size_t most) { return below((uint32_t)most + 1); }

#define CHECK(condition)                                                                       \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      fprintf(stderr, "%s:%d: round %lu: %s\n", __FILE__, __LINE__, round_number, #condition); \
      exit(1);                                                                                 \
    }                                                                                          \
  } while (0)

// Memory of exactly `length` bytes; perhaps null for none.
struct block {
  char *at;
  size_t length;
  char *mapped;
};

enum { PAGE = 4096 };

static inline size_t pages(size_t length) { return (length + PAGE - 1) / PAGE * PAGE + 2 * PAGE; }

static inline struct block make(size_t length) {
  struct block block = {NULL, length, NULL};
  if (length == 0 && one_in(2)) return block;
#ifdef __SANITIZE_ADDRESS__
  block.at = block.mapped = malloc(length);
  CHECK(block.at || length == 0);
#else
  size_t all = pages(length);
  block.mapped = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(block.mapped != MAP_FAILED);
  CHECK(mprotect(block.mapped, PAGE, PROT_NONE) == 0 && mprotect(block.mapped + all - PAGE, PAGE, PROT_NONE) == 0);
  block.at = one_in(2) ? block.mapped + PAGE : block.mapped + all - PAGE - length;
#endif
  return block;
}

static inline struct block copy(const char *bytes, size_t length) {
  struct block block = make(length);
  if (length) memcpy(block.at, bytes, length);
  return block;
}

static inline void drop(struct block *block) {
#ifdef __SANITIZE_ADDRESS__
  free(block->mapped);
#else
  if (block->mapped) CHECK(munmap(block->mapped, pages(block->length)) == 0);
#endif
  block->at = block->mapped = NULL;
}

// Bytes that grow.
struct bytes {
  char *at;
  size_t length, room;
};

static inline void append(struct bytes *to, const char *bytes, size_t length) {
  if (to->room - to->length < length) {
    to->room = 2 * to->room + length + 64;
    to->at = realloc(to->at, to->room);
    CHECK(to->at);
  }
  if (length) memcpy(to->at + to->length, bytes, length);
  to->length += length;
}

static inline bool same(const struct bytes *a, const struct bytes *b) {
  return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length) == 0);
}

static inline void forget(struct bytes *bytes) {
  free(bytes->at);
  memset(bytes, 0, sizeof *bytes);
}

#endif
