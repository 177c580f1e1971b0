import { useEffect, useState } from 'react';

const STEP_MS = 15_000;

/** Milliseconds since the epoch, kept up to date while something counts down. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
