import { type HealthRecord, MS_PER_SECOND, WORKOUT_LENGTH } from '@healthd/model';
import { joinRanges, TOO_MANY_ITEMS, Tally, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { requestItem, numberIdOf, type RestReading, requireAtMost } from '../../rest/index.js';
import { ACTIVITY } from '../webhook.js';
import { activityPath, replacedWindow } from './source.js';
import { MAX_READINGS, readStreams, readsStreams, STREAM_TYPE_IDS } from './streams.js';
import { placedActivity, startOf, workoutOf } from './workout.js';

export const LIST = '/athlete/activities';
/** The vendor's maximum page size. */
export const ACTIVITIES_PER_PAGE = 200;
/**
 * Maximum number of activities, far more than a window of a week can have. The window is listed again after every
 * {@link REQUESTS_AT_ONCE} activities.
 */
const MAX_ACTIVITIES = 1_000;
/** Maximum number of pages. Pages may be short. */
const MAX_PAGES = 50;
/**
 * Maximum requests for details and streams in one reading. All users share 100 requests per quarter hour, and a reading
 * must stay within this limit. A window with more activities is read in parts.
 */
const REQUESTS_AT_ONCE = 30;
/** The list request with the smallest response. */
const PROBE = { path: LIST, query: { per_page: 1 } };

/**
 * Reads the activities of a window with their details, and with their streams if the operator enables streams.
 * @returns the newest part of the window if it has too many activities
 */
export async function readActivities({ api, window, tally, mode }: RestReading) {
  const withStreams = readsStreams(mode.configuration);
  // Lists earlier activities too, because their readings may be in the window.
  const reachMs = withStreams ? WORKOUT_LENGTH.maxMs : 0;
  const listed = await listActivities(api, { ...window, startMs: window.startMs - reachMs });
  // Includes activities without a usable time, which are rejected below.
  const inWindow = listed.filter((one) => !(startOf(one) < window.startMs || startOf(one) >= window.endMs));
  const { activities, part } = newestPart(inWindow, window, withStreams);
  let records: HealthRecord[] = [{ ...replacedWindow(part), of: 'workouts' }];
  const unreplacedSpans = listed.flatMap((one) => spanOfEarlier(one, part) ?? []);
  for (const activity of activities) {
    const whole = isObject(activity) ? await withDetails(api, activity, tally) : activity;
    const placed = whole === undefined ? undefined : placedActivity(whole, tally);
    if (!placed) continue;
    const workout = workoutOf(placed);
    records.push(workout);
    if (!withStreams) continue;
    const within = { ...part, endMs: placed.endMs };
    const samples = await requestItem(api, tally, {
      index: tally.received - 1,
      part: 'streams',
      probe: PROBE,
      ask: () => readStreams(api, workout, within, tally),
    });
    if (samples) records = records.concat(samples);
    else unreplacedSpans.push(placed);
  }
  if (withStreams) {
    for (const range of without(part, unreplacedSpans)) {
      records.push({ ...replacedWindow(range), of: 'samples', typeIds: STREAM_TYPE_IDS });
    }
  }
  return { records, fromMs: part.startMs };
}

/**
 * Lists activities that start in the range. Only an empty page marks the end, because a page may be short.
 * @throws VendorError, `invalid_answer` if a response has another shape, a page repeats, or the list never ends
 */
async function listActivities(api: VendorApi, { startMs, endMs }: TimeRange): Promise<unknown[]> {
  // The vendor does not document whether the bounds are inclusive.
  const after = Math.floor(startMs / MS_PER_SECOND) - 1;
  const before = Math.ceil(endMs / MS_PER_SECOND) + 1;
  const activities: unknown[] = [];
  const seen = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const response = await api.call({ path: LIST, query: { after, before, page, per_page: ACTIVITIES_PER_PAGE } });
    // Treating this response as the end of the list would delete stored activities.
    if (!Array.isArray(response)) throw new VendorError({ code: 'invalid_answer', reason: 'activities' });
    if (response.length === 0) return activities;
    requireAtMost(MAX_ACTIVITIES, activities.length + response.length);
    const known = activities.length;
    for (const one of response) {
      const key = keyOf(one);
      if (seen.has(key)) continue;
      seen.add(key);
      activities.push(one);
    }
    if (activities.length === known) throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page' });
  }
  throw new VendorError({ code: 'invalid_answer', reason: TOO_MANY_ITEMS });
}

