import { MS_PER_MINUTE } from './time/units.js';
/** One spelling of a unit: `value * multiply / divide` is the value in the base unit of its quantity. */
export interface UnitDefinition {
  quantity: string;
  multiply: number;
  divide: number;
  /** Added to the value before scaling; temperatures only. */
  shift: number;
}

type Scale = number | { per: number } | { multiply?: number; per?: number; shift: number };

/** Milligrams per deciliter in one millimole per liter of glucose: a tenth of the molar mass, 180.15588 g/mol. */
const GLUCOSE_MG_DL_PER_MMOL_L = 18.015588;

/**
 * Spellings by quantity. Every number is the factor to the first unit of its row, exact by definition (mile 1609.344 m,
 * pound 0.45359237 kg, thermochemical calorie 4.184 J) or customary for health data. `per` divides instead, so that
 * kilojoules and minutes keep all digits. The names are from Apple's exports, the mobile push clients and our series.
 */
const QUANTITIES: Record<string, Record<string, Scale>> = {
  length: {
    m: 1,
    meters: 1,
    km: 1000,
    cm: { per: 100 },
    mm: { per: 1000 },
    mi: 1609.344,
    ft: 0.3048,
    in: 0.0254,
    yd: 0.9144,
  },
  mass: {
    kg: 1,
    g: { per: 1e3 },
    mg: { per: 1e6 },
    mcg: { per: 1e9 },
    lb: 0.45359237,
    oz: 0.028349523125,
    st: 6.35029318,
  },
  energy: { kcal: 1, Cal: 1, cal: { per: 1000 }, kJ: { per: 4.184 }, J: { per: 4184 } },
  speed: {
    'm/s': 1,
    m_per_s: 1,
    'km/hr': { per: 3.6 },
    'km/h': { per: 3.6 },
    'mi/hr': 0.44704,
    'ft/s': 0.3048,
    'ft/min': 0.00508,
    'm/min': { per: 60 },
  },
  temperature: { degC: 1, celsius: 1, degF: { shift: -32, per: 1.8 }, K: { shift: -273.15 } },
  pressure: {
    mmHg: 1,
    kPa: 7.50061683,
    Pa: 0.00750061683,
    cmAq: 0.73555912,
    inHg: 25.4,
    atm: 760,
  },
  volume: {
    mL: 1,
    L: 1000,
    liters: 1000,
    dL: 100,
    fl_oz_us: 29.5735296,
    fl_oz_imp: 28.4130625,
    cup_us: 236.588236,
    cup_imp: 284.130625,
    pt_us: 473.176473,
    pt_imp: 568.26125,
  },
  time: {
    min: 1,
    minutes: 1,
    s: { per: 60 },
    seconds: { per: 60 },
    ms: { per: MS_PER_MINUTE },
    hr: 60,
    d: 1440,
  },
  rate: {
    'count/min': 1,
    bpm: 1,
    BPM: 1,
    brpm: 1,
    rpm: 1,
    spm: 1,
    'count/s': 60,
    'count/hr': { per: 60 },
  },
  glucose: { 'mg/dL': 1, mg_dl: 1, 'mmol/L': GLUCOSE_MG_DL_PER_MMOL_L },
  metabolicEquivalent: { met: 1, 'kcal/hr*kg': 1, 'kcal/kg*hr': 1, 'kcal/kg/hr': 1 },
  oxygenUptake: {
    ml_kg_min: 1,
    'mL/min*kg': 1,
    'ml/min*kg': 1,
    'mL/kg*min': 1,
    'ml/kg*min': 1,
    'mL/kg/min': 1,
    'ml/kg/min': 1,
  },
  sound: { dB: 1, dBASPL: 1, dBHL: 1 },
  conductance: { mcS: 1, uS: 1, S: 1e6 },
  count: { count: 1 },
  insulin: { IU: 1 },
  power: { W: 1, watts: 1 },
  flow: { 'L/min': 1 },
  score: { score: 1 },
  effort: { appleEffortScore: 1 },
  percent: { percent: 1 },
  bodyMassIndex: { kg_m2: 1 },
  age: { years: 1 },
  angle: { degrees: 1 },
};

/** Definitions of all known spellings of units. */
export const UNITS: ReadonlyMap<string, UnitDefinition> = new Map(
  Object.entries(QUANTITIES).flatMap(([quantity, spellings]) =>
    Object.entries(spellings).map(([unit, scale]): [string, UnitDefinition] => [unit, definition(quantity, scale)]),
  ),
);

/**
 * Further quantities that a series unit accepts, because the contract has no unit for them. Electrodermal activity and
 * insulin are stored under `count`, physical effort and effort ratings under `score`, and a body-mass index arrives as
 * a plain count. The value is in the quantity's base unit (mcS, IU, MET).
 */
export const QUANTITIES_STORED_UNDER: Readonly<Record<string, readonly string[]>> = {
  count: ['conductance', 'insulin'],
  score: ['metabolicEquivalent', 'effort'],
  kg_m2: ['count'],
};

function definition(quantity: string, scale: Scale): UnitDefinition {
  if (typeof scale === 'number') return { quantity, multiply: scale, divide: 1, shift: 0 };
  if (!('shift' in scale)) return { quantity, multiply: 1, divide: scale.per, shift: 0 };
  return { quantity, multiply: scale.multiply ?? 1, divide: scale.per ?? 1, shift: scale.shift };
}
