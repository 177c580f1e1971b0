import { expect, test } from 'vitest';
import { assertRegistry } from './registry.js';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('accepts a registry with one definition per job and sweeper', () => {
  expect(() => assertRegistry(named('import', 'roll-up'), named('import'))).not.toThrow();
});

test('reports jobs with two definitions and sweepers without a definition', () => {
  expect(() => assertRegistry(named('import', 'import', 'roll-up'), named('roll-up', 'pull'))).toThrow(
    'Every job needs exactly one definition: import is defined twice; pull has a sweeper but no definition',
  );
});
