import { useEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** A link opens the next page at its top; back and forward leave the place to the browser. */
export function useScrollToTop(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what changes with every step
  useEffect(() => {
    if (how === 'PUSH') scrollTo(0, 0);
  }, [key, how]);
}
