import type { chatApi } from '#contract/chat/api.ts'
import type { ChatSummary } from '#contract/chat/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { addToIncident } from './activities.flows.ts'
import { groupsInRoom } from './audiences.flows.ts'
import {
  fileAt,
  fileContentAt,
  fileInfo,
  filesOfRoom,
  fileTicketOf,
  removeFile,
  uploadFile,
} from './files.flows.ts'
import { demandBuiltIn } from './hosted.flows.ts'
import { openIncidentRoom } from './incidents.flows.ts'
import { readHostedMentions, updateHostedMentions } from './mentions.flows.ts'
import {
  editMessage,
  mentionsOf,
  pin,
  pinnedMessages,
  react,
  readersOf,
  readMessage,
  readMessages,
  readMissed,
  removeMessage,
  search,
  sendMessage,
} from './messages.flows.ts'
import {
  addToRoom,
  changeMembership,
  changeRole,
  changeRoom,
  createRoom,
  hideRoom,
  leaveRoom,
  returnToRoom,
  openedRoom,
  peopleKnown,
  readRoom,
  removeMember,
  removeOwnRoom,
  typeInRoom,
  unreadRoom,
} from './rooms.flows.ts'
import { countUnread, listRooms } from './rooms.store.ts'
import { readThread, readThreadPage, threadsOf } from './threads.flows.ts'
import { listUnreadThreads } from './threads.store.ts'
import {
  cancelScheduled,
  changeScheduled,
  scheduledMessages,
  scheduleMessage,
  sendScheduled,
} from './scheduled.flows.ts'
import { savedMessages, saveMessage, unsaveMessage } from './saved.flows.ts'
import { findHead } from './heads.store.ts'
import { listMembers } from './members.store.ts'

type SavingApi = Pick<typeof chatApi, 'saveMessage' | 'unsaveMessage' | 'saved'>
const savingRoutes = (services: Services): Handlers<SavingApi> => ({
  saveMessage: ({ params, body }, { db, caller }) => {
    demandBuiltIn(caller)
    return saveMessage(services, db, caller, params.id, body)
  },
  unsaveMessage: ({ params }, { db, caller }) => unsaveMessage(services, db, caller, params.id),
  saved: ({ query }, { db, caller }) => savedMessages(db, caller, query),
})

type ThreadApi = Pick<typeof chatApi, 'thread' | 'threads' | 'readThread'>
const threadRoutes = ({ chat }: Services): Handlers<ThreadApi> => ({
  thread: ({ params, query }, { db, caller }) => readThreadPage(db, caller, params.id, query),
  threads: ({ query }, { db, caller }) => threadsOf(db, caller, query),
  readThread: ({ params, body }, { db, caller }) => readThread(chat, db, caller, params.id, body.sequence),
})

type ScheduleApi = Pick<
  typeof chatApi,
  'scheduleMessage' | 'scheduled' | 'changeScheduled' | 'sendScheduled' | 'cancelScheduled'
>
const scheduleRoutes = (services: Services): Handlers<ScheduleApi> => ({
  scheduleMessage: ({ params, body }, { db, caller }) => {
    demandBuiltIn(caller)
    return scheduleMessage(services, db, caller, params.id, body)
  },
  scheduled: (_, { db, caller }) => scheduledMessages(db, caller),
  changeScheduled: ({ params, body }, { db, caller }) =>
    changeScheduled(services, db, caller, params.id, body),
  sendScheduled: ({ params }, { db, caller }) => {
    demandBuiltIn(caller)
    return sendScheduled(services, db, caller, params.id)
  },
  cancelScheduled: ({ params }, { db, caller }) => cancelScheduled(services, db, caller, params.id),
})

/** Head first, so that the reads after it are at least as new. */
async function summaryOf(db: OrgDb, userId: string): Promise<ChatSummary> {
  const sequence = await findHead(db)
  const unreadThreads = await listUnreadThreads(db, userId)
  return {
    sequence,
    ...(await countUnread(db, userId)),
    ...(unreadThreads.length > 0 && { unreadThreads }),
  }
}

