import { VendorError, type VendorErrorCode } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../device-push/index.js';
import { zoneOf } from '../user-info.js';

/** What an answer holds of one day. */
export interface DayMetrics {
  /** Members of each metric, by its type in lower case. */
  metrics: ReadonlyMap<string, PayloadObject>;
  /** Where the person is now. */
  timeZone: string | undefined;
}

const CODES: Readonly<Record<number, VendorErrorCode>> = {
  401: 'unauthorized',
  403: 'scope_missing',
  404: 'not_found',
  429: 'rate_limited',
};

/**
 * The metrics of a day in any of the vendor's forms: a list, a map of days, members in an object, below its `details`, or
 * beside the type.
 * @throws VendorError also for a failure that comes with a good status
 */
export function readMetrics(answer: unknown, date: string): DayMetrics {
  if (!isObject(answer)) throw new VendorError({ code: 'invalid_answer', reason: 'data' });
  if (answer.error !== null && answer.error !== undefined) throw failureOf(answer);
  const data = isObject(answer.data) ? answer.data : {};
  const days = isObject(data.metrics) ? data.metrics[date] : undefined;
  const list = Array.isArray(data.metric_data) ? data.metric_data : days;
  if (!Array.isArray(list) && !isObject(data.metrics))
    throw new VendorError({ code: 'invalid_answer', reason: 'data' });
  const metrics = new Map<string, PayloadObject>();
  for (const metric of Array.isArray(list) ? list : []) {
    if (!isObject(metric) || typeof metric.type !== 'string') continue;
    const object = isObject(metric.object) ? metric.object : {};
    const details = isObject(object.details) ? object.details : {};
    metrics.set(metric.type.toLowerCase(), { ...metric, ...object, ...details });
  }
  return { metrics, timeZone: zoneOf(data.latest_time_zone) };
}

function failureOf({ status }: PayloadObject): VendorError {
  const code = numberOf(status) ?? 500;
  return new VendorError({ code: CODES[code] ?? (code < 500 ? 'invalid_request' : 'unavailable'), status: code });
}

/** A number, or the one in an object around it under any of its names. */
export function amountOf(value: unknown): number | undefined {
  if (!isObject(value)) return numberOf(value);
  const { value: plain, score, celsius, minutes, percentage } = value;
  return [plain, score, celsius, minutes, percentage].map(numberOf).find((one) => one !== undefined);
}
