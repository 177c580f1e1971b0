import { connectSimulator } from '../remote-control.js';
import type { WhoopSimulator } from './simulator.js';

/** Connects to a simulator in another process. Its `close` does not stop the simulator. */
export const connectWhoopSimulator = (origin: string) => connectSimulator<WhoopSimulator>(origin);
