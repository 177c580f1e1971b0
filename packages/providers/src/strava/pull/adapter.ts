import { type HealthRecord, MS_PER_DAY, WORKOUT_LENGTH } from '@healthd/model';
import {
  joinRanges,
  type PullAdapter,
  type PullMode,
  Tally,
  type TimeRange,
  type VendorApi,
  VendorError,
  type WindowReading,
} from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { askOfOne, readingOf, windowsOf } from '../../rest/index.js';
import { SCOPES } from '../scopes.js';
import { ACTIVITY } from '../webhook.js';
import { activityPath, LIST, readActivities, withDetails } from './read-activities.js';
import { replacedWindow } from './source.js';
import { readStreams, STREAM_TYPE_IDS } from './streams.js';
import { placedActivity, startOf, workoutOf } from './workout.js';

/** The setting that has streams read. */
export const READ_STREAMS = 'READ_STREAMS';
const WINDOW_DAYS = 7;
/**
 * Requests for details and streams that one reading takes: a quarter of an hour has a hundred for all people together, and what
 * was begun must end within it. A window with more activities is read in parts.
 */
const REQUESTS_AT_ONCE = 30;
/** Devices are read out within a day as a rule; what comes later is reported, and each activity read again takes requests. */
const LATE_MS = 2 * MS_PER_DAY;
/** The smallest list. */
const PROBE = { path: LIST, query: { per_page: 1 } };

/** Reads the vendor's API, version 3. */
export const STRAVA_PULL: PullAdapter = {
  dataTypes: [
    {
      id: ACTIVITY,
      part: 'workouts',
      scopes: [SCOPES.activities, SCOPES.privateActivities],
      latenessMs: LATE_MS,
      stored: { of: 'workouts' },
      itemsIn: 'workouts',
      notified: true,
      // Two pages, the last of which is empty, and the activities of two days.
      requestsPerPoll: 4,
    },
  ],
  // Each activity has an offset of its own.
  account: async (_api, scopes) => ({ scopes }),
  windows: (_dataType, range) => windowsOf(range, WINDOW_DAYS),
  read,
  locate: (api, _dataType, itemId) => locateActivity(api, itemId),
};

async function read(api: VendorApi, dataType: string, window: TimeRange, mode: PullMode): Promise<WindowReading> {
  if (dataType !== ACTIVITY) throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
  const tally = new Tally(ACTIVITY);
  const readsStreams = mode.configuration.values[READ_STREAMS]?.toLowerCase() === 'true';
  // Readings in the window may be of an activity that began before it.
  const reachMs = readsStreams ? WORKOUT_LENGTH.maxMs : 0;
  const listed = await readActivities(api, { ...window, startMs: window.startMs - reachMs });
  // An activity without a usable time passes, to be rejected below.
  const inWindow = listed.filter((one) => !(startOf(one) < window.startMs || startOf(one) >= window.endMs));
  const { activities, part } = newestPart(inWindow, window, REQUESTS_AT_ONCE / (readsStreams ? 2 : 1));
  const records: HealthRecord[] = [{ ...replacedWindow(part), of: 'workouts' }];
  const keptSpans = listed.flatMap((one) => spanOfEarlier(one, part) ?? []);
  for (const activity of activities) {
    const whole = isObject(activity) ? await wholeOf(api, activity, tally) : activity;
    const placed = whole === undefined ? undefined : placedActivity(whole, tally);
    if (!placed) continue;
    const workout = workoutOf(placed);
    records.push(workout);
    if (!readsStreams) continue;
    const within = { ...part, endMs: placed.endMs };
    const samples = await askOfOne(api, tally, {
      index: tally.received - 1,
      part: 'streams',
      probe: PROBE,
      ask: () => readStreams(api, workout, within),
    });
    if (samples) for (const sample of samples) records.push(sample);
    else keptSpans.push(placed);
  }
  if (readsStreams) {
    for (const range of without(part, keptSpans)) {
      records.push({ ...replacedWindow(range), of: 'samples', typeIds: STREAM_TYPE_IDS });
    }
  }
  return { ...readingOf(records, tally), fromMs: part.startMs };
}

/**
 * The newest activities of a window, as many as may be read together, and the part of the window that they are all of. Those
 * without a usable time are read with its beginning.
 */
function newestPart(
  inWindow: readonly unknown[],
  window: TimeRange,
  count: number,
): { activities: readonly unknown[]; part: TimeRange } {
  const startsMs = inWindow
    .map(startOf)
    .filter((ms) => !Number.isNaN(ms))
    .sort((a, b) => b - a);
  const startMs = startsMs.length > count ? startsMs[count - 1] : undefined;
  if (startMs === undefined) return { activities: inWindow, part: window };
  return { activities: inWindow.filter((one) => startOf(one) >= startMs), part: { ...window, startMs } };
}

/** With its details; as the list has it where the vendor does not give them; undefined where it is gone meanwhile. */
async function wholeOf(api: VendorApi, activity: PayloadObject, tally: Tally): Promise<PayloadObject | undefined> {
  const answer = await askOfOne(api, tally, {
    index: tally.received,
    part: 'details',
    probe: PROBE,
    ask: async () => ({ details: await withDetails(api, activity) }),
  });
  return answer ? answer.details : activity;
}

/** When an activity was that began before the window: its readings are those of the window before. */
function spanOfEarlier(activity: unknown, window: TimeRange): TimeRange | undefined {
  if (!(startOf(activity) < window.startMs)) return undefined;
  return placedActivity(activity, new Tally(ACTIVITY));
}

/** What is left of a range without some spans. */
function without({ startMs, endMs }: TimeRange, spans: readonly TimeRange[]): TimeRange[] {
  const left: TimeRange[] = [];
  let fromMs = startMs;
  for (const span of joinRanges(spans)) {
    if (span.startMs > fromMs) left.push({ startMs: fromMs, endMs: Math.min(span.startMs, endMs) });
    fromMs = Math.max(fromMs, span.endMs);
    if (fromMs >= endMs) return left;
  }
  return [...left, { startMs: fromMs, endMs }];
}

/**
 * When an activity was, of which an event gives only the id.
 * @returns undefined where the vendor has none of this id
 * @throws VendorError, `invalid_answer` for one without a place in time
 */
async function locateActivity(api: VendorApi, id: string): Promise<TimeRange | undefined> {
  try {
    const placed = placedActivity(await api.call({ path: activityPath(id) }), new Tally(ACTIVITY));
    if (!placed) throw new VendorError({ code: 'invalid_answer', reason: 'start_date' });
    return { startMs: placed.startMs, endMs: placed.endMs };
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return undefined;
    throw error;
  }
}
