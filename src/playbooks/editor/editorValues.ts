import type { Priority } from '#contract/incidents/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import {
  NewPlaybook,
  NewPlaybookActivity,
  NO_PROPOSAL,
  NO_START,
  type OpenedPlaybook,
  type PlaybookActivity,
  type PlaybookContent,
  type PlaybookDraft,
  type PlaybookItemType,
  type PlaybookProposal,
  type PlaybookStart,
  tooManyItems,
} from '#contract/playbooks/schema.ts'
import { minutesOf, type TypedTime, typedTime } from '../typedTime.ts'

import type { PlaybookBody } from '../queries.ts'
import type { EditorDraft } from './draftValues.ts'

/** A heading or a task in the editor. */
export interface EditedItem {
  /** Key within this editor. */
  readonly key: string
  /** Saved id; null for a new item. */
  readonly id: string | null
  readonly type: PlaybookItemType
  readonly title: string
  readonly description: string
  /** The description as rich text; null for plain text. */
  readonly formattedDescription: string | null
  readonly level: number
  /** Completes “Only if …” of a heading; empty for none. */
  readonly condition: string
  readonly priority: Priority
  readonly idealTitleToExecute: string
  readonly expectedTimeToComplete: TypedTime
  readonly attachedFileIds: readonly string[]
}
export type ItemField = keyof Omit<EditedItem, 'key' | 'id' | 'type'>
export interface EditorFields {
  readonly name: string
  readonly description: string
  readonly categoryId: string | null
  readonly owner: string | null
  readonly reviewDate: string | null
  readonly proposal: PlaybookProposal
  readonly start: PlaybookStart
}
export type ItemErrors = { readonly [field in ItemField]?: string }
/** Properties of the fields of an item. */
export interface FieldsProps {
  readonly item: EditedItem
  readonly errors: ItemErrors
  readonly onChange: (changes: Partial<EditedItem>) => void
}
export interface EditorErrors {
  readonly fields: { readonly [field in keyof EditorFields]?: string }
  /** Errors by the key of the item. */
  readonly items: Readonly<Record<string, ItemErrors>>
  /** Error about the number of items. */
  readonly list?: string | undefined
}
export const NO_ERRORS: EditorErrors = { fields: {}, items: {} }

export interface EditorState {
  /** Version that the changes are based on; null for a new playbook. */
  readonly version: number | null
  /** Revision of the draft that the changes are based on, if any. */
  readonly draftRevision?: string | undefined
  readonly fields: EditorFields
  /** Keys in order. The array stays identical while only the contents of items change. */
  readonly order: readonly string[]
  readonly items: Readonly<Record<string, EditedItem>>
  /** Key of the item whose form is open. */
  readonly openKey: string | null
  /** The open item before it was opened; null for a new one. */
  readonly before: EditedItem | null
  readonly errors: EditorErrors
  /** Counts refused saves: each moves the focus to the first error. */
  readonly refusals: number
}

const FIELDS = [
  'name',
  'description',
  'categoryId',
  'owner',
  'reviewDate',
  'proposal',
  'start',
] as const satisfies readonly (keyof EditorFields)[]

let lastKey = 0
/** The time keeps new keys apart from those of restored drafts. */
const newKey = () => `${Date.now().toString(36)}-${++lastKey}`

/** A new item without words; a heading has the level of the one above its place. */
export function newItem({ order, items }: Contents, type: PlaybookItemType, at: number): EditedItem {
  const above = order
    .slice(0, at)
    .map((key) => items[key]!)
    .findLast((item) => item.type === 'HEADING')
  return { ...blankItem(type), ...(type === 'HEADING' && above && { level: above.level }) }
}
const blankItem = (type: PlaybookItemType): EditedItem => ({
  key: newKey(),
  id: null,
  type,
  title: '',
  description: '',
  formattedDescription: null,
  level: 1,
  condition: '',
  priority: 'MEDIUM',
  idealTitleToExecute: '',
  expectedTimeToComplete: typedTime(null),
  attachedFileIds: [],
})
type SavedItem = Omit<PlaybookActivity, 'id' | 'attachedFileIds' | 'index'> &
  Partial<Pick<PlaybookActivity, 'id' | 'attachedFileIds'>>
const itemOf = (saved: SavedItem): EditedItem => ({
  key: newKey(),
  id: saved.id ?? null,
  type: saved.type,
  title: saved.title,
  description: saved.description,
  formattedDescription: saved.formattedDescription,
  level: saved.level,
  condition: saved.condition ?? '',
  priority: saved.priority,
  idealTitleToExecute: saved.idealTitleToExecute ?? '',
  expectedTimeToComplete: typedTime(saved.expectedTimeToComplete),
  attachedFileIds: saved.attachedFileIds ?? [],
})

