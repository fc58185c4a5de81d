#define _GNU_SOURCE /* program_invocation_short_name, MAP_NORESERVE */
#include "support/alloc.h"
#include "tracers/common/writer.h"

#include <kerntime/kerntime.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALIGNMENT      64
#define GROWTH         ((uint64_t)4 << 20) /* and first size: chroot() may end the growth */
#define ROWS_BYTES     ((uint64_t)1 << 30) /* address range for rows and windows */
#define RESERVED_MIN   ((uint64_t)8 << 20)
#define FILES_MAX      10000 /* of a process number in a folder */
#define TEXT_BYTES_MAX 4096

/*
 * No file descriptor stays open: a program that closes descriptors which it does not know would
 * close it, and its number would then be another file's. So the file is opened again to grow.
 */
static struct {
    char folder[PATH_MAX - 64], path[PATH_MAX];
    unsigned char *base;
    uint64_t mapped, size; /* bytes of address range, and of the file */
    dev_t device;
    ino_t inode;
} file;

void *tracer_at(uint64_t offset)
{
    return file.base + offset;
}

uint64_t tracer_offset(const void *at)
{
    return (uint64_t)((const unsigned char *)at - file.base);
}

/* False: with errno set. Beyond the limit, the system would end the process with SIGXFSZ. */
static bool allocate(int fd, uint64_t offset, uint64_t bytes)
{
    struct rlimit limit;
    errno = EFBIG;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        offset + bytes > limit.rlim_cur)
        return false;
    do
        errno = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
    while (errno == EINTR);
    return errno == 0;
}

/* Faults at once cost less than one by one. Where the system cannot, they come later. */
static void populate(uint64_t begin, uint64_t end)
{
#ifdef MADV_POPULATE_WRITE
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    begin = (begin + page - 1) / page * page;
    if (begin < end)
        madvise(file.base + begin, end - begin, MADV_POPULATE_WRITE);
#else
    (void)begin;
    (void)end;
#endif
}

static bool grow(uint64_t end)
{
    if (end > file.mapped)
        return false;
    int fd = open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    struct stat now;
    bool is_same = fstat(fd, &now) == 0 && now.st_dev == file.device && now.st_ino == file.inode;
    uint64_t generous = (end + GROWTH - 1) / GROWTH * GROWTH;
    if (generous > file.mapped)
        generous = end;
    bool done = false;
    if (is_same && allocate(fd, file.size, generous - file.size)) {
        populate(file.size, generous);
        file.size = generous;
        done = true;
    } else if (is_same && generous > end && allocate(fd, file.size, end - file.size)) {
        file.size = end;
        done = true;
    }
    close(fd);
    return done;
}

uint64_t tracer_file_reserve(size_t bytes)
{
    trace_file_head *head = tracer_at(0);
    uint64_t offset = atomic_load_explicit(&head->used, memory_order_relaxed);
    uint64_t end = offset + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (end > file.size && !grow(end))
        return 0;
    atomic_store_explicit(&head->used, end, memory_order_release);
    return offset;
}

uint64_t tracer_file_text(const char *text)
{
    size_t length = strnlen(text, TEXT_BYTES_MAX - 1);
    uint64_t offset = tracer_file_reserve(length + 1);
    if (offset)
        memcpy(tracer_at(offset), text, length); /* the rest is zero */
    return offset;
}

