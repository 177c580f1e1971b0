import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { SampleRows } from '../facts/samples/sample-rows.js';
import { type AddedPieces, supersedeStored } from './condensed.js';
import { Identified, type SampleDecision } from './identified.js';
import { decideSamples, type SampleSnapshot } from './samples.js';
import { type DecidedRecords, decideRecords, type RecordsToDecide } from './records.js';
import { type DecidedSleep, decideSleep, type SleepSnapshot } from './sleep.js';
import { type DecidedStages, decideStages, type StageSnapshot } from './stages.js';
import type { ArrivingStage } from '../facts/sleep/stages.js';

/** A batch's samples and the stored samples around them. */
interface SamplesToDecide {
  rows: SampleRows;
  positions: Uint32Array;
  snapshot: SampleSnapshot;
}

/** New rows that may be pieces of stored condensed samples. */
interface PiecesToDecide {
  decision: SampleDecision;
  /** Windows with new rows and the stored samples around each window. */
  windows: readonly { added: AddedPieces; stored: SampleRows }[];
}

/** A batch's sleep stages and their stored versions. */
interface StagesToDecide {
  arriving: readonly ArrivingStage[];
  snapshot: StageSnapshot;
  fromFile: boolean;
  keepStored: boolean;
}

/**
 * Decisions that can run in a thread, because input and output are plain data. Each decision yields at points where its
 * caller may run other work. `sizeOf` counts the items that a decision compares.
 */
const DECISIONS = {
  samples: {
    sizeOf: ({ rows, snapshot: { totals, around, windows, readings } }: SamplesToDecide) =>
      [totals, ...[...around, ...windows].map(({ stored }) => stored), ...readings].reduce(
        (size, stored) => size + stored.length,
        rows.length,
      ),
    *decide({ rows, positions, snapshot }: SamplesToDecide, timeline: OffsetTimeline): Generator<void, SampleDecision> {
      const identified = yield* decideSamples({ rows, positions }, snapshot, timeline);
      return identified.decision;
    },
  },
  pieces: {
    sizeOf: ({ decision, windows }: PiecesToDecide) =>
      windows.reduce((size, { stored }) => size + stored.length, decision.rows.length),
    *decide({ decision, windows }: PiecesToDecide): Generator<void, SampleDecision> {
      const identified = new Identified(decision);
      for (const { added, stored } of windows) {
        yield;
        supersedeStored(identified, added, stored);
      }
      return decision;
    },
  },
  stages: {
    sizeOf: ({ arriving, snapshot }: StagesToDecide) => arriving.length + snapshot.stored.length,
    decide: ({ arriving, snapshot, ...options }: StagesToDecide): Generator<void, DecidedStages> =>
      decideStages(arriving, snapshot, options),
  },
  records: {
    sizeOf: ({ items: { nights, workouts, cycles, scores }, snapshot }: RecordsToDecide) =>
      [nights.rows, workouts.rows, cycles.rows, scores.rows, snapshot.nights.alike, snapshot.workouts.alike].reduce(
        (size, rows) => size + rows.length,
        0,
      ),
    decide: (records: RecordsToDecide, timeline: OffsetTimeline): Generator<void, DecidedRecords> =>
      decideRecords(records, timeline),
  },
  sleep: {
    sizeOf: ({ groups, near }: SleepSnapshot) => groups.reduce((size, stages) => size + stages.length, near.length),
    decide: (snapshot: SleepSnapshot, timeline: OffsetTimeline): Generator<void, DecidedSleep> =>
      decideSleep(snapshot, timeline),
  },
};

export type DecisionName = keyof typeof DECISIONS;
export type DecisionInput<Name extends DecisionName> = Parameters<(typeof DECISIONS)[Name]['decide']>[0];
export type DecisionOutput<Name extends DecisionName> =
  ReturnType<(typeof DECISIONS)[Name]['decide']> extends Generator<void, infer Output> ? Output : never;

export interface Decision<Input, Output> {
  sizeOf(input: Input): number;
  decide(input: Input, timeline: OffsetTimeline): Generator<void, Output>;
}

export function decisionOf<Name extends DecisionName>(name: Name): Decision<DecisionInput<Name>, DecisionOutput<Name>> {
  return DECISIONS[name] as unknown as Decision<DecisionInput<Name>, DecisionOutput<Name>>;
}
