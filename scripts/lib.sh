# Shared by the scripts beside it; read with `.`, not run.
# Finds what a machine lacks, installs it through the machine's own package manager, and says why.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck disable=SC2034 # for the scripts that read this
root=$PWD

# The oldest compiler that Cargo.toml accepts.
rust_needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# Builds need no database: the checked queries are in .sqlx.
export SQLX_OFFLINE=true

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$(basename "$0"): $*"
    exit 1
}

# --- Rust ------------------------------------------------------------------------------------

# at_least 1.97.1 1.95: whether the first version is not older than the second.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

rustc_fits() {
    local version
    version=$(RUSTUP_AUTO_INSTALL=0 rustc --version 2>/dev/null | cut -d ' ' -f 2) || return 1
    [ -n "$version" ] && at_least "$version" "$rust_needed" &&
        RUSTUP_AUTO_INSTALL=0 cargo --version >/dev/null 2>&1
}

# Chooses a compiler that is installed already; may set RUSTUP_TOOLCHAIN.
find_rust() {
    [ -d "$HOME/.cargo/bin" ] && PATH=$PATH:$HOME/.cargo/bin
    rustc_fits && return 0
    command -v rustup >/dev/null || return 1
    local toolchain
    for toolchain in $(rustup toolchain list 2>/dev/null | cut -d ' ' -f 1); do
        if RUSTUP_TOOLCHAIN=$toolchain rustc_fits; then
            export RUSTUP_TOOLCHAIN=$toolchain
            say "using the Rust toolchain $toolchain, which is installed already"
            return 0
        fi
    done
    return 1
}

# Gets a compiler where none fits: the one that rust-toolchain.toml pins.
get_rust() {
    find_rust && return 0
    if ! command -v rustup >/dev/null; then
        [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ] ||
            die "no rustc of at least $rust_needed, and RUSTUP_AUTO_INSTALL=0 forbids to download one"
        say "downloading rustup, the installer of Rust, from https://sh.rustup.rs"
        curl --proto '=https' --tlsv1.2 --silent --show-error --fail https://sh.rustup.rs |
            sh -s -- -y --no-modify-path --profile minimal --default-toolchain none >&2
        PATH=$PATH:$HOME/.cargo/bin
    fi
    [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ] ||
        die "no Rust toolchain of at least $rust_needed is installed, and RUSTUP_AUTO_INSTALL=0 forbids to download one"
    local pinned
    pinned=$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
    rustup toolchain install "$pinned" --profile minimal --component clippy --component rustfmt >&2
    rustc_fits || die "rustup installed $pinned, and rustc still does not run"
}

# --- PostgreSQL ------------------------------------------------------------------------------

# Prints the folder of the newest server programs (14 or newer), as pel itself would find them.
find_postgres() {
    local best='' best_major=0 folder major IFS=:
    local folders=("${PEL_POSTGRES_BIN:-}")
    if [ -z "${folders[0]}" ]; then
        # shellcheck disable=SC2206 # split at the colons of PATH
        folders=($PATH)
        IFS=$' \t\n'
        folders+=(/usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/lib64/pgsql*/bin
            /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin
            /home/linuxbrew/.linuxbrew/opt/postgresql*/bin)
    fi
    for folder in "${folders[@]}"; do
        # The real folder: a link to `postgres` alone says nothing of its companions.
        folder=$(dirname "$(readlink -f "$folder/postgres" 2>/dev/null || echo "$folder/postgres")")
        if ! [ -x "$folder/postgres" ] || ! [ -x "$folder/initdb" ]; then continue; fi
        major=$("$folder/postgres" --version | sed -n 's/.*PostgreSQL) \([0-9]*\).*/\1/p')
        if [ "${major:-0}" -ge 14 ] && [ "$major" -gt "$best_major" ]; then
            best=$folder best_major=$major
        fi
    done
    [ -n "$best" ] && printf '%s\n' "$best"
}

