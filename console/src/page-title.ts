import { useEffect } from 'react';

/** Sets the page title in the browser's tab and history, most specific part first. */
export function usePageTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'healthd'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
