import type { AddressInfo } from 'node:net'

import { type WebSocket, WebSocketServer } from 'ws'

/**
 * The least room: stores nothing, and sends messages from any of its sockets to all members. The path names the room; a
 * sender opens it with `?sender` and is not a member. Started by `startFloorProcess`.
 */
process.once('message', () => {
  const rooms = new Map<string, Set<WebSocket>>()
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', (socket, request) => {
    const [path, query] = request.url!.split('?')
    const members = rooms.get(path!) ?? new Set()
    rooms.set(path!, members)
    if (query !== 'sender') members.add(socket)
    socket.on('close', () => members.delete(socket))
    socket.on('message', (data) => {
      for (const member of members) member.send(data as Buffer, { binary: false })
    })
  })
  server.on('listening', () => process.send!({ port: (server.address() as AddressInfo).port }))
})
// Ends with its parent process.
process.once('disconnect', () => process.exit())
