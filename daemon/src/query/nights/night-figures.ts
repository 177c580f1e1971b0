import {
  dayNumber,
  fromDayNumber,
  localDate,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  measuresOncePerNight,
  round,
  SAMPLE_KIND_CODE,
  scoreScale,
  seriesTypeByCode,
} from '@healthd/model';
import type pg from 'pg';
import { Turns } from '../../platform/turns.js';
import type { Priorities } from '../../priorities/index.js';
import { STORED_NIGHTS_PER_DATE } from '../../store/derived/index.js';
import { ruleSource } from '../../store/facts/index.js';
import { sqlInstant } from '../bounds.js';
import { type Candidate, type RuleSource, type Selection, selectSource } from '../selection/select-source.js';
import type { SleepCandidate, SleepDay } from '../selection/sleep-days.js';
import {
  type DateReadings,
  type NightReadings,
  readNightEvidence,
  type StampedRow,
  sampledReadings,
  type WakingReadings,
  wakingReadings,
} from './night-figures.sql.js';
import type { Nights } from './night-sessions.js';
import type { NightSession } from './session-seconds.js';

const HEART_RATE = seriesTypeByCode('heart_rate').id;
const SDNN = seriesTypeByCode('heart_rate_variability_sdnn').id;
const RMSSD = seriesTypeByCode('heart_rate_variability_rmssd').id;
const OXYGEN = seriesTypeByCode('oxygen_saturation').id;
const RESPIRATION = seriesTypeByCode('respiratory_rate').id;
const RESTING = seriesTypeByCode('resting_heart_rate').id;

/** Figures of a night by group. Each group has one source. */
const GROUPS = {
  heart_rate: [HEART_RATE],
  hrv: [RMSSD, SDNN],
  oxygen_saturation: [OXYGEN],
  respiratory_rate: [RESPIRATION],
  resting_heart_rate: [RESTING],
} as const;
type MeasuredGroup = keyof typeof GROUPS;
export type FigureGroup = MeasuredGroup | 'score';

/** Series that also count on dates without sleep, and that some vendors measure once per night. */
const WAKING_TYPES: readonly number[] = [SDNN, RMSSD, OXYGEN];
/** Valid values by type. */
const VALID: Readonly<Record<number, readonly [least: number, most: number]>> = {
  [SDNN]: [1, 400],
  [RMSSD]: [1, 400],
  [OXYGEN]: [50, 100],
  [RESTING]: [20, 150],
};
/** Components of a recovery score that equal the figure, by type. */
const COMPONENTS: Readonly<Record<number, readonly string[]>> = {
  [RESTING]: ['resting_heart_rate'],
  [RMSSD]: ['hrv_rmssd_milli', 'heart_rate_variability_avg'],
  [OXYGEN]: ['spo2_percentage'],
};

/**
 * Margins around a night in which vendors stamp a value of the whole night: one hour before the night and six hours
 * after it.
 */
const BEFORE_NIGHT_MS = MS_PER_HOUR;
const AFTER_NIGHT_MS = 6 * MS_PER_HOUR;
/** Number of dates before and after a local day whose nights may touch the day. */
const REACH_DAYS = 2;

/** Figures of one source in one group, unrounded. */
interface FigureCandidate extends Candidate {
  sourceId: number;
  values: ReadonlyMap<number, number>;
}

type FigureSelection = Selection<FigureCandidate>;

/** One date with its sleep, and the selection of each group. */
export interface NightFigures {
  date: string;
  /** Undefined on a date without sessions. */
  day: SleepDay<NightSession> | undefined;
  groups: Record<FigureGroup, FigureSelection>;
}

/** Returns the value of one series from the source that won its group; null if that source has no value. */
export function figure({ groups }: NightFigures, group: FigureGroup, typeId: number): number | null {
  return groups[group].winner?.values.get(typeId) ?? null;
}

export const FIGURE_TYPES = { HEART_RATE, SDNN, RMSSD, OXYGEN, RESPIRATION, RESTING } as const;

/** Key of a score among the values of a candidate, used instead of a type id. */
const SCORE = 0;

/** Returns the recovery score of a date on a scale of 0 to 100; null for other scales. */
export function scoreOf({ groups }: NightFigures): number | null {
  const value = groups.score.winner?.values.get(SCORE);
  return value === undefined ? null : Math.min(100, Math.max(0, round(value)));
}

