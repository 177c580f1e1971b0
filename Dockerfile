# syntax=docker/dockerfile:1
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN node scripts/build-image.mjs /out

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8000 \
    METRICS_PORT=9464 \
    DATA_DIR=/var/lib/healthd \
    SPOOL_DIR=/var/lib/healthd/spool
COPY --from=build /out /app
RUN mkdir -p /var/lib/healthd/spool /var/lib/healthd/ledger \
    && chown -R node:node /var/lib/healthd \
    && ln -s /app/daemon/dist/main.js /usr/local/bin/healthd \
    && ln -s /app/cli/bundle/healthctl.mjs /usr/local/bin/healthctl
USER node
WORKDIR /home/node
VOLUME /var/lib/healthd
EXPOSE 8000 9464
# A worker also listens here, but serves only its probes.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A small young generation and few malloc pools keep memory low; see docs/benchmarks.md for the figures.
ENV MALLOC_ARENA_MAX=2
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/daemon/dist/main.js"]
CMD ["--role", "all"]
