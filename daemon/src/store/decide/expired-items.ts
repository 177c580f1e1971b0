import {
  type HealthRecord,
  localDayNumber,
  MS_PER_DAY,
  MS_PER_HOUR,
  NO_OFFSET,
  type RecordBatch,
} from '@healthd/model';

/**
 * Maximum offset of a time zone. An item without an offset is kept if its day may still be retained in any time zone.
 */
const FURTHEST_AHEAD_MS = 14 * MS_PER_HOUR;

/** Items of a batch that are too old for the vendor's cache limit. */
export interface ExpiredItems {
  records: readonly HealthRecord[];
  isExpiredSample(row: number): boolean;
}

/**
 * Finds items of days before `firstStoredDay`. Uses the same dates as the deletion of old data. An item with an unknown
 * offset may be a day older; the next deletion deletes it.
 * @param firstStoredDay days since 1970-01-01; undefined without a limit
 */
export function expiredItems({ records, samples }: RecordBatch, firstStoredDay: number | undefined): ExpiredItems {
  if (firstStoredDay === undefined) return { records: [], isExpiredSample: () => false };
  const isExpired = (ms: number, offsetMinutes: number | undefined) =>
    (offsetMinutes === undefined
      ? Math.floor((ms + FURTHEST_AHEAD_MS) / MS_PER_DAY)
      : localDayNumber(ms, offsetMinutes)) < firstStoredDay;
  return {
    records: records.filter((record) => isExpiredRecord(record, firstStoredDay, isExpired)),
    isExpiredSample: (row) => {
      const offset = samples.offsetMinutes[row] as number;
      return isExpired(samples.startMs[row] as number, offset === NO_OFFSET ? undefined : offset);
    },
  };
}

function isExpiredRecord(
  record: HealthRecord,
  firstStoredDay: number,
  isExpired: (ms: number, offsetMinutes: number | undefined) => boolean,
): boolean {
  switch (record.kind) {
    case 'workout':
    case 'sleep_session':
      return isExpired(record.endMs, record.offsetMinutes);
    case 'sleep_stage':
      // Allows another day, because a retained night may start on the evening before the first retained day.
      return record.endMs < (firstStoredDay - 1) * MS_PER_DAY;
    case 'menstrual_cycle':
      return record.endMs < firstStoredDay * MS_PER_DAY;
    case 'health_score':
      return record.atMs < firstStoredDay * MS_PER_DAY;
    default:
      return false;
  }
}
