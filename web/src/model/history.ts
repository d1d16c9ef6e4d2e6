// Undo and redo without limit. A stroke of the brush is one step, however many cells it touches.

export class History<T> {
  private past: T[] = [];
  private future: T[] = [];
  /** What the last step made forgotten. */
  private dropped: T[] = [];

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
    this.dropped = this.future;
    this.future = [];
  }

  /** Changes the present step, as a stroke does that goes on. */
  replace(next: T): void {
    this.now = next;
  }

  /** Back to before the last step, as if it had never been. */
  forget(): void {
    this.now = this.past.pop() ?? this.now;
    this.future = this.dropped;
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
