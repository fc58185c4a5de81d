/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Status codes, and the error text behind a failure.
 */
#ifndef KERNTIME_STATUS_H
#define KERNTIME_STATUS_H

#include <kerntime/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Result of every call that can fail.
 *
 * A call writes its outputs only on KT_OK, unless its description says otherwise.
 */
typedef enum kt_status {
    KT_OK = 0,       /**< success */
    KT_INVALID,      /**< an argument is wrong; the error text says which one */
    KT_NO_MEMORY,    /**< the host or the device is out of memory */
    KT_UNAVAILABLE,  /**< this machine lacks the driver or device: an ordinary result */
    KT_UNSUPPORTED,  /**< this API or device can never do it */
    KT_LIMIT,        /**< supported, but this request exceeds a limit of the device */
    KT_NOT_READY,    /**< the device has not finished yet */
    KT_TIMEOUT,      /**< the device did not answer within the time limit */
    KT_DEVICE_LOST,  /**< the device stopped working; open it anew, on CUDA in a new process */
    KT_DRIVER_ERROR, /**< a driver call failed; the error text has the call and its code */
    KT_BUILD_FAILED, /**< a kernel does not compile; the error text ends with the build log */
    KT_WRONG_RESULT, /**< the work ran, but its output is wrong */
    KT_CANCELLED,    /**< a progress callback asked to stop */
    KT_IO_ERROR      /**< a file could not be written */
} kt_status;

/**
 * Name of a status for people, such as "device lost".
 *
 * Threads: any.
 *
 * @param status any value
 * @return static string, never NULL; "unknown status" for any other value
 */
KT_API const char *kt_status_name(kt_status status);

/**
 * Error text of the last failed call of this thread.
 *
 * - Content: one sentence with what failed, the driver call and its code.
 * - Characters: no control characters but line breaks and tabs, whatever the driver returned.
 * - Lifetime: until the next failing call of this thread.
 * - Threads: any; each has its own text.
 *
 * @return the text, empty before the first failure; never NULL
 */
KT_API const char *kt_error_text(void);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_ERROR_TEXT_
#include <kerntime/compiled_out.h>
#endif

#endif
