import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';

// Replacements that make every recording equal and remove working secrets.

/** The apparent recording time of all examples. */
const MOMENT_MS = Date.parse('2026-03-12T09:00:00Z');
const GRAIN_MS = 10 * MS_PER_MINUTE;
/** Age limit of replaced times. Older times belong to simulated data and are fixed. */
const RECENT_MS = 30 * MS_PER_DAY;

const SECRETS = /^(access_token|refresh_token|token|app_secret|app_id|\w*_cursor|nextPageToken|\w*password)$/;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const RUN_ID = /\b([a-z]+)_[0-9a-f]{16}\b/g;
const WEB_TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const PARAMETER = /([?&](?:state|code|code_challenge|nonce)=)[^&]+/g;
const INSTANT = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)/g;
/** Times in sentences, in the user's time zone: `Thu 12 Mar 2026, 09:40`. */
const WRITTEN = /\b[A-Z][a-z]{2} (\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d)\b/g;
const DAY = /\b\d{4}-\d\d-\d\d\b(?!T)/g;
const LINK_TOKEN = /\bcl-[\w-]{43}/g;
const HASH = /\b[0-9a-f]{40,}\b/g;
const ACCOUNT = /\b\d{15,}\b/g;
const LOOPBACK = /\b127\.0\.0\.1\b/g;
const EVENT_NUMBER = /^id: \d+$/m;
const RANDOM = /^(?=.*\d)[\w-]{32,}$/;
/**
 * Replacements for values that differ between recordings, such as durations, sizes, versions and random IDs, by field
 * name.
 */
const MEASURED: Readonly<Record<string, number | string>> = {
  seconds: 1.5,
  records_per_second: 2000,
  live_data_span_days: 3,
  other_tables_bytes: 2_621_440,
  other_tables_pretty: '2.50 MB',
  total_bytes: 2_818_048,
  total_pretty: '2.69 MB',
  database_clock_ahead_seconds: 0.001,
  free_bytes: 20_000_000_000,
  capacity_bytes: 50_000_000_000,
  node_version: '20.20.2',
  postgres_version: '18.4',
  key_id: '1a2b3c4d',
};
/** Replacement for the number of an audit record. The real number depends on how often the recording polled a run. */
const RECORD_NUMBER = 105;
const MEASURED_IN_TEXT = /"(seconds|records_per_second)":[\d.]+/g;

export interface MadeUpOptions {
  /** URLs of this recording and their replacements. */
  origins: Readonly<Record<string, string>>;
  /** Time of the recording. */
  nowMs: number;
}

/** Replaces IDs, times, tokens and URLs in an example. Numbers IDs in the order in which they appear. */
export function madeUp(example: unknown, { origins, nowMs }: MadeUpOptions): unknown {
  const ids = new Map<string, number>();
  const numberOf = (id: string) => {
    const number = ids.get(id) ?? ids.size + 1;
    ids.set(id, number);
    return String(number);
  };
  const text = (name: string, value: string): string => {
    if (value.startsWith('hd_example')) return value;
    if (SECRETS.test(name) || (name === 'key' && value.startsWith('sk-'))) return `hd_example_${name}`;
    if (name === 'code' && /^[A-Z2-9]{8}$/.test(value)) return 'EXAMPLE2';
    if (name === 'last_four') return '0000';
    const known = Object.entries(origins).reduce(
      (all, [origin, other]) =>
        all.replaceAll(origin, other).replaceAll(encodeURIComponent(origin), encodeURIComponent(other)),
      value,
    );
    const named = known
      .replaceAll(UUID, (id) => `00000000-0000-4000-8000-${numberOf(id.toLowerCase()).padStart(12, '0')}`)
      .replaceAll(RUN_ID, (id, kind: string) => `${kind}_${numberOf(id).padStart(16, '0')}`)
      .replaceAll(LINK_TOKEN, 'hd_example_link')
      .replaceAll(WEB_TOKEN, 'hd_example_token')
      .replaceAll(PARAMETER, '$1hd_example')
      .replaceAll(HASH, 'hd_example_hash')
      .replaceAll(ACCOUNT, '100000000000001')
      .replaceAll(LOOPBACK, '192.0.2.1')
      .replace(EVENT_NUMBER, 'id: 8')
      .replaceAll(MEASURED_IN_TEXT, (_all, measured: string) => `"${measured}":${MEASURED[measured]}`);
    if (RANDOM.test(named) && !/^(?:00000000-|[a-z]+_0000)/.test(named)) return `hd_example_${name}`;
    return named
      .replaceAll(INSTANT, (instant, wall: string, zone: string) => movedInstant(instant, wall, zone, nowMs))
      .replaceAll(WRITTEN, (written, wall: string) => movedWriting(written, wall, nowMs))
      .replaceAll(DAY, (day) => movedDay(day, nowMs));
  };
  const replaced = (name: string, value: unknown): unknown => {
    if (name === 'id' && typeof value === 'number') return RECORD_NUMBER;
    if (typeof value === 'number' || typeof value === 'string') {
      return MEASURED[name] ?? (typeof value === 'string' ? text(name, value) : value);
    }
    if (Array.isArray(value)) return value.map((item) => replaced(name, item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text('', key), replaced(key, inner)]));
  };
  return replaced('', example);
}

/** Moves an instant near the recording to the apparent recording time. Returns other instants unchanged. */
function movedInstant(instant: string, wall: string, zone: string, nowMs: number): string {
  const sinceMs = Date.parse(instant) - nowMs;
  if (sinceMs < -RECENT_MS) return instant;
  const offsetMs = Date.parse(`${wall}Z`) - Date.parse(instant);
  const movedMs = MOMENT_MS + Math.round(sinceMs / GRAIN_MS) * GRAIN_MS;
  return `${new Date(movedMs + offsetMs).toISOString().slice(0, 19)}${zone}`;
}

/** Moves an instant in a sentence like `movedInstant`. The text has no offset, so its local time is treated as UTC. */
function movedWriting(written: string, wall: string, nowMs: number): string {
  const sinceMs = Date.parse(`${wall} UTC`) - nowMs;
  if (sinceMs < -RECENT_MS) return written;
  const moved = new Date(MOMENT_MS + Math.round(sinceMs / GRAIN_MS) * GRAIN_MS);
  const [, weekday, day, month, year, time = ''] = /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(moved.toUTCString()) ?? [];
  return `${weekday} ${Number(day)} ${month} ${year}, ${time.slice(0, 5)}`;
}

function movedDay(day: string, nowMs: number): string {
  const days = Math.round((Date.parse(`${day}T12:00:00Z`) - nowMs) / MS_PER_DAY);
  if (days * MS_PER_DAY < -RECENT_MS || Number.isNaN(days)) return day;
  return new Date(MOMENT_MS + days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Maximum length of a list's first item in characters. A list with a longer first item is shortened to this item. */
const LONG_ITEM = 700;

/** Returns a copy with shortened lists. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.slice(0, 2).map(shortened);
    return JSON.stringify(items[0] ?? null).length > LONG_ITEM ? items.slice(0, 1) : items;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}
