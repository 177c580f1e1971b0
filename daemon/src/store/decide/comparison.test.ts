import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DirtyDays } from '../facts/dirty-days.js';
import type { SourceAlias } from '../facts/sources/source-aliases.js';
import type { StoredSource } from '../facts/sources/stored-source.js';
import { comparisonAfter } from './comparison.js';

interface Span {
  first: number;
  last: number;
}

/** The app's name in exports has the key 1, its bundle id on phones the key 2. Another provider has the key 3. */
const WRITERS = { 1: 'Strong', 2: 'io.strongapp.strong', 3: 'cloud' } as const;
type Key = keyof typeof WRITERS;

function stored(key: Key, compared: Span | undefined): StoredSource {
  return {
    source_id: key,
    provider: key === 3 ? 'oura' : 'apple',
    account: null,
    from_cloud: false,
    has_unlisted_ids: false,
    device_model: null,
    writer: WRITERS[key],
    device_id: null,
    device_type: null,
    software_version: null,
    original_source_name: null,
    compared_from: compared ? fromDayNumber(compared.first) : null,
    compared_until: compared ? fromDayNumber(compared.last) : null,
  };
}

function compared(
  spans: { named: Span | undefined; bundled: Span | undefined },
  batch: {
    arriving: readonly Key[];
    days?: readonly [Key, number][];
    sessions?: readonly [Key, number][];
    removes?: boolean;
  },
  aliases: readonly SourceAlias[] = [],
) {
  const sources = [stored(1, spans.named), stored(2, spans.bundled), stored(3, undefined)];
  const dirtyDays = new DirtyDays();
  for (const [key, day] of batch.days ?? []) dirtyDays.add(1, key, day);
  return comparisonAfter(
    { sources: new Map(sources.map((row) => [String(row.source_id), row])), aliases },
    {
      sources: new Map(
        batch.arriving.map((key) => {
          const resolved = {
            sourceId: key,
            provider: 'apple',
            key: `${key}`,
            keyOfAnyAccount: `${key}`,
            account: undefined,
          };
          return [`${key}`, resolved];
        }),
      ),
      dirtyDays,
      changedSessions: (batch.sessions ?? []).map(([sourceId, day]) => ({
        sourceId,
        fromMs: (day + 0.5) * MS_PER_DAY,
        toMs: (day + 0.6) * MS_PER_DAY,
      })),
      removesSessions: batch.removes ?? false,
    },
  );
}

const span = fc
  .tuple(fc.nat({ max: 12 }), fc.nat({ max: 4 }))
  .map(([first, length]) => ({ first, last: first + length }));
const change = fc.tuple(fc.constantFrom<Key>(1, 2, 3), fc.nat({ max: 14 }), fc.boolean());

it('compares two apps again only after a change in their common time', () => {
  const property = fc.property(span, span, fc.array(change, { maxLength: 3 }), (named, bundled, changes) => {
    const result = compared(
      { named, bundled },
      {
        arriving: [1, 2, 3],
        days: changes.filter(([, , isSession]) => !isSession).map(([key, day]) => [key, day]),
        sessions: changes.filter(([, , isSession]) => isSession).map(([key, day]) => [key, day]),
      },
    );
    // Every change reaches a day further, because UTC and local dates differ.
    const changedOf = (key: Key) => changes.flatMap(([of, day]) => (of === key ? [day - 1, day, day + 1] : []));
    const covered = (days: readonly number[]) => (days.length === 0 ? [] : range(Math.min(...days), Math.max(...days)));
    const whole = (own: Span, key: Key) => covered([own.first, own.last, ...changedOf(key)]);
    const meets = (key: Key, other: Span, otherKey: Key) =>
      covered(changedOf(key)).some((day) => whole(other, otherKey).includes(day));
    const isRequested = meets(1, bundled, 2) || meets(2, named, 1);
    expect(result.isRequested).toBe(isRequested);
    const grown = (
      [
        [1, named],
        [2, bundled],
      ] as const
    ).flatMap(([sourceId, own]) => {
      const days = whole(own, sourceId);
      const now = { first: days[0] as number, last: days.at(-1) as number, sourceId };
      return now.first === own.first && now.last === own.last ? [] : [now];
    });
    expect(result.grown).toEqual(isRequested ? [] : grown);
  });
  fc.assert(property, { numRuns: 500 });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const APART = { named: { first: 0, last: 1 }, bundled: { first: 50, last: 51 } };

it('compares apps initially and after session deletions', () => {
  expect(compared({ ...APART, named: undefined }, { arriving: [1] }).isRequested).toBe(true);
  expect(compared({ ...APART, bundled: undefined }, { arriving: [1] }).isRequested).toBe(true);
  expect(compared(APART, { arriving: [2] }).isRequested).toBe(false);
  expect(compared(APART, { arriving: [2], removes: true }).isRequested).toBe(true);
});

it('skips apps outside the batch and known aliases', () => {
  const never = { named: undefined, bundled: undefined };
  const nothing = { isRequested: false, grown: [] };
  expect(compared(never, { arriving: [3] })).toEqual(nothing);
  expect(compared(never, { arriving: [] })).toEqual(nothing);
  const alias: SourceAlias = {
    named: { provider: 'apple', writer: WRITERS[1], deviceModel: '' },
    bundled: { provider: 'apple', writer: WRITERS[2], deviceModel: '' },
  };
  expect(compared(never, { arriving: [1, 2] }, [alias])).toEqual(nothing);
});
