import { type ProviderId, seriesTypeByCode } from '@healthd/model';
import type { AccountFacts, VendorFault } from '@healthd/simulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConnectedUser,
  openVendorFixture,
  type Simulated,
  type VendorFixture,
  type VendorFixtureOptions,
} from './vendor-fixture.js';

/** A simulated vendor in these tests. */
interface Driven extends Simulated {
  control: Simulated['control'] & {
    addAccount(input: Partial<AccountFacts>): Promise<AccountFacts>;
    seedHistory(account: string, options: { seed: number; days: number }): Promise<unknown>;
    addFault(fault: VendorFault): Promise<unknown>;
    clearFaults(): Promise<void>;
    requests(path?: string): Promise<{ status: number; path: string; role: string }[]>;
    clearRequests(): Promise<void>;
    grantedScopes(account: string): Promise<string[]>;
    setConsent(consent: { scopes?: string[] }): Promise<void>;
    revokeGrants(account: string): Promise<void>;
    expireAccessTokens(): Promise<void>;
  };
}

/** Differences between vendors. */
export interface VendorContract<S extends Driven> {
  id: ProviderId;
  start(): Promise<S>;
  options?: VendorFixtureOptions;
  /** Data type that can fail while other data types continue: its ID and a part of its request path. */
  failing: { dataType: string; path: string };
  /** Data type that is read although `failing` fails, with a part of its path. */
  other?: { dataType: string; path: string };
  /** Scopes without the scope of `failing` and without one other scope. */
  fewerScopes?: readonly string[];
  /** Statuses that fail permanently. Default: 400 and 404. */
  refusals?: readonly number[];
  /** True if access tokens are renewed. */
  renews: boolean;
  /** Data that arrives in several pages or pieces: a part of its request path. */
  pages?: { path: string };
}

/** Height and weight. Their samples have the time of the request. */
const STATES = [seriesTypeByCode('height').id, seriesTypeByCode('weight').id];

/** Returns a user's rows without the service's IDs and request times, for comparison with another user's rows. */
function comparable(rows: readonly string[]): string[] {
  const state = new RegExp(`^sample (${STATES.join('|')}) .* (\\S+)$`);
  return rows.map((row) => row.replace(/^(sleep|workout) \S+ /, '$1 ').replace(state, 'sample $1 $2')).toSorted();
}

