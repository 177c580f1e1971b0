import { type Answer, json } from './answer.js';

/**
 * Handles `POST /control/<method>` with an array of arguments. Responds with the method's result as JSON, null for
 * nothing.
 */
export async function handleControl(
  control: object,
  call: { method: string; path: string; body: string },
): Promise<Answer> {
  const name = call.path.replace('/control/', '');
  if (call.method !== 'POST' || !Object.hasOwn(control, name)) {
    return json(404, { error: `POST /control/<method>; methods: ${Object.keys(control).join(', ')}` });
  }
  try {
    const args: unknown = call.body === '' ? [] : JSON.parse(call.body);
    if (!Array.isArray(args)) return json(400, { error: 'The body must be the JSON array of the arguments.' });
    const method = (control as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!;
    return json(200, (await method(...args.map((arg) => arg ?? undefined))) ?? null);
  } catch (error) {
    return json(400, { error: error instanceof Error ? error.message : 'failed' });
  }
}
