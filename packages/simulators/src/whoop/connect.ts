import { connectSimulator } from '../remote-control.js';
import type { WhoopSimulator } from './simulator.js';

/** A simulator that another process runs. Its `close` leaves it running. */
export const connectWhoopSimulator = (origin: string) => connectSimulator<WhoopSimulator>(origin);
