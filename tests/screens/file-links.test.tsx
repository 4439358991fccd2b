import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import {
  type FileLink,
  LABEL_REQUIRED,
  OPENINGS_RANGE,
  LINK_GONE,
  LINK_OVER,
  type LinkItem,
  type LinkVisit,
  tooManyDays,
  VISIT_OVER,
  VISIT_OVER_CODE,
  VISITOR_REQUIRED,
  WRONG_PASSCODE,
} from '#contract/file-links/schema.ts'
import { NO_ROOM_FOR_FILE, type StorageItem } from '#contract/files/schema.ts'
import { FORMAT_NOT_SUPPORTED } from '#contract/kit/files.ts'
import { AllLinksDialog } from '#src/file-links/AllLinksDialog.tsx'
import { LinkDialog } from '#src/file-links/LinkDialog.tsx'
import { LinkList } from '#src/file-links/LinkList.tsx'
import { answer, API, aProblem, config, open, server, signedIn } from '#tests/support/client.tsx'
import { anItem } from '#tests/support/client-files.ts'
import { downloadedFrom, receive, serveList } from '#tests/support/client-lists.ts'
import { expectAccessible, openDialog } from '#tests/support/client-playbook-dialogs.tsx'

// Preloaded, so that the first test does not wait for these modules.
import '#src/app/PublicApp.tsx'
import '#src/file-links/DropBox.tsx'
import '#src/file-links/LinkContents.tsx'
import '#src/file-links/LinkPage.tsx'

const AT = '2026-03-01T09:00:00.000Z'
const aLink = (id: number, changes: Partial<FileLink> = {}): FileLink => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  itemId: 7,
  itemName: 'Plans',
  isFolder: true,
  direction: 'DOWN',
  label: 'Fire brigade',
  madeBy: 'ada@demo.example',
  madeByName: 'Ada Lovelace',
  createTimestamp: AT,
  expireTimestamp: AT,
  openings: 0,
  openingsMax: null,
  lastOpenedTimestamp: null,
  state: 'OPEN',
  ...changes,
})
const plans = anItem(7, { name: 'Plans', isFolder: true })
const TOKEN = 'fl_organisation_random'
const PASSCODE = 'abcd-efgh-jkmn'
const button = (name: string) => screen.getByRole('button', { name })

