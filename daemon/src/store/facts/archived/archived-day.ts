import { dayNumber, fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import type { Change } from '../change.js';
import { DirtyDays } from '../dirty-days.js';
import type { HeartRateMinutes } from './heart-rate-minutes.js';

/** Totals of removed samples of one local day, series and source; bits are 1440 characters, as in day_minutes. */
export interface ArchivedDay {
  typeId: number;
  sourceId: number;
  day: number;
  sampleSum: number;
  sampleMin: number;
  sampleMax: number;
  lastValue: number;
  lastMs: number;
  sampleCount: number;
  /** Minutes of the local day that the samples touch. */
  minutes: string;
  /** Only for heart rate. */
  heartRate: HeartRateMinutes | undefined;
  /** Only for steps: active minutes from both removed and remaining samples. */
  activeMinutes: string | undefined;
}

/** Archived days by series, source and day. */
export class ArchivedDays {
  private readonly days = new Map<string, ArchivedDay>();

  static async load(
    client: pg.ClientBase,
    userKey: number,
    range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
  ): Promise<ArchivedDays> {
    const result = new ArchivedDays();
    const { rows } = await client.query<
      ArchivedDay & { date: string; bins: number[] | null; seconds: number[] } & {
        heartRateMinutes: string;
      }
    >({
      name: 'records-load-archived-days',
      text: LOAD,
      values: [userKey, range.typeIds, fromDayNumber(range.firstDay), fromDayNumber(range.lastDay)],
    });
    for (const { date, bins, seconds, heartRateMinutes, ...row } of rows) {
      const heartRate = bins === null ? undefined : { bins, seconds, minutes: heartRateMinutes };
      result.put({
        ...row,
        day: dayNumber(date) as number,
        lastMs: Math.round(row.lastMs),
        heartRate,
        activeMinutes: row.activeMinutes ?? undefined,
      });
    }
    return result;
  }

  /** Loads the archived data of dirty days. Skips the query if no day is earlier than `before`. */
  static async ofDays(
    client: pg.ClientBase,
    userKey: number,
    dirtyDays: DirtyDays,
    before: number | undefined,
  ): Promise<ArchivedDays> {
    const days = before === undefined ? [] : [...dirtyDays.allDays].filter((day) => day < before);
    if (days.length === 0) return new ArchivedDays();
    const firstDay = days.reduce((a, b) => Math.min(a, b));
    const lastDay = days.reduce((a, b) => Math.max(a, b));
    return ArchivedDays.load(client, userKey, { typeIds: dirtyDays.typeIds, firstDay, lastDay });
  }

  get({ typeId, sourceId, day }: { typeId: number; sourceId: number; day: number }): ArchivedDay | undefined {
    return this.days.get(`${typeId} ${sourceId} ${day}`);
  }

  all(): ArchivedDay[] {
    return [...this.days.values()];
  }

  private put(day: ArchivedDay): void {
    this.days.set(`${day.typeId} ${day.sourceId} ${day.day}`, day);
  }
}

const LOAD = `
select type_id as "typeId", source_id as "sourceId", local_date as date, sample_sum as "sampleSum",
       sample_min as "sampleMin", sample_max as "sampleMax", last_value as "lastValue",
       extract(epoch from last_at)::float8 * 1000 as "lastMs", sample_count as "sampleCount", minutes::text as minutes,
       heart_rate_bins as bins, heart_rate_seconds as seconds, heart_rate_minutes::text as "heartRateMinutes",
       active_minutes::text as "activeMinutes"
  from day_archive
 where user_key = $1 and type_id = any ($2::int2[]) and local_date between $3::date and $4::date`;

/** Returns the roll-ups that change when archived days are deleted. @param change the reason of the deletion */
export function archivedDays(days: readonly ArchivedDay[], change: Change): DirtyDays {
  const dirty = new DirtyDays();
  for (const { typeId, sourceId, day } of days) dirty.add(typeId, sourceId, day, change);
  return dirty;
}
