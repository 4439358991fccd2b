import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { ImportDialog } from '#src/playbooks/dialogs/ImportDialog.tsx'
import { answer, API, aProblem, laidOut, server, signedIn } from '#tests/support/client.tsx'
import { receive, serveList } from '#tests/support/client-lists.ts'
import {
  aCategory,
  anImported,
  anImportedItem,
  aSummary,
  aTemplate,
  expectAccessible,
  openDialog,
  serveCategories,
} from '#tests/support/client-playbook-dialogs.tsx'

const cyber = aCategory('Cyber')
const kept = [aSummary('Flood')]
beforeEach(() => {
  signedIn()
  serveCategories(cyber)
  answer('get', '/config', { playbookMaxTemplates: 4, maxActivitiesPerPlaybook: 5 })
  serveList('/playbook/templates', () => kept)
})

/** Lets the scripted server read files, by name. */
function reads(files: Readonly<Record<string, readonly ImportedPlaybook[]>>) {
  const bodies: { fileName: string; content: string }[] = []
  server.use(
    http.post(`${API}/playbook/import/preview`, async ({ request }) => {
      const body = (await request.json()) as { fileName: string; content: string }
      bodies.push(body)
      const playbooks = files[body.fileName]
      return playbooks
        ? HttpResponse.json({ format: 'MARKDOWN', playbooks, table: null })
        : HttpResponse.json(
            { ...aProblem('Line 3 is not JSON.', 'invalid'), fields: { content: 'Line 3 is not JSON.' } },
            { status: 400 },
          )
    }),
  )
  return bodies
}
const made = (name: string, categoryId: string | null = null) => ({
  id: `id of ${name}`,
  categoryId,
  version: 1,
})
/** Lets playbooks be created, except those of these names. */
function creates(refused: Record<string, number> = {}) {
  const bodies: Record<string, unknown>[] = []
  server.use(
    http.post(`${API}/playbook/template`, async ({ request }) => {
      const body = (await request.json()) as { name: string; categoryId: string | null }
      bodies.push(body)
      const status = refused[body.name]
      if (status !== undefined) return HttpResponse.json(aProblem(`${body.name} was refused.`), { status })
      return HttpResponse.json(
        { ...aTemplate(body.name, []), ...made(body.name, body.categoryId), people: [] },
        { status: 201 },
      )
    }),
  )
  return bodies
}

