# deploy/lib/packages.sh: installs the Debian packages that are missing. Sourced by quickstart and tests/run.
# It says what it does; it needs root or sudo only when something is missing.

packages_build="build-essential pkg-config meson ninja-build python3 libuv1-dev libwebsockets-dev
libwebsockets-evlib-uv libsqlite3-dev libcjson-dev libsodium-dev libssl-dev libinih-dev libutf8proc-dev libglib2.0-dev tzdata
libncurses-dev libcurl4-openssl-dev ca-certificates"
packages_test="check python3-jsonschema python3-websockets python3-aiosmtpd python3-cryptography tmux valgrind procps chromium fonts-noto-cjk"

# Node.js comes from Debian unless another one is at hand (18 or newer).
packages_node() {
    command -v node >/dev/null 2>&1 || echo nodejs
    command -v npm >/dev/null 2>&1 || echo npm
}

# need_packages NAME...: installs those that dpkg does not know as installed.
need_packages() {
    missing=""
    for package in "$@"; do
        if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed"; then
            missing="$missing $package"
        fi
    done
    if [ -z "$missing" ]; then return 0; fi
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "These packages are missing and neither root nor sudo is at hand:$missing" >&2
            return 1
        fi
        as_root="sudo"
    fi
    echo "Installing Debian packages:$missing"
    # shellcheck disable=SC2086 # the lists are meant to be split
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
            install $missing >/dev/null
}
