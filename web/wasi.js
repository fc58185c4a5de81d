// SPDX-License-Identifier: MIT
/*
 * wasi.js - the part of WASI preview 1 that the module imports: arguments, environment, clocks,
 * random numbers, and files (files.js). Numbers and layouts are those of the WASI specification.
 */

import { FileError, normalize } from "./files.js";

const ERRNO = {
    EBADF: 8, EEXIST: 20, EINVAL: 28, EIO: 29, EISDIR: 31, ENOENT: 44, ENOSYS: 52, ENOTDIR: 54,
    ENOTEMPTY: 55, ENOTCAPABLE: 76, EACCES: 2, EPERM: 63, ENOSPC: 51, EROFS: 69, EBUSY: 10, EFBIG: 22,
    ELOOP: 32, EMFILE: 33, ENAMETOOLONG: 37, ENXIO: 60, ETXTBSY: 74, EXDEV: 75,
};
const CHARACTER_DEVICE = 2, FOLDER = 3, REGULAR_FILE = 4;
const CREATE = 1, FOLDER_ONLY = 2, EXCLUSIVE = 4, TRUNCATE = 8, APPEND = 1;
const ROOT = 3; // the number of the folder "/", the only one that is open from the start
const ALL_RIGHTS = 0x1fffffffn;

/** Node 18 has no global of this. Bundlers for browsers do not look for the name. */
const CRYPTO_OF_NODE = "node:crypto";
const random = globalThis.crypto ?? (await import(/* webpackIgnore: true */ CRYPTO_OF_NODE)).webcrypto;

/** Thrown by proc_exit(), to leave the module. */
export class Exit extends Error {
    constructor(code) {
        super(`exit code ${code}`);
        this.code = code;
    }
}

let measuredStepNs = 0;

/** Resolution of performance.now(): the smallest difference of successive readings. */
function stepNs() {
    if (measuredStepNs) return measuredStepNs;
    let smallest = Infinity;
    const begin = performance.now();
    for (let last = begin, changes = 0; changes < 20 && last - begin < 20;) {
        const now = performance.now();
        if (now === last) continue;
        smallest = Math.min(smallest, now - last);
        last = now;
        changes++;
    }
    return (measuredStepNs = Number.isFinite(smallest) ? Math.max(1, Math.round(smallest * 1e6)) : 1e6);
}

/**
 * @param {object} host
 * @param {() => WebAssembly.Memory} host.memory
 * @param {string[]} host.words program and arguments
 * @param {Record<string, string>} host.environment
 * @param {object} host.files
 * @param {((bytes: Uint8Array) => void)[]} host.streams standard output and error, at 1 and 2
 * @param {boolean[]} host.terminals which of the three standard streams are terminals
 * @param {Uint8Array} [host.input] standard input
 */
