import { deleteArchivedDays } from '../archive/archive-deletion.js';
import { type ArchivedDay, archivedDays } from '../facts/archived/archived-day.js';
import type { Change } from '../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns } from '../facts/changes.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { localDayOf, type SampleKey, type SampleRows, sampleKeyOf } from '../facts/samples/sample-rows.js';
import { deleteKeys } from '../facts/samples/sample-store.js';
import type { SessionTable } from '../facts/tombstones.js';
import type { WriteContext } from '../facts/write-context.js';
import type { DisplacedSession } from '../facts/write-result.js';

const SESSION_TABLES = ['sleep_session', 'workout', 'menstrual_cycle'] as const satisfies SessionTable[];

/** Stored items to delete. */
export interface Removal {
  /** The reason, one of the deletions of `CHANGE`; 0 if nothing is deleted. */
  change: Change;
  /** Samples to delete. Several lists may contain the same sample. */
  samples: readonly SampleRows[];
  archivedDays: readonly ArchivedDay[];
  /** Ids by table. */
  sessions: Readonly<Partial<Record<SessionTable, readonly string[]>>>;
  /** Row ids of health scores. */
  scores: readonly string[];
  /** Wake dates of deleted nights. */
  wakeDates: readonly string[];
  /** Sessions that a replaced window lacks. */
  gone: readonly DisplacedSession[];
}

export const NOTHING_REMOVED: Removal = {
  change: 0,
  samples: [],
  archivedDays: [],
  sessions: {},
  scores: [],
  wakeDates: [],
  gone: [],
};

/** Combines several removals. */
export function allRemovals(parts: readonly Removal[]): Removal {
  return {
    change: parts.reduce((all, { change }) => all | change, 0),
    samples: parts.flatMap(({ samples }) => samples),
    archivedDays: parts.flatMap((part) => part.archivedDays),
    sessions: Object.fromEntries(
      SESSION_TABLES.map((table) => [table, [...new Set(parts.flatMap(({ sessions }) => sessions[table] ?? []))]]),
    ),
    scores: [...new Set(parts.flatMap(({ scores }) => scores))],
    wakeDates: parts.flatMap(({ wakeDates }) => wakeDates),
    gone: parts.flatMap(({ gone }) => gone),
  };
}

/** Number of deleted rows, and the roll-ups to recompute. */
export interface Removed {
  samples: number;
  sessions: number;
  healthScores: number;
  days: DirtyDays;
  wakeDates: readonly string[];
  gone: readonly DisplacedSession[];
}

/** Returns the number of rows that a removal deletes, and the roll-ups to recompute. */
export function removedBy(removal: Removal, timeline: OffsetTimeline): Removed {
  const { change, samples, sessions, scores, wakeDates, gone } = removal;
  const days = archivedDays(removal.archivedDays, change);
  for (const rows of samples) {
    for (let row = 0; row < rows.length; row++) {
      days.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(rows, row, timeline), change);
    }
  }
  const archivedSamples = removal.archivedDays.reduce((total, { sampleCount }) => total + sampleCount, 0);
  return {
    samples: sampleKeys(samples).length + archivedSamples,
    sessions: SESSION_TABLES.reduce((total, table) => total + (sessions[table]?.length ?? 0), 0),
    healthScores: scores.length,
    days,
    wakeDates,
    gone,
  };
}

/** Combines the results of several removals. */
export function allRemoved(parts: readonly Removed[]): Removed {
  const sum = (count: (part: Removed) => number) => parts.reduce((total, part) => total + count(part), 0);
  return {
    samples: sum(({ samples }) => samples),
    sessions: sum(({ sessions }) => sessions),
    healthScores: sum(({ healthScores }) => healthScores),
    days: DirtyDays.union(parts.map(({ days }) => days)),
    wakeDates: parts.flatMap(({ wakeDates }) => wakeDates),
    gone: parts.flatMap(({ gone }) => gone),
  };
}

export async function applyRemoval(
  context: WriteContext,
  { change, samples, archivedDays: days, sessions, scores }: Removal,
): Promise<void> {
  const { client, userKey } = context;
  await deleteKeys(client, userKey, sampleKeys(samples));
  await deleteArchivedDays(context, days);
  const tables = [
    ...SESSION_TABLES.map((table) => [table, sessions[table] ?? []] as const),
    ['health_score', scores] as const,
  ];
  for (const [table, ids] of tables) {
    if (ids.length === 0) continue;
    const { rows } = await client.query<ChangedRow>(
      `delete from ${table} s where s.user_key = $1 and s.id = any ($2::uuid[]) returning ${changedColumns(table)}`,
      [userKey, ids],
    );
    addChangedRows(client, userKey, table, change, rows);
  }
}

/** Returns the keys of the samples without duplicates. */
function sampleKeys(samples: readonly SampleRows[]): SampleKey[] {
  const keys = samples.map((rows) => Array.from({ length: rows.length }, (_, row) => sampleKeyOf(rows, row)));
  if (keys.length <= 1) return keys[0] ?? [];
  const keyText = ({ typeId, startMs, sourceId, slot }: SampleKey) => `${typeId} ${startMs} ${sourceId} ${slot}`;
  return [...new Map(keys.flat().map((key) => [keyText(key), key])).values()];
}
