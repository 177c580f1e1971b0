import { remoteControl } from '../remote-control.js';
import type { GoogleControl } from './control.js';
import type { GoogleSimulator } from './simulator.js';

/** A simulator that another process runs. Its `close` leaves it running. */
export async function connectGoogleSimulator(origin: string): Promise<GoogleSimulator> {
  const response = await fetch(`${origin}/control`);
  if (!response.ok) throw new Error(`no simulator answers at ${origin}`);
  const facts = (await response.json()) as Omit<GoogleSimulator, 'control' | 'close'>;
  return { ...facts, control: remoteControl<GoogleControl>(`${origin}/control`), close: async () => undefined };
}
