import { Option } from 'commander';

const INSTANT = 'an instant, in UTC unless it has an offset';
const DATA_FROM = `first day: 2026-01-31, yesterday, 14d (the last 14 days, today included), 2w; or ${INSTANT}`;
const TO = `last day, included; or ${INSTANT}, not included (default: today)`;

/** `--from` of commands on health data, whose days are the service's. */
export function dataFrom(fallback: string): Option {
  return new Option('--from <date>', DATA_FROM).default(fallback);
}

/** The same where everything is read without it. */
export function optionalDataFrom(): Option {
  return new Option('--from <date>', `${DATA_FROM} (default: the first with data)`);
}

/** `--from` of commands on what happened in the service, whose days are the reader's. */
export function activityFrom(): Option {
  const text = `first day on your clock, with --utc that of UTC, e.g. 2026-01-31, yesterday, 14d; or ${INSTANT}`;
  return new Option('--from <date>', text);
}

/** `--to` beside any of these. */
export function toOption(): Option {
  return new Option('--to <date>', TO);
}
