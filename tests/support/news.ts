import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import type { Caller } from './server.ts'

export interface News {
  readonly type: string
  readonly noun?: string
  readonly record?: string
}
/** The events that a person receives from now on. */
export async function newsOf(url: string, caller: Caller): Promise<News[]> {
  const { body } = await caller.post('/live/ticket')
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`)
  onTestFinished(() => socket.close())
  const news: News[] = []
  await new Promise<void>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ ticket: body.ticket, after: null })))
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as News
      if (message.type === 'event') news.push(message)
      if (message.type === 'ready') resolve()
    })
  })
  return news
}
