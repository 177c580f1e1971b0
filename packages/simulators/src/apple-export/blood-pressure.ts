import { Random } from '../random.js';
import { type Line, sourceAttributes } from './record-lines.js';
import type { DayContext, DayWriter } from './series-records.js';

const QUANTITY = 'HKQuantityTypeIdentifierBloodPressure';

/**
 * Writers of the cuff's readings. Like real files, the export contains them at the top level and again in a
 * correlation.
 */
export const writeSystolic: DayWriter = (context) => write(context, 0);
export const writeDiastolic: DayWriter = (context) => write(context, 1);

/** Writes correlations, which repeat both readings. */
export const writeBloodPressure: DayWriter = (context) => {
  const pair = reading(context);
  if (!pair) return;
  const { lines } = context;
  const at = lines.calendar.text(pair[0].startMs);
  lines.raw(
    ` <Correlation type="HKCorrelationTypeIdentifierBloodPressure" ${sourceAttributes('cuff')} creationDate="${at}" startDate="${at}" endDate="${at}">\n` +
      pair.map((line) => `  ${lines.element(line)}\n`).join('') +
      ' </Correlation>\n',
  );
};

function write(context: DayContext, which: 0 | 1): void {
  const pair = reading(context);
  if (pair) context.lines.add(pair[which]);
}

function reading({ seed, plan }: DayContext): [Line, Line] | undefined {
  const random = new Random(seed, plan.day.number, 'cuff');
  if (!random.chance(0.3)) return undefined;
  const startMs = plan.night.endMs + 1_500_000;
  const common = { device: 'cuff', unit: 'mmHg', startMs } as const;
  return [
    { ...common, type: `${QUANTITY}Systolic`, value: random.integer(108, 128) },
    { ...common, type: `${QUANTITY}Diastolic`, value: random.integer(66, 82) },
  ];
}
