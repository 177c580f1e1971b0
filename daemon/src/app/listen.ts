import type { Express } from 'express';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type AppOptions,
  type AuditWriter,
  type Binding,
  createApp,
  createAuditWriter,
  type Gate,
  type ListenAddress,
  ListenError,
  type Metrics,
  mountDocuments,
  mountProbes,
  mountProviderIcons,
  mountRoot,
  type RunningServer,
  recordedExamples,
  requireFreePort,
  startServer,
} from '../http/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import type { Users } from '../users/index.js';
import { consoleFolder, mountConsole, mountConsoleAssets } from './console-files.js';
import type { DiskSpace } from './disk-space.js';
import { healthctlFile, mountHealthctl } from './healthctl-file.js';
import type { Role } from './role.js';
import { environment } from './settings/environment.js';
import type { Settings } from './settings/settings.js';

export interface ListenOptions {
  settings: Settings;
  gate: Gate;
  metrics: Metrics;
  bindings: readonly Binding[];
  users: Users;
  pool: pg.Pool;
  queue: JobQueue;
  diskRoom: DiskSpace;
  role: Role;
  log: Logger;
  /** Mounts additional pages before the service's own pages. */
  mount?: AppOptions['mount'];
}

/** `metricsPort` is undefined if metrics are disabled. */
export type ListeningService = RunningServer & { metricsPort: number | undefined; audit: AuditWriter };

/** Metrics port if METRICS_PORT is not set and this port is free. */
export const USUAL_METRICS_PORT = 9464;

/**
 * Checks that {@link listen} will succeed, before one-time secrets are created.
 * @throws ListenError
 */
export async function requireFreePorts(settings: Settings): Promise<void> {
  await requireFreePort({ host: settings.host, port: settings.port });
  if (settings.metricsPort) await requireFreePort(metricsAddress(settings.host, settings.metricsPort));
}

function metricsAddress(host: string, port: number): ListenAddress {
  return { host, port, setting: 'METRICS_PORT' };
}

/**
 * Serves metrics on the configured port. If METRICS_PORT is not set, uses the usual port or, if it is taken, any free
 * port, so that a second service on this machine can start.
 */
async function serveMetrics(app: Express, { host, metricsPort }: Settings): Promise<RunningServer | undefined> {
  if (metricsPort === 0) return undefined;
  const start = (port: number) => startServer({ app, ...metricsAddress(host, port) });
  if (metricsPort !== undefined) return start(metricsPort);
  try {
    return await start(USUAL_METRICS_PORT);
  } catch (error) {
    if (!(error instanceof ListenError) || error.code !== 'port_in_use') throw error;
    return start(0);
  }
}

/**
 * Serves the API, the console and the documents, and the metrics on a separate port. A worker serves only its probes
 * and metrics.
 */
export async function listen(options: ListenOptions): Promise<ListeningService> {
  const { settings, gate, metrics, users, pool, role, log } = options;
  const bindings = role === 'worker' ? [] : options.bindings;
  const onDiskFull = () => options.diskRoom.foundFull();
  const audit = createAuditWriter({ pool, log, onDiskFull });
  metrics.watchDisk(() => options.diskRoom.isFull());
  const app = createApp({
    bindings,
    log,
    errorFormat: settings.errorFormat,
    trustProxy: settings.trustProxy,
    corsOrigins: settings.corsOrigins,
    isHttps: settings.apiBaseUrl.startsWith('https:'),
    checkAnswers: environment().NODE_ENV === 'test',
    authenticate: gate.authenticate,
    findUser: (id) => users.find(id),
    audit: (entry) => audit.record(entry),
    observe: metrics.observe,
    onDiskFull,
    mountPrecompressed: (server) => {
      const folder = consoleFolder();
      if (role !== 'worker' && folder !== undefined) mountConsoleAssets(server, folder);
    },
    mount: (server) => {
      options.mount?.(server);
      mountPages(server, options, bindings);
    },
  });
  const { host } = settings;
  const server = await startServer({ app, host, port: settings.port });
  const metricsServer = await serveMetrics(metrics.app, settings);
  return {
    port: server.port,
    metricsPort: metricsServer?.port,
    audit,
    async close(deadlineSeconds) {
      await Promise.all([server.close(deadlineSeconds), metricsServer?.close(1)]);
      await audit.close();
    },
  };
}

function mountPages(
  app: Express,
  { settings, gate, pool, queue, diskRoom: diskSpace, role, log }: ListenOptions,
  bindings: readonly Binding[],
): void {
  const checks = {
    database: async () => void (await pool.query('select 1')),
    jobs: async () => {
      if (!(await queue.status()).storeIsUp) throw new Error('the job store does not respond');
    },
  };
  const onFailure = (part: string, error: unknown) =>
    log.warn({ event: 'service_not_ready', err: error, part }, 'Readiness check failed');
  mountProbes(app, checks, onFailure, () => diskSpace.isFull());
  if (role === 'worker') return;
  const routes = bindings.map(({ route }) => route);
  mountProviderIcons(app);
  mountDocuments(app, routes, {
    title: 'healthd',
    apiKeyHeader: gate.apiKeyHeader,
    errorFormat: settings.errorFormat,
    serverUrl: settings.apiBaseUrl,
    examples: recordedExamples(),
  });
  const healthctl = healthctlFile();
  if (healthctl !== undefined) mountHealthctl(app, healthctl);
  const folder = consoleFolder();
  if (folder === undefined) mountRoot(app);
  else mountConsole(app, folder);
}
