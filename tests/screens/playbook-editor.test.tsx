import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { answer, open, sessionEnds, signedIn } from '#tests/support/client.tsx'
import { fill, GRACE, hearing, refused } from '#tests/support/client-incidents.ts'
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

type User = ReturnType<typeof open>
const fire = aPlaybook(1, {
  name: 'Fire',
  description: 'Everybody out.',
  activities: [aHeading(0, 'At once'), aStep(1), aStep(2, { idealTitleToExecute: 'Warden' }), aStep(3)],
})
const EDIT = `/playbooks/${fire.id}?edit=1`
const editing = () => screen.findByRole('region', { name: 'Edit playbook' })
const field = (name: RegExp | string) => screen.findByRole('textbox', { name })
const button = (name: string) => screen.getByRole('button', { name })
const press = async (user: User, name: string) => user.click(await screen.findByRole('button', { name }))
const choose = async (user: User, name: string) => user.click(await screen.findByRole('menuitem', { name }))
/** The titles of the collapsed items, in order. */
const titles = () =>
  screen
    .getAllByRole('button', { name: /^Edit “/ })
    .map((row) => row.getAttribute('aria-label')?.slice('Edit “'.length, -1))
const save = (user: User) => user.click(button('Save'))
const itemsOf = (body: any) => body.activities.map(({ title }: { title: string }) => title)
async function retype(user: User, name: RegExp, words: string) {
  const input = await field(name)
  await user.clear(input)
  await fill(user, input, words)
}