/** Returns the vendor's id, or the whole activity as text if it has no id. */
function keyOf(activity: unknown): string {
  return (isObject(activity) && numberIdOf(activity.id)) || JSON.stringify(activity);
}

/**
 * Selects the newest activities that fit one reading, and the part of the window that they cover completely. Activities
 * without a usable time belong to the window's start. With streams, each activity takes two requests, and all readings
 * of the part are in memory at once.
 */
function newestPart(
  inWindow: readonly unknown[],
  window: TimeRange,
  withStreams: boolean,
): { activities: readonly unknown[]; part: TimeRange } {
  const placed = inWindow
    .map((one) => ({ startMs: startOf(one), seconds: (isObject(one) && numberOf(one.elapsed_time)) || 0 }))
    .filter(({ startMs }) => !Number.isNaN(startMs))
    .sort((a, b) => b.startMs - a.startMs);
  const most = REQUESTS_AT_ONCE / (withStreams ? 2 : 1);
  let count = 0;
  for (let seconds = 0; count < Math.min(most, placed.length); count++) {
    seconds += placed[count]?.seconds ?? 0;
    if (withStreams && count > 0 && seconds > MAX_READINGS) break;
  }
  const startMs = placed.length > count ? placed[count - 1]?.startMs : undefined;
  if (startMs === undefined) return { activities: inWindow, part: window };
  return { activities: inWindow.filter((one) => startOf(one) >= startMs), part: { ...window, startMs } };
}

/**
 * Adds the details that the list leaves out, such as energy.
 * @returns the listed activity if the vendor rejects the details; undefined if the activity no longer exists
 */
async function withDetails(api: VendorApi, listed: PayloadObject, tally: Tally): Promise<PayloadObject | undefined> {
  const id = numberIdOf(listed.id);
  if (id === undefined) return listed;
  const response = await requestItem(api, tally, {
    index: tally.received,
    part: 'details',
    probe: PROBE,
    ask: async () => ({ details: await findActivity(api, id) }),
  });
  if (!response) return listed;
  return response.details && { ...listed, ...response.details };
}

/** Requests one activity. @returns undefined if the vendor has no activity with this id */
async function findActivity(api: VendorApi, id: string): Promise<PayloadObject | undefined> {
  try {
    const details = await api.call({ path: activityPath(id) });
    if (!isObject(details)) throw new VendorError({ code: 'invalid_answer', reason: 'details' });
    return details;
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Returns the span of an activity that started before the window. Its readings belong to the previous window. */
function spanOfEarlier(activity: unknown, window: TimeRange): TimeRange | undefined {
  if (!(startOf(activity) < window.startMs)) return undefined;
  return placedActivity(activity, new Tally(ACTIVITY));
}

/** Returns the parts of a range that the spans do not cover. */
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
 * Finds the time of an activity if an event contains only its id.
 * @returns undefined if the vendor has no activity with this id
 * @throws VendorError, `invalid_answer` if the activity has no usable time
 */
export async function locateActivity(api: VendorApi, id: string): Promise<TimeRange | undefined> {
  const activity = await findActivity(api, id);
  if (!activity) return undefined;
  const placed = placedActivity(activity, new Tally(ACTIVITY));
  if (!placed) throw new VendorError({ code: 'invalid_answer', reason: 'start_date' });
  return { startMs: placed.startMs, endMs: placed.endMs };
}
