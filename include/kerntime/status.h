/* status.h - what a call answers, and the sentence behind a failure. */
#ifndef KERNTIME_STATUS_H
#define KERNTIME_STATUS_H

#include <kerntime/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The answer of every call that can fail. Outputs are written only on KT_OK unless a call says
 * otherwise. */
typedef enum kt_status {
    KT_OK = 0,
    KT_INVALID,      /**< an argument makes no sense; the text says which and what would */
    KT_NO_MEMORY,    /**< the host is out of memory, or the device */
    KT_UNAVAILABLE,  /**< this driver or device is not on this machine: an ordinary answer */
    KT_UNSUPPORTED,  /**< this API or device cannot do it at all */
    KT_LIMIT,        /**< it could, but not this much: over a limit of the device */
    KT_NOT_READY,    /**< the device has not finished yet */
    KT_TIMEOUT,      /**< the device did not answer within the time allowed */
    KT_DEVICE_LOST,  /**< the device stopped working; open it anew, on CUDA in a new process */
    KT_DRIVER_ERROR, /**< a driver call failed; the text names the call and its code */
    KT_BUILD_FAILED, /**< a kernel does not compile; the text ends with the build log */
    KT_WRONG_RESULT, /**< the work ran, but its output is not what it should be */
    KT_CANCELLED,    /**< a progress callback asked to stop */
    KT_IO_ERROR      /**< a file could not be written */
} kt_status;

/** Name of a status, as in "device lost". Never NULL. Any thread. */
KT_API const char *kt_status_name(kt_status status);

/**
 * One sentence on the last failed call of this thread: what failed, in which driver call, with
 * which code. Of control characters it holds only line breaks and tabs, whatever a driver said.
 * Empty before the first failure. Valid until the next failing call of this thread.
 */
KT_API const char *kt_error_text(void);

#ifdef __cplusplus
}
#endif

#endif
