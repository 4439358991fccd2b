import { useSyncExternalStore } from 'react'

/** Titles set by mounted pages, the innermost last. */
const titles: { readonly title: string }[] = []
const watchers = new Set<() => void>()
const changed = () => {
  for (const watcher of watchers) watcher()
}

/** Sets the page's title. Returns the function that removes it. */
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

/** The innermost title that a mounted page has set; undefined for none. */
export const usePageTitle = (): string | undefined => useSyncExternalStore(watch, () => titles.at(-1)?.title)
