import { afterAll } from 'vitest';

const ends = new Set<() => void>();

/**
 * Calls `end` when the current test file has ended. Test files share imported modules, so an `afterAll` in a module
 * would only apply to the first file.
 */
export function atFileEnd(end: () => void): void {
  ends.add(end);
}

/** Call before each test file. */
export function watchFileEnd(): void {
  afterAll(() => {
    for (const end of ends) end();
    ends.clear();
  });
}
