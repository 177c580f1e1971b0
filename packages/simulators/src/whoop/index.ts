export type {
  WhoopAccountInput,
  WhoopControl,
  WhoopSimulator,
  WhoopSimulatorOptions,
} from './simulator.js';
export { connectWhoopSimulator } from './simulator.js';
export { startWhoopSimulator } from './start.js';
export type { WhoopTruth } from './truth.js';
export type { RecordInput as WhoopRecordInput } from './wire-types.js';