describe('the editor', () => {
  test('holds name, brief and contents, saves them and says so', async () => {
    const { updated } = servePlaybooks(fire)
    const user = playbooksPage(`/playbooks/${fire.id}`)
    await press(user, 'Edit')
    expect(await field(/^Playbook name/)).toHaveValue('Fire')
    expect(await field(/^Incident Brief/)).toHaveValue('Everybody out.')
    expect(titles()).toEqual(['At once', 'Step 1', 'Step 2', 'Step 3'])
    await retype(user, /^Playbook name/, 'Fire in the archive')
    await save(user)
    await screen.findByText('Saved changes.')
    expect(await screen.findByRole('region', { name: 'Contents' })).toBeVisible()
    expect(location.search).toBe('')
    expect(updated.bodies[0]).toMatchObject({
      name: 'Fire in the archive',
      version: 1,
      activities: [{ id: fire.activities[0]?.id }, {}, { idealTitleToExecute: 'Warden' }, {}],
    })
  })

  const RICH = '<p>Ask <strong>Ana</strong></p><ul><li><p>first</p></li></ul>'
  test('keeps formatting that nobody touched, and lets plain text be formatted', async () => {
    const rich = { description: 'Ask Ana\n- first', formattedDescription: RICH }
    const { updated } = servePlaybooks({
      ...fire,
      activities: [aHeading(0, 'At once'), aStep(1, rich), aStep(2)],
    })
    const user = playbooksPage(EDIT)
    await press(user, 'Edit “Step 2”')
    expect(await field(/^Description/)).toHaveValue('How to do step 2')
    expect(screen.queryByRole('toolbar')).not.toBeInTheDocument()
    await press(user, 'Format text')
    const toolbar = await screen.findByRole('toolbar', { name: 'Formatting of Description' })
    expect(await field('Description')).toHaveTextContent('How to do step 2')
    await user.click(within(toolbar).getByRole('button', { name: 'Bullet list' }))
    await save(user)
    await screen.findByText('Saved changes.')
    const [heading, kept, formatted] = (updated.bodies[0] as any).activities
    expect(heading).toMatchObject({ description: '' })
    expect(kept).toMatchObject({ formattedDescription: RICH })
    expect(formatted).toMatchObject({
      formattedDescription: '<ul><li><p>How to do step 2</p></li></ul>',
    })
    // The server derives the text.
    for (const item of [kept, formatted]) expect(item).not.toHaveProperty('description')
  })

  test('opens formatted text in its editor, and Cancel puts it back', async () => {
    const rich = { description: 'Ask Ana\n- first', formattedDescription: RICH }
    servePlaybooks({ ...fire, activities: [aStep(1, rich)] })
    const user = playbooksPage(EDIT)
    await press(user, 'Edit “Step 1”')
    const toolbar = await screen.findByRole('toolbar', { name: 'Formatting of Description' })
    const box = await field('Description')
    expect(within(box).getByRole('strong')).toHaveTextContent('Ana')
    await user.click(box)
    await user.click(within(toolbar).getByRole('button', { name: 'Quote' }))
    const form = within(screen.getByRole('group', { name: 'Task' }))
    await user.click(form.getByRole('button', { name: 'Cancel' }))
    expect(button('Save')).toBeVisible()
    await press(user, 'Edit “Step 1”')
    expect(within(await field('Description')).queryByRole('blockquote')).not.toBeInTheDocument()
  })

  test('adds a task between two items, with all that a task has', async () => {
    const { updated } = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await press(user, 'Insert before “Step 2”')
    await choose(user, 'Add task')
    await fill(user, await field('Title of the step'), 'Call the brigade')
    await press(user, 'Edit “Call the brigade”')
    await retype(user, /^Description/, 'Number 112')
    await user.click(screen.getByRole('combobox', { name: 'Priority' }))
    await user.click(await screen.findByRole('option', { name: 'High' }))
    await fill(user, await field('Ideal title or role'), 'Porter')
    await fill(user, await field('Expected time'), '2')
    await user.click(screen.getByRole('combobox', { name: /Unit of time/ }))
    await user.click(await screen.findByRole('option', { name: 'Hours' }))
    await save(user)
    await screen.findByText('Saved changes.')
    expect(itemsOf(updated.bodies[0])).toEqual(['At once', 'Step 1', 'Call the brigade', 'Step 2', 'Step 3'])
    expect((updated.bodies[0] as any).activities[2]).toEqual({
      type: 'TASK',
      title: 'Call the brigade',
      description: 'Number 112',
      level: 1,
      condition: null,
      priority: 'HIGH',
      idealTitleToExecute: 'Porter',
      expectedTimeToComplete: 120,
      attachedFileIds: [],
    })
  })

  test('moves, duplicates and removes items, and brings a removed one back', async () => {
    const { updated } = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await editing()
    await press(user, 'Actions for “Step 3”')
    await choose(user, 'Move up')
    expect(titles()).toEqual(['At once', 'Step 1', 'Step 3', 'Step 2'])
    expect(screen.getByText('“Step 3” is now 3 of 4.')).toBeInTheDocument()
    await press(user, 'Actions for “At once”')
    expect(await screen.findByRole('menuitem', { name: 'Move up' })).toHaveAttribute('aria-disabled', 'true')
    await choose(user, 'Duplicate')
    await press(user, 'Actions for “Step 1”')
    await choose(user, 'Remove')
    expect(titles()).toEqual(['At once', 'At once', 'Step 3', 'Step 2'])
    await press(user, 'Undo')
    expect(titles()).toEqual(['At once', 'At once', 'Step 1', 'Step 3', 'Step 2'])
    await press(user, 'Actions for “Step 2”')
    await choose(user, 'Remove')
    await save(user)
    await screen.findByText('Saved changes.')
    expect(itemsOf(updated.bodies[0])).toEqual(['At once', 'At once', 'Step 1', 'Step 3'])
    // The copy gets its own id.
    expect((updated.bodies[0] as any).activities.map(({ id }: { id?: string }) => id)).toEqual([
      fire.activities[0]?.id,
      undefined,
      fire.activities[1]?.id,
      fire.activities[3]?.id,
    ])
  })

  test('has one item open at a time', async () => {
    servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await editing()
    await press(user, 'Edit “Step 2”')
    await user.clear(await field(/^Title/))
    await press(user, 'Add heading')
    expect(await screen.findByText('You cannot add an item right now.')).toBeVisible()
    // An incomplete item stays open and shows its errors.
    await press(user, 'Edit “Step 1”')
    expect(await screen.findByText('Title cannot be empty.')).toBeVisible()
    expect(await field(/^Title/)).toHaveFocus()
    await fill(user, await field(/^Title/), 'Count heads')
    await press(user, 'Edit “Step 1”')
    await waitFor(async () => expect(await field(/^Title/)).toHaveValue('Step 1'))
    expect(titles()).toContain('Count heads')
  })

  test('takes back what was typed in an item that is cancelled', async () => {
    servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await press(user, 'Edit “Step 1”')
    await retype(user, /^Title/, 'Something else')
    await user.click(
      within(screen.getByRole('group', { name: 'Task' })).getByRole('button', { name: 'Cancel' }),
    )
    expect(titles()).toEqual(['At once', 'Step 1', 'Step 2', 'Step 3'])
    await press(user, 'Add heading')
    await user.type(await field('Title of the heading'), 'x{Backspace}{Escape}')
    expect(titles()).toHaveLength(4)
    // Without changes, leaving asks no question.
    await user.click(button('Cancel'))
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible()
    expect(screen.queryByText('Discarded changes.')).toBeNull()
  })

  test('leads a task to files of the playbook', async () => {
    const { updated } = servePlaybooks(fire)
    const file = {
      id: fire.activities[1]!.id,
      name: 'Site plan',
      extension: 'pdf',
      size: 100,
      createdBy: GRACE.email,
      createTimestamp: '2026-01-01T00:00:00.000Z',
    }
    answer('get', `/fa/PLAYBOOK/${fire.id}`, [file])
    const user = playbooksPage(EDIT)
    await press(user, 'Edit “Step 1”')
    await user.click(await screen.findByRole('combobox', { name: 'Files for this task' }))
    await user.click(await screen.findByRole('option', { name: 'Site plan.pdf' }))
    await save(user)
    await screen.findByText('Saved changes.')
    expect((updated.bodies[0] as any).activities[1].attachedFileIds).toEqual([file.id])
  })

  test('chooses category, owner and review date', async () => {
    const { state, updated } = servePlaybooks(fire)
    const cyber = aCategory(1, 'Cyber')
    state.categories = [cyber]
    answer('get', '/authentication/users/search', { users: [GRACE], hasExternals: false })
    const user = playbooksPage(EDIT)
    await editing()
    await user.click(screen.getByRole('combobox', { name: 'Category' }))
    await user.click(await screen.findByRole('option', { name: 'Cyber' }))
    await user.click(screen.getByRole('combobox', { name: 'Owner' }))
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }))
    await user.type(screen.getByLabelText('Review date'), '2027-05-01')
    await save(user)
    await screen.findByText('Saved changes.')
    expect(updated.bodies[0]).toMatchObject({
      categoryId: cyber.id,
      owner: GRACE.email,
      reviewDate: '2027-05-01',
    })
  })
})

