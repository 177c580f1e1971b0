import { Random } from '../random.js';
import type { Call, Role } from './call.js';

/** How often a planned fault hits the requests that it is for. */
export interface FaultLimits {
  /** How many requests it hits; null: all. Default 1. */
  times?: number | null;
  /** How many matching requests pass before it hits. Default 0. */
  after?: number;
  /** Share of the matching requests that it hits, 0 to 1, drawn from a seeded sequence. Default 1. */
  probability?: number;
  /** Seed of that sequence. Default 1. */
  seed?: number;
}

/** Requests that a fault is for; members that are given must all hold. */
export interface FaultTarget extends FaultLimits {
  /** Default `api`. */
  role?: Role;
  /** A part of path and query. */
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

/** What is to go wrong, in the order in which it was planned. */
export class FaultPlan<F extends FaultLimits, C> {
  private planned: Planned<F>[] = [];
  private count = 0;

  /** @param matches whether a fault is for a request */
  constructor(private readonly matches: (fault: F, call: C) => boolean) {}

  /** @returns the fault's id */
  add(fault: F): string {
    const id = `fault-${++this.count}`;
    this.planned.push({ id, fault, met: 0, fired: 0, random: new Random('fault', fault.seed ?? 1) });
    return id;
  }

  /** The fault that hits a request; it counts as fired. */
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

/** Whether a request is one of those that a fault is for. */
export function isTarget({ role = 'api', path = '', account }: FaultTarget, call: Call): boolean {
  if (call.role !== role || !`${call.path}?${call.query}`.includes(path)) return false;
  return account === undefined || call.account === account;
}
