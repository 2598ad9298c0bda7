# Recipes; `just` alone lists them. Each is one of the scripts, which work without just.

_list:
    @just --list

# Install what is missing, build a release, start the service
up *args:
    scripts/up {{args}}

# Run from the development build, with its data in .pel
run *args:
    PEL_DATA_DIR=.pel cargo run -- serve {{args}}

# Everything that must hold before a change lands
test:
    scripts/test

# The races and random acts as often as they were proved with; takes hours
proof tries="200" steps="100000":
    SQLX_OFFLINE=true PEL_TEST_TRIES={{tries}} PEL_TEST_STEPS={{steps}} cargo test --test changes -- --nocapture x3_

# The readers against mutated files for as long as wanted; some minutes per family
fuzz rounds="300000":
    PEL_FUZZ_ROUNDS={{rounds}} cargo nextest run -p pel-evidence  --test fuzz --test fuzz_metrics --lib mutat

# The tests of one name
t filter:
    SQLX_OFFLINE=true cargo test --workspace {{filter}}

# Format the sources
fmt:
    cargo fmt --all

# Clippy as strict as on the build machine
lint:
    SQLX_OFFLINE=true cargo clippy --workspace --all-targets -- -D warnings

# Write .sqlx anew after a query or a migration changed
sqlx:
    scripts/sqlx

# Measure the promised bounds; may name parts: upload, nsight, metrics, case-page
bench *args:
    scripts/bench {{args}}

# Licences, sources, bans and unused dependencies
deps:
    scripts/check-deps

# A psql on the database of `just run`
db:
    psql "$(PEL_DATA_DIR=.pel cargo run --quiet -- db url)"
