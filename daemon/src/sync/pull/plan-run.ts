import { inTransaction } from '../../database/index.js';
import type { OpenRun } from './open-runs.js';
import { type PlannedRange, planRanges } from './progress-rows.js';
import { liveRange } from './pull-range.js';
import type { PullServices } from './pull-services.js';
import { isGranted, type PullContext, tellsOfChanges } from './pull-turn.js';

/** Writes down what a run will read. */
export async function planRun(services: PullServices, run: OpenRun, context: PullContext): Promise<void> {
  const { pool, runs } = services;
  await inTransaction(pool, async (client) => {
    const moved = await runs.moveIn(client, run.runId, 'started', { message: 'Reading from the vendor.', progress: 0 });
    if (moved !== 'recorded') return;
    const cursors = await readCursors(services, context.connection.id);
    await planRanges(client, run.runId, rangesOf(services, run, context, cursors));
  });
  runs.announce(context.connection.userKey);
}

function rangesOf(
  { settings, maxHistoricalDays, now }: PullServices,
  { kind, dataTypes, fromAt }: OpenRun,
  { connection, adapter, use }: PullContext,
  cursors: ReadonlyMap<string, number>,
): PlannedRange[] {
  const nowMs = now().getTime();
  const told = tellsOfChanges(use);
  return adapter.dataTypes
    .filter(({ id }) => dataTypes === undefined || dataTypes.includes(id))
    .map((type): PlannedRange => {
      const dataType = type.id;
      if (!isGranted(type.scopes, connection.grantedScopes)) {
        return { dataType, startMs: nowMs, endMs: nowMs, skipped: 'scope_missing' };
      }
      const facts = {
        type,
        nowMs,
        cursorMs: cursors.get(dataType),
        connectedMs: (connection.consentedAt ?? connection.createdAt).getTime(),
        lookbackMs: use.liveSyncMode === 'pull' ? settings.lookbackMs : undefined,
        maxHistoricalDays: maxHistoricalDays(connection.provider),
        toldUntilMs: told && type.notified && kind === 'live' ? connection.lastNotifiedAt?.getTime() : undefined,
        sinceMs: fromAt?.getTime(),
      };
      return { dataType, ...liveRange(facts) };
    });
}

async function readCursors({ pool }: PullServices, connectionId: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ data_type: string; cursor_at: Date }>(
    'select data_type, cursor_at from connection_data_type where connection_id = $1 and cursor_at is not null',
    [connectionId],
  );
  return new Map(rows.map(({ data_type, cursor_at }) => [data_type, cursor_at.getTime()]));
}
