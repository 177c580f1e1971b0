import { remoteControl } from '../remote-control.js';
import type { WhoopControl } from './control.js';
import type { WhoopSimulator } from './simulator.js';

/** A simulator that another process runs. Its `close` leaves it running. */
export async function connectWhoopSimulator(origin: string): Promise<WhoopSimulator> {
  const response = await fetch(`${origin}/control`);
  if (!response.ok) throw new Error(`no simulator answers at ${origin}`);
  const facts = (await response.json()) as Omit<WhoopSimulator, 'control' | 'close'>;
  return { ...facts, control: remoteControl<WhoopControl>(`${origin}/control`), close: async () => undefined };
}
