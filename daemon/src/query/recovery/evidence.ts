import { measuresOncePerNight, SAMPLE_KIND_CODE, seriesTypeByCode } from '@healthd/model';
import { sqlInstant } from '../sql-instant.js';
import type { RolledRow, StampedRow } from './evidence.sql.js';
import { isNear, multirange, type Nights } from './nights.js';
import type { ReadingsRow } from './readings.sql.js';
import { datesOf, writtenDate } from './stamps.js';

export const RESTING = seriesTypeByCode('resting_heart_rate').id;
export const SDNN = seriesTypeByCode('heart_rate_variability_sdnn').id;
export const RMSSD = seriesTypeByCode('heart_rate_variability_rmssd').id;
export const OXYGEN = seriesTypeByCode('oxygen_saturation').id;
/** Series of which a night has many readings. */
export const CONTINUOUS_TYPES = [SDNN, RMSSD, OXYGEN] as const;

/** What counts as a measurement, by type; as in the roll-up of nights. */
const VALID: Record<number, readonly [number, number]> = { [SDNN]: [1, 400], [RMSSD]: [1, 400], [OXYGEN]: [50, 100] };

/** Sum of readings. */
export interface Sum {
  count: number;
  sum: number;
}
const NOTHING: Sum = { count: 0, sum: 0 };

/** The readings of one series of one provider that belong to one date, by where they are. */
export interface Readings {
  aggregate: Sum;
  asleep: Sum;
  window: Sum;
  stamped: Sum;
  dayAggregate: Sum;
  local: Sum;
}

/** What the roll-ups say: the readings, `open` where only the samples have it, undefined where there is nothing. */
export type Settled = Readings | 'open' | undefined;

/** What is stored about one provider and date. */
export interface DayEvidence {
  resting: StampedRow[];
  scores: StampedRow[];
}

/** Everything stored around a range, by provider and date. */
export class Evidence {
  private readonly nightRows = new Map<string, RolledRow>();
  private readonly dayRows = new Map<string, RolledRow[]>();
  private readonly midnights = new Map<string, StampedRow[]>();
  private readonly stamped = new Map<string, DayEvidence>();
  private readonly providers = new Map<string, Set<string>>();
  // A year asks the same of each date several times; what is stored does not change meanwhile.
  private readonly knownSources = new Map<string, RolledRow[]>();
  private readonly knownReadings = new Map<string, Settled>();

  constructor(
    readonly nights: Nights,
    rolled: readonly RolledRow[],
    stamps: readonly StampedRow[],
  ) {
    for (const row of rolled) {
      const key = keyOf(row.date, row.provider, row.type_id);
      if (row.source_id === null) {
        this.nightRows.set(key, row);
        this.notice(row.date, row.provider);
      } else {
        append(this.dayRows, key, row);
        for (const date of nights.around(row.date, 1)) this.notice(date, row.provider);
      }
    }
    for (const row of stamps) {
      if (row.type_id !== null && row.type_id !== RESTING) {
        append(this.midnights, keyOf('', row.provider, row.type_id), row);
        continue;
      }
      for (const date of datesOf(row, nights)) {
        this.notice(date, row.provider);
        this.of(date, row.provider)[row.type_id === null ? 'scores' : 'resting'].push(row);
      }
    }
  }

  /** The dates of the range of which anything is known, in order. */
  dates(fromDate: string, beforeDate: string): string[] {
    return [...this.providers.keys()].filter((date) => date >= fromDate && date < beforeDate).sort();
  }

  providersOf(date: string): string[] {
    return [...(this.providers.get(date) ?? [])].sort();
  }

  of(date: string, provider: string): DayEvidence {
    const key = `${date} ${provider}`;
    const known = this.stamped.get(key) ?? { resting: [], scores: [] };
    this.stamped.set(key, known);
    return known;
  }

  /** Day roll-ups that may have supplied the readings, those of the date itself first. */
  sourcesOf(date: string, provider: string, typeId: number): readonly RolledRow[] {
    const key = keyOf(date, provider, typeId);
    let rows = this.knownSources.get(key);
    if (!rows) {
      const [before = '', , after = ''] = this.nights.around(date, 1);
      rows = [date, before, after].flatMap((day) => this.dayRows.get(keyOf(day, provider, typeId)) ?? []);
      this.knownSources.set(key, rows);
    }
    return rows;
  }

  /** The readings of a date as far as roll-ups have them. */
  settled(date: string, provider: string, typeId: number): Settled {
    const key = keyOf(date, provider, typeId);
    if (!this.knownReadings.has(key)) this.knownReadings.set(key, this.settle(date, provider, typeId));
    return this.knownReadings.get(key);
  }

