import type { HealthdClient } from '@healthd/client';
import type { z } from 'zod';
import { failureOf } from '../failure.js';

/** What a tool works with. */
export interface ToolContext {
  client: HealthdClient;
  /** Ends when the assistant no longer waits for the result. */
  signal: AbortSignal;
}

/** One tool of the server. Its name, parameters and result members are what assistants know; they do not change. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodRawShape;
  /** True if the result contains nothing that a person, an app or a vendor wrote. */
  hasOwnTextOnly?: boolean;
  run(context: ToolContext, input: unknown): Promise<object>;
}

/** Declares a tool; `run` gets its parameters validated. */
export function defineTool<S extends z.ZodRawShape>(tool: {
  name: string;
  title: string;
  description: string;
  input: S;
  hasOwnTextOnly?: boolean;
  run(context: ToolContext, input: z.output<z.ZodObject<S>>): Promise<object>;
}): Tool {
  return { ...tool, run: (context, input) => tool.run(context, input as z.output<z.ZodObject<S>>) };
}

/** A failure as a result that the assistant can read: `error` in plain words, `details` where there are any. */
export function failureResult(error: unknown): { error: string; details?: string } {
  const { message, hint, requestId } = failureOf(error);
  const details = [hint, requestId && `Request id: ${requestId}.`].filter(Boolean).join(' ');
  return details ? { error: message, details } : { error: message };
}
