import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { beforeEach, expect, vi } from 'vitest'

import { pick } from '#contract/kit/pick.ts'
import type {
  Activity,
  ChildActivity,
  Incident,
  ListedIncident,
  PopulatedIncident,
  TeamMember,
} from '#contract/incidents/schema.ts'
import { type DirectoryUser, NewUser, USER_FIELDS } from '#contract/users/schema.ts'

import { answer, API, aProblem, aUser, laidOut, open, server, signedIn, windowIs } from './client.tsx'
import { peopleAre } from './client-people.ts'

export const ME = aUser()
export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

export const person = (changes: Partial<DirectoryUser> = {}): DirectoryUser => ({
  uuid: ME.uuid,
  email: ME.email,
  ...pick(NewUser.parse(ME), USER_FIELDS),
  phoneNumber: null,
  role: 'ADMIN',
  active: true,
  banned: false,
  dashboard_user: false,
  profileImageUrl: null,
  lastLoginTimestamp: null,
  hasPasswordSet: true,
  wasSentActivationEmail: true,
  ...changes,
})
export const GRACE = person({
  uuid: uuid(901),
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@demo.example',
})
export const BOARD = person({
  uuid: uuid(902),
  firstName: 'Berta',
  lastName: 'Board',
  email: 'board@demo.example',
  role: 'BUSINESS_USER',
})
export const GONE = person({
  uuid: uuid(903),
  firstName: 'Gone',
  lastName: 'Away',
  email: 'gone@demo.example',
  active: false,
})

export const words = {
  attachedFileIds: [] as string[],
  canEdit: true,
  canDelete: true,
  createdBy: ME.email,
  version: 1,
}
export const aTask = (n: number, changes: Partial<Activity> = {}): Activity => ({
  ...words,
  id: uuid(n),
  incidentId: uuid(1),
  parentActivityId: null,
  section: null,
  sectionDescription: null,
  formattedDescription: null,
  formattedSectionDescription: null,
  type: 'TASK',
  title: `Task ${n}`,
  description: `What to do ${n}`,
  createTimestamp: minutesAgo(100 - n),
  updateTimestamp: minutesAgo(100 - n),
  status: 'TO_DO',
  priority: 'MEDIUM',
  progress: 0,
  assignedTo: null,
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  dueTimestamp: null,
  conditionId: null,
  isSkipped: false,
  message: null,
  childActivities: [],
  ...changes,
})
export const anUpdate = (n: number, changes: Partial<Activity> = {}): Activity =>
  aTask(n, { type: 'UPDATE', title: '', description: `News ${n}`, ...changes })
export const below = (n: number, task: number, description: string): ChildActivity => ({
  ...words,
  id: uuid(n),
  incidentId: uuid(1),
  parentActivityId: uuid(task),
  description,
  createTimestamp: minutesAgo(5),
  updateTimestamp: minutesAgo(5),
})

export const aWhole = (changes: Partial<PopulatedIncident> = {}): PopulatedIncident => ({
  id: uuid(1),
  number: 'INC-2026-014',
  title: 'Ransomware in the payment network',
  previewText: 'All tills are down.',
  fullText: '<h2>Incident Overview</h2><p>All <strong>tills</strong> are down.</p>',
  createTimestamp: minutesAgo(90),
  createdBy: ME.email,
  isActive: true,
  severity: 'HIGH',
  isTabletop: false,
  type: 'incident',
  estimatedTimeToRecovery: 2,
  estimatedTimeToRecoveryTimeUnit: 'HOURS',
  estimatedTimeToRecoveryInMinutes: 120,
  isTargeted: false,
  resolvedBy: null,
  resolveTimestamp: null,
  openTasks: null,
  openTasksReason: null,
  outcome: null,
  outcomeReason: null,
  mergedIntoId: null,
  postmortemDetails: null,
  hasIncompleteTasks: false,
  shouldCurrentUserCheckIn: false,
  tasksCount: 0,
  completeTasksCount: 0,
  updatesCount: 0,
  checkInsCount: 0,
  attachmentsFolderId: uuid(1),
  breakoutRoomId: null,
  kindId: null,
  kind: null,
  fieldValues: {},
  labels: [],
  breakoutRoomAccess: 'NONE',
  mergedInto: null,
  duplicates: [],
  attachments: [],
  version: 1,
  activities: [],
  checkIns: [],
  targetedUsers: [],
  targetedGroups: [],
  people: [],
  ...changes,
})
export const resolved = { isActive: false, resolvedBy: ME.email, resolveTimestamp: minutesAgo(10) }
export const listed = (n: number, changes: Partial<ListedIncident> = {}): ListedIncident => ({
  ...aWhole({ id: uuid(n), title: `Incident ${n}`, createTimestamp: minutesAgo(n) }),
  ...changes,
})
/** An incident as the server returns it for a query, without the parts left out. */
export function populatedBy({ searchParams }: URL, incident: PopulatedIncident): Incident {
  const has = (part: string) => searchParams.get(part) !== 'false'
  const { checkIns, targetedUsers, targetedGroups, ...rest } = incident
  return {
    ...rest,
    ...(has('populateCheckIns') && { checkIns }),
    ...(has('populateTargetedUsers') && { targetedUsers }),
    targetedGroups: targetedGroups.map(({ id, name, userIds }) => ({
      id,
      name,
      ...(has('populateGroupMembers') && { userIds }),
    })),
  }
}

