import type { Range } from '../../../components/chart/plot.js';
import { daysAgo } from '../../../format.js';
import { type Dated, formatRecorded } from '../../../record-zone.js';
import { formatInZone, startOfDate, type Zone, zoneText } from '../../../zone.js';

type Sample = Dated & { timestamp: string };

/**
 * Returns the time zone of a day's chart: the user's zone if the records agree with it, otherwise the first record's
 * offset (travel).
 */
export function zoneOfDay(samples: readonly Sample[], personZone: Zone | undefined): Zone {
  const agrees = (sample: Sample) =>
    personZone !== undefined &&
    formatInZone(Date.parse(sample.timestamp), personZone) === formatRecorded(sample.timestamp, sample);
  const [first] = samples;
  if (first === undefined || samples.every(agrees)) return personZone ?? 'UTC';
  return samples.reduce((oldest, one) => (one.timestamp < oldest.timestamp ? one : oldest), first).local_offset;
}

/**
 * Returns the range of a date in `zoneOfDay`: 23 or 25 hours on clock changes. During travel it spans from the
 * earliest start to the latest end of the date.
 */
export function rangeOfDay(date: string, samples: readonly Sample[], zone: Zone): Range {
  const offsets = offsetsOf(samples);
  const zones = offsets.includes(zone) ? offsets : [zone];
  const next = daysAgo(-1, Date.parse(date));
  return {
    from: Math.min(...zones.map((one) => startOfDate(date, one))),
    to: Math.max(...zones.map((one) => startOfDate(next, one))),
  };
}

/** Formats the zone, and all recorded offsets if the offset changed. */
export function clocksText(samples: readonly Sample[], zone: Zone): string {
  const offsets = offsetsOf(samples);
  const recorded = offsets.length > 1 ? `; recorded at ${offsets.map((offset) => `UTC${offset}`).join(' and ')}` : '';
  return `${zoneText(zone)}${recorded}`;
}

function offsetsOf(samples: readonly Sample[]): string[] {
  return [...new Set(samples.map(({ local_offset }) => local_offset))].sort();
}
