import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';

/** Data types, named as in the vendor's URLs. */
export const SLEEP = 'sleep';
export const EXERCISES = 'exercises';
export const ACTIVITIES = 'activities';
export const HEART_RATE = 'continuous-heart-rate';
export const RECHARGE = 'nightly-recharge';
export const CARDIO_LOAD = 'cardio-load';
export const ALERTNESS = 'alertness';
export const BEDTIME = 'circadian-bedtime';
export const BODY_TEMPERATURE = 'bodytemperature';
export const SKIN_TEMPERATURE = 'skintemperature';
export const SPO2 = 'spo2';
export const ECG = 'ecg';
export const PHYSICAL_INFO = 'physical-info';

const USERS = '/v3/users';
const EXERCISE_LIST = '/v3/exercises';
/** Maximum number of days from the first to the last date. The vendor allows 28 days, including the last date. */
export const RANGE_DAYS = 27;
/** Number of days for which the vendor lists an exercise after its upload. */
export const LISTED_DAYS = 30;

/** Maximum number of items, far above the number of days, exercises or tests that the vendor lists for four weeks. */
export const MAX_ITEMS = 1_000;
/** Maximum number of nights, far above the vendor's list, which has one night per date. */
export const MAX_NIGHTS = 1_000;

type Query = Readonly<Record<string, string>>;

/**
 * Requests a resource of the user that has no range.
 * @returns undefined if the vendor has no content
 * @throws VendorError
 */
export function requestUser(api: VendorApi, path: string): Promise<unknown> {
  return api.call({ path: `${USERS}/${path}` });
}

/**
 * Requests a range of dates, including the first and the last date.
 * @returns undefined if the vendor has no content
 * @throws VendorError
 */
export function requestDates(
  api: VendorApi,
  path: string,
  { startMs, endMs }: TimeRange,
  query: Query = {},
): Promise<unknown> {
  const from = fromDayNumber(Math.floor(startMs / MS_PER_DAY));
  const to = fromDayNumber(Math.ceil(endMs / MS_PER_DAY) - 1);
  return api.call({ path: `${USERS}/${path}`, query: { from, to, ...query } });
}

/** Returns the list under a member of the response; empty if the vendor has no content. @throws VendorError */
export async function readList(api: VendorApi, path: string, member: string): Promise<readonly unknown[]> {
  const response = await requestUser(api, path);
  const list = response === undefined ? [] : isObject(response) ? response[member] : undefined;
  if (!Array.isArray(list)) throw new VendorError({ code: 'invalid_answer', reason: member });
  requireAtMost(MAX_NIGHTS, list.length);
  return list;
}

/**
 * Returns the items of a range of dates; empty if the vendor has no content.
 * @throws VendorError
 */
export async function readDates(
  api: VendorApi,
  path: string,
  range: TimeRange,
  query: Query = {},
): Promise<readonly unknown[]> {
  const response = (await requestDates(api, path, range, query)) ?? [];
  if (!Array.isArray(response)) throw new VendorError({ code: 'invalid_answer', reason: 'list' });
  requireAtMost(MAX_ITEMS, response.length);
  return response;
}

/**
 * Returns undefined for a 404, which means that the user or the range has no data.
 * @throws VendorError
 */
export async function undefinedIfMissing(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/**
 * Returns the exercises uploaded in the last 30 days; empty if the vendor has no content.
 * @throws VendorError
 */
export async function listExercises(api: VendorApi, query: Query = {}): Promise<readonly unknown[]> {
  const list = (await api.call({ path: EXERCISE_LIST, query })) ?? [];
  if (!Array.isArray(list)) throw new VendorError({ code: 'invalid_answer', reason: 'exercises' });
  requireAtMost(MAX_ITEMS, list.length);
  return list;
}

const EXERCISE_ID = /^[\w-]{1,64}$/;

/** Returns the vendor's id of an exercise, which is a short text. */
export function exerciseIdOf(value: unknown): string | undefined {
  return typeof value === 'string' && EXERCISE_ID.test(value) ? value : undefined;
}

/** Returns an exercise's path; undefined if the text cannot be an id. */
export function exercisePath(id: string): string | undefined {
  return exerciseIdOf(id) === undefined ? undefined : `${EXERCISE_LIST}/${id}`;
}
