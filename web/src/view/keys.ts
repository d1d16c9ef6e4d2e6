// Which key was pressed: a letter is the same key with Shift and with Caps Lock.

export function keyOf({ key }: { readonly key: string }): string {
  return key.length === 1 ? key.toLowerCase() : key;
}
