import { live } from '../../live.ts'
import { getSession } from '../../session.ts'
import type { ChatFeature, ChatNews, ChatProvider } from '../provider.ts'
import type { HostedChat } from './hosted.ts'

/**
 * Features that need messages or lists of rooms on our server, and pins, which plain members cannot set at the service.
 */
const LACKING: ReadonlySet<ChatFeature> = new Set([
  'addToIncident',
  'audiences',
  'confirmations',
  'convertFiles',
  'export',
  'mentionList',
  'ownSettings',
  'pinInHeadquarters',
  'saved',
  'scheduled',
  'threads',
  'unreadFrom',
])
const RETRY_MS = 5_000

/** True for an organisation with its own hosted chat service. */
export const isHosted = (): boolean => (getSession().organisation?.config.streamApiKey ?? '') !== ''

let connected: Promise<HostedChat> | undefined
const listeners = new Set<(news: ChatNews) => void>()
const tell = (news: ChatNews) => {
  for (const listener of listeners) listener(news)
}

/** Connects once for all calls; after a failure the next call tries again. */
function connect(): Promise<HostedChat> {
  if (connected) return connected
  const attempt = import('./hosted.ts').then(({ HostedChat: Chat }) => Chat.open(tell))
  connected = attempt
  attempt.catch(() => {
    if (connected === attempt) connected = undefined
  })
  return attempt
}
function disconnect(): void {
  const last = connected
  connected = undefined
  last?.then((chat) => chat.close()).catch(() => undefined)
}

/** Connects with retries. After a failed first attempt it reports a gap, so that screens request again. */
function stayConnected(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const attempt = (isFirst: boolean) =>
    connect().then(
      () => isFirst || isOver || tell({ type: 'chat-gap' }),
      () => {
        if (!isOver) timer = setTimeout(() => void attempt(false), RETRY_MS)
      },
    )
  void attempt(true)
  return () => {
    isOver = true
    clearTimeout(timer)
    disconnect()
  }
}

function subscribe(listener: (news: ChatNews) => void): () => void {
  listeners.add(listener)
  // Ignores our own server's room events, because the service reports them as well.
  const stopIgnoring = live.listenToChat(() => {})
  const leave = stayConnected()
  return () => {
    listeners.delete(listener)
    stopIgnoring()
    leave()
  }
}

/** The chat of an organisation's hosted service (decision 047), which loads and connects with the first call. */
export const hosted = new Proxy({} as ChatProvider, {
  get: (_, name) =>
    name === 'subscribe'
      ? subscribe
      : name === 'lacks'
        ? LACKING
        : async (...values: unknown[]) => {
            const chat = await connect()
            // HostedChat implements the interface, so names and types match.
            const act = chat[name as keyof HostedChat] as (...all: unknown[]) => unknown
            return act.apply(chat, values)
          },
})
