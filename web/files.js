// SPDX-License-Identifier: MIT
/*
 * files.js - files in memory, as wasi.js needs them. Paths are absolute and without "." and "..".
 * node_files.js has the same functions over real files.
 */

/** An error that becomes an errno of WASI. */
export class FileError extends Error {
    /** @param {string} code "EEXIST", "ENOENT" ... */
    constructor(code) {
        super(code);
        this.code = code;
    }
}

/** An absolute path without "." and "..". */
export function normalize(path) {
    const parts = [];
    for (const part of path.split("/")) {
        if (part === "..") parts.pop();
        else if (part !== "" && part !== ".") parts.push(part);
    }
    return "/" + parts.join("/");
}

/** The bytes of an ArrayBuffer or a view. */
export const bytesOf = (content) =>
    ArrayBuffer.isView(content)
        ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
        : new Uint8Array(content);

const parentOf = (path) => path.slice(0, path.lastIndexOf("/")) || "/";

/** Bytes that grow. */
class MemoryFile {
    constructor(id) {
        this.id = id;
        this.bytes = new Uint8Array(0);
        this.size = 0;
        this.isWritten = false; // by the module
    }

    stat() {
        return { folder: false, size: this.size, id: this.id };
    }

    read(at, into) {
        const part = this.bytes.subarray(at, Math.min(at + into.length, this.size));
        into.set(part);
        return part.length;
    }

    write(at, from) {
        const end = at + from.length;
        if (end > this.bytes.length) {
            const longer = new Uint8Array(Math.max(end, 2 * this.bytes.length));
            longer.set(this.bytes.subarray(0, this.size));
            this.bytes = longer;
        }
        this.bytes.set(from, at);
        this.size = Math.max(this.size, end);
        this.isWritten = true;
        return from.length;
    }

    close() {}
}

export class MemoryFiles {
    #files = new Map();
    #folders = new Set(["/", "/tmp"]);
    #nextId = 1;

    /** @returns {{folder: boolean, size: number, id: number, device?: number, special?: boolean}} */
    stat(path) {
        const file = this.#files.get(path);
        if (file) return file.stat();
        if (this.#folders.has(path)) return { folder: true, size: 0, id: 0 };
        throw new FileError("ENOENT");
    }

    /** Opens a file for reading and writing. */
    open(path, { create = false, exclusive = false, truncate = false } = {}) {
        if (this.#folders.has(path)) throw new FileError("EISDIR");
        let file = this.#files.get(path);
        if (file && create && exclusive) throw new FileError("EEXIST");
        if (!file) {
            if (!create || !this.#folders.has(parentOf(path))) throw new FileError("ENOENT");
            file = new MemoryFile(this.#nextId++);
            this.#files.set(path, file);
        }
        if (truncate) {
            file.bytes = new Uint8Array(0);
            file.size = 0;
        }
        return file;
    }

    /** Names in a folder. */
    list(path) {
        if (!this.#folders.has(path)) throw new FileError(this.#files.has(path) ? "ENOTDIR" : "ENOENT");
        return [...this.#files.keys(), ...this.#folders]
            .filter((other) => other !== "/" && parentOf(other) === path)
            .map((other) => other.slice(other.lastIndexOf("/") + 1));
    }

    /** There are no links. */
    readLink() {
        throw new FileError("EINVAL");
    }

    createFolder(path) {
        if (this.#folders.has(path) || this.#files.has(path)) throw new FileError("EEXIST");
        if (!this.#folders.has(parentOf(path))) throw new FileError("ENOENT");
        this.#folders.add(path);
    }

    removeFolder(path) {
        if (this.list(path).length > 0) throw new FileError("ENOTEMPTY");
        this.#folders.delete(path);
    }

    remove(path) {
        if (!this.#files.delete(path)) throw new FileError(this.#folders.has(path) ? "EISDIR" : "ENOENT");
    }

    rename(from, to) {
        const file = this.#files.get(from);
        if (!file || !this.#folders.has(parentOf(to))) throw new FileError("ENOENT");
        if (this.#folders.has(to)) throw new FileError("EISDIR");
        this.#files.delete(from);
        this.#files.set(to, file);
    }

    /** Sets a whole file, and makes the folders above it. The path may be relative to "/". */
    put(name, content) {
        const path = normalize(name);
        for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) this.#folders.add(path.slice(0, at));
        const file = this.open(path, { create: true, truncate: true });
        file.write(0, typeof content === "string" ? new TextEncoder().encode(content) : bytesOf(content));
        file.isWritten = false;
    }

    /** Content of a file, or undefined. */
    get(path) {
        const file = this.#files.get(path);
        return file && file.bytes.slice(0, file.size);
    }

    /** Paths of the files that the module has written. */
    written() {
        return [...this.#files].filter(([, file]) => file.isWritten).map(([path]) => path);
    }
}
