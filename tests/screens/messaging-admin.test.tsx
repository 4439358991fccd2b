import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Channel, ChannelMember, MemberChanges } from '#contract/channels/schema.ts'
import { MEMBERS_AT_ONCE, type RoomRole } from '#contract/chat/schema.ts'
import { type DirectoryUser, NamedPerson } from '#contract/users/schema.ts'
import { answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'
import '#tests/support/client-lists.ts'
import { peopleAre } from '#tests/support/client-people.ts'
import { aListedUser } from '#tests/support/client-users.ts'

const person = (firstName: string) =>
  aListedUser({ firstName, lastName: 'Silva', email: `${firstName.toLowerCase()}@demo.example` })
const ana = person('Ana')
const bo = person('Bo')
const cy = person('Cy')

function aChannel(name: string, changes: Partial<Channel> = {}): Channel {
  const id = crypto.randomUUID()
  return {
    cid: `team:${id}`,
    type: 'team',
    id,
    name,
    description: null,
    isWarRoom: true,
    isHeadquarters: false,
    privilegedStatus: null,
    member_count: 2,
    last_message_at: null,
    updated_at: '2026-01-01T00:00:00.000Z',
    created_at: '2026-01-01T00:00:00.000Z',
    incidentId: null,
    ...changes,
  }
}
const headquarters = aChannel('Headquarters', { isHeadquarters: true })
const alpha = aChannel('Alpha', { description: 'First' })
const breakout = aChannel('Flood', { isWarRoom: false })
const several = (count: number) =>
  Array.from({ length: count }, (_, index) => aChannel(`Room ${String(index + 1).padStart(2, '0')}`))

/** Scripts the pages of channels, and records the queries. */
function serveChannels(channels: () => readonly Channel[]) {
  const asked: { limit: number; offset: number; sort: readonly unknown[]; memberLimit: number }[] = []
  server.use(
    http.post(`${API}/streamadmin/channels`, async ({ request }) => {
      const query = (await request.json()) as (typeof asked)[number]
      asked.push(query)
      const page = channels().slice(query.offset, query.offset + query.limit)
      return HttpResponse.json({
        channels: page.map((channel) => ({ channel, members: [] })),
        total: channels().length,
      })
    }),
  )
  return asked
}
const aMember = (user: DirectoryUser, role: RoomRole): ChannelMember => ({
  user_id: user.uuid,
  channel_role: role,
  created_at: '2026-01-01T00:00:00.000Z',
  user: NamedPerson.parse(user),
})
/** Scripts the members of a channel, and records their changes. */
function serveMembers(channel: Channel, members: ChannelMember[]) {
  const changes: MemberChanges[] = []
  const find = (id: string) => members.find(({ user_id }) => user_id === id)!
  server.use(
    http.post(`${API}/streamadmin/members`, () => HttpResponse.json({ members })),
    http.post(`${API}/streamadmin/channels/team/${channel.id}`, async ({ request }) => {
      const body = (await request.json()) as MemberChanges
      changes.push(body)
      for (const id of body.remove_members ?? []) members.splice(members.indexOf(find(id)), 1)
      for (const id of body.add_moderators ?? []) find(id).channel_role = 'channel_moderator'
      for (const id of body.demote_moderators ?? []) find(id).channel_role = 'member'
      for (const id of body.add_members ?? [])
        members.push(
          aMember(
            [ana, bo, cy].find(({ uuid }) => uuid === id)!,
            'member',
          ),
        )
      return HttpResponse.json({ channel, members })
    }),
  )
  return changes
}

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) })
async function openAction(user: ReturnType<typeof open>, name: string, action: string) {
  const row = within(await rowOf(name))
  await user.click(await row.findByRole('button', { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: action }))
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
beforeEach(() => {
  signedIn()
  peopleAre([ana, bo, cy])
})

describe('the table', () => {
  test('lists war rooms and breakout rooms; Headquarters can be neither selected nor managed', async () => {
    serveChannels(() => [headquarters, alpha, breakout])
    const user = open('/messaging-admin')
    expect(within(await rowOf('Alpha')).getByText('War Room')).toBeVisible()
    expect(within(await rowOf('Flood')).getByText('Breakout Room')).toBeVisible()
    const row = await rowOf('Headquarters')
    expect(within(row).queryByRole('button')).toBeNull()
    await user.click(within(row).getByText('Headquarters'))
    expect(row).not.toHaveAttribute('aria-selected', 'true')
    await user.click(within(await rowOf('Flood')).getByText('Breakout Room'))
    expect(await screen.findByRole('region', { name: 'Flood selected' })).toBeVisible()
  })

  test('asks for a page of 30 at a time, in the order of a column, without members', async () => {
    const asked = serveChannels(() => several(45))
    const user = open('/messaging-admin')
    expect(await screen.findByText('1–30 of 45')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Go to next page' }))
    expect(await screen.findByText('31–45 of 45')).toBeVisible()
    expect(await rowOf('Room 45')).toBeVisible()
    expect(screen.queryByRole('row', { name: /^Room 30/ })).toBeNull()
    await user.click(screen.getByRole('columnheader', { name: 'Members' }))
    await waitFor(() => expect(asked).toHaveLength(3))
    const page = { filter_conditions: {}, limit: 30, memberLimit: 0 }
    const byName = [{ field: 'name', direction: 1 }]
    expect(asked).toEqual([
      { ...page, offset: 0, sort: byName },
      { ...page, offset: 30, sort: byName },
      { ...page, offset: 0, sort: [{ field: 'member_count', direction: expect.any(Number) }] },
    ])
  })

  test.each([
    [7, false],
    [8, true],
  ])('of %i rows has a footer: %s', async (count, hasFooter) => {
    serveChannels(() => several(count))
    open('/messaging-admin')
    await rowOf(`Room 0${count}`)
    expect(screen.queryAllByText(`1–${count} of ${count}`)).toHaveLength(hasFooter ? 1 : 0)
  })

  test('has a refresh that rests for sixty seconds after it was used', async () => {
    const asked = serveChannels(() => [alpha])
    const user = open('/messaging-admin')
    await rowOf('Alpha')
    const refresh = screen.getByRole('button', { name: 'Refresh' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const end = Date.now() + 60_000
    fireEvent.click(refresh)
    expect(refresh).toBeDisabled()
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    act(() => void vi.advanceTimersByTime(end - 1 - Date.now()))
    expect(refresh).toBeDisabled()
    act(() => void vi.advanceTimersByTime(1))
    expect(refresh).toBeEnabled()
    vi.useRealTimers()
    await user.click(refresh)
    await waitFor(() => expect(asked).toHaveLength(3))
  })
})

describe('a channel', () => {
  test('is edited, and kept in the form when that fails', async () => {
    const stored = { ...alpha }
    serveChannels(() => [stored])
    const bodies: unknown[] = []
    const user = open('/messaging-admin')
    answer('patch', `/streamadmin/channels/team/${alpha.id}`, aProblem('Crash'), 500)
    await openAction(user, 'Alpha', 'Edit')
    const form = await dialog('Edit Channel')
    const name = await form.findByRole('textbox', { name: /^Name/ })
    await user.clear(name)
    await user.type(name, 'ab')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText('The name must be at least 3 characters long.')).toBeVisible()
    await user.type(name, 'c')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText('Something went wrong.')).toBeVisible()
    server.use(
      http.patch(`${API}/streamadmin/channels/team/${alpha.id}`, async ({ request }) => {
        const body = (await request.json()) as { set: object }
        bodies.push(body)
        Object.assign(stored, body.set)
        return HttpResponse.json({ channel: stored, members: [] })
      }),
    )
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Channel updated successfully.')).toBeVisible()
    expect(bodies).toEqual([{ set: { name: 'abc', description: 'First' } }])
    expect(await rowOf('abc')).toBeVisible()
  })

  test('is deleted after a question; a failure says which one', async () => {
    const stored = [alpha, breakout]
    serveChannels(() => stored)
    answer('delete', `/streamadmin/channels/team/${alpha.id}`, aProblem('Crash'), 500)
    const user = open('/messaging-admin')
    await openAction(user, 'Alpha', 'Delete')
    await user.click((await dialog('Delete channel?')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Alpha could not be deleted')).toBeVisible()
    server.use(
      http.delete(`${API}/streamadmin/channels/team/${alpha.id}`, () => {
        stored.shift()
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await openAction(user, 'Alpha', 'Delete')
    await user.click((await dialog('Delete channel?')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Alpha has been deleted.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('row', { name: /^Alpha/ })).toBeNull())
  })

  test('has its members promoted, demoted, removed and added', async () => {
    serveChannels(() => [alpha])
    const changes = serveMembers(alpha, [aMember(ana, 'owner'), aMember(bo, 'member')])
    const user = open('/messaging-admin')
    await openAction(user, 'Alpha', 'Manage Members')
    const members = await dialog('Members of Alpha')
    expect(await members.findByText('Owner')).toBeVisible()
    expect(members.queryByRole('button', { name: 'Remove Ana Silva' })).toBeNull()
    await user.click(members.getByRole('button', { name: 'Make Bo Silva a moderator' }))
    await user.click(await members.findByRole('button', { name: 'Remove Bo Silva as a moderator' }))
    expect(await members.findByRole('button', { name: 'Make Bo Silva a moderator' })).toBeEnabled()
    await user.click(members.getByRole('button', { name: 'Remove Bo Silva' }))
    await waitFor(() => expect(members.queryByText('Bo Silva')).toBeNull())
    await user.click(members.getByRole('combobox', { name: 'Add people by name, email or department' }))
    await user.click(await screen.findByRole('option', { name: /Cy Silva/ }))
    await user.click(members.getByRole('button', { name: 'Add 1 person' }))
    expect(await members.findByRole('button', { name: 'Remove Cy Silva' })).toBeVisible()
    expect(changes).toEqual([
      { add_moderators: [bo.uuid] },
      { demote_moderators: [bo.uuid] },
      { remove_members: [bo.uuid] },
      { add_members: [cy.uuid] },
    ])
  })

  test('takes at most a hundred people at once', async () => {
    const many = Array.from({ length: MEMBERS_AT_ONCE + 1 }, (_, index) => person(`P${index}`))
    serveChannels(() => [alpha])
    serveMembers(alpha, [])
    server.use(
      http.get(`${API}/authentication/users/search`, () =>
        HttpResponse.json({ users: many.map((one) => NamedPerson.parse(one)), hasExternals: false }),
      ),
    )
    const user = open('/messaging-admin')
    await openAction(user, 'Alpha', 'Manage Members')
    const members = await dialog('Members of Alpha')
    const box = members.getByRole('combobox', { name: 'Add people by name, email or department' })
    await user.click(box)
    await screen.findByRole('option', { name: /P0 Silva/ })
    for (let count = 0; count <= MEMBERS_AT_ONCE; count++)
      // oxlint-disable-next-line no-await-in-loop -- one press after the other
      await user.keyboard('{ArrowDown}{Enter}')
    expect(await members.findByText('A maximum of 100 team members can be added at once.')).toBeVisible()
    expect(members.getByRole('button', { name: 'Add 101 people' })).toBeDisabled()
  })
})
