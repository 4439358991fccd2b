import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import type { Attachment } from '#contract/attachments/schema.ts'
import { answer, API, FakeSocket, open, server, signedIn } from '#tests/support/client.tsx'
import { CORS } from '#tests/support/client-files.ts'
import { at, GRACE, hearing, refused, uuid } from '#tests/support/client-incidents.ts'
import { downloadedFrom, onAPhone, savedFiles } from '#tests/support/client-lists.ts'
import { anImported } from '#tests/support/client-playbook-dialogs.tsx'
import {
  aCategory,
  aHeading,
  aPlaybook,
  aStep,
  playbooksPage,
  preparePlaybooks,
  servePlaybooks,
} from '#tests/support/client-playbooks.ts'

preparePlaybooks()

const CYBER = aCategory(1, 'Cyber', 1)
const SITES = aCategory(2, 'Sites', 1)
const ransomware = aPlaybook(1, { name: 'Ransomware', categoryId: CYBER.id })
const fire = aPlaybook(2, { name: 'Fire', categoryId: SITES.id, reviewDate: '2020-02-29' })
const outage = aPlaybook(3, { name: 'Outage' })
const group = (name: string) => screen.findByRole('region', { name })
const theList = async () => within(await screen.findByRole('navigation', { name: 'Playbooks' }))
const item = async (user: ReturnType<typeof open>, name: string) =>
  user.click(await screen.findByRole('menuitem', { name }))

const aFile = (n: number, name: string, extension: string): Attachment => ({
  id: uuid(n),
  name,
  extension,
  type: 'application/octet-stream',
  size: 100,
  sha256: 'ab'.repeat(32),
  createdBy: GRACE.email,
  createdByName: 'Grace Hopper',
  lastUpdated: '2026-01-01T00:00:00.000Z',
  parentType: 'PLAYBOOK',
  parentId: outage.id,
})

function threeOfThem() {
  const served = servePlaybooks(ransomware, fire, outage)
  served.state.categories = [CYBER, SITES]
  return served
}

