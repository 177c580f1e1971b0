import type { Express } from 'express';
import type pg from 'pg';
import type { Logger } from 'pino';
import { consoleFolder, mountConsole } from './console-files.js';
import {
  type Binding,
  createApp,
  createAuditWriter,
  type Gate,
  type ListenAddress,
  type Metrics,
  mountDocuments,
  mountProbes,
  mountProviderIcons,
  mountRoot,
  type RunningServer,
  requireFreePort,
  startServer,
} from './http/index.js';
import type { JobQueue } from './jobs/index.js';
import type { Role } from './role.js';
import type { Settings } from './settings.js';
import type { Users } from './users/index.js';

export interface ListenOptions {
  settings: Settings;
  gate: Gate;
  metrics: Metrics;
  bindings: readonly Binding[];
  users: Users;
  pool: pg.Pool;
  queue: JobQueue;
  role: Role;
  log: Logger;
}

/**
 * Finds out whether {@link listen} will be able to, before anything is made that is shown once.
 * @throws ListenError
 */
export async function requireFreePorts(settings: Settings): Promise<void> {
  await requireFreePort({ host: settings.host, port: settings.port });
  if (settings.metricsPort !== 0) await requireFreePort(metricsAddress(settings));
}

function metricsAddress({ host, metricsPort }: Settings): ListenAddress {
  return { host, port: metricsPort, setting: 'METRICS_PORT' };
}

/** Serves API, console and documents, and the metrics on a port of their own; a worker serves its probes only. */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { settings, gate, metrics, users, pool, role, log } = options;
  const bindings = role === 'worker' ? [] : options.bindings;
  const audit = createAuditWriter({ pool, log });
  const app = createApp({
    bindings,
    log,
    errorFormat: settings.errorFormat,
    trustProxy: settings.trustProxy,
    corsOrigins: settings.corsOrigins,
    checkAnswers: process.env.NODE_ENV === 'test',
    authenticate: gate.authenticate,
    findUser: (id) => users.find(id),
    audit: (entry) => audit.record(entry),
    observe: metrics.observe,
    mount: (server) => mountPages(server, options, bindings),
  });
  const { host } = settings;
  const server = await startServer({ app, host, port: settings.port });
  const metricsServer =
    settings.metricsPort === 0 ? undefined : await startServer({ app: metrics.app, ...metricsAddress(settings) });
  return {
    port: server.port,
    async close(deadlineSeconds) {
      await Promise.all([server.close(deadlineSeconds), metricsServer?.close(1)]);
      await audit.close();
    },
  };
}

function mountPages(app: Express, { gate, pool, queue, role, log }: ListenOptions, bindings: readonly Binding[]): void {
  const checks = {
    database: async () => void (await pool.query('select 1')),
    jobs: async () => {
      if (!(await queue.status()).storeIsUp) throw new Error('the job store does not answer');
    },
  };
  mountProbes(app, checks, (part, error) => log.warn({ err: error, part }, 'a part of the service is not ready'));
  if (role === 'worker') return;
  const routes = bindings.map(({ route }) => route);
  mountProviderIcons(app);
  mountDocuments(app, routes, { title: 'healthd', apiKeyHeader: gate.apiKeyHeader });
  const folder = consoleFolder();
  if (folder === undefined) mountRoot(app);
  else mountConsole(app, folder);
}
