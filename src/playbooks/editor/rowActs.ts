/** Acts of a row on its item. They stay identical, so that a row renders only when its item changes. */
export interface RowActs {
  readonly open: (key: string) => void
  readonly menu: (anchor: HTMLElement, key: string) => void
  readonly insert: (anchor: HTMLElement, index: number) => void
  readonly fold: (key: string, isFolded: boolean) => void
  readonly choose: (key: string, isChosen: boolean, isRange: boolean) => void
  /** Moves the item by one row. */
  readonly shift: (key: string, by: -1 | 1) => void
  /** Begins to type the title in the row. */
  readonly type: (key: string) => void
  /** Types on in the row above or below. */
  readonly typeBeside: (key: string, by: -1 | 1) => void
  readonly retitle: (key: string, title: string) => void
  readonly end: (key: string) => void
  readonly revert: (key: string, title: string) => void
  readonly next: (key: string) => void
  readonly erase: (key: string) => void
  /** Returns true where it took the text as several steps. */
  readonly paste: (key: string, words: string) => boolean
}
