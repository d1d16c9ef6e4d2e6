// Questions to the service. An answer is JSON; what went wrong is a Problem (RFC 9457) with a sentence for
// people; no answer at all is Unreachable, after which the same question may be asked again.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** The service said why it does not answer. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly fields: JsonObject,
  ) {
    const detail = fields['detail'] ?? fields['title'];
    super(typeof detail === 'string' ? detail : `the service answered with status ${status}`);
  }
}

/** The service cannot be reached now, or has too much to do: ask again after some seconds. */
export class Unreachable extends Error {
  constructor(
    message: string,
    readonly seconds = 1,
  ) {
    super(message);
  }
}

export type Progress = (done: number, of: number) => void;

/** Where the service is: beside the page, unless the page says otherwise. */
export function base(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="msat-service"]');
  return (meta?.content ?? '').replace(/\/$/, '');
}

/** Asks, and waits for the whole answer. With `progress` the answer is a stream of events. */
export async function ask<T>(
  path: string,
  question: object,
  signal?: AbortSignal,
  progress?: Progress,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${base()}/api/v1/${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: progress ? 'text/event-stream, application/json' : 'application/json',
      },
      body: JSON.stringify(question),
      credentials: 'omit',
      ...(signal ? { signal } : {}),
    });
    if ((response.headers.get('Content-Type') ?? '').startsWith('text/event-stream')) {
      return (await events(response, progress)) as T;
    }
    return await whole<T>(response);
  } catch (error) {
    throw understood(error, signal);
  }
}

/** Whether the service is up. */
export async function alive(): Promise<boolean> {
  try {
    return (await fetch(`${base()}/healthz`, { cache: 'no-store', credentials: 'omit' })).ok;
  } catch {
    return false;
  }
}

/** Whether the service is still compiling what it plays games by; if it cannot be asked, the next question tells. */
export async function compiling(): Promise<boolean> {
  try {
    const response = await fetch(`${base()}/readyz`, { cache: 'no-store', credentials: 'omit' });
    return response.ok && ((await response.json()) as JsonObject)['compiling'] === true;
  } catch {
    return false;
  }
}

export function cancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function understood(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof Problem || error instanceof Unreachable || cancelled(error)) return error;
  if (signal?.aborted) return new DOMException('out of date', 'AbortError');
  return new Unreachable('The service cannot be reached.');
}

async function whole<T>(response: Response): Promise<T> {
  // An answer that breaks off, as one that is cancelled does, is none: only a refusal may lack its words.
  if (response.ok) return (await response.json()) as T;
  const found = (await response.json().catch(() => ({}))) as JsonObject;
  refuse(response.status, found, Number(response.headers.get('Retry-After') ?? 1));
}

function refuse(status: number, fields: JsonObject, seconds: number): never {
  // A proxy before a service that is not there answers with 502.
  if (status === 429 || status === 502 || status === 503) {
    throw new Unreachable('The service has too much to do.', Math.min(Math.max(seconds || 1, 1), 10));
  }
  throw new Problem(status, fields);
}

/** Reads a stream of events until the one that has the result. */
async function events(response: Response, progress?: Progress): Promise<unknown> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    buffer += value ?? '';
    const blocks = buffer.split(/\r?\n\r?\n/);
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event === null) continue;
      if (event.name === 'result') return event.data;
      if (event.name === 'problem') {
        const fields = event.data as JsonObject;
        refuse(Number(fields['status'] ?? 500), fields, 1);
      }
      const { done: made, of } = event.data as { done?: number; of?: number };
      if (event.name === 'progress' && made !== undefined && of !== undefined) progress?.(made, of);
    }
    if (done) throw new Unreachable('The service ended its answer too soon.');
  }
}

export function parseEvent(block: string): { name: string; data: unknown } | null {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  if (data.length === 0) return null;
  try {
    return { name, data: JSON.parse(data.join('\n')) as unknown };
  } catch {
    return null;
  }
}
