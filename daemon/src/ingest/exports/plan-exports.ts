import { type Interval, MS_PER_DAY, MS_PER_MINUTE, unionOf } from '@healthd/model';
import type { ExportAdapter, TimeRange } from '@healthd/providers';
import type { PlannedExport } from './export-rows.js';

/** Inputs for planning the windows. */
export interface ExportFacts {
  adapter: ExportAdapter;
  /** Requested data types. */
  dataTypes: readonly string[];
  nowMs: number;
  /** Time of the user's first consent, or the current time. `daysBack` counts back from it. */
  consentedMs: number;
  /** Number of days of history to request. */
  daysBack: number;
  /** Windows that the vendor has accepted since the last consent; they are not requested again. */
  taken: readonly ({ dataType: string } & TimeRange)[];
}

/**
 * Plans the windows to request, newest first. The windows span from the start of the requested history until now,
 * except for ranges that the vendor has already accepted. They are split to the accepted length. Requests use whole
 * seconds, so ranges of less than a minute are dropped.
 */
export function planExports({ adapter, dataTypes, nowMs, consentedMs, daysBack, taken }: ExportFacts): PlannedExport[] {
  const startMs = Math.min(consentedMs, nowMs) - daysBack * MS_PER_DAY;
  return adapter.types
    .filter(({ id }) => dataTypes.includes(id))
    .flatMap(({ id, delivered }) => {
      const covered = taken
        .filter(({ dataType }) => dataType === id)
        .map((window): Interval => [window.startMs, window.endMs]);
      return remaining({ startMs, endMs: nowMs }, covered)
        .flatMap((window) => pieces(window, adapter.windowDays))
        .filter((window) => window.endMs - window.startMs >= MS_PER_MINUTE)
        .map((window) => ({ dataType: id, delivered, window }));
    })
    .sort((a, b) => b.window.endMs - a.window.endMs);
}

/** Returns the parts of a range that the intervals do not cover. */
function remaining({ startMs, endMs }: TimeRange, covered: readonly Interval[]): TimeRange[] {
  const found: TimeRange[] = [];
  let from = startMs;
  for (const [deletedFrom, deletedTo] of unionOf(covered)) {
    if (deletedFrom > from) found.push({ startMs: from, endMs: Math.min(deletedFrom, endMs) });
    from = Math.max(from, deletedTo);
  }
  if (from < endMs) found.push({ startMs: from, endMs });
  return found;
}

function pieces({ startMs, endMs }: TimeRange, days: number): TimeRange[] {
  const found: TimeRange[] = [];
  for (let end = endMs; end > startMs; end -= days * MS_PER_DAY) {
    found.push({ startMs: Math.max(startMs, end - days * MS_PER_DAY), endMs: end });
  }
  return found;
}
