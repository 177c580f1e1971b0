import { useEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Scrolls to the top after a link. The browser restores the position for back and forward. */
export function useScrollToTop(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with each navigation
  useEffect(() => {
    if (how === 'PUSH') scrollTo(0, 0);
  }, [key, how]);
}
