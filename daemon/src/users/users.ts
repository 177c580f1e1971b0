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
  /** Erasure ledger, which is outside the database. */
  ledger: ErasureLedger;
  /** Deletes spool files; ignores missing files. */
  removeSpoolFiles?: (names: string[]) => Promise<void>;
  /** Removes erased users' data from vendor deliveries that contain data of several users. Never throws. */
  eraseDelivered?: () => Promise<void>;
  /** Hooks that are called before a user is erased, to deregister the user elsewhere. Failures are ignored. */
  onUserErased?: readonly UserErasedHook[];
  /** Called for a hook that failed or took too long. */
  onUserErasedFailure?: (error: unknown, userId: string) => void;
}

const KEY_BY_ID = statement('user-key-by-id', 'select user_key from health_user where id = $1');
const BY_ID = statement(
  'user-by-id',
  `select ${USER_COLUMNS}, last_synced_at, last_synced_provider from health_user u ${LAST_SYNC_JOIN} where u.id = $1`,
);

/** A user's fields except the time zone, whose change moves days. The API fields have the names of the columns. */
const PROFILE_COLUMNS = ['email', 'first_name', 'last_name', 'external_user_id'] as const;
const CREATE = `insert into health_user (id, ${PROFILE_COLUMNS.join(', ')}, time_zone) values ($1, $2, $3, $4, $5, $6)`;

const LEDGER_UNWRITTEN =
  'The user is erased, but the erasure ledger in DATA_DIR could not be written. The service retries every few minutes. Until then, restoring a backup would restore the user. ID of the erasure:';

/** User records: create, list, change, erase. */
export class Users {
  constructor(private readonly options: UsersOptions) {}

  /** Returns a user's reference; undefined if the user does not exist. */
  async find(id: string): Promise<{ id: string; userKey: number } | undefined> {
    const { rows } = await this.options.pool.query<{ user_key: number }>(KEY_BY_ID([id]));
    return rows[0] && { id, userKey: rows[0].user_key };
  }

  /** @throws Failure `conflict` for an external ID that is in use */
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
   * Changes the provided fields; null clears a field. After a change of the time zone, a job moves days.
   * @param dryRun true to change nothing and return the days that would move
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
    const changedColumns = PROFILE_COLUMNS.filter((column) => fields[column] !== undefined);
    if (changedColumns.length === 0) return;
    const assignments = changedColumns.map((column, index) => `${column} = $${index + 2}::text`).join(', ');
    const values = changedColumns.map((column) => fields[column]);
    // Records the changed columns. A later migration from another service does not overwrite them.
    const changed = changedColumns.map(
      (column, index) => `case when ${column} is distinct from $${index + 2}::text then '${column}' end`,
    );
    const sql = `update health_user set ${assignments}, updated_at = now(), changed_here = case
      when changed_here is not null
      then array(select distinct unnest(changed_here || array_remove(array[${changed.join(', ')}], null)) order by 1) end
      where id = $1`;
    await rejectTaken(this.options.pool.query(sql, [id, ...values]));
  }

  /**
   * Erases the user. Resolves once the erasure is also in the ledger, with the user's last record and the receipt's ID.
   * @param erasureId a new ID for the receipt
   * @throws Failure `not_found`, `unavailable` if the ledger could not be written
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

  /** Returns the receipt of an erasure. @throws Failure `not_found` */
  receipt(erasureId: string): Promise<Erasure> {
    return readReceipt(this.options.pool, erasureId);
  }

  /**
   * Streams all data of the user as a zip archive.
   * @param attribution texts that vendors require with their data, by provider
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
    // Omits the driver's error as the cause, because causes are logged and this error quotes the value.
    throw new Failure('conflict', `A user with this ${takenColumns(error) ?? 'key'} already exists.`);
  }
}

function unknownUser(id: string): Failure {
  return new Failure('not_found', `User with ID: ${id} not found.`);
}
