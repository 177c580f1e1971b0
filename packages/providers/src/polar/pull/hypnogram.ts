import { MS_PER_MINUTE, type SleepStage } from '@healthd/model';
import { numberOf, type PayloadObject } from '../../payload/index.js';
import { offsetOfTime } from '../../rest/index.js';
import { clockOfNight } from './wall-clock.js';
import { byTimeOfDay, instantOfWall, wallMinute } from './wall-time.js';

/** The vendor has two depths of light sleep. */
const STAGES: Readonly<Record<number, SleepStage>> = {
  0: 'awake',
  1: 'rem',
  2: 'light',
  3: 'light',
  4: 'deep',
  5: 'unknown',
};

/** True if the vendor's code of a stage is known. */
export function isStageCode(code: unknown): boolean {
  return STAGES[numberOf(code) ?? Number.NaN] !== undefined;
}

/** Stages of a night: each begins at its time of day and lasts until the next one, the last until waking. */
export function stagesOf(
  { hypnogram, sleep_start_time: start, sleep_end_time: end }: PayloadObject,
  startMs: number,
  endMs: number,
) {
  const clock = clockOfNight(start, end);
  const fromMs = wallMinute(startMs + (offsetOfTime(start) ?? 0) * MS_PER_MINUTE);
  const begins = byTimeOfDay(hypnogram, fromMs)
    .map(({ wallMs, value }) => ({
      stage: STAGES[numberOf(value) ?? Number.NaN],
      // The first one has the minute of falling asleep alone.
      atMs: Math.max(startMs, instantOfWall(wallMs, clock.offsetAt(wallMs) ?? 0)),
    }))
    .sort((a, b) => a.atMs - b.atMs);
  const stages: { stage: SleepStage; startMs: number; endMs: number }[] = [];
  for (const [n, { stage, atMs }] of begins.entries()) {
    const untilMs = Math.min(begins[n + 1]?.atMs ?? endMs, endMs);
    const last = stages.at(-1);
    if (stage === undefined || atMs >= untilMs) continue;
    if (last?.stage === stage && last.endMs === atMs) last.endMs = untilMs;
    else stages.push({ stage, startMs: atMs, endMs: untilMs });
  }
  // A night without a recognized stage has no stages.
  return stages.some(({ stage }) => stage !== 'unknown') ? stages : undefined;
}
