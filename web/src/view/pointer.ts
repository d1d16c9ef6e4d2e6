// Whether fingers are used here. A device says what it has; what is used then counts more: a screen that can be touched
// may have a mouse as well. A device whose first means is the finger keeps its larger targets beside a mouse.
let primary: boolean | null = null;
let used: boolean | null = null;

/** What the device said when it was asked first: a later answer may be about a moment only, as while it is turned. */
function said(): boolean {
  primary ??= matchMedia('(pointer: coarse)').matches;
  return primary;
}

export function fingers(): boolean {
  return said() || (used ?? (navigator.maxTouchPoints > 0 && !matchMedia('(any-pointer: fine)').matches));
}

/** Calls when fingers come into use, or a mouse after them. */
export function watchPointers(changed: () => void): void {
  const note = ({ pointerType }: PointerEvent): void => {
    const before = fingers();
    used = pointerType !== 'mouse';
    if (fingers() !== before) changed();
  };
  document.addEventListener('pointerdown', note, { capture: true, passive: true });
}
