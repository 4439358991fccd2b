import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { withTaskState } from '#contract/incidents/rules.ts'
import type { Activity, ChildActivity, Incident, ListedIncident } from '#contract/incidents/schema.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'

import {
  aDashboard,
  anIncident,
  answer,
  API,
  aProblem,
  aUser,
  FakeSocket,
  open,
  server,
  signedIn,
} from '#tests/support/client.tsx'

const ME = aUser()
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const person = (changes: Partial<DirectoryUser> = {}): DirectoryUser => ({
  uuid: ME.uuid,
  firstName: ME.firstName,
  lastName: ME.lastName,
  email: ME.email,
  phoneNumber: null,
  role: 'ADMIN',
  type: 'INTERNAL',
  active: true,
  banned: false,
  dashboard_user: false,
  profileImageUrl: null,
  location: null,
  department: null,
  ...changes,
})
const GRACE = person({ uuid: uuid(901), firstName: 'Grace', lastName: 'Hopper', email: 'grace@demo.example' })
const BOARD = person({
  uuid: uuid(902),
  firstName: 'Berta',
  lastName: 'Board',
  email: 'board@demo.example',
  role: 'BUSINESS_USER',
})
const GONE = person({
  uuid: uuid(903),
  firstName: 'Gone',
  lastName: 'Away',
  email: 'gone@demo.example',
  active: false,
})

const words = { canEdit: true, canDelete: true, createdBy: ME.email, version: 1 }
const aTask = (n: number, changes: Partial<Activity> = {}): Activity => ({
  ...words,
  id: uuid(n),
  incidentId: uuid(1),
  parentActivityId: null,
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
  childActivities: [],
  ...changes,
})
const anUpdate = (n: number, changes: Partial<Activity> = {}): Activity =>
  aTask(n, { type: 'UPDATE', title: '', description: `News ${n}`, ...changes })
const below = (n: number, task: number, description: string): ChildActivity => ({
  ...words,
  id: uuid(n),
  incidentId: uuid(1),
  parentActivityId: uuid(task),
  description,
  createTimestamp: minutesAgo(5),
  updateTimestamp: minutesAgo(5),
})

const aWhole = (changes: Partial<Incident> = {}): Incident => ({
  id: uuid(1),
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
  postmortemDetails: null,
  hasIncompleteTasks: false,
  shouldCurrentUserCheckIn: false,
  tasksCount: 0,
  completeTasksCount: 0,
  updatesCount: 0,
  checkInsCount: 0,
  version: 1,
  activities: [],
  checkIns: [],
  targetedUsers: [],
  ...changes,
})
const resolved = { isActive: false, resolvedBy: ME.email, resolveTimestamp: minutesAgo(10) }
const listed = (n: number, changes: Partial<ListedIncident> = {}): ListedIncident => ({
  ...aWhole({ id: uuid(n), title: `Incident ${n}`, createTimestamp: minutesAgo(n) }),
  ...changes,
})

interface Asked {
  readonly bodies: unknown[]
  readonly urls: URL[]
}
/** Answers a call, and remembers what it was asked. */
function hearing(
  verb: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  reply: (asked: { url: URL; body: any; times: number }) => JsonBodyType | Response,
  status = 200,
): Asked {
  const asked: Asked = { bodies: [], urls: [] }
  server.use(
    http[verb](`${API}${path}`, async ({ request }) => {
      const url = new URL(request.url)
      const text = await request.text()
      const body: unknown = text ? JSON.parse(text) : undefined
      asked.urls.push(url)
      asked.bodies.push(body)
      const answered = reply({ url, body, times: asked.urls.length })
      return answered instanceof Response ? answered : HttpResponse.json(answered, { status })
    }),
  )
  return asked
}
const refused = (status: number, message: string, more: object = {}) =>
  HttpResponse.json({ ...aProblem(message), ...more }, { status })

/** The server's incident, which calls change. */
function serving(incident: Incident) {
  const state = { incident }
  answer('get', '/incident/userActivityTimestamps', [])
  const asked = hearing('get', `/incident/${uuid(1)}`, () => state.incident)
  return { state, asked }
}
const feedOf = (incidents: readonly ListedIncident[]) =>
  hearing('get', '/incident', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    const size = Number(url.searchParams.get('size'))
    const word = url.searchParams.get('searchWord')?.toLowerCase() ?? ''
    const found = incidents.filter(({ title }) => title.toLowerCase().includes(word))
    return { data: found.slice(page * size, (page + 1) * size), page, size, total: found.length }
  })

