// Live analysis: whatever is on the board is asked about, at most one question at a time. A new position
// cancels what is out of date. First come the chances, which are quick, then facts about cells, then, where a
// guess is needed, the candidates and their chance to win. If the service is lost, the last question is kept.
import type { Position } from '../model/position';
import type { Advice, Analysis, CellFacts, Repair } from './answers';
import { alive, ask, cancelled, compiling, Problem, Unreachable } from './client';

export interface Findings {
  readonly position: Position;
  readonly analysis: Analysis | null;
  readonly facts: ReadonlyMap<number, CellFacts> | null;
  readonly advice: Advice | null;
  readonly problem: Problem | null;
  /** What would make an impossible board possible; null if that is not known yet. */
  readonly repairs: readonly Repair[] | null;
}

export type Wish = 'chances' | 'facts' | 'advice';

const PAUSE_BEFORE_FACTS = 60;
const PAUSE_BEFORE_ADVICE = 250;
const PAUSE_WHILE_COMPILING = 1500;
/** Seconds within which candidates come, without their chance to win if need be: a service that has just been
 * started compiles what it plays games by. It is asked for afterwards. */
const SOON = 3;
const KEPT = 40;
/** How long answers about the position before may stay in sight, so that painting does not flicker. */
const LINGERING = 400;
/** Cells by which a position may differ from the one before: more is another board, not a stroke. */
const STROKE = 30;
/** After so long without chances the person is told. */
const SLOW = 4000;

export class Analyst {
  findings: Findings | null = null;
  lost = false;
  /** The service has taken a question, and lets wait for the answer. */
  slow = false;
  /** How much of the weighing of candidates is done, null if that is not known; or why there is none. */
  weighed: number | null | string = null;
  /** The chance to win waits for the service to have compiled, once on its machine, what it plays games by. */
  compiling = false;
  /** What was found before the last stroke, for the moment until the new answers are there. */
  before: Findings | null = null;
  private timers: number[] = [];
  private wanted: Position | null = null;
  private wish: Wish = 'advice';
  private under: AbortController | null = null;
  private readonly known = new Map<string, Findings>();

  /** `changed` is called whenever something new is known; with `true` if it is what somebody waits for. */
  constructor(private readonly changed: (awaited?: boolean) => void) {}

  /** Asks about a position, instead of whatever was asked before; null asks nothing. */
  study(position: Position | null, wish: Wish = 'advice'): void {
    if (position !== null && this.wanted?.equals(position) && this.wish === wish) return;
    this.wanted = position;
    this.wish = wish;
    this.under?.abort();
    this.under = null;
    this.linger(position);
    this.findings = null;
    this.weighed = null;
    if (position === null) return;
    const known = this.known.get(position.toLine());
    this.findings = known ?? null;
    void this.work(position, known);
  }

  /** Asks the same again, after a problem that may have passed. */
  again(): void {
    const { wanted, wish } = this;
    this.wanted = null;
    if (wanted !== null) this.study(wanted, wish);
    this.changed();
  }

  /** Whether something more is being asked. */
  get busy(): boolean {
    return this.under !== null;
  }

  /** The answers about this very position, if there are any yet. */
  about(position: Position): Findings | null {
    return this.findings?.position.equals(position) ? this.findings : null;
  }

  private linger(position: Position | null): void {
    const last = this.findings ?? this.before;
    const stroke = last?.analysis && position !== null && position.differs(last.position) <= STROKE;
    this.before = stroke ? last : null;
    this.slow = false;
    this.timers.forEach(clearTimeout);
    const after = (milliseconds: number, act: () => void) =>
      window.setTimeout(() => {
        act();
        this.changed();
      }, milliseconds);
    this.timers =
      position === null
        ? []
        : [after(LINGERING, () => (this.before = null)), after(SLOW, () => (this.slow = !this.lost))];
  }