describe('steps typed in their rows', () => {
  const ROW = /^Title of the /
  const typing = () => field(ROW)
  const retitle = (user: User, title: string) => press(user, `Type the title of “${title}”`)

  test('go on with Enter, arrows and Backspace, and come back with Escape', async () => {
    servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retitle(user, 'Step 1')
    await user.type(await typing(), ', then more{Enter}')
    expect(await typing()).toHaveValue('')
    await user.keyboard('In between')
    expect(titles()).toEqual(['At once', 'Step 1, then more', 'In between', 'Step 2', 'Step 3'])
    await user.keyboard('{ArrowDown}')
    expect(await typing()).toHaveValue('Step 2')
    await user.keyboard('!{Escape}')
    expect(titles()).toContain('Step 2')
    expect(await screen.findByRole('button', { name: 'Type the title of “Step 2”' })).toHaveFocus()
    await retitle(user, 'In between')
    await user.clear(await typing())
    await user.keyboard('{Backspace}')
    expect(await typing()).toHaveValue('Step 1, then more')
    expect(titles()).toEqual(['At once', 'Step 1, then more', 'Step 2', 'Step 3'])
  })

  test('become several when a list is pasted, as many as there can be', async () => {
    answer('get', '/config', { playbookMaxTemplates: 50, maxActivitiesPerPlaybook: 7 })
    const { updated } = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    expect(await screen.findByText('4 of 7 headings and tasks')).toBeVisible()
    await press(user, 'Add task')
    await typing()
    await user.paste('- [ ] Call the porter\r\n\r\n2. Close the gate\n')
    expect(titles().slice(-2)).toEqual(['Call the porter', 'Close the gate'])
    await user.keyboard('{Enter}')
    await user.paste('One\nTwo\nThree')
    expect(
      await screen.findByText('The number of headings/tasks has exceeded the maximum of 7.'),
    ).toBeVisible()
    await save(user)
    await screen.findByText('Saved changes.')
    expect((updated.bodies[0] as any).activities.slice(4)).toMatchObject([
      { title: 'Call the porter', description: 'Call the porter' },
      { title: 'Close the gate', description: 'Close the gate' },
    ])
  })

  test('keep a description of their own', async () => {
    const own = aStep(1, { title: 'Ring', description: 'Number 112' })
    const { updated } = servePlaybooks({ ...fire, activities: [own, aStep(2)] })
    const user = playbooksPage(EDIT)
    await retitle(user, 'Ring')
    await user.type(await typing(), ' the brigade')
    await save(user)
    await screen.findByText('Saved changes.')
    expect((updated.bodies[0] as any).activities[0]).toMatchObject({
      title: 'Ring the brigade',
      description: 'Number 112',
    })
  })
})

