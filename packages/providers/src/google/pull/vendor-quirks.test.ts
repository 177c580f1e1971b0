import { MS_PER_MINUTE } from '@healthd/model';
import { type GoogleFault, type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODES } from './testing/modes.js';
import { connectUser, SIMULATED, sum, valuesOf } from './testing/user.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator(SIMULATED);
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

describe('vendor quirks', () => {
  const walks = Array.from({ length: 30 }, (_, minute) => ({
    dataType: 'steps',
    startTime: new Date(Date.parse('2026-11-10T08:00:00Z') + minute * MS_PER_MINUTE).toISOString(),
    endTime: new Date(Date.parse('2026-11-10T08:01:00Z') + minute * MS_PER_MINUTE).toISOString(),
    value: 50,
  }));
  const nights = ['08', '09', '10'].map((day) => ({
    dataType: 'sleep',
    id: `n${day}`,
    startTime: `2026-11-${day}T00:10:00Z`,
    endTime: `2026-11-${day}T06:10:00Z`,
    value: {
      type: 'STAGES',
      metadata: { processed: true, nap: true },
      summary: {
        minutesInSleepPeriod: '360',
        minutesAsleep: '300',
        minutesAwake: '60',
        stagesSummary: [
          { type: 'DEEP', minutes: '100' },
          { type: 'LIGHT', minutes: '200' },
        ],
      },
    },
  }));

  it.each<GoogleFault['kind']>(['empty_page', 'unknown_members', 'missing_civil_times'])(
    '%s does not change the sum of steps',
    async (kind) => {
      const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
      await anna.add(...walks);
      await simulator.control.addFault({
        kind,
        times: null,
        match: { dataType: 'steps' },
        ...(kind === 'empty_page' && { times: 1 }),
      } as GoogleFault);
      await anna.poll('steps');
      expect(sum(valuesOf(anna.held, 'steps'))).toBe(1500);
    },
  );

  it('keeps missing offsets unknown', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    await anna.add(...walks);
    await simulator.control.addFault({ kind: 'missing_offsets', times: null });
    await anna.poll('steps');
    expect(anna.held.samples.map(({ offsetMinutes }) => offsetMinutes)).toEqual(walks.map(() => undefined));
  });

  it('reports an error if a page links to itself', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    await anna.add(...walks);
    await simulator.control.addFault({ kind: 'repeated_token', times: null });
    await expect(anna.poll('steps')).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('counts duplicated stage totals once', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    await anna.add(...nights);
    await simulator.control.addFault({ kind: 'duplicate_stages_summary', times: null });
    await anna.poll('sleep', MODES.reconcile, 72);
    expect(anna.held.sessions).toHaveLength(3);
    for (const night of anna.held.sessions)
      expect(night).toMatchObject({ deepSeconds: 6000, remSeconds: 0, isNap: true });
  });

  it('reads sleep without a filter if the vendor rejects the filter', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    await anna.add(...nights);
    await simulator.control.setBehaviour({ sleepEndFilter: 'refused' });
    await anna.poll('sleep', MODES.reconcile, 24);
    expect(anna.held.sessions.map(({ startMs }) => new Date(startMs).getUTCDate())).toEqual([10]);
  });

  it('accepts a misspelled distance', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    const times = { startTime: '2026-11-10T09:00:00Z', endTime: '2026-11-10T09:30:00Z' };
    const metricsSummary = { distanceMillimeters: 5_400_000 };
    await anna.add({ dataType: 'exercise', ...times, value: { exerciseType: 'RUNNING', metricsSummary } });
    await simulator.control.addFault({ kind: 'misspelt_distance', times: null });
    await anna.poll('exercise');
    expect(anna.held.sessions).toMatchObject([{ distanceMeters: 5400, type: 'running' }]);
  });

  it('treats an HTML page as an error', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    await simulator.control.addFault({ kind: 'bad_gateway', times: null });
    await expect(anna.poll('steps')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
