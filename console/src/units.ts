/** Units as people write them; any other stands as the service names it. */
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

/** A unit as people write it: `kg/m²` of `kg_m2`. */
export function unitName(unit: string): string {
  return WRITTEN[unit] ?? unit;
}
