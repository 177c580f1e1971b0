/** The control of a simulator that another process runs. @param url its `/control` */
export function remoteControl<Control extends object>(url: string): Control {
  const call = async (name: string, args: unknown[]) => {
    const response = await fetch(`${url}/${name}`, { method: 'POST', body: JSON.stringify(args) });
    const value: unknown = await response.json();
    if (!response.ok) throw new Error(`${name}: ${(value as { error?: string }).error ?? response.status}`);
    return value ?? undefined;
  };
  // A proxy, so that a method added to the interface needs no second list here.
  return new Proxy({} as Control, {
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(String(name), args)),
  });
}