describe('the dialog of a link', () => {
  const show = (item: StorageItem = plans) =>
    openDialog((props) => props.open && <LinkDialog item={item} onClose={props.onClose} />)
  const label = () => screen.findByRole('textbox', { name: 'For whom' })
  async function optionsOf(user: UserEvent, name: string) {
    await user.click(await screen.findByRole('combobox', { name }))
    return screen.getAllByRole('option')
  }
  const issued = () =>
    receive('post', '/sfs/links', () => ({ ...aLink(1), token: TOKEN, passcode: PASSCODE }))
  beforeEach(() => {
    signedIn()
    answer('get', '/config', { ...config, fileLinksEnabled: true, fileLinkMaxDays: 5 })
    serveList('/sfs/links', () => [])
  })

  test('makes a link for no longer than the organisation allows, and shows its passcode once', async () => {
    const bodies = issued()
    const user = show()
    await user.type(await label(), 'Fire brigade')
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Open for' })).toHaveTextContent('5 days'),
    )
    expect((await optionsOf(user, 'Open for')).map(({ textContent }) => textContent)).toEqual([
      '1 day',
      '3 days',
      '5 days',
    ])
    await user.click(screen.getByRole('option', { name: '3 days' }))
    await optionsOf(user, 'What it is for')
    await user.click(screen.getByRole('option', { name: 'Send files here' }))
    await expectAccessible()
    await user.click(button('Make Link'))

    const made = within(await screen.findByRole('dialog', { name: 'The link is ready' }))
    expect(bodies).toEqual([
      { itemId: 7, label: 'Fire brigade', direction: 'UP', days: 3, openingsMax: null },
    ])
    expect(made.getByRole('textbox', { name: 'Address' })).toHaveValue(`${location.origin}/link#${TOKEN}`)
    expect(made.getByRole('textbox', { name: 'Passcode' })).toHaveValue(PASSCODE)
    await user.click(made.getByRole('button', { name: 'Copy: Passcode' }))
    expect(await navigator.clipboard.readText()).toBe(PASSCODE)
    expect(await made.findByText('Copied')).toBeVisible()
    await expectAccessible()
    await user.click(made.getByRole('button', { name: 'Done' }))
    await user.click(await screen.findByRole('button', { name: 'Open again' }))
    expect(await label()).toHaveValue('')
    expect(document.body).not.toHaveTextContent(PASSCODE)
    expect(screen.queryByDisplayValue(PASSCODE)).toBeNull()
  })

  test('asks for whom it is before anything is sent', async () => {
    const bodies = issued()
    const user = show()
    await user.type(await label(), '   ')
    await user.click(button('Make Link'))
    expect(await label()).toHaveAccessibleDescription(LABEL_REQUIRED)
    expect(bodies).toEqual([])
  })

  test('says at the field what the server refuses, and keeps what was entered', async () => {
    const fields = { days: tooManyDays(2), openingsMax: OPENINGS_RANGE }
    answer('post', '/sfs/links', { ...aProblem('Please check what you entered.'), fields }, 400)
    const user = show()
    const most = () => screen.getByRole('textbox', { name: /^Number of openings/ })
    await user.type(await label(), 'Fire brigade')
    await user.type(most(), 'two')
    await user.click(button('Make Link'))
    expect(most()).toHaveAccessibleDescription(OPENINGS_RANGE)
    expect(screen.queryByText(fields.days)).toBeNull()
    await user.clear(most())
    await user.type(most(), '20,000')
    await user.click(button('Make Link'))
    await waitFor(() => expect(most()).toHaveAccessibleDescription(fields.openingsMax))
    expect(screen.getByText(fields.days)).toBeVisible()
    expect(await label()).toHaveValue('Fire brigade')
    const bodies = issued()
    await user.clear(most())
    await user.type(most(), '2')
    await user.click(button('Make Link'))
    expect(await screen.findByRole('dialog', { name: 'The link is ready' })).toBeVisible()
    expect(bodies[0]).toMatchObject({ direction: 'DOWN', openingsMax: 2 })
  })

  test('has files sent only to folders that the person may change', async () => {
    const user = show(anItem(7, { name: 'Plans', isFolder: true, isEditable: false }))
    const [, up] = await optionsOf(user, 'What it is for')
    expect(up).toHaveAttribute('aria-disabled', 'true')
  })

  test('hands out a file, and asks for no direction', async () => {
    show(anItem(8, { name: 'plan' }))
    expect(await screen.findByRole('dialog', { name: 'Link to plan.pdf' })).toBeVisible()
    expect(screen.queryByRole('combobox', { name: 'What it is for' })).toBeNull()
  })
})

