// Encrypts files as Realm Core does, under the key 0, 1, 2, …, 63: `encrypt_realm FOLDER COUNT SEED` makes N.db of N.plain.
// Some pages are left as an interrupted write leaves them: with the entry of the next contents before the page.
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared.h"

enum { PAGE = 4096, PAGES = 64 };

static uint8_t key[64];

static void encrypt(const uint8_t *plain, uint32_t counter, uint64_t offset, uint8_t *out) {
  uint8_t vector[16] = {0};
  int count = 0;
  for (int i = 0; i < 4; i++) vector[i] = (uint8_t)(counter >> (8 * i));
  for (int i = 0; i < 8; i++) vector[4 + i] = (uint8_t)(offset >> (8 * i));
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), NULL, key, vector);
  EVP_CIPHER_CTX_set_padding(context, 0);
  EVP_EncryptUpdate(context, out, &count, plain, PAGE);
  EVP_CIPHER_CTX_free(context);
  if (count != PAGE) exit(3);
}

static void store(uint8_t *entry, uint32_t counter, const uint8_t *page) {
  unsigned length = 0;
  for (int i = 0; i < 4; i++) entry[i] = (uint8_t)(counter >> (8 * i));
  HMAC(EVP_sha224(), key + 32, 32, page, PAGE, entry + 4, &length);
  if (length != 28) exit(4);
}

static void make(const char *folder, int file) {
  char from[1100], to[1100];
  snprintf(from, sizeof from, "%s/%d.plain", folder, file);
  snprintf(to, sizeof to, "%s/%d.db", folder, file);
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  if (!in || !out) exit(5);
  static uint8_t plain[PAGE], other[PAGE], page[PAGE], next[PAGE], entries[PAGE];
  for (uint64_t number = 0;; number++) {
    memset(plain, 0, PAGE);
    if (fread(plain, 1, PAGE, in) == 0) break;
    if (number % PAGES == 0) memset(entries, 0, PAGE);
    uint8_t *entry = entries + 64 * (number % PAGES);
    uint32_t counter = 1 + (uint32_t)below(1000);
    encrypt(plain, counter, number * PAGE, page);
    store(entry, counter, page);
    if (below(4) == 0) {
      for (int i = 0; i < PAGE; i++) other[i] = (uint8_t)(plain[i] + 1);
      encrypt(other, counter + 1, number * PAGE, next);
      memcpy(entry + 32, entry, 32);
      store(entry, counter + 1, next);
    }
    fseek(out, (long)((number / PAGES) * (PAGES + 1) * PAGE), SEEK_SET);
    fwrite(entries, 1, PAGE, out);
    fseek(out, (long)((number / PAGES * (PAGES + 1) + 1 + number % PAGES) * PAGE), SEEK_SET);
    fwrite(page, 1, PAGE, out);
  }
  fclose(in);
  fclose(out);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  for (int i = 0; i < 64; i++) key[i] = (uint8_t)i;
  for (int file = 0; file < atoi(arguments[2]); file++) {
    state = strtoull(arguments[3], NULL, 10) * 1000003 + (uint64_t)file;
    make(arguments[1], file);
  }
  return 0;
}
