import { randomUUID } from 'node:crypto';
import type { ConsentEnd } from '@healthd/contract';
import type {
  DeletedUserResponse,
  Erasure,
  UpdatedUserResponse,
  UserFields,
  UserListResponse,
  UserResponse,
} from '@healthd/schemas';
import type pg from 'pg';
import { isUniqueViolation, statement, takenColumns } from '../platform/database/index.js';
import { Failure } from '../platform/failures.js';
import type { ZoneChangePreview } from '../store/write/index.js';
import { type EraseUserData, eraseUser } from './erase-user.js';
import type { ErasureLedger } from './erasures/erasure-ledger.js';
import { erasureEntry } from './erasures/ledger-lines.js';
import { readReceipt } from './erasures/receipts.js';
import { exportUser } from './export/index.js';
import { listUsers, type UserListQuery } from './list-users.js';
import { notifyUserErased, type UserErasedHook } from './on-user-erased.js';
import { daysMovedBy, requireStorableZone, setTimeZone } from './time-zone.js';
import { LAST_SYNC_JOIN, USER_COLUMNS, type UserRow, userResponse } from './user-rows.js';

export interface UsersOptions {
  pool: pg.Pool;
  eraseUserData: EraseUserData;
  /** Where erasures are written down outside the database. */
  ledger: ErasureLedger;
  /** Deletes files of the spool; a file that is not there is fine. */
  removeSpoolFiles?: (names: string[]) => Promise<void>;
  /** Removes what vendors delivered of erased users from files that hold data of several people. Never throws. */
  eraseDelivered?: () => Promise<void>;
  /** Called for a user who is about to be erased, to deregister them elsewhere; a failure is passed over. */
  onUserErased?: readonly UserErasedHook[];
  /** Called for a hook that failed or took too long. */
  onUserErasedFailure?: (error: unknown, userId: string) => void;
}

const KEY_BY_ID = statement('user-key-by-id', 'select user_key from health_user where id = $1');
const BY_ID = statement(
  'user-by-id',
  `select ${USER_COLUMNS}, last_synced_at, last_synced_provider from health_user u ${LAST_SYNC_JOIN} where u.id = $1`,
);

/** What is known of a user beside the time zone, which moves days. Fields of the API have the names of the columns. */
const PROFILE_COLUMNS = ['email', 'first_name', 'last_name', 'external_user_id'] as const;
const CREATE = `insert into health_user (id, ${PROFILE_COLUMNS.join(', ')}, time_zone) values ($1, $2, $3, $4, $5, $6)`;

const LEDGER_UNWRITTEN =
  'The user is erased, but the ledger of erasures in DATA_DIR could not be written. It is tried again every few minutes; until then a restored backup would bring the user back. ID of the erasure:';

/** User records: created, listed, changed, erased. */
export class Users {
  constructor(private readonly options: UsersOptions) {}

  /** The internal key of a user; undefined when there is no such user. */
  async find(id: string): Promise<{ id: string; userKey: number } | undefined> {
    const { rows } = await this.options.pool.query<{ user_key: number }>(KEY_BY_ID([id]));
    return rows[0] && { id, userKey: rows[0].user_key };
  }

  /** @throws Failure `conflict` for an external id that is taken */
  async create(fields: UserFields): Promise<UserResponse> {
    const { pool } = this.options;
    const timeZone = fields.time_zone ?? null;
    if (timeZone !== null) await requireStorableZone(pool, timeZone);
    const id = randomUUID();
    const values = [...PROFILE_COLUMNS.map((column) => fields[column] ?? null), timeZone];
    await rejectTaken(pool.query(CREATE, [id, ...values]));
    return this.show(id);
  }

  list(query: UserListQuery): Promise<UserListResponse> {
    return listUsers(this.options.pool, query);
  }

  /** @throws Failure `not_found` */
  async show(id: string): Promise<UserResponse> {
    const { rows } = await this.options.pool.query<UserRow>(BY_ID([id]));
    if (!rows[0]) throw unknownUser(id);
    return userResponse(rows[0]);
  }

