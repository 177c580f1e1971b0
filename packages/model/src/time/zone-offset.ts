import type { ProviderId } from '../providers.js';
import { parseOffset } from './offset.js';
import { MS_PER_DAY } from './units.js';

const MAX_ZONES = 1000;
const QUARTER_HOUR_MS = 900_000;

interface Zone {
  format: Intl.DateTimeFormat;
  quarter: number;
  offsetMinutes: number | undefined;
}

/**
 * Offsets of named time zones such as `Europe/Warsaw`, as the runtime's own zone data has them. A zone's last answer is
 * cached, because items of one place follow each other.
 */
export class ZoneOffsets {
  private readonly zones = new Map<string, Zone | undefined>();

  /** Minutes ahead of UTC at that instant; undefined for a name that is no zone. */
  at(name: string, ms: number): number | undefined {
    const zone = this.zone(name);
    if (zone === undefined || !Number.isFinite(ms)) return undefined;
    const quarter = Math.floor(ms / QUARTER_HOUR_MS);
    if (quarter !== zone.quarter) {
      zone.quarter = quarter;
      zone.offsetMinutes = offsetOf(zone.format, quarter * QUARTER_HOUR_MS);
    }
    return zone.offsetMinutes;
  }

  private zone(name: string): Zone | undefined {
    if (!this.zones.has(name)) {
      if (this.zones.size >= MAX_ZONES) this.zones.clear();
      this.zones.set(name, openZone(name));
    }
    return this.zones.get(name);
  }
}

/** True for the name of a zone in the IANA database as this runtime knows it; an offset such as `+02:00` is none. */
export function isZoneName(text: string): boolean {
  return /^[A-Za-z]/.test(text) && openZone(text) !== undefined;
}

/** That an item named a zone: from the first to the last such instant of one UTC day, in milliseconds since 1970. */
export interface ZoneSighting {
  provider: ProviderId;
  zone: string;
  firstMs: number;
  lastMs: number;
}

/** Gathers which zones the items of one provider named on which UTC days. */
export class ZoneSightings {
  private readonly days = new Map<string, ZoneSighting>();

  constructor(private readonly provider: ProviderId) {}

  see(zone: string, ms: number): void {
    const key = `${zone} ${Math.floor(ms / MS_PER_DAY)}`;
    const known = this.days.get(key);
    if (!known) {
      this.days.set(key, { provider: this.provider, zone, firstMs: ms, lastMs: ms });
      return;
    }
    if (ms < known.firstMs) known.firstMs = ms;
    if (ms > known.lastMs) known.lastMs = ms;
  }

  /** What was seen since the last call. */
  take(): ZoneSighting[] {
    const seen = [...this.days.values()];
    this.days.clear();
    return seen;
  }
}

function openZone(name: string): Zone | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return { format, quarter: Number.NaN, offsetMinutes: undefined };
  } catch {
    return undefined;
  }
}

function offsetOf(format: Intl.DateTimeFormat, ms: number): number | undefined {
  const text = format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value;
  if (text === 'GMT') return 0;
  return text === undefined ? undefined : parseOffset(text.slice(3, 9));
}
