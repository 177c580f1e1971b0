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
 * A page, a tab or a dialog that is loaded when it is opened first. It throws a {@link PartNotLoadedError} to the boundary
 * around it when its file is not there, as after an update of the service under an open page.
 */
export function loadPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      throw new PartNotLoadedError(await isOutdated(), error);
    }
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
