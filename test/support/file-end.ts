import { afterAll } from 'vitest';

const ends = new Set<() => void>();

/**
 * Has this called when the test file has ended that runs now. Test files share the modules they import, so that an
 * `afterAll` beside an import would belong to the first of them only.
 */
export function atFileEnd(end: () => void): void {
  ends.add(end);
}

/** To be called before each test file. */
export function watchFileEnd(): void {
  afterAll(() => {
    for (const end of ends) end();
    ends.clear();
  });
}
