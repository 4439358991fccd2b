import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { jwtVerify } from 'jose'
import { type WebSocket, WebSocketServer } from 'ws'

/** Key and secret of an organisation's account at the service. */
export const SERVICE_KEY = 'a-public-key'
export const SERVICE_SECRET = 'not-the-real-secret-of-the-service'

type Json = Record<string, any>
export interface Channel {
  readonly cid: string
  data: Json
  readonly members: Map<string, { channel_role: string; created_at: string }>
  messages: Json[]
  readonly reads: Map<string, { last_read: string; last_read_message_id?: string }>
  readonly hiddenFor: Set<string>
}
interface Call {
  readonly method: string
  readonly path: string
  readonly body: Json
  /** Id of a person; null for the organisation's server. */
  readonly userId: string | null
}
class Refused extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

let microseconds = 0
/** The service's times have six fractional digits and are unique. */
const now = (): string =>
  new Date()
    .toISOString()
    .replace('Z', `${String((microseconds = (microseconds + 1) % 1_000)).padStart(3, '0')}Z`)
const words = (text: string) => text.toLowerCase().split(/\W+/).filter(Boolean)

/**
 * The part of the hosted chat service that the product uses, over HTTP and a socket on this machine, for any
 * number of keys.
 */
export class FakeChatService {
  readonly users = new Map<string, Json>()
  readonly channels = new Map<string, Channel>()
  /** Requests as methods and paths. */
  readonly calls: string[] = []
  /** Answers every call with an error while true. */
  isDown = false
  readonly #files = new Map<string, { type: string; bytes: Buffer }>()
  readonly #sockets = new Map<WebSocket, string>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  #url = ''

