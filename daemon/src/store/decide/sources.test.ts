import type { SourceIdentity } from '@healthd/model';
import { expect, it } from 'vitest';
import { keyOf } from '../facts/sources/stored-source.js';
import { decideSources, unwrittenSources } from './sources.js';

const WATCH: SourceIdentity = { provider: 'apple', deviceModel: 'Watch6,2', deviceType: 'watch' };
const PHONE: SourceIdentity = { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'unknown' };
const CLOUD: SourceIdentity = { provider: 'oura', account: 'a1', writer: 'cloud', softwareVersion: '2' };

function unwritten(written: SourceIdentity[], known: Parameters<typeof unwrittenSources>[0]['sources'] = new Map()) {
  return unwrittenSources({ sources: known } as Parameters<typeof unwrittenSources>[0], { written, keys: new Map() });
}

it('yields regularly while processing many sources', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...WATCH, deviceModel: `Watch ${index}` }));
  const pieces = [...decideSources({ sources: new Map(), aliases: [], account: undefined }, many)];
  // Three passes over the sources.
  expect(pieces.length).toBeGreaterThan(50);
});

it('gives new sources of a dry run distinct and unused numbers', () => {
  const rows = unwritten([WATCH, PHONE, CLOUD]);
  expect(rows.map(({ source_id: id }) => id)).toEqual([-1, -2, -3]);
  expect(rows).toMatchObject([
    { device_type: 'watch', account: null, from_cloud: false, writer: null },
    { device_type: null },
    { account: 'a1', from_cloud: true, writer: 'cloud', software_version: '2', compared_from: null },
  ]);
});

it('keeps the number and the unchanged columns of a stored source', () => {
  const [row] = unwritten([{ ...WATCH, softwareVersion: '1' }]);
  const stored = {
    ...row!,
    source_id: 7,
    has_unlisted_ids: true,
    compared_from: '2026-03-10',
    compared_until: '2026-03-11',
  };
  const [again] = unwritten(
    [PHONE, { ...WATCH, deviceType: 'unknown' as const }].slice(1),
    new Map([[keyOf(stored), stored]]),
  );
  expect(again).toEqual(stored);
});
