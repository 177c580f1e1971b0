import { MINUTES_PER_DAY, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';

/** What lasts longer says nothing about single minutes beyond these. */
const LONGEST_MS = MS_PER_DAY;

/** Minutes of one UTC day of one series from one source; bit 0, the highest of the first byte, is 00:00Z. */
export interface MinuteDay {
  typeId: number;
  sourceId: number;
  /** Days since 1970-01-01. */
  day: number;
  bits: Uint8Array;
}

/** Minutes of UTC that samples cover, by series and source. */
export class MinuteSet {
  private readonly days = new Map<string, MinuteDay>();

  /** Takes a day over as it is stored. */
  put(day: MinuteDay): void {
    this.days.set(keyOf(day.typeId, day.sourceId, day.day), day);
  }

  /** Covers the minutes that [startMs, startMs + durationMs) touches, a reading (duration 0 or NaN) its own minute. */
  add(typeId: number, sourceId: number, startMs: number, durationMs: number): void {
    const first = Math.floor(startMs / MS_PER_MINUTE);
    const endMs = startMs + (durationMs > 0 ? Math.min(durationMs, LONGEST_MS) : 0);
    const before = Math.max(first + 1, Math.ceil(endMs / MS_PER_MINUTE));
    for (let minute = first; minute < before; minute++) {
      const day = Math.floor(minute / MINUTES_PER_DAY);
      const { bits } = this.dayOf(typeId, sourceId, day);
      const at = minute - day * MINUTES_PER_DAY;
      bits[at >> 3] = (bits[at >> 3] as number) | (0x80 >> (at & 7));
    }
  }

  /** Whether the minute of an instant is covered. */
  has(typeId: number, sourceId: number, ms: number): boolean {
    const day = Math.floor(ms / MS_PER_DAY);
    const bits = this.days.get(keyOf(typeId, sourceId, day))?.bits;
    if (!bits) return false;
    const at = Math.floor((ms - day * MS_PER_DAY) / MS_PER_MINUTE);
    return ((bits[at >> 3] as number) & (0x80 >> (at & 7))) !== 0;
  }

  /** Uncovers the minutes of one source that lie wholly or in part in [fromMs, toMs). */
  clear(sourceId: number, fromMs: number, toMs: number): void {
    for (const { day, bits, ...minutes } of this.days.values()) {
      if (minutes.sourceId !== sourceId) continue;
      const first = Math.max(0, Math.floor((fromMs - day * MS_PER_DAY) / MS_PER_MINUTE));
      const before = Math.min(MINUTES_PER_DAY, Math.ceil((toMs - day * MS_PER_DAY) / MS_PER_MINUTE));
      for (let at = first; at < before; at++) bits[at >> 3] = (bits[at >> 3] as number) & ~(0x80 >> (at & 7));
    }
  }

  entries(): MinuteDay[] {
    return [...this.days.values()];
  }

  /** Covered stretches of each day, series and source. */
  *stretches(): Generator<{ typeId: number; sourceId: number; fromMs: number; toMs: number }> {
    for (const { typeId, sourceId, day, bits } of this.days.values()) {
      let from = -1;
      for (let at = 0; at <= MINUTES_PER_DAY; at++) {
        const covered = at < MINUTES_PER_DAY && ((bits[at >> 3] as number) & (0x80 >> (at & 7))) !== 0;
        if (covered && from < 0) from = at;
        if (covered || from < 0) continue;
        const startMs = day * MS_PER_DAY;
        yield { typeId, sourceId, fromMs: startMs + from * MS_PER_MINUTE, toMs: startMs + at * MS_PER_MINUTE };
        from = -1;
      }
    }
  }

  private dayOf(typeId: number, sourceId: number, day: number): MinuteDay {
    const key = keyOf(typeId, sourceId, day);
    let minutes = this.days.get(key);
    if (!minutes) {
      minutes = { typeId, sourceId, day, bits: new Uint8Array(MINUTES_PER_DAY / 8) };
      this.days.set(key, minutes);
    }
    return minutes;
  }
}

function keyOf(typeId: number, sourceId: number, day: number): string {
  return `${typeId} ${sourceId} ${day}`;
}
