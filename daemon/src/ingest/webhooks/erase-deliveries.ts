import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { PROVIDER_IDS, type ProviderId } from '@healthd/model';
import type { DeliveryAdapter } from '@healthd/providers';
import type pg from 'pg';
import type { Cleaning } from '../../platform/cleaning.js';
import { writeWhole } from '../../platform/spool/index.js';
import { deliveryFiles, removeDelivery, replaceDeliveryFile, replacedFile, type StoredDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { readParts } from './read-part.js';

const EVERY_SECONDS = 600;

type Services = Pick<DeliveryServices, 'pool' | 'spool' | 'splitting' | 'cloudOf' | 'now'>;

/**
 * Records the vendor accounts of an erased user, so that the accounts' items are removed from the spool's files. Also
 * removes the accounts from the deliveries' lists of unmatched accounts. Keeps an account that another user is
 * connected to. Call before the connections and sources are deleted, because sources contain the accounts that the user
 * replaced.
 */
export async function recordErasedAccounts(client: pg.ClientBase, userKey: number): Promise<void> {
  const { rows } = await client.query<{ provider: ProviderId; account: string }>(
    `with own as (
       select provider, provider_user_id as account from connection where user_key = $1
        union
       select provider, account from data_source where user_key = $1
        union
       select c.provider, s.account from webhook_delivery_share s join connection c on c.id = s.connection_id
        where c.user_key = $1)
     insert into delivery_erasure (provider, account, erased_at)
     select provider, account, now() from own
      where account is not null
        and exists (select from webhook_delivery d where d.provider = own.provider and d.file_deleted_at is null)
        and not exists (select from connection o
                         where o.provider = own.provider and o.provider_user_id = own.account and o.user_key <> $1
                           and o.status = 'active')
     on conflict (provider, account) do update set erased_at = excluded.erased_at
     returning provider, account`,
    [userKey],
  );
  for (const { provider, account } of rows) {
    await client.query(
      'update webhook_delivery set unmatched = array_remove(unmatched, $2) where provider = $1 and $2 = any (unmatched)',
      [provider, account],
    );
  }
}

/** Removes the items of erased accounts from all files of the spool. @returns the number of changed files */
export async function eraseDelivered(services: Services, signal?: AbortSignal): Promise<number> {
  const { pool } = services;
  let changed = 0;
  for (const provider of PROVIDER_IDS) {
    // Reads the time as text, because a Date would lose the microseconds that distinguish a later erasure.
    const { rows } = await pool.query<{ account: string; erased_at: string }>(
      'select account, erased_at::text from delivery_erasure where provider = $1',
      [provider],
    );
    const adapter = services.cloudOf(provider)?.deliveries;
    if (rows.length === 0 || !adapter) continue;
    const accounts = new Set(rows.map(({ account }) => account));
    for (const delivery of await deliveryFiles(pool, provider)) {
      signal?.throwIfAborted();
      if (await eraseFrom(services, adapter, delivery, accounts)) changed += 1;
    }
    await pool.query(
      `delete from delivery_erasure e using unnest($2::text[], $3::timestamptz[]) as done (account, erased_at)
        where e.provider = $1 and e.account = done.account and e.erased_at = done.erased_at`,
      [provider, rows.map(({ account }) => account), rows.map(({ erased_at }) => erased_at)],
    );
  }
  return changed;
}

/**
 * Removes the accounts' items from a delivery's file. If another erasure replaces the file concurrently, continues with
 * the new file, which still contains these items. @returns true if the file changed
 */
async function eraseFrom(
  services: Services,
  adapter: DeliveryAdapter,
  delivery: StoredDelivery,
  accounts: ReadonlySet<string>,
): Promise<boolean> {
  let current: StoredDelivery | undefined = delivery;
  while (current) {
    const outcome = await rewrite(services, adapter, current, accounts);
    if (outcome !== 'overtaken') return outcome === 'changed';
    current = await replacedFile(services.pool, current);
  }
  return false;
}

/** @returns `overtaken` if the file was deleted or replaced concurrently */
async function rewrite(
  services: Services,
  adapter: DeliveryAdapter,
  delivery: StoredDelivery,
  accounts: ReadonlySet<string>,
): Promise<'changed' | 'unchanged' | 'overtaken'> {
  const { spool } = services;
  try {
    if (!(await spool.has(delivery.spoolName))) return 'overtaken';
    return await (adapter.itemsOf ? removeMessage : replaceLists)(services, adapter, delivery, accounts);
  } catch (error) {
    if (await spool.has(delivery.spoolName)) throw error;
    return 'overtaken';
  }
}

/**
 * Removes a message that concerns one of the accounts. A message concerns one account, so its whole file is removed.
 */
async function removeMessage(
  { pool, spool, now }: Services,
  adapter: DeliveryAdapter,
  delivery: StoredDelivery,
  accounts: ReadonlySet<string>,
): Promise<'changed' | 'unchanged'> {
  const message = parsed(await readFile(spool.pathOf(delivery.spoolName), 'utf8'));
  if (!isAbout(adapter, message, accounts)) return 'unchanged';
  for (const name of await removeDelivery(pool, delivery.id, now())) await spool.remove(name);
  return 'changed';
}

async function replaceLists(
  services: Services,
  adapter: DeliveryAdapter,
  delivery: StoredDelivery,
  accounts: ReadonlySet<string>,
): Promise<'changed' | 'unchanged' | 'overtaken'> {
  const { pool, spool } = services;
  const spoolName = spool.nameOf(randomUUID());
  const handle = await spool.create(spoolName);
  try {
    const copy = new Copy(handle);
    const hasItems = await copyOthers(services, adapter, delivery, accounts, copy);
    const file = await copy.end();
    if (hasItems) await spool.sync();
    const isReplaced = hasItems && (await replaceDeliveryFile(pool, delivery, { spoolName, ...file }));
    await spool.remove(isReplaced ? delivery.spoolName : spoolName);
    if (isReplaced) return 'changed';
    return hasItems ? 'overtaken' : 'unchanged';
  } catch (error) {
    await spool.remove(spoolName);
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Copies a body without the items of some accounts. Writes `null` for each removed piece, because stored items are
 * identified by position. @returns true if an item was removed
 */
async function copyOthers(
  { spool, splitting }: Services,
  adapter: DeliveryAdapter,
  { spoolName }: StoredDelivery,
  accounts: ReadonlySet<string>,
  copy: Copy,
): Promise<boolean> {
  let hasItems = false;
  for await (const parts of splitting.parts(spool.pathOf(spoolName), adapter.maxItemBytes)) {
    for (const part of parts) {
      // Removes elements that are unreadable or not objects, because their account is unknown.
      if (part.oddItems !== undefined || part.fault !== undefined) {
        await copy.nothing(part.dataType, part.oddItems ?? 1);
        continue;
      }
      let pieces = 0;
      let isErased = false;
      for await (const { dataType, value } of readParts(adapter, part)) {
        pieces += 1;
        const item = adapter.classify(dataType, value);
        if ('account' in item && accounts.has(item.account)) isErased = true;
      }
      if (isErased) {
        hasItems = true;
        await copy.nothing(part.dataType, pieces);
      } else await copy.item(part.dataType, part.json);
    }
  }
  return hasItems;
}

function isAbout(adapter: DeliveryAdapter, message: unknown, accounts: ReadonlySet<string>): boolean {
  return (adapter.itemsOf?.(message) ?? []).some(({ dataType, item }) => {
    const about = adapter.classify(dataType, item);
    return 'account' in about && accounts.has(about.account);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const WRITTEN_AT_ONCE = 256 * 1024;

/** Writes a delivery body, an object of lists, to a file item by item. */
class Copy {
  private readonly hash = createHash('sha256');
  private dataType: string | undefined;
  private pieces: Buffer[] = [];
  private held = 0;
  private byteSize = 0;

  constructor(private readonly handle: FileHandle) {}

  async item(dataType: string, json: Buffer): Promise<void> {
    await this.write(this.before(dataType), json);
  }

  async nothing(dataType: string, items: number): Promise<void> {
    for (let done = 0; done < items; done++) await this.item(dataType, NULL);
  }

  async end(): Promise<{ byteSize: number; sha256: Buffer }> {
    await this.write(Buffer.from(this.dataType === undefined ? '{}' : ']}'));
    await this.flush();
    await this.handle.sync();
    return { byteSize: this.byteSize, sha256: this.hash.digest() };
  }

  private before(dataType: string): Buffer {
    const earlier = this.dataType;
    this.dataType = dataType;
    if (earlier === dataType) return Buffer.from(',');
    return Buffer.from(`${earlier === undefined ? '{' : '],'}${JSON.stringify(dataType)}:[`);
  }

  private async write(...pieces: Buffer[]): Promise<void> {
    for (const piece of pieces) {
      this.hash.update(piece);
      this.pieces.push(piece);
      this.held += piece.length;
      this.byteSize += piece.length;
    }
    if (this.held >= WRITTEN_AT_ONCE) await this.flush();
  }

  private async flush(): Promise<void> {
    await writeWhole(this.handle, Buffer.concat(this.pieces));
    this.pieces = [];
    this.held = 0;
  }
}

const NULL = Buffer.from('null');

/** Finishes erasures whose process crashed before all files were rewritten. */
export function deliveryErasure(services: Services): Cleaning {
  return {
    name: 'erase-deliveries',
    everySeconds: EVERY_SECONDS,
    async clean({ signal, log }) {
      const changed = await eraseDelivered(services, signal);
      if (changed > 0)
        log.info({ event: 'deliveries_erased', changed }, 'Removed erased accounts from vendor deliveries');
    },
  };
}
