// Questions to the service: an answer is whole, or there is none.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ask, cancelled, Problem, Unreachable } from '../src/service/client';

const answering = (response: Response) => {
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('fetch', () => Promise.resolve(response));
};

/** A body that ends in the middle, by whatever fault. */
const broken = (fault: unknown) =>
  new ReadableStream({
    start: (body) => {
      body.enqueue(new TextEncoder().encode('{"safe": ['));
      body.error(fault);
    },
  });

afterEach(() => void vi.unstubAllGlobals());

describe('an answer', () => {
  it('is what was sent', async () => {
    answering(Response.json({ safe: [] }));
    expect(await ask('analyze', {})).toEqual({ safe: [] });
  });

  it('that is cancelled while it comes is none, however much of it is there', async () => {
    const control = new AbortController();
    answering(new Response(broken(new DOMException('stopped', 'AbortError'))));
    control.abort();
    await expect(ask('analyze', {}, control.signal)).rejects.toSatisfy(cancelled);
  });

  it('that breaks off is asked for again', async () => {
    answering(new Response(broken(new TypeError('network'))));
    await expect(ask('analyze', {})).rejects.toBeInstanceOf(Unreachable);
  });

  it('that is a refusal tells why, or at least its status', async () => {
    answering(Response.json({ detail: 'no board' }, { status: 422 }));
    await expect(ask('analyze', {})).rejects.toThrow('no board');
    answering(new Response('<html>', { status: 500 }));
    await expect(ask('analyze', {})).rejects.toBeInstanceOf(Problem);
  });
});
