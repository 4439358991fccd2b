import { hasThumbnail } from '#contract/files/rules.ts'
import { NO_THUMBNAIL } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { thumbnailImage, VIEWED_TYPE } from '#server/kit/blobs/images.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { savedBody } from './tickets.flows.ts'
import { openedContent } from './upload.flows.ts'

/**
 * A small picture of an image file. It is made for each request, in a process of its own: a stored one would be one more
 * copy to protect and to delete.
 * @throws Refusal 404, 415, 503
 */
export async function thumbnailOf(services: Services, db: OrgDb, by: Caller, id: number): Promise<FileReply> {
  const { row, version } = await openedContent(db, by, id)
  demand(hasThumbnail(row), 415, NO_THUMBNAIL)
  const read = savedBody(services, by, version.blob)
  return {
    name: wholeName({ name: row.name, extension: 'webp' }),
    type: VIEWED_TYPE,
    isShown: true,
    body: () => thumbnailImage(() => read()),
  }
}
