export type { RingDay as UltrahumanDay } from './life.js';
export { startUltrahumanSimulator, type UltrahumanSimulator } from './start.js';
