import type { NightStage } from './night-plan.js';
import type { DayWriter } from './series-records.js';
import type { TrueNight } from './truth.js';

const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis';
const VALUE = 'HKCategoryValueSleepAnalysis';
const NAMES: Readonly<Record<NightStage, string>> = {
  light: `${VALUE}AsleepCore`,
  deep: `${VALUE}AsleepDeep`,
  rem: `${VALUE}AsleepREM`,
  awake: `${VALUE}Awake`,
};

/** The watch writes stages, the phone's clock the time in bed; they overlap and belong to different sources. */
export const writeSleep: DayWriter = ({ plan: { night, day }, lines }) => {
  const { truth } = lines;
  const nothing = { lightSeconds: 0, deepSeconds: 0, remSeconds: 0, awakeSeconds: 0 };
  const { startMs, endMs } = night.inBed;
  const metadata = [['HKTimeZone', truth.timeZone]] as const;
  lines.add({ type: SLEEP, device: 'sleepApp', value: `${VALUE}InBed`, startMs, endMs, metadata });
  const inBedSeconds = (endMs - startMs) / 1000;
  truth.nights.push({ date: day.date, device: 'sleepApp', startMs, endMs, ...nothing, inBedSeconds });
  const watch: TrueNight = {
    date: day.date,
    device: 'watch',
    startMs: night.startMs,
    endMs: night.endMs,
    ...nothing,
    inBedSeconds: (night.endMs - night.startMs) / 1000,
  };
  for (const { stage, ...interval } of night.stages) {
    watch[`${stage}Seconds`] += (interval.endMs - interval.startMs) / 1000;
    lines.add({ type: SLEEP, device: 'watch', value: NAMES[stage], ...interval, metadata });
  }
  truth.nights.push(watch);
};
