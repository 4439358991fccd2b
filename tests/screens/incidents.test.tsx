import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import {
  aDashboard,
  anIncident,
  answer,
  API,
  aProblem,
  FakeSocket,
  open,
  server,
  signedIn,
} from '#tests/support/client.tsx'
import {
  anUpdate,
  at,
  aTask,
  aWhole,
  BOARD,
  feedOf,
  GRACE,
  hearing,
  listed,
  ME,
  minutesAgo,
  nearTheEnd,
  page,
  person,
  preparePages,
  refused,
  resolved,
  serving,
  shown,
  uuid,
} from '#tests/support/client-incidents.ts'
import { canCall } from '#tests/support/client-calls.tsx'
import { chat } from '#providers/chat/chat.ts'
import { peopleAre } from '#tests/support/client-people.ts'

preparePages()

const card = (title: string) => screen.findByRole('link', { name: title })
const titles = () =>
  within(screen.getByRole('list', { name: 'Incident feed' }))
    .getAllByRole('link')
    .map((link) => link.textContent)

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
    expect(await card('Incident 30')).toHaveAttribute('href', `/incidents/${uuid(30)}`)
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

  const two = [listed(2, { title: 'Flood in Rotterdam' }), listed(3, { title: 'Phishing' })]

  test('searches from three characters on, 250 milliseconds after the last one', async () => {
    signedIn('USER')
    const asked = feedOf(two)
    open('/incidents')
    await card('Phishing')
    const words = () => asked.urls.map((url) => url.searchParams.get('searchWord'))
    vi.useFakeTimers()
    const type = (typed: string) =>
      fireEvent.change(screen.getByRole('searchbox'), { target: { value: typed } })
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    type('fl')
    await pass(2_000)
    type('flo')
    await pass(249)
    type('flood')
    await pass(249)
    expect(words()).toEqual([null])
    await pass(1)
    await vi.waitFor(() => expect(titles()).toEqual(['Flood in Rotterdam']), { timeout: 60_000 })
    expect(words()).toEqual([null, 'flood'])
  })

  test('narrows by state, severity, kind and time, in the address too', async () => {
    signedIn('USER')
    const asked = feedOf(two)
    const user = open('/incidents?state=active')
    await card('Phishing')
    const first = asked.urls[0]!.searchParams
    expect([first.get('isActive'), first.get('activeFirst')]).toEqual(['true', 'true'])
    const choose = async (field: string, choice: string) => {
      await user.click(screen.getByRole('combobox', { name: field }))
      await user.click(await screen.findByRole('option', { name: choice }))
    }
    await choose('Severity', 'Critical')
    await choose('Incident or exercise', 'Exercise')
    await choose('Time', 'Last 7 days')
    await waitFor(() => expect(asked.urls.at(-1)?.searchParams.get('createdFrom')).toBeTruthy())
    const { searchParams } = asked.urls.at(-1)!
    expect([searchParams.get('severity'), searchParams.get('isTabletop')]).toEqual(['CRITICAL', 'true'])
    expect(location.search).toBe('?state=active&severity=CRITICAL&kind=exercise&since=week')
  })

  test('says when nothing matches, and takes the filters away', async () => {
    signedIn('USER')
    hearing('get', '/incident', ({ url }) => {
      const data = url.searchParams.has('severity') ? [] : two
      return { data, page: 0, size: 20, total: data.length, people: [] }
    })
    const user = open('/incidents?severity=LOW')
    expect(await screen.findByText('No incident matches these filters.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await card('Phishing')
    expect(location.search).toBe('')
  })

  test('says what an incident is about, without the headings of the template', async () => {
    signedIn('USER')
    const words = '<p>Tills &amp; doors are dead.</p><h2>Action Plan</h2><ul><li>Call.</li></ul>'
    feedOf([
      listed(2, { fullText: `<h2>Incident Overview</h2>${words}` }),
      listed(3, { fullText: '<h2>Incident Overview</h2>', previewText: 'Incident Overview' }),
    ])
    open('/incidents')
    await card('Incident 2')
    expect(screen.getByText('Tills & doors are dead. Call.')).toBeVisible()
    expect(screen.getByText('Incident Overview')).toBeVisible()
  })

  test('comes back where it was left', async () => {
    signedIn('USER')
    const scrolled = vi.fn<(x: number, y: number) => void>()
    vi.stubGlobal('scrollTo', scrolled)
    feedOf([listed(1)])
    serving(aWhole({ title: 'Incident 1' }))
    const user = open('/incidents')
    const link = await card('Incident 1')
    vi.stubGlobal('scrollY', 420)
    fireEvent.scroll(window)
    await user.click(link)
    await screen.findByRole('heading', { level: 2, name: 'Incident 1' })
    scrolled.mockClear()
    act(() => history.back())
    await card('Incident 1')
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith(0, 420))
  })

  test('keeps the word in the address, and says when nothing has it', async () => {
    signedIn('USER')
    feedOf(two)
    const user = open('/incidents?search=flood')
    await card('Flood in Rotterdam')
    const box = screen.getByRole('searchbox')
    await user.type(box, ' zzz')
    expect(await screen.findByText('No incident contains “flood zzz”.')).toBeVisible()
    expect(location.search).toBe('?search=flood+zzz')
    await user.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1)!)
    await card('Phishing')
    expect(box).toHaveValue('')
    expect(location.search).toBe('')
  })

  test('offers to create one only to those who may', async () => {
    signedIn('BUSINESS_USER')
    feedOf([])
    open('/incidents')
    expect(await screen.findByText(/None has been created yet/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Create Incident' })).toBeNull()
  })

  test('names what is in progress however many came after it, also without a dashboard', async () => {
    signedIn('BUSINESS_USER')
    const all = [...Array.from({ length: 44 }, (_, n) => listed(n + 2, resolved)), listed(400)]
    hearing('get', '/incident', ({ url }) => {
      const active = url.searchParams.get('isActive')
      const data = all.filter(({ isActive }) => active === null || String(isActive) === active)
      return { data: data.slice(0, 20), page: 0, size: 20, total: data.length, people: [] }
    })
    open('/incidents')
    expect(await screen.findAllByRole('link', { name: /^Active incident Incident 400/ })).not.toHaveLength(0)
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
      times < 3 ? refused(500, 'x') : { data: [listed(2)], page: 0, size: 20, total: 1, people: [] },
    )
    const user = open('/incidents')
    const again = await screen.findByRole('button', { name: 'Try again' })
    // The service responded, so the connection is not the cause.
    expect(screen.getByText(/The service has a problem/)).toBeVisible()
    expect(screen.queryByText(/Check the connection/)).toBeNull()
    await user.click(again)
    await card('Incident 2')
  })
})

