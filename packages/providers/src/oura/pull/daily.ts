import {
  dayNumber,
  dayStartMs,
  type HealthRecord,
  type HealthScoreRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  type SampleRecord,
  type SeriesCode,
  seriesTypeByCode,
  seriesTypeIds,
} from '@healthd/model';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, readPayload, textOf } from '../../payload/index.js';
import { type RestReading, windowsOf } from '../../rest/index.js';
import { type DailyType, seriesOf } from './daily-types.js';
import { type DayOffsets, dayOffsets, readDayOffsets } from './day-offsets.js';
import { type DayRange, daysAround, readDays } from './read-documents.js';
import { OURA_SOURCE, replacedScores, replacedWindow } from './source.js';

/** Largest difference between local time and UTC. */
const WIDEST_MS = 18 * MS_PER_HOUR;

/** Returns windows of whole days, for every date that the range may touch. */
export function dailyWindows(range: TimeRange, windowDays: number): TimeRange[] {
  const { firstDay, endDay } = daysAround(range);
  return windowsOf({ startMs: dayStartMs(firstDay), endMs: dayStartMs(endDay) }, windowDays);
}

/** Reads one more day on both sides, so that the documents include every score of the window in any time zone. */
export async function readDaily(
  type: DailyType,
  { api, window, account, tally }: RestReading,
): Promise<HealthRecord[]> {
  const days = { firstDay: window.startMs / MS_PER_DAY, endDay: window.endMs / MS_PER_DAY };
  const wider = { firstDay: days.firstDay - 1, endDay: days.endDay + 1 };
  const documents = await readDays(api, type.collection, wider);
  const offsets =
    type.id === 'daily_activity' || documents.length === 0
      ? dayOffsets(documents)
      : await readDayOffsets(api, account.scopes, wider);
  return dailyRecords(type, documents, offsets, days, tally);
}

/**
 * Returns values and scores of days. A document only contains its date, `day`. The records start at that date's
 * midnight in the user's local time, or, if that is unknown, at midnight UTC without an offset, which displays as the
 * same date.
 * @param days days that the documents replace; the input may contain other days
 */
export function dailyRecords(
  type: DailyType,
  documents: readonly unknown[],
  offsetOn: DayOffsets,
  days: DayRange,
  tally: Tally,
): HealthRecord[] {
  const window = { startMs: dayStartMs(days.firstDay), endMs: dayStartMs(days.endDay) };
  const anywhere = { startMs: window.startMs - WIDEST_MS, endMs: window.endMs + WIDEST_MS };
  const found: HealthRecord[] = [];
  const typeIds = seriesTypeIds(seriesOf(type));
  if (typeIds.length > 0) found.push({ ...replacedWindow(anywhere), of: 'samples', typeIds, localDays: days });
  if (type.score) found.push(replacedScores(`${type.id}/`, window));
  for (const one of documents) {
    const index = tally.next();
    const day = isObject(one) && typeof one.day === 'string' ? dayNumber(one.day) : undefined;
    if (!isObject(one) || day === undefined) {
      tally.reject(index, 'day', 'invalid_date');
      continue;
    }
    const document: PayloadObject = { day: one.day, ...readPayload(type.payload, one, tally.fault) };
    countContributors(document, tally);
    const offsetMinutes = offsetOn(day);
    const at = { startMs: dayStartMs(day, offsetMinutes), offsetMinutes };
    if (day >= days.firstDay && day < days.endDay) found.push(...samplesOf(type, document, at));
    // In some time zones the scores of adjacent days are in the window too.
    if (day >= days.firstDay - 1 && day <= days.endDay) found.push(...scoreOf(type, document, at));
  }
  return found;
}

/** Counts contributors that are not numbers. */
function countContributors({ contributors }: PayloadObject, tally: Tally): void {
  for (const [name, part] of Object.entries(isObject(contributors) ? contributors : {})) {
    if (part !== null && numberOf(part) === undefined) tally.fault(`contributors.${name}`);
  }
}

interface Place {
  startMs: number;
  offsetMinutes: number | undefined;
}

function samplesOf({ series }: DailyType, document: PayloadObject, at: Place): SampleRecord[] {
  return Object.entries(series).flatMap(([code, read]): SampleRecord[] => {
    const value = read(document);
    if (value === undefined) return [];
    const { id: typeId, rule } = seriesTypeByCode(code as SeriesCode);
    const durationMs = rule === 'sum' ? MS_PER_DAY : undefined;
    return [{ kind: 'sample', source: OURA_SOURCE, typeId, sampleKind: 'daily_total', ...at, durationMs, value }];
  });
}

/** Identifies the score by its date, because documents of some collections have had no ids. */
function scoreOf({ id, score }: DailyType, document: PayloadObject, at: Place): HealthScoreRecord[] {
  if (!score) return [];
  const { category } = score;
  const value = score.value === undefined ? undefined : numberOf(document[score.value]);
  const qualifier = score.qualifier === undefined ? undefined : textOf(document[score.qualifier]);
  const contributors = isObject(document.contributors) ? document.contributors : {};
  const parts = {
    ...contributors,
    ...Object.fromEntries((score.components ?? []).map((name) => [name, document[name]])),
  };
  const components: NonNullable<HealthScoreRecord['components']> = {};
  for (const [name, part] of Object.entries(parts)) {
    const number = numberOf(part);
    if (number !== undefined) components[name] = { value: number, qualifier: null };
  }
  // If all figures are zero, and value and word are missing, the day was not measured.
  const isMeasured = Object.values(components).some((one) => one.value !== 0);
  if (value === undefined && qualifier === undefined && !isMeasured) return [];
  const { startMs: atMs, offsetMinutes } = at;
  const externalId = `${id}/${String(document.day)}`;
  return [
    {
      kind: 'health_score',
      source: OURA_SOURCE,
      externalId,
      category,
      value,
      qualifier,
      atMs,
      offsetMinutes,
      components,
    },
  ];
}
