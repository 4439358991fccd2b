import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import { textFrame } from './text-frame.ts'

test('a client reads texts of every length, between frames of the library', async () => {
  const texts = [
    '',
    'a'.repeat(125),
    'a'.repeat(126),
    'ü'.repeat(32_767),
    'a'.repeat(65_536),
    '😀'.repeat(50_000),
  ]
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  server.on('connection', (socket, { socket: line }) => {
    for (const text of texts) {
      line.write(textFrame(text))
      socket.send('next')
    }
  })
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => client.terminate())
  const received: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  client.on('message', (data: Buffer) => {
    received.push(data.toString('utf8'))
    if (received.length === 2 * texts.length) resolve()
  })
  await promise
  expect(received).toEqual(texts.flatMap((text) => [text, 'next']))
})
