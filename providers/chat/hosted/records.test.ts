import { expect, test } from 'vitest'

import { RoomNumbers } from './numbers.ts'
import { attachmentOf, emojiOfType, messageOf, roomOf, typeOfEmoji, wireAttachmentOf } from './records.ts'
import type { WireMessage } from './wire.ts'

const aMessage = (more: Partial<WireMessage> = {}): WireMessage => ({
  id: 'one',
  user: { id: 'ana' },
  text: 'Hello',
  richText: '<p><strong>Hello</strong></p>',
  created_at: '2026-01-01T00:00:00.000001Z',
  ...more,
})
const shown = (more?: Partial<WireMessage>) => messageOf(aMessage(more), 'room', new RoomNumbers())

test.each(['👍', '❤️', '👩🏽‍🚒', '🇨🇦', '#️⃣'])('%s survives as a type of reaction', (emoji) => {
  expect(typeOfEmoji(emoji)).toMatch(/^[0-9a-f-]+$/)
  expect(emojiOfType(typeOfEmoji(emoji))).toBe(emoji)
})
test.each(['like', '41', 'ffffffff', '110000', ''])(
  '%s is a reaction of another client, which is not shown',
  (type) => {
    expect(emojiOfType(type)).toBeUndefined()
  },
)

test('a message shows our rich text, and the plain text of another client as text', () => {
  expect(shown().text).toBe('<p><strong>Hello</strong></p>')
  const { richText: _, ...plain } = aMessage({ text: 'a <b>\nand more' })
  expect(messageOf(plain, 'room', new RoomNumbers()).text).toBe('<p>a &lt;b&gt;</p><p>and more</p>')
})

test('nothing is shown of a deleted message, whatever the service still has', () => {
  const file = wireAttachmentOf(
    attachmentOf({ url: 'https://files.example/1', title: 'a.png', size: 1, type: 'image/png', at: '' }).id,
  )
  const gone = shown({ deleted_at: '2026-01-01T00:00:01Z', attachments: [file] })
  expect([gone.text, gone.attachments, gone.deletedAt]).toEqual(['', [], '2026-01-01T00:00:01Z'])
  const { replyTo } = shown({ quoted_message: aMessage({ id: 'two', deleted_at: '2026-01-01T00:00:01Z' }) })
  expect(replyTo).toMatchObject({ id: 'two', text: '', deleted: true })
})

test('a quotation says what was written, without the names of files', () => {
  const { replyTo } = shown({ quoted_message: aMessage({ id: 'two', text: 'Hello\nplan.txt' }) })
  expect(replyTo).toMatchObject({ text: 'Hello', deleted: false })
})

test('a file keeps its name and its kind on the way to the service and back', () => {
  const sent = attachmentOf({
    url: 'https://files.example/1',
    title: 'Plan "B".final.PNG',
    size: 12,
    type: 'image/png',
    at: '2026-01-01T00:00:00.000Z',
  })
  expect(sent).toMatchObject({ type: 'image', name: 'Plan "B".final', extension: 'PNG' })
  expect(shown({ attachments: [wireAttachmentOf(sent.id)] }).attachments).toEqual([sent])
  // Other clients attach previews of links.
  expect(shown({ attachments: [{ type: 'video', title: 'A film' }] }).attachments).toEqual([])
})

test('reactions are grouped in the order in which they came', () => {
  const one = (emoji: string, user_id: string, second: number) => ({
    type: typeOfEmoji(emoji),
    user_id,
    created_at: `2026-01-01T00:00:0${second}Z`,
  })
  const latest_reactions = [one('👍', 'eve', 3), one('🎉', 'ben', 2), one('👍', 'ana', 1)]
  expect(shown({ latest_reactions }).reactions).toEqual([
    { emoji: '👍', userIds: ['ana', 'eve'] },
    { emoji: '🎉', userIds: ['ben'] },
  ])
})

test('a room knows its owner, its moderators, what is unread and what others have read', () => {
  const channel = {
    id: 'r',
    cid: 'team:r',
    type: 'team',
    kind: 'WAR_ROOM',
    name: 'Room',
    owner: 'ana',
    created_at: '2026-01-01T00:00:00Z',
  } as const
  const messages = [1, 2, 3].map((second) =>
    aMessage({ id: `m${second}`, created_at: `2026-01-01T00:00:0${second}Z` }),
  )
  const read = [
    { user: { id: 'ben' }, last_read: '2026-01-01T00:00:01Z', unread_messages: 2 },
    {
      user: { id: 'ana' },
      last_read: '2026-01-01T00:00:03Z',
      last_read_message_id: 'm3',
      unread_messages: 0,
    },
  ]
  const membership = { user_id: 'ben', channel_role: 'channel_moderator' }
  const numbers = new RoomNumbers()
  const room = roomOf({ channel, messages, read, membership }, 'ben', numbers)
  expect(room).toMatchObject({ kind: 'WAR_ROOM', isWarRoom: true, name: 'Room', sequence: numbers.last })
  expect(room.membership).toMatchObject({
    role: 'channel_moderator',
    unread: 2,
    readSequence: numbers.numberOf('m1'),
  })
  expect(room.othersReadSequence).toBe(numbers.numberOf('m3'))
  expect(roomOf({ channel, messages, read }, 'ana', numbers).membership.role).toBe('owner')
})
