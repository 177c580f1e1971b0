/** Display names of units. Other units keep the service's name. */
const WRITTEN: Readonly<Record<string, string>> = {
  brpm: 'breaths/min',
  celsius: '°C',
  degrees: '°',
  kg_m2: 'kg/m²',
  liters: 'L',
  m_per_s: 'm/s',
  met: 'MET',
  meters: 'm',
  mg_dl: 'mg/dL',
  minutes: 'min',
  ml_kg_min: 'mL/kg/min',
  percent: '%',
  watts: 'W',
};

/** Returns the display name of a unit, such as `kg/m²` for `kg_m2`. */
export function unitName(unit: string): string {
  return WRITTEN[unit] ?? unit;
}
