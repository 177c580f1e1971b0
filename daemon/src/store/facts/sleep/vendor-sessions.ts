import type { SleepSessionRecord } from '@healthd/model';
import type { SessionKind } from '../events/session-kind.js';
import { plausibleSeconds } from './plausible-seconds.js';
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

/** The vendor's session with durations that its length allows and the efficiency that they give. */
export function vendorSessionRow(record: SleepSessionRecord, sourceId: number): VendorSessionRow {
  const seconds = plausibleSeconds(record);
  const { asleepSeconds, inBedSeconds } = seconds;
  const computed =
    asleepSeconds !== undefined && inBedSeconds !== undefined && inBedSeconds > 0
      ? (100 * asleepSeconds) / inBedSeconds
      : undefined;
  const efficiency = record.efficiencyPercent ?? computed;
  return {
    ...record,
    sourceId,
    isNap: record.isNap ?? false,
    ...seconds,
    efficiencyPercent: efficiency === undefined ? undefined : Math.min(100, Math.max(0, efficiency)),
    stages: record.stages && [...record.stages].sort((a, b) => a.startMs - b.startMs),
  };
}
