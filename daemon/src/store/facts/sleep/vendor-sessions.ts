import type { SleepSessionRecord } from '@healthd/model';
import type { SessionKind } from '../events/session-kind.js';
import { SESSION_COLUMNS } from './session-columns.js';

export interface VendorSessionRow extends Omit<SleepSessionRecord, 'kind' | 'source' | 'isNap'> {
  sourceId: number;
  isNap: boolean;
  /** Position in the batch. */
  index?: number;
}

/**
 * Vendors' sleep sessions, identified by (source, external id), otherwise by (source, start, nap), because a later
 * version may end later.
 */
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