export const chatRoutes = (services: Services): Handlers<typeof chatApi> => {
  const { chat } = services
  return {
    ...savingRoutes(services),
    ...threadRoutes(services),
    ...scheduleRoutes(services),
    summary: (_, { db, caller }) => summaryOf(db, caller.id),
    changes: ({ query }, { db, caller }) => readMissed(db, caller, query),
    rooms: ({ query }, { db, caller }) =>
      listRooms(db, caller.id, {
        filter: query.filter ?? {},
        range: query.range,
        isOldestFirst: query.sort?.[1] === 'ASC',
      }),
    room: ({ params }, { db, caller }) => openedRoom(db, caller, params.id),
    openIncidentRoom: ({ params }, { db, caller }) => openIncidentRoom(db, caller, params.id),
    createRoom: ({ body }, { db, caller }) => createRoom(db, caller, body),
    updateRoom: ({ params, body }, { db, caller }) => changeRoom(db, caller, params.id, body),
    removeRoom: ({ params }, { db, caller }) => removeOwnRoom(services, db, caller, params.id),
    hideRoom: ({ params }, { db, caller }) => hideRoom(db, caller, params.id),
    leaveRoom: ({ params }, { db, caller }) => leaveRoom(db, caller, params.id),
    returnToRoom: ({ params }, { db, caller }) => returnToRoom(db, caller, params.id),
    readRoom: ({ params, body }, { db, caller }) => readRoom(chat, db, caller, params.id, body.sequence),
    unreadRoom: ({ params, body }, { db, caller }) => {
      demandBuiltIn(caller)
      return unreadRoom(chat, db, caller, params.id, body.sequence)
    },
    changeMembership: ({ params, body }, { db, caller }) =>
      changeMembership(chat, db, caller, params.id, body),
    typeInRoom: ({ params }, { db, caller }) => typeInRoom(chat, db, caller, params.id),
    members: async ({ params, query }, { db, caller }) => {
      await openedRoom(db, caller, params.id)
      const { filter = {}, range, sort } = query
      return listMembers(db, params.id, { filter, range, isDescending: sort?.[1] === 'DESC' })
    },
    addMembers: ({ params, body }, { db, caller }) => addToRoom(db, caller, params.id, body.userIds),
    changeRole: ({ params, body }, { db, caller }) =>
      changeRole(db, caller, params.id, params.uuid, body.role),
    removeMember: ({ params }, { db, caller }) => removeMember(db, caller, params.id, params.uuid),
    messages: ({ params, query }, { db, caller }) => readMessages(db, caller, params.id, query),
    message: ({ params }, { db, caller }) => readMessage(db, caller, params.id),
    sendMessage: ({ params, body }, { db, caller }) => {
      demandBuiltIn(caller)
      return sendMessage(chat, db, caller, params.id, body)
    },
    editMessage: ({ params, body }, { db, caller }) => editMessage(services, db, caller, params.id, body),
    removeMessage: ({ params }, { db, caller }) => removeMessage(services, db, caller, params.id),
    react: ({ params }, { db, caller }) => react(chat, db, caller, params, true),
    unreact: ({ params }, { db, caller }) => react(chat, db, caller, params, false),
    pin: ({ params }, { db, caller }) => pin(chat, db, caller, params.id, true),
    unpin: ({ params }, { db, caller }) => pin(chat, db, caller, params.id, false),
    addToIncident: ({ params, body }, { db, caller }) => {
      demandBuiltIn(caller)
      return addToIncident(chat, db, caller, params.id, body)
    },
    pinned: ({ params }, { db, caller }) => pinnedMessages(db, caller, params.id),
    readers: ({ params }, { db, caller }) => readersOf(db, caller, params.id),
    search: ({ query }, { db, caller }) => search(db, caller, query),
    mentions: ({ query }, { db, caller }) => mentionsOf(db, caller, query),
    groupsInRoom: ({ params, query }, { db, caller }) => groupsInRoom(db, caller, params.id, query.q),
    presence: async ({ body }, { db, caller }) => ({
      userIds: chat.online(caller.organisation.id, await peopleKnown(db, caller, body.userIds)),
    }),
    hostedMentions: {
      outsideTransaction: ({ params, body }, context) =>
        updateHostedMentions(services, context, params.id, body.messageId),
    },
    readHostedMentions: ({ params, body }, { db, caller }) =>
      readHostedMentions(db, caller, params.id, body.until),
    files: ({ params, query }, { db, caller }) => filesOfRoom(db, caller, params.id, query),
    // Detects the type from the stored bytes, which queries the database for their key.
    upload: { outsideTransaction: ({ file }, context) => uploadFile(services, file, context) },
    fileInfo: ({ params }, { db, caller }) => fileInfo(db, caller, params.id),
    file: ({ params, query }, { db, caller }) => fileAt(services, db, caller, params.id, query),
    fileTicket: { outsideTransaction: ({ params }, context) => fileTicketOf(services, params.id, context) },
    fileContent: ({ params }, { request: { headers } }) => fileContentAt(services, params.ticket, headers),
    removeFile: ({ params }, { db, caller }) => removeFile(services, db, caller, params.id),
  }
}
