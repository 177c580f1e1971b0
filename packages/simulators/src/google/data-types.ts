/** Location of a type's time: interval, sample time, date, or interval of a session. */
type RecordType = 'interval' | 'sample' | 'daily' | 'session';

type ScopeGroup = 'activity_and_fitness' | 'health_metrics_and_measurements' | 'nutrition' | 'sleep';

/** Computes a window's value from the reconciled stream. Member names match the roll-up's value object. */
type RollUpRule =
  | { kind: 'sum'; member: string }
  | { kind: 'avg'; member: string }
  /** Members `<prefix>Min`, `<prefix>Avg`, `<prefix>Max`. */
  | { kind: 'spread'; prefix: string }
  | { kind: 'zones' }
  | { kind: 'levels' };

export interface DataType {
  /** Kebab case, as in paths, notifications and subscriber configurations. */
  id: string;
  /** Snake case, as in filters. */
  snake: string;
  /** Camel case: name of the payload member of a point. */
  payload: string;
  record: RecordType;
  list: boolean;
  reconcile: boolean;
  get: boolean;
  /** Maximum range of rollUp and dailyRollUp, in days. Undefined if the type has no roll-ups. */
  rollUpDays?: 14 | 90;
  rollUp?: RollUpRule;
  scope: ScopeGroup;
  /** True if subscribers can subscribe to the type. */
  notifies: boolean;
  /** Path of the single value inside the payload. */
  value?: string;
  /** True if that value is a 64-bit integer. Proportional parts of it are then rounded. */
  integer: boolean;
}

const SCOPES: Readonly<Record<string, ScopeGroup>> = {
  A: 'activity_and_fitness',
  H: 'health_metrics_and_measurements',
  N: 'nutrition',
  S: 'sleep',
};

/**
 * id | record | operations (L list, R reconcile, U roll-ups, G get) | scope | W: subscribers can subscribe to it |
 * maximum days of a roll-up | value (# integer) | roll-up. If versions of the vendor's catalog differ, the stricter
 * rule applies. The exception is basal energy, which supports list.
 */
const TABLE = `
steps | interval | LRU | A | W | 90 | #count | sum countSum
distance | interval | LRU | A | W | 90 | #millimeters | sum millimetersSum
total-calories | interval | U | A | - | 14 | kcal | sum kcalSum
active-energy-burned | interval | LRU | A | - | 90 | kcal | sum kcalSum
basal-energy-burned | interval | LR | A | - | - | kcal | -
hydration-log | session | LGRU | N | W | 90 | amountConsumed.milliliters | sum amountConsumed.millilitersSum
floors | interval | RU | A | W | 90 | #count | sum countSum
active-zone-minutes | interval | LRU | A | W | 90 | #activeZoneMinutes | zones
active-minutes | interval | LRU | A | - | 14 | - | levels
activity-level | interval | LR | A | W | - | - | -
altitude | interval | LRU | A | W | 90 | #gainMillimeters | sum gainMillimetersSum
sedentary-period | interval | LRU | A | W | 90 | - | -
time-in-heart-rate-zone | interval | RU | A | W | 90 | - | -
calories-in-heart-rate-zone | interval | U | A | W | 14 | - | -
swim-lengths-data | interval | LRU | A | - | 90 | - | -
heart-rate | sample | LRU | H | W | 14 | #beatsPerMinute | spread beatsPerMinute
daily-resting-heart-rate | daily | LR | H | W | - | #beatsPerMinute | -
heart-rate-variability | sample | LR | H | W | - | rootMeanSquareOfSuccessiveDifferencesMilliseconds | -
daily-heart-rate-variability | daily | LR | H | W | - | averageHeartRateVariabilityMilliseconds | -
daily-heart-rate-zones | daily | R | H | W | - | - | -
oxygen-saturation | sample | LR | H | - | - | percentage | -
daily-oxygen-saturation | daily | LR | H | W | - | averagePercentage | -
run-vo2-max | sample | LRU | A | W | 90 | runVo2Max | spread rate
vo2-max | sample | LR | A | - | - | vo2Max | -
daily-vo2-max | daily | LR | A | - | - | vo2Max | -
daily-respiratory-rate | daily | LR | H | W | - | breathsPerMinute | -
respiratory-rate-sleep-summary | sample | LR | H | W | - | fullSleepStats.breathsPerMinute | -
daily-sleep-temperature-derivations | daily | LR | H | W | - | nightlyTemperatureCelsius | -
core-body-temperature | sample | LGRU | H | - | 90 | temperatureCelsius | spread temperatureCelsius
blood-glucose | sample | LGRU | H | W | 90 | bloodGlucoseMilligramsPerDeciliter | avg bloodGlucoseMilligramsPerDeciliterAvg
weight | sample | LGRU | H | W | 90 | weightGrams | avg weightGramsAvg
height | sample | LGR | H | W | - | #heightMillimeters | -
body-fat | sample | LGRU | H | W | 90 | percentage | avg bodyFatPercentageAvg
sleep | session | LGR | S | W | - | - | -
exercise | session | LGR | A | W | - | - | -
nutrition-log | session | LGRU | N | W | 90 | energy.kcal | sum energy.kcalSum
`;

/** Supported data types by id. */
export const DATA_TYPES: ReadonlyMap<string, DataType> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => readRow(line.split(' | ')))
    .map((type) => [type.id, type]),
);

/**
 * @throws if the catalog has no such type
 */
export function dataTypeCalled(id: string): DataType {
  const type = DATA_TYPES.get(id);
  if (!type) throw new Error(`unknown data type ${id}`);
  return type;
}

/** Returns the page sizes of a type. Sleep and exercise pages have at most 25 items. */
export function pagesOf(type: DataType): { standard: number; maximum: number } {
  return type.id === 'sleep' || type.id === 'exercise'
    ? { standard: 25, maximum: 25 }
    : { standard: 1440, maximum: 10_000 };
}

function readRow(cells: string[]): DataType {
  const [id = '', record, operations = '', scope = '', notifies, days, value = '-', rollUp = '-'] = cells;
  return {
    id,
    snake: id.replaceAll('-', '_'),
    payload: id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    record: record as RecordType,
    list: operations.includes('L'),
    reconcile: operations.includes('R'),
    get: operations.includes('G'),
    rollUpDays: days === '14' ? 14 : days === '90' ? 90 : undefined,
    rollUp: readRule(rollUp),
    scope: SCOPES[scope]!,
    notifies: notifies === 'W',
    value: value === '-' ? undefined : value.replace('#', ''),
    integer: value.startsWith('#'),
  };
}

function readRule(text: string): RollUpRule | undefined {
  const [kind, name = ''] = text.split(' ');
  if (kind === 'sum' || kind === 'avg') return { kind, member: name };
  if (kind === 'spread') return { kind, prefix: name };
  return kind === 'zones' || kind === 'levels' ? { kind } : undefined;
}
