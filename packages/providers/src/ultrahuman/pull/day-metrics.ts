import { SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '@healthd/model';
import { z } from 'zod';
import { type Tally, VendorError, type VendorErrorCode } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';
import { zoneOf } from '../oauth.js';

/** The vendor's response for one day. */
export interface DayMetrics {
  /** Members of each metric, by its type in lower case. */
  metrics: ReadonlyMap<string, PayloadObject>;
  /** The user's current zone. It may have been different on the requested day. */
  timeZone: string | undefined;
}

/** Maximum number of metrics, about ten times the number of metric types that the vendor has. */
const MAX_METRICS = 500;

const CODES: Readonly<Record<number, VendorErrorCode>> = {
  401: 'unauthorized',
  403: 'scope_missing',
  404: 'not_found',
  429: 'rate_limited',
};

/**
 * Reads a day's metrics in all formats of the vendor: a list, a map of days, members in an object, below its `details`,
 * or next to the type.
 * @throws VendorError also for a failure with a successful status
 */
export function readMetrics(response: unknown, date: string, tally: Tally): DayMetrics {
  if (!isObject(response)) throw new VendorError({ code: 'invalid_answer', reason: 'data' });
  if (response.error !== null && response.error !== undefined) throw failureOf(response);
  const data = isObject(response.data) ? response.data : {};
  const days = isObject(data.metrics) ? data.metrics[date] : undefined;
  const list = Array.isArray(data.metric_data) ? data.metric_data : days;
  if (!Array.isArray(list) && !isObject(data.metrics))
    throw new VendorError({ code: 'invalid_answer', reason: 'data' });
  const metrics = new Map<string, PayloadObject>();
  requireAtMost(MAX_METRICS, Array.isArray(list) ? list.length : 0);
  for (const metric of Array.isArray(list) ? list : []) {
    const type = isObject(metric) ? textOf(metric.type)?.toLowerCase() : undefined;
    if (!isObject(metric) || type === undefined) {
      tally.rejectUnreadable(tally.next(), 'type');
      continue;
    }
    const { type: _, object: metricObject, ...rest } = metric;
    const object = isObject(metricObject) ? metricObject : {};
    if (metricObject !== undefined && metricObject !== null && !isObject(metricObject))
      tally.rejectUnreadable(tally.next(), `${type}.object`);
    const details = isObject(object.details) ? object.details : {};
    metrics.set(type, { ...rest, ...object, ...details });
  }
  return { metrics, timeZone: zoneOf(data.latest_time_zone) };
}

function failureOf({ status }: PayloadObject): VendorError {
  const code = numberOf(status) ?? 500;
  return new VendorError({ code: CODES[code] ?? (code < 500 ? 'invalid_request' : 'unavailable'), status: code });
}

/** An amount. The vendor writes a plain number, or an object with one of these names. */
export const AMOUNT = z.object({
  value: z.number(),
  score: z.number(),
  celsius: z.number(),
  minutes: z.number(),
  percentage: z.number(),
});
/** A duration. The vendor writes a plain number or an object. Hours have `remaining_minutes`, `value` has `unit`. */
export const LENGTH = z.object({ seconds: z.number(), minutes: z.number(), hours: z.number(), value: z.number() });
const AMOUNTS = Object.keys(AMOUNT.shape);
const LENGTHS = Object.keys(LENGTH.shape);
/** Seconds per unit, by the unit names that the vendor writes. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  seconds: 1,
  min: SECONDS_PER_MINUTE,
  minutes: SECONDS_PER_MINUTE,
  h: SECONDS_PER_HOUR,
  hours: SECONDS_PER_HOUR,
};

/** Reads the vendor's amounts, plain or in an object. Counts unreadable amounts under their field. */
export class AmountReader {
  constructor(private readonly tally: Tally) {}

  /** Returns a plain number, or the number inside an object. */
  amount(value: unknown, field: string): number | undefined {
    const number = isObject(value) ? AMOUNTS.map((name) => numberOf(value[name])).find(isKnown) : numberOf(value);
    return this.counted(number, value, AMOUNTS, field);
  }

  /**
   * Returns a duration in seconds.
   * @param unit seconds in the unit of a plain number, and of a `value` without a unit
   */
  seconds(value: unknown, field: string, unit = SECONDS_PER_MINUTE): number | undefined {
    return this.counted(isObject(value) ? lengthOf(value, unit) : scaled(value, unit), value, LENGTHS, field);
  }

  /** Counts an unreadable value. */
  unreadable(field: string): void {
    this.tally.rejectUnreadable(this.tally.next(), field);
  }

  private counted(
    number: number | undefined,
    value: unknown,
    names: readonly string[],
    field: string,
  ): number | undefined {
    if (number === undefined && !isEmpty(value, names)) this.unreadable(field);
    return number;
  }
}

function isKnown(value: number | undefined): value is number {
  return value !== undefined;
}

/** Members with numbers that are not amounts. */
const NO_AMOUNTS: ReadonlySet<string> = new Set(['day_start_timestamp', 'timestamp', 'contributor']);

/** True if no value is present: null, a null amount, or an object without numbers other than {@link NO_AMOUNTS}. */
function isEmpty(value: unknown, names: readonly string[]): boolean {
  if (value === undefined || value === null) return true;
  if (!isObject(value)) return false;
  const named = names.map((name) => value[name]).filter((one) => one !== undefined);
  if (named.length > 0) return named.every((one) => one === null);
  return !Object.entries(value).some(([name, one]) => !NO_AMOUNTS.has(name) && numberOf(one) !== undefined);
}

/** Prefers seconds, because minutes are rounded. Hours have `remaining_minutes`. */
function lengthOf(length: PayloadObject, unit: number): number | undefined {
  const named = textOf(length.unit)?.toLowerCase();
  const hours = scaled(length.hours, SECONDS_PER_HOUR);
  return (
    numberOf(length.seconds) ??
    scaled(length.minutes, SECONDS_PER_MINUTE) ??
    (hours === undefined ? undefined : hours + (scaled(length.remaining_minutes, SECONDS_PER_MINUTE) ?? 0)) ??
    scaled(length.value, (named === undefined ? undefined : UNITS[named]) ?? unit)
  );
}

function scaled(value: unknown, unit: number): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : number * unit;
}
