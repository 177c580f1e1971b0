import { parseOffset } from '@healthd/model';

const MAX_ZONES = 1000;
const QUARTER_HOUR_MS = 900_000;

interface Zone {
  format: Intl.DateTimeFormat;
  quarter: number;
  offsetMinutes: number | undefined;
}

/**
 * Offsets of named time zones such as `Europe/Warsaw`, as the runtime's own zone data has them. A zone's last answer is
 * kept, because items of one place follow each other.
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
