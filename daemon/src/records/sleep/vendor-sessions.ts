import type { SleepSessionRecord } from '@healthd/model';
import type pg from 'pg';
import type { EventKind } from '../vendor-events.js';
import { SESSION_COLUMNS } from './session-store.js';

export interface VendorSessionRow extends Omit<SleepSessionRecord, 'kind' | 'source' | 'isNap'> {
  sourceId: number;
  wakeDate: string;
  isNap: boolean;
}

/** A vendor's own sleep sessions by (source, external id), else (source, start). */
export const VENDOR_SESSIONS: EventKind<VendorSessionRow> = {
  table: 'sleep_session',
  namedBy: ['source_id', 'external_id'],
  unnamedBy: ['source_id', 'start_at', 'assembled'],
  columns: [
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'assembled', type: 'boolean', value: () => false },
    ...SESSION_COLUMNS,
  ],
};

/** The vendor's session with durations as the table holds them and the efficiency its own numbers give. */
export function vendorSessionRow(record: SleepSessionRecord, sourceId: number, wakeDate: string): VendorSessionRow {
  const whole = (seconds: number | undefined) =>
    seconds === undefined || !Number.isFinite(seconds) ? undefined : Math.round(seconds);
  const { asleepSeconds, inBedSeconds, efficiencyPercent } = record;
  const computed =
    asleepSeconds !== undefined && inBedSeconds !== undefined && inBedSeconds > 0
      ? (100 * asleepSeconds) / inBedSeconds
      : undefined;
  const efficiency = efficiencyPercent ?? computed;
  return {
    ...record,
    sourceId,
    wakeDate,
    isNap: record.isNap ?? false,
    asleepSeconds: whole(asleepSeconds),
    inBedSeconds: whole(inBedSeconds),
    awakeSeconds: whole(record.awakeSeconds),
    lightSeconds: whole(record.lightSeconds),
    deepSeconds: whole(record.deepSeconds),
    remSeconds: whole(record.remSeconds),
    efficiencyPercent: efficiency === undefined ? undefined : Math.min(100, Math.max(0, efficiency)),
    stages: record.stages && [...record.stages].sort((a, b) => a.startMs - b.startMs),
  };
}

/** Wake dates that stored sessions of the same identities have now, before the rows replace them. */
export async function wakeDatesBefore(
  client: pg.ClientBase,
  userKey: number,
  rows: VendorSessionRow[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const { rows: found } = await client.query<{ wake_date: string }>(
    `select distinct s.wake_date
       from unnest($2::int[], $3::text[], $4::float8[]) as fresh (source_id, external_id, start_ms)
       join sleep_session s on s.user_key = $1 and s.source_id = fresh.source_id and not s.assembled
                           and (s.external_id = fresh.external_id
                                or s.external_id is null and s.start_at = to_timestamp(fresh.start_ms / 1000))`,
    [
      userKey,
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ externalId }) => externalId ?? null),
      rows.map(({ startMs }) => startMs),
    ],
  );
  return found.map(({ wake_date }) => wake_date);
}
