import type { PullAdapter, PullDataType, TimeRange } from '@healthd/providers';
import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import type { DisplacedSession } from '../../store/facts/index.js';
import type { OpenRun } from './open-runs.js';
import { type ReportedChange, storeNotifications } from './vendor-notifications.js';

/**
 * Requests displaced sessions again, as if the vendor had reported them. A session that is missing from a window may
 * have a new date, and its readings may be stored around its old time. Webhook runs read these requests, so they do not
 * request moved sessions themselves. Otherwise a vendor that uses one ID for two sessions would cause an endless loop.
 * @param range the run's range; the run itself reads moved sessions that start within it
 */
export async function requestDisplaced(
  client: pg.ClientBase,
  { provider, providerUserId: account }: Connection,
  { adapter, type, run }: { adapter: PullAdapter; type: PullDataType; run: Pick<OpenRun, 'runId' | 'kind'> },
  range: TimeRange,
  { sessions, at }: { sessions: readonly DisplacedSession[]; at: Date },
): Promise<void> {
  if (type.itemsIn === undefined || account === undefined || sessions.length === 0) return;
  const deleted = await reportedAsDeleted(client, run.runId);
  const changes = sessions.flatMap(({ externalId, startMs, endMs, isGone: isDeleted }): ReportedChange[] => {
    const place = { account, dataType: type.id, operation: 'upsert', startMs, endMs } as const;
    if (isDeleted) return adapter.locate && !deleted.has(externalId) ? [{ ...place, itemId: externalId }] : [];
    const isRead = startMs >= range.startMs && startMs < range.endMs;
    return isRead || run.kind === 'webhook' ? [] : [{ ...place, itemId: undefined }];
  });
  if (changes.length > 0) await storeNotifications(client, provider, changes, { at, state: 'received' });
}

/** Returns the items that the vendor reported to this run as deleted. */
async function reportedAsDeleted(client: pg.ClientBase, runId: string): Promise<Set<string>> {
  const { rows } = await client.query<{ item_id: string }>(
    `select item_id from provider_notification where run_id = $1 and operation = 'delete' and item_id is not null`,
    [runId],
  );
  return new Set(rows.map(({ item_id }) => item_id));
}
