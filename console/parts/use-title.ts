import { useEffect } from 'preact/hooks';

/** Names the page after its view, for tabs, bookmarks and history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · rookery`;
  }, [title]);
}