interface FigureQuery {
  nights: Nights;
  fromDate: string;
  beforeDate: string;
  priorities: Priorities;
  /** `sleep` reads dates with sleep. `recovery` also reads resting heart rates and dates without sleep. */
  of: 'sleep' | 'recovery' | 'both';
}

/**
 * Reads the readings of the nights of a range, and selects a source for each group. All summaries use this function, so
 * a figure has the same value on every page. Needs one statement, and two more for nights that differ from the stored
 * nights and for dates without sleep.
 */
export async function readNightFigures(pool: pg.Pool, userKey: number, query: FigureQuery): Promise<NightFigures[]> {
  const { nights, fromDate, beforeDate, of } = query;
  const shown = nights.days.filter(({ date }) => date >= fromDate && date < beforeDate);
  const dayTypes = of === 'recovery' ? WAKING_TYPES : [...WAKING_TYPES, RESPIRATION];
  const nightTypes = of === 'recovery' ? WAKING_TYPES : [...dayTypes, HEART_RATE];
  const { stored, sampled } = winningNights(shown, nights.isRebuilding);
  const facts = new DateFacts(query);
  const [restingType, stampedTypes, settledDates] =
    of === 'sleep' ? [null, [], []] : [RESTING, WAKING_TYPES, facts.settledDates()];
  const [evidence, fromSamples] = await Promise.all([
    readNightEvidence(pool, [
      ...[userKey, fromDate, beforeDate, nightTypes],
      ...[stored.map(({ date }) => date), stored.map(({ winner }) => winner.sourceId)],
      ...[dayTypes, facts.sleptDates(), restingType, stampedTypes, settledDates],
    ]),
    sampled.length === 0
      ? undefined
      : pool.query<NightReadings>(sampledReadings([userKey, nightTypes, ...columns(sampled)])),
  ]);
  for (const row of evidence.nights) facts.addNight(stored[row.place - 1]?.date, row);
  for (const row of fromSamples?.rows ?? []) facts.addNight(sampled[row.place - 1]?.date, row);
  for (const row of evidence.dates) facts.addTotal(row);
  for (const row of evidence.stamped) facts.addStamped(row);
  const waking = evidence.dates.filter((row) => WAKING_TYPES.includes(row.type_id));
  if (of !== 'sleep') await addWakingReadings(pool, userKey, facts, waking);
  return new Turns().run(facts.figures());
}

/** A date with the selected sleep. */
interface WinningNight {
  date: string;
  winner: SleepCandidate<NightSession>;
}

/** Divides nights by whether their readings are stored or come from samples. */
function winningNights(
  days: readonly SleepDay<NightSession>[],
  isRebuilding: boolean,
): Record<'stored' | 'sampled', WinningNight[]> {
  const nights: Record<'stored' | 'sampled', WinningNight[]> = { stored: [], sampled: [] };
  const storedNights = nightsAsStored(days);
  for (const { date, sleep } of days) {
    const { winner } = sleep;
    if (!winner) continue;
    nights[!isRebuilding && isAsStored(date, winner, storedNights) ? 'stored' : 'sampled'].push({ date, winner });
  }
  return nights;
}

function columns(nights: readonly WinningNight[]): unknown[][] {
  const rows = nights.flatMap(({ date, winner }, at) => winner.sessions.map(({ id }) => ({ place: at + 1, date, id })));
  return [rows.map(({ place }) => place), rows.map(({ date }) => date), rows.map(({ id }) => id)];
}

/** Counts the main sessions whose readings the writer stores together, by date and source. */
function nightsAsStored(days: readonly SleepDay<NightSession>[]): Map<string, Map<number, number>> {
  const counts = new Map<string, Map<number, number>>();
  for (const { sleep, naps } of days) {
    for (const { candidate } of [...sleep.placed, ...naps.placed]) {
      for (const { wake_date: date, source_id: sourceId, is_nap: isNap } of candidate.sessions) {
        if (isNap) continue;
        const own = counts.get(date) ?? new Map<number, number>();
        counts.set(date, own.set(sourceId, (own.get(sourceId) ?? 0) + 1));
      }
    }
  }
  return counts;
}

function isAsStored(
  date: string,
  { sourceId, sessions }: SleepCandidate<NightSession>,
  stored: Map<string, Map<number, number>>,
): boolean {
  const own = stored.get(date);
  return (
    own !== undefined &&
    own.size <= STORED_NIGHTS_PER_DATE &&
    own.get(sourceId) === sessions.length &&
    sessions.every(
      ({ wake_date, archived_as, is_nap }) => wake_date === date && (archived_as?.date ?? date) === date && !is_nap,
    )
  );
}

