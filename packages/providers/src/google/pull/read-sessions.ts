import type { ReplacementRecord, SleepSessionRecord, WorkoutRecord } from '@healthd/model';
import { MS_PER_HOUR } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { type PullMode, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { exercise } from './exercise.js';
import { readsSources } from './modes.js';
import { onePerOverlap } from './one-per-overlap.js';
import { endFilter, readPoints, startFilter } from './read-points.js';
import { replacedSessions } from './replaced.js';
import { type SessionPoint, sessionPoint } from './session-point.js';
import { sleepSession } from './sleep-session.js';
import { Sources } from './source.js';

/** Maximum distance of sessions from a window. A longer session is read with the window in which it starts. */
const REACH_MS = 48 * MS_PER_HOUR;

/** Parameters of one read of sessions. */
export interface SessionReading {
  api: VendorApi;
  window: TimeRange;
  mode: PullMode;
  tally: Tally;
}

/**
 * Reads nights and naps that overlap a window. Replaces only sessions that start in the window; earlier sessions belong
 * to the previous window.
 * @throws VendorError
 */
export async function readSleep(reading: SessionReading): Promise<(SleepSessionRecord | ReplacementRecord)[]> {
  const points = await readSleepPoints(reading);
  return [replacedSessions('sleep_sessions', reading.window), ...chosen(points.map(sleepSession), reading)];
}

/** Reads workouts that overlap a window, like sleep. @throws VendorError */
export async function readExercises(reading: SessionReading): Promise<(WorkoutRecord | ReplacementRecord)[]> {
  const points = await readSessionPoints(
    'exercise',
    reading,
    startFilter('exercise', 'session', around(reading.window)),
  );
  return [replacedSessions('workouts', reading.window), ...chosen(points.map(exercise), reading)];
}

/** Some accounts reject the documented filter by end. Their sleep is then read newest first without a filter. */
async function readSleepPoints(reading: SessionReading): Promise<SessionPoint[]> {
  const { startMs, endMs } = reading.window;
  try {
    return await readSessionPoints('sleep', reading, endFilter('sleep', { startMs, endMs: endMs + REACH_MS }));
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'invalid_request') throw error;
    return readSessionPoints('sleep', reading, undefined);
  }
}

/** @param filter if undefined, reads all sessions back to the window */
async function readSessionPoints(
  id: 'sleep' | 'exercise',
  { api, window, mode, tally }: SessionReading,
  filter: string | undefined,
): Promise<SessionPoint[]> {
  const perSource = readsSources(mode);
  const sources = perSource ? new Sources() : undefined;
  const points: SessionPoint[] = [];
  for await (const page of readPoints(api, id, perSource ? 'list' : 'reconcile', filter)) {
    const read = page.flatMap((point) => sessionPoint(id, point, sources, tally) ?? []);
    points.push(...read);
    const oldest = Math.min(...read.map(({ startMs }) => startMs));
    if (filter === undefined && oldest < window.startMs - REACH_MS) break;
  }
  return points;
}

/** Removes duplicates and returns the sessions that overlap the window. */
function chosen<S extends SleepSessionRecord | WorkoutRecord>(
  sessions: readonly S[],
  { window, mode, tally }: SessionReading,
): S[] {
  const overlaps = ({ startMs, endMs }: S) => startMs < window.endMs && endMs > window.startMs;
  const single = readsSources(mode) ? onePerOverlap(sessions) : sessions;
  const overlapping = single.filter(overlaps);
  tally.superseded += sessions.filter(overlaps).length - overlapping.length;
  return overlapping;
}

/** Extends a window on both sides, to include its sessions completely and their copies from other sources. */
function around({ startMs, endMs }: TimeRange): TimeRange {
  return { startMs: startMs - REACH_MS, endMs: endMs + REACH_MS };
}