/** Tests every vendor's connection: consent, tokens, disconnection, reading and failures. */
export function testVendorContract<S extends Driven>(contract: VendorContract<S>): void {
  const { id, failing, other, fewerScopes, renews, pages } = contract;
  let fixture: VendorFixture<S>;
  beforeEach(async () => {
    fixture = await openVendorFixture(id, await contract.start(), {
      historicalSyncOnConnect: true,
      ...contract.options,
    });
    await fixture.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
    await fixture.control.seedHistory('ada', { seed: 4, days: 15 });
  });
  afterEach(() => fixture.close());

  const connected = async (): Promise<ConnectedUser> => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    return ada;
  };
  const disconnect = ({ userId }: ConnectedUser) => fixture.call('DELETE', `/api/v1/users/${userId}/connections/${id}`);
  const afterAnHour = async () => {
    await fixture.wait(3_600);
    await fixture.reading.settle();
  };
  const status = async (ada: ConnectedUser) => (await fixture.connection(ada)).status;
  const dataTypes = (run: Awaited<ReturnType<typeof fixture.pull>>) =>
    run?.metadata.data_types as Record<string, { status: string; error?: string }>;

  describe('consent', () => {
    it("connects the account by the vendor's ID", async () => {
      const ada = await connected();
      const [{ userId }] = (await (
        fixture.control as unknown as { accounts(): Promise<AccountFacts[]> }
      ).accounts()) as [AccountFacts];
      const { rows } = await fixture.pool.query('select provider_user_id from connection where id = $1', [
        ada.connectionId,
      ]);
      expect(rows).toEqual([{ provider_user_id: userId }]);
      expect(await fixture.connection(ada)).toMatchObject({ provider: id, status: 'active' });
    });

    it('ends at the vendor and in the service after a disconnection', async () => {
      const ada = await connected();
      expect((await disconnect(ada)).status).toBe(204);
      expect(await fixture.control.grantedScopes('ada')).toEqual([]);
      expect(await status(ada)).toBe('revoked');
    });

    it.each([400, 429, 503])('ends in the service although the vendor returns %i', async (code) => {
      const ada = await connected();
      for (const role of ['api', 'revoke'] as const) {
        await fixture.control.addFault({ kind: 'error', status: code, role, times: null });
      }
      expect((await disconnect(ada)).status).toBe(204);
      expect(await status(ada)).toBe('revoked');
    });

    it('ends in the service at the first sync after its revocation', async () => {
      const ada = await connected();
      await fixture.control.revokeGrants('ada');
      expect(await fixture.pull(ada)).toMatchObject({ status: 'failed' });
      expect(await status(ada)).toBe('revoked');
    });

    it('revives the connection with its stored data when granted again', async () => {
      const ada = await connected();
      const before = await fixture.everything(ada.userKey);
      await disconnect(ada);
      await fixture.connect('ada', ada.userId);
      await fixture.reading.settle();
      expect(await status(ada)).toBe('active');
      expect(await fixture.everything(ada.userKey)).toEqual(before);
    });
  });

  if (renews) {
    describe('an expired access token', () => {
      it('is renewed once for concurrent callers', async () => {
        const ada = await connected();
        await fixture.control.expireAccessTokens();
        await fixture.control.clearRequests();
        const runs = [fixture.pull(ada), fixture.reading.work(ada.connectionId)];
        expect((await Promise.all(runs))[0]).toMatchObject({ status: 'success' });
        const renewals = (await fixture.control.requests()).filter(({ role }) => role === 'token');
        expect(renewals.map((one) => one.status)).toEqual([200]);
        expect(await status(ada)).toBe('active');
      });

      it('keeps the connection active while the token endpoint fails', async () => {
        const ada = await connected();
        await fixture.control.expireAccessTokens();
        await fixture.control.addFault({ kind: 'error', status: 500, role: 'token', times: null });
        await fixture.pull(ada);
        expect(await status(ada)).toBe('active');
      });
    });
  }

  describe('syncing', () => {
    it('writes nothing when data is read again', async () => {
      const ada = await connected();
      const before = await fixture.everything(ada.userKey);
      expect(before.length).toBeGreaterThan(20);
      const run = await fixture.pull(ada);
      expect(run).toMatchObject({ status: 'success' });
      for (const [dataType, report] of Object.entries(dataTypes(run))) {
        expect(report, dataType).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
      }
      expect(await fixture.everything(ada.userKey)).toEqual(before);
    });

    if (pages) {
      it('continues from page to page', async () => {
        await connected();
        const requests = await fixture.control.requests(pages.path);
        expect(requests.length).toBeGreaterThan(2);
        expect(requests.every((one) => one.status === 200)).toBe(true);
      });
    }

    it('stores the same rows after an interruption', async () => {
      const whole = await connected();
      const expected = await fixture.everything(whole.userKey);
      await disconnect(whole);
      const ada = await fixture.connect('ada');
      const stopped = new AbortController();
      const timer = setInterval(async () => {
        const { rowCount } = await fixture.pool.query('select 1 from data_source where user_key = $1', [ada.userKey]);
        if (rowCount) stopped.abort();
      }, 5);
      await fixture.reading.work(ada.connectionId, stopped.signal).catch(() => undefined);
      clearInterval(timer);
      await fixture.reading.settle();
      expect(stopped.signal.aborted).toBe(true);
      expect(comparable(await fixture.everything(ada.userKey))).toEqual(comparable(expected));
    });
  });

  describe('a data type', () => {
    it('gets a cursor only after a successful retry', async () => {
      const faults: VendorFault[] = [
        { kind: 'error', status: 500 },
        { kind: 'bad_gateway' },
        { kind: 'truncated' },
        { kind: 'dropped' },
      ];
      let ada: ConnectedUser | undefined;
      for (const fault of faults) {
        await fixture.control.clearFaults();
        await fixture.control.clearRequests();
        await fixture.control.addFault({ ...fault, path: failing.path, times: null });
        if (ada) await afterAnHour();
        else ada = await connected();
        expect(await fixture.control.requests(failing.path), fault.kind).not.toEqual([]);
        const cursors = await fixture.reading.cursorsOf(ada.connectionId);
        expect(cursors[failing.dataType], fault.kind).toBeUndefined();
        if (other) expect(cursors[other.dataType]).toBeDefined();
      }
      await fixture.control.clearFaults();
      await afterAnHour();
      const user = ada as ConnectedUser;
      expect(await fixture.lastRun(user)).toMatchObject({ status: 'success' });
      expect((await fixture.reading.cursorsOf(user.connectionId))[failing.dataType]).toBeDefined();
    });

    if (fewerScopes) {
      it('is skipped without consent while other data types are read', async () => {
        await fixture.control.setConsent({ scopes: [...fewerScopes] });
        const ada = await connected();
        const run = await fixture.pull(ada);
        expect(dataTypes(run)[failing.dataType]).toMatchObject({ status: 'skipped', error: 'scope_missing' });
        if (other) expect(dataTypes(run)[other.dataType]).toMatchObject({ status: 'success' });
        expect(await status(ada)).toBe('active');
      });
    }

    it.each(contract.refusals ?? [400, 404])('fails alone with %i', async (code) => {
      const ada = await connected();
      await fixture.control.addFault({ kind: 'error', status: code, path: failing.path, times: null });
      const run = await fixture.pull(ada);
      expect(dataTypes(run)[failing.dataType]?.status).not.toBe('success');
      if (other) expect(dataTypes(run)[other.dataType]).toMatchObject({ status: 'success' });
      expect(await status(ada)).toBe('active');
    });
  });

  it('delays a run after a 429 without further requests', async () => {
    const headers = { 'retry-after': '120' };
    await fixture.control.addFault({ kind: 'error', status: 429, headers, path: failing.path, times: null });
    const ada = await connected();
    expect(await fixture.lastRun(ada)).toMatchObject({ status: 'in_progress' });
    await fixture.control.clearFaults();
    await fixture.control.clearRequests();
    await fixture.wait(100);
    await fixture.reading.settle();
    expect(await fixture.control.requests(failing.path)).toEqual([]);
    await afterAnHour();
    expect(await fixture.lastRun(ada)).toMatchObject({ status: 'success' });
  });
}