/* Makes a file of a name that does not exist. -1 with errno. */
static int make_file(void)
{
    for (int i = 0; i < FILES_MAX; i++) {
        snprintf(file.path, sizeof file.path, "%s/" TRACE_FILE_PREFIX "%ld-%d", file.folder,
                 (long)getpid(), i);
        int fd = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static bool note_identity(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return false;
    file.device = status.st_dev;
    file.inode = status.st_ino;
    return true;
}

static void fill_head(trace_file_head *head, trace_api api, const char *rank)
{
    snprintf(head->version, sizeof head->version, "%s", kt_version());
    head->api = (uint32_t)api;
    head->process = getpid();
    head->parent = getppid();
    snprintf(head->program, sizeof head->program, "%.127s", program_invocation_short_name);
    snprintf(head->rank, sizeof head->rank, "%s", rank);
}

static uint64_t head_bytes(void)
{
    return (sizeof(trace_file_head) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Maps a large address range, of which only what the file has is used. */
static bool map_file(int fd, uint64_t wanted)
{
    for (file.mapped = wanted; file.mapped >= RESERVED_MIN; file.mapped /= 2) {
        void *at =
            mmap(NULL, file.mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (at == MAP_FAILED)
            continue;
        file.base = at;
        return true;
    }
    return false;
}

static void explain(char *reason, size_t reason_bytes, int code)
{
    snprintf(reason, reason_bytes, "a file in the trace folder could not be made: %s",
             strerror(code));
}

bool tracer_file_open(const char *folder, trace_api api, const char *rank, char *reason,
                      size_t reason_bytes)
{
    int length = snprintf(file.folder, sizeof file.folder, "%s", folder);
    if (length < 0 || (size_t)length >= sizeof file.folder) {
        snprintf(reason, reason_bytes, "the path of the trace folder is too long");
        return false;
    }
    int fd = make_file(), code = errno;
    if (fd >= 0) {
        file.size = GROWTH;
        bool done =
            allocate(fd, 0, file.size) || (file.size = head_bytes(), allocate(fd, 0, file.size));
        done = done && note_identity(fd) &&
               map_file(fd, ROWS_BYTES + tracer_state.settings->memory_bytes);
        code = errno;
        close(fd);
        if (!done)
            unlink(file.path);
        fd = done ? fd : -1;
    }
    if (fd < 0) {
        explain(reason, reason_bytes, code);
        return false;
    }
    trace_file_head *head = tracer_at(0);
    fill_head(head, api, rank);
    atomic_store(&head->used, head_bytes());
    atomic_store_explicit(&head->magic, TRACE_FILE_MAGIC, memory_order_release);
    return true;
}

static bool put(int fd, uint64_t offset, const void *data, size_t bytes)
{
    const char *from = data;
    while (bytes > 0) {
        ssize_t done = pwrite(fd, from, bytes, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        offset += (uint64_t)done;
        bytes -= (size_t)done;
    }
    return true;
}

/* Copies a part of the parent's file to the same place. */
static bool copy_part(int fd, uint64_t offset, size_t bytes, uint64_t *end)
{
    if (offset + bytes > *end)
        *end = offset + bytes;
    return allocate(fd, offset, bytes) && put(fd, offset, tracer_at(offset), bytes);
}

static bool copy_text(int fd, uint64_t offset, uint64_t *end)
{
    return offset == 0 || copy_part(fd, offset, strlen(tracer_at(offset)) + 1, end);
}

static bool copy_row(int fd, uint64_t offset, uint64_t *end)
{
    const trace_file_row *row = tracer_at(offset);
    trace_file_row *copy = kt_alloc(1, sizeof *copy);
    if (!copy)
        return false;
    copy->next = row->next;
    copy->name = row->name;
    copy->size = row->size;
    copy->kind = row->kind;
    copy->device = row->device;
    copy->hash = row->hash;
    bool done = allocate(fd, offset, sizeof *copy) && put(fd, offset, copy, sizeof *copy) &&
                copy_text(fd, row->name, end) && copy_text(fd, row->size, end);
    if (offset + sizeof *copy > *end)
        *end = offset + sizeof *copy;
    kt_free(copy);
    return done;
}

/* `rows`: the newest one that was copied. The parent may add others meanwhile. */
static bool copy_head(int fd, uint64_t rows, uint64_t used)
{
    const trace_file_head *parent = tracer_at(0);
    trace_file_head *head = kt_alloc(1, sizeof *head);
    if (!head)
        return false;
    fill_head(head, (trace_api)parent->api, parent->rank);
    uint32_t count = atomic_load(&parent->device_count);
    for (uint32_t i = 0; i < count && i < TRACE_DEVICES_MAX; i++) {
        head->devices[i] = parent->devices[i];
        head->devices[i].spans = 0;
        atomic_store(&head->devices[i].window, 0);
    }
    atomic_store(&head->device_count, count);
    atomic_store(&head->rows, rows);
    atomic_store(&head->used, (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    atomic_store(&head->magic, TRACE_FILE_MAGIC);
    bool done = put(fd, 0, head, sizeof *head);
    kt_free(head);
    return done;
}

static bool copy_parent(int fd)
{
    const trace_file_head *parent = tracer_at(0);
    uint64_t end = head_bytes(), rows = atomic_load_explicit(&parent->rows, memory_order_acquire);
    bool done = allocate(fd, 0, end);
    for (uint64_t row = rows; done && row; row = ((const trace_file_row *)tracer_at(row))->next)
        done = copy_row(fd, row, &end);
    end = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    done = done && allocate(fd, 0, end) && copy_head(fd, rows, end);
    if (done)
        file.size = end;
    return done;
}

/* Rows and devices are copied, without statistics, before the parent's file is unmapped. */
bool tracer_file_reopen(char *reason, size_t reason_bytes)
{
    int fd = make_file(), code = errno;
    if (fd >= 0) {
        bool done = note_identity(fd) && copy_parent(fd) &&
                    mmap(file.base, file.mapped, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0) != MAP_FAILED;
        code = errno;
        close(fd);
        if (done)
            return true;
        unlink(file.path);
    }
    explain(reason, reason_bytes, code);
    return false;
}