  /** Starts the service. Returns the setting for a product. */
  async start(): Promise<{ STREAM_BASE_URL: string }> {
    const sockets = new WebSocketServer({ server: this.#server, path: '/connect' })
    sockets.on('connection', (socket, request) => void this.#connect(socket, request))
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return { STREAM_BASE_URL: this.#url }
  }
  stop(): void {
    this.dropSockets()
    this.#server.closeAllConnections()
    this.#server.close()
  }
  /** Breaks all sockets, like a network failure. */
  dropSockets(): void {
    for (const socket of this.#sockets.keys()) socket.terminate()
  }
  channelNamed = (name: string): Channel | undefined =>
    [...this.channels.values()].find(({ data }) => data['name'] === name)

  /** Posts a message as a member of a channel, as if from another browser. Returns the message. */
  postAs(channel: Channel, userId: string, text: string): Json {
    const id = crypto.randomUUID()
    return this.#post(channel, { id, text, richText: `<p>${text}</p>` }, userId)['message']
  }

  async #identify(token: string): Promise<string | null> {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(SERVICE_SECRET))
      return payload['server'] === true ? null : String(payload['user_id'])
    } catch {
      throw new Refused(401, 5, 'The token is not valid.')
    }
  }
  async #connect(socket: WebSocket, request: IncomingMessage): Promise<void> {
    const { searchParams } = new URL(request.url ?? '', this.#url)
    try {
      const userId = await this.#identify(searchParams.get('authorization') ?? '')
      if (userId === null) throw new Refused(401, 5, 'Servers do not connect.')
      this.#sockets.set(socket, userId)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('message', () => socket.send(JSON.stringify({ type: 'health.check' })))
      const me = { id: userId, mutes: [], channel_mutes: [], devices: [] }
      socket.send(JSON.stringify({ type: 'health.check', connection_id: crypto.randomUUID(), me }))
    } catch (error) {
      const { code, status: StatusCode, message } = error as Refused
      socket.send(JSON.stringify({ error: { code, StatusCode, message } }))
      socket.close()
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.#url)
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Allow-Headers', '*, authorization')
    response.setHeader('Access-Control-Allow-Methods', '*')
    const send = (status: number, body: Json) => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      const method = request.method ?? 'GET'
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      if (method === 'OPTIONS') return send(200, {})
      const file = this.#files.get(pathname)
      if (file) return void response.writeHead(200, { 'Content-Type': file.type }).end(file.bytes)
      this.calls.push(`${method} ${pathname}`)
      if (this.isDown) throw new Refused(503, -1, 'The service is down.')
      if (searchParams.get('api_key') !== SERVICE_KEY) throw new Refused(401, 2, 'The key is unknown.')
      const userId = await this.#identify(request.headers.authorization ?? '')
      if (pathname === '/uploads/file' && method === 'POST')
        return send(201, { file: this.#store(bytes, request.headers['content-type'] ?? '') })
      const payload = searchParams.get('payload')
      const body = payload ? JSON.parse(payload) : bytes.length > 0 ? JSON.parse(String(bytes)) : {}
      send(200, { duration: '1ms', ...this.#handle({ method, path: pathname, body, userId }) })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { status, code, message } = error
      send(status, { code, message, StatusCode: status })
    }
  }
  #store(bytes: Buffer, contentType: string): string {
    const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? ''
    const from = bytes.indexOf('\r\n\r\n') + 4
    const to = bytes.indexOf(`\r\n--${boundary}`, from)
    const type = /Content-Type: (.+)\r\n/i.exec(String(bytes.subarray(0, from)))?.[1] ?? ''
    const path = `/files/${crypto.randomUUID()}`
    this.#files.set(path, { type, bytes: bytes.subarray(from, to) })
    return this.#url + path
  }

  #handle(call: Call): Json {
    const { method, path } = call
    const [, area = '', one = '', two = '', ...rest] = path.split('/')
    const last = rest.join('/')
    if (area === 'channels' && two !== '') return this.#onChannel(call, `${one}:${two}`, last)
    if (area === 'messages') return this.#onMessage(call, decodeURIComponent(one), two, last)
    if (path === '/channels') return this.#queryChannels(call)
    if (path === '/channels/delete') return this.#deleteChannels(call)
    if (path === '/users') return method === 'GET' ? this.#queryUsers(call) : this.#writeUsers(call)
    if (path === '/unread') return { total_unread_count: this.#unreadOf(call.userId!) }
    if (path === '/search') return this.#search(call)
    if (path === '/uploads/file') return {}
    throw new Refused(404, 16, `There is no ${method} ${path}.`)
  }

  // People.

  #writeUsers({ body, method, userId }: Call): Json {
    this.#demandServer(userId)
    if (method === 'POST')
      for (const [id, user] of Object.entries(body['users'] as Json)) this.users.set(id, user)
    else
      for (const { id, set } of body['users'] as Json[])
        this.users.set(id, { ...this.users.get(id), id, ...set })
    return {}
  }
  #queryUsers({ body }: Call): Json {
    const ids: string[] = body['filter_conditions'].id.$in
    const online = new Set(this.#sockets.values())
    return { users: ids.map((id) => ({ ...this.#user(id), online: online.has(id) })) }
  }
  #user = (id: string): Json => this.users.get(id) ?? { id }
  #demandServer(userId: string | null): void {
    if (userId !== null) throw new Refused(403, 17, 'Only the server may do this.')
  }

  // Channels.

  #channel(cid: string): Channel {
    const channel = this.channels.get(cid)
    if (!channel) throw new Refused(404, 16, `There is no channel ${cid}.`)
    return channel
  }
  #channelOf(channel: Channel): Json {
    const [type, id] = channel.cid.split(':')
    const last_message_at = channel.messages.at(-1)?.['created_at'] ?? null
    const member_count = channel.members.size
    return { ...channel.data, id, type, cid: channel.cid, member_count, last_message_at }
  }
  #memberOf = (channel: Channel, id: string): Json => ({
    user_id: id,
    user: this.#user(id),
    ...channel.members.get(id),
  })
  #unreadIn(channel: Channel, userId: string): number {
    const read = channel.reads.get(userId)?.last_read ?? ''
    return channel.messages.filter(({ user, created_at }) => created_at > read && user.id !== userId).length
  }
  #unreadOf = (userId: string): number =>
    [...this.channels.values()]
      .filter(({ members }) => members.has(userId))
      .reduce((sum, channel) => sum + this.#unreadIn(channel, userId), 0)
  #stateOf(channel: Channel, userId: string | null, messages: readonly Json[]): Json {
    return {
      channel: this.#channelOf(channel),
      messages,
      members: [...channel.members.keys()].map((id) => this.#memberOf(channel, id)),
      membership: userId && this.#memberOf(channel, userId),
      hidden: userId !== null && channel.hiddenFor.has(userId),
      read: [...channel.members.keys()].map((id) => ({
        user: this.#user(id),
        last_read: '1970-01-01T00:00:00Z',
        ...channel.reads.get(id),
        unread_messages: this.#unreadIn(channel, id),
      })),
    }
  }
  #matches(channel: Channel, filter: Json, userId: string | null): boolean {
    const data = this.#channelOf(channel)
    return Object.entries(filter).every(([key, wanted]) => {
      if (key === '$or') return (wanted as Json[]).some((one) => this.#matches(channel, one, userId))
      if (key === 'members') return (wanted.$in as string[]).some((id) => channel.members.has(id))
      if (key === 'has_unread') return userId !== null && this.#unreadIn(channel, userId) > 0
      const values =
        key === 'member.user.name'
          ? [...channel.members.keys()].map((id) => this.#user(id)['name'])
          : [data[key]]
      if (typeof wanted !== 'object') return values.includes(wanted)
      if (wanted.$in) return values.some((value) => wanted.$in.includes(value))
      return values.some((value) =>
        words(String(value)).some((word) => word.startsWith(wanted.$autocomplete.toLowerCase())),
      )
    })
  }
  #queryChannels({ body, userId }: Call): Json {
    const { filter_conditions, limit = 30, offset = 0, message_limit = 25 } = body
    const found = [...this.channels.values()]
      .filter((channel) => this.#matches(channel, filter_conditions, userId))
      .filter((channel) => userId === null || channel.members.has(userId))
      .filter((channel) => userId === null || filter_conditions.id || !channel.hiddenFor.has(userId))
      .toSorted((a, b) =>
        String(this.#channelOf(b)['last_message_at']).localeCompare(
          String(this.#channelOf(a)['last_message_at']),
        ),
      )
      .slice(offset, offset + limit)
    return {
      channels: found.map((one) => this.#stateOf(one, userId, one.messages.slice(-message_limit))),
    }
  }
  #deleteChannels({ body, userId }: Call): Json {
    this.#demandServer(userId)
    for (const cid of body['cids'] as string[]) this.channels.delete(cid)
    return {}
  }
  #onChannel(call: Call, cid: string, act: string): Json {
    const { method, body, userId } = call
    if (act === 'query') return this.#openChannel(call, cid)
    const channel = this.#channel(cid)
    if (userId !== null && !channel.members.has(userId)) throw new Refused(403, 17, 'Not a member.')
    if (act === 'message') return this.#post(channel, body['message'], userId)
    if (act === 'event') return this.#typing(channel, userId!)
    if (act === 'read') return this.#read(channel, userId!, body['message_id'])
    if (act === 'hide' || act === 'show') {
      channel.hiddenFor[act === 'hide' ? 'add' : 'delete'](userId!)
      return {}
    }
    if (act === 'pinned_messages') return { messages: channel.messages.filter(({ pinned }) => pinned) }
    this.#demandServer(userId)
    if (method === 'PATCH') {
      channel.data = { ...channel.data, ...body['set'] }
      this.#tell(channel, { type: 'channel.updated', channel: this.#channelOf(channel) })
    } else if (method === 'DELETE') {
      this.#tell(channel, { type: 'channel.deleted' })
      this.channels.delete(cid)
    } else this.#changeMembers(channel, body)
    return {}
  }
  #openChannel({ body, userId }: Call, cid: string): Json {
    if (!this.channels.has(cid)) {
      this.#demandServer(userId)
      const data = { created_at: now(), ...body['data'] }
      this.channels.set(cid, {
        cid,
        data,
        members: new Map(),
        messages: [],
        reads: new Map(),
        hiddenFor: new Set(),
      })
    }
    const channel = this.#channel(cid)
    if (userId !== null && !channel.members.has(userId)) throw new Refused(403, 17, 'Not a member.')
    return this.#stateOf(channel, userId, pageOf(channel.messages, body['messages'] ?? {}))
  }
  #changeMembers(channel: Channel, { add_members = [], remove_members = [], assign_roles = [] }: Json): void {
    for (const { user_id: id, channel_role } of add_members as Json[]) {
      if (!this.users.has(id)) throw new Refused(400, 4, `There is no user ${id}.`)
      if (channel.members.has(id)) continue
      channel.members.set(id, { channel_role, created_at: now() })
      const channelNow = this.#channelOf(channel)
      this.#send([id], { type: 'notification.added_to_channel', cid: channel.cid, channel: channelNow })
      this.#tell(channel, { type: 'member.added', member: this.#memberOf(channel, id) })
    }
    for (const id of remove_members as string[]) {
      if (!channel.members.has(id)) continue
      this.#tell(channel, { type: 'member.removed', member: this.#memberOf(channel, id) })
      channel.members.delete(id)
      this.#send([id], { type: 'notification.removed_from_channel', cid: channel.cid })
    }
    for (const { user_id: id, channel_role } of assign_roles as Json[]) {
      const member = channel.members.get(id)
      if (!member) throw new Refused(400, 4, `${id} is not a member.`)
      if (member.channel_role === channel_role) continue
      member.channel_role = channel_role
      this.#tell(channel, { type: 'member.updated', member: this.#memberOf(channel, id) })
    }
  }
  #typing(channel: Channel, userId: string): Json {
    this.#tell(channel, { type: 'typing.start', user: this.#user(userId) })
    return {}
  }
  #read(channel: Channel, userId: string, messageId?: string): Json {
    const message = channel.messages.find(({ id }) => id === messageId) ?? channel.messages.at(-1)
    const last_read = messageId ? message!['created_at'] : now()
    channel.reads.set(userId, { last_read, last_read_message_id: message?.['id'] })
    this.#tell(channel, {
      type: 'message.read',
      user: this.#user(userId),
      created_at: last_read,
      last_read_message_id: message?.['id'],
    })
    return {}
  }

  // Messages.

  #post(channel: Channel, given: Json, userId: string | null): Json {
    const author = userId ?? given['user_id']
    if (this.#find(given['id'])) throw new Refused(400, 4, `Message ${given['id']} already exists.`)
    const { quoted_message_id, mentioned_users = [], user_id: _, ...fields } = given
    const message: Json = {
      attachments: [],
      ...fields,
      cid: channel.cid,
      user: this.#user(author),
      created_at: now(),
      latest_reactions: [],
      mentioned_users: (mentioned_users as string[]).map(this.#user),
      ...(quoted_message_id && { quoted_message: this.#find(quoted_message_id)?.message }),
    }
    channel.messages.push(message)
    channel.hiddenFor.clear()
    channel.reads.set(author, { last_read: message['created_at'], last_read_message_id: message['id'] })
    this.#tell(channel, { type: 'message.new', message, user: message['user'] })
    return { message }
  }
  #find(id: string): { channel: Channel; message: Json } | undefined {
    for (const channel of this.channels.values()) {
      const message = channel.messages.find((one) => one['id'] === id)
      if (message) return { channel, message }
    }
    return undefined
  }
  #onMessage({ method, body, userId }: Call, id: string, act: string, type: string): Json {
    const found = this.#find(id)
    if (!found || (userId !== null && !found.channel.members.has(userId)))
      throw new Refused(404, 16, 'There is no such message.')
    const { channel, message } = found
    if (act === 'reactions') return { reactions: message['latest_reactions'] }
    if (act === 'reaction') {
      const others = message['latest_reactions'].filter(
        (one: Json) => one['user_id'] !== userId || one['type'] !== (type || body['reaction'].type),
      )
      const mine = {
        type: body['reaction']?.type,
        user_id: userId,
        user: this.#user(userId!),
        created_at: now(),
      }
      message['latest_reactions'] = method === 'POST' ? [...others, mine] : others
      this.#tell(channel, { type: method === 'POST' ? 'reaction.new' : 'reaction.deleted', message })
      return { message }
    }
    if (method === 'GET') return { message }
    if (userId !== null && message['user'].id !== userId && body['set']?.pinned === undefined)
      throw new Refused(403, 17, 'Not the sender.')
    if (method === 'DELETE') message['deleted_at'] = now()
    else Object.assign(message, this.#changesOf(body, userId))
    this.#tell(channel, { type: method === 'DELETE' ? 'message.deleted' : 'message.updated', message })
    return { message }
  }
  #changesOf({ set, message }: Json, userId: string | null): Json {
    const { mentioned_users, user_id: _, ...changes } = set ?? message
    return {
      ...changes,
      updated_at: now(),
      ...(changes.text !== undefined && { message_text_updated_at: now() }),
      ...(mentioned_users && { mentioned_users: mentioned_users.map(this.#user) }),
      ...(changes.pinned !== undefined && { pinned_at: now(), pinned_by: this.#user(userId ?? '') }),
    }
  }
  #search({ body, userId }: Call): Json {
    const { filter_conditions, message_filter_conditions: what, limit = 30, next } = body
    const found = [...this.channels.values()]
      .filter((channel) => channel.members.has(userId!) && this.#matches(channel, filter_conditions, userId))
      .flatMap(({ messages }) => messages)
      .filter(({ text, attachments, deleted_at, user }) => {
        const all = words(what.text?.$q ?? '')
        return (
          !deleted_at &&
          all.every((word) => words(text).some((one) => one.startsWith(word))) &&
          (!what.attachments || attachments.length > 0) &&
          (!what['user.id'] || what['user.id'].$eq === user.id)
        )
      })
      .toSorted((a, b) => b['created_at'].localeCompare(a['created_at']))
    const from = Number(next ?? 0)
    const page = found.slice(from, from + limit)
    return {
      results: page.map((message) => ({ message })),
      ...(from + limit < found.length && { next: String(from + limit) }),
    }
  }

  // Events.

  #tell(channel: Channel, event: Json): void {
    this.#send([...channel.members.keys()], { cid: channel.cid, created_at: now(), ...event })
  }
  #send(userIds: readonly string[], event: Json): void {
    const frame = JSON.stringify(event)
    for (const [socket, userId] of this.#sockets) if (userIds.includes(userId)) socket.send(frame)
  }
}

/** The requested part of a room's messages. */
function pageOf(messages: readonly Json[], wanted: Json): Json[] {
  const { limit = 25, id_lt, id_gt, id_around, created_at_around } = wanted
  const at = messages.findIndex(({ id }) => id === (id_lt ?? id_gt ?? id_around))
  if (id_lt) return messages.slice(Math.max(0, at - limit), at)
  if (id_gt) return messages.slice(at + 1, at + 1 + limit)
  if (id_around) return messages.slice(Math.max(0, at - Math.floor(limit / 2)), at + Math.ceil(limit / 2))
  if (created_at_around) {
    const near = messages.findIndex(({ created_at }) => created_at >= created_at_around)
    return messages.slice(Math.max(0, near - Math.floor(limit / 2)), near + Math.ceil(limit / 2))
  }
  return messages.slice(-limit)
}
