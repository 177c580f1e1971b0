import { daysAfter } from '../bounds.js';
import type { SummarySource } from '../sources.js';
import { type FigureGroup, readNightFigures } from './night-figures.js';
import { readNights } from './night-sessions.js';

/** Source of one figure group in a date's summary. */
interface NightSource {
  date: string;
  group: FigureGroup | 'sleep' | 'naps';
  sourceId: number;
}

/** A session with the date of the summary that counts it. */
interface CountedSession {
  id: string;
  date: string;
  isNap: boolean;
}

/**
 * Reads the sources of all groups of the nights from the first to the last date.
 * @returns the sources, and the sessions of these dates and of the dates around them
 */
export async function readNightSources(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  firstDate: string,
  lastDate: string,
): Promise<{ sources: NightSource[]; sessions: CountedSession[] }> {
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
  const sessions = nights.days.flatMap(({ date, ...day }) =>
    (['sleep', 'naps'] as const).flatMap((group) =>
      day[group].placed.flatMap(({ candidate }) =>
        candidate.sessions.map(({ id }) => ({ id, date, isNap: group === 'naps' })),
      ),
    ),
  );
  return { sources, sessions };
}
