import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { heldIn, type Prerequisite, PrerequisiteMissingError } from '../../platform/database/index.js';
import { type DecisionInput, type DecisionName, type DecisionOutput, decisionOf } from '../decide/decisions.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { WriteContext } from '../facts/write-context.js';
import { DecideLimitError, type DecideThread, type DecideThreads } from './decide-threads.js';

/** A transaction that makes decisions. Maintenance of stored data has no thread. */
export interface DecidingContext extends WriteContext {
  thread?: BatchThread;
}

/**
 * Returns the resource that a transaction must acquire before it locks the user; undefined if all batches are small.
 */
export function threadFor(threads: DecideThreads, batches: readonly RecordBatch[]): Prerequisite | undefined {
  const isLarge = ({ samples, records }: RecordBatch) => samples.length + records.length > threads.inlineItems;
  return batches.some(isLarge) ? (threads as Prerequisite) : undefined;
}

/** Thread that the transaction acquired, if any, and the batch's remaining time in it. */
export class BatchThread {
  readonly #thread: DecideThread | undefined;
  #leftMs: number;

  constructor(
    client: pg.ClientBase,
    private readonly threads: DecideThreads,
  ) {
    this.#thread = heldIn(client, threads);
    this.#leftMs = threads.limitMs;
  }

  /** True for a decision that is too large for the main thread. */
  takes(items: number): boolean {
    return items > this.threads.inlineItems;
  }

  /** @throws PrerequisiteMissingError, DecideLimitError */
  async decide<Name extends DecisionName>(
    name: Name,
    input: DecisionInput<Name>,
    timeline: OffsetTimeline,
  ): Promise<DecisionOutput<Name>> {
    if (!this.#thread) throw new PrerequisiteMissingError(this.threads as Prerequisite);
    if (this.#leftMs <= 0) throw new DecideLimitError('time');
    const since = performance.now();
    try {
      return await this.#thread.decide(name, input, { timeline, limitMs: this.#leftMs });
    } finally {
      this.#leftMs -= performance.now() - since;
    }
  }
}

/** Makes small decisions on the main thread and large decisions in the batch's thread. */
export function decide<Name extends DecisionName>(
  { thread, timeline, turns }: DecidingContext,
  name: Name,
  input: DecisionInput<Name>,
): Promise<DecisionOutput<Name>> {
  const decision = decisionOf(name);
  if (thread?.takes(decision.sizeOf(input))) return thread.decide(name, input, timeline);
  return turns.run(decision.decide(input, timeline));
}