export function wasiImports(host) {
    const decoder = new TextDecoder(), encoder = new TextEncoder();
    const view = () => new DataView(host.memory().buffer);
    const bytesAt = (at, length) => new Uint8Array(host.memory().buffer, at, length);
    const textAt = (at, length) => decoder.decode(bytesAt(at, length).slice());
    const open = new Map([[ROOT, { folder: "/" }]]);
    let inputAt = 0;

    /** The function with errors as numbers. */
    const guarded = (run) => (...values) => {
        try {
            return run(...values) ?? 0;
        } catch (error) {
            if (error instanceof Exit || !(error.code in ERRNO)) throw error;
            return ERRNO[error.code];
        }
    };
    const opened = (number) => {
        const entry = open.get(number);
        if (!entry) throw new FileError("EBADF");
        return entry;
    };
    /** The entry of an open file, which a folder is not. */
    const openFile = (number) => {
        const entry = opened(number);
        if (!entry.file) throw new FileError("EISDIR");
        return entry;
    };
    const pathAt = (folder, at, length) => normalize(opened(folder).folder + "/" + textAt(at, length));
    const lowestFree = () => {
        let number = ROOT + 1;
        while (open.has(number)) number++;
        return number;
    };

    /** Texts one after another, with a zero behind each, and a list of where they begin. */
    const putTexts = (texts, list, at) => {
        for (const text of texts) {
            const bytes = encoder.encode(text + "\0");
            view().setUint32(list, at, true);
            bytesAt(at, bytes.length).set(bytes);
            list += 4;
            at += bytes.length;
        }
    };
    const putSizes = (texts, count, bytes) => {
        view().setUint32(count, texts.length, true);
        view().setUint32(bytes, texts.reduce((sum, text) => sum + encoder.encode(text).length + 1, 0), true);
    };
    const variables = () => Object.entries(host.environment).map(([name, value]) => `${name}=${value}`);

    const typeOf = ({ folder, special }) => (folder ? FOLDER : special ? CHARACTER_DEVICE : REGULAR_FILE);
    const putStat = (at, stat, type = typeOf(stat)) => {
        const { size, id, device = 1 } = stat;
        const v = view();
        for (let i = 0; i < 64; i += 8) v.setBigUint64(at + i, 0n, true);
        v.setBigUint64(at, BigInt(device), true);
        v.setBigUint64(at + 8, BigInt(id), true);
        v.setUint8(at + 16, type);
        v.setBigUint64(at + 24, 1n, true);
        v.setBigUint64(at + 32, BigInt(size), true);
    };

    /** Calls take(bytes) for each piece of a list; stops where it takes less. Returns the sum. */
    const forEachPiece = (list, count, take) => {
        let sum = 0;
        for (let i = 0; i < count; i++) {
            const length = view().getUint32(list + 8 * i + 4, true);
            const done = take(bytesAt(view().getUint32(list + 8 * i, true), length));
            sum += done;
            if (done < length) break;
        }
        return sum;
    };

    const functions = {
        args_sizes_get: (count, bytes) => putSizes(host.words, count, bytes),
        args_get: (list, at) => putTexts(host.words, list, at),
        environ_sizes_get: (count, bytes) => putSizes(variables(), count, bytes),
        environ_get: (list, at) => putTexts(variables(), list, at),

        clock_res_get(clock, at) {
            view().setBigUint64(at, BigInt(stepNs()), true);
        },
        clock_time_get(clock, precision, at) {
            const ms = clock === 0 ? Date.now() : performance.now();
            view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
        },
        random_get(at, length) {
            random.getRandomValues(bytesAt(at, length));
        },
        proc_exit(code) {
            throw new Exit(code);
        },

        fd_prestat_get(number, at) {
            if (number !== ROOT) throw new FileError("EBADF");
            view().setUint32(at, 0, true);
            view().setUint32(at + 4, 1, true);
        },
        fd_prestat_dir_name(number, at, length) {
            bytesAt(at, length).set(encoder.encode("/").subarray(0, length));
        },
        fd_fdstat_get(number, at) {
            const v = view();
            const isTerminal = number < ROOT && host.terminals[number];
            const type = isTerminal ? CHARACTER_DEVICE : number >= ROOT && opened(number).folder ? FOLDER : REGULAR_FILE;
            v.setBigUint64(at, 0n, true);
            v.setUint8(at, type);
            // libc takes a device for a terminal if it cannot seek.
            v.setBigUint64(at + 8, isTerminal ? ALL_RIGHTS & ~0x24n : ALL_RIGHTS, true);
            v.setBigUint64(at + 16, ALL_RIGHTS, true);
        },
        fd_fdstat_set_flags: () => 0,
        fd_filestat_get(number, at) {
            if (number < ROOT) putStat(at, { size: 0, id: number }, host.terminals[number] ? CHARACTER_DEVICE : REGULAR_FILE);
            else putStat(at, opened(number).file?.stat() ?? host.files.stat(opened(number).folder));
        },
        fd_close(number) {
            if (number < ROOT) return;
            opened(number).file?.close();
            open.delete(number);
        },
        fd_sync: () => 0,
        fd_read(number, list, count, read) {
            const entry = number === 0 ? null : openFile(number);
            const sum = forEachPiece(list, count, (bytes) => {
                if (entry) {
                    const done = entry.file.read(entry.at, bytes);
                    entry.at += done;
                    return done;
                }
                const part = (host.input ?? new Uint8Array(0)).subarray(inputAt, inputAt + bytes.length);
                bytes.set(part);
                inputAt += part.length;
                return part.length;
            });
            view().setUint32(read, sum, true);
        },
        fd_write(number, list, count, written) {
            const entry = number < ROOT ? null : openFile(number);
            if (!entry && !host.streams[number]) throw new FileError("EBADF");
            const sum = forEachPiece(list, count, (bytes) => {
                if (!entry) {
                    if (bytes.length > 0) host.streams[number](bytes.slice());
                    return bytes.length;
                }
                if (entry.append) entry.at = entry.file.size;
                const done = entry.file.write(entry.at, bytes);
                entry.at += done;
                return done;
            });
            view().setUint32(written, sum, true);
        },
        fd_seek(number, offset, whence, at) {
            if (number < ROOT) return 70; // ESPIPE
            const entry = openFile(number), base = [0, entry.at, entry.file.size][whence];
            const next = base + Number(offset);
            if (!(next >= 0)) throw new FileError("EINVAL");
            entry.at = next;
            view().setBigUint64(at, BigInt(entry.at), true);
        },
        fd_readdir(number, at, room, cookie, used) {
            const folder = opened(number).folder;
            const names = [".", "..", ...host.files.list(folder)];
            let sum = 0;
            for (let i = Number(cookie); i < names.length && sum < room; i++) {
                const name = encoder.encode(names[i]);
                const isFolder = i < 2 || host.files.stat(normalize(`${folder}/${names[i]}`)).folder;
                const entry = new Uint8Array(24 + name.length);
                const v = new DataView(entry.buffer);
                v.setBigUint64(0, BigInt(i + 1), true);
                v.setUint32(16, name.length, true);
                v.setUint8(20, isFolder ? FOLDER : REGULAR_FILE);
                entry.set(name, 24);
                const part = entry.subarray(0, room - sum);
                bytesAt(at + sum, part.length).set(part);
                sum += part.length;
            }
            view().setUint32(used, sum, true);
        },

        path_open(folder, lookup, at, length, flags, rights, inherited, mode, out) {
            const path = pathAt(folder, at, length), number = lowestFree();
            let isFolder = false;
            try {
                isFolder = host.files.stat(path).folder;
            } catch (error) {
                if (error.code !== "ENOENT" || flags & FOLDER_ONLY) throw error;
            }
            if (isFolder && !(flags & CREATE)) {
                open.set(number, { folder: path });
            } else {
                if (flags & FOLDER_ONLY) throw new FileError(isFolder ? "EISDIR" : "ENOTDIR");
                const file = host.files.open(path, {
                    create: !!(flags & CREATE), exclusive: !!(flags & EXCLUSIVE), truncate: !!(flags & TRUNCATE),
                    write: !!(rights & 0x40n),
                });
                open.set(number, { file, at: 0, append: !!(mode & APPEND) });
            }
            view().setUint32(out, number, true);
        },
        path_create_directory: (folder, at, length) => host.files.createFolder(pathAt(folder, at, length)),
        path_remove_directory: (folder, at, length) => host.files.removeFolder(pathAt(folder, at, length)),
        path_unlink_file: (folder, at, length) => host.files.remove(pathAt(folder, at, length)),
        path_rename: (folder, at, length, other, otherAt, otherLength) =>
            host.files.rename(pathAt(folder, at, length), pathAt(other, otherAt, otherLength)),
        path_filestat_get: (folder, lookup, at, length, out) => putStat(out, host.files.stat(pathAt(folder, at, length))),
        path_filestat_set_times: () => 0,
        path_readlink(folder, at, length, out, room, used) {
            const target = encoder.encode(host.files.readLink(pathAt(folder, at, length))).subarray(0, room);
            bytesAt(out, target.length).set(target);
            view().setUint32(used, target.length, true);
        },
    };
    const imports = {};
    for (const [name, run] of Object.entries(functions)) imports[name] = guarded(run);

    /** Suspending. Sleeps until the first of the moments. */
    imports.poll_oneoff = async (subscriptions, events, count, out) => {
        let least = Infinity;
        for (let i = 0; i < count; i++) {
            const v = view(), at = subscriptions + 48 * i;
            if (v.getUint8(at + 8) !== 0) continue; // no clock
            const ns = Number(v.getBigUint64(at + 24, true)), isMoment = v.getUint16(at + 40, true) & 1;
            least = Math.min(least, ns - (isMoment ? Math.round(performance.now() * 1e6) : 0));
        }
        const end = performance.now() + least * 1e-6;
        if (least > 2e6) await new Promise((resolve) => setTimeout(resolve, least * 1e-6 - 1));
        while (performance.now() < end);
        const v = view();
        for (let i = 0; i < 32; i += 8) v.setBigUint64(events + i, 0n, true);
        v.setBigUint64(events, v.getBigUint64(subscriptions, true), true);
        v.setUint32(out, 1, true);
        return 0;
    };
    return imports;
}