describe('the list of links', () => {
  beforeEach(() => void signedIn())

  test('says what each link is for, how it stands and who made it', async () => {
    const listed = serveList('/sfs/links', () => [
      aLink(1, { openings: 2, openingsMax: 3 }),
      aLink(2, { itemId: 7, label: 'Press', direction: 'UP', openings: 1, state: 'ENDED' }),
      aLink(3, { label: 'Old', state: 'WITHDRAWN' }),
    ])
    openDialog(() => <LinkList itemId={7} />)
    const [first, second, third] = await screen.findAllByRole('listitem')
    expect(first).toHaveTextContent(/View and download · open until .*opened 2 of 3 times · by Ada Lovelace/)
    expect(second).toHaveTextContent('PressSend files here · endedopened once · by Ada Lovelace')
    expect(third).toHaveTextContent(/withdrawn/)
    expect(screen.getAllByRole('button', { name: /^Withdraw/ })).toHaveLength(1)
    expect(listed[0]?.filter).toEqual({ itemId: 7 })
    await expectAccessible()
  })

  test('withdraws a link once that is confirmed', async () => {
    let links = [aLink(1), aLink(2, { label: 'Press', itemName: 'photo.png' })]
    serveList('/sfs/links', () => links)
    const withdrawn: unknown[] = []
    server.use(
      http.delete(`${API}/sfs/links/:id`, ({ params }) => {
        withdrawn.push(params['id'])
        links = [links[0]!, { ...links[1]!, state: 'WITHDRAWN' }]
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const user = openDialog((props) => props.open && <AllLinksDialog onClose={props.onClose} />)
    expect(await screen.findByText('photo.png')).toBeVisible()
    await user.click(button('Withdraw the link for Press'))
    const question = within(await screen.findByRole('dialog', { name: 'Withdraw this link?' }))
    expect(question.getByText(/The link for Press ends at once/)).toBeVisible()
    expect(withdrawn).toEqual([])
    await user.click(question.getByRole('button', { name: 'Withdraw' }))
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Withdraw the link for Press' })).toBeNull(),
    )
    expect(withdrawn).toEqual([aLink(2).id])
    expect(screen.getByText(/withdrawn/)).toBeInTheDocument()
  })

  test('says that there are none, and is asked for again when it does not load', async () => {
    answer('get', '/sfs/links', aProblem('no'), 500)
    const user = openDialog(() => <LinkList />)
    expect(await screen.findByText('The links could not be loaded.')).toBeVisible()
    serveList('/sfs/links', () => [])
    await user.click(button('Try again'))
    expect(await screen.findByText('There are no links.')).toBeVisible()
  })
})

/** The server that the page of a link came from, which it calls whatever this browser is signed in to. */
const OWN = `${location.origin}/api`
const PATH = `/link#${TOKEN}`
const linked = (id: number, name: string, changes: Partial<LinkItem> = {}): LinkItem => ({
  id,
  name,
  extension: changes.isFolder ? '' : 'pdf',
  size: 2_048,
  isFolder: false,
  updateTimestamp: AT,
  ...changes,
})
const aVisit = (changes: Partial<LinkVisit> = {}): LinkVisit => ({
  visit: 'lv_visit',
  expireTimestamp: AT,
  direction: 'DOWN',
  organisation: 'Harbour Authority',
  item: linked(7, 'Plans', { isFolder: true }),
  maxFileSize: 1,
  allowedFileExtensions: ['PDF'],
  ...changes,
})
type Handler = (request: Request) => JsonBodyType | Response | Promise<JsonBodyType | Response>
/** Answers a call of the page of a link. */
function serve(method: 'get' | 'post', path: string, reply: Handler) {
  server.use(
    http[method](OWN + path, async ({ request }) => {
      const body = await reply(request)
      return body instanceof Response ? body : HttpResponse.json(body, { status: 200 })
    }),
  )
}
const refusal = (status: number, message: string, more: object = {}) =>
  HttpResponse.json({ ...aProblem(message), ...more }, { status })
const gone = () => refusal(404, LINK_GONE, { code: LINK_OVER })
const door = (direction: 'DOWN' | 'UP' = 'DOWN') =>
  serve('post', '/sfs/link', async (request) =>
    ((await request.json()) as { token: string }).token === TOKEN
      ? { organisation: 'Harbour Authority', direction }
      : gone(),
  )
/** Answers `PASSCODE` with a visit. Returns the bodies of all attempts. */
function opens(visit = aVisit()) {
  const bodies: unknown[] = []
  serve('post', '/sfs/link/visits', async (request) => {
    const body = (await request.json()) as { passcode: string; visitor: string }
    bodies.push(body)
    const fields = {
      ...(body.passcode !== PASSCODE && { passcode: WRONG_PASSCODE }),
      ...(visit.direction === 'UP' && body.visitor === '' && { visitor: VISITOR_REQUIRED }),
    }
    return Object.keys(fields).length > 0 ? refusal(400, 'Please check.', { fields }) : visit
  })
  return bodies
}
const passcode = () => screen.findByRole('textbox', { name: 'Passcode' })
async function enter(user: UserEvent, value = PASSCODE) {
  await user.clear(await passcode())
  await user.type(await passcode(), `${value}{Enter}`)
}

describe('the page of a link', () => {
  beforeEach(() => door())

  test('refuses a wrong passcode at its field, and shows the files for the right one', async () => {
    // Somebody who is signed in to an organisation elsewhere.
    signedIn()
    const bodies = opens()
    const asked: unknown[] = []
    serve('get', '/sfs/link/items', (request) => {
      const { searchParams } = new URL(request.url)
      asked.push([request.headers.get('Link-Visit'), searchParams.get('folder')])
      return searchParams.get('folder') === '7'
        ? { items: [linked(8, 'Maps', { isFolder: true }), linked(9, 'plan')], total: 2 }
        : { items: [], total: 0 }
    })
    serve('post', '/sfs/link/items/9/download', () => ({ path: '/sfs/link/content/ticket' }))
    const downloads = downloadedFrom()
    const user = open(PATH)
    expect(await screen.findByRole('heading', { name: 'Files for you' })).toBeVisible()
    expect(screen.getByText(/Harbour Authority/)).toBeVisible()
    await expectAccessible()
    await enter(user, 'not this one')
    await waitFor(async () => expect(await passcode()).toHaveAccessibleDescription(WRONG_PASSCODE))
    await enter(user)
    expect(await screen.findByRole('heading', { name: 'Plans' })).toBeVisible()
    expect(bodies).toEqual([
      { token: TOKEN, passcode: 'not this one', visitor: '' },
      { token: TOKEN, passcode: PASSCODE, visitor: '' },
    ])
    await user.click(await screen.findByRole('button', { name: 'Download plan.pdf' }))
    await waitFor(() => expect(downloads).toEqual([`${OWN}/sfs/link/content/ticket`]))
    await expectAccessible()
    await user.click(button('Maps'))
    expect(await screen.findByText('There is nothing in this folder.')).toBeVisible()
    await user.click(button('Back'))
    expect(await screen.findByText('plan.pdf')).toBeVisible()
    expect(asked).toEqual([
      ['lv_visit', '7'],
      ['lv_visit', '8'],
      ['lv_visit', '7'],
    ])
  })

  test('says when the next attempt is possible after too many', async () => {
    serve('post', '/sfs/link/visits', () =>
      refusal(429, 'Please wait two minutes.', { msUntilNextAttempt: 120_000 }),
    )
    const user = open(PATH)
    await enter(user)
    expect(await screen.findByText('Please wait two minutes.')).toBeVisible()
  })

  test('says that a link has ended, and follows another one that is entered in its place', async () => {
    const user = open('/link#fl_withdrawn')
    expect(await screen.findByRole('heading', { name: 'This link does not open' })).toBeVisible()
    expect(screen.getByText(LINK_GONE)).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
    await expectAccessible()
    const bodies = opens()
    serve('get', '/sfs/link/items', () => ({ items: [], total: 0 }))
    location.hash = `#${TOKEN}`
    await enter(user)
    expect(await screen.findByText('There is nothing in this folder.')).toBeVisible()
    expect(bodies).toMatchObject([{ token: TOKEN }])
  })

  test('says so for a link that ends while its passcode is entered', async () => {
    serve('post', '/sfs/link/visits', gone)
    const user = open(PATH)
    await enter(user)
    expect(await screen.findByRole('heading', { name: 'This link does not open' })).toBeVisible()
  })

  test('says so for a link that ends while it is open', async () => {
    opens()
    serve('get', '/sfs/link/items', () => ({ items: [linked(9, 'plan')], total: 1 }))
    serve('post', '/sfs/link/items/9/download', gone)
    const user = open(PATH)
    await enter(user)
    await user.click(await screen.findByRole('button', { name: 'Download plan.pdf' }))
    expect(await screen.findByText(LINK_GONE)).toBeVisible()
  })

  test('asks for the passcode again once the visit is over', async () => {
    opens()
    serve('get', '/sfs/link/items', () => ({ items: [linked(9, 'plan')], total: 1 }))
    serve('post', '/sfs/link/items/9/download', () => refusal(401, VISIT_OVER, { code: VISIT_OVER_CODE }))
    const user = open(PATH)
    await enter(user)
    await user.click(await screen.findByRole('button', { name: 'Download plan.pdf' }))
    expect(await passcode()).toHaveValue('')
  })
})

describe('the page of a link that takes files in', () => {
  beforeEach(() => door('UP'))
  const file = (name: string, content = '%PDF') => new File([content], name)
  async function opened() {
    opens(aVisit({ direction: 'UP' }))
    const user = open(PATH)
    await user.type(await screen.findByRole('textbox', { name: 'Your name' }), 'Bo')
    await enter(user)
    const field = await screen.findByLabelText('Choose files')
    const choose = (...files: File[]) => user.upload(field, files)
    const rows = () => within(screen.getByRole('list', { name: 'Your files' })).getAllByRole('listitem')
    return { user, choose, rows }
  }

  test("asks for the visitor's name", async () => {
    const bodies = opens(aVisit({ direction: 'UP' }))
    const user = open(PATH)
    expect(await screen.findByRole('heading', { name: 'Send files' })).toBeVisible()
    await enter(user)
    const name = screen.getByRole('textbox', { name: 'Your name' })
    await waitFor(() => expect(name).toHaveAccessibleDescription(VISITOR_REQUIRED))
    await user.type(name, 'Bo')
    await enter(user)
    expect(await screen.findByRole('button', { name: 'Choose files' })).toBeVisible()
    expect(bodies.at(-1)).toEqual({ token: TOKEN, passcode: PASSCODE, visitor: 'Bo' })
  })

  test('says why a file was not sent, and takes it when it is chosen again', async () => {
    const sent: unknown[] = []
    let hasRoom = false
    serve('post', '/sfs/link/files', async (request) => {
      if (!hasRoom) return refusal(409, NO_ROOM_FOR_FILE)
      const { headers } = request
      sent.push([headers.get('Link-Visit'), headers.get('File-Name'), await request.text()])
      return HttpResponse.json({ name: 'x', size: 1, createTimestamp: AT }, { status: 201 })
    })
    const { choose, rows } = await opened()
    await choose(file('Été.pdf'))
    expect(await screen.findByText(NO_ROOM_FOR_FILE)).toBeVisible()
    hasRoom = true
    await choose(file('Été.pdf'))
    await waitFor(() => expect(rows().map(({ textContent }) => textContent)[1]).toMatch(/^Été\.pdfSent/))
    expect(rows()[0]).toHaveTextContent(NO_ROOM_FOR_FILE)
    expect(sent).toEqual([['lv_visit', encodeURIComponent('Été.pdf'), '%PDF']])
    await expectAccessible()
  })

  test('sends a file again once the connection is back, or when somebody asks for it', async () => {
    let line = false
    const sent: string[] = []
    serve('post', '/sfs/link/files', async (request) => {
      if (!line) return HttpResponse.error()
      sent.push(await request.text())
      return HttpResponse.json({ name: 'x', size: 1, createTimestamp: AT }, { status: 201 })
    })
    const { user, choose, rows } = await opened()
    await choose(file('a.pdf', 'one'))
    expect(await screen.findByText(/^The connection was lost/)).toBeVisible()
    line = true
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(rows()[0]).toHaveTextContent(/^a\.pdfSent/))
    line = false
    await choose(file('b.pdf', 'two'))
    const again = await screen.findByRole('button', { name: 'Try again: b.pdf' })
    line = true
    await user.click(again)
    await waitFor(() => expect(rows()[1]).toHaveTextContent(/^b\.pdfSent/))
    expect(sent).toEqual(['one', 'two'])
  })

  test('sends what fits the limits, also two files of one name, and nothing else', async () => {
    const sent: string[] = []
    serve('post', '/sfs/link/files', async (request) => {
      sent.push(await request.text())
      return sent.length === 1
        ? HttpResponse.json({ name: 'x', size: 1, createTimestamp: AT }, { status: 201 })
        : refusal(409, NO_ROOM_FOR_FILE)
    })
    const { choose, rows } = await opened()
    await choose(file('tool.exe'), file('a.pdf', 'one'), file('a.pdf', 'two'))
    await waitFor(() => expect(sent).toEqual(['one', 'two']))
    expect(await screen.findByText(NO_ROOM_FOR_FILE)).toBeVisible()
    const [tool, one, two] = rows()
    expect(tool).toHaveTextContent(FORMAT_NOT_SUPPORTED)
    expect(one).toHaveTextContent(/^a\.pdfSent/)
    expect(two).toHaveTextContent(NO_ROOM_FOR_FILE)
  })
})
