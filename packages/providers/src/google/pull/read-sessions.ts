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

/** How far around a window sessions are looked for: longer ones are found by the window that they start in. */
const REACH_MS = 48 * MS_PER_HOUR;

/** What one reading of sessions works with. */
export interface SessionReading {
  api: VendorApi;
  window: TimeRange;
  mode: PullMode;
  tally: Tally;
}

/**
 * Nights and naps that overlap a window. Only those that start in it are replaced: what began before belongs to the
 * window before.
 * @throws VendorError
 */
export async function readSleep(reading: SessionReading): Promise<(SleepSessionRecord | ReplacementRecord)[]> {
  const points = await readSleepPoints(reading);
  return [replacedSessions('sleep_sessions', reading.window), ...chosen(points.map(sleepSession), reading)];
}

/** Workouts that overlap a window, as for sleep. @throws VendorError */
export async function readExercises(reading: SessionReading): Promise<(WorkoutRecord | ReplacementRecord)[]> {
  const points = await readSessionPoints(
    'exercise',
    reading,
    startFilter('exercise', 'session', around(reading.window)),
  );
  return [replacedSessions('workouts', reading.window), ...chosen(points.map(exercise), reading)];
}

/** Some accounts refuse the filter on the end that is documented: all of their sleep is read then, newest first. */
async function readSleepPoints(reading: SessionReading): Promise<SessionPoint[]> {
  const { startMs, endMs } = reading.window;
  try {
    return await readSessionPoints('sleep', reading, endFilter('sleep', { startMs, endMs: endMs + REACH_MS }));
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'invalid_request') throw error;
    return readSessionPoints('sleep', reading, undefined);
  }
}

/** @param filter undefined reads back to the window and no further */
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

/** One for each that was slept or done, and of those the ones that overlap the window. */
function chosen<S extends SleepSessionRecord | WorkoutRecord>(
  sessions: readonly S[],
  { window, mode, tally }: SessionReading,
): S[] {
  const overlaps = ({ startMs, endMs }: S) => startMs < window.endMs && endMs > window.startMs;
  const single = readsSources(mode) ? onePerOverlap(sessions) : sessions;
  const wanted = single.filter(overlaps);
  tally.superseded += sessions.filter(overlaps).length - wanted.length;
  return wanted;
}

/** Far enough to see what began before the window, and what another source says about the same time. */
function around({ startMs, endMs }: TimeRange): TimeRange {
  return { startMs: startMs - REACH_MS, endMs: endMs + REACH_MS };
}
