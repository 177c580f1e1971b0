import { Random } from '../random.js';
import type { Call, Role } from './call.js';

/** Selection of the matching requests that a planned fault hits. */
export interface FaultLimits {
  /** Number of requests that the fault hits. Null for all matching requests. Default 1. */
  times?: number | null;
  /** Number of matching requests that pass before the fault. Default 0. */
  after?: number;
  /** Probability that the fault hits a matching request, 0 to 1, from a seeded sequence. Default 1. */
  probability?: number;
  /** Seed of that sequence. Default 1. */
  seed?: number;
}

/** Requests that a fault hits. A request must match `role`, `path` and `account`, if they are set. */
export interface FaultTarget extends FaultLimits {
  /** Default `api`. */
  role?: Role;
  /** Substring of path and query. */
  path?: string;
  account?: string;
}

interface Planned<F> {
  id: string;
  fault: F;
  met: number;
  fired: number;
  random: Random;
}

/** Planned faults, in order of planning. */
export class FaultPlan<F extends FaultLimits, C> {
  private planned: Planned<F>[] = [];
  private count = 0;

  /** @param matches returns true if a fault applies to a request */
  constructor(private readonly matches: (fault: F, call: C) => boolean) {}

  /** @returns the fault's id */
  add(fault: F): string {
    const id = `fault-${++this.count}`;
    this.planned.push({ id, fault, met: 0, fired: 0, random: new Random('fault', fault.seed ?? 1) });
    return id;
  }

  /** Returns the fault that hits a request, and counts it as fired. */
  strike(call: C): F | undefined {
    for (const plan of this.planned) {
      const { times = 1, after = 0, probability = 1 } = plan.fault;
      if (times !== null && plan.fired >= times) continue;
      if (!this.matches(plan.fault, call)) continue;
      plan.met++;
      if (plan.met <= after) continue;
      if (probability < 1 && !plan.random.chance(probability)) continue;
      plan.fired++;
      return plan.fault;
    }
    return undefined;
  }

  all(): { id: string; fault: F; fired: number }[] {
    return this.planned.map(({ id, fault, fired }) => ({ id, fault, fired }));
  }

  clear(): void {
    this.planned = [];
  }
}

/** True if a fault applies to the request. */
export function isTarget({ role = 'api', path = '', account }: FaultTarget, call: Call): boolean {
  if (call.role !== role || !`${call.path}?${call.query}`.includes(path)) return false;
  return account === undefined || call.account === account;
}
