import { randomUUID } from 'node:crypto';
import { SLEEP_LENGTH } from '@healthd/model';
import { groupedBy } from '../../platform/grouped-by.js';
import { ONE_LOOK_EACH } from '../../platform/database/index.js';
import type { BatchRecords } from '../decide/batch-records.js';
import type { RecordsSnapshot } from '../decide/records.js';
import type { DecidedReplacements } from '../decide/replaced-sessions.js';
import type { WholeSession } from '../decide/sessions.js';
import { type PlacedWorkouts, placedWorkouts } from '../decide/workout-sources.js';
import { HEALTH_SCORES, MENSTRUAL_CYCLES, type ScoreRow } from '../facts/events/event-kinds.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import { readSpans } from '../facts/samples/sample-reader.js';
import type { SampleRows } from '../facts/samples/sample-rows.js';
import type { SampleChanges } from '../facts/samples/sample-store.js';
import { VENDOR_SESSIONS, type VendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import type { BatchContext } from './load-context.js';
import { countNights, loadAlike } from './load-sessions.js';
import { loadVendorEvents } from './load-vendor-events.js';
import { findWithReadings, loadShared } from './load-workout-sources.js';
import type { RedatedSessions } from './redate-sessions.js';

/** Other decisions about the batch, which the records depend on. */
export interface DecidedBefore {
  /** Changes of samples. */
  changes: SampleChanges;
  /** Deletions in replaced windows. */
  replaced: DecidedReplacements;
  /** Sessions with a new local date. */
  redated: RedatedSessions;
}

/** Loads the stored sessions and scores around a batch's records. */
export async function loadRecords(
  context: BatchContext,
  { nights, workouts, cycles, scores }: BatchRecords,
  { changes, replaced, redated }: DecidedBefore,
): Promise<{ snapshot: RecordsSnapshot; placed: PlacedWorkouts }> {
  const removed = new Set([...replaced.workouts, ...replaced.nights].map(({ id }) => id));
  const removedScores = new Set(replaced.scores);
  const shared = (await loadShared(context, workouts.rows)).filter(({ id }) => !removed.has(id));
  await context.turns.yieldIfLong();
  const withReadings = await findWithReadings(context, workouts.rows, shared, changes);
  const placed = placedWorkouts(context.sources, workouts.rows, shared, withReadings);
  await context.turns.yieldIfLong();
  const movedTo = new Map(placed.moved.map(({ id, sourceId }) => [id, sourceId]));
  const dates = new Map([...redated.nights, ...redated.workouts].map(({ id, date }) => [id, date]));
  // A moved workout is still stored under its earlier source.
  const earlier = shared.filter(({ id }) => movedTo.has(id)).map((workout) => ({ ...workout, type: 'other' as const }));
  const isChanged = ({ id }: WholeSession) => removed.has(id) || movedTo.has(id) || dates.has(id);
  const current = (sessions: WholeSession[], dateColumn: string): WholeSession[] => {
    if (!sessions.some(isChanged)) return sessions;
    return sessions.flatMap((session) => {
      if (!isChanged(session)) return [session];
      if (removed.has(session.id)) return [];
      const sourceId = movedTo.get(session.id) ?? session.sourceId;
      const endDate = dates.get(session.id) ?? session.endDate;
      const values = { ...session.values, source_id: sourceId, [dateColumn]: endDate };
      return [{ ...session, sourceId, endDate, values }];
    });
  };
  const storedScores = (await loadVendorEvents(context, HEALTH_SCORES, scores.rows)).filter(
    ({ id }) => !removedScores.has(id),
  );
  const snapshot: RecordsSnapshot = {
    outdated: await findOutdated(context, nights.rows, removed),
    nights: {
      alike: current(await loadAlike(context, VENDOR_SESSIONS, nights.rows), VENDOR_SESSIONS.dateColumn),
      nights: await countNights(context, VENDOR_SESSIONS, nights.rows, replaced.nights),
      corrected: replaced.corrected,
      newIds: nights.rows.map(() => randomUUID()),
    },
    workouts: {
      alike: current(await loadAlike(context, WORKOUTS, [...placed.rows, ...earlier]), WORKOUTS.dateColumn),
      nights: undefined,
      corrected: replaced.corrected,
      newIds: placed.rows.map(() => randomUUID()),
    },
    cycles: {
      stored: await loadVendorEvents(context, MENSTRUAL_CYCLES, cycles.rows),
      newIds: cycles.rows.map(() => randomUUID()),
    },
    scores: { stored: storedScores, newIds: scores.rows.map(() => randomUUID()) },
    highest: scores.rows.some(({ highestOf }) => highestOf)
      ? {
          scores: storedScores,
          samples: await samplesOf(context, scores.rows),
          changes,
          archivedBefore: context.archivedBefore,
        }
      : undefined,
  };
  await context.turns.yieldIfLong();
  return { snapshot, placed };
}

/**
 * Finds interim versions of nights whose source has a session with figures at that time. They are older, in any order of
 * arrival.
 * @param removed ids of sessions that the batch deletes
 */
async function findOutdated(
  { client, userKey }: BatchContext,
  rows: readonly VendorSessionRow[],
  removed: ReadonlySet<string>,
): Promise<ReadonlySet<VendorSessionRow>> {
  const interim = rows.filter(({ isInterim }) => isInterim);
  if (interim.length === 0) return new Set();
  const { rows: outdated } = await client.query<{ place: number }>(
    `select place::int4
       from unnest($2::int4[], $3::timestamptz[], $4::timestamptz[])
              with ordinality as i (source_id, start_at, end_at, place)
      where exists (
        select from sleep_session s
         where s.user_key = $1 and s.source_id = i.source_id and not s.assembled
           and s.start_at < i.end_at and s.end_at > i.start_at and s.start_at > i.start_at - $5 * interval '1 ms'
           and coalesce(s.asleep_seconds, s.deep_seconds, s.light_seconds, s.rem_seconds) is not null
           and s.id <> all ($6::uuid[])
        ${ONE_LOOK_EACH})`,
    [
      userKey,
      interim.map(({ sourceId }) => sourceId),
      interim.map(({ startMs }) => new Date(startMs)),
      interim.map(({ endMs }) => new Date(endMs)),
      SLEEP_LENGTH.maxMs,
      [...removed],
    ],
  );
  return new Set(outdated.map(({ place }) => interim[place - 1] as VendorSessionRow));
}

/** Loads the stored samples in the spans of scores that are the maximum of a series, by source. */
async function samplesOf({ client, userKey }: BatchContext, scores: readonly ScoreRow[]): Promise<SampleRows[]> {
  const samples: SampleRows[] = [];
  const wanted = scores.filter(({ highestOf }) => highestOf);
  for (const [sourceId, own] of groupedBy(wanted, (score) => score.sourceId)) {
    const spans = own.flatMap(({ highestOf }) =>
      (highestOf?.spans ?? []).map(({ startMs, endMs }) => ({
        typeId: highestOf?.typeId as number,
        fromMs: Math.floor(startMs),
        toMs: Math.ceil(endMs),
      })),
    );
    samples.push(await readSpans(client, userKey, [sourceId], spans));
  }
  return samples;
}