const stateWith = (
  version: number | null,
  fields: EditorFields,
  items: readonly EditedItem[],
): EditorState => ({
  version,
  fields,
  order: items.map(({ key }) => key),
  items: Object.fromEntries(items.map((item) => [item.key, item])),
  openKey: null,
  before: null,
  errors: NO_ERRORS,
  refusals: 0,
})
const fieldsOf = (from: EditorFields): EditorFields => pick(from, FIELDS)
export const editedState = (playbook: OpenedPlaybook): EditorState =>
  stateWith(playbook.version, fieldsOf(playbook), playbook.activities.map(itemOf))
/** Editor state for the draft of a playbook. */
export const draftedState = (
  { version }: OpenedPlaybook,
  { revision, content, owner, reviewDate }: PlaybookDraft,
): EditorState => ({
  ...stateWith(version, fieldsOf({ ...content, owner, reviewDate }), content.activities.map(itemOf)),
  draftRevision: revision,
})
/** Editor state for a copy with new items. */
export const clonedState = (playbook: OpenedPlaybook, name: string): EditorState =>
  stateWith(
    null,
    { ...fieldsOf(playbook), name },
    playbook.activities.map((activity) => ({ ...itemOf(activity), id: null })),
  )
/** Editor state for a new playbook, optionally from a draft. */
export const newState = (categoryId: string | null, draft?: EditorDraft): EditorState =>
  stateWith(
    null,
    {
      name: draft?.name ?? '',
      description: draft?.description ?? '',
      categoryId: draft?.categoryId ?? categoryId,
      owner: null,
      reviewDate: null,
      proposal: NO_PROPOSAL,
      start: NO_START,
    },
    draft?.activities.map(itemOf) ?? [],
  )

/** A kept state with the fields that it lacks. */
export const withNewFields = (kept: EditorState, first: EditorState): EditorState => {
  const items = Object.entries(kept.items).map(([key, item]) => [key, { ...NEW_ITEM_FIELDS, ...item }])
  const { before } = kept
  return {
    ...kept,
    fields: { ...first.fields, ...kept.fields },
    items: Object.fromEntries(items) as EditorState['items'],
    before: before && { ...NEW_ITEM_FIELDS, ...before },
  }
}
const NEW_ITEM_FIELDS = { formattedDescription: null }

/** An item with the place that it was removed from. */
export interface RemovedItem {
  readonly item: EditedItem
  readonly at: number
}
export type EditorAction =
  | { readonly type: 'field'; readonly changes: Partial<EditorFields> }
  | { readonly type: 'open'; readonly key: string }
  | { readonly type: 'change'; readonly key: string; readonly changes: Partial<EditedItem> }
  | { readonly type: 'done' | 'cancel' }
  | { readonly type: 'retitle'; readonly key: string; readonly title: string }
  | { readonly type: 'add'; readonly items: readonly EditedItem[]; readonly at: number }
  /** Moves items, which keep their order, before another one, or to the end. */
  | { readonly type: 'move'; readonly keys: readonly string[]; readonly before: string | undefined }
  | { readonly type: 'duplicate'; readonly key: string }
  | { readonly type: 'remove'; readonly keys: readonly string[] }
  | { readonly type: 'restore'; readonly entries: readonly RemovedItem[] }
  | { readonly type: 'refuse'; readonly errors: EditorErrors }
  | { readonly type: 'replace'; readonly state: EditorState }

const without = <T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> => {
  const { [name]: _, ...rest } = record
  return rest
}
const withItem = (state: EditorState, item: EditedItem, at: number): EditorState => ({
  ...state,
  order: state.order.toSpliced(at, 0, item.key),
  items: { ...state.items, [item.key]: item },
  errors: { ...state.errors, list: undefined },
})
const withoutItems = (state: EditorState, keys: readonly string[]): EditorState => {
  const gone = new Set(keys)
  const left = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !gone.has(key)))
  return {
    ...state,
    order: state.order.filter((key) => !gone.has(key)),
    items: left(state.items),
    errors: { ...state.errors, items: left(state.errors.items), list: undefined },
  }
}
const closed = { openKey: null, before: null } as const

/** Moves keys before another one, or to the end. A place among the moved keys themselves changes nothing. */
function moved(
  order: readonly string[],
  keys: readonly string[],
  before: string | undefined,
): readonly string[] {
  const set = new Set(keys)
  if (before !== undefined && set.has(before)) return order
  const rest = order.filter((key) => !set.has(key))
  const at = before === undefined ? rest.length : rest.indexOf(before)
  const next = rest.toSpliced(at, 0, ...order.filter((key) => set.has(key)))
  return next.every((key, index) => key === order[index]) ? order : next
}

