import { useEffect } from 'react';

/** Names the page in the browser's tab and history, the special part first. */
export function usePageTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'healthd'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
