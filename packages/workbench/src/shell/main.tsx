import { render } from 'preact';
import '../design/tokens.css';
import '../design/base.css';
import '../design/shell.css';
import '../design/bars.css';
import '../book/book.css';
import '../home/home.css';
import '../rules/rules.css';
import { followAddress } from '../address/route.ts';
import { takeSessionFromAddress } from '../service/session.ts';
import { Shell } from './shell.tsx';

takeSessionFromAddress();
followAddress();
const page = document.getElementById('page')!;
page.textContent = '';
render(<Shell />, page);
