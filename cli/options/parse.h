/* SPDX-License-Identifier: MIT */
/*
 * parse.h - parses numbers from the command line. Each function returns 0, or -1 with a message in
 * `reason`. Outputs are written only on 0.
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

/* Writes the sentence, and returns -1. */
int parse_refuse(char *reason, const char *sentence);
/* Parses "32..2048" (doubling), "32,96,256", or a mix; each at least 1, perhaps with a unit: "16Mi",
 * "64k". Keeps the order and drops duplicates. */
int parse_size_list(const char *text, parse_sizes *out, char *reason);
/* Parses sizes in bytes: "8KiB..1GiB", "4096,64KiB,1MB". KiB, MiB, GiB and TiB are powers of 1024;
 * kB, MB, GB and TB powers of 1000; B or no unit is bytes. Refuses fractions. */
int parse_byte_size_list(const char *text, parse_sizes *out, char *reason);
/* Parses a whole number from `least` to `most`. */
int parse_count(const char *text, uint32_t least, uint32_t most, uint32_t *out, char *reason);
/* Parses a range: "10..100", or "30" for both limits; 0 for the limit missing in "10.." or
 * "..100". */
int parse_count_range(const char *text, uint32_t *least, uint32_t *most, char *reason);
/* Parses a duration above 0, such as "2s", "500ms", "1min" or "2h"; writes it in ns. */
int parse_duration(const char *text, int64_t *ns, char *reason);
/* Parses a width such as "85mm", "8.5cm", "3.35in" or "241pt"; writes it in mm. */
int parse_width(const char *text, double least_mm, double most_mm, double *mm, char *reason);
/* Parses a percentage above 0, such as "0.5%"; writes 0.005. */
int parse_percent(const char *text, double *share, char *reason);
/* Parses a percentage or a share below 1: "5%", "0.05". */
int parse_share(const char *text, double *share, char *reason);

#endif
