import { render } from 'preact';
import '../design/tokens.css';
import '../design/base.css';
import '../design/shell.css';
import '../design/bars.css';
import '../appetite/appetite.css';
import '../book/book.css';
import '../compare/compare.css';
import '../home/home.css';
import '../quotes/quotes.css';
import '../rules/rules.css';
import '../sign-off/sign-off.css';
import { followAddress } from '../address/route.ts';
import { takeSessionFromAddress } from '../service/session.ts';
import { keepFocus } from './kept-focus.ts';
import { Shell } from './shell.tsx';

takeSessionFromAddress();
// Register before `followAddress`, because tokens are not a view.
addEventListener('hashchange', takeSessionFromAddress);
followAddress();
const page = document.getElementById('page')!;
page.textContent = '';
render(<Shell />, page);
keepFocus(page);