type Contents = Pick<EditorState, 'order' | 'items'>
/** A heading with everything below it, up to the next heading of its level or above; a task alone. */
export function sectionOf({ order, items }: Contents, key: string): readonly string[] {
  const heading = items[key]
  const at = order.indexOf(key)
  if (heading?.type !== 'HEADING') return [key]
  const end = order.findIndex((other, index) => {
    const { type, level } = items[other]!
    return index > at && type === 'HEADING' && level <= heading.level
  })
  return order.slice(at, end === -1 ? undefined : end)
}
/** The key that a section moves before, to go over its neighbour; undefined for the end, null where it is the last one. */
export function besideSection(state: Contents, key: string, by: -1 | 1): string | undefined | null {
  const { order, items } = state
  const section = sectionOf(state, key)
  const at = order.indexOf(key)
  if (by === 1) {
    const next = order[at + section.length]
    return next === undefined ? null : order[order.indexOf(sectionOf(state, next).at(-1)!) + 1]
  }
  const above = order.slice(0, at)
  const { level } = items[key]!
  return (
    above.findLast((other) => items[other]!.type === 'HEADING' && items[other]!.level <= level) ??
    above[0] ??
    null
  )
}
/** The keys that folded headings leave visible: also the open item and those with errors. */
export function visibleKeys(state: EditorState, folded: ReadonlySet<string>): readonly string[] {
  if (folded.size === 0) return state.order
  const hidden = new Set(
    state.order.filter((key) => folded.has(key)).flatMap((key) => sectionOf(state, key).slice(1)),
  )
  return state.order.filter(
    (key) => !hidden.has(key) || key === state.openKey || state.errors.items[key] !== undefined,
  )
}

function changed(state: EditorState, key: string, changes: Partial<EditedItem>): EditorState {
  const item = state.items[key]
  if (!item) return state
  const known = state.errors.items[key]
  const left = known && Object.fromEntries(Object.entries(known).filter(([field]) => !(field in changes)))
  return {
    ...state,
    items: { ...state.items, [key]: { ...item, ...changes } },
    ...(left && { errors: { ...state.errors, items: { ...state.errors.items, [key]: left } } }),
  }
}

function cancelled(state: EditorState): EditorState {
  const { openKey, before } = state
  if (openKey === null) return state
  if (!before) return { ...withoutItems(state, [openKey]), ...closed }
  const errors = { ...state.errors, items: without(state.errors.items, openKey) }
  return { ...state, items: { ...state.items, [openKey]: before }, errors, ...closed }
}

function refused(before: EditorState, errors: EditorErrors): EditorState {
  const state = { ...before, errors, refusals: before.refusals + 1 }
  const first = state.order.find((key) => errors.items[key])
  if (first === undefined || (state.openKey !== null && errors.items[state.openKey])) return state
  return { ...state, openKey: first, before: state.items[first]! }
}

type ActionOf<Type extends EditorAction['type']> = Extract<EditorAction, { readonly type: Type }>
const HANDLERS: {
  readonly [Type in EditorAction['type']]: (state: EditorState, action: ActionOf<Type>) => EditorState
} = {
  field: (state, { changes }) => {
    const left = Object.entries(state.errors.fields).filter(([field]) => !(field in changes))
    const errors = { ...state.errors, fields: Object.fromEntries(left) }
    return { ...state, fields: { ...state.fields, ...changes }, errors }
  },
  open: (state, { key }) => ({ ...state, openKey: key, before: state.items[key] ?? null }),
  change: (state, { key, changes }) => changed(state, key, changes),
  done: (state) => ({ ...state, ...closed }),
  cancel: cancelled,
  retitle: (state, { key, title }) => {
    const item = state.items[key]
    if (!item) return state
    // A step that is typed in its row has no description of its own: it repeats the title, which views leave out.
    const description = item.description.trim()
    const follows =
      item.type === 'TASK' &&
      item.formattedDescription === null &&
      (description === '' || description === item.title.trim())
    return changed(state, key, { title, ...(follows && { description: title }) })
  },
  add: (state, { items, at }) => ({
    ...state,
    order: state.order.toSpliced(at, 0, ...items.map(({ key }) => key)),
    items: { ...state.items, ...Object.fromEntries(items.map((item) => [item.key, item])) },
    errors: { ...state.errors, list: undefined },
  }),
  move: (state, { keys, before }) => {
    const order = moved(state.order, keys, before)
    return order === state.order ? state : { ...state, order }
  },
  duplicate: (state, { key }) => {
    const item = state.items[key]
    if (!item) return state
    return withItem(state, { ...item, key: newKey(), id: null }, state.order.indexOf(key) + 1)
  },
  remove: (state, { keys }) => ({
    ...withoutItems(state, keys),
    ...(state.openKey !== null && keys.includes(state.openKey) && closed),
  }),
  // An item that an undo brought back is not added twice.
  restore: (state, { entries }) =>
    entries
      .filter(({ item }) => !state.items[item.key])
      .reduce((now, { item, at }) => withItem(now, item, Math.min(at, now.order.length)), state),
  refuse: (state, { errors }) => refused(state, errors),
  replace: ({ refusals }, { state }) => ({ ...state, errors: NO_ERRORS, refusals }),
}
/** Reducer of the editor. At most one item's form is open. */
export const editorReducer = (state: EditorState, action: EditorAction): EditorState =>
  HANDLERS[action.type](state, action as never)

