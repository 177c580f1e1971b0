import { type ComponentType, lazy } from 'react';

/** Error for a page, tab or dialog whose file cannot be loaded. */
export class PartNotLoadedError extends Error {
  /** @param isOutdated true if the service has a newer console build than the open page */
  constructor(
    readonly isOutdated: boolean,
    cause: unknown,
  ) {
    super('Cannot load this part of the console', { cause });
  }
}

/**
 * Wraps a page, tab or dialog that loads on first render, or earlier through `load`. Throws a {@link
 * PartNotLoadedError} to the error boundary if its file is missing, for example after a service update.
 */
export function loadPart<Props>(read: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const loadNow = async () => {
    loaded = await read();
    return { default: loaded };
  };
  const part = lazy(() => {
    if (loaded) return resolvedThenable({ default: loaded });
    return loadNow().catch(async (error: unknown) => {
      throw new PartNotLoadedError(await isOutdated(), error);
    });
  });
  return Object.assign(part, {
    /** Loads the part early. An error appears when the part is rendered. */
    load: () =>
      loadNow().then(
        () => undefined,
        () => undefined,
      ),
  });
}

/** Returns a thenable that resolves synchronously, because React delays lazy content by 300 ms after a fallback. */
function resolvedThenable<T>(value: T): Promise<T> {
  const promise = Promise.resolve(value);
  return Object.assign(promise, {
    // biome-ignore lint/suspicious/noThenProperty: React calls it and uses the value immediately
    then: ((done?: (value: T) => unknown) => {
      done?.(value);
      return promise;
    }) as typeof promise.then,
  });
}

/** True if the service's current page loads another script. False if the service does not respond. */
async function isOutdated(): Promise<boolean> {
  const started = document.querySelector('script[type="module"]')?.getAttribute('src');
  try {
    const page = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return page.ok && !!started && !(await page.text()).includes(started);
  } catch {
    return false;
  }
}
