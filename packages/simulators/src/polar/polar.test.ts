import { expect, it } from 'vitest';
import { startPolarSimulator } from './start.js';

it('never changes past measurements while the day grows', async () => {
  const { control, close } = await startPolarSimulator();
  try {
    await control.addAccount({ id: 'ada', timeZone: 'UTC' });
    await control.setClock('2026-06-10T21:30:00Z');
    await control.seedHistory('ada', { days: 12 });
    const read = () =>
      Promise.all((['spo2', 'ecg', 'exercises', 'cardioLoads'] as const).map((one) => control.items('ada', one)));
    const before = await read();
    expect(before.every((items) => items.length > 0)).toBe(true);
    await control.setClock('2026-06-10T23:00:00Z');
    await control.growHistory('ada');
    expect(await read()).toEqual(before);
  } finally {
    await close();
  }
});
