import { createHash } from 'node:crypto';
import type { Change } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../platform/database/index.js';
import { Failure, unprocessable } from '../platform/failures.js';

/** A page of the feed. */
export interface ChangePage {
  items: Change[];
  /** Continues after the page. */
  cursor: string;
  hasMore: boolean;
}

export interface FeedQuery {
  cursor: string | undefined;
  kinds: readonly string[] | undefined;
  /** Limits the feed to one user. */
  userKey: number | undefined;
  limit: number;
}

const EXPIRED =
  'The cursor is older than the stored changes, or the service was restored from a backup. Copy the data again, then read the feed without a cursor.';

/** Kinds with an index, because they have few entries. Excludes runs, which are as numerous as data changes. */
const EVENT_KINDS: readonly string[] = ['selection', 'user', 'connection'];

/**
 * Maximum number of entries that a filter by kind reads for one page. A page may therefore be empty although more pages
 * follow.
 */
const SCANNED_AT_ONCE = 20_000;

/**
 * Reads the feed of all users after a cursor, in order of ordinals. Without a cursor, starts with the oldest stored
 * entry and omits earlier erasures, because a new reader never had the data of the erased users.
 * @throws Failure `gone` for a cursor that does not fit the stored entries, `conflict` if the feed is off,
 * `unprocessable`
 */
export async function readFeed(pool: pg.Pool, { cursor, kinds, userKey, limit }: FeedQuery): Promise<ChangePage> {
  const from = cursor === undefined ? undefined : parseCursor(cursor, 'o');
  const common = [from?.number ?? null, limit, from?.began ?? null];
  const isOfEvents = kinds?.every((kind) => EVENT_KINDS.includes(kind)) ?? false;
  const page =
    userKey !== undefined
      ? USER_FEED_PAGE([...common, kinds ?? null, userKey])
      : kinds === undefined
        ? FEED_PAGE(common)
        : kinds.every((kind) => kind === 'user')
          ? USERS_PAGE(common)
          : (isOfEvents ? EVENT_PAGE : KIND_PAGE)([...common, kinds]);
  const { rows } = await pool.query<PageRow>(page);
  const { epoch, last, deleted, events, entries } = stateOf(rows);
  if (from && (from.epoch !== epoch || from.number < deleted || from.number > last)) throw new Failure('gone', EXPIRED);
  const isScanned = userKey === undefined && kinds !== undefined && !isOfEvents;
  const end = isScanned ? Math.min(last, (from?.number ?? deleted) + SCANNED_AT_ONCE) : last;
  const number = entries.length === limit ? (entries.at(-1)?.ordinal as number) : end;
  const next = cursorText(epoch, 'o', number, `e${from ? from.began : events}`);
  return { items: entries.map(changeOf), cursor: next, hasMore: entries.length === limit || end < last };
}

/**
 * Reads the changes of one user's data after a cursor, in order of positions. In descending order, the list starts
 * with the newest change, and a cursor before the oldest stored change ends the list instead of failing.
 * @throws as {@link readFeed}
 */
export async function readUserChanges(
  pool: pg.Pool,
  userKey: number,
  { cursor, kinds, limit, order = 'asc' }: Omit<FeedQuery, 'userKey'> & { order?: 'asc' | 'desc' },
): Promise<ChangePage> {
  const from = cursor === undefined ? undefined : parseCursor(cursor, 'p');
  if (from && from.mark !== userMark(from.epoch, userKey)) {
    throw unprocessable(['query', 'after'], 'Not a cursor of this user', cursor);
  }
  const isAscending = order === 'asc';
  const page = isAscending ? USER_PAGE : NEWEST_USER_PAGE;
  const start = from?.number ?? (isAscending ? -1 : Number.MAX_SAFE_INTEGER);
  const { rows } = await pool.query<PageRow>(page([start, kinds ?? null, userKey, limit]));
  const { epoch, last, deleted, entries } = stateOf(rows);
  const oldest = isAscending ? deleted : 0;
  if (from && (from.epoch !== epoch || from.number < oldest || from.number > last)) throw new Failure('gone', EXPIRED);
  const hasMore = entries.length === limit;
  const number = hasMore ? (entries.at(-1)?.position as number) : isAscending ? last : 0;
  return { items: entries.map(changeOf), cursor: cursorText(epoch, 'p', number, userMark(epoch, userKey)), hasMore };
}

/** Newest position of a user, and the cursors from which the feeds continue. */
export interface FeedPosition {
  position: number;
  /**
   * Cursor of the feed of all users. Committed entries without an ordinal follow this cursor, although the data already
   * contains their changes.
   */
  cursor: string;
  /** Cursor of the user's feed. */
  after: string;
}

/** Reads the end of the feed for a copy of a user's data that starts now. @throws as {@link readFeed} */
export async function readPosition(pool: pg.Pool, userKey: number): Promise<FeedPosition> {
  const { rows } = await pool.query<{ epoch: string; is_on: boolean; last: number; events: number; position: number }>(
    `select epoch, is_on, last_ordinal as last, ${EVENTS} as events,
            coalesce((select position from user_state where user_key = $1), 0) as position
       from feed_state`,
    [userKey],
  );
  const { epoch, is_on: isOn, last, events, position } = rows[0] as (typeof rows)[number];
  if (!isOn) throw feedOffError();
  return {
    position,
    cursor: cursorText(epoch, 'o', last, `e${events}`),
    after: cursorText(epoch, 'p', position, userMark(epoch, userKey)),
  };
}

interface Entry {
  ordinal: number | null;
  position: number | null;
  user_id: string | null;
  at: Date;
  kind: Change['kind'];
  body: Omit<Change, 'position' | 'user_id' | 'at' | 'kind'> & { user_id?: string };
}

