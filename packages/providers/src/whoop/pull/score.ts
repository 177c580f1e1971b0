import type { HealthScoreRecord } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, membersOf } from '../../rest/index.js';
import { WHOOP_SOURCE } from './source.js';

type Components = NonNullable<HealthScoreRecord['components']>;

/**
 * The score of a record. It counts by the state alone: an unscored one may still carry a score, and a state that
 * no one knows is one that is not scored yet.
 */
export function scoreOf(record: PayloadObject): PayloadObject | undefined {
  return record.score_state === 'SCORED' && isObject(record.score) ? record.score : undefined;
}

const STATE = /^(SCORED|PENDING_SCORE|UNSCORABLE)$/;

/**
 * Counts what cannot be understood of a record's score.
 * @param numbers members of the score that are read
 */
export function countScoreFaults(record: PayloadObject, numbers: readonly string[], tally: Tally): void {
  countUnreadable(
    record,
    { score_state: STATE, ...(record.score_state === 'SCORED' && { score: 'object' }) },
    tally.fault,
  );
  const score = scoreOf(record);
  if (score) countUnreadable(score, membersOf('number', numbers), (name) => tally.fault(`score.${name}`));
}

/** What a health score is made of. */
export interface ScoreParts {
  /** Begins with what was scored and a slash, so that scores of one window can be replaced. */
  externalId: string;
  category: 'sleep' | 'recovery' | 'strain';
  atMs: number;
  offsetMinutes: number | undefined;
  /** Member of the vendor's score that is the value. */
  value: string;
  /** Members that explain it, under their own names. */
  components: readonly string[];
  /** Further facts in words. */
  words?: Readonly<Record<string, string>>;
}

/** A score as the vendor has it now: without a value, and with the state as the reason, until it is scored. */
export function healthScore(record: PayloadObject, parts: ScoreParts): HealthScoreRecord {
  const { externalId, category, atMs, offsetMinutes, words = {} } = parts;
  const score = scoreOf(record);
  const components: Components = {};
  for (const name of parts.components) {
    const value = score && numberOf(score[name]);
    if (value !== undefined) components[name] = { value, qualifier: null };
  }
  for (const [name, qualifier] of Object.entries({ score_state: stateOf(record, score), ...words })) {
    components[name] = { value: null, qualifier };
  }
  return {
    kind: 'health_score',
    source: WHOOP_SOURCE,
    externalId,
    category,
    value: score && numberOf(score[parts.value]),
    atMs,
    offsetMinutes,
    components,
  };
}

function stateOf({ score_state: state }: PayloadObject, score: PayloadObject | undefined): string {
  if (score !== undefined) return 'SCORED';
  return state === 'UNSCORABLE' ? 'UNSCORABLE' : 'PENDING_SCORE';
}
