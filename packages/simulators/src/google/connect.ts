import type { GoogleControl } from './control.js';
import type { GoogleSimulator } from './simulator.js';

/** A simulator that another process runs. Its `close` leaves it running. */
export async function connectGoogleSimulator(origin: string): Promise<GoogleSimulator> {
  const response = await fetch(`${origin}/control`);
  if (!response.ok) throw new Error(`no simulator answers at ${origin}`);
  const facts = (await response.json()) as Omit<GoogleSimulator, 'control' | 'close'>;
  return { ...facts, control: remoteControl(`${origin}/control`), close: async () => undefined };
}

function remoteControl(url: string): GoogleControl {
  const call = async (name: string, args: unknown[]) => {
    const response = await fetch(`${url}/${name}`, { method: 'POST', body: JSON.stringify(args) });
    const value: unknown = await response.json();
    if (!response.ok) throw new Error(`${name}: ${(value as { error?: string }).error ?? response.status}`);
    return value ?? undefined;
  };
  // A proxy, so that a method added to the interface needs no second list here.
  return new Proxy({} as GoogleControl, {
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(String(name), args)),
  });
}