/** One series of one source on one date. */
type Reading = Pick<DateReadings, 'type_id' | 'source_id' | 'date'>;

interface Sum {
  count: number;
  sum: number;
}
const NOTHING: Sum = { count: 0, sum: 0 };

/** Readings of one series of one source on one date, by attribution. */
interface Readings {
  typeId: number;
  sourceId: number;
  aggregate: Sum;
  asleep: Sum;
  window: Sum;
  /** Values of the whole night or date. */
  stamped: Sum;
  dateAggregate: Sum;
  local: Sum;
}
function noReadings(typeId: number, sourceId: number): Readings {
  const none = NOTHING;
  return {
    typeId,
    sourceId,
    aggregate: none,
    asleep: none,
    window: none,
    stamped: none,
    dateAggregate: none,
    local: none,
  };
}

/** All readings of the dates of a range, by date, series and source. */
class DateFacts {
  private readonly readings = new Map<string, Map<number, Readings>>();
  private readonly scores = new Map<string, StampedRow[]>();
  /** Dates that samples at midnight UTC without an offset represent, by series and source. */
  private readonly midnights = new Map<string, { typeId: number; sourceId: number; dates: Set<string> }>();
  private readonly days: ReadonlyMap<string, SleepDay<NightSession>>;
  private readonly rules: ReadonlyMap<number, RuleSource>;
  /** Start and end of each night, by date. */
  private readonly windows = new Map<string, { fromMs: number; toMs: number }>();

  constructor(private readonly query: FigureQuery) {
    this.days = new Map(query.nights.days.map((day) => [day.date, day]));
    this.rules = new Map([...query.nights.sources].map(([id, row]) => [id, ruleSource(row)]));
    for (const { date, sleep } of query.nights.days) {
      if (!sleep.winner) continue;
      const { sessions } = sleep.winner;
      this.windows.set(date, {
        fromMs: Math.min(...sessions.map((session) => session.start_at.getTime())),
        toMs: Math.max(...sessions.map((session) => session.end_at.getTime())),
      });
    }
  }

  hasSleep(date: string): boolean {
    return this.windows.has(date);
  }

  sleptDates(): string[] {
    return [...this.windows.keys()];
  }

  /**
   * Returns the dates with sleep whose neighbors in the range all have sleep. Midnight samples of these dates do not
   * affect any date without sleep.
   */
  settledDates(): string[] {
    const { fromDate, beforeDate } = this.query;
    const isOpen = (date: string) => date >= fromDate && date < beforeDate && !this.hasSleep(date);
    return this.sleptDates().filter((date) => !datesAround(date).some(isOpen));
  }

  /** True if the source measures once per night, and stamps the value around the night. */
  measuresOncePerNight(sourceId: number): boolean {
    return measuresOncePerNight(this.rules.get(sourceId)?.provider ?? '');
  }

  /** Returns the nights around a date as SQL multiranges of instants, without and with margins. */
  nightsNear(date: string): { plain: string; withMargins: string; any: boolean } {
    const near = datesAround(date).flatMap((one) => this.windows.get(one) ?? []);
    const text = (before: number, after: number) =>
      `{${near.map(({ fromMs, toMs }) => `[${sqlInstant(fromMs - before)},${sqlInstant(toMs + after)})`).join(',')}}`;
    return { plain: text(0, 0), withMargins: text(BEFORE_NIGHT_MS, AFTER_NIGHT_MS), any: near.length > 0 };
  }

  addNight(date: string | undefined, row: NightReadings): void {
    const readings = date === undefined ? undefined : this.of(date, row.type_id, row.source_id);
    if (!readings) return;
    // Counts values near the night only for `WAKING_TYPES`. A heart rate after waking belongs to the day.
    const near = WAKING_TYPES.includes(row.type_id) ? sumOf(row.near_count, row.near_sum) : NOTHING;
    readings.aggregate = sumOf(row.aggregate_count, row.aggregate_sum);
    readings.asleep = sumOf(row.asleep_count, row.asleep_sum);
    readings.window = sumOf(row.window_count, row.window_sum);
    readings.stamped = plus(readings.stamped, plus(near, sumOf(row.stamped_count, row.stamped_sum)));
  }

