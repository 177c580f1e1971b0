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

/** What was requested of the past. */
export interface RequestedExport {
  runId: string;
  /** False when such a run is open already. */
  isNew: boolean;
  /** How far before the consent it reaches. */
  days: number;
  /** Reason in words why nothing was requested. */
  obstacle?: string;
}

/** A vendor sets its own bound; this is for one that does not. */
const DEFAULT_DAYS_BACK = 90;

/** Whether the past of a provider is requested and comes later. */
export function hasExports({ cloudOf }: Pick<ExportServices, 'cloudOf'>, provider: ProviderId): boolean {
  return cloudOf(provider)?.exports !== undefined;
}

/** @throws Failure `not_implemented` */
export function exportsOf({ cloudOf }: Pick<ExportServices, 'cloudOf'>, provider: ProviderId): ExportAdapter {
  const adapter = cloudOf(provider)?.exports;
  if (adapter) return adapter;
  throw new Failure('not_implemented', `Provider '${provider}' exports no history on request`);
}

/** Requests the past of a user. @throws Failure `not_implemented`, `not_found`, `conflict` */
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
 * Requests one kind of data again, in the run that is open or in one of its own.
 * @throws Failure `not_implemented`, `bad_request` for a kind that is not exported, `not_found`, `conflict`
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
      ? await askAgain(services, connection, open.runId, dataType)
      : await queueExports(services, connection, { only: dataType });
  await services.exportJobs.tryEnqueue({ connection_id: connection.id });
  return queued;
}

/** Which part of the past is requested; all of it unless said otherwise. */
interface ExportChoice {
  /** One kind of data, which is asked for again also where the vendor took it before. */
  only?: string;
  /** Goes back from now and not from the first consent. */
  fromNow?: boolean;
}

/** Plans what is to be requested, in a run of its own unless one is open. */
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

/** Why there is nothing to ask for, in words; undefined where there is something. */
function obstacleOf(
  { scope: needed }: ExportAdapter,
  { provider, scope, grantedScopes }: Connection,
  windows: number,
): string | undefined {
  const name = PROVIDER_NAMES[provider];
  if (scope !== undefined && !grantedScopes.has(needed)) {
    return `${name}: the person did not grant the past (${needed}); after ticking it, it can be requested.`;
  }
  return windows === 0 ? `${name}: all of the past that is granted has been requested before.` : undefined;
}

/** What the person grants; all of it where the vendor did not say. */
function grantedTypes(cloud: CloudProvider | undefined, { scope, grantedScopes }: Connection): string[] {
  const scopesOf = (delivered: string) => cloud?.deliveries?.dataTypes.find(({ id }) => id === delivered)?.scopes ?? [];
  return (cloud?.exports?.types ?? [])
    .filter(({ delivered }) => scope === undefined || isGranted(scopesOf(delivered), grantedScopes))
    .map(({ id }) => id);
}

/** Windows of an open run are asked for again; where the run has none of this kind they are added. */
async function askAgain(
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

/** Whether a consent that brings the past was followed by nothing, because the process died in between. */
export function isForgotten({ backfillStartedAt, accountCheckedAt }: Connection, now: Date): boolean {
  if (backfillStartedAt !== undefined || accountCheckedAt === undefined) return false;
  return now.getTime() - accountCheckedAt.getTime() < MS_PER_DAY;
}
