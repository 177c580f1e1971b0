import { expect, it } from 'vitest';
import { lineLook } from './line-look.js';

it('distinguishes 36 lines by color or dash', () => {
  const looks = Array.from({ length: 36 }, (_, at) => JSON.stringify(lineLook(at)));
  expect(new Set(looks).size).toBe(36);
});
