import { daysAfter } from '../bounds.js';
import type { SummarySource } from '../summary-source.js';
import { type FigureGroup, readNightFigures } from './night-figures.js';
import { readNights } from './night-sessions.js';

/** The source that a summary names for one group of figures of a date. */
interface NightSource {
  date: string;
  group: FigureGroup | 'sleep' | 'naps';
  sourceId: number;
}

/** Reads the sources of all groups of the nights from a date to another one, both included. */
export async function readNightSources(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  firstDate: string,
  lastDate: string,
): Promise<NightSource[]> {
  const bounds = { fromDate: firstDate, beforeDate: daysAfter(lastDate, 1) };
  const priorities = await store.current();
  const nights = await readNights(pool, userKey, bounds, priorities);
  const read = (of: 'sleep' | 'recovery') => readNightFigures(pool, userKey, { nights, ...bounds, priorities, of });
  const [asleep, recovered] = [await read('sleep'), await read('recovery')];
  const found: NightSource[] = [];
  const add = (date: string, group: NightSource['group'], sourceId: number | undefined) => {
    if (sourceId !== undefined) found.push({ date, group, sourceId });
  };
  for (const { date, day, groups } of asleep) {
    add(date, 'sleep', day?.sleep.winner?.sourceId);
    add(date, 'naps', day?.naps.winner?.sourceId);
    for (const group of ['heart_rate', 'respiratory_rate'] as const) add(date, group, groups[group].winner?.sourceId);
  }
  for (const { date, groups } of recovered) {
    for (const group of ['hrv', 'oxygen_saturation', 'resting_heart_rate', 'score'] as const)
      add(date, group, groups[group].winner?.sourceId);
  }
  return found;
}
