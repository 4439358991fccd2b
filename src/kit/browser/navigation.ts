/** Where somebody is, as far as it decides what stands on a page. */
interface Route {
  readonly pathname: string
  readonly search: string
}

/** Whether a navigation leads away from something; `POP` is Back or Forward. */
export type Leaves = (from: Route, to: Route, action?: string) => boolean

export const toAnotherPage: Leaves = (from, to) => from.pathname !== to.pathname

/** For what is opened by these parameters of the address: searching and turning pages leaves it alone. */
export const byParameters =
  (...names: readonly string[]): Leaves =>
  (from, to) => {
    const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)]
    return toAnotherPage(from, to) || names.some((name) => before.get(name) !== after.get(name))
  }

/** For what stands over any page and is in no address: Back leads away from it too. */
export const byBack: Leaves = (from, to, action) => action === 'POP' || toAnotherPage(from, to)
