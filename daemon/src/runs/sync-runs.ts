import type { SyncSource, SyncStage } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { RunOutcome } from './run-states.js';

/** What a run is about when it is queued. */
export interface NewRun {
  runId: string;
  userKey: number;
  provider: ProviderId;
  source: SyncSource;
  message?: string;
  metadata?: Record<string, unknown>;
  /** The user whose run fetches the data of this one. */
  primaryUserId?: string;
}

/** The attempt that a run waits for. */
interface NextTry {
  /** Code of what made it necessary. */
  reason: string;
  /** Number of the attempt to come; 1 was the first. */
  attempt: number;
  /** After this many the run ends; undefined where there is no such limit. */
  maxAttempts?: number;
  at: Date;
}

/** What a step says besides its stage; members left out stay as they were, metadata is merged. */
export interface RunStep {
  message?: string;
  /** Left out: the run waits for nothing, or no longer. */
  nextTry?: NextTry;
  /** 0 to 1. */
  progress?: number;
  itemsProcessed?: number;
  metadata?: Record<string, unknown>;
}

/** Whether a step was recorded; `gone`: the run or its user was deleted; `refused`: the run has ended already. */
export type StepResult = 'recorded' | 'refused' | 'gone';

/** Stages between the queue and the end. */
export type OpenStage = Exclude<SyncStage, 'queued' | RunOutcome['stage']>;

/** Records what runs do. Each step is one row of sync_run and one event, in one transaction. */
export interface SyncRuns {
  /** Queues a run inside the caller's transaction, which must hold the user's row. Call `announce` after the commit. */
  queue(client: pg.ClientBase, run: NewRun): Promise<void>;
  announce(userKey: number): void;
  /** Says that a run is queued where that was left out, inside the caller's transaction. */
  reportQueuedIn(client: pg.ClientBase, runId: string): Promise<void>;
  move(runId: string, stage: OpenStage, step?: RunStep): Promise<StepResult>;
  /** As `move` in the caller's transaction. Call `announce` after the commit. */
  moveIn(client: pg.ClientBase, runId: string, stage: OpenStage, step?: RunStep): Promise<StepResult>;
  finish(runId: string, outcome: RunOutcome, step?: RunStep): Promise<StepResult>;
  /** As `finish` in the caller's transaction. Call `announce` after the commit. */
  finishIn(client: pg.ClientBase, runId: string, outcome: RunOutcome, step?: RunStep): Promise<StepResult>;
}
