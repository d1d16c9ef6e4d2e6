// Undo and redo without limit. A stroke of the brush is one step, however many cells it touches.

export class History<T> {
  private past: T[] = [];
  private future: T[] = [];

  constructor(private now: T) {}

  get current(): T {
    return this.now;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Whether some step up to the present one is such. */
  some(is: (step: T) => boolean): boolean {
    return is(this.now) || this.past.some(is);
  }

  /** A new step; what had been undone is forgotten. */
  push(next: T): void {
    this.past.push(this.now);
    this.now = next;
    this.future = [];
  }

  /** Changes the present step, as a stroke does that goes on. */
  replace(next: T): void {
    this.now = next;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (before === undefined) return false;
    this.future.push(this.now);
    this.now = before;
    return true;
  }

  redo(): boolean {
    const after = this.future.pop();
    if (after === undefined) return false;
    this.past.push(this.now);
    this.now = after;
    return true;
  }
}