/** True if two states would be saved differently. */
export const differs = (one: EditorState, other: EditorState): boolean =>
  one.order.length !== other.order.length ||
  one.order.some((key, index) => key !== other.order[index] || one.items[key] !== other.items[key]) ||
  Object.entries(one.fields).some(([field, value]) => value !== other.fields[field as keyof EditorFields])

type ActivityBody = PlaybookBody['activities'][number]
const bodyOfItem = (item: EditedItem, withId: boolean): ActivityBody => {
  const isTask = item.type === 'TASK'
  return {
    ...(withId && item.id !== null && { id: item.id }),
    type: item.type,
    title: item.title.trim(),
    // The server derives the words of rich text.
    ...(item.formattedDescription === null
      ? { description: item.description }
      : { formattedDescription: item.formattedDescription }),
    level: isTask ? 1 : item.level,
    condition: isTask ? null : item.condition,
    priority: item.priority,
    idealTitleToExecute: isTask ? item.idealTitleToExecute : null,
    expectedTimeToComplete: isTask ? minutesOf(item.expectedTimeToComplete) : null,
    attachedFileIds: isTask ? [...item.attachedFileIds] : [],
  }
}
/** Body of a save. A new playbook's items have no ids. */
export const bodyOf = ({ fields, order, items }: EditorState, isNew: boolean): PlaybookBody => ({
  ...fields,
  name: fields.name.trim(),
  activities: order.map((key) => bodyOfItem(items[key]!, !isNew)),
})

const TIME: ItemField = 'expectedTimeToComplete'

/** Assigns messages by path, such as `activities.12.title`, to the items. */
export function errorsAt(
  order: readonly string[],
  messages: Iterable<readonly [path: string, message: string]>,
): EditorErrors {
  const fields: Record<string, string> = {}
  const items: Record<string, Record<string, string>> = {}
  let list: string | undefined
  for (const [path, message] of messages) {
    const [first = '', index, field = 'title'] = path.split('.')
    const key = index === undefined ? undefined : order[Number(index)]
    if ((FIELDS as readonly string[]).includes(first)) fields[first] ??= message
    else if (first === 'activities' && key !== undefined) (items[key] ??= {})[field] ??= message
    else if (first === 'activities') list ??= message
  }
  return { fields, items, list }
}
const isEmpty = ({ fields, items, list }: EditorErrors): boolean =>
  Object.keys(fields).length + Object.keys(items).length === 0 && list === undefined

interface Limits {
  /** Limit of headings and tasks; undefined until known. */
  readonly items: number | undefined
  /** Message for a time that is no whole number. */
  readonly timeInvalid: string
}
/** Errors of the state by the contract and the organisation's limits; undefined if it can be saved. */
export function problemsOf(state: EditorState, { items, timeInvalid }: Limits): EditorErrors | undefined {
  const { order } = state
  const issues = NewPlaybook.safeParse(bodyOf(state, true)).error?.issues ?? []
  const errors = errorsAt(
    order,
    issues.map(({ path, message }) => [path.join('.'), path.includes(TIME) ? timeInvalid : message] as const),
  )
  const excess = items !== undefined && order.length > items ? tooManyItems(items) : undefined
  const found = { ...errors, list: errors.list ?? excess }
  return isEmpty(found) ? undefined : found
}
/** Errors of one item by the contract; undefined if it can be saved. */
export function itemProblemsOf(item: EditedItem, timeInvalid: string): ItemErrors | undefined {
  const issues = NewPlaybookActivity.safeParse(bodyOfItem(item, true)).error?.issues ?? []
  const messages = issues.map(
    ({ path, message }) =>
      [`activities.0.${path.join('.')}`, path.includes(TIME) ? timeInvalid : message] as const,
  )
  return errorsAt([item.key], messages).items[item.key]
}

/** Content of a playbook for a comparison. */
export const contentOf = (playbook: OpenedPlaybook): PlaybookContent =>
  pick(playbook, ['name', 'description', 'categoryId', 'activities', 'proposal', 'start'])
