import type { Change } from './change.js';

/** Local days of series and sources whose roll-ups a write makes stale, with the changes of their samples. */
export class DirtyDays {
  private readonly days = new Map<number, Map<number, Map<number, Change>>>();

  /** @param change 0 if the samples themselves do not change */
  add(typeId: number, sourceId: number, day: number, change: Change = 0): void {
    let sources = this.days.get(typeId);
    if (!sources) {
      sources = new Map();
      this.days.set(typeId, sources);
    }
    const days = sources.get(sourceId);
    if (!days) sources.set(sourceId, new Map([[day, change]]));
    else if (days.get(day) !== change) days.set(day, (days.get(day) ?? 0) | change);
  }

  /** Combines the days of several sets. */
  static union(parts: readonly DirtyDays[]): DirtyDays {
    const all = new DirtyDays();
    for (const part of parts) {
      for (const { typeId, sourceId, day, change } of part.entries()) all.add(typeId, sourceId, day, change);
    }
    return all;
  }

  has(typeId: number, sourceId: number, day: number): boolean {
    return this.days.get(typeId)?.get(sourceId)?.has(day) ?? false;
  }

  get typeIds(): number[] {
    return [...this.days.keys()];
  }

  sourcesOf(typeId: number): number[] {
    return [...(this.days.get(typeId)?.keys() ?? [])];
  }

  /** Returns all days of one series from any source, ascending. */
  daysOf(typeId: number): number[] {
    const union = new Set<number>();
    for (const days of this.days.get(typeId)?.values() ?? []) for (const day of days.keys()) union.add(day);
    return [...union].sort((a, b) => a - b);
  }

  /** Returns all days, unordered. */
  get allDays(): Set<number> {
    const union = new Set<number>();
    for (const typeId of this.days.keys()) for (const day of this.daysOf(typeId)) union.add(day);
    return union;
  }

  *entries(): Generator<{ typeId: number; sourceId: number; day: number; change: Change }> {
    for (const [typeId, sources] of this.days) {
      for (const [sourceId, days] of sources) {
        for (const [day, change] of days) yield { typeId, sourceId, day, change };
      }
    }
  }
}
