import { useSyncExternalStore } from 'react'

/** Titles that pages on screen have set, the innermost last. */
const titles: { readonly title: string }[] = []
const watchers = new Set<() => void>()
const changed = () => {
  for (const watcher of watchers) watcher()
}

/** Sets the page's title until the answer is called. */
export function setPageTitle(title: string): () => void {
  const entry = { title }
  titles.push(entry)
  changed()
  return () => {
    titles.splice(titles.indexOf(entry), 1)
    changed()
  }
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The title that the page on screen has set, if it did. */
export const usePageTitle = (): string | undefined => useSyncExternalStore(watch, () => titles.at(-1)?.title)
