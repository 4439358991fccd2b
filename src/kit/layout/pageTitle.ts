import { useSyncExternalStore } from 'react'

interface Title {
  readonly title: string
  /** Title of the browser's tab, where it says more. */
  readonly tab: string
}
/** Titles set by mounted pages, the innermost last. */
const titles: Title[] = []
const watchers = new Set<() => void>()
const changed = () => {
  for (const watcher of watchers) watcher()
}

/** Sets the page's title. Returns the function that removes it. */
export function setPageTitle(title: string, tab = title): () => void {
  const entry = { title, tab }
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
export const usePageTitle = (): Title | undefined => useSyncExternalStore(watch, () => titles.at(-1))