describe('sections', () => {
  const two = aPlaybook(1, {
    name: 'Fire',
    activities: [
      aHeading(0, 'First'),
      aStep(1),
      { ...aHeading(2, 'Inside'), level: 2 },
      aStep(3),
      aHeading(4, 'Then'),
      aStep(5),
    ],
  })
  const shift = async (user: User, title: string, key: 'ArrowUp' | 'ArrowDown') => {
    const row = () => screen.getByRole('button', { name: `Type the title of “${title}”` })
    row().focus()
    await user.keyboard(`{Alt>}{${key}}{/Alt}`)
    // The focus follows the row.
    await act(() => new Promise(requestAnimationFrame))
    expect(row()).toHaveFocus()
  }

  test('fold with all below them, and move as a whole', async () => {
    const { updated } = servePlaybooks(two)
    const user = playbooksPage(EDIT)
    await press(user, 'Fold “First”')
    expect(titles()).toEqual(['First', 'Then', 'Step 5'])
    expect(screen.getByText('3 items')).toBeVisible()
    await shift(user, 'First', 'ArrowDown')
    await shift(user, 'First', 'ArrowDown')
    // It is the last one already.
    await shift(user, 'First', 'ArrowDown')
    await save(user)
    await screen.findByText('Saved changes.')
    expect(itemsOf(updated.bodies[0])).toEqual(['Then', 'Step 5', 'First', 'Step 1', 'Inside', 'Step 3'])
  })

  test('leave an item with an error visible', async () => {
    const { updated } = servePlaybooks(two)
    const user = playbooksPage(EDIT)
    await press(user, 'Type the title of “Step 3”')
    await user.clear(await field('Title of the step'))
    await press(user, 'Fold “First”')
    expect(titles()).toEqual(['First', 'Then', 'Step 5'])
    await save(user)
    expect(await screen.findByText('Title cannot be empty.')).toBeVisible()
    expect(await field(/^Title/)).toHaveFocus()
    expect(updated.bodies).toEqual([])
  })

  test('fold all at once, and are removed with their items', async () => {
    servePlaybooks(two)
    const user = playbooksPage(EDIT)
    await press(user, 'Fold all sections')
    expect(titles()).toEqual(['First', 'Then'])
    await press(user, 'Actions for “First”')
    await choose(user, 'Remove with its section')
    expect(await screen.findByText('4 headings and tasks were removed.')).toBeVisible()
    await user.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1)!)
    await press(user, 'Unfold all sections')
    expect(titles()).toEqual(['First', 'Step 1', 'Inside', 'Step 3', 'Then', 'Step 5'])
  })
})

