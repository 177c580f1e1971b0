import { createConnections } from '@healthd/daemon/connections';
import { createPool, createSequelize } from '@healthd/daemon/platform/database';
import { createVault } from '@healthd/daemon/vault';
import { type VendorApi, VendorError } from '@healthd/providers';
import { openConnectionFixture } from './connection-fixture.js';

export type RenewalFixture = Awaited<ReturnType<typeof openRenewalFixture>>;

/** Starts the service and four processes that use the same user's tokens. */
export async function openRenewalFixture() {
  const fixture = await openConnectionFixture();
  let user = '';

  /**
   * Opens the connections of another service process with its own database connections. @param patience lock timeout;
   * by default the service's 25 s
   */
  const openProcess = async (patience?: string) => {
    const { url } = fixture.service.database;
    const pool = createPool({ url, max: 3 });
    if (patience !== undefined) shortenWaits(pool, patience);
    const sequelize = createSequelize({ url, max: 2 });
    const { urls, client } = fixture.vendor;
    const connections = createConnections({
      pool,
      sequelize,
      defaultGranularity: 'raw',
      vault: createVault([new Uint8Array(32).fill(8)]),
      log: { warn: () => undefined, error: () => undefined },
      configurations: {
        google: {
          clientId: client.id,
          clientSecret: client.secret,
          scope: 'openid',
          values: {},
          addresses: { ...urls },
        },
      },
    });
    return {
      connections,
      pool,
      async api(): Promise<VendorApi> {
        const { rows } = await pool.query('select user_key from health_user where id = $1', [user]);
        const connection = await connections.findConnection(rows[0].user_key, 'google');
        if (!connection) throw new Error('not connected');
        return connections.vendorApiOf(connection);
      },
      async close() {
        await sequelize.close();
        await pool.end();
      },
    };
  };
  const processes = await Promise.all(Array.from({ length: 4 }, () => openProcess()));
  const statuses = async (role: 'token' | 'api') =>
    (await fixture.vendor.control.requests({ role })).map(({ status }) => status);

  return {
    fixture,
    processes,
    openProcess,
    /** Connects a new user to a new account of a faultless vendor. */
    async connectPerson() {
      await fixture.vendor.control.clearFaults();
      await fixture.vendor.control.setBehaviour({ rotateRefreshTokens: false });
      user = await fixture.createUser();
      const account = await fixture.vendor.control.addAccount();
      await fixture.connect(user, { account: account.id });
      await fixture.vendor.control.clearRequests();
      return { user, account };
    },
    first() {
      const [one] = processes;
      if (!one) throw new Error('no process');
      return one;
    },
    /** Makes the stored access token expire in `minutes` minutes. */
    async letExpire(minutes: number): Promise<void> {
      await fixture.service.pool.query(
        `update connection set token_expires_at = now() + make_interval(mins => $2)
          where user_key = (select user_key from health_user where id = $1)`,
        [user, minutes],
      );
    },
    /** Returns the statuses of all requests to the token endpoint. */
    tokenRequests: () => statuses('token'),
    apiRequests: () => statuses('api'),
    async close() {
      for (const process of processes) await process.close();
      await fixture.close();
    },
  };
}

/** Returns the vendor error that `work` throws. */
export async function failureOf(work: Promise<unknown>): Promise<VendorError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VendorError)) throw new Error(`expected a failure of the vendor, got ${String(error)}`);
  return error;
}

/** Limits the lock timeout of a pool's statements, even if they set a longer timeout. */
function shortenWaits(pool: ReturnType<typeof createPool>, patience: string): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const shortened = (text: unknown, ...rest: unknown[]) =>
      query(typeof text === 'string' ? text.replace(/(?<=lock_timeout = ')\w+/, patience) : text, ...rest);
    Object.assign(client, { query: shortened });
  });
}
