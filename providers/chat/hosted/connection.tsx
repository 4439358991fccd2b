import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import type { StreamChat, StreamChatOptions } from 'stream-chat'
import { Chat, useChatContext, useCreateChatClient, WithComponents } from 'stream-chat-react'

import { HttpProblem, NO_ANSWER } from '../../problem.ts'

/** Timeout of a first connection: the service's client tries for 15 s and tells its hook nothing when it fails. */
const CONNECT_MS = 16_000

interface Account {
  readonly apiKey: string
  readonly userId: string
  /** @throws HttpProblem for a refusal, which ends the attempt */
  readonly token: () => Promise<string>
  readonly options: StreamChatOptions
}
export interface Connection {
  readonly client: StreamChat
  readonly close: () => void
}

function Connected({ onReady }: { onReady: (client: StreamChat) => void }) {
  const { client } = useChatContext()
  useEffect(() => onReady(client), [client, onReady])
  return null
}

/** Our screens announce a lost connection themselves. */
const OVERRIDES = { NotificationAnnouncer: () => null }

function HostedConnection({ account, onReady }: { account: Account; onReady: (client: StreamChat) => void }) {
  const client = useCreateChatClient({
    apiKey: account.apiKey,
    options: account.options,
    tokenOrProvider: account.token,
    userData: { id: account.userId },
  })
  return client === null ? null : (
    <WithComponents overrides={OVERRIDES}>
      <Chat client={client}>
        <Connected onReady={onReady} />
      </Chat>
    </WithComponents>
  )
}

/**
 * Connects to the hosted chat service. The connection lives in the service's own component, in a React root without
 * a place on the page, so that it belongs to the chat's store and outlives every screen (decision 047).
 * @throws HttpProblem for a refused token, or when the service does not answer in time
 */
export function openConnection(account: Account): Promise<Connection> {
  const root = createRoot(document.createElement('div'))
  const close = () => root.unmount()
  return new Promise<Connection>((resolve, reject) => {
    let isSettled = false
    const settle = () => {
      isSettled = true
      clearTimeout(timer)
    }
    const fail = (problem: unknown) => {
      settle()
      close()
      reject(problem)
    }
    const timer = setTimeout(() => fail(new HttpProblem(NO_ANSWER, 0)), CONNECT_MS)
    const onReady = (client: StreamChat) => {
      settle()
      resolve({ client, close })
    }
    const token = async (): Promise<string> => {
      try {
        return await account.token()
      } catch (error) {
        if (isSettled) throw error
        fail(error)
        // The hook does not catch a refusal, so the abandoned client waits for ever instead.
        return new Promise(() => {})
      }
    }
    root.render(<HostedConnection account={{ ...account, token }} onReady={onReady} />)
  })
}