/** The places at the end of lists that the page watches. */
let watched: (() => void)[] = []
const nearTheEnd = () => act(() => watched.forEach((tell) => tell()))

beforeEach(() => {
  watched = []
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
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  // What an editor asks of a page that is laid out.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  Range.prototype.getBoundingClientRect = () => new DOMRect()
  document.elementFromPoint = () => null
  answer('get', '/authentication/users', { users: [person(), GRACE, BOARD, GONE] })
  answer('get', '/config', { maxActivitiesPerIncident: 1_000 })
})

const card = (title: string) => screen.findByRole('link', { name: title })
const titles = () =>
  within(screen.getByRole('list', { name: 'Incident feed' }))
    .getAllByRole('link')
    .map((link) => link.textContent)
const at = (path: string) => waitFor(() => expect(location.pathname).toBe(path))

describe('the feed', () => {
  test('shows incidents newest first, what each is about, and its end', async () => {
    signedIn('USER')
    feedOf([
      listed(2, {
        isTabletop: true,
        type: 'exercise',
        shouldCurrentUserCheckIn: true,
        tasksCount: 3,
        completeTasksCount: 1,
        checkInsCount: 5,
      }),
      listed(30, { estimatedTimeToRecoveryInMinutes: 10 }),
      listed(400, resolved),
    ])
    open('/incidents')
    await card('Incident 2')
    expect(titles()).toEqual(['Incident 2', 'Incident 30', 'Incident 400'])
    const [first, second, third] = screen.getAllByRole('article').map((article) => within(article))
    expect(first!.getByText('EXERCISE')).toBeVisible()
    expect(first!.getByText('Check-in needed')).toBeVisible()
    expect(first!.getByText('1 of 3 tasks complete')).toBeVisible()
    expect(first!.getByText('5 check-ins')).toBeVisible()
    expect(second!.getByText('Ongoing')).toBeVisible()
    expect(second!.getByText(/^Overdue by (19|20) min$/)).toBeVisible()
    expect(second!.getByText('High severity')).toBeVisible()
    expect(second!.getByText(/Ada Lovelace/)).toBeVisible()
    expect(third!.getByText('Resolved')).toBeVisible()
    expect(third!.queryByText(/Overdue/)).toBeNull()
    expect(screen.getByText("You've reached the end of the incident feed.")).toBeVisible()
  })

  test('asks for the next page near its end, and shows each incident once', async () => {
    signedIn('USER')
    const asked = feedOf(Array.from({ length: 45 }, (_, n) => listed(n + 2)))
    open('/incidents')
    await card('Incident 2')
    expect(titles()).toHaveLength(20)
    expect(asked.urls[0]?.searchParams.get('size')).toBe('20')
    nearTheEnd()
    await card('Incident 41')
    nearTheEnd()
    await card('Incident 46')
    expect(new Set(titles()).size).toBe(45)
    expect(asked.urls.map((url) => url.searchParams.get('page'))).toEqual(['0', '1', '2'])
  })

  test('searches from three characters on, once typing has paused', async () => {
    signedIn('USER')
    const asked = feedOf([listed(2, { title: 'Flood in Rotterdam' }), listed(3, { title: 'Phishing' })])
    const user = open('/incidents')
    await card('Phishing')
    const words = () => asked.urls.map((url) => url.searchParams.get('searchWord'))
    const box = screen.getByRole('searchbox')
    await user.type(box, 'fl')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(words()).toEqual([null])
    await user.type(box, 'ood')
    await waitFor(() => expect(titles()).toEqual(['Flood in Rotterdam']))
    expect(words()).toEqual([null, 'flood'])
    expect(location.search).toBe('?search=flood')
    await user.type(box, ' zzz')
    expect(await screen.findByText('No incident contains “flood zzz”.')).toBeVisible()
    await user.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1)!)
    await card('Phishing')
    expect(box).toHaveValue('')
  })

  test('offers to create one only to those who may', async () => {
    signedIn('BUSINESS_USER')
    feedOf([])
    open('/incidents')
    expect(await screen.findByText(/None has been created yet/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Create Incident' })).toBeNull()
  })

  test('leads to the form', async () => {
    signedIn('USER')
    feedOf([])
    const user = open('/incidents')
    await user.click(await screen.findByRole('link', { name: 'Create Incident' }))
    await at('/incidents/create')
  })

  test('says why none can be created', async () => {
    signedIn('USER')
    feedOf([])
    answer('get', '/dashboard', aDashboard([anIncident(), anIncident({ id: uuid(7), isTabletop: true })]))
    open('/incidents')
    await waitFor(() =>
      expect(screen.getByRole('link', { name: 'Create Incident' })).toHaveAttribute('aria-disabled', 'true'),
    )
    expect(screen.getByRole('link', { name: 'Create Incident' })).not.toHaveAttribute('href')
  })

  test('says when it cannot be loaded, and tries again', async () => {
    signedIn('USER')
    hearing('get', '/incident', ({ times }) =>
      times < 3 ? refused(500, 'x') : { data: [listed(2)], page: 0, size: 20, total: 1 },
    )
    const user = open('/incidents')
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await card('Incident 2')
  })
})

