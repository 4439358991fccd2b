import { useNotify } from 'react-admin'
import { type Dispatch, useCallback, useId, useState } from 'react'

import { type PlaybookItemType, tooManyItems } from '#contract/playbooks/schema.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { UNDO_MS, UndoNotice } from '#src/kit/feedback/UndoNotice.tsx'
import { useText } from '#src/kit/useText.ts'

import type { HistoryAction } from './editorHistory.ts'
import {
  besideSection,
  type EditedItem,
  type EditorState,
  itemProblemsOf,
  newItem,
  sectionOf,
  visibleKeys,
} from './editorValues.ts'
import { stepsIn } from './pastedValues.ts'

const focusSoon = (elementId: string) =>
  requestAnimationFrame(() => document.getElementById(elementId)?.focus())
const NONE: ReadonlySet<string> = new Set()
const toggled = (set: ReadonlySet<string>, keys: readonly string[], isIn: boolean): ReadonlySet<string> =>
  new Set(isIn ? [...set, ...keys] : [...set].filter((key) => !keys.includes(key)))

interface Options {
  readonly state: EditorState
  readonly dispatch: Dispatch<HistoryAction>
  readonly maxItems: number | undefined
}

/** Folded sections and chosen items, which are no part of the playbook. */
function useListView(state: EditorState) {
  const [folded, setFolded] = useState(NONE)
  /** Null while nothing can be chosen. */
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  /** The item that a range of chosen ones begins with. */
  const [anchor, setAnchor] = useState<string>()
  const visible = visibleKeys(state, folded)
  return {
    folded,
    chosen: chosen && new Set(state.order.filter((key) => chosen.has(key))),
    visible,
    fold: (keys: readonly string[], isFolded: boolean) => setFolded(toggled(folded, keys, isFolded)),
    startChoosing: () => setChosen(NONE),
    stopChoosing: () => setChosen(null),
    chooseMany: (keys: readonly string[]) => setChosen(new Set(keys)),
    /** Chooses an item, or all from the last one to it. A folded heading stands for its section. */
    choose: (key: string, isChosen: boolean, isRange: boolean) => {
      const [from, to] = [visible.indexOf(anchor ?? key), visible.indexOf(key)].toSorted((a, b) => a - b)
      const range = isRange && from! >= 0 ? visible.slice(from, to! + 1) : [key]
      const keys = range.flatMap((one) => (folded.has(one) ? sectionOf(state, one) : [one]))
      setChosen(toggled(chosen ?? NONE, keys, isChosen))
      setAnchor(key)
    },
  }
}

/** The title that is typed in its row, and the steps that Enter adds. */
function useTyping({ state, dispatch, maxItems }: Options, idOf: (key: string) => string) {
  const notify = useNotify()
  const latest = useLatest(state)
  const [typing, setTyping] = useState<string>()
  const [isNew, setNew] = useState(false)
  const begin = (key: string, isAdded = false) => {
    setTyping(key)
    setNew(isAdded)
  }
  const add = (kind: PlaybookItemType, at: number) => {
    const item = newItem(latest.current, kind, at)
    dispatch({ type: 'add', items: [item], at })
    begin(item.key, true)
  }
  const isBlank = (key: string) => latest.current.items[key]?.title.trim() === ''
  return {
    typing,
    begin,
    add,
    retitle: (key: string, title: string) => dispatch({ type: 'retitle', key, title }),
    /** Ends typing. A new item without a title goes. */
    end: (key: string) => {
      if (typing !== key) return
      setTyping(undefined)
      if (isNew && isBlank(key)) dispatch({ type: 'remove', keys: [key] })
    },
    /** Puts back the title that the item had, and ends typing. */
    revert: (key: string, title: string) => {
      dispatch({ type: 'retitle', key, title })
      setTyping(undefined)
      if (isNew && title.trim() === '') dispatch({ type: 'remove', keys: [key] })
      else focusSoon(idOf(key))
    },
    /** Adds the next step below an item that has a title. */
    next: (key: string) => {
      if (!isBlank(key)) add('TASK', latest.current.order.indexOf(key) + 1)
    },
    /** Removes an item whose title was deleted, and types on in the one above. */
    erase: (key: string, above: string | undefined) => {
      dispatch({ type: 'remove', keys: [key] })
      if (above === undefined) setTyping(undefined)
      else begin(above)
    },
    /** Makes a step of each pasted line. Returns false where the text is one line. */
    paste: (key: string, words: string): boolean => {
      const [first, ...others] = stepsIn(words)
      if (first === undefined || others.length === 0) return false
      if (maxItems !== undefined && latest.current.order.length + others.length > maxItems) {
        notify(tooManyItems(maxItems), { type: 'warning' })
        return true
      }
      const at = latest.current.order.indexOf(key) + 1
      const items = others.map((title) => ({
        ...newItem(latest.current, 'TASK', at),
        title,
        description: title,
      }))
      dispatch({ type: 'retitle', key, title: `${latest.current.items[key]!.title}${first}` })
      dispatch({ type: 'add', items, at })
      begin(items.at(-1)!.key)
      return true
    },
  }
}

