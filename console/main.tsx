import { render } from 'preact';
import { App } from './app.tsx';

/** Begins the console in the page that `/` answers browsers with. */
const place = document.getElementById('console');
if (place) render(<App />, place);