describe('several items', () => {
  const bar = () => screen.findByRole('toolbar', { name: 'Selected headings and tasks' })

  test('are selected, moved to a section and removed together', async () => {
    const { updated } = servePlaybooks({
      ...fire,
      activities: [aHeading(0, 'At once'), aStep(1), aStep(2), aHeading(3, 'Later'), aStep(4)],
    })
    const user = playbooksPage(EDIT)
    await press(user, 'Select several')
    await user.click(screen.getByRole('checkbox', { name: 'Select “Step 1”' }))
    await user.keyboard('{Shift>}')
    await user.click(screen.getByRole('checkbox', { name: 'Select “Step 2”' }))
    await user.keyboard('{/Shift}')
    expect(within(await bar()).getByText('2 selected')).toBeVisible()
    await press(user, 'Move to a section')
    await choose(user, 'Later')
    expect(titles()).toEqual(['At once', 'Later', 'Step 4', 'Step 1', 'Step 2'])
    await press(user, 'Move up')
    expect(titles()).toEqual(['At once', 'Later', 'Step 1', 'Step 2', 'Step 4'])
    await press(user, 'Remove')
    expect(titles()).toEqual(['At once', 'Later', 'Step 4'])
    await user.click(within(await bar()).getByRole('button', { name: 'Done' }))
    expect(screen.queryByRole('checkbox', { name: /^Select/ })).toBeNull()
    await save(user)
    await screen.findByText('Saved changes.')
    expect(itemsOf(updated.bodies[0])).toEqual(['At once', 'Later', 'Step 4'])
  })
})

describe('undo', () => {
  test('takes acts back one by one, and brings them again', async () => {
    servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await press(user, 'Actions for “Step 1”')
    await choose(user, 'Remove')
    await press(user, 'Actions for “Step 3”')
    await choose(user, 'Move up')
    await user.keyboard('{Control>}z{/Control}')
    expect(titles()).toEqual(['At once', 'Step 2', 'Step 3'])
    await user.keyboard('{Meta>}z{/Meta}')
    expect(titles()).toEqual(['At once', 'Step 1', 'Step 2', 'Step 3'])
    // The toast does not bring back a second one.
    await user.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1)!)
    expect(titles()).toEqual(['At once', 'Step 1', 'Step 2', 'Step 3'])
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
    expect(titles()).toEqual(['At once', 'Step 2', 'Step 3'])
    await press(user, 'Redo')
    expect(titles()).toEqual(['At once', 'Step 3', 'Step 2'])
    // Without changes, leaving asks no question.
    await user.keyboard('{Control>}zz{/Control}')
    await user.click(button('Cancel'))
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible()
  })

  test('takes the letters of one field back at once, and leaves those of a field to the field', async () => {
    servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retype(user, /^Playbook name/, 'Flood')
    await user.keyboard('{Control>}z{/Control}')
    expect(await field(/^Playbook name/)).toHaveValue('Flood')
    screen.getByRole('button', { name: 'Type the title of “Step 1”' }).focus()
    await user.keyboard('{Control>}z{/Control}')
    expect(await field(/^Playbook name/)).toHaveValue('Fire')
  })
})

