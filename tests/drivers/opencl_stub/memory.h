/* Buffers, as commands on them and mappings of them see them. */
#ifndef OPENCL_STUB_MEMORY_H
#define OPENCL_STUB_MEMORY_H

#include "objects.h"

cl_int buffer_check_range(cl_command_queue queue, cl_mem buffer, size_t offset, size_t size);
cl_int buffer_check_host(cl_mem buffer, bool reads, bool writes);

/* What a command reads or writes, until it is closed. A command on memory that is mapped, other
 * than reading what is mapped for reading, is a misuse. */
unsigned char *buffer_open(cl_mem buffer, bool writes);
void buffer_close(cl_mem buffer);

void map_check_command(cl_mem buffer, bool writes);
unsigned long long maps_alive(void);

#endif
