import { ensureFirstAccount, type FirstAccount } from '../accounts/index.js';
import type { AuditWriter } from '../http/index.js';
import { migrate } from '../platform/database/index.js';
import { followPriorities } from '../priorities/index.js';
import { type ComposeOptions, composeParts, type Parts } from './compose-parts.js';
import { watchDiskSpace, writtenFolders } from './disk-space.js';
import { Disposers } from './disposers.js';
import { listen, requireFreePorts } from './listen.js';
import { unencryptedDatabases } from './unencrypted-databases.js';
import { within } from './within.js';

export { type ComposeOptions, composeParts, Disposers, type Parts };

/** The running service. */
export interface Service {
  /** Actual port of API and console, even if PORT was 0. */
  port: number;
  /** Undefined if metrics are disabled. */
  metricsPort: number | undefined;
  apiKeyHeader: string;
  /** Set if this start created the first account, which must be shown. */
  firstAccount: FirstAccount | undefined;
  /** True if the API key belongs to this service. */
  ownsApiKey(key: string): Promise<boolean>;
  parts: Parts;
  audit: AuditWriter;
  /** Stops accepting requests and jobs, waits for running work, and closes connections. The database keeps running. */
  stop(): Promise<void>;
}

/**
 * Time for running requests and jobs to finish. A whole stop, with its later steps (aborting jobs, closing connections,
 * stopping the embedded database), takes less than the 10 s that containers get.
 */
const DRAIN_SECONDS = 4;
/** Maximum wait for the release of a claim. The end of the process releases it anyway. */
const CLOSE_SECONDS = 1;

/** Starts the service. If the start fails, stops the parts that had started. */
export async function compose(options: ComposeOptions): Promise<Service> {
  const started = new Disposers();
  try {
    return await build(options, started);
  } catch (error) {
    await started
      .dispose()
      .catch((cause: unknown) =>
        options.log.warn({ event: 'start_not_undone', err: cause }, 'Failed to clean up after a failed start'),
      );
    throw error;
  }
}

/** Starts the service in this order: ports, schema, parts, first account, jobs, listening. */
async function build(options: ComposeOptions, started: Disposers): Promise<Service> {
  const { settings, database, role, log, overrides } = options;
  if (settings.recoverySelection !== undefined) {
    log.warn(
      { event: 'setting_ignored', setting: 'RECOVERY_SELECTION' },
      'Ignored RECOVERY_SELECTION: one rule selects the source of every figure. Remove the setting',
    );
  }
  for (const setting of unencryptedDatabases(settings)) {
    log.warn(
      { event: 'database_without_tls', setting },
      `Connecting to another host without TLS: ${setting} does not require it. Health data and passwords can be read on the network`,
    );
  }
  await requireFreePorts(settings);
  const migrated = await migrate(database.url);
  if (migrated.length > 0) {
    const range = { migrations: migrated.length, first: migrated[0], last: migrated.at(-1) };
    log.info({ event: 'schema_migrated', ...range }, 'Migrated the database schema');
  }
  const parts = await composeParts(options, started);
  const { priorities, channels, accounts, queue, gate } = parts;
  const firstAccount = await ensureFirstAccount(accounts, settings);
  started.add(() => within(CLOSE_SECONDS, firstAccount?.release()));
  started.add(() => queue.stop(DRAIN_SECONDS));
  await queue.start();
  parts.feed.start();
  await followPriorities({ priorities, channels });
  await parts.connections.terms.follow(channels);
  const diskSpace = watchDiskSpace(writtenFolders(settings, database).map(({ folder }) => folder));
  const server = await listen({ ...parts, settings, diskRoom: diskSpace, role, log, mount: overrides?.mount });
  // Stops both concurrently. If a request stores work during the stop, the sweeper of the next start finds it.
  started.add(() => Promise.all([server.close(DRAIN_SECONDS), queue.stop(DRAIN_SECONDS)]));
  started.add(() => parts.push.closeStreams());
  started.add(() => parts.feed.endWaits());
  // Only a process that runs jobs checks the subscribers, because it has the settings that the job will use.
  if (role !== 'api') await parts.renewSubscribers();

  return {
    port: server.port,
    metricsPort: server.metricsPort,
    apiKeyHeader: gate.apiKeyHeader,
    firstAccount,
    ownsApiKey: (key) => accounts.apiKeys.isKnown(key),
    parts,
    audit: server.audit,
    stop: () => started.dispose(),
  };
}
