import { useEffect, useState } from 'react';

const STEP_MS = 15_000;

/** Returns the current time in milliseconds. Updates every 15 seconds. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
