// A tree of elements, built anew whenever something changes and patched onto what is there: focus, scroll
// and what is being typed stay. Text is only ever set as text. A hundred lines, so no framework is needed.

type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Properties = Readonly<Record<string, Value>>;
export type Child = Node_ | string | number | null | undefined | false | readonly Child[];

/** An element to be; `key` keeps it apart from its siblings. */
export interface Node_ {
  readonly tag: string;
  readonly properties: Properties;
  readonly children: readonly (Node_ | string)[];
}

export function h(tag: string, properties: Properties = {}, ...children: Child[]): Node_ {
  return { tag, properties, children: flat(children) };
}

function flat(children: readonly Child[]): (Node_ | string)[] {
  const found: (Node_ | string)[] = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === '') continue;
    if (Array.isArray(child)) found.push(...flat(child as readonly Child[]));
    else found.push(typeof child === 'number' ? String(child) : (child as Node_ | string));
  }
  return found;
}

const SVG = 'http://www.w3.org/2000/svg';
const made = new WeakMap<Element, Properties>();

/** Makes the children of an element what they should be. */
export function render(parent: Element, ...children: Child[]): void {
  patchChildren(parent, flat(children));
}

function patchChildren(parent: Element, wanted: readonly (Node_ | string)[]): void {
  const keyed = new Map<Value, Element>();
  const kept = new Set(wanted.map((want) => (typeof want === 'string' ? undefined : want.properties['key'])));
  for (const child of [...parent.children]) {
    const key = made.get(child)?.['key'];
    if (key === undefined) continue;
    // What goes, goes first: what stays is then not moved, since that would take its focus away.
    if (kept.has(key)) keyed.set(key, child);
    else child.remove();
  }
  let at = parent.firstChild;
  for (const want of wanted) {
    const before = at;
    let found: Node | null = at;
    if (typeof want !== 'string' && want.properties['key'] !== undefined) {
      found = keyed.get(want.properties['key']) ?? null;
    }
    if (found !== null && fits(found, want)) {
      if (found === before) at = before.nextSibling;
      else parent.insertBefore(found, before);
      if (typeof want === 'string') {
        if (found.nodeValue !== want) found.nodeValue = want;
      } else patch(found as Element, want);
    } else {
      parent.insertBefore(create(want, parent), before);
      // What stood here may fit the next one; the rest is removed at the end.
    }
  }
  while (at !== null) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function fits(node: Node, want: Node_ | string): boolean {
  if (typeof want === 'string') return node.nodeType === Node.TEXT_NODE;
  if (!(node instanceof Element) || node.localName !== want.tag) return false;
  return made.get(node)?.['key'] === want.properties['key'] && made.has(node);
}

function create(want: Node_ | string, parent: Element): Node {
  if (typeof want === 'string') return document.createTextNode(want);
  const inSvg = want.tag === 'svg' || (parent.namespaceURI === SVG && parent.localName !== 'foreignObject');
  const element = inSvg ? document.createElementNS(SVG, want.tag) : document.createElement(want.tag);
  made.set(element, {});
  patch(element, want);
  return element;
}

function patch(element: Element, want: Node_): void {
  const old = made.get(element) ?? {};
  made.set(element, want.properties);
  for (const name of Object.keys(old))
    if (!(name in want.properties)) set(element, name, undefined, old[name]);
  // Children first: a select takes its value from its options.
  if (!('inner' in want.properties)) patchChildren(element, want.children);
  for (const [name, value] of Object.entries(want.properties)) set(element, name, value, old[name]);
}

function set(element: Element, name: string, value: Value, old: Value): void {
  if (name === 'key' || name === 'inner') return;
  if (name.startsWith('on')) {
    if (value === old) return;
    if (typeof old === 'function') element.removeEventListener(name.slice(2), old as EventListener);
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
  } else if (name === 'open') {
    // What somebody opened or closed stays so, until something else is wanted.
    if (value !== old) element.toggleAttribute('open', value === true);
  } else if (name === 'value' || name === 'checked') {
    const holder = element as unknown as Record<string, unknown>;
    // A field that is being typed into is not overwritten.
    if (
      holder[name] !== value &&
      !(name === 'value' && document.activeElement === element && value === old)
    ) {
      holder[name] = value ?? '';
    }
  } else if (name.startsWith('--')) {
    if (value !== old) (element as HTMLElement).style.setProperty(name, String(value));
  } else if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else {
    const text = value === true ? '' : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}