describe('what cannot be saved', () => {
  test('is said at the field and at the item, and nothing is sent', async () => {
    const { created } = servePlaybooks()
    const user = playbooksPage('/playbooks?new=1')
    await screen.findByRole('region', { name: 'New playbook' })
    await save(user)
    expect(await screen.findByText('Playbook name is required.')).toBeVisible()
    expect(screen.getByText('Please include at least one heading or task.')).toBeVisible()
    expect(await field(/^Playbook name/)).toHaveFocus()
    await fill(user, await field(/^Playbook name/), 'Flood')
    await press(user, 'Add heading')
    await fill(user, await field('Title of the heading'), 'First')
    await press(user, 'Edit “First”')
    await user.clear(await field(/^Heading/))
    await save(user)
    expect(await screen.findByText('Heading cannot be empty.')).toBeVisible()
    await fill(user, await field(/^Heading/), 'First')
    await press(user, 'Done')
    await press(user, 'Add task')
    await fill(user, await field('Title of the step'), 'Second')
    await press(user, 'Edit “Second”')
    await user.clear(await field(/^Title/))
    await user.clear(await field(/^Description/))
    await save(user)
    expect(await screen.findByText('Title cannot be empty.')).toBeVisible()
    expect(screen.getByText('Description cannot be empty.')).toBeVisible()
    await fill(user, await field('Ideal title or role'), 'x'.repeat(256))
    await fill(user, await field('Expected time'), 'soon')
    await save(user)
    expect(await screen.findByText('Maximum length of 255 characters exceeded.')).toBeVisible()
    expect(screen.getByText('Please enter a whole number, at most a year.')).toBeVisible()
    expect(created.bodies).toEqual([])
  })

  test.each([
    [/^Playbook name/, 256, 'Maximum length of 255 characters exceeded.'],
    [/^Incident Brief/, 1_001, 'Maximum length of 1000 characters exceeded.'],
  ])('is text of %s with %i characters', async (name, length, message) => {
    const { updated } = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retype(user, name, 'x'.repeat(length))
    await save(user)
    expect(await screen.findByText(message)).toBeVisible()
    expect(updated.bodies).toEqual([])
  })

  test('is a playbook with more items than the organization allows', async () => {
    answer('get', '/config', { playbookMaxTemplates: 50, maxActivitiesPerPlaybook: 3 })
    const { updated } = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    expect(await screen.findByText('4 of 3 headings and tasks')).toBeVisible()
    await save(user)
    expect(
      await screen.findByText('The number of headings/tasks has exceeded the maximum of 3.'),
    ).toBeVisible()
    expect(updated.bodies).toEqual([])
  })

  test('is said by the server at the item that it is about, and what was typed stays', async () => {
    servePlaybooks(fire)
    hearing('put', `/playbook/template/${fire.id}`, () =>
      refused(400, 'The file is gone.', { fields: { 'activities.2.title': 'This title is not possible.' } }),
    )
    const user = playbooksPage(EDIT)
    await retype(user, /^Playbook name/, 'Fire drill')
    await save(user)
    expect(await screen.findByText('Error: The file is gone.')).toBeVisible()
    expect(await screen.findByText('This title is not possible.')).toBeVisible()
    expect(await field(/^Title/)).toHaveValue('Step 2')
    expect(await field(/^Title/)).toHaveFocus()
    expect(await field(/^Playbook name/)).toHaveValue('Fire drill')
  })
})

describe('a new playbook', () => {
  test('begins in its category and is opened once it is created', async () => {
    const { state, created } = servePlaybooks()
    const cyber = aCategory(1, 'Cyber')
    state.categories = [cyber]
    const user = playbooksPage(`/playbooks?new=1&category=${cyber.id}`)
    await fill(user, await field(/^Playbook name/), 'Phishing')
    await press(user, 'Add heading')
    await user.type(await field('Title of the heading'), 'Contain{Enter}')
    expect(await field('Title of the step')).toHaveFocus()
    await user.keyboard('Isolate it{Enter}')
    expect(titles()).toEqual(['Contain', 'Isolate it', 'Untitled'])
    await save(user)
    await screen.findByText('Created playbook.')
    expect(await screen.findByRole('heading', { name: 'Contain' })).toBeVisible()
    expect(created.bodies[0]).toMatchObject({ name: 'Phishing', categoryId: cyber.id })
    // A step without a description of its own repeats its title, and the empty row is gone.
    expect((created.bodies[0] as any).activities).toMatchObject([
      { type: 'HEADING', title: 'Contain', description: '' },
      { type: 'TASK', title: 'Isolate it', description: 'Isolate it' },
    ])
  })

  test('is a clone with the files of the first one, which stays unchanged', async () => {
    const { state, created, updated } = servePlaybooks(fire)
    const user = playbooksPage(`/playbooks/${fire.id}`)
    await press(user, 'More')
    await choose(user, 'Clone')
    expect(await field(/^Playbook name/)).toHaveValue('Fire (copy)')
    await save(user)
    await screen.findByText('Created playbook.')
    const body = created.bodies[0] as any
    expect(body.attachmentsFolderIdForDuplication).toBe(fire.id)
    expect(itemsOf(body)).toEqual(['At once', 'Step 1', 'Step 2', 'Step 3'])
    expect(body.activities.every((one: object) => !('id' in one))).toBe(true)
    expect(updated.bodies).toEqual([])
    expect(state.playbooks[0]).toEqual(fire)
  })

  test('begins with a starter, which is nothing yet until it is saved', async () => {
    const { created } = servePlaybooks()
    const { id: _, attachedFileIds: __, index: ___, ...step } = aStep(1, { title: 'Unplug it' })
    const starter = {
      id: 'ransomware',
      name: 'Ransomware starter',
      purpose: 'When files are encrypted.',
      description: 'Files are encrypted.',
      activities: [step],
    }
    answer('get', '/playbook/starters', [starter])
    const user = playbooksPage()
    await press(user, 'Create')
    await choose(user, 'From the starter library')
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(await dialog.findByRole('button', { name: /^Use This Playbook/ }))
    expect(await field(/^Playbook name/)).toHaveValue('Ransomware starter')
    expect(titles()).toEqual(['Unplug it'])
    expect(created.bodies).toEqual([])
    await save(user)
    await screen.findByText('Created playbook.')
  })
})

