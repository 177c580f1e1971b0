import { createHmac } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { erasedAmong, parseLedger, storePendingErasures } from '@healthd/daemon/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../support/recorded-user.js';
import { testLedger } from '../support/test-ledger.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const AT = '2026-11-01T08:00:00.000Z';
const entry = (letter: string) => ({ erasedAt: AT, key: 'k'.repeat(43), hash: letter.repeat(43) });

describe('the erasure ledger', () => {
  it('stores equal concurrent entries once', async () => {
    const ledger = testLedger();
    const letters = [...'abcdefghij'];
    await Promise.all(letters.map((letter) => ledger.append([entry(letter), entry('a')])));
    expect((await ledger.entries()).map(({ hash }) => hash[0]).sort()).toEqual(letters);
    expect(readFileSync(ledger.path, 'utf8').trim().split('\n')).toHaveLength(10);
  });

  it('skips only the line that a crash truncated', async () => {
    const ledger = testLedger();
    await ledger.append([entry('a')]);
    appendFileSync(ledger.path, '{"erased_at":"2026-11-01T0');
    await ledger.append([entry('b')]);
    expect(await ledger.entries()).toEqual([entry('a'), entry('b')]);
  });

  it('identifies erased users across entries with different keys', () => {
    const users = ['first', 'second', 'present'].map((id) => ({ id }));
    const entries = users.slice(0, 2).map(({ id }, index) => {
      const key = 'kl'.charAt(index).repeat(43);
      const hash = createHmac('sha256', Buffer.from(key, 'base64url')).update(id).digest('base64url');
      return { erasedAt: AT, key, hash };
    });
    const found = erasedAmong(users, entries);
    expect(found).toEqual(entries.map((one, index) => ({ user: users[index], entry: one })));
  });
});

describe('erasing a user', () => {
  let service: WholeService;
  const folder = mkdtempSync(join(tmpdir(), 'healthd-erasures-'));
  const ledgerPath = join(folder, 'ledger', 'erasures.jsonl');
  const hashes = () => parseLedger(readFileSync(ledgerPath, 'utf8')).length;
  beforeAll(async () => {
    service = await startWholeService({ DATA_DIR: folder });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  async function erase(id: string): Promise<Response> {
    const { access_token } = await service.accounts.sessions.login({
      email: service.email,
      password: service.password,
      address: '127.0.0.1',
    });
    const headers = { Authorization: `Bearer ${access_token}` };
    return fetch(`${service.url}/api/v1/users/${id}`, { method: 'DELETE', headers });
  }

  async function recordedDeletion(id: string) {
    const { rows } = await service.pool.query(
      `select status, resource_id, (select count(*)::int from erasure_receipt r where r.id::text = resource_id) as receipts
         from audit_event where user_id = $1 and action = 'delete'`,
      [id],
    );
    return rows[0];
  }

  it('is completed by the next start after a ledger failure', async () => {
    expect((await erase((await newUser(service)).id)).status).toBe(200);
    expect(hashes()).toBe(1);
    const ledgerText = readFileSync(ledgerPath, 'utf8');
    rmSync(join(folder, 'ledger'), { recursive: true });
    writeFileSync(join(folder, 'ledger'), 'in the way');
    const { id } = await newUser(service);
    const response = await erase(id);
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(text).toContain('erasure ledger');
    // Waits for the failure record, which the service writes after the response.
    await expect.poll(() => recordedDeletion(id)).toMatchObject({ status: 503, receipts: 1 });
    expect(text).toContain((await recordedDeletion(id)).resource_id);
    expect((await erase(id)).status).toBe(404);
    rmSync(join(folder, 'ledger'));
    await service.restart({ DATA_DIR: folder });
    expect(hashes()).toBe(2);
    expect(readFileSync(ledgerPath, 'utf8').startsWith(ledgerText)).toBe(true);
  });

  it('is repeated by the next start after an interrupted restore', async () => {
    const erased = await newUser(service);
    const stays = await newUser(service);
    expect((await erase(erased.id)).status).toBe(200);
    const entries = parseLedger(readFileSync(ledgerPath, 'utf8'));
    // Simulates a restore that was killed after it filled the database and before it erased the user.
    await service.pool.query('insert into health_user (id) values ($1)', [erased.id]);
    const client = await service.pool.connect();
    await storePendingErasures(client, entries);
    client.release();
    await service.restart({ DATA_DIR: folder });
    const { rows } = await service.pool.query('select id from health_user where id = any ($1)', [
      [erased.id, stays.id],
    ]);
    expect(rows).toEqual([{ id: stays.id }]);
    const left = await service.pool.query("select to_regclass('pending_erasure') as left");
    expect(left.rows).toEqual([{ left: null }]);
  });
});
