import { MS_PER_DAY } from '@healthd/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type GoogleFixture, openGoogleFixture } from './google-fixture.js';

/** These tests cover kills, cursors and the reading order. Quota tests take minutes and are in test/faults. */
let fixture: GoogleFixture;
afterEach(() => fixture.close());

const TYPES = ['steps', 'heart-rate', 'weight', 'daily-resting-heart-rate', 'sleep', 'exercise', 'total-calories'];

async function connected() {
  fixture = await openGoogleFixture({
    now: '2026-11-10T12:00:00Z',
    historicalSyncOnConnect: true,
  });
  await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin' });
  await fixture.control.seedHistory('anna', { seed: 5, days: 92, dataTypes: TYPES });
  return fixture.connect('anna');
}

async function expectTruth(userKey: number): Promise<void> {
  const fromMs = Date.parse('2026-11-10T12:00:00Z') - 89 * MS_PER_DAY;
  const recent = ({ startMs }: { startMs: number }) => startMs >= fromMs;
  for (const [type, code] of [
    ['steps', 'steps'],
    ['heart-rate', 'heart_rate'],
  ] as const) {
    const truth = (await fixture.control.truePoints('anna', type, 'reconcile')).filter(recent);
    const stored = (await fixture.samples(userKey, code)).filter(({ start }) => Date.parse(start) >= fromMs);
    expect(truth.length).toBeGreaterThan(100);
    expect(stored.map(({ start, value }) => [Date.parse(start), value])).toEqual(
      truth.map(({ startMs, value }) => [startMs, value]),
    );
  }
  const sleeps = (await fixture.control.trueSleeps('anna')).filter(recent);
  const nights = (await fixture.nights(userKey)).filter(({ start }) => start.getTime() >= fromMs);
  expect(nights.map(({ external_id }) => external_id)).toEqual(sleeps.map(({ name }) => name));
}

describe('a backfill of 90 days', () => {
  it('stores the complete history despite many kills', async () => {
    const anna = await connected();
    const { writer } = fixture.reading.services;
    const { writeIn } = writer;
    let writes = 0;
    writer.writeIn = async (...input) => {
      const written = await writeIn(...input);
      writes += 1;
      if (writes % 7 === 0) throw new Error('killed before the commit');
      return written;
    };
    let kills = 0;
    for (; kills < 200; kills++) {
      const ended = await fixture.reading.settle().then(
        () => true,
        (error: Error) => {
          if (!error.message.includes('killed')) throw error;
          return false;
        },
      );
      if (ended) break;
    }
    expect(kills).toBeGreaterThan(10);
    const runs = await fixture.reading.runsOf(anna.userKey);
    expect(runs.map(({ source, status }) => [source, status]).sort()).toEqual([
      ['backfill', 'success'],
      ['pull', 'success'],
    ]);
    const backfill = runs.find(({ source }) => source === 'backfill');
    expect(backfill?.metadata.data_types['heart-rate'].windows).toBeGreaterThanOrEqual(90);
    const cursors = await fixture.reading.cursorsOf(anna.connectionId);
    expect(cursors.steps).toMatch(/^2026-11-08T12:00/);
    await expectTruth(anna.userKey);
    const rejectedRequests = await fixture.control.requests({ role: 'api', status: 400 });
    expect(rejectedRequests.map(({ path }) => path)).toEqual([]);
  });

  it('reads the newest days first', async () => {
    const anna = await connected();
    const { writer } = fixture.reading.services;
    const { writeIn } = writer;
    let writes = 0;
    writer.writeIn = async (...input) => {
      writes += 1;
      if (writes > 80) throw new Error('killed');
      return writeIn(...input);
    };
    await expect(fixture.reading.settle()).rejects.toThrow('killed');
    const stored = await fixture.samples(anna.userKey, 'heart_rate');
    const first = Date.parse(stored[0]?.start ?? '');
    expect(Date.parse('2026-11-10T12:00:00Z') - first).toBeGreaterThan(5 * MS_PER_DAY);
    expect(Date.parse('2026-11-10T12:00:00Z') - first).toBeLessThan(80 * MS_PER_DAY);
  });
});
