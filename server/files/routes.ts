import type { filesApi } from '#contract/files/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { demandAdmin } from './access.flows.ts'
import { archiveOf } from './archive.flows.ts'
import { archiveTicketOf, downloadedFile, downloadOf, fileAt } from './downloads.flows.ts'
import {
  changeItem,
  createFolder,
  detailsOf,
  eventsOf,
  holdItem,
  itemsIn,
  readersOf,
  treeOf,
  versionsOf,
} from './flows.ts'
import { copyItems } from './copies.flows.ts'
import { recentItems, starItem, starredItems } from './marks.flows.ts'
import { moveItems } from './moves.flows.ts'
import { thumbnailOf } from './thumbnails.flows.ts'
import { conflictsIn } from './conflicts.flows.ts'
import { beginUpload, continueUpload, endUpload, interruptedUploads, uploadStateOf } from './parts.flows.ts'
import { previewOf, shownFile } from './previews.flows.ts'
import { itemsFound } from './search.flows.ts'
import { openTicket } from './tickets.flows.ts'
import { purgeItem, removeItem, restoreItem, trashOf } from './trash.flows.ts'
import { restoreVersion, uploadFile } from './upload.flows.ts'

export const filesRoutes = (services: Services): Handlers<typeof filesApi> => ({
  // Attachments of incidents are not stored here, so the tree needs no filter.
  tree: (_, { db, caller }) => treeOf(db, caller),
  folder: ({ params, query }, { db, caller }) => itemsIn(db, caller, params.id, query),
  details: ({ params }, { db, caller }) => detailsOf(db, caller, params.id),
  search: ({ query }, { db, caller }) => itemsFound(db, caller, query),
  recent: ({ query }, { db, caller }) => recentItems(db, caller, query),
  starred: ({ query }, { db, caller }) => starredItems(db, caller, query),
  star: ({ params, body }, { db, caller }) => starItem(db, caller, params.id, body.isStarred),
  thumbnail: ({ params }, { db, caller }) => thumbnailOf(services, db, caller, params.id),
  createFolder: ({ body }, { db, caller }) => createFolder(db, caller, body),
  // Detects the type from the stored bytes, which queries the database for their key.
  upload: { outsideTransaction: ({ body, file }, context) => uploadFile(services, file, body, context) },
  conflicts: ({ params, body }, { db, caller }) => conflictsIn(db, caller, params.id, body),
  uploads: (_, { db, caller }) => interruptedUploads(db, caller),
  beginUpload: ({ headers }, { db, caller }) => beginUpload(services, db, caller, headers),
  uploadState: ({ params }, { db, caller }) => uploadStateOf(db, caller, params.id),
  continueUpload: {
    outsideTransaction: ({ params, headers, bytes }, context) =>
      continueUpload(services, { id: params.id, headers, bytes }, context),
  },
  endUpload: async ({ params }, { db, caller }) => {
    await endUpload(services, db, caller, params.id)
  },
  download: ({ params }, { db, caller }) => fileAt(services, db, caller, params.id),
  change: ({ params, body }, { db, caller }) => changeItem(db, caller, params.id, body),
  remove: async ({ params }, { db, caller }) => {
    await removeItem(db, caller, params.id)
  },
  move: ({ body }, { db, caller }) => moveItems(db, caller, body),
  copy: ({ body }, { db, caller }) => copyItems(services, db, caller, body),
  archive: ({ query }, { db, caller }) => archiveOf(services, db, caller, query.ids),
  readers: ({ params, query }, { db, caller }) => readersOf(db, caller, params.id, query),
  events: {
    first: demandAdmin,
    handle: ({ params, query }, { db, caller }) => eventsOf(db, caller, params.id, query),
  },
  hold: {
    first: demandAdmin,
    handle: ({ params, body }, { db, caller }) => holdItem(db, caller, params.id, body.isOnHold),
  },
  versions: ({ params }, { db, caller }) => versionsOf(db, caller, params.id),
  downloadVersion: ({ params }, { db, caller }) =>
    fileAt(services, db, caller, params.id, params.fileVersion),
  restoreVersion: ({ params }, { db, caller }) =>
    restoreVersion(services, db, caller, params.id, params.fileVersion),
  trash: ({ query }, { db, caller }) => trashOf(db, caller, query),
  restore: ({ params }, { db, caller }) => restoreItem(db, caller, params.id),
  purge: {
    first: demandAdmin,
    handle: async ({ params }, { db, caller }) => {
      await purgeItem(services, db, caller, params.id)
    },
  },
  preview: ({ params, body }, { db, caller }) => previewOf(services, db, caller, params.id, body.fileVersion),
  downloadTicket: {
    outsideTransaction: ({ params, body }, context) =>
      downloadOf(services, params.id, body.fileVersion, context),
  },
  archiveTicket: ({ body }, { db, caller }) => archiveTicketOf(db, caller, body.ids),
  content: ({ params, query: { page } }, { request: { headers } }) =>
    openTicket(
      services,
      params.ticket,
      ['preview', 'download', 'version', 'archive'],
      (db, caller, { hash, ticket }) =>
        ticket.purpose === 'preview'
          ? shownFile(services, db, caller, { hash, ticket }, { range: headers.range, page })
          : downloadedFile(services, db, caller, { hash, ticket }, headers),
    ),
})
