// SPDX-License-Identifier: MIT
// handles.js - numbers by which C names JavaScript's objects, with reference counts.

let liveCount = 0;

/** Number of handles of all instances that C has not released; for tests. */
export const liveHandles = () => liveCount;

export class Handles {
    #entries = new Map();
    #next = 1;

    /**
     * @param {object} object
     * @returns {number} a handle with one reference, never 0
     */
    add(object) {
        this.#entries.set(this.#next, { object, references: 1 });
        liveCount++;
        return this.#next++;
    }

    /** The object of a handle; null for handle 0. */
    get(handle) {
        if (handle === 0)
            return null;
        const entry = this.#entries.get(handle);
        if (!entry)
            throw new Error(`no WebGPU object has the handle ${handle}`);
        return entry.object;
    }

    retain(handle) {
        this.#entries.get(handle).references++;
    }

    /** @returns {object | null} the object, if this was its last reference */
    release(handle) {
        const entry = this.#entries.get(handle);
        if (!entry || --entry.references > 0)
            return null;
        this.#entries.delete(handle);
        liveCount--;
        return entry.object;
    }

    objects() {
        return [...this.#entries.values()].map((entry) => entry.object);
    }

    /** Forgets all handles. */
    clear() {
        liveCount -= this.#entries.size;
        this.#entries.clear();
    }
}