async function opened() {
  const onCreated = vi.fn()
  const onUndone = vi.fn()
  const user = openDialog((props) => <ImportDialog {...props} onCreated={onCreated} onUndone={onUndone} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Import Playbooks' }))
  await dialog.findByLabelText('Files with playbooks')
  const choose = (...files: [name: string, content: BlobPart][]) =>
    fireEvent.change(dialog.getByLabelText('Files with playbooks'), {
      target: { files: files.map(([name, content]) => new File([content], name)) },
    })
  const card = async (name: string) => {
    const box = await dialog.findByRole('checkbox', { name: `Import “${name}”` })
    return within(box.closest('li')!)
  }
  return { user, dialog, choose, card, onCreated, onUndone }
}

describe('the import of playbooks', () => {
  test('shows what several files hold, and creates one after the other', async () => {
    const sent = reads({
      'a.md': [
        anImported('Ransomware', {
          categoryName: ' cyber ',
          notes: [{ line: 7, message: 'A picture was left out.' }],
        }),
      ],
      'b.json': [anImported('Data breach', { categoryName: 'Privacy' })],
    })
    const bodies = creates()
    const { user, dialog, choose, card, onCreated } = await opened()
    await expectAccessible()
    expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled()
    choose(['a.md', '# Ransomware'], ['b.json', '{}'])
    const ransomware = await card('Ransomware')
    const breach = await card('Data breach')
    expect(sent).toEqual([
      { fileName: 'a.md', content: '# Ransomware' },
      { fileName: 'b.json', content: '{}' },
    ])
    expect(ransomware.getByText('1 heading · 1 task')).toBeVisible()
    expect(ransomware.getByRole('combobox', { name: 'Category' })).toHaveTextContent('Cyber')
    await user.click(ransomware.getByRole('button', { name: '1 note: Ransomware' }))
    expect(await ransomware.findByText('Line 7: A picture was left out.')).toBeVisible()
    await user.click(ransomware.getByRole('button', { name: 'Contents of Ransomware' }))
    expect(await ransomware.findByText('Call the team')).toBeVisible()
    await user.click(breach.getByRole('combobox', { name: 'Category' }))
    const categories = receive('post', '/playbook/category', () => ({
      ...aCategory('Privacy', { id: cyber.id }),
    }))
    await user.click(await screen.findByRole('option', { name: 'Create “Privacy”' }))
    await expectAccessible()
    expect(bodies).toEqual([])
    await user.clear(breach.getByLabelText('Name'))
    await user.type(breach.getByLabelText('Name'), 'Leak')
    await user.click(dialog.getByRole('button', { name: 'Import 2 Playbooks' }))
    await waitFor(() =>
      expect(onCreated).toHaveBeenCalledWith([made('Ransomware', cyber.id), made('Leak', cyber.id)]),
    )
    expect(bodies).toMatchObject([
      {
        name: 'Ransomware',
        categoryId: cyber.id,
        activities: [{ type: 'HEADING' }, { title: 'Call the team' }],
      },
      { name: 'Leak', categoryId: cyber.id },
    ])
    expect(bodies[0]!['activities']).not.toMatchObject([{ line: null }, {}])
    expect(categories).toEqual([{ name: 'Privacy' }])
    expect(await screen.findByText('Created 2 playbooks.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('says of each file why it cannot be imported, and reads the others', async () => {
    reads({ 'good.md': [anImported('Good')], 'none.md': [] })
    const { user, dialog, choose, card } = await opened()
    choose(
      ['word.docx', 'PK'],
      ['empty.md', ''],
      ['picture.md', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
      ['long.md', 'a'.repeat(2_000_001)],
      ['broken.json', '{'],
      ['none.md', 'Nothing.'],
      ['good.md', '# Good'],
    )
    await card('Good')
    const refused = within(dialog.getByRole('list', { name: 'Files that cannot be imported' }))
    expect(refused.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'word.docx Only Markdown, text, JSON, CSV, TSV and Excel files can be imported.',
      'empty.md This file is empty.',
      'picture.md This file is not a text.',
      'long.md The file is too long. Please split it.',
      'broken.json Line 3 is not JSON.',
      'none.md No playbook was found in this file.',
    ])
    await user.click(refused.getByRole('button', { name: 'Dismiss empty.md' }))
    expect(refused.getAllByRole('alert')).toHaveLength(5)
  })

  test('shows markup in a file as the text that it is', async () => {
    const markup = '<img src=x onerror="alert(1)">'
    const activities = [anImportedItem(markup, { description: `${markup} javascript:alert(1)` })]
    reads({ 'a.md': [anImported(markup, { description: markup, activities })] })
    const { user, choose, card } = await opened()
    choose(['a.md', markup])
    const hostile = await card(markup)
    await user.click(hostile.getByRole('button', { name: `Contents of ${markup}` }))
    expect(await hostile.findAllByText(markup)).toHaveLength(2)
    expect(document.querySelector('img, a[href^="javascript"]')).toBeNull()
  })

  test('reads a text that is pasted', async () => {
    const sent = reads({ 'Pasted text.csv': [anImported('From a table')] })
    const { user, dialog, card } = await opened()
    await user.click(dialog.getByRole('button', { name: 'Paste Text' }))
    await user.type(dialog.getByLabelText('Text'), 'type,title')
    await user.click(dialog.getByRole('combobox', { name: 'Format' }))
    await user.click(await screen.findByRole('option', { name: 'CSV' }))
    await user.click(dialog.getByRole('button', { name: 'Read Text' }))
    await card('From a table')
    expect(sent).toEqual([{ fileName: 'Pasted text.csv', content: 'type,title' }])
  })

  test('says what was not created and why, and creates nothing twice', async () => {
    reads({ 'a.md': [anImported('One'), anImported('Two'), anImported('Three')] })
    const refused: Record<string, number> = { Two: 409 }
    const bodies = creates(refused)
    const { user, dialog, choose, card, onCreated } = await opened()
    choose(['a.md', '#'])
    await card('Three')
    await user.click(dialog.getByRole('button', { name: 'Import 3 Playbooks' }))
    const two = await card('Two')
    expect(await two.findByText('Two was refused.')).toBeVisible()
    expect((await card('One')).getByText('Created')).toBeVisible()
    expect((await card('Three')).getByText('Created')).toBeVisible()
    await user.type(two.getByLabelText('Name'), ' again')
    await user.click(dialog.getByRole('button', { name: 'Import 1 Playbook' }))
    await waitFor(() =>
      expect(onCreated).toHaveBeenCalledWith([made('One'), made('Three'), made('Two again')]),
    )
    expect(bodies.map(({ name }) => name)).toEqual(['One', 'Two', 'Three', 'Two again'])
  })

  test('creates what needs no decision, and keeps the others with their questions', async () => {
    const long = anImported('Long', { description: 'Word. '.repeat(300) })
    reads({ 'a.md': [anImported('Good'), long] })
    const bodies = creates()
    const { user, dialog, choose, card, onCreated } = await opened()
    choose(['a.md', '#'])
    await card('Long')
    await user.click(dialog.getByRole('button', { name: 'Import 1 Playbook' }))
    expect(await (await card('Good')).findByText('Created')).toBeVisible()
    expect(onCreated).not.toHaveBeenCalled()
    await user.click(
      (await card('Long')).getByRole('button', { name: 'Continue the Introduction in the First Task' }),
    )
    await user.click(dialog.getByRole('button', { name: 'Import 1 Playbook' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith([made('Good'), made('Long')]))
    const { description, activities } = bodies[1] as unknown as ImportedPlaybook
    expect(`${description} ${activities[0]!.description}`).toBe('Word. '.repeat(300))
    expect(activities[0]!.title).toBe('Introduction, continued')
  })

  test('can be undone, except for what was changed since', async () => {
    reads({ 'a.md': [anImported('One', { categoryName: 'Privacy' }), anImported('Two')] })
    creates()
    const privacy = aCategory('Privacy')
    receive('post', '/playbook/category', () => ({ ...privacy }))
    const removed: string[] = []
    const categories: unknown[] = []
    server.use(
      http.delete(`${API}/playbook/category/:id`, ({ params }) => {
        categories.push(params['id'])
        return new HttpResponse(null, { status: 204 })
      }),
      http.delete(`${API}/playbook/template/:id`, ({ request, params }) => {
        removed.push(`${String(params['id'])} ${new URL(request.url).search}`)
        return params['id'] === 'id of Two'
          ? HttpResponse.json(aProblem('Somebody else changed the playbook meanwhile.', 'stale'), {
              status: 409,
            })
          : new HttpResponse(null, { status: 204 })
      }),
    )
    const { user, dialog, choose, card, onCreated, onUndone } = await opened()
    choose(['a.md', '#'])
    await user.click((await card('One')).getByRole('combobox', { name: 'Category' }))
    await user.click(await screen.findByRole('option', { name: 'Create “Privacy”' }))
    await user.click(dialog.getByRole('button', { name: 'Import 2 Playbooks' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalled())
    serveCategories(cyber, privacy)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(
      await screen.findByText('The import was undone, except for 1 playbook that was changed since.'),
    ).toBeVisible()
    expect(removed).toEqual(['id of One ?version=1', 'id of Two ?version=1'])
    expect(categories).toEqual([privacy.id])
    expect(onUndone).toHaveBeenCalledWith(['id of One'])
  })

  test('makes tasks of texts where a file has no list', async () => {
    const activities = [anImportedItem('Call', { type: 'HEADING', description: 'Call the bank.' })]
    reads({ 'a.md': [anImported('Texts', { activities })] })
    const bodies = creates()
    const { user, dialog, choose, card, onCreated } = await opened()
    choose(['a.md', '#'])
    await user.click((await card('Texts')).getByRole('button', { name: 'Make Tasks of the Texts' }))
    await user.click(dialog.getByRole('button', { name: 'Import 1 Playbook' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalled())
    expect(bodies).toMatchObject([
      {
        activities: [
          { type: 'HEADING', title: 'Call', description: '' },
          { type: 'TASK', title: 'Call the bank.' },
        ],
      },
    ])
  })

  test('asks what the columns of a table are', async () => {
    const bodies: { columns?: unknown }[] = []
    const table = {
      headings: ['Was', 'Wer', ''],
      samples: [['Ventil zu'], ['Ana', 'Bo'], []],
      columns: [null, 'title', null],
      rowsCount: 2,
    }
    server.use(
      http.post(`${API}/playbook/import/preview`, async ({ request }) => {
        const body = (await request.json()) as { columns?: unknown }
        bodies.push(body)
        const playbooks = body.columns ? [anImported('Table')] : []
        return HttpResponse.json({ format: 'CSV', playbooks, table: body.columns ? null : table })
      }),
    )
    const { user, dialog, choose, card } = await opened()
    choose(['plan.csv', 'Was,Wer\nVentil zu,Ana'])
    expect(
      await dialog.findByText('No heading of its 2 rows names a title. Say what the columns are.'),
    ).toBeVisible()
    expect(dialog.getByText('Ana · Bo')).toBeVisible()
    await expectAccessible()
    await user.click(dialog.getByRole('combobox', { name: '“Was” is' }))
    await user.click(await screen.findByRole('option', { name: 'Title' }))
    // A title has one column.
    expect(dialog.getByRole('combobox', { name: '“Wer” is' })).toHaveTextContent('Left out')
    await user.click(dialog.getByRole('combobox', { name: '“Wer” is' }))
    await user.click(await screen.findByRole('option', { name: 'Ideal title or role' }))
    await user.click(dialog.getByRole('button', { name: 'Read Table' }))
    await card('Table')
    expect(bodies[1]).toMatchObject({ fileName: 'plan.csv', columns: ['title', 'role', null] })
    expect(dialog.queryByRole('button', { name: 'Read Table' })).toBeNull()
  })

  test('stops where nothing else could be created, and hands over what was', async () => {
    reads({ 'a.md': [anImported('One'), anImported('Two'), anImported('Three')] })
    const bodies = creates({ Two: 403 })
    const { user, dialog, choose, card, onCreated } = await opened()
    choose(['a.md', '#'])
    await card('Three')
    await user.click(dialog.getByRole('button', { name: 'Import 3 Playbooks' }))
    expect(await (await card('Two')).findByText('Two was refused.')).toBeVisible()
    expect(bodies.map(({ name }) => name)).toEqual(['One', 'Two'])
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    const question = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    await user.click(question.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith([made('One')]))
  })

  test('chooses as many as there is room for, and leads to more', async () => {
    reads({ 'a.md': Array.from({ length: 5 }, (_, n) => anImported(`Playbook ${n}`)) })
    const { user, dialog, choose, card } = await opened()
    choose(['a.md', '#'])
    await card('Playbook 4')
    expect(dialog.getByText(/^5 read, room for 3\. Choose which to import\./)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Increase Playbook Limit' })).toBeVisible()
    expect(dialog.getByRole('checkbox', { name: 'Import “Playbook 2”' })).toBeChecked()
    expect(dialog.getByRole('checkbox', { name: 'Import “Playbook 3”' })).not.toBeChecked()
    expect(dialog.getByRole('button', { name: 'Import 3 Playbooks' })).toBeEnabled()
    await user.click(dialog.getByRole('checkbox', { name: 'Import “Playbook 3”' }))
    expect(dialog.getByRole('button', { name: 'Import 4 Playbooks' })).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', { name: 'Import “Playbook 0”' }))
    expect(dialog.getByRole('button', { name: 'Import 3 Playbooks' })).toBeEnabled()
  })
})

describe('a playbook that would be refused', () => {
  test('is split where it has too many items', async () => {
    const activities = Array.from({ length: 8 }, (_, n) => anImportedItem(`Task ${n}`))
    reads({ 'a.md': [anImported('Long', { activities })] })
    const bodies = creates()
    const { user, dialog, choose, card, onCreated } = await opened()
    choose(['a.md', '#'])
    const long = await card('Long')
    expect(long.getByText('The number of headings/tasks has exceeded the maximum of 5.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Import 1 Playbook' })).toBeDisabled()
    await user.click(long.getByRole('button', { name: 'Split into Several' }))
    await user.click(dialog.getByRole('button', { name: 'Import 2 Playbooks' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalled())
    const titles = bodies.flatMap(({ activities: made }) =>
      (made as { title: string }[]).map(({ title }) => title),
    )
    expect(titles).toEqual(activities.map(({ title }) => title))
  })

  test('has its texts shortened, or its items left out', async () => {
    const activities = [
      anImportedItem('A'.repeat(300), { line: 4 }),
      anImportedItem('Without words', { description: '', line: 9 }),
      anImportedItem('Fine'),
    ]
    reads({ 'a.md': [anImported('Plan', { activities })] })
    const bodies = creates()
    const { user, dialog, choose, card, onCreated } = await opened()
    choose(['a.md', '#'])
    const plan = await card('Plan')
    expect(plan.getByText(/^1\. “A{80}” \(line 4\)$/)).toBeVisible()
    expect(plan.getByText(/Maximum length of 255 characters exceeded\./)).toBeVisible()
    expect(plan.getByText(/Description cannot be empty\./)).toBeVisible()
    await expectAccessible()
    await user.click(plan.getByRole('button', { name: 'Leave out “Without words”' }))
    await user.click(plan.getByRole('button', { name: 'Shorten Texts' }))
    expect(plan.queryByText(/Maximum length/)).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Import 1 Playbook' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalled())
    expect(bodies).toMatchObject([{ activities: [{ title: `${'A'.repeat(254)}…` }, { title: 'Fine' }] }])
  })

  test('has missing descriptions filled in, and needs a name', async () => {
    reads({ 'a.md': [anImported('', { activities: [anImportedItem('Call', { description: '' })] })] })
    const bodies = creates()
    const { user, dialog, choose, card, onCreated } = await opened()
    choose(['a.md', '#'])
    const plan = await card('without a name')
    expect(plan.getAllByText(/Playbook name is required\./)).not.toHaveLength(0)
    await user.click(plan.getByRole('button', { name: 'Shorten and Fill In Texts' }))
    await user.type(plan.getByLabelText('Name'), 'Calls')
    await user.click(dialog.getByRole('button', { name: 'Import 1 Playbook' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalled())
    expect(bodies).toMatchObject([{ name: 'Calls', activities: [{ title: 'Call', description: 'Call' }] }])
  })

  test('of ten thousand lines shows a few of them at a time', async () => {
    laidOut()
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(480)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(48)
    const activities = Array.from({ length: 10_000 }, (_, n) => anImportedItem(`Task ${n}`))
    reads({ 'a.md': [anImported('Endless', { activities })] })
    const { user, choose, card } = await opened()
    choose(['a.md', '#'])
    const endless = await card('Endless')
    await user.click(endless.getByRole('button', { name: 'Contents of Endless' }))
    const list = await endless.findByRole('list', { name: 'Endless' })
    expect(await within(list).findByText('Task 0')).toBeVisible()
    expect(within(list).getAllByRole('listitem').length).toBeLessThan(100)
  })
})
