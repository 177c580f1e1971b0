import { afterAll } from 'vitest';

const ends = new Set<() => void>();

/**
 * Calls `end` after the current test file. Test files share imported modules, so an `afterAll` in a module would apply
 * only to the first file.
 */
export function atFileEnd(end: () => void): void {
  ends.add(end);
}

/** Registers the calls for the current test file. Must run before each test file. */
export function watchFileEnd(): void {
  afterAll(() => {
    for (const end of ends) end();
    ends.clear();
  });
}