export interface Requests {
  readonly bodies: unknown[]
  readonly urls: URL[]
}
/** Answers a call and records its requests. */
export function hearing(
  verb: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  reply: (asked: {
    url: URL
    body: any
    times: number
  }) => JsonBodyType | Response | Promise<JsonBodyType | Response>,
  status = 200,
): Requests {
  const asked: Requests = { bodies: [], urls: [] }
  server.use(
    http[verb](`${API}${path}`, async ({ request }) => {
      const url = new URL(request.url)
      const text = await request.text()
      const body: unknown = text ? JSON.parse(text) : undefined
      asked.urls.push(url)
      asked.bodies.push(body)
      const answered = await reply({ url, body, times: asked.urls.length })
      return answered instanceof Response ? answered : HttpResponse.json(answered, { status })
    }),
  )
  return asked
}
export const refused = (status: number, message: string, more: object = {}) =>
  HttpResponse.json({ ...aProblem(message), ...more }, { status })

/** The team status of an untargeted incident, as the server returns it. */
export function teamOf(
  { checkIns }: PopulatedIncident,
  team: readonly DirectoryUser[],
  { searchParams }: URL,
) {
  const at = (user: DirectoryUser) => checkIns.find(({ userId }) => userId === user.uuid)?.timestamp ?? null
  const rows = team.map((user) => ({
    id: user.uuid,
    ...pick(user, ['firstName', 'lastName', 'profileImageUrl']),
    lastActiveTimestamp: null,
    checkInTimestamp: at(user),
    answer: null,
  }))
  const isWaiting = ({ checkInTimestamp }: TeamMember) => checkInTimestamp === null
  const checkedIn = rows.filter((row) => !isWaiting(row))
  const waiting = rows.filter(isWaiting)
  const all =
    searchParams.get('waitingFirst') === 'true' ? [...waiting, ...checkedIn] : [...checkedIn, ...waiting]
  const found = searchParams.get('onlyWaiting') === 'true' ? waiting : all
  const [offset, size] = [Number(searchParams.get('offset')), Number(searchParams.get('size'))]
  return {
    data: found.slice(offset, offset + size),
    total: rows.length,
    checkedInCount: checkedIn.length,
    waitingCount: waiting.length,
    helpCount: 0,
  }
}

/** Serves an incident that calls can change. */
export function serving(
  incident: PopulatedIncident,
  team: readonly DirectoryUser[] = [person(), BOARD, GRACE],
) {
  const state = { incident, team }
  const asked = hearing('get', `/incident/${uuid(1)}`, ({ url }) => populatedBy(url, state.incident))
  const teamAsked = hearing('get', `/incident/${uuid(1)}/teamStatus`, ({ url }) =>
    teamOf(state.incident, state.team, url),
  )
  return { state, asked, teamAsked }
}
export const feedOf = (incidents: readonly ListedIncident[]) =>
  hearing('get', '/incident', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    const size = Number(url.searchParams.get('size'))
    const word = url.searchParams.get('searchWord')?.toLowerCase() ?? ''
    const found = incidents.filter(({ title }) => title.toLowerCase().includes(word))
    return { data: found.slice(page * size, (page + 1) * size), page, size, total: found.length, people: [] }
  })

/** Observers of the ends of lists. */
let watched: (() => void)[] = []
/** Scrolls to the end of the list. */
export const nearTheEnd = () => act(() => watched.forEach((tell) => tell()))

/** Browser features and other endpoints that pages of incidents need. Called by each test file. */
export const preparePages = () =>
  beforeEach(() => {
    watched = []
    // Narrow, so that the parts of an incident are behind tabs.
    windowIs('narrow')
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        readonly #tell: () => void
        constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
          this.#tell = () => callback([{ isIntersecting: true }])
        }
        observe() {
          watched.push(this.#tell)
        }
        disconnect() {
          watched = watched.filter((tell) => tell !== this.#tell)
        }
      },
    )
    laidOut()
    peopleAre([person(), GRACE, BOARD, GONE])
    answer('get', '/config', { maxActivitiesPerIncident: 1_000 })
    answer('get', '/playbook/templates', [])
    answer('get', '/incident/:id/roles', [])
    answer('get', '/incident/:id/playbooks', [])
  })

export const at = (path: string) => waitFor(() => expect(location.pathname).toBe(path))

/** Pastes text into a field, because typing letter by letter is slow. */
export async function fill(user: ReturnType<typeof open>, field: HTMLElement, words: string) {
  await user.click(field)
  await user.paste(words)
}

/** Opens the page of an incident in a role. */
export const page = (incident: PopulatedIncident, role: 'USER' | 'ADMIN' | 'BUSINESS_USER' = 'ADMIN') => {
  signedIn(role)
  feedOf([])
  const served = serving(incident)
  return { ...served, user: open(`/incidents/${uuid(1)}`) }
}
export const shown = () => screen.findByRole('heading', { name: 'Ransomware in the payment network' })
