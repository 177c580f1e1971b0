import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Repairs } from './health-card.js';

const REPAIR = {
  name: 'night_sources',
  title: 'Rebuilding nights',
  users_done: 1204,
  users_total: 9800,
  users_failed: 0,
  started_at: '2026-11-29T11:00:00Z',
  finished_at: null,
};
const textOf = (change: Partial<typeof REPAIR> | { finished_at: string }) =>
  renderToStaticMarkup(<Repairs repairs={[{ ...REPAIR, ...change }]} />).replaceAll(/<[^>]*>/g, '');

test('shows the progress of an unfinished repair', () => {
  expect(textOf({})).toBe('Rebuilding nights: 1,204 of 9,800 users');
  expect(textOf({ users_failed: 2 })).toContain('2 failed');
  expect(textOf({ finished_at: '2026-11-29T12:00:00Z' })).toBe('');
});