  /** Adds a vendor's total, which represents its date. Skips dates without sleep, whose totals come from samples. */
  addTotal({ date, type_id: typeId, source_id: sourceId, total_count: count, total_sum: sum }: DateReadings): void {
    if (count === 0 || sum === null || !this.hasSleep(date)) return;
    const scale = typeId === OXYGEN && sum / count <= 1 ? 100 : 1;
    const mean = (scale * sum) / count;
    if (!isValid(typeId, mean)) return;
    const readings = this.of(date, typeId, sourceId);
    if (readings) readings.stamped = plus(readings.stamped, { count, sum: scale * sum });
  }

  addWaking({ date, type_id: typeId, source_id: sourceId }: Reading, row: WakingReadings): void {
    const readings = this.of(date, typeId, sourceId);
    if (!readings) return;
    readings.stamped = plus(readings.stamped, sumOf(row.stamped_count, row.stamped_sum));
    readings.aggregate = sumOf(row.given_count, row.given_sum);
    readings.dateAggregate = sumOf(row.aggregate_count, row.aggregate_sum);
    readings.local = sumOf(row.local_count, row.local_sum);
  }

  /** Adds a day's roll-up whose samples are all ordinary readings of its date. */
  addPlain({ date, type_id: typeId, source_id: sourceId, sample_count: count, sample_sum: sum }: DateReadings): void {
    const readings = this.of(date, typeId, sourceId);
    if (readings) readings.local = { count, sum: sum ?? 0 };
  }

  addStamped(row: StampedRow): void {
    if (row.type_id !== null && row.type_id !== RESTING) {
      const key = `${row.type_id} ${row.source_id}`;
      const own = this.midnights.get(key) ?? { typeId: row.type_id, sourceId: row.source_id, dates: new Set() };
      own.dates.add(fromDayNumber(Math.floor(row.at.getTime() / MS_PER_DAY)));
      this.midnights.set(key, own);
      return;
    }
    for (const date of this.datesOf(row)) {
      if (row.type_id === null) {
        const own = this.scores.get(date);
        if (own) own.push(row);
        else this.scores.set(date, [row]);
      } else if (row.value !== null && isValid(RESTING, row.value)) {
        const readings = this.of(date, RESTING, row.source_id);
        if (readings) readings.stamped = plus(readings.stamped, { count: 1, sum: row.value });
      }
    }
  }

  /** Returns series, source and date of the samples that represent a date of the range without sleep. */
  stampedWaking(): Reading[] {
    const { fromDate, beforeDate } = this.query;
    return [...this.midnights.values()].flatMap(({ typeId, sourceId, dates }) =>
      [...dates]
        .filter((date) => date >= fromDate && date < beforeDate && !this.hasSleep(date))
        .map((date) => ({ type_id: typeId, source_id: sourceId, date })),
    );
  }

  /**
   * True if samples of the local date may represent another date, or samples of another date may represent this date.
   */
  isStampedNear({ type_id: typeId, source_id: sourceId, date }: Reading): boolean {
    const dates = this.midnights.get(`${typeId} ${sourceId}`)?.dates;
    return dates !== undefined && datesAround(date).some((near) => dates.has(near));
  }

  /** Returns the dates of the range with any data, in order. */
  private dates(): string[] {
    const { fromDate, beforeDate } = this.query;
    const known = new Set([...this.days.keys(), ...this.readings.keys(), ...this.scores.keys()]);
    return [...known].filter((date) => date >= fromDate && date < beforeDate).sort();
  }

  /** Selects a source for each group on each date. Yields between dates. */
  *figures(): Generator<void, NightFigures[]> {
    const found: NightFigures[] = [];
    for (const date of this.dates()) {
      found.push(this.figuresOf(date));
      yield;
    }
    return found;
  }

  private figuresOf(date: string): NightFigures {
    const day = this.days.get(date);
    const { priorities } = this.query;
    const rule = { priorities, enough: 'any', isSum: false, lead: day?.sleep } as const;
    const select = (name: FigureGroup, candidates: FigureCandidate[]) =>
      selectSource(candidates, rule, this.query.nights.keptSource(date, name));
    const scores = this.scoresOf(date);
    const group = (name: MeasuredGroup) => select(name, this.candidates(date, GROUPS[name], scores));
    return {
      date,
      day,
      groups: {
        heart_rate: group('heart_rate'),
        hrv: group('hrv'),
        oxygen_saturation: group('oxygen_saturation'),
        respiratory_rate: group('respiratory_rate'),
        resting_heart_rate: group('resting_heart_rate'),
        score: scoreOfSleeper(this.scoreCandidates(scores), day, (candidates) => select('score', candidates)),
      },
    };
  }

