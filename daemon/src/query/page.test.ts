import { describe, expect, it } from 'vitest';
import { Cursors, pageOf } from './page.js';

const list = { route: 'letters', userKey: 7, filters: { types: [1, 2] } };
const cursors = new Cursors(['int4'], list);
const letters = [1, 2, 3, 4, 5, 6, 7];

function read(limit: number, cursor?: string) {
  const position = cursors.decode(cursor);
  const at = Number(position?.key[0] ?? 0);
  const ahead = position?.before ? letters.filter((n) => n < at).reverse() : letters.filter((n) => n > at);
  return pageOf(ahead.slice(0, limit + 1), limit, position, cursors, (n) => [n]);
}

describe('paging', () => {
  it('pages forward up to the last page', () => {
    const first = read(3);
    expect(first).toMatchObject({ rows: [1, 2, 3], hasMore: true, previousCursor: null });
    const second = read(3, first.nextCursor ?? '');
    const third = read(3, second.nextCursor ?? '');
    expect([second.rows, third.rows]).toEqual([[4, 5, 6], [7]]);
    expect(third).toMatchObject({ hasMore: false, nextCursor: null });
    expect(third.previousCursor).not.toBeNull();
  });

  it('pages back in the same order with a next cursor', () => {
    const second = read(3, read(3).nextCursor ?? '');
    const back = read(3, second.previousCursor ?? '');
    expect(back).toMatchObject({ rows: [1, 2, 3], hasMore: false, previousCursor: null });
    expect(read(3, back.nextCursor ?? '').rows).toEqual([4, 5, 6]);
  });

  it('pages back from the middle', () => {
    const third = read(2, read(2, read(2).nextCursor ?? '').nextCursor ?? '');
    expect(third.rows).toEqual([5, 6]);
    const back = read(2, third.previousCursor ?? '');
    expect(back).toMatchObject({ rows: [3, 4], hasMore: true });
    expect(read(2, back.previousCursor ?? '').rows).toEqual([1, 2]);
  });

  it.each([
    ['after the last row', { key: [7], before: false }],
    ['before the first row', { key: [1], before: true }],
  ])('returns no rows and no cursors %s', (_where, position) => {
    const page = read(3, cursors.encode(position));
    expect(page).toEqual({ rows: [], hasMore: false, nextCursor: null, previousCursor: null });
  });
});

describe('decoding a cursor', () => {
  const cursor = cursors.encode({ key: [3], before: false });
  it.each([
    ['another user', { ...list, userKey: 8 }],
    ['another list', { ...list, route: 'numbers' }],
    ['other filters', { ...list, filters: { types: [1] } }],
  ])('rejects a cursor of %s', (_, other) => {
    expect(() => new Cursors(['int4'], other).decode(cursor)).toThrow('belongs to another');
  });

  it.each([
    ['instant', Date.parse('2026-03-10T08:00:00.123Z')],
    ['int2', 0],
    ['int2', 32_767],
    ['int4', 2 ** 31 - 1],
    ['date', '2024-02-29'],
    ['date', '9999-12-31'],
    ['uuid', '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01'],
  ] as const)('decodes the %s %s unchanged in both directions', (part, value) => {
    const two = new Cursors(['int4', part], list);
    for (const before of [true, false]) {
      const position = { key: [3, value], before };
      expect(two.decode(two.encode(position))).toEqual(position);
    }
  });

  it('rejects a cursor of an earlier key version', () => {
    const changed = new Cursors(['int4'], { ...list, version: 2 });
    expect(() => changed.decode(cursor)).toThrow('Invalid cursor format.');
    const position = { key: [3], before: false };
    expect(changed.decode(changed.encode(position))).toEqual(position);
    expect(() => cursors.decode(changed.encode(position))).toThrow('Invalid cursor format.');
  });

  it.each([2, true, '1', null])('rejects a cursor with the direction %j', (direction) => {
    const [binding] = JSON.parse(Buffer.from(cursor.slice('v1.'.length), 'base64url').toString()) as unknown[];
    const forged = `v1.${Buffer.from(JSON.stringify([binding, direction, 3])).toString('base64url')}`;
    expect(() => cursors.decode(forged)).toThrow('Invalid cursor format.');
  });

  it.each(['', 'x', 'v1.', 'v1.e30', 'v2.W10', 'MjAyNi0wMS0wMXxh', `${cursor}AAAA`])('rejects %j', (text) => {
    expect(() => cursors.decode(text)).toThrow('Invalid cursor format.');
  });

  it.each([[[3, 4]], [['3']], [[0.5]], [[-1]], [[2 ** 31]], [[]]])('rejects a cursor with the key %j', (key) => {
    const forged = cursors.encode({ key, before: false });
    expect(() => cursors.decode(forged)).toThrow('Invalid cursor format.');
  });

  it.each([
    ['instant', 8.64e15 + 1],
    ['instant', Date.parse('9999-12-31T23:59:59.999Z') + 1],
    ['instant', '2026-03-10'],
    ['int2', 32_768],
    ['int2', '3'],
    ['date', 20_260_310],
    ['date', '2026-3-10'],
    ['uuid', 7],
    ['date', '2026-02-30'],
    ['date', '0000-01-01'],
    ['uuid', 'none'],
  ] as const)('rejects a cursor with the %s %s before the database query', (part, value) => {
    const forging = new Cursors([part], list);
    expect(() => forging.decode(forging.encode({ key: [value], before: false }))).toThrow('Invalid cursor format.');
  });
});
