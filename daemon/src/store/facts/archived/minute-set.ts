import { MinuteBitmap, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';

/** Maximum duration that covers minutes. A longer sample does not imply that each minute was measured. */
const LONGEST_MS = MS_PER_DAY;

/** Minutes of one UTC day of one series from one source. */
export interface MinuteDay {
  typeId: number;
  sourceId: number;
  /** Days since 1970-01-01. */
  day: number;
  minutes: MinuteBitmap;
}

/** Minutes of UTC that samples cover, by series and source. */
export class MinuteSet {
  private readonly days = new Map<string, MinuteDay>();

  /** Adds a stored day. */
  put(day: MinuteDay): void {
    this.days.set(keyOf(day.typeId, day.sourceId, day.day), day);
  }

  /**
   * Covers the minutes that [startMs, startMs + durationMs) touches. A reading (duration 0 or NaN) covers its own
   * minute.
   */
  add(typeId: number, sourceId: number, startMs: number, durationMs: number): void {
    const endMs = startMs + (durationMs > 0 ? Math.min(durationMs, LONGEST_MS) : 0);
    const first = Math.floor(startMs / MS_PER_DAY);
    this.dayOf(typeId, sourceId, first).minutes.addInterval(startMs - first * MS_PER_DAY, endMs - first * MS_PER_DAY);
    for (let day = first + 1; day * MS_PER_DAY < endMs; day++) {
      this.dayOf(typeId, sourceId, day).minutes.addInterval(0, endMs - day * MS_PER_DAY);
    }
  }

  /** True if the minute of an instant is covered. */
  has(typeId: number, sourceId: number, ms: number): boolean {
    const day = Math.floor(ms / MS_PER_DAY);
    const minutes = this.days.get(keyOf(typeId, sourceId, day))?.minutes;
    return minutes?.has(Math.floor((ms - day * MS_PER_DAY) / MS_PER_MINUTE)) ?? false;
  }

  /** Clears the minutes of one source that overlap [fromMs, toMs). */
  clear(sourceId: number, fromMs: number, toMs: number): void {
    for (const { day, minutes, ...of } of this.days.values()) {
      if (of.sourceId !== sourceId) continue;
      const midnightMs = day * MS_PER_DAY;
      minutes.remove((fromMs - midnightMs) / MS_PER_MINUTE, (toMs - midnightMs) / MS_PER_MINUTE);
    }
  }

  entries(): MinuteDay[] {
    return [...this.days.values()];
  }

  /** Yields the covered stretches of each day, series and source. */
  *stretches(): Generator<{ typeId: number; sourceId: number; fromMs: number; toMs: number }> {
    for (const { typeId, sourceId, day, minutes } of this.days.values()) {
      const midnightMs = day * MS_PER_DAY;
      for (const [from, before] of minutes.runs()) {
        yield {
          typeId,
          sourceId,
          fromMs: midnightMs + from * MS_PER_MINUTE,
          toMs: midnightMs + before * MS_PER_MINUTE,
        };
      }
    }
  }

  private dayOf(typeId: number, sourceId: number, day: number): MinuteDay {
    const key = keyOf(typeId, sourceId, day);
    let known = this.days.get(key);
    if (!known) {
      known = { typeId, sourceId, day, minutes: new MinuteBitmap() };
      this.days.set(key, known);
    }
    return known;
  }
}

function keyOf(typeId: number, sourceId: number, day: number): string {
  return `${typeId} ${sourceId} ${day}`;
}
