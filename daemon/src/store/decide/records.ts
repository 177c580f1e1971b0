import type { PersonalRecord, Rejected } from '@healthd/model';
import { HEALTH_SCORES, MENSTRUAL_CYCLES } from '../facts/events/event-kinds.js';
import type { WrittenEvent } from '../facts/events/event-store.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import type { CollectionOutcome, WriteCounts } from '../facts/item-counts.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { VENDOR_SESSIONS } from '../facts/sleep/vendor-sessions.js';
import type { BatchRecords, ValidItems } from './batch-records.js';
import type { DecidedEvents } from './events.js';
import { type HighestSnapshot, withHighestValues } from './highest-values.js';
import { type DecidedSessions, decideSessions, type SessionSnapshot } from './sessions.js';
import { decideVendorEvents, type StoredVendorEvent } from './vendor-events.js';
import type { PlacedWorkouts } from './workout-sources.js';

interface VendorEventSnapshot {
  stored: readonly StoredVendorEvent[];
  /** Ids for new events, one per row. */
  newIds: readonly string[];
}

/** Stored sessions and scores around a batch's records. */
export interface RecordsSnapshot {
  /** Positions of interim versions of nights that are older than a stored night. */
  outdated: ReadonlySet<number>;
  nights: SessionSnapshot;
  workouts: SessionSnapshot;
  cycles: VendorEventSnapshot;
  scores: VendorEventSnapshot;
  /** Samples that determine scores; undefined if no score is the maximum of a series. */
  highest: HighestSnapshot | undefined;
}

/** A batch's records and the stored items around them. */
export interface RecordsToDecide {
  /** Items with the sources that they are stored under. */
  items: Omit<BatchRecords, 'stages'>;
  movedWorkouts: PlacedWorkouts['moved'];
  snapshot: RecordsSnapshot;
  keepStored: boolean;
}

/** Rows to write for a batch's workouts, vendors' nights, cycles, scores and personal facts. */
export interface RecordChanges {
  /** Stored workouts that move to another source. */
  movedWorkouts: PlacedWorkouts['moved'];
  nights: readonly WrittenEvent[];
  workouts: readonly WrittenEvent[];
  cycles: readonly WrittenEvent[];
  scores: readonly WrittenEvent[];
  personal: readonly PersonalRecord[];
}

/** Changes of a batch's records and their outcome. */
export interface DecidedRecords {
  changes: RecordChanges;
  /** Omits the rows, because a thread would send them twice. */
  nights: Omit<DecidedSessions, 'written'>;
  workouts: Omit<DecidedSessions, 'written'>;
  cycles: WriteCounts;
  scores: WriteCounts;
  collections: CollectionOutcome[];
  rejected: Rejected[];
}

/** Decides about a batch's records other than samples and sleep stages. */
export function* decideRecords(
  { items, movedWorkouts, snapshot, keepStored }: RecordsToDecide,
  timeline: OffsetTimeline,
): Generator<void, DecidedRecords> {
  const versions = items.nights.rows.filter((_, index) => !snapshot.outdated.has(index));
  const ofNights = [{ rows: versions, keepStored, completes: false }];
  const { written: writtenNights, ...nights } = yield* decideSessions(
    VENDOR_SESSIONS,
    ofNights,
    snapshot.nights,
    timeline,
  );
  nights.counts.unchanged += items.nights.rows.length - versions.length;
  yield;
  const completions = items.workouts.rows.filter(({ isCompletion }) => isCompletion);
  const created = items.workouts.rows.filter(({ isCreation, isCompletion }) => isCreation && !isCompletion);
  const others = items.workouts.rows.filter(({ isCreation, isCompletion }) => !isCreation && !isCompletion);
  const passes = [
    { rows: others, keepStored, completes: false },
    { rows: created, keepStored: true, completes: false },
    { rows: completions, keepStored, completes: true },
  ];
  const { written: writtenWorkouts, ...workouts } = yield* decideSessions(
    WORKOUTS,
    passes,
    snapshot.workouts,
    timeline,
  );
  yield;
  const events = (of: VendorEventSnapshot) => ({ newIds: of.newIds, keepStored });
  const cycles = yield* decideVendorEvents(
    MENSTRUAL_CYCLES,
    items.cycles.rows,
    snapshot.cycles.stored,
    events(snapshot.cycles),
  );
  yield;
  const scoreRows = items.scores.rows;
  const valued = snapshot.highest ? withHighestValues(scoreRows, snapshot.highest) : scoreRows;
  yield;
  const scores = yield* decideVendorEvents(HEALTH_SCORES, valued, snapshot.scores.stored, events(snapshot.scores));
  return {
    changes: {
      movedWorkouts,
      nights: writtenNights,
      workouts: writtenWorkouts,
      cycles: cycles.written,
      scores: scores.written,
      personal: items.personal,
    },
    nights,
    workouts,
    cycles: countsOf(cycles),
    scores: countsOf(scores),
    collections: [
      outcomeOf(items.nights, nights.counts, nights.rejected),
      outcomeOf(items.workouts, workouts.counts, workouts.rejected),
      outcomeOf(items.cycles, countsOf(cycles)),
      outcomeOf(items.scores, countsOf(scores)),
    ],
    rejected: [
      ...items.nights.rejected,
      ...nights.rejected,
      ...items.workouts.rejected,
      ...workouts.rejected,
      ...items.rejectedFigures,
      ...items.cycles.rejected,
      ...items.scores.rejected,
    ],
  };
}

function countsOf({ ids, unchanged }: DecidedEvents): WriteCounts {
  return { inserted: ids.inserted.length, updated: ids.updated.length, unchanged };
}

/** @param tooMany valid items that exceed a limit when counted together with stored items */
export function outcomeOf<Row>(
  { rows, rejected }: ValidItems<Row>,
  counts: WriteCounts,
  tooMany: readonly Rejected[] = [],
): CollectionOutcome {
  return { given: rows.length - tooMany.length, counts, rejected: [...rejected, ...tooMany] };
}
