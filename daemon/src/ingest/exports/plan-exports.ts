import { type Interval, MS_PER_DAY, MS_PER_MINUTE, unionOf } from '@healthd/model';
import type { ExportAdapter, TimeRange } from '@healthd/providers';
import type { PlannedExport } from './export-rows.js';

/** What decides which windows are asked for. */
export interface ExportFacts {
  adapter: ExportAdapter;
  /** Kinds that are wanted. */
  dataTypes: readonly string[];
  nowMs: number;
  /** When the person first consented; the vendor goes back from there. */
  consentedMs: number;
  /** How far the vendor goes back, in days. */
  daysBack: number;
  /** Windows that the vendor has taken since the last consent. */
  taken: readonly ({ dataType: string } & TimeRange)[];
}

/**
 * The windows to be asked for, newest first: from as long before the consent as the vendor gives until now, less what it
 * has taken, in pieces that it takes. Requests count whole seconds, so that what is left of less than a minute is nothing.
 */
export function planExports({ adapter, dataTypes, nowMs, consentedMs, daysBack, taken }: ExportFacts): PlannedExport[] {
  const startMs = Math.min(consentedMs, nowMs) - daysBack * MS_PER_DAY;
  return adapter.types
    .filter(({ id }) => dataTypes.includes(id))
    .flatMap(({ id, delivered }) => {
      const gone = taken
        .filter(({ dataType }) => dataType === id)
        .map((window): Interval => [window.startMs, window.endMs]);
      return remaining({ startMs, endMs: nowMs }, gone)
        .flatMap((window) => pieces(window, adapter.windowDays))
        .filter((window) => window.endMs - window.startMs >= MS_PER_MINUTE)
        .map((window) => ({ dataType: id, delivered, window }));
    })
    .sort((a, b) => b.window.endMs - a.window.endMs);
}

/** What of a range is in none of the intervals. */
function remaining({ startMs, endMs }: TimeRange, gone: readonly Interval[]): TimeRange[] {
  const found: TimeRange[] = [];
  let from = startMs;
  for (const [goneFrom, goneTo] of unionOf(gone)) {
    if (goneFrom > from) found.push({ startMs: from, endMs: Math.min(goneFrom, endMs) });
    from = Math.max(from, goneTo);
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
