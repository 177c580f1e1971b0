/** One message of a server-sent event stream. */
export interface StreamMessage {
  id?: string;
  event?: string;
  /** Empty if the message only updates the resume position. */
  data: string;
}

/** Parses a server-sent event stream. Skips comments, which keep the connection open. */
export async function* messagesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const message = messageOf(frame);
      if (message) yield message;
    }
  }
}

function messageOf(frame: string): StreamMessage | undefined {
  const message: StreamMessage = { data: '' };
  const data: string[] = [];
  for (const line of frame.split(/\r?\n/)) {
    const [, name, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'id') message.id = value;
    else if (name === 'event') message.event = value;
  }
  return data.length === 0 && message.id === undefined ? undefined : { ...message, data: data.join('\n') };
}
