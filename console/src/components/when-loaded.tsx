import { type ReactNode, Suspense, useEffect, useState } from 'react';

interface WhenLoadedProps {
  /** Part returned by `loadPart`. */
  part: { load: () => Promise<void> };
  /** Fallback while the part loads. */
  fallback?: ReactNode;
  /** Content that renders the part. Rendering throws to the error boundary if the part's file is missing. */
  children: ReactNode;
}

/** Shows a part as soon as it is loaded. React would delay it by 300 ms after a Suspense fallback. */
export function WhenLoaded({ part, fallback, children }: WhenLoadedProps) {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    void part.load().then(() => setLoaded(true));
  }, [part]);
  return isLoaded ? <Suspense fallback={fallback}>{children}</Suspense> : fallback;
}
