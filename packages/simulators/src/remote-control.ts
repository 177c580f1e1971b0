/**
 * Connects to a simulator in another process. The result's `close` does not stop the simulator.
 * @throws if no simulator responds
 */
export async function connectSimulator<Simulator extends { control: object; close(): Promise<void> }>(
  origin: string,
): Promise<Simulator> {
  const response = await fetch(`${origin}/control`).catch(() => undefined);
  if (!response?.ok) throw new Error(`no simulator responds at ${origin}`);
  const facts = (await response.json()) as object;
  return { ...facts, control: remoteControl(`${origin}/control`), close: async () => undefined } as Simulator;
}

/** Controls a simulator in another process. @param url URL of the simulator's `/control` */
function remoteControl<Control extends object>(url: string): Control {
  const call = async (name: string, args: unknown[]) => {
    const response = await fetch(`${url}/${name}`, { method: 'POST', body: JSON.stringify(args) });
    const value: unknown = await response.json();
    if (!response.ok) throw new Error(`${name}: ${(value as { error?: string }).error ?? response.status}`);
    return value ?? undefined;
  };
  // Uses a proxy, so that this file does not repeat the interface's methods.
  return new Proxy({} as Control, {
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(String(name), args)),
  });
}
