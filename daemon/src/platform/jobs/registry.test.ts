import { expect, test } from 'vitest';
import { assertRegistry } from './registry.js';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('a registry in which every job is defined once, and every sweeper has its job, is accepted', () => {
  expect(() => assertRegistry(named('import', 'roll-up'), named('import'))).not.toThrow();
});

test('a registry names every job that is defined twice, and every one that is swept for without a definition', () => {
  expect(() => assertRegistry(named('import', 'import', 'roll-up'), named('roll-up', 'pull'))).toThrow(
    'Every job needs exactly one definition: import is defined twice; pull is swept for and not defined',
  );
});
