# The image of a farm's processes: the gateway, one service a domain, and one for agents (docs/docker.md).
#
#   docker build -t rookery .

# By tag, so that a machine's own images and mirrors serve too. `base-images.env` has the digests of the images that a build is
# tested with: docker build $(sed 's/^/--build-arg /' base-images.env) -t rookery .
ARG NODE_IMAGE=node:22-bookworm
ARG NODE_SLIM_IMAGE=node:22-bookworm-slim

# --- everything that takes a compiler, the sources or the gold ends in this stage
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
# better-sqlite3 takes a prebuilt binary where there is one to fetch, and is compiled where there is none: against the
# headers that come with the image, if they are there, so that these need not be fetched either.
RUN if [ -f /usr/local/include/node/node.h ]; then export npm_config_nodedir=/usr/local; fi \
 && npm ci --cache /tmp/npm \
 && rm -r /tmp/npm
COPY tsconfig.json tsconfig.build.json ./
COPY adapters adapters
COPY cli cli
COPY client client
COPY console console
COPY contracts contracts
COPY deploy deploy
COPY eval eval
COPY generator generator
COPY runner runner
COPY scripts scripts
COPY services services
COPY sql sql
COPY databases/*.ts databases/
RUN npm run build -- --no-types \
 && npx tsx scripts/write-runtime.ts /runtime

# --- the bundled farm, without its eval/. Proofs come with the databases: only domains that were changed are proven.
FROM build AS farm
COPY databases databases
# Some domains only: docker build --build-arg SPLIT="--only vet_clinics" .
ARG SPLIT=""
RUN node dist/cli/main.js prepare --farm /farm $SPLIT \
 && rm -r /farm/eval /farm/coverage.json \
 && node /runtime/dist/services/main.js deliver /farm /volumes \
 && find /volumes -type f -delete \
 && mkdir /runs

# --- what runs
FROM ${NODE_SLIM_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn* /opt/yarn*
COPY --from=build /runtime ./
COPY scripts/healthy ./
# The bundled farm; `docker compose up` delivers each domain's part of it to a volume of its own.
COPY --from=farm /farm /opt/farm
COPY --from=farm --chown=node:node /volumes /volumes
# What agents do is kept here, in a volume.
COPY --from=farm --chown=node:node /runs /runs
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=10s --start-period=30s --retries=4 CMD ["/app/healthy", "/health/ready"]
ENTRYPOINT ["node", "/app/dist/services/main.js"]
CMD ["serve", "/opt/farm"]
