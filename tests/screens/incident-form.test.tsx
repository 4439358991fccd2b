import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { NO_PROPOSAL, NO_START } from '#contract/playbooks/schema.ts'
import { describe, expect, test } from 'vitest'

import {
  aDashboard,
  anIncident,
  answer,
  open,
  sessionData,
  pageReloads,
  sessionEnds,
  signedIn,
} from '#tests/support/client.tsx'
import {
  at,
  aWhole,
  feedOf,
  fill,
  GRACE,
  hearing,
  person,
  preparePages,
  refused,
  resolved,
  serving,
  uuid,
} from '#tests/support/client-incidents.ts'
import { peopleAre } from '#tests/support/client-people.ts'

preparePages()

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

  test('offers groups only to those who may read them', async () => {
    const { permissions } = sessionData('USER')
    signedIn(
      'USER',
      permissions.filter((permission) => permission !== 'groups-read-only'),
    )
    const user = open('/incidents/create')
    await user.click(await screen.findByRole('switch', { name: /Only selected people/ }))
    expect(await screen.findByRole('combobox', { name: 'People' })).toBeVisible()
    expect(screen.queryByRole('combobox', { name: 'Groups' })).toBeNull()
  })

  test('offers people from outside once they are asked for', async () => {
    signedIn('USER')
    const counsel = { uuid: uuid(910), email: 'counsel@partner.example', type: 'EXTERNAL' } as const
    const names = { firstName: 'Cora', lastName: 'Counsel' }
    peopleAre([GRACE, person({ ...counsel, ...names })])
    const user = open('/incidents/create')
    await user.click(await screen.findByRole('switch', { name: /Only selected people/ }))
    await user.click(await screen.findByRole('combobox', { name: 'People' }))
    const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
    await screen.findByRole('option', { name: /Grace Hopper/ })
    expect(offered()).toHaveLength(1)
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('switch', { name: 'Show external people' }))
    await user.click(screen.getByRole('combobox', { name: 'People' }))
    await user.click(await screen.findByRole('option', { name: /Cora Counsel/ }))
    expect(await screen.findByText('Cora Counsel (External)')).toBeVisible()
  })

  test('finds people on the server, and keeps what was typed', async () => {
    signedIn('USER')
    const { searches } = peopleAre([
      GRACE,
      person({ uuid: uuid(911), firstName: 'Ben', email: 'ben@demo.example' }),
    ])
    const user = open('/incidents/create')
    await user.click(await screen.findByRole('switch', { name: /Only selected people/ }))
    const box = await screen.findByRole('combobox', { name: 'People' })
    await user.click(box)
    await screen.findByRole('option', { name: /Ben/ })
    await user.type(box, 'hopp')
    await waitFor(() => expect(searches.at(-1)?.get('searchString')).toBe('hopp'))
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    expect(box).toHaveValue('hopp')
    await user.click(screen.getByRole('option', { name: /Grace Hopper/ }))
    expect(await screen.findByRole('button', { name: 'Grace Hopper' })).toBeVisible()
  })

  test('has room for no more first tasks than fit, and for one form at a time', async () => {
    signedIn('USER')
    answer('get', '/config', { maxActivitiesPerIncident: 2 })
    const user = open('/incidents/create')
    await title()
    const section = within(screen.getByRole('region', { name: 'First tasks' }))
    const add = () => section.getByRole('button', { name: 'Add task' })
    for (const name of ['One', 'Two']) {
      await user.click(add())
      await fill(user, section.getByRole('textbox', { name: 'Title' }), name)
      await fill(user, section.getByRole('textbox', { name: 'Description' }), `Do ${name}`)
      await user.click(add())
      await section.findByText(name)
      if (name === 'Two') break
      await user.click(section.getByRole('button', { name: 'Edit “One”' }))
      await user.hover(add().parentElement!)
      expect(await screen.findByText('You cannot add an item right now.')).toBeInTheDocument()
      await user.click(section.getByRole('button', { name: 'Cancel' }))
    }
    expect(add()).toBeDisabled()
    await user.hover(add().parentElement!)
    expect(
      await screen.findByText('The number of tasks/updates has reached the maximum of 2.'),
    ).toBeInTheDocument()
  })

  test('creates an incident with its first tasks for selected people and groups', async () => {
    signedIn('USER')
    serving(aWhole())
    answer('get', '/group', [
      { id: uuid(70), name: 'Harbour crew', canAccess: false, userCount: 1 },
      { id: uuid(71), name: 'Legal', canAccess: false, userCount: 0 },
    ])
    const asked = hearing('post', '/incident/withActivities', () => aWhole(), 201)
    const user = open('/incidents/create')
    await fill(user, await title(), 'Power cut')
    await user.click(screen.getByRole('button', { name: 'Critical' }))
    await fill(user, screen.getByRole('textbox', { name: 'Estimated time to recovery' }), '3')
    await user.click(screen.getByRole('switch', { name: /Only selected people/ }))
    await user.click(submit('Create Incident'))
    expect(await screen.findByText('Please choose at least one person or group.')).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'People' }))
    const people = await screen.findByRole('listbox')
    expect(within(people).queryByText('Berta Board')).toBeNull()
    expect(within(people).queryByText('Gone Away')).toBeNull()
    await user.click(within(people).getByText('Grace Hopper'))
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('combobox', { name: 'Groups' }))
    await user.click(await screen.findByRole('option', { name: /Harbour crew.*1 member/s }))
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
      targetedGroupIds: [uuid(70)],
      activityCreateRequests: [
        { type: 'TASK', title: 'Two', description: 'Do Two', priority: 'MEDIUM', assignedTo: null },
        { type: 'TASK', title: 'One' },
      ],
    })
  })

  test('declares one like another, with what the form shows and nothing else', async () => {
    signedIn('USER')
    const flood = aWhole({
      title: 'Water in the basement',
      severity: 'HIGH',
      isTargeted: true,
      targetedUsers: [GRACE.email],
      estimatedTimeToRecovery: 5,
      estimatedTimeToRecoveryTimeUnit: 'HOURS',
    })
    serving(flood)
    const asked = hearing('post', '/incident', () => anIncident(), 201)
    const user = open(`/incidents/create?like=${flood.id}`)
    await waitFor(async () => expect(await title()).toHaveValue('Water in the basement'))
    await user.click(submit('Create Incident'))
    await waitFor(() => expect(asked.bodies).toHaveLength(1))
    expect(asked.bodies[0]).toMatchObject({
      title: 'Water in the basement',
      severity: 'HIGH',
      isTabletop: false,
      estimatedTimeToRecovery: null,
      targetedUsers: [GRACE.email],
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

  test('asks for a breakout room, for those who chat', async () => {
    const { permissions } = signedIn('USER')
    serving(aWhole())
    const asked = hearing('post', '/incident', () => aWhole(), 201)
    const user = open('/incidents/create')
    const room = await screen.findByRole('switch', { name: /^Create a breakout room/ })
    expect(room).not.toBeChecked()
    await user.click(room)
    await fill(user, await title(), 'Power cut')
    await user.click(submit('Create Incident'))
    await waitFor(() => expect(asked.bodies).toMatchObject([{ createBreakoutRoom: true }]))
    await at(`/incidents/${uuid(1)}`)
    expect(screen.queryByRole('link', { name: /Room/ })).toBeNull()
    cleanup()
    signedIn(
      'USER',
      permissions.filter((permission) => permission !== 'chats'),
    )
    open('/incidents/create')
    await title()
    expect(screen.queryByRole('switch', { name: /breakout/ })).toBeNull()
  })

  describe('with playbooks', () => {
    const task = (n: number, changes: object = {}) => ({
      id: uuid(300 + n),
      type: 'TASK' as const,
      title: `Step ${n}`,
      description: `Do ${n}`,
      priority: 'HIGH' as const,
      idealTitleToExecute: null,
      expectedTimeToComplete: 30,
      attachedFileIds: [],
      level: 1,
      condition: null,
      index: n,
      ...changes,
    })
    const fire = {
      id: uuid(200),
      name: 'Fire',
      description: 'Everybody <out>.\nCount them.',
      attachmentsFolderId: uuid(210),
      version: 3,
      activitiesCount: 3,
      proposal: NO_PROPOSAL,
      start: NO_START,
      activities: [
        task(3, { attachedFileIds: [uuid(220)] }),
        task(1, { type: 'HEADING', title: 'At once' }),
        task(2),
      ],
    }
    const flood = { ...fire, id: uuid(201), name: 'Flood', description: 'Pumps.', activities: [task(1)] }
    const servingPlaybooks = () => {
      const found = hearing('get', '/playbook/templates', ({ url }) => {
        const { q = '' } = JSON.parse(url.searchParams.get('filter') ?? '{}') as { q?: string }
        return [fire, flood]
          .filter(({ name }) => name.includes(q))
          .map((one) => ({ ...one, activities: undefined }))
      })
      for (const one of [fire, flood]) hearing('get', `/playbook/template/${one.id}`, () => one)
      return found
    }
    const choose = async (user: ReturnType<typeof open>, name: string) => {
      await user.click(await screen.findByRole('combobox', { name: 'Playbook' }))
      await user.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }))
    }

    test('begins with what one says', async () => {
      servingPlaybooks()
      signedIn('USER')
      serving(aWhole())
      const asked = hearing('post', '/incident/withActivities', () => aWhole(), 201)
      const user = open('/incidents/create')
      await choose(user, 'Flood')
      expect(await screen.findByText('Pumps.')).toBeVisible()
      // Nothing was typed meanwhile, so no question comes.
      await choose(user, 'Fire')
      expect(await screen.findByText('Everybody <out>.')).toBeVisible()
      const drafts = within(screen.getByRole('region', { name: 'First tasks' }))
      expect(drafts.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 6))).toEqual([
        'Step 2',
        'Step 3',
      ])
      await user.click(drafts.getByRole('button', { name: 'Edit “Step 3”' }))
      await fill(user, drafts.getByRole('textbox', { name: 'Title' }), ', soon')
      await user.click(drafts.getByRole('button', { name: 'Save' }))
      await choose(user, 'Flood')
      const dialog = within(await screen.findByRole('dialog', { name: 'Use this playbook?' }))
      await user.click(dialog.getByRole('button', { name: 'Cancel' }))
      await fill(user, await title(), 'Fire in hall 2')
      await user.click(submit('Create Incident'))
      await waitFor(() => expect(asked.bodies).toHaveLength(1))
      expect(asked.bodies[0]).toMatchObject({
        fullText: '<p>Everybody &lt;out&gt;.</p><p>Count them.</p>',
        playbookId: fire.id,
        playbookVersion: 3,
        attachmentsFolderIdForDuplication: fire.attachmentsFolderId,
        activityCreateRequests: [
          { title: 'Step 2', priority: 'HIGH', expectedTimeToComplete: 30, section: 'At once' },
          { title: 'Step 3, soon', attachedFileIds: [uuid(220)] },
        ],
      })
    })

    test.each([
      ['the session ended', sessionEnds, 'you were signed out'],
      ['a reload', pageReloads, 'the page was reloaded'],
    ])(
      'is there again after %s, with its playbook, its room and a half-written task',
      async (_, leave, words) => {
        servingPlaybooks()
        signedIn('USER')
        const user = open('/incidents/create')
        await choose(user, 'Flood')
        await user.click(screen.getByRole('switch', { name: /breakout/ }))
        await user.click(screen.getByRole('button', { name: 'Add task' }))
        const drafts = () => within(screen.getByRole('region', { name: 'First tasks' }))
        await fill(user, drafts().getByRole('textbox', { name: 'Title' }), 'Sandbags')
        await leave()
        signedIn('USER')
        serving(aWhole())
        const asked = hearing('post', '/incident/withActivities', () => aWhole(), 201)
        const again = open('/incidents/create')
        const back = new RegExp(`^What you typed before ${words} is back`)
        expect(await screen.findAllByText(back)).toHaveLength(1)
        await waitFor(() => expect(screen.getByRole('combobox', { name: 'Playbook' })).toHaveValue('Flood'))
        expect(screen.getByRole('switch', { name: /breakout/ })).toBeChecked()
        expect(drafts().getByText('Step 1')).toBeVisible()
        expect(drafts().getByRole('textbox', { name: 'Title' })).toHaveValue('Sandbags')
        await fill(again, drafts().getByRole('textbox', { name: 'Description' }), 'At the gate')
        await again.click(drafts().getByRole('button', { name: 'Add task' }))
        await fill(again, await title(), 'Flood')
        await again.click(submit('Create Incident'))
        await waitFor(() => expect(asked.bodies).toHaveLength(1))
        expect(asked.bodies[0]).toMatchObject({
          fullText: '<p>Pumps.</p>',
          createBreakoutRoom: true,
          attachmentsFolderIdForDuplication: flood.attachmentsFolderId,
          activityCreateRequests: [{ title: 'Step 1' }, { title: 'Sandbags', description: 'At the gate' }],
        })
      },
    )

    test('is found by what one types, among more than a page', async () => {
      const found = servingPlaybooks()
      signedIn('USER')
      const user = open('/incidents/create')
      await user.type(await screen.findByRole('combobox', { name: 'Playbook' }), 'Flo')
      await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
      expect(screen.getByRole('option', { name: /^Flood/ })).toBeVisible()
      expect(found.urls.at(-1)!.searchParams.get('range')).toBe('[0,19]')
    })

    test('is taken from the link that leads to the form', async () => {
      servingPlaybooks()
      signedIn('USER')
      open(`/incidents/create?playbook=${flood.id}`)
      expect(await screen.findByText('Pumps.')).toBeVisible()
      expect(screen.getByRole('combobox', { name: 'Playbook' })).toHaveValue('Flood')
    })

    test('says when it cannot be opened, and keeps what was typed', async () => {
      servingPlaybooks()
      hearing('get', `/playbook/template/${flood.id}`, () => refused(404, 'This playbook does not exist.'))
      signedIn('USER')
      const user = open('/incidents/create')
      await fill(user, await title(), 'Flood')
      await choose(user, 'Flood')
      expect(await screen.findByText('This playbook does not exist.')).toBeVisible()
      expect(await title()).toHaveValue('Flood')
    })

    test('is not offered to those who may not read playbooks', async () => {
      const { permissions } = sessionData('USER')
      signedIn(
        'USER',
        permissions.filter((permission) => permission !== 'playbook-read-only'),
      )
      open('/incidents/create')
      await title()
      expect(screen.queryByRole('combobox', { name: 'Playbook' })).toBeNull()
    })
  })

  test('asks before what is typed is left behind', async () => {
    signedIn('USER')
    feedOf([])
    const user = open('/incidents/create')
    await title()
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
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
    expect(screen.getByRole('button', { name: 'High' })).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('radio', { name: /^Incident/ })).toBeChecked()
    expect(await screen.findByText('tills')).toBeVisible()
    state.incident = aWhole({ title: 'Ransomware everywhere', severity: 'CRITICAL', version: 2 })
    await user.clear(await title())
    await fill(user, await title(), 'Mine')
    await user.click(screen.getByRole('button', { name: 'Low' }))
    await user.click(submit('Save'))
    expect(await screen.findByText(/Grace Hopper changed this meanwhile/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Load latest version' }))
    expect(await screen.findByText('Ransomware everywhere')).toBeVisible()
    expect(screen.getByText('Critical', { selector: 'p, div, span' })).toBeVisible()
    expect(await title()).toHaveValue('Mine')
    expect(screen.getByRole('button', { name: 'Low' })).toHaveAttribute('aria-pressed', 'true')
    await user.click(submit('Save'))
    await at(`/incidents/${uuid(1)}`)
    expect(asked.bodies.at(-1)).toMatchObject({ title: 'Mine', severity: 'LOW', version: 2 })
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

  test('leads back to the incident', async () => {
    signedIn('USER')
    serving(aWhole())
    const user = open(`/incidents/${uuid(1)}/edit`)
    await title()
    await user.click(screen.getByRole('link', { name: 'Cancel' }))
    await at(`/incidents/${uuid(1)}`)
  })

  test('leads to the list when the incident is resolved', async () => {
    signedIn('USER')
    feedOf([])
    serving(aWhole(resolved))
    open(`/incidents/${uuid(1)}/edit`)
    await at('/incidents')
  })
})
