import type { HealthdClient } from '@healthd/client';
import type { z } from 'zod';
import { failureOf } from '../failure.js';

/** Context of a tool. */
export interface ToolContext {
  client: HealthdClient;
  /** Aborts when the assistant stops waiting for the result. */
  signal: AbortSignal;
}

/** One tool of the server. Its name, parameters and result members never change, because assistants use them. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodRawShape;
  /** True if the result contains no text from users, apps or vendors. */
  hasOwnTextOnly?: boolean;
  run(context: ToolContext, input: unknown): Promise<object>;
}

/** Declares a tool whose `run` gets validated parameters. */
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

/** Converts a failure to a result: `error` as text and optional `details`. */
export function failureResult(error: unknown): { error: string; details?: string } {
  const { message, hint, requestId } = failureOf(error);
  const details = [hint, requestId && `Request id: ${requestId}.`].filter(Boolean).join(' ');
  return details ? { error: message, details } : { error: message };
}
