// The page begins here.
import './board/element';
import './page/styles/base.css';
import './page/styles/head.css';
import './page/styles/cards.css';
import './page/styles/tools.css';
import './page/styles/timeline.css';
import './page/styles/dialogs.css';
import './page/styles/screens.css';
import { App } from './page/app';

new App(document.getElementById('app')!).start();
