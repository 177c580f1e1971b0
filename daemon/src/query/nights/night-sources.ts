import { daysAfter } from '../bounds.js';
import type { SummarySource } from '../sources.js';
import { type FigureGroup, readNightFigures } from './night-figures.js';
import { readNights } from './night-sessions.js';

/** Source of one group of figures of a date in the summary. */
interface NightSource {
  date: string;
  group: FigureGroup | 'sleep' | 'naps';
  sourceId: number;
}

/**
 * Reads the sources of all groups of the nights from the first to the last date.
 * @returns also the ids of the sessions around them that count as naps
 */
export async function readNightSources(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  firstDate: string,
  lastDate: string,
): Promise<{ sources: NightSource[]; naps: string[] }> {
  const bounds = { fromDate: firstDate, beforeDate: daysAfter(lastDate, 1) };
  const priorities = await store.current();
  const nights = await readNights(pool, userKey, bounds, priorities);
  const figures = await readNightFigures(pool, userKey, { nights, ...bounds, priorities, of: 'both' });
  const sources: NightSource[] = [];
  for (const { date, day, groups } of figures) {
    const selections = Object.entries({ ...groups, ...(day && { sleep: day.sleep, naps: day.naps }) });
    for (const [group, { winner }] of selections) {
      if (winner) sources.push({ date, group: group as NightSource['group'], sourceId: winner.sourceId });
    }
  }
  const naps = nights.days.flatMap((day) => day.naps.placed.flatMap(({ candidate }) => candidate.sessions));
  return { sources, naps: naps.map(({ id }) => id) };
}
