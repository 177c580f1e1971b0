import { fromDayNumber, seriesTypeById } from '@healthd/model';

/**
 * Type of a change: `new` rows were added, `changed` rows were updated, `gone` rows were deleted because the file lacks
 * them.
 */
export type ChangeKind = 'new' | 'changed' | 'gone';

/** Counts by series (or `sleep_stages`, `workouts`) and month of local dates (`YYYY-MM`). Omits zeros. */
export type SeriesChanges = Record<string, Record<string, Partial<Record<ChangeKind, number>>>>;

export const SLEEP_STAGES = 'sleep_stages';
export const WORKOUT_SERIES = 'workouts';

/** Counts changes by series and month. Memory grows with months, not with samples. */
export class ChangeCounts {
  readonly #bySeries = new Map<string, Map<string, Partial<Record<ChangeKind, number>>>>();
  #gone = 0;

  /** @param date local date, `YYYY-MM-DD` */
  add(series: string, date: string, kind: ChangeKind): void {
    const month = date.slice(0, 7);
    const months = this.#bySeries.get(series) ?? new Map<string, Partial<Record<ChangeKind, number>>>();
    this.#bySeries.set(series, months);
    const change = months.get(month) ?? {};
    months.set(month, change);
    change[kind] = (change[kind] ?? 0) + 1;
    if (kind === 'gone') this.#gone++;
  }

  addSample(typeId: number, day: number, kind: ChangeKind): void {
    this.add(seriesTypeById(typeId)?.code ?? String(typeId), fromDayNumber(day), kind);
  }

  get gone(): number {
    return this.#gone;
  }

  /** Returns the changes, sorted by series and month. */
  list(): SeriesChanges {
    const ordered = <T>(entries: Map<string, T>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      ordered(this.#bySeries).map(([series, months]) => [series, Object.fromEntries(ordered(months))]),
    );
  }
}
