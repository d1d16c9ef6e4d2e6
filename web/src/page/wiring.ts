// Gestures, keys, paste, drop and resizing, passed on to the mode that is shown.
import type { CellDetail, KeyDetail } from '../board/gestures';
import { claimsToBeGame, isBinaryReplay } from '../model/record';
import { watchPointers } from '../view/pointer';
import type { App } from './app';

export function connect(app: App): void {
  onBoard(app);
  watchPointers(() => {
    app.applySettings();
    app.changed();
  });
  document.addEventListener('keydown', (event) => typed(app, event));
  document.addEventListener('paste', (event) => pasted(app, event));
  const dropping = (over: boolean) => document.documentElement.toggleAttribute('data-dropping', over);
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    dropping(true);
  });
  document.addEventListener('dragleave', (event) => dropping(event.relatedTarget !== null));
  document.addEventListener('drop', () => dropping(false));
  document.addEventListener('drop', (event) => dropped(app, event));
  window.addEventListener('resize', () => app.changed());
  window.addEventListener('beforeunload', () => app.play.keep());
}

interface Details {
  'msat-press': CellDetail;
  'msat-drag': CellDetail;
  'msat-tap': CellDetail;
  'msat-release': CellDetail;
  'msat-cancel': CellDetail;
  'msat-zoom': { zoom: number; ended: boolean };
  'msat-long': CellDetail;
  'msat-hover': { index: number | null };
  'msat-cursor': { index: number };
  'msat-wheel': { index: number; turn: number };
  'msat-key': KeyDetail;
}

function onBoard(app: App): void {
  const listen = <Type extends keyof Details>(
    type: Type,
    act: (detail: Details[Type], event: Event) => void,
  ): void => {
    app.board.addEventListener(type, (event) => {
      act((event as CustomEvent<Details[Type]>).detail, event);
      app.changed();
    });
  };
  listen('msat-press', (detail) => app.mode.press?.(detail));
  listen('msat-drag', (detail) => app.mode.drag?.(detail));
  listen('msat-tap', (detail) => app.mode.tap?.(detail));
  listen('msat-release', () => app.mode.release?.());
  listen('msat-cancel', () => app.mode.cancel?.());
  listen('msat-zoom', ({ zoom, ended }) => {
    if (ended) app.choose({ zoom: Math.abs(zoom - 1) < 0.06 ? 1 : zoom });
    else app.settings = { ...app.settings, zoom }; // kept when the fingers go
  });
  listen('msat-long', ({ index }) => app.mode.long?.(index));
  listen('msat-hover', ({ index }) => {
    app.hovered = index;
    if (index === null && app.mode.canUndo) app.greeted();
  });
  listen('msat-cursor', () => {
    app.hovered = null;
    app.touched = true;
  });
  listen('msat-wheel', ({ index, turn }, event) => {
    if (app.mode.wheel?.(index, turn)) event.preventDefault();
  });
  listen('msat-key', ({ index, event: key }, event) => {
    if (!commands(app, key) && !app.mode.key?.(key, index)) return;
    event.preventDefault();
    key.stopPropagation();
  });
}

/** Keys that mean the same everywhere. */
function commands(app: App, event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (command && key === 'z') {
    if (event.shiftKey) app.mode.redo();
    else app.mode.undo();
    return true;
  }
  if (command && key === 'y') {
    app.mode.redo();
    return true;
  }
  if (event.key === 'Escape' && app.why.open) {
    app.why.close();
    return true;
  }
  return false;
}

function typed(app: App, event: KeyboardEvent): void {
  const target = event.target as HTMLElement | null;
  if (event.defaultPrevented || target?.closest('textarea, input, select, dialog')) return;
  const onButton = target?.closest('button, a, summary') && ['Enter', ' '].includes(event.key);
  if (onButton) return;
  if (commands(app, event) || app.mode.key?.(event, app.board.cursor)) {
    event.preventDefault();
    app.changed();
  }
}

function pasted(app: App, event: ClipboardEvent): void {
  if ((event.target as HTMLElement | null)?.closest('textarea, input')) return;
  const file = event.clipboardData?.files[0];
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (file) void open(app, file);
  else if (text.trim() !== '') void take(app, text);
  else return;
  event.preventDefault();
}

function dropped(app: App, event: DragEvent): void {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) void open(app, file);
  else void take(app, event.dataTransfer?.getData('text/plain') ?? '');
}

const LARGEST_FILE = 32 * 1024 * 1024;

/** A file that was dropped or chosen: a game of msat or of another program, or a position in any form. */
export async function open(app: App, file: File): Promise<void> {
  if (file.size > LARGEST_FILE) {
    app.tell(`The file is too large: ${Math.round(file.size / 1048576)} MB, at most 32 are read.`, true);
    return;
  }
  if (isBinaryReplay(file.name)) {
    app.switchTo('review');
    await app.review.loadForeign({ name: file.name, base64: await inBase64(file) });
  } else await take(app, await file.text());
}

/** The bytes of a file as text, which is how a question can hold them. */
async function inBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(parts.join(''));
}

/** A text from outside, put where it belongs. */
export async function take(app: App, text: string): Promise<void> {
  const whose = claimsToBeGame(text);
  if (whose !== null) {
    app.switchTo('review');
    if (whose === 'msat') app.review.load(text);
    else await app.review.loadForeign(text);
    return;
  }
  app.switchTo('analyse');
  app.analyse.typed = null;
  await app.analyse.readText(text);
}
