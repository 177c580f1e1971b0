import { type HealthRecord, type SourceIdentity, sourceKey } from '@healthd/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import type { ResolvedSource } from '../facts/sources/resolved-source.js';
import { storedKey } from '../facts/sources/stored-source.js';
import type { Tombstone } from '../facts/tombstones.js';
import { suppressedRecords } from './tombstones.js';

/** A source as a batch describes it. The stored source of `bundle` is named `app`. */
interface Origin {
  device: string;
  writer: string;
  account: string | undefined;
}

interface Deleted extends Origin {
  kind: Tombstone['kind'];
  externalId: string | undefined;
  workoutType: string;
  startMs: number;
  endMs: number;
}

interface Delivered extends Origin {
  kind: Tombstone['kind'] | 'sleep_stage' | 'health_score';
  externalId: string | undefined;
  isIdOfWriter: boolean;
  workoutType: 'running' | 'yoga';
  startMs: number;
  endMs: number;
}

const STORED_WRITERS: Record<string, string> = { app: 'app', bundle: 'app', other: 'other' };
const FIRST_MS = Date.parse('2026-03-10T00:00Z');

const identityOf = ({ device, writer, account }: Origin): SourceIdentity => ({
  provider: 'apple',
  account,
  deviceModel: device,
  writer,
});

function tombstoneOf(deleted: Deleted, at: number): Tombstone {
  const { account, device, writer, ...session } = deleted;
  return {
    ...session,
    id: String(at),
    deletedAt: new Date(FIRST_MS),
    provider: 'apple',
    account,
    sourceKey: sourceKey({ provider: 'apple', deviceModel: device, writer }),
    writerKey: sourceKey({ provider: 'apple', writer }),
  };
}

function recordOf(delivered: Delivered): HealthRecord {
  const { kind, externalId, startMs, endMs, workoutType: type, isIdOfWriter } = delivered;
  const placed = { source: identityOf(delivered), offsetMinutes: 0 };
  const session = { ...placed, externalId, startMs, endMs };
  if (kind === 'workout') return { ...session, kind, type, idScope: isIdOfWriter ? 'writer' : undefined };
  if (kind === 'sleep_session') return { ...session, kind };
  if (kind === 'menstrual_cycle') return { ...session, kind, details: {} };
  if (kind === 'health_score') return { ...placed, kind, externalId, category: 'sleep', atMs: startMs };
  return { ...placed, kind, sessionId: externalId, stage: 'light', startMs, endMs };
}

function resolved(delivered: Delivered): ResolvedSource {
  const writer = STORED_WRITERS[delivered.writer] as string;
  const identity = identityOf({ ...delivered, writer });
  const keyOfAnyAccount = sourceKey({ ...identity, account: undefined });
  return { sourceId: 1, provider: 'apple', key: sourceKey(identity), keyOfAnyAccount, account: delivered.account };
}

/** Decides one pair by the rule. */
function isDeleted(delivered: Delivered, deleted: Deleted): boolean {
  const isSleep = delivered.kind === 'sleep_stage' || delivered.kind === 'sleep_session';
  if (isSleep ? deleted.kind !== 'sleep_session' : deleted.kind !== delivered.kind) return false;
  const id = delivered.externalId?.replace('\u0000', '');
  const hasItsId = id !== undefined && id === deleted.externalId;
  const isIdOfWriter = delivered.kind === 'workout' && delivered.isIdOfWriter;
  if (hasItsId && isIdOfWriter && delivered.writer === deleted.writer) return true;

  if (delivered.device !== deleted.device || STORED_WRITERS[delivered.writer] !== deleted.writer) return false;
  if (deleted.account !== undefined && deleted.account !== delivered.account) return false;
  if (hasItsId) return true;

  const second = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  const startsEqual = second(delivered.startMs) === second(deleted.startMs);
  const spansEqual = startsEqual && second(delivered.endMs) === second(deleted.endMs);
  if (delivered.kind === 'workout') return spansEqual && delivered.workoutType === deleted.workoutType;
  if (delivered.kind === 'menstrual_cycle') return spansEqual;
  if (id !== undefined && deleted.externalId !== undefined) return spansEqual && delivered.kind === 'sleep_session';
  const lengthMs = delivered.endMs - delivered.startMs;
  const earlierMs = Math.min(lengthMs, Math.max(0, deleted.startMs - delivered.startMs));
  const laterMs = Math.min(lengthMs, Math.max(0, delivered.endMs - deleted.endMs));
  return startsEqual || earlierMs + laterMs <= lengthMs / 2;
}

/** Spans that often touch, halve each other, or start or end in the same second. */
const timeBefore = (seconds: number) =>
  fc
    .tuple(fc.nat(seconds - 1), fc.constantFrom(0, 0, 1, 998, 999))
    .map(([second, ms]) => FIRST_MS + second * 1000 + ms);
const spanBefore = (seconds: number) =>
  fc
    .uniqueArray(timeBefore(seconds), { minLength: 2, maxLength: 2 })
    .map((times) => ({ startMs: Math.min(...times), endMs: Math.max(...times) }));
const span = fc.oneof(spanBefore(1), spanBefore(4), spanBefore(12));
// Most items have the same source, because items of different sources have no effect on each other.
const device = fc.constantFrom('Watch', 'Watch', 'Watch', 'Phone');
const account = fc.constantFrom(undefined, undefined, 'ada', 'bob');
const workoutType = fc.constantFrom('running' as const, 'yoga' as const);

const deletedSession = fc
  .record({
    kind: fc.constantFrom(
      'workout' as const,
      'sleep_session' as const,
      'sleep_session' as const,
      'menstrual_cycle' as const,
    ),
    device,
    account,
    workoutType,
    writer: fc.constantFrom('app', 'app', 'other'),
    externalId: fc.constantFrom(undefined, undefined, 'a', 'b', 'c'),
    span,
  })
  .map(({ span: interval, ...rest }): Deleted => ({ ...rest, ...interval }));

/** A delivered item. It may repeat the times of a deleted session. */
const deliveredItem = fc.record({
  kind: fc.constantFrom(
    'workout' as const,
    'sleep_session' as const,
    'sleep_stage' as const,
    'menstrual_cycle' as const,
    'health_score' as const,
  ),
  device,
  account,
  workoutType,
  writer: fc.constantFrom('app', 'app', 'bundle', 'other'),
  externalId: fc.constantFrom(undefined, undefined, 'a', 'a\u0000', 'b', 'd'),
  isIdOfWriter: fc.boolean(),
  span,
  repeats: fc.option(fc.nat(7), { freq: 1 }),
});

const life = fc
  .tuple(
    fc.array(deletedSession, { maxLength: 8, size: 'max' }),
    fc.array(deliveredItem, { maxLength: 8, size: 'max' }),
  )
  .map(([sessions, items]) => ({
    sessions,
    items: items.map(({ span: interval, repeats, ...rest }): Delivered => {
      const { startMs, endMs } = (repeats === null ? undefined : sessions[repeats]) ?? interval;
      return { ...rest, startMs, endMs };
    }),
  }));

test('suppresses exactly the records of deleted sessions', () => {
  fc.assert(
    fc.property(life, ({ sessions, items }) => {
      const records = items.map(recordOf);
      const sources = new Map(items.map((item) => [storedKey(identityOf(item)), resolved(item)]));
      const suppressed = suppressedRecords(sessions.map(tombstoneOf), records, sources);
      expect(records.map((record) => suppressed.has(record))).toEqual(
        items.map((item) => sessions.some((session) => isDeleted(item, session))),
      );
    }),
    { numRuns: propertyRuns(2_000, 50_000) },
  );
});
