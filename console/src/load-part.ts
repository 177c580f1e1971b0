import { type ComponentType, lazy } from 'react';

/** A page, a tab or a dialog whose file could not be loaded. */
export class PartNotLoadedError extends Error {
  /** @param isOutdated the service has another build of the console than the one that is open */
  constructor(
    readonly isOutdated: boolean,
    cause: unknown,
  ) {
    super('A part of the console could not be loaded', { cause });
  }
}

/**
 * A page, a tab or a dialog that is loaded when it is shown first, or before by `load`. It throws a
 * {@link PartNotLoadedError} to the boundary around it when its file is not there, as after an update of the service under
 * an open page.
 */
export function loadPart<Props>(read: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const loadNow = async () => {
    loaded = await read();
    return { default: loaded };
  };
  const part = lazy(() => {
    if (loaded) return there({ default: loaded });
    return loadNow().catch(async (error: unknown) => {
      throw new PartNotLoadedError(await isOutdated(), error);
    });
  });
  return Object.assign(part, {
    /** Loads it before it is shown; a failure shows then. */
    load: () =>
      loadNow().then(
        () => undefined,
        () => undefined,
      ),
  });
}

/**
 * A promise that React does not wait for: once it shows that something is loading, it shows what was loaded only 300 ms
 * later.
 */
function there<T>(value: T): Promise<T> {
  const promise = Promise.resolve(value);
  return Object.assign(promise, {
    // biome-ignore lint/suspicious/noThenProperty: React calls it, and takes the value immediately
    then: ((done?: (value: T) => unknown) => {
      done?.(value);
      return promise;
    }) as typeof promise.then,
  });
}

/** Whether the page that the service has now starts another script; false while the service does not answer. */
async function isOutdated(): Promise<boolean> {
  const started = document.querySelector('script[type="module"]')?.getAttribute('src');
  try {
    const page = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return page.ok && !!started && !(await page.text()).includes(started);
  } catch {
    return false;
  }
}
