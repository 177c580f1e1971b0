import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GarminFixture, openGarminFixture } from './garmin-fixture.js';

let fixture: GarminFixture;
beforeAll(async () => {
  fixture = await openGarminFixture();
  await fixture.control.setPushTarget({ url: fixture.address });
});
afterAll(() => fixture.close());

const NIGHTS = ['whole', 'levels_only', 'member_missing'] as const;
const forms = (['push', 'ping'] as const).flatMap((delivery) =>
  NIGHTS.flatMap((night) =>
    [true, false].map((repeatsRecorded) => ({ delivery, night, repeatsRecorded, announcesFiles: repeatsRecorded })),
  ),
);

it.each(forms)(
  'stores exact data: delivery $delivery, night format $night, repeated records: $repeatsRecorded',
  async (form) => {
    // Uses short names, because the vendor's account ID contains only the first letters of a name.
    const account = `f${forms.indexOf(form)}`;
    await fixture.control.addAccount({ id: account });
    await fixture.control.setForms(account, form);
    await fixture.control.seedHistory(account, { seed: 7, days: 9 });
    const user = await fixture.connect(account);
    await fixture.control.put(account, await fixture.control.summaries(account));
    await fixture.control.pushes();
    await fixture.reading.settle();
    const truth = await fixture.control.truth(account);
    const nights = (await fixture.nights(user.userKey)).filter(({ is_nap: isNap }) => !isNap);
    expect(
      nights.map((night) => [night.start_at.getTime(), night.asleep_seconds / 60, night.awake_seconds / 60]),
    ).toEqual(truth.nights.map((night) => [night.startMs, night.asleepMinutes, night.awakeMinutes]));
    const workouts = await fixture.workouts(user.userKey);
    expect(workouts.map((one) => [one.external_id, one.distance_meters, one.user_entered === true])).toEqual(
      truth.activities.map((one) => [one.id, one.meters, one.isManual]),
    );
    expect((await fixture.samples(user.userKey, 'steps', 1)).map(({ value }) => value)).toEqual(
      truth.days.map(({ steps }) => steps),
    );
  },
);