  /**
   * Changes the fields that are there; null clears. Another time zone moves days, by a job.
   * @param dryRun changes nothing and says which days those would be
   * @throws Failure `not_found`, `conflict`, `unprocessable`
   */
  async update(
    user: { id: string; userKey: number },
    fields: UserFields,
    dryRun = false,
  ): Promise<UpdatedUserResponse> {
    const { pool } = this.options;
    const zone = fields.time_zone;
    if (typeof zone === 'string') await requireStorableZone(pool, zone);
    const moved = zone === undefined ? undefined : await daysMovedBy(pool, user.userKey, zone);
    if (!dryRun) {
      await this.#updateProfile(user.id, fields);
      if (zone !== undefined) await setTimeZone(pool, user.userKey, zone);
    }
    return { ...(await this.show(user.id)), moved_days: moved ? movedDaysResponse(moved) : null };
  }

  async #updateProfile(id: string, fields: UserFields): Promise<void> {
    const given = PROFILE_COLUMNS.filter((column) => fields[column] !== undefined);
    if (given.length === 0) return;
    const assignments = given.map((column, index) => `${column} = $${index + 2}::text`).join(', ');
    const values = given.map((column) => fields[column]);
    // A later copy from another service leaves these columns alone.
    const changed = given.map(
      (column, index) => `case when ${column} is distinct from $${index + 2}::text then '${column}' end`,
    );
    const sql = `update health_user set ${assignments}, updated_at = now(), changed_here = case
      when changed_here is not null
      then array(select distinct unnest(changed_here || array_remove(array[${changed.join(', ')}], null)) order by 1) end
      where id = $1`;
    await rejectTaken(this.options.pool.query(sql, [id, ...values]));
  }

  /**
   * Erases the user and returns what the record was, once the erasure is in the ledger too, with the id of its receipt.
   * @param erasureId a new one, for the receipt
   * @throws Failure `not_found`, `unavailable` when the ledger could not be written
   */
  async erase(user: { id: string; userKey: number }, erasureId: string): Promise<DeletedUserResponse> {
    const last = await this.show(user.id);
    const { onUserErased = [], onUserErasedFailure, ledger } = this.options;
    const consents = new Map<string, ConsentEnd>();
    await notifyUserErased(
      onUserErased,
      user,
      (error) => onUserErasedFailure?.(error, user.id),
      (connectionId, end) => consents.set(connectionId, end),
    );
    const entry = erasureEntry(user.id, await ledger.entryKey(), new Date());
    const receipt = { id: erasureId, entry, consents };
    const files = await eraseUser(this.options.pool, this.options.eraseUserData, user, receipt);
    if (!files) throw unknownUser(user.id);
    if (files.length > 0) await this.options.removeSpoolFiles?.(files);
    await this.options.eraseDelivered?.();
    await ledger.append([entry]).catch((cause: unknown) => {
      throw new Failure('unavailable', `${LEDGER_UNWRITTEN} ${erasureId}`, { cause });
    });
    return { ...last, erasure_id: erasureId };
  }

  /** How much an erasure took away. @throws Failure `not_found` */
  receipt(erasureId: string): Promise<Erasure> {
    return readReceipt(this.options.pool, erasureId);
  }

  /**
   * Everything held about the user, as the bytes of a zip archive.
   * @param attribution texts that vendors demand beside their data, by provider
   */
  export(
    user: { id: string; userKey: number },
    attribution: ReadonlyMap<string, string> = new Map(),
  ): AsyncIterable<Uint8Array> {
    return exportUser(this.options.pool, user, attribution);
  }
}

function movedDaysResponse({ count, firstDate, lastDate }: ZoneChangePreview): UpdatedUserResponse['moved_days'] {
  return { count, first_date: firstDate ?? null, last_date: lastDate ?? null };
}

async function rejectTaken(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // The driver's error quotes the value, so it does not become the cause: causes are logged.
    throw new Failure('conflict', `A user with this ${takenColumns(error) ?? 'key'} exists.`);
  }
}

function unknownUser(id: string): Failure {
  return new Failure('not_found', `User with ID: ${id} not found.`);
}
