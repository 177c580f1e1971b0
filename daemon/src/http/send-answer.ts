import type { RouteSpec } from '@healthd/api';
import type { Request, Response } from 'express';
import { StreamedAnswer } from './binding.js';

/** Sends what a handler returned. @param check compares it with the declaration first */
export async function sendAnswer(
  route: RouteSpec,
  request: Request,
  response: Response,
  answer: unknown,
  check: boolean,
): Promise<void> {
  if (response.headersSent) return;
  response.status(route.status);
  if (answer instanceof StreamedAnswer) return sendStream(request, response, answer);
  if (route.status === 204) {
    response.end();
    return;
  }
  if (check && route.response) route.response.parse(answer);
  response.json(answer);
}

async function sendStream(request: Request, response: Response, answer: StreamedAnswer): Promise<void> {
  response.set(answer.headers);
  if (request.method === 'HEAD') {
    await answer.chunks[Symbol.asyncIterator]().return?.();
    response.end();
    return;
  }
  // A listener of events must learn that it is connected before the first event. Other answers keep their headers back,
  // so that a failure before the first byte is still answered as one.
  if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) response.flushHeaders();
  for await (const chunk of answer.chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk) && !response.destroyed) await drained(response);
  }
  response.end();
}

/** Waits until the client has taken what was written, or has left. */
function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
