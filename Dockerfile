# Riata in a container.
#   docker build -t riata .
#   docker run --rm -v "$PWD:/work" riata check model.pml
FROM rust:1.91-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked -p riata-cli

FROM debian:bookworm-slim
COPY --from=build /src/target/dist/riata /usr/local/bin/riata
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/riata/
COPY models /usr/share/doc/riata/models
WORKDIR /work
ENTRYPOINT ["riata"]
CMD ["--help"]
