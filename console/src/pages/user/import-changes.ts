import type { SyncRun } from '@healthd/schemas';
import { numberOf, recordOf } from '../run/metadata.js';

/** Changes of one series: new, updated and deleted rows. */
interface SeriesChange {
  series: string;
  fresh: number;
  changed: number;
  gone: number;
}

/** Returns the changed series of a dry run, largest change first. */
export function changesOf({ metadata }: Pick<SyncRun, 'metadata'>): SeriesChange[] {
  const rows = Object.entries(recordOf(recordOf(metadata.report).changes)).map(([series, months]) => {
    const counts = Object.values(recordOf(months)).map(recordOf);
    const sum = (kind: string) => counts.reduce((total, count) => total + (numberOf(count[kind]) ?? 0), 0);
    return { series, fresh: sum('new'), changed: sum('changed'), gone: sum('gone') };
  });
  return rows.filter((row) => size(row) > 0).sort((a, b) => size(b) - size(a));
}

function size({ fresh, changed, gone }: SeriesChange): number {
  return fresh + changed + gone;
}
