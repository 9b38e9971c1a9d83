// What the programs that make files have in common: seeded random numbers (SplitMix64), and copies of files.
#include <stdint.h>
#include <stdio.h>

static uint64_t state;

static uint64_t next_random(void) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static int below(int bound) { return (int)(next_random() % (uint64_t)bound); }

// A file that is missing has no copy.
static inline void copy(const char *from, const char *to) {
  FILE *in = fopen(from, "rb");
  if (!in) return;
  FILE *out = fopen(to, "wb");
  char buffer[65536];
  size_t count;
  while ((count = fread(buffer, 1, sizeof buffer, in)) > 0) fwrite(buffer, 1, count, out);
  fclose(in);
  fclose(out);
}
