import { SLEEP_LENGTH, type SleepSessionRecord } from '@healthd/model';
import { ONE_LOOK_EACH } from '../../../platform/database/index.js';
import type { SessionKind } from '../events/session-kind.js';
import type { WriteContext } from '../write-context.js';
import { SESSION_COLUMNS } from './session-columns.js';

export interface VendorSessionRow extends Omit<SleepSessionRecord, 'kind' | 'source' | 'isNap'> {
  sourceId: number;
  isNap: boolean;
  /** Position in the batch. */
  index?: number;
}

/** A vendor's own sleep sessions by (source, external id), else (source, start, nap): one may end later than it did. */
export const VENDOR_SESSIONS: SessionKind<VendorSessionRow> = {
  table: 'sleep_session',
  dateColumn: 'wake_date',
  variantSql: 's.is_nap::text',
  variant: ({ isNap }) => String(isNap),
  ownRows: 'not s.assembled',
  rule: { differsByEnd: false, takesLaterId: true },
  columns: [
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'assembled', type: 'boolean', value: () => false },
    { name: 'wake_date', type: 'date', value: ({ endDate }) => endDate },
    ...SESSION_COLUMNS,
  ],
};

/**
 * Leaves out interim versions of nights whose source has a session with figures at that time: they are older, whichever came
 * first.
 */
export async function withoutOutdated(
  { client, userKey }: WriteContext,
  rows: readonly VendorSessionRow[],
): Promise<VendorSessionRow[]> {
  const interim = rows.filter(({ isInterim }) => isInterim);
  if (interim.length === 0) return [...rows];
  const { rows: outdated } = await client.query<{ place: number }>(
    `select place::int4
       from unnest($2::int4[], $3::timestamptz[], $4::timestamptz[])
              with ordinality as i (source_id, start_at, end_at, place)
      where exists (
        select from sleep_session s
         where s.user_key = $1 and s.source_id = i.source_id and not s.assembled
           and s.start_at < i.end_at and s.end_at > i.start_at and s.start_at > i.start_at - $5 * interval '1 ms'
           and coalesce(s.asleep_seconds, s.deep_seconds, s.light_seconds, s.rem_seconds) is not null
        ${ONE_LOOK_EACH})`,
    [
      userKey,
      interim.map(({ sourceId }) => sourceId),
      interim.map(({ startMs }) => new Date(startMs)),
      interim.map(({ endMs }) => new Date(endMs)),
      SLEEP_LENGTH.maxMs,
    ],
  );
  const left = new Set(outdated.map(({ place }) => interim[place - 1]));
  return rows.filter((row) => !left.has(row));
}