# Runs a server program as somebody who is not root, which PostgreSQL insists on.
as_server() {
    if [ "$(id -u)" != 0 ]; then
        "$@"
    elif command -v setpriv >/dev/null; then
        setpriv --reuid="$(server_account)" --regid="$(id -g "$(server_account)")" --clear-groups -- "$@"
    else
        su -s /bin/sh "$(server_account)" -c "$(printf '%q ' "$@")"
    fi
}

server_account() { if id postgres >/dev/null 2>&1; then echo postgres; else echo nobody; fi; }

# --- The machine's packages ------------------------------------------------------------------

manager() {
    local name
    for name in apt-get dnf brew; do
        command -v "$name" >/dev/null && printf '%s\n' "$name" && return 0
    done
    return 1
}

missing_packages=()
missing_reasons=()

# need "what and why" APT DNF BREW: remembers the packages for this machine.
need() {
    local names
    case $(manager || true) in
        apt-get) names=$2 ;;
        dnf) names=$3 ;;
        brew) names=$4 ;;
        *) die "$1 is missing. This script installs with apt, dnf or brew, and finds none of them; please install it and start again" ;;
    esac
    missing_reasons+=("$1")
    # shellcheck disable=SC2206 # several names in one word list
    missing_packages+=($names)
}

# Installs what `need` remembered, after saying what and why. $1: yes = do not ask.
install_missing() {
    [ ${#missing_packages[@]} -gt 0 ] || return 0
    local with reason answer
    with=$(manager)
    say "This machine lacks:"
    for reason in "${missing_reasons[@]}"; do say "  - $reason"; done
    local line=("$with" install -y "${missing_packages[@]}")
    [ "$with" != brew ] || line=(brew install "${missing_packages[@]}")
    if [ "$with" != brew ] && [ "$(id -u)" != 0 ]; then
        say "Run this line, then start again:"
        say "  sudo ${line[*]}"
        exit 1
    fi
    say "To be run: ${line[*]}"
    if [ "$1" != yes ] && [ -t 0 ] && [ -t 2 ]; then
        read -r -p "Go on? [Y/n] " answer
        case $answer in [nN]*) die "nothing was installed" ;; esac
    fi
    if [ "$with" = apt-get ]; then
        export DEBIAN_FRONTEND=noninteractive
        # The packages of Debian start a server of their own; pel runs its own and needs only the programs.
        local quiet=/etc/postgresql-common/createcluster.d/pel.conf
        mkdir -p "$(dirname "$quiet")"
        echo "create_main_cluster = false" >"$quiet"
        apt-get update -q >&2
        "${line[@]}" --no-install-recommends >&2 </dev/null || { rm -f "$quiet"; exit 1; }
        rm -f "$quiet"
    else
        "${line[@]}" >&2 </dev/null
    fi
    hash -r
    postgres_fits
}

# Older systems package an older PostgreSQL than pel can use: say so here, not in a failing start.
postgres_fits() {
    local reason
    for reason in "${missing_reasons[@]}"; do
        case $reason in "PostgreSQL's server"*) ;; *) continue ;; esac
        [ -n "$(find_postgres)" ] ||
            die "the PostgreSQL that $(manager) installs here is older than 14, which pel needs. Install a newer one (https://www.postgresql.org/download/), name its programs with PEL_POSTGRES_BIN, or name a server with PEL_DATABASE_URL, and start again"
    done
}

# What building and running needs. Call `install_missing` and `get_rust` afterwards.
need_for_build() {
    command -v cc >/dev/null || need "a C compiler: parts of the TLS library are written in C" \
        "gcc libc6-dev" "gcc glibc-devel" gcc
    if ! find_rust && ! command -v rustup >/dev/null; then
        command -v curl >/dev/null || need "curl, to download Rust (at least $rust_needed)" \
            "curl ca-certificates" curl curl
    fi
    if [ -z "${PEL_DATABASE_URL:-}${PEL_DATABASE_URL_FILE:-}" ] && [ -z "$(find_postgres)" ]; then
        need "PostgreSQL's server programs, 14 or newer: pel keeps its facts there" \
            postgresql "postgresql-server" postgresql@17
    fi
}
