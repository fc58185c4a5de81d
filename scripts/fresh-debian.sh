#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs ./dev as a newcomer would: in a minimal Debian with nothing but git and a clone.
#
#   scripts/fresh-debian.sh [DEV-COMMAND [ARGUMENT...]]     (demo, unless something else is given)
#
# Needs root and debootstrap. The packages come from wherever this system's apt gets its own.
# Only what is committed is cloned. The exit code is that of ./dev.
# SUITE=trixie, SUITE=sid, ...: another release than bookworm, known to this system's apt or not.
set -u

suite=${SUITE:-bookworm}

die() {
    printf 'fresh-debian: %s\n' "$*" >&2
    exit 1
}

# --- Inside the private mounts -------------------------------------------------------------------

# A real machine has these four; /proc was mounted by unshare, in the new process space.
if [ "${1:-}" = --inside ]; then
    tree=$2
    shift 2
    mount -t sysfs -o ro sysfs "$tree/sys" || die "/sys could not be mounted"
    mkdir -p "$tree/dev/shm"
    mount -t tmpfs tmpfs "$tree/dev/shm" || die "/dev/shm could not be mounted"
    mkdir -p "$tree/dev/pts"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$tree/dev/pts" ||
        die "/dev/pts could not be mounted"
    # How this system reaches the network is not what is tested: whom node trusts is as here.
    # shellcheck disable=SC2016 # expanded by the inner shell
    exec chroot "$tree" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        TERM="${TERM:-dumb}" NODE_EXTRA_CA_CERTS=/root/ca-certificates.crt sh -c '
            cd /root && git -c advice.detachedHead=false clone -q /root/kerntime.bundle kerntime &&
                cd kerntime && exec ./dev "$@"
        ' sh "$@"
fi

# -------------------------------------------------------------------------------------------------

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 1
[ $# -gt 0 ] || set -- demo
[ "$(id -u)" = 0 ] || die "must be run as root"
for program in debootstrap unshare chroot git apt-get; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || die "please install $program first"
done

tree=$(mktemp -d) || exit 1
# The mounts below live in a mount space of their own and go with its last process, however this
# ends; so nothing but the tree itself is ever under this rm.
trap 'rm -rf --one-file-system "$tree"' EXIT
trap 'exit 130' HUP INT TERM
chmod 755 "$tree"

# What this system's apt knows: address, release, component. A source of somebody else's is left out
# where apt knows whose it is.
# shellcheck disable=SC2016 # these are apt's own variables
known=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
    'Created-By: Packages' | sort -u | awk '$4 == "Debian" || $4 ~ /^\$/ { print $1, $2, $3 }')

is_debians() { # ADDRESS RELEASE
    rm -f "$tree/InRelease"
    /usr/lib/apt/apt-helper download-file "$1dists/$2/InRelease" "$tree/InRelease" >/dev/null 2>&1 &&
        grep -qx 'Origin: Debian' "$tree/InRelease"
}

# The parts of a release that apt does not know, where it gets those that it knows from.
look_for_parts() {
    printf '%s\n' "$known" | awk '{ print $1, $3 }' | sort -u | while read -r address component; do
        for release in "$suite" "$suite-updates" "$suite-security"; do
            ! is_debians "$address" "$release" || echo "deb $address $release $component"
        done
    done
    rm -f "$tree/InRelease"
}

# One `deb` line for each part of the release, security included.
sources=$(printf '%s\n' "$known" | awk -v suite="$suite" '
    $2 == suite || index($2, suite "-") == 1 { print "deb", $1, $2, $3 }')
options=
if [ -z "$sources" ]; then
    sources=$(look_for_parts)
    # A mirror that is a snapshot has a sid whose lists have expired.
    options='Acquire::Check-Valid-Until "false";'
fi
mirror=$(printf '%s\n' "$sources" | awk -v suite="$suite" '$3 == suite { print $2; exit }')
[ -n "$mirror" ] || die "no Debian $suite where this system's apt gets its packages from"

echo "fresh-debian: making a minimal $suite" >&2
debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$tree" "$mirror" \
    >"$tree/debootstrap.log" 2>&1 || {
    tail -n 20 "$tree/debootstrap.log" >&2
    die "debootstrap failed"
}
printf '%s\n' "$sources" >"$tree/etc/apt/sources.list"
# How this system reaches the network is not what is tested.
{
    apt-config dump | grep -i '^Acquire::[a-z]*::Proxy'
    echo "$options"
} >"$tree/etc/apt/apt.conf.d/99proxy"
cp -L /etc/resolv.conf /etc/hosts "$tree/etc/" || exit 1
cp -L /etc/ssl/certs/ca-certificates.crt "$tree/root/" || die "please install ca-certificates first"

# The rest of the world may own the clone: git asks about that, and an answer for this call is enough.
git -c safe.directory="$root" -C "$root" bundle create -q "$tree/root/kerntime.bundle" HEAD ||
    die "nothing is committed yet"
if [ -n "$(git -c safe.directory="$root" -C "$root" status --porcelain)" ]; then
    echo "fresh-debian: changes that are not committed are left out" >&2
fi

echo "fresh-debian: ./dev $*" >&2
PATH=$PATH:/usr/sbin:/sbin unshare --mount --pid --fork --kill-child --mount-proc="$tree/proc" \
    "$root/scripts/fresh-debian.sh" --inside "$tree" "$@"