  private settle(date: string, provider: string, typeId: number): Settled {
    const days = this.sourcesOf(date, provider, typeId);
    const own = days.filter((day) => day.date === date);
    const midnights = this.midnights.get(keyOf('', provider, typeId)) ?? [];
    const night = this.nightRows.get(keyOf(date, provider, typeId));
    if (night && this.settles(night, midnights)) return fromNight(night);
    if (days.length === 0) return undefined;
    const nearby = this.nights.around(date, 1);
    const stampedNear = midnights.some((row) => nearby.includes(writtenDate(row) ?? ''));
    if (own.length === 0 && !stampedNear && !this.nights.night(provider, date)) return undefined;
    if (stampedNear || this.nights.anyNear(date) || !own.every(isPlain)) return 'open';
    return { ...NO_READINGS, local: sumOf(own) };
  }

  /** Whether the roll-up of a night says all: a value, and no sample that a written date moves to or from its day. */
  private settles(night: RolledRow, midnights: readonly StampedRow[]): boolean {
    const span = this.nights.night(night.provider, night.date);
    if (!span || midnights.some((row) => isNear(span, row.at.getTime()) && writtenDate(row) !== night.date))
      return false;
    if (night.type_id === OXYGEN) return night.sample_count > 0;
    const isAggregate = (row: StampedRow) => row.kind === SAMPLE_KIND_CODE.aggregate;
    if (midnights.some((row) => isAggregate(row) && writtenDate(row) === night.date)) return false;
    return night.aggregate_count > 0 || night.sample_count > 0;
  }

  private notice(date: string, provider: string): void {
    const known = this.providers.get(date);
    if (known) known.add(provider);
    else this.providers.set(date, new Set([provider]));
  }
}

/** One (date, provider, series) that only samples have. */
export interface Question {
  date: string;
  provider: string;
  typeId: number;
}

/** The arrays of the statement that reads samples. */
export function questionColumns(questions: readonly Question[], nights: Nights): unknown[][] {
  const columns: unknown[][] = Array.from({ length: 9 }, () => []);
  for (const { date, provider, typeId } of questions) {
    const night = nights.night(provider, date);
    const nightly = measuresOncePerNight(provider);
    const others = nights.others(provider, date);
    const row = [
      typeId,
      provider,
      date,
      night ? sqlInstant(night.fromMs) : null,
      night ? sqlInstant(night.toMs) : null,
      night?.lender ?? null,
      nightly,
      multirange(others, nightly),
      multirange(others, true),
    ];
    for (const [at, value] of row.entries()) columns[at]?.push(value);
  }
  return columns;
}

export function readingsOf(row: ReadingsRow): Readings {
  const sum = (count: number, total: number | null) => ({ count, sum: total ?? 0 });
  return {
    aggregate: sum(row.aggregate_count, row.aggregate_sum),
    asleep: sum(row.asleep_count, row.asleep_sum),
    window: sum(row.window_count, row.window_sum),
    stamped: sum(row.stamped_count, row.stamped_sum),
    dayAggregate: sum(row.day_aggregate_count, row.day_aggregate_sum),
    local: sum(row.local_count, row.local_sum),
  };
}

const NO_READINGS: Readings = {
  aggregate: NOTHING,
  asleep: NOTHING,
  window: NOTHING,
  stamped: NOTHING,
  dayAggregate: NOTHING,
  local: NOTHING,
};

function fromNight(row: RolledRow): Readings {
  return {
    ...NO_READINGS,
    aggregate: { count: row.aggregate_count, sum: row.aggregate_sum ?? 0 },
    asleep: { count: row.asleep_count, sum: row.asleep_sum ?? 0 },
    window: { count: row.sample_count, sum: row.sample_sum ?? 0 },
  };
}

/** Whether a day's sum is that of ordinary samples which all are measurements in the right unit. */
function isPlain(day: RolledRow): boolean {
  const [lowest, highest] = VALID[day.type_id] ?? [0, 0];
  return (
    day.total_count === 0 &&
    day.aggregate_count === 0 &&
    day.sample_min !== null &&
    day.sample_max !== null &&
    day.sample_min >= lowest &&
    day.sample_max <= highest
  );
}

function sumOf(days: readonly RolledRow[]): Sum {
  return {
    count: days.reduce((count, day) => count + day.sample_count, 0),
    sum: days.reduce((sum, day) => sum + (day.sample_sum ?? 0), 0),
  };
}

function keyOf(date: string, provider: string, typeId: number): string {
  return `${date} ${typeId} ${provider}`;
}

function append<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
