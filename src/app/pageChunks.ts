import { type ComponentType, createElement, type ReactNode } from 'react'

import { loadMessages } from '#providers/i18nProvider.ts'
import { loadOnline } from '#src/kit/browser/lazy.ts'

/** A page in a chunk of its own. */
export interface Page {
  (): ReactNode
  /** Loads the page's chunk ahead of time. */
  readonly preload: () => void
}
/**
 * A lazily loaded page. Renders synchronously once its chunk has loaded, whereas `lazy` suspends even then;
 * and, unlike with `use`, a test need not await the load that a click begins.
 */
export function chunk(load: () => Promise<ComponentType>): Page {
  let result: { readonly page: ComponentType } | { readonly error: unknown } | undefined
  let loading: Promise<void> | undefined
  const start = () =>
    (loading ??= loadOnline(load).then(
      (page) => void (result = { page }),
      (error: unknown) => void (result = { error }),
    ))
  const Chunk = () => {
    // React renders a component that throws a promise again once that settles.
    if (!result) throw start()
    if ('error' in result) throw result.error
    return createElement(result.page)
  }
  return Object.assign(Chunk, { preload: () => void start() })
}

/** A page that waits for the messages of all pages. */
export const page = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): Page =>
  chunk(async () => {
    const [pages] = await Promise.all([load(), loadMessages()])
    return pages[name]
  })

/** The page of a resource, which waits for the messages of all pages. */
export const resourcePage = (load: () => Promise<ComponentType>): Page =>
  chunk(async () => {
    const [loaded] = await Promise.all([load(), loadMessages()])
    return loaded
  })
