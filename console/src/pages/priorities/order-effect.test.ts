import { expect, test } from 'vitest';
import { effectOf } from './order-effect.js';

const preview = {
  users: 2,
  days: 3,
  nights: 1,
  nights_archived: 0,
  recoveries: 4,
  recoveries_archived: 0,
  body_summaries: 1,
  samples: 9,
  users_compared: 5,
  users_concerned: 5,
};
const CHANGES = '3 days, 1 night, 4 recovery dates and 1 body summary of 2 users change their source.';

test.each([
  [0, CHANGES],
  [1, `${CHANGES} 1 archived night keeps its source.`],
  [4, `${CHANGES} 4 archived nights keep their source.`],
])('describes the changes when %i archived nights keep their source', (nights_archived, text) => {
  expect(effectOf({ ...preview, nights_archived })).toBe(text);
});

test('names archived nights if no day or night changes', () => {
  const nothing = { ...preview, users: 0, days: 0, nights: 0, nights_archived: 2 };
  expect(effectOf(nothing)).toContain('2 archived nights');
});
