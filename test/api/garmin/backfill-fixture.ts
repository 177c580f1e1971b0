import { type ConnectedUser, openGarminFixture } from './garmin-fixture.js';

export const HOUR = 3_600;
export const DAY = 24 * HOUR;

/**
 * Starts a simulated Garmin with twelve days of Ada's history, and the service. The service requests the history of
 * each new connection.
 */
export async function openBackfillFixture() {
  const fixture = await openGarminFixture({ historicalSyncOnConnect: true });
  const { control, reading } = fixture;
  await control.addAccount({ id: 'ada' });
  await control.seedHistory('ada', { seed: 7, days: 12 });
  await control.setPushTarget({ url: fixture.address, batchSize: 20 });
  const exportRequests = async () =>
    (await control.requests('/backfill/')).map(({ path, status }) => ({ path, status }));
  const backfills = async (user: ConnectedUser) =>
    (await reading.runsOf(user.userKey)).filter(({ source }) => source === 'backfill');
  return {
    ...fixture,
    /** Requests the history that is due, lets the vendor deliver it, and reads the deliveries. */
    async work() {
      await reading.settle();
      await control.pushes();
      await reading.settle();
    },
    /** Returns the history requests that the vendor received, oldest first. */
    asked: exportRequests,
    requestedTypes: async () => new Set((await exportRequests()).map(({ path }) => /backfill\/(\w+)/.exec(path)?.[1])),
    route: ({ userId }: ConnectedUser, rest: string) => `/api/v1/providers/garmin/users/${userId}/${rest}`,
    steps: (user: ConnectedUser) => fixture.samples(user.userKey, 'steps', 1),
    backfills,
    lastBackfill: async (user: ConnectedUser) => (await backfills(user)).at(-1),
  };
}

export type BackfillFixture = Awaited<ReturnType<typeof openBackfillFixture>>;
