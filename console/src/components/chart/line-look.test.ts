import { expect, it } from 'vitest';
import { lineLook } from './line-look.js';

it('the lines of 36 sources in one chart differ in colour or dash', () => {
  const looks = Array.from({ length: 36 }, (_, at) => JSON.stringify(lineLook(at)));
  expect(new Set(looks).size).toBe(36);
});
