import { describe, expect, it, test } from 'vitest'

import { directTitle, isAtLimit, mentionedEmails, messageCan, roomCan } from './rules.ts'
import { MESSAGE_MAX, type RoomKind, type RoomRole } from './schema.ts'

const room = (kind: RoomKind, isHeadquarters = false) => ({ kind, isHeadquarters })
const HEADQUARTERS = room('WAR_ROOM', true)
const me = (role: RoomRole) => ({ userId: 'me', role })
const other = (role: RoomRole, active = true) => ({ userId: 'other', role, active })
const MARKS = { markAsPrivilegedEnabled: true, statementOfPrivilege: 'Privileged.' }

describe('in a war room', () => {
  it.each([
    ['owner', true],
    ['channel_admin', true],
    ['channel_moderator', true],
    ['member', false],
  ] as const)('as %s', (role, may) => {
    const here = room('WAR_ROOM')
    expect(roomCan.addMembers(here, me(role))).toBe(may)
    expect(roomCan.edit(here, me(role))).toBe(may)
    expect(roomCan.remove(here, me(role), other('channel_admin'))).toBe(may)
    expect(roomCan.changeRole(here, me(role), other('member'), 'channel_moderator')).toBe(may)
    expect(roomCan.markPrivileged(here, me(role), MARKS)).toBe(may)
    expect(roomCan.export(here, me(role), false)).toBe(may)
    expect(roomCan.pin(here, me(role), false)).toBe(may)
    expect(roomCan.makeWarRoom(room('BREAKOUT_ROOM'), me(role))).toBe(may)
    expect(roomCan.delete(here, me(role))).toBe(role === 'owner')
  })
})

test('Headquarters is managed by nobody', () => {
  const owner = me('owner')
  expect(roomCan.addMembers(HEADQUARTERS, owner)).toBe(false)
  expect(roomCan.edit(HEADQUARTERS, owner)).toBe(false)
  expect(roomCan.remove(HEADQUARTERS, owner, other('member'))).toBe(false)
  expect(roomCan.changeRole(HEADQUARTERS, owner, other('member'), 'member')).toBe(false)
  expect(roomCan.markPrivileged(HEADQUARTERS, owner, MARKS)).toBe(false)
  expect(roomCan.delete(HEADQUARTERS, owner)).toBe(false)
  expect(roomCan.leave(HEADQUARTERS, me('member'), [])).toBe(false)
  expect([true, false].map((isChatAdmin) => roomCan.pin(HEADQUARTERS, me('member'), isChatAdmin))).toEqual([
    true,
    false,
  ])
  expect(roomCan.export(HEADQUARTERS, me('member'), true)).toBe(true)
})

test('neither the owner nor oneself is removed or given another role, and no archived person is promoted', () => {
  const here = room('WAR_ROOM')
  const admin = me('channel_admin')
  expect(roomCan.remove(here, admin, other('owner'))).toBe(false)
  expect(roomCan.remove(here, admin, { userId: 'me', role: 'channel_admin' })).toBe(false)
  expect(roomCan.changeRole(here, admin, other('owner'), 'member')).toBe(false)
  expect(
    roomCan.changeRole(here, admin, { userId: 'me', role: 'channel_admin', active: true }, 'member'),
  ).toBe(false)
  expect(roomCan.changeRole(here, admin, other('member'), 'owner')).toBe(false)
  expect(roomCan.changeRole(here, admin, other('member', false), 'channel_admin')).toBe(false)
  expect(roomCan.changeRole(here, admin, other('channel_admin', false), 'member')).toBe(true)
})

test('a manager leaves only where another active one stays', () => {
  const here = room('WAR_ROOM')
  expect(roomCan.leave(here, me('member'), [])).toBe(true)
  expect(roomCan.leave(here, me('owner'), [{ userId: 'me', role: 'owner', active: true }])).toBe(false)
  expect(roomCan.leave(here, me('owner'), [other('channel_moderator', false)])).toBe(false)
  expect(roomCan.leave(here, me('owner'), [other('channel_moderator')])).toBe(true)
})

test('the mark of privilege needs a war room, the setting and a statement', () => {
  const owner = me('owner')
  expect(roomCan.markPrivileged(room('BREAKOUT_ROOM'), owner, MARKS)).toBe(false)
  expect(roomCan.markPrivileged(room('WAR_ROOM'), owner, { ...MARKS, markAsPrivilegedEnabled: false })).toBe(
    false,
  )
  expect(roomCan.markPrivileged(room('WAR_ROOM'), owner, { ...MARKS, statementOfPrivilege: ' ' })).toBe(false)
})

test('direct messages have no name to edit, are pinned in by everybody, and hidden while empty', () => {
  const direct = room('DIRECT_MESSAGE')
  expect(roomCan.edit(direct, me('owner'))).toBe(false)
  expect(roomCan.makeWarRoom(direct, me('owner'))).toBe(false)
  expect(roomCan.pin(direct, me('member'), false)).toBe(true)
  expect([0, 1].map((sequence) => roomCan.hide({ ...direct, sequence }))).toEqual([true, false])
  expect(roomCan.hide({ ...room('WAR_ROOM'), sequence: 0 })).toBe(false)
})

describe('a message', () => {
  const created_at = '2026-05-01T10:00:00.000Z'
  const message = { user: 'me', created_at, isCall: false, deletedAt: null, privilegedStatus: null }
  const at = (time: string) => ({ now: Date.parse(`2026-05-01T${time}.000Z`), minutes: 15 })

  it.each([
    ['own, in time', message, '10:14:59', true],
    ['own, too late', message, '10:15:00', false],
    ["somebody else's", { ...message, user: 'other' }, '10:00:01', false],
    ['a call', { ...message, isCall: true }, '10:00:01', false],
    ['deleted', { ...message, deletedAt: created_at }, '10:00:01', false],
    ['a mark of privilege', { ...message, privilegedStatus: {} }, '10:00:01', false],
  ])('%s', (_, one, time, may) => expect(messageCan.edit(one, 'me', at(time))).toBe(may))

  it('is deleted by its sender at any time', () => {
    expect(messageCan.remove(message, 'me')).toBe(true)
    expect(messageCan.remove(message, 'other')).toBe(false)
  })
})

test('a text is at the limit with its last character', () => {
  expect([MESSAGE_MAX - 1, MESSAGE_MAX].map((n) => isAtLimit('x'.repeat(n)))).toEqual([false, true])
})

test.each([
  ['@ana@acme.example', ['ana@acme.example']],
  ['(@ana@acme.example), @Ben@Acme.example.', ['ana@acme.example', 'ben@acme.example']],
  ['mail ana@acme.example or x@ana@acme.example', []],
  ['@ana', []],
  [`@${'a'.repeat(100_000)}@acme.example`, []],
])('%.40s mentions %j', (text, emails) => expect(mentionedEmails(text)).toEqual(emails))

test('the title of a direct message names some and counts the others', () => {
  expect(directTitle(['Ana', 'Ben'], 4)).toBe('Ana, Ben')
  expect(directTitle(['Ana', 'Ben', 'Cleo', 'Dan', 'Eve'], 4)).toBe('Ana, Ben, Cleo, Dan +1')
})
