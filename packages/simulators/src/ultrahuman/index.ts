export {
  type UltrahumanForms,
  type NightForm as UltrahumanNightForm,
  writtenNight as writtenUltrahumanNight,
} from './forms.js';
export type { RingDay as UltrahumanDay } from './life.js';
export { startUltrahumanSimulator, type UltrahumanSimulator } from './start.js';
