/*
 * parse.h - numbers as people type them. Each returns 0, or -1 with what is wrong in `why`; outputs
 * are written only on 0.
 */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include <stddef.h>
#include <stdint.h>

#define PARSE_WHY_BYTES 480
#define PARSE_SIZES_MAX 256

typedef struct parse_sizes {
    uint64_t values[PARSE_SIZES_MAX];
    size_t count;
} parse_sizes;

/* "32..2048" (doubling), "32,96,256", or both mixed; each at least 1; in the order written, each
 * once. */
int parse_size_list(const char *text, parse_sizes *out, char *why);
/* The same in bytes: "8KiB..1GiB", "4096,64KiB,1MB". KiB, MiB, GiB and TiB are powers of 1024; kB,
 * MB, GB and TB powers of 1000; B or nothing is bytes. Fractions are refused. */
int parse_byte_size_list(const char *text, parse_sizes *out, char *why);
/* A whole number from `least` to `most`. */
int parse_count(const char *text, uint32_t least, uint32_t most, uint32_t *out, char *why);
/* "10..100", or "30" for both; 0 for the one that is left out in "10.." and "..100". */
int parse_count_range(const char *text, uint32_t *least, uint32_t *most, char *why);
/* "2s", "500ms", "1min", "2h": more than 0, in ns. */
int parse_duration(const char *text, int64_t *ns, char *why);
/* "0.5%": more than 0, as a share. */
int parse_percent(const char *text, double *share, char *why);
/* The same, or the share itself, below 1: "5%", "0.05". */
int parse_share(const char *text, double *share, char *why);

#endif
