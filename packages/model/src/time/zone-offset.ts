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
 * Offsets of named time zones such as `Europe/Warsaw`, from the runtime's zone data. Caches each zone's last result,
 * because consecutive items often share a place.
 */
export class ZoneOffsets {
  private readonly zones = new Map<string, Zone | undefined>();

  /** Minutes ahead of UTC at that instant; undefined if the name is not a time zone. */
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

/** True for the name of a zone in the runtime's IANA database; false for offsets such as `+02:00`. */
export function isZoneName(text: string): boolean {
  return /^[A-Za-z]/.test(text) && openZone(text) !== undefined;
}

/**
 * Observation of a time zone in items: from the first to the last instant on one UTC day, in milliseconds since 1970.
 */
export interface ZoneObservation {
  provider: ProviderId;
  zone: string;
  firstMs: number;
  lastMs: number;
}

/** Collects the zones that a provider's items named, by UTC day. */
export class ZoneObservations {
  private readonly days = new Map<string, ZoneObservation>();

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

  /** Returns the observations since the last call. */
  take(): ZoneObservation[] {
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
