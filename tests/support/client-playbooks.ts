import { HttpResponse } from 'msw'
import { beforeEach } from 'vitest'

import { pick } from '#contract/kit/pick.ts'
import type { PlaybookUse } from '#contract/incident-playbooks/schema.ts'
import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import type { PlaybookSelection } from '#contract/playbooks/api.ts'
import {
  type DraftState,
  NO_PROPOSAL,
  NO_START,
  type OpenedPlaybook,
  type PlaybookActivity,
  type PlaybookDraft,
} from '#contract/playbooks/schema.ts'
import type { UserRole } from '#contract/users/schema.ts'

import { answer, laidOut, open, signedIn } from './client.tsx'
import { GRACE, hearing, ME, minutesAgo, person, uuid } from './client-incidents.ts'
import { peopleAre } from './client-people.ts'

export const aHeading = (n: number, title: string): PlaybookActivity => ({
  id: uuid(600 + n),
  type: 'HEADING',
  title,
  description: '',
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  attachedFileIds: [],
  index: n,
})
export const aStep = (n: number, changes: Partial<PlaybookActivity> = {}): PlaybookActivity => ({
  ...aHeading(n, `Step ${n}`),
  type: 'TASK',
  description: `How to do step ${n}`,
  ...changes,
})
export const aPlaybook = (n: number, changes: Partial<OpenedPlaybook> = {}): OpenedPlaybook => ({
  id: uuid(500 + n),
  name: `Playbook ${n}`,
  categoryId: null,
  description: '',
  attachmentsFolderId: uuid(500 + n),
  createdBy: ME.email,
  createTimestamp: minutesAgo(900),
  updatedBy: ME.email,
  updateTimestamp: minutesAgo(500),
  owner: null,
  reviewDate: null,
  sharedBy: null,
  version: 1,
  isPublished: true,
  draft: null,
  archiveTimestamp: null,
  lastUsedTimestamp: null,
  usesCount: 0,
  proposal: NO_PROPOSAL,
  start: NO_START,
  people: [],
  ...changes,
  activities: changes.activities ?? [aHeading(0, 'At once'), aStep(1), aStep(2)],
  activitiesCount: changes.activities?.length ?? 3,
  tasksCount: changes.activities?.filter(({ type }) => type === 'TASK').length ?? 2,
})
export const aCategory = (n: number, name: string, playbooksCount = 0): PlaybookCategory => ({
  id: uuid(700 + n),
  name,
  categoryName: name,
  playbooksCount,
  createTimestamp: minutesAgo(900),
  updateTimestamp: minutesAgo(900),
  version: 1,
})

/** A draft of a playbook by Grace, with changes. */
export function aDraft(
  { version, owner, reviewDate, name, description, categoryId, activities, proposal, start }: OpenedPlaybook,
  state: DraftState,
  changes: Partial<PlaybookDraft> = {},
): PlaybookDraft {
  return {
    revision: uuid(900),
    state,
    savedBy: GRACE.email,
    savedTimestamp: minutesAgo(30),
    baseVersion: version,
    content: { name, description, categoryId, activities, proposal, start },
    owner,
    reviewDate,
    fileNames: {},
    isOwn: false,
    returnedBy: null,
    returnReason: null,
    people: [GRACE],
    ...changes,
  }
}
/** A playbook with a draft. */
export const drafted = (
  playbook: OpenedPlaybook,
  { revision, state, savedBy, savedTimestamp }: PlaybookDraft,
): OpenedPlaybook => ({ ...playbook, draft: { revision, state, savedBy, savedTimestamp } })

/** The use of a playbook that no incident has taken. */
export const NEVER_USED: PlaybookUse = { incidentsCount: 0, exercisesCount: 0, hasMore: false, last: null }

interface Served {
  playbooks: OpenedPlaybook[]
  categories: PlaybookCategory[]
}
interface Filter {
  readonly q?: string
  readonly categoryId?: string | null
  readonly reviewDue?: boolean
  readonly used?: boolean
  readonly selection?: PlaybookSelection
}
const SELECTED: { readonly [S in PlaybookSelection]: (one: OpenedPlaybook) => boolean } = {
  PUBLISHED: (one) => one.isPublished && one.archiveTimestamp === null,
  COUNTED: (one) => one.archiveTimestamp === null,
  DRAFT: (one) => one.draft !== null,
  NEW: (one) => !one.isPublished,
  WAITING: (one) => one.draft?.state === 'WAITING',
  ARCHIVED: (one) => one.archiveTimestamp !== null,
}
const finds =
  ({ q, categoryId, reviewDue, used, selection = 'PUBLISHED' }: Filter) =>
  (one: OpenedPlaybook) =>
    SELECTED[selection](one) &&
    (used === undefined || (one.lastUsedTimestamp !== null) === used) &&
    (q === undefined || JSON.stringify(one).toLowerCase().includes(q.toLowerCase())) &&
    (categoryId === undefined || one.categoryId === categoryId) &&
    (!reviewDue || (one.reviewDate !== null && one.reviewDate < '2026'))