describe('leaving', () => {
  test('asks, discards and says so', async () => {
    const { updated } = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retype(user, /^Playbook name/, 'Never mind')
    await user.click(button('Cancel'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    await user.click(dialog.getByRole('button', { name: 'Discard' }))
    expect(await screen.findByText('Discarded changes.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible()
    expect(updated.bodies).toEqual([])
    // The draft is deleted as well.
    await press(user, 'Edit')
    expect(await field(/^Playbook name/)).toHaveValue('Fire')
  })

  test('by closing the page is asked about by the browser', async () => {
    servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retype(user, /^Playbook name/, 'Half')
    const event = new Event('beforeunload', { cancelable: true })
    act(() => void window.dispatchEvent(event))
    expect(event.defaultPrevented).toBe(true)
  })

  test('keeps a draft on this device, which is offered the next time', async () => {
    const { state } = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retype(user, /^Playbook name/, 'Fire, second edition')
    await press(user, 'Add heading')
    await fill(user, await field('Title of the heading'), 'Half a hea')
    act(() => void window.dispatchEvent(new Event('pagehide')))
    // The tab is closed, and another person saves meanwhile.
    cleanup()
    state.playbooks = [{ ...fire, version: 2, updatedBy: GRACE.email }]
    const next = open(EDIT)
    expect(
      await screen.findByText(/^Grace Hopper saved the playbook at .*, after the draft was begun\.$/),
    ).toBeVisible()
    await next.click(await screen.findByRole('button', { name: /^Continue your draft of / }))
    expect(await field(/^Playbook name/)).toHaveValue('Fire, second edition')
    expect(titles()).toContain('Half a hea')
    expect(await screen.findByText(/^Grace Hopper saved changes at /)).toBeVisible()
  })

  test('keeps the draft of an ended session, and none of who signs out', async () => {
    servePlaybooks(fire)
    const first = playbooksPage(EDIT)
    await retype(first, /^Playbook name/, 'Fire, second edition')
    await sessionEnds()
    const user = playbooksPage(EDIT)
    await press(user, 'Discard draft')
    expect(await field(/^Playbook name/)).toHaveValue('Fire')
    await retype(user, /^Playbook name/, 'Fire, third edition')
    act(() => void window.dispatchEvent(new Event('pagehide')))
    expect(JSON.stringify(Object.entries(localStorage))).toContain('third edition')
    await user.click(button('Account of Ada Lovelace'))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
    await screen.findByRole('button', { name: 'Sign in' })
    expect(JSON.stringify(Object.entries(localStorage))).not.toContain('edition')
  })
})

describe('two people', () => {
  const theirs: OpenedPlaybook = {
    ...fire,
    name: 'Fire',
    version: 2,
    updatedBy: GRACE.email,
    activities: [...fire.activities, aStep(4, { title: 'Water the plants' })],
  }
  /** Saves as another person while the editor is open. */
  function stale(served: ReturnType<typeof servePlaybooks>) {
    const bodies = hearing('put', `/playbook/template/${fire.id}`, ({ body }) => {
      const [now] = served.state.playbooks
      if (body.version !== now!.version)
        return refused(409, `${GRACE.email} changed the playbook meanwhile.`, { code: 'stale' })
      return { ...now!, name: body.name, version: now!.version + 1 }
    }).bodies
    served.state.playbooks = [theirs]
    return bodies
  }
  async function conflict() {
    const served = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retype(user, /^Playbook name/, 'Fire, mine')
    const bodies = stale(served)
    await save(user)
    const dialog = within(await screen.findByRole('dialog', { name: 'Somebody else saved this playbook' }))
    await dialog.findByText('Water the plants')
    return { user, dialog, bodies, served }
  }

  test('are told that they edit it both', async () => {
    servePlaybooks(fire)
    hearing('put', '/playbook/template/:id/editing/:editorId', () => ({
      editors: [{ email: GRACE.email, name: 'Grace Hopper', sinceTimestamp: new Date().toISOString() }],
    }))
    const closed = hearing(
      'delete',
      '/playbook/template/:id/editing/:editorId',
      () => new Response(null, { status: 204 }),
    )
    const user = playbooksPage(EDIT)
    expect(await screen.findByText(/^Grace Hopper is editing this playbook too, since /)).toBeVisible()
    const before = closed.urls.length
    await user.click(button('Cancel'))
    await waitFor(() => expect(closed.urls.length).toBeGreaterThan(before))
  })

  test('save over the other only after they saw what that is', async () => {
    const { user, dialog, bodies } = await conflict()
    await user.click(dialog.getByRole('button', { name: 'Save mine over it' }))
    await screen.findByText('Saved changes.')
    expect(bodies.map((body: any) => body.version)).toEqual([1, 2])
    expect(bodies[1]).toMatchObject({ name: 'Fire, mine' })
  })

  test('save theirs as a new playbook', async () => {
    const { user, dialog, served } = await conflict()
    await user.click(dialog.getByRole('button', { name: 'Save mine as a new playbook' }))
    await screen.findByText('Created playbook.')
    expect(served.created.bodies[0]).toMatchObject({
      name: 'Fire, mine',
      attachmentsFolderIdForDuplication: fire.id,
    })
  })

  test('keep editing, look at the changes again, and take the other version', async () => {
    const { user, dialog } = await conflict()
    await user.click(dialog.getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await field(/^Playbook name/)).toHaveValue('Fire, mine')
    expect(screen.getByText(/^Grace Hopper saved changes at /)).toBeVisible()
    await press(user, 'See what changed')
    expect(await screen.findByText('Water the plants')).toBeVisible()
    await press(user, 'Take theirs')
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Take their version?' })).getByRole('button', {
        name: 'Take theirs',
      }),
    )
    await waitFor(async () => expect(await field(/^Playbook name/)).toHaveValue('Fire'))
    expect(titles()).toContain('Water the plants')
    expect(screen.queryByText(/saved changes at/)).toBeNull()
  })

  test('keep what they typed when the other deletes it', async () => {
    const served = servePlaybooks(fire)
    const user = playbooksPage(EDIT)
    await retype(user, /^Playbook name/, 'Fire, mine')
    hearing('put', `/playbook/template/${fire.id}`, () => refused(404, 'This playbook does not exist.'))
    await save(user)
    const dialog = within(await screen.findByRole('dialog', { name: 'This playbook was deleted' }))
    await user.click(dialog.getByRole('button', { name: 'Save mine as a new playbook' }))
    await screen.findByText('Created playbook.')
    expect(served.created.bodies[0]).not.toHaveProperty('attachmentsFolderIdForDuplication')
  })
})

test('readers get no editor', async () => {
  servePlaybooks(fire)
  signedIn('BUSINESS_USER')
  open(EDIT)
  await screen.findByRole('region', { name: 'Contents' })
  expect(screen.queryByRole('textbox', { name: /^Playbook name/ })).toBeNull()
})
