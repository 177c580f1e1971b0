import { expect, it } from 'vitest';
import { startOuraSimulator } from './start.js';

it('never changes past sleep or workouts while the day grows', async () => {
  const { control, close } = await startOuraSimulator();
  try {
    await control.addAccount({ id: 'ada', timeZone: 'UTC' });
    await control.setClock('2026-06-10T06:00:00Z');
    await control.seedHistory('ada', { days: 3 });
    for (let hour = 0, before = await control.truth('ada'); hour < 72; hour++) {
      await control.advanceClock(3_600);
      await control.growHistory('ada');
      const after = await control.truth('ada');
      expect(after.sleeps).toEqual(expect.arrayContaining(before.sleeps));
      expect(after.workouts).toEqual(expect.arrayContaining(before.workouts));
      before = after;
    }
    expect((await control.truth('ada')).workouts.length).toBeGreaterThan(1);
  } finally {
    await close();
  }
});
