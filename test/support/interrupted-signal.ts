/** Returns the signal of a process that ends after its work has checked the signal this many times. */
export function interruptedAfter(times: number, reason = new Error('killed')): AbortSignal {
  const controller = new AbortController();
  let left = times;
  return new Proxy(controller.signal, {
    get(target, name) {
      if (name === 'throwIfAborted' && --left < 0) controller.abort(reason);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
