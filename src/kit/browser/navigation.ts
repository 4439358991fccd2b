/** The part of a location that selects a page's content. */
interface Route {
  readonly pathname: string
  readonly search: string
}

/** True if a navigation leaves a view; `POP` is Back or Forward. */
export type Leaves = (from: Route, to: Route, action?: string) => boolean

export const toAnotherPage: Leaves = (from, to) => from.pathname !== to.pathname

/** For a view that these parameters open: searching and paging do not leave it. */
export const byParameters =
  (...names: readonly string[]): Leaves =>
  (from, to) => {
    const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)]
    return toAnotherPage(from, to) || names.some((name) => before.get(name) !== after.get(name))
  }

/** For a view that is not in the address: Back leaves it too. */
export const byBack: Leaves = (from, to, action) => action === 'POP' || toAnotherPage(from, to)