describe('an incident', () => {
  test('that is resolved keeps its severity without calling for attention', async () => {
    page(aWhole({ severity: 'CRITICAL', isActive: false, resolveTimestamp: '2026-01-02T00:00:00.000Z' }))
    await shown()
    const chip = screen.getByText('Critical severity').closest('.MuiChip-root')!
    expect(chip.classList.contains('MuiChip-filled')).toBe(false)
    expect(chip.classList.contains('MuiChip-colorError')).toBe(false)
  })

  test.each([
    ['LOW', 'Low', 'ArrowDropDownCircleOutlinedIcon'],
    ['MEDIUM', 'Medium', 'RemoveCircleOutlineRoundedIcon'],
    ['HIGH', 'High', 'WarningRoundedIcon'],
    ['CRITICAL', 'Critical', 'ReportRoundedIcon'],
  ] as const)('of %s severity says so, and that it is no exercise', async (severity, word, shape) => {
    page(aWhole({ severity }))
    await shown()
    const chip = screen.getByText(`${word} severity`).closest('.MuiChip-root')!
    // Severity is recognisable without reading: filled for critical, coloured for severe ones.
    expect(chip.classList.contains('MuiChip-colorError')).toBe(word === 'Critical' || word === 'High')
    expect(chip.classList.contains('MuiChip-filled')).toBe(word === 'Critical')
    expect(chip.querySelector('svg')).toHaveAttribute('data-testid', shape)
    const chips = chip.parentElement!
    expect(within(chips).getByText('Incident')).toBeVisible()
    expect(within(chips).queryByText('EXERCISE')).toBeNull()
  })

  test('becomes overdue as time passes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    page(aWhole({ createTimestamp: minutesAgo(118) }))
    await shown()
    expect(screen.queryByText(/^Overdue/)).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(3 * 60_000))
    expect(await screen.findByText('Overdue by 1 min')).toBeVisible()
  })

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
    expect(screen.getByRole('link', { name: 'Edit Incident' })).toHaveAttribute(
      'href',
      `/incidents/${uuid(1)}/edit`,
    )
    expect(screen.queryByRole('link', { name: /Analysis/ })).toBeNull()
    await user.click(screen.getByRole('tab', { name: 'People' }))
    const rows = await screen.findAllByRole('row')
    expect(rows.slice(1).map((row) => row.textContent)).toEqual([
      expect.stringMatching(/Ada Lovelace.*Waiting/),
      expect.stringMatching(/Berta Board.*Waiting/),
      expect.stringMatching(/Grace Hopper.*[23] min\. ago/),
    ])
    await user.click(screen.getByRole('button', { name: 'Waiting' }))
    expect(screen.getAllByRole('row')).toHaveLength(3)
    await user.click(screen.getByRole('button', { name: 'Hide people' }))
    expect(screen.queryByRole('row')).toBeNull()
    expect(screen.getByText('1 of 3 people checked in')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show people' }))
    expect(screen.getAllByRole('row')).toHaveLength(3)
  })

  test('leads to all war rooms where it has no room of its own', async () => {
    page(aWhole())
    await shown()
    expect(screen.getByRole('link', { name: 'Go to War Rooms' })).toHaveAttribute('href', '/chat')
  })

  /** Counts the requests for a room, and serves it. */
  const countedRoom = (roomId: string, room: object) => {
    let count = 0
    server.use(
      http.get(`${API}/chat/rooms/${roomId}`, () => {
        count++
        return HttpResponse.json({ id: roomId, people: [], ...room })
      }),
    )
    return () => count
  }

  test.each([
    ['a breakout room', 'Go to Breakout Room', { isWarRoom: false }],
    ['a war room', 'Go to War Room', { isWarRoom: true }],
  ] as const)('leads to its room: %s', async (_, name, room) => {
    const breakoutRoomId = crypto.randomUUID()
    countedRoom(breakoutRoomId, room)
    page(aWhole({ breakoutRoomId, breakoutRoomAccess: 'MEMBER' }))
    await shown()
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', `/chat/${breakoutRoomId}`)
  })

  test('leads into a room that is open to the person, which the page does not ask for', async () => {
    canCall()
    const breakoutRoomId = crypto.randomUUID()
    const asked = countedRoom(breakoutRoomId, {})
    page(aWhole({ breakoutRoomId, breakoutRoomAccess: 'OPEN' }))
    await shown()
    expect(screen.getByRole('link', { name: 'Go to Breakout Room' })).toHaveAttribute(
      'href',
      `/chat/${breakoutRoomId}?incident=${uuid(1)}`,
    )
    expect(await screen.findByRole('button', { name: 'Call everybody' })).toBeVisible()
    expect(asked()).toBe(0)
  })

  test('does not ask for a room that is closed to the person, and leads to it once they are let in', async () => {
    canCall()
    const breakoutRoomId = crypto.randomUUID()
    const asked = countedRoom(breakoutRoomId, { isWarRoom: false, isArchived: false })
    page(aWhole({ breakoutRoomId, breakoutRoomAccess: 'NONE' }))
    await shown()
    await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
    expect(await screen.findByRole('link', { name: 'Go to War Rooms' })).toHaveAttribute('href', '/chat')
    expect(screen.queryByRole('button', { name: 'Call everybody' })).toBeNull()
    expect(asked()).toBe(0)
    await act(() => chat.loadRoom(breakoutRoomId))
    expect(await screen.findByRole('link', { name: 'Go to Breakout Room' })).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Call everybody' })).toBeVisible()
  })

  test('calls everybody after a question, in a room that is made where there is none', async () => {
    canCall()
    const bodies: object[] = []
    server.use(
      http.post(`${API}/incident/${uuid(1)}/call`, async ({ request }) => {
        bodies.push((await request.json()) as object)
        return HttpResponse.json(aProblem('This call is full.'), { status: 409 })
      }),
    )
    const { user } = page(aWhole())
    await shown()
    await user.click(await screen.findByRole('button', { name: 'Call everybody' }))
    const dialog = await screen.findByRole('dialog', { name: 'Call everybody of this incident?' })
    expect(bodies).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Call everybody' }))
    expect(await screen.findByText('This call is full.')).toBeVisible()
    expect(bodies).toEqual([{ participantId: expect.any(String) as string }])
  })

  test('calls nobody once it is resolved', async () => {
    canCall()
    page(aWhole({ isActive: false, resolveTimestamp: minutesAgo(1) }))
    await shown()
    expect(screen.queryByRole('button', { name: 'Call everybody' })).toBeNull()
  })

  test('shows twenty of its team at first, fifty more at a time, and who checks in meanwhile', async () => {
    const { user, state } = page(aWhole())
    state.team = Array.from({ length: 75 }, (_, n) =>
      person({ uuid: uuid(1_000 + n), firstName: 'Person', lastName: `${n + 10}` }),
    )
    await shown()
    await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
    act(() => FakeSocket.last!.say({ type: 'ready', sequence: 1 }))
    await user.click(screen.getByRole('tab', { name: 'People' }))
    const members = () => screen.getAllByRole('row').slice(1)
    await waitFor(() => expect(members()).toHaveLength(20))
    expect(screen.getByText('0 of 75 people checked in')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show 50 more' }))
    await waitFor(() => expect(members()).toHaveLength(70))
    await user.click(screen.getByRole('button', { name: 'Show 5 more' }))
    await waitFor(() => expect(members()).toHaveLength(75))
    expect(screen.queryByRole('button', { name: /^Show \d+ more/ })).toBeNull()
    state.incident = aWhole({ checkIns: [{ userId: uuid(1_074), timestamp: minutesAgo(0) }] })
    const checkIn = { noun: 'check-ins', record: uuid(1_074), verb: 'checked in', parent: uuid(1) }
    act(() => FakeSocket.last!.say({ type: 'event', sequence: 2, ...checkIn }))
    expect(await screen.findByText('1 of 75 people checked in')).toBeVisible()
    expect(members()).toHaveLength(75)
    expect(members().at(-1)).toHaveTextContent('Person 84')
  })

  test('names people as its answer brings them, and asks for the others once', async () => {
    const requests = peopleAre([person(), GRACE, BOARD])
    page(
      aWhole({
        createdBy: GRACE.email,
        people: [GRACE],
        activities: [anUpdate(2, { createdBy: BOARD.email }), anUpdate(3, { createdBy: BOARD.email })],
      }),
    )
    await shown()
    expect(screen.getByText(/Grace Hopper/)).toBeVisible()
    expect(await screen.findAllByText(/^Berta Board/)).toHaveLength(2)
    expect(requests.named).toEqual([[BOARD.email]])
  })

  test('offers nothing that changes it to those who only read', async () => {
    page(aWhole({ activities: [aTask(2, { canEdit: false, canDelete: false })] }), 'BUSINESS_USER')
    await shown()
    for (const name of ['Resolve', 'Add task', 'Add update'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Edit Incident' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Download report' })).toBeVisible()
  })

  test('offers nothing but its analysis once it is resolved', async () => {
    const activities = [aTask(2, { canEdit: false, canDelete: false })]
    const { user } = page(aWhole({ ...resolved, activities, postmortemDetails: '<p>We were quick.</p>' }))
    await shown()
    expect(screen.getByText('Resolved', { selector: '.MuiChip-label' })).toBeVisible()
    expect(screen.getByText('We were quick.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Edit Post-Incident Analysis' })).toHaveAttribute(
      'href',
      `/incidents/${uuid(1)}/post-incident-analysis`,
    )
    await user.click(screen.getByRole('button', { name: /^Task 2/ }))
    for (const name of ['Resolve', 'Add task', 'Add update', 'Edit task', 'Delete task', 'Complete'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Edit Incident' })).toBeNull()
    await user.click(screen.getByRole('tab', { name: 'People' }))
    expect(screen.queryByText('Waiting')).toBeNull()
  })

  test.each(['create', `${uuid(1)}/edit`, `${uuid(1)}/post-incident-analysis`])(
    'cannot be written at /incidents/%s by those who only read',
    async (path) => {
      page(aWhole(resolved), 'BUSINESS_USER')
      history.replaceState(null, '', `/incidents/${path}`)
      window.dispatchEvent(new PopStateEvent('popstate'))
      await at('/chat')
    },
  )

  test('leads to the list when it cannot be loaded', async () => {
    signedIn('USER')
    feedOf([])
    hearing('get', `/incident/${uuid(1)}`, () => refused(404, 'This incident does not exist.'))
    open(`/incidents/${uuid(1)}`)
    await at('/incidents')
    expect(await screen.findByText('This incident does not exist.')).toBeVisible()
  })

  test('is not what an address names that could be no incident', async () => {
    signedIn('USER')
    feedOf([])
    hearing('get', '/incident/new', () => refused(400, 'Invalid input'))
    open('/incidents/new')
    await at('/incidents')
    expect(await screen.findByText('The incident could not be opened.')).toBeVisible()
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

  test('is resolved after asking, and leads to the analysis', async () => {
    const { user, state } = page(aWhole())
    const asked = hearing('patch', `/incident/${uuid(1)}`, () => (state.incident = aWhole(resolved)))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Resolve' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Resolve incident?' }))
    expect(dialog.queryByRole('radiogroup', { name: 'What becomes of them?' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Resolve' }))
    await at(`/incidents/${uuid(1)}/post-incident-analysis`)
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
    expect(screen.getByText('No tasks or updates were added.')).toBeVisible()
    expect(screen.getAllByText('EXERCISE').length).toBeGreaterThan(1)
    expect(screen.getByRole('link', { name: 'Add Post-Exercise Analysis' })).toBeVisible()
  })

  test('says when the report cannot be made', async () => {
    const { user } = page(aWhole())
    hearing('post', `/incident/${uuid(1)}/report`, () => null)
    hearing('get', `/incident/file/${uuid(1)}`, () => refused(500, 'Broken.'))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Download report' }))
    expect(await screen.findByText('The report could not be made. Please try again.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Download report' })).toBeEnabled()
  })

  describe('with a long report', () => {
    const request = (state: string, progress: number) => ({
      id: uuid(77),
      incidentId: uuid(1),
      state,
      progress,
      createTimestamp: minutesAgo(0),
      expireTimestamp: minutesAgo(-60),
    })
    const report = (name: string) => screen.findByRole('button', { name })

    test(
      'is waited for, also over a restart of the server, and downloaded',
      { timeout: 60_000 },
      async () => {
        const { user } = page(aWhole())
        hearing('post', `/incident/${uuid(1)}/report`, () => request('MAKING', 0))
        const asked = hearing('get', `/incident/report/${uuid(77)}`, ({ times }) =>
          times === 2
            ? HttpResponse.error()
            : times === 3
              ? refused(503, 'Starting.')
              : request(times < 5 ? 'MAKING' : 'READY', times * 10),
        )
        const fetched = hearing(
          'get',
          `/incident/report/${uuid(77)}/file`,
          () =>
            new HttpResponse('%PDF-', {
              headers: { 'Content-Disposition': `attachment; filename*=UTF-8''Incident_Report_%C3%9C.pdf` },
            }),
        )
        URL.createObjectURL = () => 'blob:report'
        URL.revokeObjectURL = () => undefined
        const saved: string[] = []
        vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
          saved.push(this.download)
        })
        await shown()
        await user.click(screen.getByRole('button', { name: 'Download report' }))
        await report('Making report…')
        await report('Download report')
        expect(saved).toEqual(['Incident_Report_Ü.pdf'])
        expect([asked.urls.length, fetched.urls.length]).toEqual([5, 1])
      },
    )

    test('says when it failed', async () => {
      const { user } = page(aWhole())
      hearing('post', `/incident/${uuid(1)}/report`, () => request('FAILED', 40))
      await shown()
      await user.click(screen.getByRole('button', { name: 'Download report' }))
      expect(await screen.findByText('The report could not be made. Please try again.')).toBeVisible()
    })
  })
})
