import { MS_PER_DAY } from '@healthd/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type GooglePlace, openGooglePlace } from './google-place.js';

/** The line of the checklist about the past: kills, cursors, caps. The quota is kept to in test/faults, for it takes minutes. */
let place: GooglePlace;
afterEach(() => place.close());

const TYPES = ['steps', 'heart-rate', 'weight', 'daily-resting-heart-rate', 'sleep', 'exercise', 'total-calories'];

async function connected() {
  place = await openGooglePlace({
    now: '2026-11-10T12:00:00Z',
    historicalSyncOnConnect: true,
  });
  await place.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin' });
  await place.control.seedHistory('anna', { seed: 5, days: 92, dataTypes: TYPES });
  return place.connect('anna');
}

async function expectTruth(userKey: number): Promise<void> {
  const fromMs = Date.parse('2026-11-10T12:00:00Z') - 89 * MS_PER_DAY;
  const recent = ({ startMs }: { startMs: number }) => startMs >= fromMs;
  for (const [type, code] of [
    ['steps', 'steps'],
    ['heart-rate', 'heart_rate'],
  ] as const) {
    const truth = (await place.control.truePoints('anna', type, 'reconcile')).filter(recent);
    const stored = (await place.samples(userKey, code)).filter(({ start }) => Date.parse(start) >= fromMs);
    expect(truth.length).toBeGreaterThan(100);
    expect(stored.map(({ start, value }) => [Date.parse(start), value])).toEqual(
      truth.map(({ startMs, value }) => [startMs, value]),
    );
  }
  const sleeps = (await place.control.trueSleeps('anna')).filter(recent);
  const nights = (await place.nights(userKey)).filter(({ start }) => start.getTime() >= fromMs);
  expect(nights.map(({ external_id }) => external_id)).toEqual(sleeps.map(({ name }) => name));
}

describe('a backfill of 90 days', () => {
  it('a backfill of 90 days is resumable after a kill anywhere, leaves the cursors alone, and ends with the truth', async () => {
    const anna = await connected();
    const { writer } = place.reading.services;
    const { writeIn } = writer;
    let writes = 0;
    writer.writeIn = async (...given) => {
      const written = await writeIn(...given);
      writes += 1;
      if (writes % 7 === 0) throw new Error('killed before the commit');
      return written;
    };
    let kills = 0;
    for (; kills < 200; kills++) {
      const ended = await place.reading.settle().then(
        () => true,
        (error: Error) => {
          if (!error.message.includes('killed')) throw error;
          return false;
        },
      );
      if (ended) break;
    }
    expect(kills).toBeGreaterThan(10);
    const runs = await place.reading.runsOf(anna.userKey);
    expect(runs.map(({ source, status }) => [source, status]).sort()).toEqual([
      ['backfill', 'success'],
      ['pull', 'success'],
    ]);
    const backfill = runs.find(({ source }) => source === 'backfill');
    expect(backfill?.metadata.data_types['heart-rate'].windows).toBeGreaterThanOrEqual(90);
    const cursors = await place.reading.cursorsOf(anna.connectionId);
    expect(cursors.steps).toMatch(/^2026-11-08T12:00/);
    await expectTruth(anna.userKey);
    const refused = await place.control.requests({ role: 'api', status: 400 });
    expect(refused.map(({ path }) => path)).toEqual([]);
  });

  it('a backfill of 90 days brings the newest days first', async () => {
    const anna = await connected();
    const { writer } = place.reading.services;
    const { writeIn } = writer;
    let writes = 0;
    writer.writeIn = async (...given) => {
      writes += 1;
      if (writes > 80) throw new Error('killed');
      return writeIn(...given);
    };
    await expect(place.reading.settle()).rejects.toThrow('killed');
    const stored = await place.samples(anna.userKey, 'heart_rate');
    const first = Date.parse(stored[0]?.start ?? '');
    expect(Date.parse('2026-11-10T12:00:00Z') - first).toBeGreaterThan(5 * MS_PER_DAY);
    expect(Date.parse('2026-11-10T12:00:00Z') - first).toBeLessThan(80 * MS_PER_DAY);
  });
});
