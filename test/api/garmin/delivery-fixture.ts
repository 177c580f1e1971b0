import { type ConnectedUser, openGarminFixture } from './garmin-fixture.js';

export const DAY = 86_400;
/** Midnight of today in UTC, in seconds. */
export const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;

/** Returns the UTC date of a Unix time in seconds. */
export const dateOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** Returns a Garmin daily summary of the UTC day `daysAgo` days ago. */
export const daily = (daysAgo: number, steps: number, durationInSeconds = DAY) => ({
  summaryId: `d-${daysAgo}-${durationInSeconds}`,
  calendarDate: dateOf(today - daysAgo * DAY),
  startTimeInSeconds: today - daysAgo * DAY,
  startTimeOffsetInSeconds: 0,
  durationInSeconds,
  steps,
});

/** User with a Garmin account and a connection in the service. */
export type GarminUser = ConnectedUser & { account: string };

/** Returns a daily summary of this user in Garmin's format. */
export const dailyOf = ({ account }: GarminUser, ...day: Parameters<typeof daily>) => ({
  userId: account,
  ...daily(...day),
});

/** Starts a simulated Garmin that sends only the test's deliveries, and the service with Ada connected. */
export async function openDeliveryFixture() {
  const fixture = await openGarminFixture();
  const { control, reading, samples } = fixture;
  const addUser = async (id: string): Promise<GarminUser> => {
    const { userId: account } = await control.addAccount({ id });
    return { ...(await fixture.connect(id)), account };
  };
  const ada = await addUser('ada');
  await control.setPushTarget({ url: fixture.address, deliveries: 'held' });
  return {
    ...fixture,
    ada,
    addUser,
    /** Sends a body as Garmin. @returns the response status */
    send: (body: object, headers?: Record<string, string>) => control.sendBody(JSON.stringify(body), headers),
    /** Reads the waiting deliveries. */
    settle: () => reading.settle(),
    /** Returns the steps of each day, oldest first. Default user: Ada. */
    steps: async (user: ConnectedUser = ada) => (await samples(user.userKey, 'steps', 1)).map(({ value }) => value),
  };
}

export type DeliveryFixture = Awaited<ReturnType<typeof openDeliveryFixture>>;
