import { channelsApi } from '#contract/channels/api.ts'
import { chatApi } from '#contract/chat/api.ts'
import { roomExportsApi } from '#contract/room-exports/api.ts'

import { call, callWithFile } from '../api.ts'
import { live } from '../live.ts'
import { reporting } from '../progress.ts'
import { apiUrl } from '../session.ts'
import { requestSlice } from '../slice.ts'
import type { ChatProvider } from './provider.ts'

/** The built-in chat on the product's own server (decision 037). */
export const embedded: ChatProvider = {
  subscribe: (listener) => live.listenToChat(listener),
  summary: () => call(chatApi.summary),
  changes: async (after) => {
    const { changes, sequence, hasMore } = await call(chatApi.changes, { query: { after: String(after) } })
    return { changes, sequence, isComplete: !hasMore }
  },

  rooms: ({ first, count, signal, ...filter }) =>
    requestSlice(chatApi.rooms, { filter, first, count, signal }),
  room: (id) => call(chatApi.room, { params: { id } }),
  incidentRoom: (id) => call(chatApi.openIncidentRoom, { params: { id } }),
  createRoom: (body) => call(chatApi.createRoom, { body }),
  updateRoom: (id, body) => call(chatApi.updateRoom, { params: { id }, body }),
  removeRoom: (id) => call(chatApi.removeRoom, { params: { id } }),
  hideRoom: (id) => call(chatApi.hideRoom, { params: { id } }),
  leaveRoom: (id) => call(chatApi.leaveRoom, { params: { id } }),
  returnToRoom: (id) => call(chatApi.returnToRoom, { params: { id } }),
  markPrivileged: (id, isPrivileged) =>
    call(channelsApi.mark, { params: { id, isPrivileged: isPrivileged ? 'true' : 'false' } }),
  readRoom: (id, sequence) => call(chatApi.readRoom, { params: { id }, body: { sequence } }),
  unreadRoom: (id, sequence) => call(chatApi.unreadRoom, { params: { id }, body: { sequence } }),
  changeMembership: (id, body) => call(chatApi.changeMembership, { params: { id }, body }),
  typeInRoom: (id) => call(chatApi.typeInRoom, { params: { id } }),

  members: (roomId, { first, count, signal, ...filter }) =>
    requestSlice(chatApi.members, { params: { id: roomId }, filter, first, count, signal }),
  addMembers: (roomId, userIds) =>
    call(chatApi.addMembers, { params: { id: roomId }, body: { userIds: [...userIds] } }),
  changeRole: (roomId, uuid, role) =>
    call(chatApi.changeRole, { params: { id: roomId, uuid }, body: { role } }),
  removeMember: (roomId, uuid) => call(chatApi.removeMember, { params: { id: roomId, uuid } }),

  messages: (roomId, { signal, ...range }) =>
    call(chatApi.messages, { params: { id: roomId }, query: range, signal }),
  message: (id) => call(chatApi.message, { params: { id } }),
  thread: (id, { signal, ...range }) => call(chatApi.thread, { params: { id }, query: range, signal }),
  threads: ({ signal, ...query }) => call(chatApi.threads, { query, signal }),
  readThread: (id, sequence) => call(chatApi.readThread, { params: { id }, body: { sequence } }),
  send: (roomId, body) => call(chatApi.sendMessage, { params: { id: roomId }, body }),
  schedule: (roomId, body) => call(chatApi.scheduleMessage, { params: { id: roomId }, body }),
  scheduled: (signal) => call(chatApi.scheduled, { signal }),
  changeScheduled: (id, body) => call(chatApi.changeScheduled, { params: { id }, body }),
  sendScheduled: (id) => call(chatApi.sendScheduled, { params: { id } }),
  cancelScheduled: (id) => call(chatApi.cancelScheduled, { params: { id } }),
  edit: (id, body) => call(chatApi.editMessage, { params: { id }, body }),
  removeMessage: (id) => call(chatApi.removeMessage, { params: { id } }),
  react: (id, emoji, isOn) => call(isOn ? chatApi.react : chatApi.unreact, { params: { id, emoji } }),
  pin: (id, isPinned) => call(isPinned ? chatApi.pin : chatApi.unpin, { params: { id } }),
  addToIncident: (id, body) => call(chatApi.addToIncident, { params: { id }, body }),
  pinned: (roomId, signal) => call(chatApi.pinned, { params: { id: roomId }, signal }),
  readers: (id) => call(chatApi.readers, { params: { id } }),
  search: ({ signal, ...query }) => call(chatApi.search, { query, signal }),
  mentions: ({ signal, ...query }) => call(chatApi.mentions, { query, signal }),
  save: (id, remindAt) => call(chatApi.saveMessage, { params: { id }, body: { remindAt } }),
  unsave: (id) => call(chatApi.unsaveMessage, { params: { id } }),
  saved: ({ signal, ...query }) => call(chatApi.saved, { query, signal }),
  groupsInRoom: (id, q, signal) => call(chatApi.groupsInRoom, { params: { id }, query: { q }, signal }),
  presence: async (userIds) => (await call(chatApi.presence, { body: { userIds: [...userIds] } })).userIds,

  files: (roomId, { first, count, signal, ...filter }) =>
    requestSlice(chatApi.files, { params: { id: roomId }, filter, first, count, signal }),
  upload: (file, { signal, onProgress = () => undefined }) =>
    callWithFile(chatApi.upload, file, { signal, transport: reporting(onProgress) }),
  file: (id, signal) => call(chatApi.file, { params: { id }, signal }),
  download: async (id) => ({
    url: apiUrl() + (await call(chatApi.fileTicket, { params: { id } })).path,
  }),
  shownFile: async (id, page = 1) =>
    (await call(chatApi.file, { params: { id }, query: { shown: 'true', page } })).blob,
  removeFile: (id) => call(chatApi.removeFile, { params: { id } }),

  requestExport: (body) => call(roomExportsApi.request, { body }),
  exportProgress: (id) => call(roomExportsApi.progress, { params: { id } }),
  exportFile: (id) => call(roomExportsApi.file, { params: { id } }),
}
