import { MS_PER_DAY, SECONDS_PER_DAY } from '@healthd/model';
import type { Answer } from '../answer.js';
import type { Account } from './account.js';
import { refused } from './refused.js';
import type { Service } from './service.js';
import { type GarminItem, keyOfSegment, permissionOf, type SummaryKey, secondsOf } from './wire-types.js';

const DAYS_BACK = 30;
const LONGEST_DAYS = 30;
/** Tolerance for a minute between two requests near the limit. */
const GRACE_SECONDS = 60;

/** Handles the request for a window of history: accepts it once, rejects it the second time. */
export function requestExport(service: Service, account: Account, segment: string, query: URLSearchParams): Answer {
  const key = keyOfSegment(segment);
  if (key === undefined) return refused(404, 'Not found');
  const fromSeconds = Number(query.get('summaryStartTimeInSeconds') ?? Number.NaN);
  const toSeconds = Number(query.get('summaryEndTimeInSeconds') ?? Number.NaN);
  if (!Number.isInteger(fromSeconds) || !Number.isInteger(toSeconds) || toSeconds <= fromSeconds) {
    return refused(400, 'Invalid start or end time');
  }
  if (!account.permissions.includes('HISTORICAL_DATA_EXPORT') || !account.permissions.includes(permissionOf(key))) {
    return refused(412, 'User has not granted permission HISTORICAL_DATA_EXPORT');
  }
  if (service.disabledKeys.has(key)) return refused(400, `Endpoint not enabled for summary type: ${segment}`);
  const days = (toSeconds - fromSeconds) / SECONDS_PER_DAY;
  if (days > LONGEST_DAYS) return refused(400, 'Time range exceeds the maximum of 30 days');
  const earliestMs = (account.connectedMs ?? service.clock.nowMs()) - DAYS_BACK * MS_PER_DAY;
  if (fromSeconds < earliestMs / 1000 - GRACE_SECONDS) {
    return refused(400, `start date before min start time of ${new Date(earliestMs).toISOString()}`);
  }
  if (isDuplicate(account, { key, fromSeconds, toSeconds })) return refused(409, 'Duplicate backfill detected');
  if (!service.exportDays.take(days)) return refused(429, 'Too many days requested');
  account.exported.push({ key, fromSeconds, toSeconds });
  const dueMs = service.clock.nowMs() + service.exportDelaySeconds * 1000;
  service.exports.push({ account: account.facts.id, key, fromSeconds, toSeconds, dueMs });
  if (service.exportDelaySeconds === 0) setImmediate(() => runExports(service));
  return { status: 202, headers: {}, body: '' };
}

function isDuplicate(
  { exported }: Account,
  wanted: { key: SummaryKey; fromSeconds: number; toSeconds: number },
): boolean {
  return exported.some(
    ({ key, fromSeconds, toSeconds }) =>
      key === wanted.key && fromSeconds <= wanted.fromSeconds && toSeconds >= wanted.toSeconds,
  );
}

/** Sends the exports that are due, or all. @returns their number */
export function runExports(service: Service, { all = false } = {}): number {
  const nowMs = service.clock.nowMs();
  const due = service.exports.filter(({ dueMs }) => all || dueMs <= nowMs);
  service.exports = service.exports.filter((one) => !due.includes(one));
  for (const { account: id, key, fromSeconds, toSeconds } of due) {
    const account = service.account(id);
    if (!account) continue;
    const items = account.items(key).filter((item) => isWithin(item, fromSeconds, toSeconds));
    service.publish(account, { [key]: items });
  }
  return due.length;
}

function isWithin(item: GarminItem, fromSeconds: number, toSeconds: number): boolean {
  const at = secondsOf(item);
  return at >= fromSeconds && at < toSeconds;
}