  private async work(position: Position, known: Findings | undefined): Promise<void> {
    const control = new AbortController();
    const { signal } = control;
    this.under = control;
    const board = position.toLine();
    try {
      let found = known ?? (await this.chances(position, board, signal));
      this.found(found, known === undefined);
      if (found.problem !== null && 'clues' in found.problem.fields && found.repairs === null) {
        await pause(PAUSE_BEFORE_ADVICE, signal);
        found = { ...found, repairs: await this.repairs(board, signal) };
        this.found(found);
      }
      if (!found.analysis || this.wish === 'chances') return;
      if (!found.facts) {
        await pause(PAUSE_BEFORE_FACTS, signal);
        found = { ...found, facts: await this.facts(position, board, signal) };
        this.found(found);
      }
      const guess = found.analysis?.safe.length === 0 && found.analysis.best !== null;
      if (!guess || this.wish !== 'advice') return;
      for (const budget of [SOON, undefined]) {
        if (found.advice && found.advice.win !== null) return;
        await pause(PAUSE_BEFORE_ADVICE, signal);
        if (budget === undefined) await this.compiled(signal);
        const advice = await this.advice(board, budget, signal);
        if (advice !== null) this.found((found = { ...found, advice }));
      }
    } catch (error) {
      if (!cancelled(error) && this.under === control) this.failed(error);
    } finally {
      if (this.under === control) {
        this.under = null;
        this.changed();
      }
    }
  }

  private async chances(position: Position, board: string, signal: AbortSignal): Promise<Findings> {
    const nothing = { position, analysis: null, facts: null, advice: null, problem: null, repairs: null };
    try {
      return { ...nothing, analysis: await ask<Analysis>('analyze', { board }, signal) };
    } catch (error) {
      if (error instanceof Problem) return { ...nothing, problem: error };
      throw error;
    }
  }

  /** Facts about cells; none where the service cannot tell them: what comes after them does without. */
  private async facts(position: Position, board: string, signal: AbortSignal) {
    try {
      const found = await ask<{ cells: readonly CellFacts[] | null }>('cells', { board }, signal);
      return new Map((found.cells ?? []).map((each) => [position.index(each.cell), each]));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return new Map<number, CellFacts>();
    }
  }

  /** What a guess could be; null where the service says why it cannot tell, which is noted. */
  private async advice(
    board: string,
    budget: number | undefined,
    signal: AbortSignal,
  ): Promise<Advice | null> {
    this.weighed = null;
    try {
      return await ask<Advice>('hint', { board, seconds: 0.5, budget }, signal, (done, of) => {
        this.weighed = of > 0 ? done / of : null;
        this.changed();
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.weighed = error.message;
      return null;
    }
  }

  /** Waits until the service plays games as fast as it can. */
  private async compiled(signal: AbortSignal): Promise<void> {
    try {
      while (await compiling()) {
        this.compiling = true;
        this.changed();
        await pause(PAUSE_WHILE_COMPILING, signal);
      }
    } finally {
      this.compiling = false;
    }
  }

  /** Explaining an impossible board is refused, with what would make it possible. */
  private async repairs(board: string, signal: AbortSignal): Promise<readonly Repair[]> {
    try {
      await ask('explain', { board, budget: 5 }, signal);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return (error.fields['repairs'] ?? []) as unknown as readonly Repair[];
    }
    return [];
  }

  private found(findings: Findings, awaited = false): void {
    this.lost = this.slow = false;
    this.before = null;
    this.timers.forEach(clearTimeout);
    this.findings = findings;
    // What the service could not answer now it may answer later.
    if ((findings.problem?.status ?? 0) < 500) this.keep(findings);
    this.changed(awaited);
  }

  private keep(findings: Findings): void {
    const key = findings.position.toLine();
    this.known.delete(key);
    this.known.set(key, findings);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= KEPT) break;
      this.known.delete(oldest);
    }
  }

  private failed(error: unknown): void {
    if (error instanceof Unreachable) {
      const wasLost = this.lost;
      this.lost = true;
      this.slow = false;
      if (!wasLost) void this.waitForService(error.seconds);
    }
    // Any other problem concerns only what comes on top of the chances: those stay.
  }

  /** Asks again, with growing pauses, until there is an answer. */
  private async waitForService(seconds: number): Promise<void> {
    for (let wait = seconds; this.lost; wait = Math.min(wait * 1.5, 5)) {
      await pause(wait * 1000);
      if (!(await alive())) continue;
      this.lost = false;
      this.again();
    }
  }
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('out of date', 'AbortError'));
    });
  });
}
