// The band above the board on a first visit: what this is, in two lines, and where to go.
import { Position } from '../../model/position';
import { h, type Child } from '../../view/tree';
import type { App } from '../app';
import { button } from '../parts';

export function welcome(app: App): Child {
  if (!app.welcoming) return null;
  const begin = (act: () => void) => () => {
    app.choose({ welcomed: true });
    act();
  };
  return h(
    'section',
    { class: 'hero', 'aria-label': 'Welcome', key: 'welcome' },
    h(
      'div',
      { class: 'words' },
      h('h2', {}, 'Minesweeper, exactly'),
      h('p', {}, 'Paint or paste any position: every chance is exact, every certainty is proven to you.'),
    ),
    h(
      'div',
      { class: 'buttons' },
      button(
        'Paint your own',
        begin(() => paintOwn(app)),
        { class: 'button main' },
        'brush',
      ),
      button(
        'Play',
        begin(() => app.switchTo('play')),
        {},
        'play',
      ),
      button(
        'Review a game',
        begin(() => app.switchTo('review')),
        {},
        'file',
      ),
    ),
    button(
      '',
      begin(() => undefined),
      { class: 'plain close', 'aria-label': 'Dismiss the welcome' },
      'cross',
    ),
  );
}

function paintOwn(app: App): void {
  const narrow = window.innerWidth < 700;
  app.analyse.load(narrow ? Position.blank(9, 9, 10) : Position.blank(16, 30, 99));
  app.analyse.brush = 1;
  app.switchTo('analyse');
}
