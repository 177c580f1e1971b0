import { MS_PER_MINUTE, MS_PER_SECOND, type SleepStage } from '@healthd/model';
import type { PayloadObject } from '../../payload/index.js';

const STAGES: Readonly<Record<string, SleepStage>> = { 1: 'deep', 2: 'light', 3: 'rem', 4: 'awake' };
/** Strings of stages, the finest first, with the time that a character stands for. */
const STRINGS = [
  ['sleep_phase_30_sec', 30 * MS_PER_SECOND],
  ['sleep_phase_5_min', 5 * MS_PER_MINUTE],
] as const;

/** Stages of a night, one character after the other from its start; the string may run on beyond its end. */
export function stagesOf(record: PayloadObject, startMs: number, endMs: number) {
  for (const [member, stepMs] of STRINGS) {
    const phases = record[member];
    if (typeof phases !== 'string' || phases === '') continue;
    const stages: { stage: SleepStage; startMs: number; endMs: number }[] = [];
    for (let n = 0; n < phases.length && startMs + n * stepMs < endMs; n++) {
      const stage = STAGES[phases.charAt(n)] ?? 'unknown';
      const from = startMs + n * stepMs;
      const until = Math.min(from + stepMs, endMs);
      const last = stages.at(-1);
      if (last?.stage === stage && last.endMs === from) last.endMs = until;
      else stages.push({ stage, startMs: from, endMs: until });
    }
    return stages;
  }
  return undefined;
}
