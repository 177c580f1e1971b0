import { type ReactNode, Suspense, useEffect, useState } from 'react';

interface WhenLoadedProps {
  /** From `loadPart`. */
  part: { load: () => Promise<void> };
  /** Shown until then. */
  meanwhile?: ReactNode;
  /** The part, which throws to the boundary around it when its file is not there. */
  children: ReactNode;
}

/** Shows a part of the console as soon as it is loaded: after a fallback of its own, React would wait until 300 ms are over. */
export function WhenLoaded({ part, meanwhile, children }: WhenLoadedProps) {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    void part.load().then(() => setLoaded(true));
  }, [part]);
  return isLoaded ? <Suspense fallback={meanwhile}>{children}</Suspense> : meanwhile;
}
