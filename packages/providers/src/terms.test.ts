import { expect, test } from 'vitest';
import { PROVIDERS } from './registry.js';
import { isTermValue, TERM_BASES, TERM_NAMES, type TermName } from './terms.js';

const valuesOf = (id: string) => {
  const { terms } = PROVIDERS.find((provider) => provider.id === id)!;
  return Object.fromEntries(TERM_NAMES.flatMap((name) => (terms[name] ? [[name, terms[name].value]] : [])));
};

test('defines a valid value, a basis and a source for every term', () => {
  for (const { id, terms } of PROVIDERS) {
    expect(Object.keys(terms).sort(), id).toEqual([...TERM_NAMES].sort());
    for (const name of TERM_NAMES) {
      const term = terms[name];
      if (term === null) continue;
      expect(isTermValue(name, term.value), `${id} ${name}`).toBe(true);
      expect(TERM_BASES, `${id} ${name}`).toContain(term.basis);
      expect(term.source.length, `${id} ${name}`).toBeGreaterThan(10);
    }
  }
});

test('declares exactly the known terms of each vendor', () => {
  expect(valuesOf('strava')).toEqual({
    assistants: 'deny',
    combine: 'deny',
    cacheDays: 7,
    onDisconnect: 'delete',
    attribution: 'Powered by Strava',
  });
  expect(Object.keys(valuesOf('google'))).toEqual(['archive', 'research']);
  expect(valuesOf('google').archive).toBe('deny');
  expect(valuesOf('garmin')).toEqual({ attribution: 'Garmin' });
  expect(Object.keys(valuesOf('apple'))).toEqual(['research']);
  for (const id of ['whoop', 'oura', 'polar', 'suunto', 'ultrahuman', 'samsung']) expect(valuesOf(id)).toEqual({});
});

const REFUSED: [TermName, unknown][] = [
  ['assistants', 'maybe'],
  ['combine', null],
  ['cacheDays', 0],
  ['cacheDays', 1.5],
  ['cacheDays', '7'],
  ['onDisconnect', 'deny'],
  ['archive', true],
  ['attribution', ' '],
  ['research', 'x'.repeat(201)],
];
test.each(REFUSED)('%s rejects %j', (name, value) => {
  expect(isTermValue(name, value)).toBe(false);
});
