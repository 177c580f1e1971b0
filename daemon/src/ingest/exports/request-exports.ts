import { MS_PER_DAY, PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { CloudProvider, ExportAdapter } from '@healthd/providers';
import type pg from 'pg';
import { type Connection, isGranted } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import { newRunId } from '../../runs/index.js';
import { requirePullable } from '../pull/index.js';
import { exportsOfRun, insertExports, latestExportRun, takenWindows } from './export-rows.js';
import type { ExportServices } from './export-services.js';
import { planExports } from './plan-exports.js';

/** Result of a history request. */
export interface RequestedExport {
  runId: string;
  /** False if the run was already open. */
  isNew: boolean;
  /** Number of days of history that the request covers. */
  days: number;
  /** Reason why nothing was requested. */
  obstacle?: string;
}

/** Default for vendors without a limit. */
const DEFAULT_DAYS_BACK = 90;

/** True if a provider's history is requested and delivered later. */
export function hasExports({ cloudOf }: Pick<ExportServices, 'cloudOf'>, provider: ProviderId): boolean {
  return cloudOf(provider)?.exports !== undefined;
}

/** @throws Failure `not_implemented` */
export function exportsOf({ cloudOf }: Pick<ExportServices, 'cloudOf'>, provider: ProviderId): ExportAdapter {
  const adapter = cloudOf(provider)?.exports;
  if (adapter) return adapter;
  throw new Failure('not_implemented', `Provider '${provider}' exports no history on request`);
}

/**
 * Requests a user's history.
 * @throws Failure `not_implemented`, `not_found`, `conflict`
 */
export async function requestExports(
  services: ExportServices,
  userKey: number,
  provider: ProviderId,
): Promise<RequestedExport> {
  exportsOf(services, provider);
  const connection = await requirePullable(services, userKey, provider);
  const queued = await queueExports(services, connection);
  await services.exportJobs.tryEnqueue({ connection_id: connection.id });
  return queued;
}

/**
 * Requests one data type again, in the open run or a new one.
 * @throws Failure `not_implemented`, `bad_request` for a data type that is not exported, `not_found`, `conflict`
 */
export async function retryExport(
  services: ExportServices,
  userKey: number,
  provider: ProviderId,
  dataType: string,
): Promise<RequestedExport> {
  const adapter = exportsOf(services, provider);
  const valid = adapter.types.map(({ id }) => id);
  if (!valid.includes(dataType)) {
    throw new Failure('bad_request', `Invalid type: ${dataType.slice(0, 64)}. Valid types: ${valid.join(', ')}`);
  }
  const connection = await requirePullable(services, userKey, provider);
  const open = await latestExportRun(services.pool, connection.id);
  const queued =
    open?.isOpen === true
      ? await requestAgain(services, connection, open.runId, dataType)
      : await queueExports(services, connection, { only: dataType });
  await services.exportJobs.tryEnqueue({ connection_id: connection.id });
  return queued;
}

/** The part of the history to request; default: all of it. */
interface ExportChoice {
  /** One data type, which is requested again even if the vendor accepted it before. */
  only?: string;
  /** True to count the days back from now instead of from the first consent. */
  fromNow?: boolean;
}

/** Plans the windows to request, in the open run or a new one. */
export async function queueExports(
  services: Pick<ExportServices, 'pool' | 'runs' | 'now' | 'cloudOf' | 'connections' | 'maxHistoricalDays'>,
  connection: Connection,
  { only, fromNow = false }: ExportChoice = {},
): Promise<RequestedExport> {
  const { pool, runs, connections, cloudOf, now } = services;
  const { id, userKey, provider } = connection;
  const cloud = cloudOf(provider);
  const adapter = exportsOf(services, provider);
  const days = services.maxHistoricalDays(provider) ?? DEFAULT_DAYS_BACK;
  const queued = await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey });
    const open = await latestExportRun(client, id);
    const at = now();
    if (open?.isOpen) {
      await connections.markBackfillStarted(id, at, client);
      return { runId: open.runId, isNew: false, days };
    }
    const consented = connection.consentedAt ?? connection.createdAt;
    const since = connection.accountCheckedAt ?? consented;
    const planned = planExports({
      adapter,
      dataTypes: only === undefined ? grantedTypes(cloud, connection) : [only],
      nowMs: at.getTime(),
      consentedMs: (fromNow ? at : consented).getTime(),
      daysBack: days,
      taken: only === undefined ? await takenWindows(client, id, since) : [],
    });
    const runId = newRunId(`${provider}_backfill`);
    const metadata = { connection_id: id, days, ...(only !== undefined && { retry_type: only }) };
    await runs.queue(client, { runId, userKey, provider, source: 'backfill', metadata });
    const obstacle = obstacleOf(adapter, connection, planned.length);
    if (obstacle === undefined) await insertExports(client, { runId, connectionId: id, at }, planned);
    else await runs.finishIn(client, runId, { stage: 'completed', status: 'skipped' }, { message: obstacle });
    await connections.markBackfillStarted(id, at, client);
    return { runId, isNew: true, days, ...(obstacle !== undefined && { obstacle }) };
  });
  if (queued.isNew) runs.announce(userKey);
  return queued;
}