/** Puts text into a field at once: typing letter by letter is slow. */
async function fill(user: ReturnType<typeof open>, field: HTMLElement, words: string) {
  await user.click(field)
  await user.paste(words)
}
const submit = (name: string) => screen.getByRole('button', { name })
const title = () => screen.findByRole('textbox', { name: 'Title' })

describe('the form', () => {
  test('begins with the template, and says what is missing', async () => {
    signedIn('USER')
    const user = open('/incidents/create')
    await title()
    expect(await screen.findByText('Incident Overview')).toBeVisible()
    expect(screen.getByText('Action Plan')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Medium' })).toHaveAttribute('aria-pressed', 'true')
    await user.click(screen.getByRole('radio', { name: /^Exercise/ }))
    expect(await screen.findByText('Exercise Overview')).toBeVisible()
    expect(screen.getByText('EXERCISE')).toBeVisible()
    await user.click(screen.getByRole('radio', { name: /^Incident/ }))
    expect(await screen.findByText('Incident Overview')).toBeVisible()
    await user.click(submit('Create Incident'))
    expect(await screen.findByText('A title is required.')).toBeVisible()
    await user.click(await title())
    await user.paste('x'.repeat(256))
    expect(await screen.findByText('Maximum length of 255 characters exceeded.')).toBeVisible()
  })

  test('creates an incident with its first tasks for selected people', async () => {
    signedIn('USER')
    serving(aWhole())
    const asked = hearing('post', '/incident/withActivities', () => aWhole(), 201)
    const user = open('/incidents/create')
    await fill(user, await title(), 'Power cut')
    await user.click(screen.getByRole('button', { name: 'Critical' }))
    await fill(user, screen.getByRole('textbox', { name: 'Estimated time to recovery' }), '3')
    await user.click(screen.getByRole('switch', { name: /Only selected people/ }))
    await user.click(submit('Create Incident'))
    expect(await screen.findByText('Please choose at least one person.')).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'People' }))
    const people = await screen.findByRole('listbox')
    expect(within(people).queryByText('Berta Board')).toBeNull()
    expect(within(people).queryByText('Gone Away')).toBeNull()
    await user.click(within(people).getByText('Grace Hopper'))
    await user.keyboard('{Escape}')

    const section = within(screen.getByRole('region', { name: 'First tasks' }))
    for (const name of ['One', 'Two']) {
      await user.click(section.getByRole('button', { name: 'Add task' }))
      if (name === 'One') {
        await user.click(section.getByRole('button', { name: 'Add task' }))
        expect(await section.findByText('Title is a required field.')).toBeVisible()
        expect(section.getByText('Description is a required field.')).toBeVisible()
      }
      await fill(user, section.getByRole('textbox', { name: 'Title' }), name)
      await fill(user, section.getByRole('textbox', { name: 'Description' }), `Do ${name}`)
      if (name === 'Two') {
        await user.click(submit('Create Incident'))
        expect(await section.findByText(/add or cancel the task/)).toBeVisible()
      }
      await user.click(section.getByRole('button', { name: 'Add task' }))
      await section.findByText(name)
    }
    await user.click(section.getByRole('button', { name: 'Move “Two” up' }))
    await user.click(submit('Create Incident'))
    await at(`/incidents/${uuid(1)}`)
    expect(asked.bodies[0]).toMatchObject({
      title: 'Power cut',
      severity: 'CRITICAL',
      isTabletop: false,
      estimatedTimeToRecovery: 3,
      estimatedTimeToRecoveryTimeUnit: 'HOURS',
      targetedUsers: [GRACE.email],
      activityCreateRequests: [
        { type: 'TASK', title: 'Two', description: 'Do Two', priority: 'MEDIUM', assignedTo: null },
        { type: 'TASK', title: 'One' },
      ],
    })
  })

  test.each([
    [403, 'Error: multiple incidents are not enabled.'],
    [500, 'Something went wrong while creating the incident.'],
  ])('keeps what was typed when creating is refused with %i', async (status, sentence) => {
    signedIn('USER')
    hearing('post', '/incident', () => refused(status, 'x'))
    const user = open('/incidents/create')
    await fill(user, await title(), 'Power cut')
    await user.click(submit('Create Incident'))
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(await title()).toHaveValue('Power cut')
    expect(location.pathname).toBe('/incidents/create')
  })

  test('fixes the kind that is left, and leads away when none is', async () => {
    signedIn('USER')
    feedOf([])
    answer('get', '/dashboard', aDashboard([anIncident()]))
    open('/incidents/create')
    expect(await screen.findByRole('radio', { name: /^Exercise/ })).toBeChecked()
    expect(screen.getByRole('radio', { name: /^Incident/ })).toBeDisabled()
    expect(screen.getByText('An incident is already in progress.')).toBeVisible()
  })

  test('leads to the list when no kind is left', async () => {
    signedIn('USER')
    feedOf([])
    answer('get', '/dashboard', aDashboard([anIncident(), anIncident({ id: uuid(7), isTabletop: true })]))
    open('/incidents/create')
    await at('/incidents')
  })

  test('asks before what is typed is left behind', async () => {
    signedIn('USER')
    feedOf([])
    const user = open('/incidents/create')
    await title()
    await user.click(screen.getByRole('link', { name: 'Cancel' }))
    await at('/incidents')
    await user.click(await screen.findByRole('link', { name: 'Create Incident' }))
    await fill(user, await title(), 'Power')
    await user.click(screen.getByRole('link', { name: 'Cancel' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await title()).toHaveValue('Power')
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
    await user.click(screen.getByRole('link', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await at('/incidents')
  })

  test('changes an incident, and says who was faster', async () => {
    signedIn('USER')
    const { state } = serving(aWhole())
    const asked = hearing('patch', `/incident/${uuid(1)}`, ({ body }) =>
      body.version === state.incident.version
        ? { ...state.incident, title: body.title }
        : refused(409, `${GRACE.email} changed this meanwhile. Your changes were not saved.`, {
            code: 'stale',
          }),
    )
    const user = open(`/incidents/${uuid(1)}/edit`)
    expect(await title()).toHaveValue('Ransomware in the payment network')
    expect(screen.getByRole('textbox', { name: 'Estimated time to recovery' })).toHaveValue('2')
    state.incident = aWhole({ title: 'Ransomware everywhere', severity: 'CRITICAL', version: 2 })
    await user.clear(await title())
    await fill(user, await title(), 'Mine')
    await user.click(submit('Save'))
    expect(await screen.findByText(/Grace Hopper changed this meanwhile/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Load latest version' }))
    expect(await screen.findByText('Ransomware everywhere')).toBeVisible()
    expect(await title()).toHaveValue('Mine')
    expect(screen.getByRole('button', { name: 'Critical' })).toHaveAttribute('aria-pressed', 'true')
    await user.click(submit('Save'))
    await at(`/incidents/${uuid(1)}`)
    expect(asked.bodies.at(-1)).toMatchObject({ title: 'Mine', severity: 'CRITICAL', version: 2 })
  })

  test('says when a change fails, and does not open what is resolved', async () => {
    signedIn('USER')
    feedOf([])
    const { state } = serving(aWhole())
    hearing('patch', `/incident/${uuid(1)}`, () => refused(500, 'x'))
    const user = open(`/incidents/${uuid(1)}/edit`)
    await fill(user, await title(), '!')
    await user.click(submit('Save'))
    expect(await screen.findByText('Something went wrong while updating the incident.')).toBeVisible()
    expect(await title()).toHaveValue('Ransomware in the payment network!')
    state.incident = aWhole(resolved)
  })

  test('leads to the list when the incident is resolved', async () => {
    signedIn('USER')
    feedOf([])
    serving(aWhole(resolved))
    open(`/incidents/${uuid(1)}/edit`)
    await at('/incidents')
  })
})

const page = (incident: Incident, role: 'USER' | 'ADMIN' | 'BUSINESS_USER' = 'ADMIN') => {
  signedIn(role)
  const served = serving(incident)
  return { ...served, user: open(`/incidents/${uuid(1)}`) }
}
const shown = () => screen.findByRole('heading', { name: 'Ransomware in the payment network' })
const rowOf = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}\\b`) })
const feed = () => within(screen.getByRole('list', { name: 'Activity' }))

describe('an incident', () => {
  test('shows its facts, and who has checked in', async () => {
    const { user } = page(
      aWhole({
        createTimestamp: minutesAgo(125),
        checkIns: [{ userId: GRACE.uuid, timestamp: minutesAgo(3) }],
      }),
    )
    await shown()
    expect(screen.getByText('Ongoing')).toBeVisible()
    expect(screen.getByText('High severity')).toBeVisible()
    expect(screen.getByText('Estimated time to recovery').nextSibling).toHaveTextContent(/^2 hours · due/)
    expect(screen.getByText(/^Overdue by/)).toBeVisible()
    expect(screen.getByText('tills').tagName).toBe('STRONG')
    expect(screen.queryByRole('link', { name: /Analysis/ })).toBeNull()
    await user.click(screen.getByRole('tab', { name: 'People' }))
    const rows = await screen.findAllByRole('row')
    expect(rows.slice(1).map((row) => row.textContent)).toEqual([
      expect.stringMatching(/Ada Lovelace.*Waiting/),
      expect.stringMatching(/Berta Board.*Waiting/),
      expect.stringMatching(/Grace Hopper.*3 minutes ago/),
    ])
  })

  test('offers nothing that changes it to those who only read', async () => {
    page(aWhole({ activities: [aTask(2, { canEdit: false, canDelete: false })] }), 'BUSINESS_USER')
    await shown()
    for (const name of ['Resolve', 'Add task', 'Add update'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Edit Incident' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Download report' })).toBeVisible()
  })

  test('leads to the list when it cannot be loaded', async () => {
    signedIn('USER')
    feedOf([])
    hearing('get', `/incident/${uuid(1)}`, () => refused(404, 'This incident does not exist.'))
    open(`/incidents/${uuid(1)}`)
    await at('/incidents')
    expect(await screen.findByText('This incident does not exist.')).toBeVisible()
  })

  test('asks to check in until somebody has', async () => {
    const { user, state } = page(aWhole({ shouldCurrentUserCheckIn: true }))
    const asked = hearing('post', `/incident/${uuid(1)}/checkIn`, () => {
      state.incident = aWhole({ checkIns: [{ userId: ME.uuid, timestamp: minutesAgo(0) }] })
      return { userId: ME.uuid, timestamp: minutesAgo(0) }
    })
    await shown()
    await user.click(screen.getByRole('button', { name: 'Check In' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Check In' })).toBeNull())
    expect(asked.urls).toHaveLength(1)
  })

  test('is resolved after asking, and leads home', async () => {
    const { user } = page(aWhole({ activities: [aTask(2)] }))
    const asked = hearing('patch', `/incident/${uuid(1)}`, () => aWhole(resolved))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Resolve' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Resolve incident?' }))
    expect(dialog.getByText(/1 task is not complete\./)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Resolve' }))
    await at('/')
    expect(asked.bodies).toEqual([{ isActive: false }])
  })

  test('hears of changes at once, and asks only while the socket is down', async () => {
    const { state, asked } = page(aWhole())
    await shown()
    await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
    act(() => FakeSocket.last!.say({ type: 'ready', sequence: 1 }))
    await waitFor(() => expect(asked.urls.length).toBeGreaterThan(1))
    const before = asked.urls.length
    state.incident = aWhole({ activities: [anUpdate(2)] })
    act(() =>
      FakeSocket.last!.say({
        type: 'event',
        sequence: 2,
        noun: 'activities',
        record: uuid(2),
        verb: 'added',
        parent: uuid(1),
      }),
    )
    expect(await screen.findByText('News 2')).toBeVisible()
    expect(asked.urls).toHaveLength(before + 1)
  })

  test('that is an exercise says so', async () => {
    page(aWhole({ isTabletop: true, type: 'exercise', ...resolved }))
    await shown()
    expect(screen.getAllByText('EXERCISE').length).toBeGreaterThan(1)
    expect(screen.getByRole('link', { name: 'Add Post-Exercise Analysis' })).toBeVisible()
  })

  test('says when the report cannot be made', async () => {
    const { user } = page(aWhole())
    hearing('get', `/incident/file/${uuid(1)}`, () => refused(503, 'Busy.'))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Download report' }))
    expect(await screen.findByText('The report could not be made. Please try again.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Download report' })).toBeEnabled()
  })
})

describe('the activity feed', () => {
  const several = [
    aTask(2, { priority: 'LOW', progress: 100, status: 'COMPLETE' }),
    anUpdate(3),
    aTask(4, { priority: 'HIGH', progress: 50, status: 'IN_PROGRESS', updateTimestamp: minutesAgo(1) }),
    aTask(5),
  ]
  const order = () =>
    feed()
      .getAllByRole('listitem')
      .map((item) => /Task \d|News \d/.exec(item.textContent)?.[0])
      .filter(Boolean)

  test('filters and sorts', async () => {
    const { user } = page(aWhole({ activities: several }))
    await shown()
    expect(order()).toEqual(['Task 5', 'Task 4', 'News 3', 'Task 2'])
    const choose = async (name: string) => {
      await user.click(screen.getByRole('combobox', { name: 'Sort' }))
      await user.click(await screen.findByRole('option', { name }))
    }
    await choose('Oldest first')
    expect(order()).toEqual(['Task 2', 'News 3', 'Task 4', 'Task 5'])
    await choose('Recently updated')
    expect(order()).toEqual(['Task 4', 'Task 5', 'News 3', 'Task 2'])
    await choose('Priority')
    expect(order()).toEqual(['Task 4', 'Task 5', 'Task 2', 'News 3'])
    await choose('Status')
    expect(order()).toEqual(['Task 5', 'Task 4', 'Task 2', 'News 3'])
    await user.click(screen.getByRole('button', { name: 'Updates' }))
    expect(order()).toEqual(['News 3'])
    await user.click(screen.getByRole('button', { name: 'Tasks' }))
    expect(order()).toHaveLength(3)
  })

  test('keeps state and progress in agreement, at once and as the server says', async () => {
    const { user, state } = page(aWhole({ activities: [aTask(2)] }))
    const asked = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) => {
      const before = state.incident.activities[0]!
      const task = { ...before, ...withTaskState(before, body), version: before.version + 1 }
      state.incident = aWhole({ activities: [task] })
      return task
    })
    await shown()
    await user.click(rowOf('Task 2'))
    const progress = within(screen.getByRole('group', { name: 'Progress' }))
    const status = within(screen.getByRole('group', { name: 'Status' }))
    await user.click(status.getByRole('button', { name: 'In Progress' }))
    expect(progress.getByRole('button', { name: '25%' })).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() => expect(asked.bodies).toHaveLength(1))
    await user.click(progress.getByRole('button', { name: '100%' }))
    expect(status.getByRole('button', { name: 'Complete' })).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() => expect(asked.bodies).toHaveLength(2))
    await user.click(status.getByRole('button', { name: 'To Do' }))
    expect(progress.getByRole('button', { name: '0%' })).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() =>
      expect(asked.bodies).toEqual([
        { status: 'IN_PROGRESS', incidentId: uuid(1) },
        { progress: 100, incidentId: uuid(1) },
        { status: 'TO_DO', incidentId: uuid(1) },
      ]),
    )
  })

  test('shows the server’s words below the description, and takes the change back', async () => {
    const { user } = page(aWhole({ activities: [aTask(2)] }))
    hearing('patch', `/incident/activity/${uuid(2)}`, () => refused(400, 'Not today.'))
    await shown()
    await user.click(rowOf('Task 2'))
    await user.click(screen.getByRole('button', { name: 'Complete' }))
    expect(await screen.findByText('Not today.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'To Do' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('adds a task, and keeps what was typed when it is refused', async () => {
    const { user, state } = page(aWhole())
    const asked = hearing(
      'post',
      `/incident/${uuid(1)}/activity`,
      ({ body, times }) => {
        if (times === 1) return refused(400, 'The database is full.')
        state.incident = aWhole({ activities: [aTask(2, { title: body.title })] })
        return state.incident.activities[0]!
      },
      201,
    )
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add task' }))
    const form = within(screen.getByRole('form', { name: 'Add task' }))
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await form.findByText('Title is a required field.')).toBeVisible()
    expect(form.getByText('Description is a required field.')).toBeVisible()
    await fill(user, form.getByRole('textbox', { name: 'Title' }), 'Call the insurer')
    await fill(user, form.getByRole('textbox', { name: 'Description' }), 'At once.')
    await fill(user, form.getByRole('textbox', { name: 'Expected time' }), 'soon')
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await form.findByText('Please enter a whole number, at most a year.')).toBeVisible()
    await user.clear(form.getByRole('textbox', { name: 'Expected time' }))
    await fill(user, form.getByRole('textbox', { name: 'Expected time' }), '90')
    await user.click(form.getByRole('combobox', { name: 'Assigned to' }))
    await user.click(within(await screen.findByRole('listbox')).getByText('Grace Hopper'))
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await form.findByText('The database is full.')).toBeVisible()
    expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue('Call the insurer')
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await screen.findByRole('button', { name: /^Call the insurer/ })).toBeVisible()
    expect(asked.bodies[1]).toEqual({
      type: 'TASK',
      title: 'Call the insurer',
      description: 'At once.',
      priority: 'MEDIUM',
      assignedTo: GRACE.email,
      idealTitleToExecute: null,
      expectedTimeToComplete: 90,
    })
  })

  test('has its own message for an update below a task', async () => {
    const { user } = page(aWhole({ activities: [aTask(2, { childActivities: [below(3, 2, 'Half done')] })] }))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add update' }))
    await user.click(screen.getAllByRole('button', { name: 'Add update' }).at(-1)!)
    expect(await screen.findByText('Description is a required field.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(rowOf('Task 2'))
    expect(screen.getByText('Half done')).toBeVisible()
    await user.click(feed().getByRole('button', { name: 'Add update' }))
    await user.click(feed().getByRole('button', { name: 'Add update' }))
    expect(await screen.findByText('Update description is required.')).toBeVisible()
  })

  test('keeps one form open at a time, and asks before what is typed goes', async () => {
    const { user } = page(aWhole({ activities: [anUpdate(2)] }))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add task' }))
    await fill(user, screen.getByRole('textbox', { name: 'Title' }), 'Half')
    await user.click(screen.getByRole('button', { name: 'Edit update' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Half')
    await user.click(screen.getByRole('button', { name: 'Edit update' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    expect(await screen.findByRole('textbox', { name: 'Update' })).toHaveValue('News 2')
    expect(screen.getAllByRole('form')).toHaveLength(1)
  })

  test('says who changed a task meanwhile, and keeps what was typed', async () => {
    const { user, state } = page(aWhole({ activities: [aTask(2)] }))
    const asked = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) =>
      body.version === 2
        ? aTask(2, { ...body, version: 3 })
        : refused(409, `${GRACE.email} changed this meanwhile.`, { code: 'stale' }),
    )
    await shown()
    await user.click(rowOf('Task 2'))
    await user.click(screen.getByRole('button', { name: 'Edit task' }))
    await fill(user, screen.getByRole('textbox', { name: 'Description' }), ' – mine')
    state.incident = aWhole({ activities: [aTask(2, { title: 'Theirs', description: 'Other', version: 2 })] })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/Grace Hopper changed this meanwhile/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Load latest version' }))
    expect(await screen.findByText('Other')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Description' })).toHaveValue('What to do 2 – mine')
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Theirs')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(asked.bodies.at(-1)).toMatchObject({ version: 2, title: 'Theirs' }))
  })

  test('deletes after asking', async () => {
    const { user, state } = page(aWhole({ activities: [anUpdate(2), anUpdate(3, { canDelete: false })] }))
    const asked = hearing('delete', `/incident/activity/${uuid(2)}`, () => {
      state.incident = aWhole({ activities: [anUpdate(3)] })
      return new HttpResponse(null, { status: 204 })
    })
    await shown()
    expect(screen.getAllByRole('button', { name: 'Delete update' })).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Delete update' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByText('News 2')).toBeNull())
    expect(asked.urls).toHaveLength(1)
  })

  test('says when there is no room for more', async () => {
    answer('get', '/config', { maxActivitiesPerIncident: 3 })
    const { user } = page(aWhole({ activities: several.slice(0, 2).concat(anUpdate(9)) }))
    await shown()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add task' })).toBeDisabled())
    expect(screen.getByRole('button', { name: 'Add update' })).toBeDisabled()
    await user.hover(screen.getByRole('button', { name: 'Add task' }).parentElement!)
    expect(
      await screen.findByText('The number of tasks/updates has reached the maximum of 3.'),
    ).toBeInTheDocument()
  })

  test('tells the history six entries at a time', async () => {
    const { user } = page(aWhole({ activities: [aTask(2)] }))
    const entry = (n: number) => ({
      id: uuid(500 + n),
      activityId: uuid(2),
      fieldName: n === 0 ? 'status' : n === 1 ? 'assignedTo' : 'progress',
      fieldType: n === 0 ? 'ActivityStatus' : n === 1 ? 'String' : 'Integer',
      oldValue: n === 0 ? 'TO_DO' : n === 1 ? null : '0',
      newValue: n === 0 ? 'IN_PROGRESS' : n === 1 ? GRACE.email : '25',
      createdBy: ME.email,
      createTimestamp: minutesAgo(n),
      isDelete: false,
    })
    answer(
      'get',
      `/incident/activity/${uuid(2)}/history`,
      Array.from({ length: 14 }, (_, n) => entry(n)),
    )
    await shown()
    await user.click(rowOf('Task 2'))
    await user.click(screen.getByRole('button', { name: 'History of the task' }))
    const history = within(await screen.findByRole('region', { name: 'History' }))
    expect(
      await history.findByText('Ada Lovelace changed the status from To Do to In Progress.'),
    ).toBeVisible()
    expect(history.getByText('Ada Lovelace assigned this to Grace Hopper.')).toBeVisible()
    const more = () => history.queryByRole('button', { name: 'Show more' })
    for (const count of [6, 12, 14]) {
      expect(history.getAllByRole('listitem')).toHaveLength(count)
      if (count < 14) await user.click(more()!)
    }
    expect(more()).toBeNull()
  })
})

describe('the analysis', () => {
  const write = async (user: ReturnType<typeof open>, words: string) => {
    const area = await screen.findByRole('textbox', { name: 'Analysis' })
    await user.click(area)
    await user.keyboard(words)
    return area
  }
  const analysis = (incident: Incident) => {
    signedIn('USER')
    feedOf([])
    const served = serving(incident)
    return { ...served, user: open(`/incidents/${uuid(1)}/post-incident-analysis`) }
  }

  test('is saved by asking for the incident and sending it back', async () => {
    const { user, asked } = analysis(aWhole({ ...resolved, isTabletop: true, type: 'exercise' }))
    const saved = hearing('put', '/incident', ({ body }) =>
      aWhole({ ...resolved, postmortemDetails: body.postmortemDetails }),
    )
    expect(await screen.findByRole('heading', { name: 'Post-Exercise Analysis' })).toBeVisible()
    await write(user, 'We were quick.')
    const before = asked.urls.length
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await at(`/incidents/${uuid(1)}`)
    expect(asked.urls.length).toBe(before + 1)
    expect(saved.bodies[0]).toMatchObject({
      id: uuid(1),
      title: 'Ransomware in the payment network',
      postmortemDetails: '<p>We were quick.</p>',
      version: 1,
    })
    expect(await screen.findByText('We were quick.')).toBeVisible()
  })

  test('asks before what is typed is discarded', async () => {
    const { user } = analysis(aWhole(resolved))
    await write(user, 'Draft')
    await user.click(screen.getByRole('link', { name: 'Close' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    expect(
      dialog.getByText('You have unsaved changes. Are you sure you want to leave this page?'),
    ).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText('Draft')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Close' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await at(`/incidents/${uuid(1)}`)
  })

  test('leaves without asking when nothing is typed', async () => {
    const { user } = analysis(
      aWhole({ ...resolved, postmortemDetails: '<p>Done</p><ul><li><p>x</p></li></ul>' }),
    )
    await screen.findByRole('textbox', { name: 'Analysis' })
    await user.click(screen.getByRole('link', { name: 'Close' }))
    await at(`/incidents/${uuid(1)}`)
  })

  test('keeps the text when it cannot be saved', async () => {
    const { user } = analysis(aWhole(resolved))
    hearing('put', '/incident', () => refused(500, 'x'))
    await write(user, 'Draft')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('Something went wrong.')).toBeVisible()
    expect(screen.getByText('Draft')).toBeVisible()
  })

  test('is not written while the incident is active, nor by those who only read', async () => {
    analysis(aWhole())
    await at(`/incidents/${uuid(1)}`)
  })

  test('leads to the list when the incident cannot be loaded', async () => {
    signedIn('USER')
    feedOf([])
    hearing('get', `/incident/${uuid(1)}`, () => refused(500, 'x'))
    open(`/incidents/${uuid(1)}/post-incident-analysis`)
    await at('/incidents')
  })
})