/** Serves playbooks that calls can change. */
export function servePlaybooks(...playbooks: OpenedPlaybook[]) {
  const state: Served = { playbooks, categories: [] }
  const indexOf = (url: URL) => state.playbooks.findIndex(({ id }) => url.pathname.split('/').includes(id))
  const save = (saved: OpenedPlaybook, at = state.playbooks.length) => {
    state.playbooks = state.playbooks.toSpliced(at, 1, saved)
    return saved
  }
  const withItems = (body: any, before: OpenedPlaybook): OpenedPlaybook => ({
    ...before,
    ...body,
    activities: body.activities.map((item: any, index: number) => ({
      ...aHeading(index, ''),
      ...item,
      id: item.id ?? uuid(800 + index),
      index,
    })),
    activitiesCount: body.activities.length,
    version: before.version + 1,
  })
  const listed = hearing('get', '/playbook/templates', ({ url }) => {
    const filter = JSON.parse(url.searchParams.get('filter') ?? '{}') as Filter
    const found = state.playbooks
      .filter(finds(filter))
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map((row) => ({ ...row, activities: undefined, people: undefined }))
    const [first, last] = JSON.parse(url.searchParams.get('range') ?? '[0,9999]') as [number, number]
    return HttpResponse.json(found.slice(first, last + 1), {
      headers: { 'Content-Range': `playbooks ${first}-${last}/${found.length}` },
    })
  })
  answer('get', '/playbook/template/:id/use', NEVER_USED)
  hearing('get', '/playbook/categories', () => state.categories)
  hearing(
    'get',
    '/playbook/template/:id',
    ({ url }) =>
      state.playbooks[indexOf(url)] ??
      HttpResponse.json({ code: 'refused', message: 'This playbook does not exist.' }, { status: 404 }),
  )
  hearing('get', '/playbook/template/:id/versions/:version', ({ url }) => {
    const { version, updatedBy, ...rest } = playbooks[indexOf(url)]!
    const content = pick(rest, ['name', 'description', 'categoryId', 'activities', 'proposal', 'start'])
    const saved = {
      version,
      savedBy: updatedBy,
      savedTimestamp: minutesAgo(500),
      restoredFrom: null,
      approvedBy: null,
    }
    return { ...saved, content, fileNames: {} }
  })
  const created = hearing(
    'post',
    '/playbook/template',
    ({ body }) => save(withItems(body, { ...aPlaybook(90), version: 0 })),
    201,
  )
  const updated = hearing('put', '/playbook/template/:id', ({ url, body }) =>
    save(withItems(body, state.playbooks[indexOf(url)]!), indexOf(url)),
  )
  const editing = hearing('put', '/playbook/template/:id/editing/:editorId', () => ({ editors: [] }))
  hearing('delete', '/playbook/template/:id/editing/:editorId', () => new HttpResponse(null, { status: 204 }))
  const removed = hearing('delete', '/playbook/template/:id', ({ url }) => {
    state.playbooks = state.playbooks.toSpliced(indexOf(url), 1)
    return new HttpResponse(null, { status: 204 })
  })
  return { state, listed, created, updated, removed, editing }
}

/** Browser features and other endpoints that pages of playbooks need. Called by each test file. */
export const preparePlaybooks = () =>
  beforeEach(() => {
    laidOut()
    Element.prototype.scrollIntoView = () => undefined
    peopleAre([person(), GRACE])
    answer('get', '/incident', { data: [], page: 0, size: 20, total: 0, people: [] })
    answer('get', '/config', { playbookMaxTemplates: 50, maxActivitiesPerPlaybook: 150 })
  })

/** Opens a path in a role. */
export function playbooksPage(path = '/playbooks', role: UserRole = 'ADMIN') {
  signedIn(role)
  return open(path)
}