  private candidates(
    date: string,
    types: readonly number[],
    scores: ReadonlyMap<number, StampedRow>,
  ): FigureCandidate[] {
    const bySource = new Map<number, Map<number, number>>();
    const add = (sourceId: number, typeId: number, value: number | null) => {
      if (value === null) return;
      const own = bySource.get(sourceId) ?? new Map<number, number>();
      if (!own.has(typeId)) bySource.set(sourceId, own.set(typeId, value));
    };
    const ofDate = this.readings.get(date);
    for (const typeId of types) {
      for (const readings of ofDate?.values() ?? []) {
        if (readings.typeId === typeId) add(readings.sourceId, typeId, meanOf(typeId, readings));
      }
      for (const [sourceId, score] of scores) add(sourceId, typeId, componentOf(score, typeId));
    }
    return [...bySource].map(([sourceId, values]) => ({
      source: this.rules.get(sourceId)!,
      sourceId,
      lead: types.map((typeId) => values.get(typeId)).find((value) => value !== undefined) ?? null,
      values,
    }));
  }

  /** Returns the score of each source for a date: the last score before local noon, otherwise the first score. */
  private scoresOf(date: string): Map<number, StampedRow> {
    const noonMs = ((dayNumber(date) ?? 0) + 0.5) * MS_PER_DAY;
    const shown = new Map<number, StampedRow>();
    for (const row of this.scores.get(date) ?? []) {
      if (!this.rules.has(row.source_id)) continue;
      const isByNoon = row.at.getTime() + row.offset_minutes * MS_PER_MINUTE <= noonMs;
      if (isByNoon || !shown.has(row.source_id)) shown.set(row.source_id, row);
    }
    return shown;
  }

  /** Accepts only scores on a scale from 0 to 100, because a grade from 1 to 6 would look like a very low score. */
  private scoreCandidates(scores: ReadonlyMap<number, StampedRow>): FigureCandidate[] {
    return [...scores].flatMap(([sourceId, { value }]) => {
      const source = this.rules.get(sourceId)!;
      const scale = scoreScale(source.provider, 'recovery');
      if (value === null || scale?.min !== 0 || scale.max !== 100) return [];
      return [{ source, sourceId, lead: value, values: new Map([[SCORE, value]]) }];
    });
  }

  /**
   * Returns the dates of a value of a whole night or day: the written date, otherwise the dates of its nights, otherwise
   * its local date.
   */
  private datesOf(row: StampedRow): string[] {
    const ms = row.at.getTime();
    const local = localDate(ms, row.offset_minutes);
    if (row.own_offset === null && ms % MS_PER_DAY === 0) return [fromDayNumber(ms / MS_PER_DAY)];
    if (row.kind === SAMPLE_KIND_CODE.daily_total) return [local];
    // A resting heart rate at local midnight belongs to that date. A sleep that ended shortly before must not claim it.
    if (row.type_id === RESTING && (ms + row.offset_minutes * MS_PER_MINUTE) % MS_PER_DAY === 0) return [local];
    const claimed = datesAround(local).filter((date) => {
      const night = this.windows.get(date);
      return night && ms >= night.fromMs - BEFORE_NIGHT_MS && ms < night.toMs + AFTER_NIGHT_MS;
    });
    return claimed.length > 0 ? claimed : [local];
  }

  /**
   * Returns one source's readings of a series on a date; the caller completes them. Undefined for an unknown source.
   */
  private of(date: string, typeId: number, sourceId: number): Readings | undefined {
    if (!this.rules.has(sourceId)) return undefined;
    let ofDate = this.readings.get(date);
    if (!ofDate) {
      ofDate = new Map();
      this.readings.set(date, ofDate);
    }
    // Combines both ids into one number, because type ids are below 2^16.
    const key = sourceId * 2 ** 16 + typeId;
    let readings = ofDate.get(key);
    if (!readings) {
      readings = noReadings(typeId, sourceId);
      ofDate.set(key, readings);
    }
    return readings;
  }
}

/**
 * Adds the readings of dates without sleep. Uses the roll-up of the day if no night is near and all its samples are
 * ordinary readings, otherwise samples.
 */