/** State of the feed, joined with at most one entry. */
interface PageRow extends Entry {
  epoch: string;
  is_on: boolean;
  last: number;
  deleted: number;
  events: number;
}

/** SQL of entries about erased users. */
const IS_TOMBSTONE = `(kind = 'user' and body ->> 'action' = 'deleted')`;

const ENTRY = `c.ordinal, case when c.is_data then c.number end as position, u.id as user_id, c.at, c.kind, c.body`;

/**
 * Number of the newest committed event without a user. Erasures are events without a user. Each erasure locks the
 * counter, so exactly the erasures up to this number are committed. Some of these erasures may have no ordinal yet.
 */
const EVENTS = '(select coalesce(max(number), 0) from user_events where user_key = 0)';

/**
 * Ordinal after which a page starts. Without a cursor, skips all entries before the last deleted entry, because cursors
 * to the skipped entries would be invalid.
 */
const START = 'coalesce($1::int8, state.deleted_ordinal)';

// Each filter has its own statement, so that a generic plan uses its index.
const FEED_PAGE = feedPage('feed-page', 'true');
const EVENT_PAGE = feedPage(
  'feed-event-page',
  `c.kind in (${EVENT_KINDS.map((kind) => `'${kind}'`).join(', ')}) and c.kind = any ($4::text[])`,
);
/**
 * Entries about users have a longer retention than other entries. While an entry before the cursor is stored, no later
 * entry was deleted because of its age.
 */
const USERS_PAGE = feedPage(
  'feed-users-page',
  `c.kind in ('selection', 'user', 'connection') and c.kind = 'user'`,
  `case when exists (select from change where kind in ('selection', 'user', 'connection') and kind = 'user' and ordinal <= $1::int8)
        then 0 else state.deleted_ordinal end`,
);
const KIND_PAGE = feedPage(
  'feed-kind-page',
  `c.kind = any ($4::text[]) and c.ordinal <= ${START} + ${SCANNED_AT_ONCE}`,
);
const USER_FEED_PAGE = feedPage(
  'feed-page-of-user',
  'c.user_key = $5 and ($4::text[] is null or c.kind = any ($4::text[]))',
);

/**
 * Parameters: last ordinal that was read; limit; number of the event up to which erasures are omitted, null for all
 * committed erasures. Reads the state together with the page, so that the cursor after the last entry skips nothing.
 */
function feedPage(name: string, condition: string, deleted = 'state.deleted_ordinal') {
  return statement(
    name,
    `select state.epoch, state.is_on, state.last_ordinal as last, ${deleted} as deleted, state.events, entry.*
       from (select *, ${EVENTS} as events from feed_state) state
       left join lateral (
         select ${ENTRY} from change c left join health_user u using (user_key)
          where c.ordinal > ${START} and (c.is_data or not ${IS_TOMBSTONE} or c.number > coalesce($3::int8, state.events)) and ${condition}
          order by c.ordinal limit $2) entry on true
      order by entry.ordinal`,
  );
}

const USER_PAGE = userPage('feed-user-page', '>', 'asc');
const NEWEST_USER_PAGE = userPage('feed-newest-user-page', '<', 'desc');

/**
 * Returns the statement for a page of one user's changes. Positions have no gaps, so the first stored position shows
 * which entries were deleted.
 */
function userPage(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `select state.epoch, state.is_on, coalesce(own.position, 0) as last,
            coalesce((select min(number) - 1 from change where user_key = $3 and is_data), own.position, 0) as deleted, entry.*
       from feed_state state
       left join user_state own on own.user_key = $3
       left join lateral (
         select ${ENTRY} from change c left join health_user u using (user_key)
          where c.user_key = $3 and c.is_data and c.number ${after} $1 and ($2::text[] is null or c.kind = any ($2))
          order by c.number ${order} limit $4) entry on true
      order by entry.position ${order}`,
  );
}

function stateOf(rows: readonly PageRow[]) {
  const state = rows[0] as PageRow;
  if (!state.is_on) throw feedOffError();
  return { ...state, entries: rows.filter(({ kind }) => kind !== null) };
}

function feedOffError(): Failure {
  return new Failure('conflict', 'The feed is off. Set FEED=on and restart the service.');
}

function changeOf({ position, user_id, at, kind, body }: Entry): Change {
  return { position, user_id, at: at.toISOString(), kind, ...body };
}

/**
 * @param of `o` for an ordinal, `p` for a position of one user
 * @param end suffix of the cursor. For an ordinal: `e` and the number of the newest event without a user at the time
 * when the reader started, because the feed omits earlier erasures. For a position: {@link userMark}
 */
function cursorText(epoch: string, of: 'o' | 'p', number: number, end: string): string {
  return Buffer.from(`${of}${number}.${epoch}.${end}`).toString('base64url');
}

/** Returns the mark in one user's cursors. Without it, another user's cursor would skip changes without an error. */
function userMark(epoch: string, userKey: number): string {
  return `u${createHash('sha256').update(`${epoch} ${userKey}`).digest('hex').slice(0, 8)}`;
}

const CURSOR = /^([op])(0|[1-9]\d{0,14})\.([0-9a-f-]{36})(?:\.e(0|[1-9]\d{0,14})|\.(u[0-9a-f]{8}))?$/;

function parseCursor(
  text: string,
  of: 'o' | 'p',
): { epoch: string; number: number; began: number; mark: string | undefined } {
  const [, kind, number, epoch, began = 0, mark] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (kind !== of) throw unprocessable(['query', of === 'o' ? 'cursor' : 'after'], 'Not a cursor of this feed', text);
  return { epoch: epoch as string, number: Number(number), began: Number(began), mark };
}
