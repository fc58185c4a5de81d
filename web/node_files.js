// SPDX-License-Identifier: MIT
/*
 * node_files.js - the real files of this machine, as wasi.js needs them: files.js has the same
 * functions over files in memory.
 */
import * as fs from "node:fs";

/** `special`: neither a regular file nor a folder, so it is never replaced. */
function describe(stat, special) {
    const folder = stat.isDirectory();
    return { folder, size: stat.size, id: stat.ino, device: stat.dev, special: !folder && special };
}

/** An open file. A pipe or a terminal has no positions. */
class RealFile {
    #number;
    #isSeekable;

    constructor(path, flags) {
        this.#number = fs.openSync(path, flags, 0o666);
        const stat = fs.fstatSync(this.#number);
        this.#isSeekable = stat.isFile();
        this.id = stat.ino;
    }

    get size() {
        return fs.fstatSync(this.#number).size;
    }

    stat() {
        return describe(fs.fstatSync(this.#number), !this.#isSeekable);
    }

    read(at, into) {
        return fs.readSync(this.#number, into, 0, into.length, this.#isSeekable ? at : null);
    }

    write(at, from) {
        return fs.writeSync(this.#number, from, 0, from.length, this.#isSeekable ? at : null);
    }

    close() {
        fs.closeSync(this.#number);
    }
}

/** Files that a process has open, such as /dev/stdout: they look like links, and are written to, never replaced. */
const isOpenFile = path => /^\/(proc\/[^/]+(\/task\/[^/]+)?|dev)\/fd\/[^/]+$/.test(path);

export class RealFiles {
    stat(path) {
        const stat = fs.statSync(path);
        return describe(stat, !stat.isFile() || isOpenFile(path));
    }

    readLink(path) {
        if (isOpenFile(path))
            throw Object.assign(new Error(path), { code: "EINVAL" });
        return fs.readlinkSync(path);
    }

    open(path, { create = false, exclusive = false, truncate = false, write = false } = {}) {
        const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_TRUNC } = fs.constants;
        const rest = (create && O_CREAT) | (exclusive && O_EXCL) | (truncate && O_TRUNC);
        if (!write)
            return new RealFile(path, O_RDONLY | rest);
        try {
            return new RealFile(path, O_RDWR | rest);
        } catch (error) {
            if (error.code !== "EACCES")
                throw error;
            return new RealFile(path, O_WRONLY | rest);
        }
    }

    list(path) {
        return fs.readdirSync(path);
    }

    createFolder(path) {
        fs.mkdirSync(path);
    }

    removeFolder(path) {
        fs.rmdirSync(path);
    }

    remove(path) {
        fs.unlinkSync(path);
    }

    /** The file that is replaced hands on its mode. What is read-only or no regular file is not replaced. */
    rename(from, to) {
        const old = fs.lstatSync(to, { throwIfNoEntry: false });
        if (old && !old.isFile())
            throw Object.assign(new Error(to), { code: "EACCES" });
        if (old) {
            fs.accessSync(to, fs.constants.W_OK);
            fs.chmodSync(from, old.mode & 0o777);
        }
        fs.renameSync(from, to);
    }
}
