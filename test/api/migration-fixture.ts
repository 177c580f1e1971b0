import {
  migrateFrom,
  openSourceDatabase,
  parseSourceAddress,
  requireSourceShape,
  type SourceDatabase,
  surveyLines,
  surveySource,
} from '@healthd/daemon/open-wearables';
import { readErasures } from '@healthd/daemon/users';
import { createVault } from '@healthd/daemon/vault';
import { openWearablesDatabase } from '../support/open-wearables/database.js';
import { addEvents } from '../support/open-wearables/events.js';
import { API_KEY, addPeople, TOKENS } from '../support/open-wearables/users.js';
import { recordWriter } from '../support/recorded-user.js';
import { caller } from '../support/service.js';
import { startWholeService } from '../support/whole-service.js';

/** This service's key for encrypting tokens. */
export const vault = createVault([new Uint8Array(32).fill(8)]);

export type MigrationFixture = Awaited<ReturnType<typeof openMigrationFixture>>;

/** Starts a service and migrates an Open Wearables database into it once. */
export async function openMigrationFixture() {
  const there = await openWearablesDatabase();
  const truth = await addPeople(there);
  await addEvents(there);
  const service = await startWholeService({ SERVICE_NAME: 'Open-Wearables', ERROR_FORMAT: 'compat' });
  for (const secret of [...Object.values(TOKENS), API_KEY]) service.watch.knowBody({ access_token: secret });
  // Calls the service with a key of Open Wearables, as its clients do.
  const call = caller(service, { 'X-Open-Wearables-API-Key': API_KEY });

  const survey = async (): Promise<string[]> => {
    const source = await openSourceDatabase(parseSourceAddress(there.url));
    try {
      await requireSourceShape(source);
      const here = { users: 0, apiKeys: 0, erased: 0 };
      return surveyLines(await surveySource(source), here, (provider) =>
        ['apple', 'samsung', 'google'].includes(provider),
      );
    } finally {
      await source.close();
    }
  };

  /** @param onUser called with each user before their migration */
  const copy = async (onUser?: (id: string) => Promise<void>) => {
    const source = await openSourceDatabase(parseSourceAddress(there.url));
    const shown: SourceDatabase = {
      ...source,
      async *stream(sql, values) {
        for await (const row of source.stream<{ id: string }>(sql, values)) {
          await onUser?.(row.id);
          yield row as never;
        }
      },
    };
    try {
      return await migrateFrom({
        source: shown,
        vault,
        pool: service.pool,
        sequelize: service.sequelize,
        writer: recordWriter(service),
        erasures: await readErasures(service.pool),
      });
    } finally {
      await source.close();
    }
  };

  const lines = await survey();
  const report = await copy();
  return {
    there,
    truth,
    service,
    call,
    copy,
    survey,
    /** Result of the survey before the copy. */
    lines,
    /** Report of the first copy. */
    report,
    /** Returns the response of a user route. Fails unless the status is 200. */
    async get(path: string) {
      const { status, body } = await call('GET', `/api/v1/users/${path}`);
      if (status !== 200) throw new Error(`${path} was answered with ${status}`);
      return body;
    },
    async close() {
      await service.stop();
      await there.drop();
    },
  };
}