async function addWakingReadings(
  pool: pg.Pool,
  userKey: number,
  facts: DateFacts,
  rows: readonly DateReadings[],
): Promise<void> {
  const keyOf = (row: Reading) => `${row.date} ${row.type_id} ${row.source_id}`;
  const open = new Map<string, Reading>(facts.stampedWaking().map((row) => [keyOf(row), row]));
  for (const row of rows) {
    if (facts.hasSleep(row.date)) continue;
    if (facts.nightsNear(row.date).any || facts.isStampedNear(row) || !isPlain(row)) open.set(keyOf(row), row);
    else facts.addPlain(row);
  }
  if (open.size === 0) return;
  const openRequests = [...open.values()];
  const near = openRequests.map((row) => facts.nightsNear(row.date));
  const results = await pool.query<WakingReadings>(
    wakingReadings([
      userKey,
      openRequests.map((row) => row.type_id),
      openRequests.map((row) => row.source_id),
      openRequests.map((row) => row.date),
      near.map(({ plain, withMargins }, at) =>
        facts.measuresOncePerNight((openRequests[at] as Reading).source_id) ? withMargins : plain,
      ),
      near.map(({ withMargins }) => withMargins),
    ]),
  );
  for (const response of results.rows) {
    const row = openRequests[response.place - 1];
    if (row) facts.addWaking(row, response);
  }
}

/** True if a day's sum contains only ordinary samples with valid values in the right unit. */
function isPlain(row: DateReadings): boolean {
  return (
    row.total_count === 0 &&
    row.aggregate_count === 0 &&
    row.sample_min !== null &&
    row.sample_max !== null &&
    // A saturation stored as a fraction is below the valid minimum and fails this check.
    isValid(row.type_id, row.sample_min) &&
    isValid(row.type_id, row.sample_max)
  );
}

/** Selects among the scores of the provider that won the sleep, because other scores are not about that sleep. */
function scoreOfSleeper(
  candidates: readonly FigureCandidate[],
  day: SleepDay<NightSession> | undefined,
  select: (candidates: FigureCandidate[]) => FigureSelection,
): FigureSelection {
  const provider = day?.sleep.winner?.source.provider;
  const isOwn = ({ source }: FigureCandidate) => provider === undefined || source.provider === provider;
  const own = select(candidates.filter(isOwn));
  const others = select(candidates.filter((candidate) => !isOwn(candidate))).placed.map(({ candidate }) => ({
    candidate,
    reason: 'other_provider_leads' as const,
  }));
  return { ...own, placed: [...own.placed, ...others] };
}

/**
 * Returns the value of a series from its first available evidence. Most series prefer the vendor's value of the night,
 * then the mean of the readings while asleep, in bed, and on the date. Saturation prefers readings in bed. Heart rate
 * and respiration prefer readings while asleep.
 */
function meanOf(typeId: number, readings: Readings): number | null {
  const { aggregate, asleep, window, stamped, dateAggregate, local } = readings;
  if (typeId === OXYGEN) return firstMean(window, plus(aggregate, stamped), dateAggregate, local);
  if (typeId === HEART_RATE || typeId === RESPIRATION) return firstMean(asleep, aggregate, window, stamped);
  return firstMean(aggregate, asleep, window, stamped, dateAggregate, local);
}

function firstMean(...sums: readonly Sum[]): number | null {
  const found = sums.find(({ count }) => count > 0);
  return found ? found.sum / found.count : null;
}

function componentOf(score: StampedRow, typeId: number): number | null {
  for (const name of COMPONENTS[typeId] ?? []) {
    const value = score.components?.[name]?.value;
    if (typeof value !== 'number') continue;
    const percent = typeId === OXYGEN && value <= 1 ? value * 100 : value;
    if (isValid(typeId, percent)) return percent;
  }
  return null;
}

function isValid(typeId: number, value: number): boolean {
  const [least, most] = VALID[typeId] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return value >= least && value <= most;
}

function sumOf(count: number, sum: number): Sum {
  return count === 0 ? NOTHING : { count, sum };
}

function plus(a: Sum, b: Sum): Sum {
  if (b.count === 0) return a;
  return a.count === 0 ? b : { count: a.count + b.count, sum: a.sum + b.sum };
}

/** Returns the dates from two days before a date to two days after it. */
function datesAround(date: string): string[] {
  const middle = dayNumber(date) ?? 0;
  return Array.from({ length: 2 * REACH_DAYS + 1 }, (_, at) => fromDayNumber(middle - REACH_DAYS + at));
}
