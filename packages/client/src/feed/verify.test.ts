import { expect, test } from 'vitest';
import type { CopyDigest } from './digest.js';
import { compareDigests, type DigestApi, type UserCopy, verifyCopy } from './verify.js';
import type { UserDigest } from './wire.js';

const group = { day: '2026-03-01', kind: 'samples' as const, type: 'steps', provider: 'polar' };
const service = (digest: string, changed: Partial<UserDigest['items'][number]> = {}): UserDigest['items'][number] => ({
  ...group,
  state: 'current',
  rows: 2,
  digest,
  ...changed,
});
const page = (...items: UserDigest['items']) => ({ items, expired: [] });
const own = (digest: string, changed: Partial<CopyDigest> = {}): CopyDigest => ({
  ...group,
  rows: 2,
  digest,
  ...changed,
});

test('finds no difference between equal digests', () => {
  expect(compareDigests(page(service('aa')), [own('aa')])).toEqual({ compared: 1, differences: [] });
});

test.each([
  ['different', [service('aa')], [own('bb', { rows: 3 })], { service_rows: 2, copy_rows: 3 }],
  ['missing', [service('aa')], [], { service_rows: 2, copy_rows: null }],
  ['extra', [], [own('bb')], { service_rows: null, copy_rows: 2 }],
] as const)('reports rows that are %s', (problem, items, copy, rows) => {
  expect(compareDigests(page(...items), copy).differences).toEqual([{ ...group, problem, ...rows }]);
});

test.each(['archived', 'expired'] as const)('does not compare %s days', (state) => {
  const items = [service('aa', { state, digest: null, rows: null })];
  expect(compareDigests(page(...items), [own('bb')])).toEqual({ compared: 0, differences: [] });
  expect(compareDigests(page(...items), [])).toEqual({ compared: 0, differences: [] });
});

test('does not compare samples that expired in the service', () => {
  const old = own('bb', { day: '2026-02-28' });
  const expired = [{ type: 'steps', before: '2026-03-01' }];
  expect(compareDigests({ items: [], expired }, [old])).toEqual({ compared: 0, differences: [] });
  expect(compareDigests({ items: [], expired }, [own('bb')]).differences).toMatchObject([{ problem: 'extra' }]);
});

/** A service with one group of rows, at this position. */
function serviceAt(position: number): DigestApi & { ranges: string[] } {
  const ranges: string[] = [];
  return {
    ranges,
    async getDigest({ params, query: { from, to } }) {
      ranges.push(`${from}/${to}`);
      const items = from <= group.day && group.day <= to ? [service('aa')] : [];
      return {
        user_id: params.user_id,
        position,
        key_id: 'k',
        stored: { from: '2024-01-01', to: '2026-03-01' },
        expired: [],
        items,
      };
    },
  };
}

function copyOf(...digests: CopyDigest[]): UserCopy {
  const inRange = ({ day }: CopyDigest, from: string, to: string) => from <= day && day <= to;
  return {
    userId: 'u',
    position: 7,
    keyId: 'k',
    stored: { from: '2026-03-01', to: '2026-03-02' },
    digests: async ({ from, to }) => digests.filter((digest) => inRange(digest, from, to)),
  };
}

test('compares all days of service and copy year by year', async () => {
  const client = serviceAt(7);
  const result = await verifyCopy(client, copyOf(own('aa'), own('bb', { day: '2026-03-02' })));
  expect(client.ranges.slice(1)).toEqual(['2024-01-01/2024-12-31', '2025-01-01/2026-01-01', '2026-01-02/2026-03-02']);
  expect(result).toMatchObject({
    state: 'different',
    compared: 2,
    differences: [{ day: '2026-03-02', problem: 'extra' }],
  });
});

test('reports a copy as behind if the service has newer changes', async () => {
  expect(await verifyCopy(serviceAt(8), copyOf())).toMatchObject({
    state: 'behind',
    service_position: 8,
    copy_position: 7,
  });
});

test('does not compare digests of another key', async () => {
  const copy = { ...copyOf(), keyId: 'old' };
  expect(await verifyCopy(serviceAt(7), copy)).toMatchObject({ state: 'key_replaced', compared: 0 });
});
