import { ensureFirstAccount, type FirstAccount } from '../accounts/index.js';
import type { AuditWriter } from '../http/index.js';
import { migrate } from '../platform/database/index.js';
import { followPriorities } from '../priorities/index.js';
import { type ComposeOptions, composeParts, type Parts } from './compose-parts.js';
import { watchDiskRoom, writtenFolders } from './disk-room.js';
import { Disposers } from './disposers.js';
import { listen, requireFreePorts } from './listen.js';
import { within } from './within.js';

export { type ComposeOptions, composeParts, Disposers, type Parts };

/** The running service. */
export interface Service {
  /** Port of API and console, also when PORT was 0. */
  port: number;
  /** Undefined where metrics are turned off. */
  metricsPort: number | undefined;
  apiKeyHeader: string;
  /** Set when this start made the first account, which is to be shown. */
  firstAccount: FirstAccount | undefined;
  /** Whether an API key opens this service. */
  ownsApiKey(key: string): Promise<boolean>;
  parts: Parts;
  audit: AuditWriter;
  /** Stops taking requests and jobs, lets those in progress end, closes connections; the database stays. */
  stop(): Promise<void>;
}

/**
 * Requests and jobs in progress may end by themselves for so long, side by side. With what follows (jobs that are asked
 * to stop, connections, the embedded database) a stop takes less than the 10 s that containers are given.
 */
const DRAIN_SECONDS = 4;
/** A claim or a connection whose statement goes on is not waited for: the end of the process ends it. */
const CLOSE_SECONDS = 1;

/** Starts the service. What had started is stopped again when the start fails. */
export async function compose(options: ComposeOptions): Promise<Service> {
  const started = new Disposers();
  try {
    return await build(options, started);
  } catch (error) {
    await started
      .dispose()
      .catch((cause: unknown) =>
        options.log.warn({ event: 'start_not_undone', err: cause }, 'Failed to stop all that a failed start had begun'),
      );
    throw error;
  }
}

/** In the order: ports, schema, parts, first account, jobs, listen. */
async function build(options: ComposeOptions, started: Disposers): Promise<Service> {
  const { settings, database, role, log, overrides } = options;
  if (settings.recoverySelection !== undefined) {
    log.warn(
      { event: 'setting_ignored', setting: 'RECOVERY_SELECTION' },
      'Ignored RECOVERY_SELECTION, because one rule selects the source of every figure; remove the setting',
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
  await followPriorities({ priorities, channels });
  await parts.connections.terms.follow(channels);
  const diskRoom = watchDiskRoom(writtenFolders(settings, database).map(({ folder }) => folder));
  const server = await listen({ ...parts, settings, diskRoom, role, log, mount: overrides?.mount });
  // Side by side; what a request stores meanwhile and no queue takes any more, the sweeper of the next start finds.
  started.add(() => Promise.all([server.close(DRAIN_SECONDS), queue.stop(DRAIN_SECONDS)]));
  started.add(() => parts.push.closeStreams());
  // Only a process that runs jobs decides, with the settings that the job will use.
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