describe('the list', () => {
  test('has playbooks below their categories, Uncategorized last, each with its count', async () => {
    threeOfThem()
    playbooksPage()
    expect(await within(await group('Cyber')).findByRole('link', { name: 'Ransomware' })).toBeVisible()
    expect(await within(await group('Sites')).findByRole('link', { name: /^Fire/ })).toBeVisible()
    expect(await within(await group('Uncategorized')).findByRole('link', { name: 'Outage' })).toBeVisible()
    expect(within(await group('Uncategorized')).getByText('1 playbook')).toBeInTheDocument()
    const names = within(await screen.findByRole('navigation', { name: 'Playbooks' }))
      .getAllByRole('heading', { level: 2 })
      .map(({ textContent }) => textContent)
    expect(names).toEqual(['Cyber', 'Sites', 'Uncategorized'])
    expect(await screen.findByText('3 of 50 playbooks')).toBeVisible()
  })

  test('folds a category and remembers it', async () => {
    threeOfThem()
    const user = playbooksPage()
    const cyber = within(await group('Cyber'))
    await cyber.findByRole('link', { name: 'Ransomware' })
    await user.click(cyber.getByRole('button', { name: /^Cyber/ }))
    expect(cyber.queryByRole('link', { name: 'Ransomware' })).toBeNull()
    expect(cyber.getByRole('button', { name: /^Cyber/ })).toHaveAttribute('aria-expanded', 'false')
    expect(Object.values(localStorage).join()).toContain('true')
  })

  test('unfolds, marks and scrolls to what was imported, and opens a single one', async () => {
    const { state } = threeOfThem()
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    server.use(
      http.post(`${API}/playbook/import/preview`, () =>
        HttpResponse.json({
          format: 'MARKDOWN',
          playbooks: [anImported('Storm', { categoryName: 'Cyber' })],
          table: null,
        }),
      ),
    )
    const user = playbooksPage('/playbooks?q=fire')
    await screen.findByRole('link', { name: /^Fire/ })
    await user.click(screen.getByRole('button', { name: 'Create' }))
    await item(user, 'Import')
    const dialog = within(await screen.findByRole('dialog', { name: 'Import Playbooks' }))
    fireEvent.change(await dialog.findByLabelText('Files with playbooks'), {
      target: { files: [new File(['# Storm'], 'storm.md')] },
    })
    await user.click(await dialog.findByRole('button', { name: 'Import 1 Playbook' }))
    const cyber = within(await group('Cyber'))
    const row = await cyber.findByRole('link', { name: /^Storm/ })
    expect(within(row).getByText('Imported')).toBeVisible()
    expect(scrolled.mock.contexts.includes(row)).toBe(true)
    expect(await screen.findByRole('heading', { name: 'Storm' })).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(state.playbooks.map(({ name }) => name)).toEqual(['Ransomware', 'Fire', 'Outage']),
    )
    expect(await screen.findByText('Choose a playbook to read it.')).toBeVisible()
  })

  test('shows the text of headings, indented by their level', async () => {
    const activities = [
      aHeading(0, 'At once'),
      { ...aHeading(1, 'Inside'), level: 2, description: 'Mind the smoke.' },
      aStep(2),
    ]
    servePlaybooks(aPlaybook(1, { activities }))
    playbooksPage(`/playbooks/${aPlaybook(1).id}`)
    expect(await screen.findByRole('heading', { level: 5, name: 'Inside' })).toBeVisible()
    expect(screen.getByText('Mind the smoke.')).toBeVisible()
  })

  test('asks for thirty playbooks of a category at a time', async () => {
    const { listed } = servePlaybooks(
      ...Array.from({ length: 35 }, (_, n) => aPlaybook(n, { name: `Plan ${String(n).padStart(2, '0')}` })),
    )
    const user = playbooksPage()
    const rest = within(await group('Uncategorized'))
    await waitFor(() => expect(rest.getAllByRole('link')).toHaveLength(30))
    await user.click(rest.getByRole('button', { name: 'Load More' }))
    expect(await rest.findByRole('link', { name: 'Plan 34' })).toBeVisible()
    expect(rest.queryByRole('button', { name: 'Load More' })).toBeNull()
    expect(listed.urls.every((url) => url.searchParams.has('range'))).toBe(true)
  })

  test('says of each its steps, owner, last change and use', async () => {
    const used = aPlaybook(1, {
      name: 'Ransomware',
      owner: GRACE.email,
      usesCount: 3,
      lastUsedTimestamp: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    })
    servePlaybooks(used, outage)
    playbooksPage()
    const row = await (await theList()).findByRole('link', { name: 'Ransomware' })
    await waitFor(() => expect(row).toHaveAccessibleDescription(/Grace Hopper/))
    expect(row).toHaveAccessibleDescription(/^2 steps.*Changed 8 hr\. ago.*Used 3 times, last 2 hr\. ago$/)
    expect((await theList()).getByRole('link', { name: 'Outage' })).toHaveAccessibleDescription(/Never used$/)
  })

  test('unfolds the category of an open playbook, and shows it beyond the loaded page', async () => {
    const many = Array.from({ length: 35 }, (_, n) =>
      aPlaybook(n, { name: `Plan ${String(n).padStart(2, '0')}`, categoryId: CYBER.id }),
    )
    const { state, listed } = servePlaybooks(...many, aPlaybook(40, { name: 'Outage' }))
    state.categories = [{ ...CYBER, playbooksCount: 35 }]
    const user = playbooksPage()
    await (await theList()).findByRole('link', { name: 'Plan 00' })
    await user.click(within(await group('Cyber')).getByRole('button', { name: /^Cyber/ }))
    await user.click(await (await theList()).findByRole('link', { name: 'Outage' }))
    const folded = within(await group('Cyber')).getByRole('button', { name: /^Cyber/ })
    expect(folded).toHaveAttribute('aria-expanded', 'false')
    act(() => history.pushState(null, '', `/playbooks/${many[34]!.id}`))
    act(() => void dispatchEvent(new PopStateEvent('popstate')))
    const row = await within(await group('Cyber')).findByRole('link', { name: 'Plan 34' })
    expect(row).toHaveAttribute('aria-current', 'page')
    expect(within(await group('Cyber')).getAllByRole('link')).toHaveLength(31)
    const offsets = listed.urls.map((url) => url.searchParams.get('range'))
    expect(offsets.some((range) => range?.startsWith('[30'))).toBe(false)
  })

  test('has beside it what was used last and what is due for review', async () => {
    const used = { ...outage, usesCount: 2, lastUsedTimestamp: '2026-01-01T00:00:00.000Z' }
    servePlaybooks(ransomware, fire, used)
    const user = playbooksPage()
    const suggestions = within(await screen.findByRole('region', { name: 'Suggestions' }))
    const recent = within(await suggestions.findByRole('region', { name: 'Recently used' }))
    expect(recent.getAllByRole('listitem')).toHaveLength(1)
    expect(recent.getByRole('link', { name: 'Start “Outage”' })).toHaveAttribute(
      'href',
      `/incidents/create?playbook=${outage.id}`,
    )
    const due = within(await suggestions.findByRole('region', { name: 'Review due' }))
    expect(due.getByRole('link', { name: 'Fire' })).toBeVisible()
    await user.click(recent.getByRole('link', { name: 'Outage' }))
    expect(await screen.findByRole('region', { name: 'Contents' })).toBeVisible()
  })

  test('has beside it what was changed last while nothing was used, and no acts for readers', async () => {
    servePlaybooks(ransomware)
    playbooksPage('/playbooks', 'BUSINESS_USER')
    const suggestions = within(await screen.findByRole('region', { name: 'Suggestions' }))
    const recent = within(await suggestions.findByRole('region', { name: 'Recently changed' }))
    expect(recent.getByRole('link', { name: 'Ransomware' })).toBeVisible()
    expect(suggestions.queryByRole('link', { name: /^Start/ })).toBeNull()
    expect(suggestions.queryByRole('button')).toBeNull()
  })

  test('searches on the server, and names the category of what it finds', async () => {
    const { listed } = threeOfThem()
    const user = playbooksPage()
    await group('Cyber')
    await user.type(screen.getByRole('searchbox', { name: 'Search playbooks' }), 'ransom')
    expect(await screen.findByText('1 playbook found')).toBeVisible()
    expect(screen.getByRole('link', { name: /^Ransomware ?Cyber$/ })).toHaveAttribute(
      'href',
      `/playbooks/${ransomware.id}?q=ransom`,
    )
    expect(listed.urls.at(-1)?.searchParams.get('filter')).toBe('{"q":"ransom"}')
    await user.clear(screen.getByRole('searchbox'))
    await user.type(screen.getByRole('searchbox'), 'zzz')
    expect(await screen.findByText('No playbook contains “zzz”.')).toBeVisible()
  })

  test('marks what is due for review, and finds only that', async () => {
    threeOfThem()
    const user = playbooksPage()
    expect(await screen.findByRole('link', { name: /^Fire.*Review due/ })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Review due' }))
    expect(await screen.findByText('1 playbook found')).toBeVisible()
    expect((await theList()).queryByRole('link', { name: /Outage/ })).toBeNull()
  })

  test('is empty: it says what playbooks are for, and offers the starter library', async () => {
    servePlaybooks()
    answer('get', '/playbook/starters', [])
    const user = playbooksPage()
    expect(await screen.findByText(/^Playbooks are the steps that a team takes/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Choose from the starter library' }))
    expect(await screen.findByRole('dialog')).toBeVisible()
  })

  test('says that there are as many as there can be, and requests more', async () => {
    threeOfThem()
    answer('get', '/config', { playbookMaxTemplates: 3 })
    const asked = hearing('post', '/feature/upgrade', () => ({
      name: 'MORE_PLAYBOOKS',
      requestTimestamp: '',
    }))
    const user = playbooksPage(`/playbooks/${outage.id}`)
    expect(await screen.findByText('Maximum playbooks created.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Create' })).toBeDisabled()
    await user.click(await screen.findByRole('button', { name: 'More' }))
    expect(await screen.findByRole('menuitem', { name: 'Clone' })).toHaveAttribute('aria-disabled', 'true')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Increase Playbook Limit' }))
    await screen.findByText(/^Thank you for your request/)
    expect(asked.urls[0]?.search).toBe('?name=MORE_PLAYBOOKS')
  })

  test('creates in a category, and deletes it after a question', async () => {
    const { state } = threeOfThem()
    const removed = hearing('delete', `/playbook/category/${CYBER.id}`, () => {
      state.categories = [SITES]
      state.playbooks = state.playbooks.map((one) => ({ ...one, categoryId: null }))
      return new HttpResponse(null, { status: 204 })
    })
    const user = playbooksPage()
    const actions = await screen.findByRole('button', { name: 'Actions for the category “Cyber”' })
    await user.click(actions)
    await item(user, 'Create playbook')
    await waitFor(() => expect(location.search).toBe(`?new=1&category=${CYBER.id}`))
    expect(await screen.findByRole('combobox', { name: 'Category' })).toHaveTextContent('Cyber')
    await user.click(actions)
    await item(user, 'Delete category')
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete category?' }))
    expect(dialog.getByText(/Its playbooks stay, as Uncategorized\./)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await screen.findByText('“Cyber” was deleted.')
    expect(removed.urls).toHaveLength(1)
  })

  test.each([
    ['Create Category', 'Create Category'],
    ['Export Playbooks', 'Export Playbooks'],
    ['Share Playbooks', 'Share Playbooks'],
  ])('opens with %s its dialog', async (button, title) => {
    threeOfThem()
    answer('get', '/crossEnterprises/enterprises', [])
    const everything = [
      'playbook-read-only',
      'playbook-full-access',
      'cross-enterprise-playbooks-sharing',
      'dashboard',
    ] as const
    signedIn('ADMIN', everything)
    const user = open('/playbooks')
    await user.click(await screen.findByRole('button', { name: button }))
    expect(await screen.findByRole('dialog', { name: title })).toBeVisible()
  })

  test('follows live events', async () => {
    const { state } = threeOfThem()
    playbooksPage()
    await screen.findByRole('link', { name: 'Outage' })
    state.playbooks = [...state.playbooks, aPlaybook(4, { name: 'Flood' })]
    act(() =>
      FakeSocket.last!.say({
        type: 'event',
        sequence: 1,
        noun: 'playbooks',
        record: uuid(504),
        parent: null,
        verb: 'created',
      } as never),
    )
    expect(await screen.findByRole('link', { name: 'Flood' })).toBeVisible()
  })
})

describe('a playbook', () => {
  const whole = aPlaybook(1, {
    name: 'Ransomware',
    description: 'Files are encrypted.',
    owner: GRACE.email,
    activities: [
      aHeading(0, 'Contain'),
      aStep(1, {
        title: 'Isolate',
        description: 'Pull the cables.',
        priority: 'HIGH',
        idealTitleToExecute: 'Network engineer',
        expectedTimeToComplete: 90,
      }),
      aHeading(2, 'Recover'),
      aStep(3, { title: 'Restore', description: 'Restore' }),
    ],
  })

  test('shows headings and numbered tasks in order, its brief and who keeps it', async () => {
    servePlaybooks(whole)
    playbooksPage(`/playbooks/${whole.id}`)
    const contents = within(await screen.findByRole('region', { name: 'Contents' }))
    expect(contents.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent)).toEqual([
      'Contain',
      'Recover',
    ])
    const [first, second] = contents.getAllByRole('listitem')
    expect(first).toHaveTextContent('1.IsolateHigh priorityNetwork engineer1 hour 30 minutesPull the cables.')
    // A description that repeats the title is left out.
    expect(second).toHaveTextContent(/^2\.Restore$/)
    expect(
      within(screen.getByRole('region', { name: 'Incident Brief' })).getByText(/encrypted/),
    ).toBeVisible()
    expect(screen.getByRole('region', { name: 'Attachments' })).toBeVisible()
    const about = within(screen.getByRole('region', { name: 'About this playbook' }))
    expect(await about.findByText('Grace Hopper')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Ransomware' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getAllByRole('heading', { name: 'Ransomware' })).not.toHaveLength(0)
  })

  test('shows formatted text of headings and tasks, also where it repeats the title', async () => {
    const rich = aPlaybook(4, {
      name: 'Water',
      activities: [
        {
          ...aHeading(0, 'Stop it'),
          description: 'Be quick',
          formattedDescription: '<p>Be <em>quick</em></p>',
        },
        aStep(1, {
          description: 'Run\n\nvalve --close',
          formattedDescription: '<p>Run</p><pre><code>valve --close</code></pre>',
        }),
        aStep(2, {
          title: 'Call Ana',
          description: 'Call Ana',
          formattedDescription: '<p>Call <code>Ana</code></p>',
        }),
      ],
    })
    servePlaybooks(rich)
    playbooksPage(`/playbooks/${rich.id}`)
    const contents = within(await screen.findByRole('region', { name: 'Contents' }))
    expect(await contents.findByRole('button', { name: 'Copy code' })).toBeVisible()
    expect(contents.getByRole('emphasis')).toHaveTextContent('quick')
    const [first, second] = contents.getAllByRole('listitem')
    expect(within(first!).getByRole('code')).toHaveTextContent('valve --close')
    expect(within(second!).getByRole('code')).toHaveTextContent('Ana')
    expect(second).toHaveTextContent(/^2\.Call Ana$/)
  })

  test('begins with its brief, and with the one filled button that starts it', async () => {
    servePlaybooks(whole)
    const user = playbooksPage(`/playbooks/${whole.id}`, 'ADMIN')
    const start = await screen.findByRole('button', { name: 'Start' })
    const filled = screen.getAllByRole('button').filter(({ className }) => className.includes('contained'))
    expect(filled).toEqual([start])
    const regions = within(screen.getByRole('article')).getAllByRole('region')
    const names = regions.map((region) => within(region).getAllByRole('heading')[0]?.textContent)
    expect(names.slice(0, 2)).toEqual(['Incident Brief', 'Contents'])
    await user.click(start)
    await waitFor(() => expect(location.pathname).toBe('/incidents/create'))
    expect(location.search).toBe(`?playbook=${whole.id}`)
  })

  test('lists its files, which are attached, downloaded and shown', async () => {
    servePlaybooks(outage)
    const urls = downloadedFrom()
    const stored = [aFile(1, 'Site plan', 'pdf')]
    answer('get', '/config', { maxFileSize: 1, allowedFileExtensions: ['PDF', 'TXT'] })
    hearing('get', `/fa/PLAYBOOK/${outage.id}`, () => stored)
    server.use(
      http.options(`${API}/*`, () => new HttpResponse(null, { status: 204, headers: CORS })),
      http.post(`${API}/fa/PLAYBOOK/${outage.id}`, async ({ request }) => {
        expect(await request.text()).toContain('filename="phones.txt"')
        const added = aFile(2, 'phones', 'txt')
        stored.push(added)
        return HttpResponse.json(added, { status: 201, headers: CORS })
      }),
      http.get(`${API}/fa/${uuid(2)}`, () => new HttpResponse('Bridge: 101')),
    )
    answer('post', `/fa/${uuid(2)}/download`, {
      path: '/fa/content/ticket',
      expireTimestamp: '2026-01-01T00:01:00.000Z',
    })
    const user = playbooksPage(`/playbooks/${outage.id}`)
    const section = within(await screen.findByRole('region', { name: 'Attachments' }))
    expect(await section.findByText('Site plan.pdf')).toBeVisible()

    await user.click(section.getByRole('button', { name: 'Attachments' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Attachments' }))
    await dialog.findByText(/1 MB each/)
    const field = screen.getByRole('dialog').querySelector('input[type="file"]')!
    fireEvent.change(field, { target: { files: [new File(['Bridge: 101'], 'phones.txt')] } })
    await user.click(dialog.getByRole('button', { name: 'Upload' }))
    expect(await screen.findByText('1 file was added.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Close' }))

    await user.click(await section.findByRole('button', { name: 'Download “phones.txt”' }))
    await waitFor(() => expect(urls).toEqual([new URL(`${API}/fa/content/ticket`, location.href).href]))
    await user.click(section.getByRole('button', { name: 'Open “phones.txt”' }))
    const shown = within(await screen.findByRole('dialog', { name: 'phones.txt' }))
    expect(await shown.findByText('Bridge: 101')).toBeVisible()
  })

  test('says that it has no description', async () => {
    servePlaybooks(outage)
    playbooksPage(`/playbooks/${outage.id}`)
    expect(await screen.findByText('No description to show.')).toBeVisible()
  })

  test('has for a reader the exports and nothing that changes it', async () => {
    servePlaybooks(whole)
    const user = playbooksPage(`/playbooks/${whole.id}`, 'BUSINESS_USER')
    await user.click(await screen.findByRole('button', { name: 'More' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Versions',
      'Export PDF',
      'Export DOCX',
      'Export Markdown',
      'Export JSON',
    ])
    await user.keyboard('{Escape}')
    for (const name of ['Start', 'Edit', 'Create', 'Create Category', 'Share Playbooks'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    // A reader cannot open the editor's address.
    expect(screen.queryByRole('textbox', { name: /^Playbook name/ })).toBeNull()
  })

  test('is exported, with progress, under the name that the server gives it', async () => {
    servePlaybooks(whole)
    const files = savedFiles()
    let finish = () => undefined as void
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    const asked = hearing('get', `/playbook/template/file/${whole.id}`, async () => {
      await waiting
      return new HttpResponse('PK', {
        headers: {
          'Content-Disposition': 'attachment; filename="Playbooks_Export_11-23-2026_10-00-00.docx"',
        },
      })
    })
    const user = playbooksPage(`/playbooks/${whole.id}`)
    await user.click(await screen.findByRole('button', { name: 'More' }))
    await item(user, 'Export DOCX')
    expect(await screen.findByRole('progressbar', { name: 'Exporting “Ransomware”…' })).toBeVisible()
    finish()
    await waitFor(() => expect(files[0]?.name).toBe('Playbooks_Export_11-23-2026_10-00-00.docx'))
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
    expect(asked.urls[0]?.search).toBe('?type=DOCX')
    vi.restoreAllMocks()
  })

  test('says with the status that an export failed', async () => {
    servePlaybooks(whole)
    hearing('get', `/playbook/template/source/${whole.id}`, () => refused(500, 'Oops.'))
    const user = playbooksPage(`/playbooks/${whole.id}`)
    await user.click(await screen.findByRole('button', { name: 'More' }))
    await item(user, 'Export Markdown')
    expect(await screen.findByText('An unexpected error occurred. [500].')).toBeVisible()
  })

  test('is deleted after a question that names it', async () => {
    const { removed } = servePlaybooks(whole)
    const user = playbooksPage(`/playbooks/${whole.id}`)
    await user.click(await screen.findByRole('button', { name: 'More' }))
    await item(user, 'Delete')
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete playbook?' }))
    expect(dialog.getByText(/“Ransomware” will be deleted for everybody/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await screen.findByText('“Ransomware” was deleted.')
    await at('/playbooks')
    expect(removed.urls).toHaveLength(1)
  })

  test.each([
    ['Change Category', 'Change Category for Playbook'],
    ['Versions', 'Versions'],
  ])('opens with %s its dialog', async (name, title) => {
    servePlaybooks(whole)
    answer('get', `/playbook/template/${whole.id}/versions`, [])
    const user = playbooksPage(`/playbooks/${whole.id}`)
    await user.click(await screen.findByRole('button', { name: 'More' }))
    await item(user, name)
    expect(await screen.findByRole('dialog', { name: new RegExp(title) })).toBeVisible()
  })

  test('that was deleted meanwhile says so and leads back', async () => {
    servePlaybooks(outage)
    const user = playbooksPage(`/playbooks/${uuid(999)}`)
    expect(await screen.findByText('This playbook does not exist any more.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'All playbooks' }))
    await at('/playbooks')
  })

  test('is on a phone a page of its own with a way back, its actions in a menu', async () => {
    onAPhone()
    servePlaybooks(whole)
    const user = playbooksPage()
    await user.click(await screen.findByRole('link', { name: 'Ransomware' }))
    await screen.findByRole('region', { name: 'Contents' })
    expect(screen.queryByRole('searchbox')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'More' }))
    expect(await screen.findByRole('menuitem', { name: 'Export PDF' })).toBeVisible()
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'All playbooks' }))
    expect(await screen.findByRole('searchbox')).toBeVisible()
  })
})

describe('the ways to the page', () => {
  test.each([[['playbook-read-only']], [['playbook-full-access']]] as const)(
    'are a tile and an entry with %j',
    async (permissions) => {
      signedIn('USER', ['dashboard', ...permissions])
      open('/')
      expect(
        await screen.findByRole('link', { name: /^Playbooks Read and write|^PlaybooksRead and write/ }),
      ).toHaveAttribute('href', '/playbooks')
    },
  )

  test('are none without the permissions', async () => {
    signedIn('USER', ['dashboard', 'chats'])
    open('/')
    await screen.findByText('Safe')
    expect(screen.queryByRole('link', { name: /^Playbooks/ })).toBeNull()
  })

  test.each([
    ['new until the badge expires', 60_000, true],
    ['not new afterwards', -60_000, false],
  ])('are %s', async (_, left, isNew) => {
    threeOfThem()
    answer('get', '/version/badges', [
      { path: '/playbooks', label: 'New', expiryTimestamp: new Date(Date.now() + left).toISOString() },
    ])
    playbooksPage()
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }))
    if (isNew) expect(await menu.findByText('New')).toBeVisible()
    else {
      await screen.findByRole('link', { name: 'Outage' })
      expect(menu.queryByText('New')).toBeNull()
    }
  })
})
