import { isAsleep, MS_PER_SECOND, type SleepSessionRecord, type SleepStage } from '@healthd/model';

/** Sleep figures of a vendor in seconds; undefined if the vendor omits a figure. */
export interface VendorSleepSeconds {
  /** The vendor's total of the time asleep. */
  asleep?: number | undefined;
  awake?: number | undefined;
  deep?: number | undefined;
  light?: number | undefined;
  rem?: number | undefined;
  /** Time asleep in a stage that the vendor could not determine. */
  sleeping?: number | undefined;
}

export type SleepSeconds = Pick<
  SleepSessionRecord,
  'asleepSeconds' | 'awakeSeconds' | 'deepSeconds' | 'lightSeconds' | 'remSeconds'
>;

/**
 * Adds the parts of a total. Returns undefined if a part is missing, because a partial sum would be shown as the total.
 */
export function sumOfParts(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
    0,
  );
}

/**
 * Completes a vendor's sleep figures from its stage intervals. The vendor's figures always win. A stage without a
 * figure gets the sum of its intervals. Without a total, the time asleep is the sum of the stages, and unknown if a
 * stage is missing. An interval of an unknown stage may be any stage, so it counts as a missing part.
 */
export function completeSleepSeconds(
  provided: VendorSleepSeconds,
  stages: SleepSessionRecord['stages'] = [],
): SleepSeconds {
  const measured = secondsByStage(stages);
  const hasGap = provided.sleeping === undefined && stages.some(({ stage }) => stage === 'unknown');
  // If a device distinguishes stages, a stage without an interval lasted 0 s.
  const isStaged = !hasGap && (measured.has('deep') || measured.has('light') || measured.has('rem'));
  const secondsOf = (stage: SleepStage) => measured.get(stage) ?? (isStaged ? 0 : undefined);
  const deep = provided.deep ?? secondsOf('deep');
  const light = provided.light ?? secondsOf('light');
  const rem = provided.rem ?? secondsOf('rem');
  const sleeping = provided.sleeping ?? measured.get('sleeping');
  const hasNoStage = deep === undefined && light === undefined && rem === undefined;
  const hasAllStages = provided.deep !== undefined && provided.light !== undefined && provided.rem !== undefined;
  const sum = hasNoStage ? sleeping : sumOfParts([deep, light, rem, sleeping ?? 0]);
  return {
    asleepSeconds: provided.asleep ?? (hasGap && !hasAllStages ? undefined : sum),
    awakeSeconds: provided.awake ?? secondsOf('awake'),
    deepSeconds: deep,
    lightSeconds: light,
    remSeconds: rem,
  };
}

/** Counts each second once: where two intervals overlap, the earlier interval wins. */
function secondsByStage(stages: NonNullable<SleepSessionRecord['stages']>): Map<SleepStage, number> {
  const seconds = new Map<SleepStage, number>();
  let countedUntilMs = Number.NEGATIVE_INFINITY;
  for (const { stage, startMs, endMs } of stages.toSorted((a, b) => a.startMs - b.startMs)) {
    if (!isAsleep(stage) && stage !== 'awake') continue;
    const fromMs = Math.max(startMs, countedUntilMs);
    if (endMs <= fromMs) continue;
    countedUntilMs = endMs;
    seconds.set(stage, (seconds.get(stage) ?? 0) + (endMs - fromMs) / MS_PER_SECOND);
  }
  return seconds;
}
