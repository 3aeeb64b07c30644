import { render } from 'preact';
import { Console } from './console.tsx';
import { applyRememberedTheme } from './shell/theme.tsx';

applyRememberedTheme();
const root = document.getElementById('console');
if (root) render(<Console />, root);
