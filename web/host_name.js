// SPDX-License-Identifier: MIT
// host_name.js - name and version of the program that JavaScript runs in.

/** "Google Chrome 156" from the browser's brands, else "Firefox 140" from its user agent, or "Node 20.20.2". */
export function hostName() {
    if (globalThis.process?.versions?.node)
        return `Node ${process.versions.node}`;
    const agent = globalThis.navigator;
    const brands = agent?.userAgentData?.brands?.filter(({ brand }) => !/not.*brand/i.test(brand)) ?? [];
    const known = brands.find(({ brand }) => brand !== "Chromium") ?? brands[0];
    if (known)
        return `${known.brand} ${known.version}`;
    const [, name, version] = /(Firefox|Edg|Chrome|Version)\/(\d+)/.exec(agent?.userAgent ?? "") ?? [];
    return name ? `${name === "Version" ? "Safari" : name} ${version}` : "";
}
