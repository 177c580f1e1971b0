import { MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Instant. UTC if it has no offset, as in the service. */
const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?$/i;
const AGO = /^(\d{1,5})([dw])$/;

/** Range for the service as two instants; the end is exclusive. */
export interface Bounds {
  start: string;
  end: string;
}

/** Time zone that defines the days. */
interface DayClock {
  /** Returns the start of a day. Days are counted from 1970. */
  midnight(day: number): string;
  /** Returns the day of an instant. Days are counted from 1970. */
  dayAt(ms: number): number;
}

const UTC_CLOCK: DayClock = {
  midnight: (day) => isoText(new Date(day * MS_PER_DAY)),
  dayAt: (ms) => Math.floor(ms / MS_PER_DAY),
};

/** The reader's time zone. */
const LOCAL_CLOCK: DayClock = {
  midnight(day) {
    const date = new Date(day * MS_PER_DAY);
    const local = new Date(2000, 0, 1);
    local.setFullYear(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    return isoText(local);
  },
  dayAt: (ms) => dayNumber(localDay(new Date(ms))),
};

/**
 * Reads `--from` and `--to`, both inclusive. `14d` means the fourteen days that end with `--to`, and `2w` means two
 * weeks. Returns full instants unchanged.
 * @param today default of `--to`, `YYYY-MM-DD`
 * @param clock clock that decides when days start; the service reads health dates as UTC days
 * @throws CliError `bad_date`, `bad_range`
 */
export function parseBounds(from: string, to: string | undefined, today: string, clock = UTC_CLOCK): Bounds {
  const lastDay = dayOf(to ?? 'today', today);
  const end = lastDay === undefined ? instantOf(to ?? '') : clock.midnight(lastDay + 1);
  const ago = AGO.exec(from);
  const anchor = lastDay ?? clock.dayAt(Date.parse(end));
  const firstDay = ago ? anchor - Number(ago[1]) * (ago[2] === 'w' ? 7 : 1) + 1 : dayOf(from, today);
  const start = firstDay === undefined ? instantOf(from) : clock.midnight(firstDay);
  if (Date.parse(start) >= Date.parse(end)) {
    throw new CliError('bad_range', `--from ${from} is not before the end of --to ${to ?? 'today'}.`, {
      exitCode: EXIT.usage,
    });
  }
  return { start, end };
}

/** Formats a range by its first and last day, or by instants if it does not consist of whole days. */
export function rangeText({ start, end }: Bounds): string {
  const isDays = [start, end].every((text) => text.endsWith('T00:00:00Z'));
  if (!isDays) return `from ${start} to ${end}`;
  const last = new Date(Date.parse(end) - MS_PER_DAY).toISOString();
  return `from ${start.slice(0, 10)} to ${last.slice(0, 10)}`;
}

/**
 * Returns the bounds of service events. Omits both bounds without options, and `from` if only `to` is set. Uses the
 * reader's local days, like tables do, or UTC days.
 */
export function optionalBounds(
  { from, to }: { from?: string; to?: string },
  { utc = false, nowMs = Date.now() }: { utc?: boolean; nowMs?: number } = {},
): { from?: string; to?: string } {
  if (from === undefined && to === undefined) return {};
  const clock = utc ? UTC_CLOCK : LOCAL_CLOCK;
  const today = dayText(clock.dayAt(nowMs));
  const { start, end } = parseBounds(from ?? '1970-01-01', to, today, clock);
  return { from: start, to: end };
}

/**
 * Reads `--since`: an instant, a day of UTC, or days back from today.
 * @returns seconds since 1970
 * @throws CliError `bad_date`
 */
export function sinceSeconds(since: string, now = new Date()): number {
  const day = dayOf(since, now.toISOString().slice(0, 10));
  return Math.floor(Date.parse(day === undefined ? instantOf(since) : UTC_CLOCK.midnight(day)) / MS_PER_SECOND);
}

/** Returns the later of the local day and the UTC day, so the newest measurements are always included. */
export function newestDay(now: Date): string {
  const local = localDay(now);
  const utc = now.toISOString().slice(0, 10);
  const [, later = utc] = [local, utc].toSorted();
  return later;
}

function localDay(moment: Date): string {
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** Returns days since 1970. Undefined if the text is not a day. */
function dayOf(text: string, today: string): number | undefined {
  if (text === 'today') return dayNumber(today);
  if (text === 'yesterday') return dayNumber(today) - 1;
  const ago = AGO.exec(text);
  if (ago) return dayNumber(today) - Number(ago[1]) * (ago[2] === 'w' ? 7 : 1);
  return DAY.test(text) ? dayNumber(text) : undefined;
}

function dayNumber(day: string): number {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) throw badDate(day);
  return ms / MS_PER_DAY;
}

function dayText(day: number): string {
  return isoText(new Date(day * MS_PER_DAY)).slice(0, 10);
}

function isoText(moment: Date): string {
  return moment.toISOString().replace('.000Z', 'Z');
}

function instantOf(text: string): string {
  const [, date, time, offset] = INSTANT.exec(text) ?? [];
  const instant = `${date}T${time}${offset ?? 'Z'}`;
  if (Number.isNaN(Date.parse(instant))) throw badDate(text);
  return instant;
}

function badDate(text: string): CliError {
  return new CliError('bad_date', `${text || 'Empty text'} is not a date.`, {
    hint: 'Enter a day like 2026-01-31, today, yesterday or 14d, or an instant like 2026-01-31T08:00:00Z.',
    exitCode: EXIT.usage,
  });
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
