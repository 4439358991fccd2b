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
import { minutesOf, type TypedTime, typedTime } from '../TimeFields.tsx'

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

export type EditorAction =
  | { readonly type: 'field'; readonly changes: Partial<EditorFields> }
  | { readonly type: 'insert'; readonly kind: PlaybookItemType; readonly at: number }
  | { readonly type: 'open'; readonly key: string }
  | { readonly type: 'change'; readonly key: string; readonly changes: Partial<EditedItem> }
  | { readonly type: 'done' | 'cancel' }
  | { readonly type: 'move'; readonly from: number; readonly to: number }
  | { readonly type: 'duplicate' | 'remove'; readonly key: string }
  | { readonly type: 'restore'; readonly item: EditedItem; readonly at: number }
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
const withoutItem = (state: EditorState, key: string): EditorState => ({
  ...state,
  order: state.order.filter((other) => other !== key),
  items: without(state.items, key),
  errors: { ...state.errors, items: without(state.errors.items, key), list: undefined },
})
const closed = { openKey: null, before: null } as const

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
  if (!before) return { ...withoutItem(state, openKey), ...closed }
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
  insert: (state, { kind, at }) => {
    const above = state.order
      .slice(0, at)
      .map((key) => state.items[key]!)
      .findLast(({ type }) => type === 'HEADING')
    const item = { ...blankItem(kind), ...(kind === 'HEADING' && above && { level: above.level }) }
    return { ...withItem(state, item, at), openKey: item.key, before: null }
  },
  open: (state, { key }) => ({ ...state, openKey: key, before: state.items[key] ?? null }),
  change: (state, { key, changes }) => changed(state, key, changes),
  done: (state) => ({ ...state, ...closed }),
  cancel: cancelled,
  move: (state, { from, to }) => {
    const key = state.order[from]
    if (key === undefined || from === to) return state
    return { ...state, order: state.order.toSpliced(from, 1).toSpliced(to, 0, key) }
  },
  duplicate: (state, { key }) => {
    const item = state.items[key]
    if (!item) return state
    return withItem(state, { ...item, key: newKey(), id: null }, state.order.indexOf(key) + 1)
  },
  remove: (state, { key }) => ({ ...withoutItem(state, key), ...(state.openKey === key && closed) }),
  restore: (state, { item, at }) => withItem(state, item, Math.min(at, state.order.length)),
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