/** Returns the reason why no history can be requested; undefined if history can be requested. */
function obstacleOf(
  { scope: needed }: ExportAdapter,
  { provider, scope, grantedScopes }: Connection,
  windows: number,
): string | undefined {
  const name = PROVIDER_NAMES[provider];
  if (scope !== undefined && !grantedScopes.has(needed)) {
    return `${name}: the user did not grant access to the history (${needed}). Ask the user to connect again and grant it.`;
  }
  return windows === 0 ? `${name}: all granted history was already requested.` : undefined;
}

/** Returns the data types that the user granted; all types if the vendor did not report the grant. */
function grantedTypes(cloud: CloudProvider | undefined, { scope, grantedScopes }: Connection): string[] {
  const scopesOf = (delivered: string) => cloud?.deliveries?.dataTypes.find(({ id }) => id === delivered)?.scopes ?? [];
  return (cloud?.exports?.types ?? [])
    .filter(({ delivered }) => scope === undefined || isGranted(scopesOf(delivered), grantedScopes))
    .map(({ id }) => id);
}

/** Requests a data type's windows of an open run again. Adds windows if the run has no windows of this data type. */
async function requestAgain(
  services: ExportServices,
  connection: Connection,
  runId: string,
  dataType: string,
): Promise<RequestedExport> {
  const { pool, now, cloudOf, maxHistoricalDays } = services;
  const { id, userKey, provider } = connection;
  const adapter = exportsOf({ cloudOf }, provider);
  const days = maxHistoricalDays(provider) ?? DEFAULT_DAYS_BACK;
  await inTransaction(pool, async (client: pg.ClientBase) => {
    await lockUserIfExists(client, { userKey });
    const at = now();
    const { rowCount } = await client.query(
      `update vendor_export set state = 'pending', asked_at = null, failures = 0, error = null, next_look_at = $3
        where run_id = $1 and data_type = $2 and state <> 'done'`,
      [runId, dataType, at],
    );
    const known = (await exportsOfRun(client, runId)).some((row) => row.dataType === dataType);
    if (rowCount !== 0 || known) return;
    const consentedMs = (connection.consentedAt ?? connection.createdAt).getTime();
    const facts = { adapter, dataTypes: [dataType], nowMs: at.getTime(), consentedMs, daysBack: days, taken: [] };
    await insertExports(client, { runId, connectionId: id, at }, planExports(facts));
  });
  return { runId, isNew: false, days };
}

/** True if a recent consent has no backfill yet, because the process crashed before the follow-up work. */
export function isForgotten({ backfillStartedAt, accountCheckedAt }: Connection, now: Date): boolean {
  if (backfillStartedAt !== undefined || accountCheckedAt === undefined) return false;
  return now.getTime() - accountCheckedAt.getTime() < MS_PER_DAY;
}
