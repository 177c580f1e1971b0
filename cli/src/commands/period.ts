import { Option } from 'commander';

const INSTANT = 'an instant (UTC if it has no offset)';
const DATA_FROM = `first day: 2026-01-31, yesterday, 14d (the last 14 days including today), 2w; or ${INSTANT}`;
const TO = `last day (inclusive) or ${INSTANT} (exclusive) (default: today)`;

/** `--from` of commands on health data, in the service's days. */
export function dataFrom(fallback: string): Option {
  return new Option('--from <date>', DATA_FROM).default(fallback);
}

/** Optional `--from` of commands on health data. */
export function optionalDataFrom(): Option {
  return new Option('--from <date>', `${DATA_FROM} (default: the first day with data)`);
}

/** `--from` of commands on service activity, in the reader's days. */
export function activityFrom(): Option {
  const text = `first day in your time zone (in UTC with --utc), e.g. 2026-01-31, yesterday, 14d; or ${INSTANT}`;
  return new Option('--from <date>', text);
}

/** `--to`, for every command that has `--from`. */
export function toOption(): Option {
  return new Option('--to <date>', TO);
}
