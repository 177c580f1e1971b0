/**
 * Polar's circadian bedtime quality, 1 to 3, is a score of its own and no longer one of the category `sleep`. A Polar device
 * whose model had no known word became `other`; it is a watch, unless its name is that of a sensor.
 */
export const polarScores = {
  name: '2026-11-27_60_polar_scores',
  sql: `
update health_score set category = 'sleep_timing', updated_at = now()
 where provider = 'polar' and category = 'sleep' and components ? 'sleep_gate_start';

update data_source set device_type = 'watch', updated_at = now()
 where device_type = 'other' and device_model ~* '^\\s*polar\\M'
   and device_model !~* '\\m(hrm|h9|h10|oh1|verity)(?![a-z])';
`,
};
