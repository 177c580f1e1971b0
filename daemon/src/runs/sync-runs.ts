import type { SyncSource, SyncStage } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { RunOutcome } from './run-states.js';

/** Data of a new run. */
export interface NewRun {
  runId: string;
  userKey: number;
  provider: ProviderId;
  source: SyncSource;
  message?: string;
  metadata?: Record<string, unknown>;
  /** ID of the user whose run also fetches this run's data, because both share a vendor account. */
  primaryUserId?: string;
}

/** The next attempt of a run that waits. */
interface NextTry {
  /** Code of the reason for the attempt. */
  reason: string;
  /** Number of the attempt. The first attempt is 1. */
  attempt: number;
  /** Number of attempts after which the run ends; undefined if unlimited. */
  maxAttempts?: number;
  at: Date;
}

/** Content of a step in addition to its stage. Omitted members do not change. Metadata is merged. */
export interface RunStep {
  message?: string;
  /** Next attempt. Omitted if the run does not wait for an attempt. */
  nextTry?: NextTry;
  /** Progress from 0 to 1. */
  progress?: number;
  itemsProcessed?: number;
  metadata?: Record<string, unknown>;
}

/** Result of recording a step. `gone`: the run or its user was deleted. `refused`: the run has already ended. */
export type StepResult = 'recorded' | 'refused' | 'gone';

/** Stages between `queued` and the final stages. */
export type OpenStage = Exclude<SyncStage, 'queued' | RunOutcome['stage']>;

/** Records the steps of runs. One transaction writes a step's row in sync_run and its event. */
export interface SyncRuns {
  /** Queues a run in the caller's transaction, which must hold the user's row. Call `announce` after the commit. */
  queue(client: pg.ClientBase, run: NewRun): Promise<void>;
  announce(userKey: number): void;
  /** Records a missing queued event in the caller's transaction. */
  reportQueuedIn(client: pg.ClientBase, runId: string): Promise<void>;
  move(runId: string, stage: OpenStage, step?: RunStep): Promise<StepResult>;
  /** Does the same as `move` in the caller's transaction. Call `announce` after the commit. */
  moveIn(client: pg.ClientBase, runId: string, stage: OpenStage, step?: RunStep): Promise<StepResult>;
  finish(runId: string, outcome: RunOutcome, step?: RunStep): Promise<StepResult>;
  /** Does the same as `finish` in the caller's transaction. Call `announce` after the commit. */
  finishIn(client: pg.ClientBase, runId: string, outcome: RunOutcome, step?: RunStep): Promise<StepResult>;
}
