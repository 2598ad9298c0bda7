# syntax=docker/dockerfile:1
# The release image: `pel` with every kind of bucket, PostgreSQL's client programs for backup and
# restore, and nothing to compile with.
#
#   docker build --tag pel .

# The compiler that rust-toolchain.toml pins.
ARG RUST=1.95.0

FROM rust:${RUST}-slim-trixie AS build
ARG RUST
# The image's own toolchain, or rustup would download the developer's components.
ENV RUSTUP_TOOLCHAIN=${RUST} \
    SQLX_OFFLINE=true \
    CARGO_TERM_COLOR=never
WORKDIR /source
COPY Cargo.toml Cargo.lock build.rs ./
COPY .sqlx .sqlx
COPY migrations migrations
COPY locales locales
COPY templates templates
COPY static static
COPY src src
# The caches stay on the building machine; the program is copied out of them.
RUN --mount=type=cache,target=/usr/local/cargo/registry,sharing=locked \
    --mount=type=cache,target=/source/target,sharing=locked \
    cargo build --release --locked --bin pel --features s3,gcs,azure \
    && cp target/release/pel /usr/local/bin/pel

FROM debian:trixie-slim
# Certificates for buckets and databases; pg_dump, pg_restore and psql for `pel backup` and
# `pel restore`. They serve a database of their own version (17) and older.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates postgresql-client \
    && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 10001 pel \
    && useradd --uid 10001 --gid pel --no-create-home --home-dir /var/lib/pel --shell /usr/sbin/nologin pel \
    && install --directory --owner pel --group pel --mode 700 /var/lib/pel
COPY --from=build /usr/local/bin/pel /usr/local/bin/pel
COPY --chmod=755 docker/entrypoint docker/healthy /usr/local/lib/pel/
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/pel/

USER pel
ENV PEL_DATA_DIR=/var/lib/pel \
    PEL_LISTEN=0.0.0.0:8080 \
    PEL_LOG_FORMAT=json
VOLUME /var/lib/pel
EXPOSE 8080
# `pel serve` is ready when its database answers. A container of `pel worker` turns this off.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/usr/local/lib/pel/healthy"]
ENTRYPOINT ["/usr/local/lib/pel/entrypoint"]
CMD ["serve"]
