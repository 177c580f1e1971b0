import type { HealthScoreRecord } from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, type PayloadOf, readPayload } from '../../payload/index.js';
import { WHOOP_SOURCE } from './source.js';

type Components = NonNullable<HealthScoreRecord['components']>;

/** State of a record. An unscored record may lack its score. */
const STATE = z.object({ score_state: z.enum(['SCORED', 'PENDING_SCORE', 'UNSCORABLE']) });

/** The score of a record, and its state. */
export interface WhoopScore<Score = Readonly<Record<string, unknown>>> {
  state: z.output<typeof STATE>['score_state'];
  /** Undefined until the record is scored. */
  score: Score | undefined;
}

/**
 * Reads a record's score. Only the state decides whether the score counts, because an unscored record may still contain
 * a score. A record with an unknown state or without a score is not scored yet.
 */
export function readScore<Shape extends z.ZodRawShape>(
  type: z.ZodObject<Shape>,
  record: PayloadObject,
  tally: Tally,
): WhoopScore<PayloadOf<z.ZodObject<Shape>>> {
  const { score_state: state = 'PENDING_SCORE' } = readPayload(STATE, record, tally.fault);
  const { score } = record;
  if (state !== 'SCORED') return { state, score: undefined };
  if (isObject(score)) return { state, score: readPayload(type, score, (field) => tally.fault(`score.${field}`)) };
  if (score !== undefined && score !== null) tally.fault('score');
  return { state: 'PENDING_SCORE', score: undefined };
}

/** Parts of a health score. */
export interface ScoreParts {
  /** Starts with the scored type and a slash, so that a window's scores can be replaced. */
  externalId: string;
  category: 'sleep' | 'recovery' | 'strain';
  atMs: number;
  offsetMinutes: number | undefined;
  /** Member of the vendor's score that is the value. */
  value: string;
  /** Members that explain the value, under their own names. */
  components: readonly string[];
  /** Further facts as text. */
  words?: Readonly<Record<string, string>>;
}

/**
 * Returns the vendor's current score. Until the record is scored, the score has no value and contains the state as the
 * reason.
 */
export function healthScore({ state, score = {} }: WhoopScore, parts: ScoreParts): HealthScoreRecord {
  const { externalId, category, atMs, offsetMinutes, words = {} } = parts;
  const components: Components = {};
  for (const name of parts.components) {
    const value = numberOf(score[name]);
    if (value !== undefined) components[name] = { value, qualifier: null };
  }
  for (const [name, qualifier] of Object.entries({ score_state: state, ...words })) {
    components[name] = { value: null, qualifier };
  }
  return {
    kind: 'health_score',
    source: WHOOP_SOURCE,
    externalId,
    category,
    value: numberOf(score[parts.value]),
    atMs,
    offsetMinutes,
    components,
  };
}
