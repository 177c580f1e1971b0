import {
  brokenLength,
  type HealthRecord,
  MS_PER_HOUR,
  MS_PER_SECOND,
  SLEEP_LENGTH,
  type SleepSessionRecord,
} from '@healthd/model';
import type { DeliveredRecords, Tally } from '../../cloud/index.js';
import { idOf, numberOf, type PayloadObject } from '../../device-push/index.js';
import { intervalProblem } from '../../interval.js';
import { offsetOfTime } from '../../rest/index.js';
import type { PlacedSleep } from './placed-sleep.js';
import { watchSample, zonedMs } from './sample.js';
import { positive } from './series.js';
import { SLEEP_SCORES, sleepScores } from './sleep-score.js';
import { NIGHT_TYPE_IDS, nightSamples } from './sleep-values.js';
import { replacedScores, replacedWindow, SUUNTO_SOURCE } from './source.js';

/** No time in bed is longer: what ends in a window began at most so long before it. */
export const SLEEP_REACH_MS = 36 * MS_PER_HOUR;
/** More than the seconds of any time in bed, so that a version with stages is newer than every one without. */
const STAGES_RANK = 1_000_000;

/**
 * A record's time in bed; undefined, and a rejection, for one that has none. Its time is the start, also under the name
 * `DateTime`; without an end it is over after its length.
 */
export function placedSleep(record: unknown, tally: Tally): PlacedSleep | undefined {
  const sample = watchSample(record, tally);
  if (!sample) return undefined;
  const { index, data } = sample;
  const startMs =
    data.BedtimeStart === undefined || data.BedtimeStart === null ? sample.atMs : zonedMs(data.BedtimeStart);
  const seconds = numberOf(data.Duration);
  const isOpen = data.BedtimeEnd === undefined || data.BedtimeEnd === null;
  const endMs = isOpen ? startMs + (seconds ?? Number.NaN) * MS_PER_SECOND : zonedMs(data.BedtimeEnd);
  const problem = intervalProblem(startMs, endMs);
  if (problem) {
    return void tally.reject(index, problem.field === 'startDate' ? 'BedtimeStart' : 'BedtimeEnd', problem.code);
  }
  const bound = brokenLength({ startMs, endMs }, SLEEP_LENGTH);
  if (bound !== undefined) return void tally.reject(index, 'BedtimeEnd', 'implausible', bound);
  return {
    id: sleepId(data.SleepId, sample.atMs),
    atMs: sample.atMs,
    startMs,
    endMs,
    offsetMinutes: offsetOfTime(data.BedtimeEnd) ?? offsetOfTime(data.BedtimeStart) ?? sample.offsetMinutes,
    data,
    rank:
      (asleepSeconds(data) === undefined ? 0 : STAGES_RANK) + (positive(seconds) ?? (endMs - startMs) / MS_PER_SECOND),
  };
}

/** The vendor's id, a number or a text; 0 is none. Without one the time of the record identifies it. */
function sleepId(value: unknown, atMs: number): string {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : idOf(value);
  return id === undefined || id === '0' ? startId(atMs) : id;
}

function startId(atMs: number): string {
  return `start/${new Date(atMs).toISOString()}`;
}

/** One version of each sleep: an answer may have interim ones beside the final one, of the same time or the same id. */
export function bestSleeps(sleeps: readonly PlacedSleep[], tally: Tally): PlacedSleep[] {
  const best = bestBy(
    bestBy(sleeps, ({ atMs }) => atMs),
    ({ id }) => id,
  );
  tally.superseded += sleeps.length - best.length;
  return best;
}

function bestBy<Key>(sleeps: readonly PlacedSleep[], keyOf: (sleep: PlacedSleep) => Key): PlacedSleep[] {
  const best = new Map<Key, PlacedSleep>();
  for (const sleep of sleeps) {
    const known = best.get(keyOf(sleep));
    if (known === undefined || known.rank <= sleep.rank) best.set(keyOf(sleep), sleep);
  }
  return [...best.values()];
}

/** The night or nap, what was measured of it, and how good the vendor finds it. */
export function sleepRecords(sleep: PlacedSleep): HealthRecord[] {
  return [session(sleep), ...nightSamples(sleep), ...sleepScores(sleep)];
}

/**
 * The same of a notification, with the versions that it takes the place of: an interim one has no id yet, and what is measured
 * of it stands at another end. An interim one that is pushed is left to the next pull, whose answer says whether there is a final
 * one: it may come after that was stored.
 */
export function deliveredSleep(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const sleep = placedSleep(record, tally);
  if (!sleep) return undefined;
  if (asleepSeconds(sleep.data) === undefined) return void tally.noValue++;
  const { id, atMs, startMs, endMs, rank } = sleep;
  // Another version may begin elsewhere.
  const span = { startMs: Math.min(atMs, startMs), endMs };
  const measured = { startMs: span.startMs, endMs: span.startMs + SLEEP_REACH_MS + 1 };
  return {
    records: [
      { ...replacedWindow(span), of: 'sleep_sessions' },
      {
        ...replacedWindow(measured),
        of: 'samples',
        typeIds: NIGHT_TYPE_IDS,
        sampleKinds: ['aggregate'],
        externalIds: [...new Set([id, startId(atMs)])],
      },
      replacedScores(SLEEP_SCORES, span),
      ...sleepRecords(sleep),
    ],
    span,
    key: startId(atMs),
    version: rank,
  };
}

function session({ id, startMs, endMs, offsetMinutes, data }: PlacedSleep): SleepSessionRecord {
  const spanSeconds = (endMs - startMs) / MS_PER_SECOND;
  const asleep = asleepSeconds(data);
  // Some watches have no length, or one without the time awake.
  const inBed = Math.max(positive(numberOf(data.Duration)) ?? spanSeconds, asleep ?? 0);
  return {
    kind: 'sleep_session',
    source: SUUNTO_SOURCE,
    externalId: id,
    startMs,
    endMs,
    offsetMinutes,
    isNap: data.IsNap === true,
    inBedSeconds: inBed,
    ...(asleep !== undefined && {
      asleepSeconds: asleep,
      awakeSeconds: inBed - asleep,
      deepSeconds: numberOf(data.DeepSleepDuration),
      lightSeconds: numberOf(data.LightSleepDuration),
      remSeconds: numberOf(data.REMSleepDuration),
      ...(inBed > 0 && { efficiencyPercent: Math.min(100, (100 * asleep) / inBed) }),
    }),
  };
}

/** Of all stages, as far as the watch distinguishes them; undefined where there are none yet. */
function asleepSeconds(data: PayloadObject): number | undefined {
  const stages = [data.DeepSleepDuration, data.LightSleepDuration, data.REMSleepDuration].flatMap(
    (value) => numberOf(value) ?? [],
  );
  const sum = stages.reduce((total, seconds) => total + seconds, 0);
  return sum > 0 ? sum : undefined;
}
