import { render } from 'preact';
import { App } from './app.tsx';

/** Mounts the console in the page that `/` returns to browsers. */
const place = document.getElementById('console');
if (place) render(<App />, place);
