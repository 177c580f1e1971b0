import type { WorkoutType } from '@healthd/model';
import type { FitReading } from '../fit/index.js';
import { cadenceFactor } from '../rest/index.js';

/** Greatest mean cadence of one leg. A greater mean counts both legs already. */
const MAX_ONE_LEG = { running: 120, walking: 80 };
const WALKS: ReadonlySet<WorkoutType> = new Set(['walking', 'hiking', 'snowshoeing']);

/** Unit in which a file counts steps and cadences. */
interface StepUnit {
  /** Factor from the file's cadence to the stored cadence; undefined if the sports of a workout have different units. */
  cadenceFactor: number | undefined;
  /** Steps of one cycle: two if the file counts one leg. */
  stepsPerCycle: 1 | 2;
}

/** Decides once for a workout if its cadences and steps count one leg or both. */
export function stepUnitOf(
  type: WorkoutType,
  { readings, averageCadence, isWalk = WALKS.has(type) }: CadenceFacts,
): StepUnit {
  const mean = meanCadence(readings) ?? averageCadence ?? 0;
  const countsBothLegs = mean > (isWalk ? MAX_ONE_LEG.walking : MAX_ONE_LEG.running);
  const factor = cadenceFactor(type);
  return { cadenceFactor: factor === 2 && countsBothLegs ? 1 : factor, stepsPerCycle: countsBothLegs ? 1 : 2 };
}

interface CadenceFacts {
  readings: ReadonlyMap<number, FitReading>;
  /** Mean in the file's summary, for files without cadences in their readings. */
  averageCadence?: number | undefined;
  /** True for slow sports on foot. By default, the type determines it. */
  isWalk?: boolean;
}

/** Returns the mean without standstills; undefined without a cadence. */
function meanCadence(readings: ReadonlyMap<number, FitReading>): number | undefined {
  let sum = 0;
  let count = 0;
  for (const { cadence = 0 } of readings.values()) {
    if (cadence <= 0) continue;
    sum += cadence;
    count++;
  }
  return count > 0 ? sum / count : undefined;
}
