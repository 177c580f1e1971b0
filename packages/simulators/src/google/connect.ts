import { connectSimulator } from '../remote-control.js';
import type { GoogleSimulator } from './simulator.js';

/** A simulator that another process runs. Its `close` leaves it running. */
export const connectGoogleSimulator = (origin: string) => connectSimulator<GoogleSimulator>(origin);
