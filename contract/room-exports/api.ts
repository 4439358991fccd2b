import { personWith } from '#contract/kit/access.ts'
import { defineApi, download } from '#contract/kit/endpoint.ts'
import { ById } from '#contract/kit/text.ts'

import { NewExport, RoomExport } from './schema.ts'

const access = personWith('chats')

/** Exports of rooms (operations §5 "Chat export"), for the person who requested them while a member of the room. */
export const roomExportsApi = defineApi({
  request: {
    method: 'POST',
    path: '/stream/exportChannel',
    access,
    summary:
      'Has the messages of a time made into a ZIP file with text, HTML and attachments, in the background.',
    body: NewExport,
    limit: 'documents',
    reply: RoomExport,
    status: 201,
  },
  progress: {
    method: 'GET',
    path: '/chat/exports/:id',
    access,
    summary: 'How far an export is.',
    params: ById,
    reply: RoomExport,
  },
  file: {
    method: 'GET',
    path: '/chat/exports/:id/file',
    access,
    summary: 'An export, once it is ready and for a day.',
    params: ById,
    reply: download('application/zip'),
    errors: { 409: 'It is not ready.' },
  },
})