/** Actions on headings and tasks. Each stays identical, so that rows render only when their item changes. */
export function useItemList(options: Options) {
  const { state, dispatch } = options
  const text = useText()
  const notify = useNotify()
  const listId = useId()
  const latest = useLatest(state)
  const [announcement, setAnnouncement] = useState('')
  const idOf = useCallback((key: string) => `${listId}-${key}`, [listId])
  const titleOf = ({ title }: EditedItem) => title.trim() || text('playbooks.untitled')
  const view = useListView(state)
  const typing = useTyping(options, idOf)
  /** The keys that an act on one row is about: a folded heading stands for its section. */
  const blockOf = (key: string) => (view.folded.has(key) ? sectionOf(latest.current, key) : [key])
  /** The place after an item, or after the section of a folded heading. */
  const after = (key: string) => latest.current.order.indexOf(blockOf(key).at(-1)!) + 1

  /** Closes the open item; returns true if none is open then. An incomplete one shows its errors. */
  const close = (): boolean => {
    const { openKey, items, errors } = latest.current
    if (openKey === null) return true
    const problems = itemProblemsOf(items[openKey]!, text('playbooks.timeInvalid'))
    if (!problems) {
      dispatch({ type: 'done' })
      return true
    }
    dispatch({ type: 'refuse', errors: { ...errors, items: { ...errors.items, [openKey]: problems } } })
    return false
  }
  const insert = (kind: PlaybookItemType, at: number) => {
    if (latest.current.openKey === null) typing.add(kind, at)
    else notify(text('playbooks.cannotAdd'), { type: 'warning' })
  }
  const say = (keys: readonly string[], order: readonly string[]) => {
    const { items } = latest.current
    const [first] = keys
    const words = { title: titleOf(items[first!]!), place: order.indexOf(first!) + 1, count: order.length }
    setAnnouncement(text('playbooks.moved', words))
  }
  const moveTo = (keys: readonly string[], before: string | undefined) => {
    const { order } = latest.current
    const set = new Set(keys)
    const rest = order.filter((key) => !set.has(key))
    const at = before === undefined ? rest.length : rest.indexOf(before)
    dispatch({ type: 'move', keys, before })
    say(
      order.filter((key) => set.has(key)),
      rest.toSpliced(at, 0, ...keys),
    )
  }
  /** Moves items by one visible row. */
  const shift = (keys: readonly string[], by: -1 | 1) => {
    const set = new Set(keys)
    const rows = view.visible
    const places = rows.flatMap((key, index) => (set.has(key) ? index : []))
    const edge = by === -1 ? places[0] : places.at(-1)
    const neighbour = edge === undefined ? undefined : rows[edge + by]
    if (neighbour === undefined) return
    moveTo(keys, by === -1 ? neighbour : latest.current.order[after(neighbour)])
  }
  /** Moves a row by one, or a folded section over the one beside it. */
  const shiftOne = (key: string, by: -1 | 1) => {
    if (!view.folded.has(key)) return shift([key], by)
    const before = besideSection(latest.current, key, by)
    if (before !== null) moveTo(blockOf(key), before)
  }
  const remove = (keys: readonly string[]) => {
    const { order, items } = latest.current
    const entries = order.flatMap((key, at) => (keys.includes(key) ? [{ item: items[key]!, at }] : []))
    if (entries.length === 0) return
    dispatch({ type: 'remove', keys })
    const last = entries.at(-1)!.at
    const next = order[last + 1] ?? order.slice(0, entries[0]!.at).at(-1)
    focusSoon(next === undefined ? idOf('add') : idOf(next))
    const undo = () => {
      dispatch({ type: 'restore', entries })
      focusSoon(idOf(entries[0]!.item.key))
    }
    const message =
      entries.length === 1
        ? text('playbooks.removed', { title: titleOf(entries[0]!.item) })
        : text('playbooks.removedMany', { count: entries.length })
    notify(<UndoNotice message={message} onUndo={undo} />, { type: 'info', autoHideDuration: UNDO_MS })
  }
  const open = (key: string) => {
    if (close()) dispatch({ type: 'open', key })
  }
  return {
    ...view,
    typing,
    idOf,
    titleOf,
    announcement,
    announce: setAnnouncement,
    insert,
    after,
    blockOf,
    sectionOf: (key: string) => sectionOf(latest.current, key),
    moveTo,
    shift,
    shiftOne,
    /** Moves a dragged item; dnd-kit has announced the drag. */
    drop: (from: string, over: string) => {
      const { order } = latest.current
      const isDown = order.indexOf(from) < order.indexOf(over)
      dispatch({ type: 'move', keys: blockOf(from), before: isDown ? order[after(over)] : over })
    },
    remove,
    duplicate: (key: string) => dispatch({ type: 'duplicate', key }),
    open,
    /** Types in the row of an item, unless the form of another one is incomplete. */
    type: (key: string) => {
      if (close()) typing.begin(key)
    },
    focus: (key: string) => focusSoon(idOf(key)),
    done: () => {
      const { openKey } = latest.current
      if (close() && openKey !== null) focusSoon(idOf(openKey))
    },
    cancel: () => {
      const { openKey, before } = latest.current
      dispatch({ type: 'cancel' })
      focusSoon(before && openKey !== null ? idOf(openKey) : idOf('add'))
    },
  }
}
export type ItemListModel = ReturnType<typeof useItemList>
