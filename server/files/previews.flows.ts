import { canPreview } from '#contract/files/rules.ts'
import { CANNOT_PREVIEW, type PreviewTicket } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { CONVERTED_MAX } from '#server/kit/blobs/images.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { convertedTypeOf, viewedReply } from '#server/kit/http/viewed-reply.ts'
import type { Services } from '#server/kit/services.ts'

import { recordItem } from './access.flows.ts'
import { noteUse } from './marks.flows.ts'
import { issueTicket, savedBody } from './tickets.flows.ts'
import { type FileTicket, countOpening } from './tickets.store.ts'
import { openedContent } from './upload.flows.ts'
import type { VersionRow } from './versions.store.ts'

/** The content type that a preview is sent with, unless it is converted. */
function viewedTypeOf({ extension, type }: Pick<VersionRow, 'extension' | 'type'>): string {
  const format = extension.toLowerCase()
  // Browsers play QuickTime files labelled as MP4 and ignore types that they do not know.
  if (format === 'mov') return 'video/mp4'
  return format === 'txt' ? 'text/plain; charset=utf-8' : type
}

/**
 * The content type in which a file is shown.
 * @throws Refusal 415 for a file that cannot be previewed
 */
export function demandShownType(
  settings: Services['settings'],
  version: Pick<VersionRow, 'extension' | 'type' | 'size'>,
): string {
  const convertsOffice = settings.officeConverter !== null
  demand(canPreview(version, { convertsOffice }), 415, CANNOT_PREVIEW)
  const convertedType = convertedTypeOf({ extension: version.extension, settings })
  demand(convertedType === undefined || version.size <= CONVERTED_MAX, 415, CANNOT_PREVIEW)
  return convertedType ?? viewedTypeOf(version)
}

/** A ticket to preview a content of a file, by default the newest. */
export async function previewOf(
  { settings }: Services,
  db: OrgDb,
  caller: Caller,
  id: number,
  fileVersion?: number,
): Promise<PreviewTicket> {
  const { version } = await openedContent(db, caller, id, fileVersion)
  const type = demandShownType(settings, version)
  const ticket = { purpose: 'preview', itemId: id, fileVersion: version.fileVersion } as const
  return { ...(await issueTicket(db, caller, ticket)), type }
}

/**
 * The content behind a ticket of `previewOf`.
 * @param range header of the request; `page` of a converted image
 * @throws Refusal 404
 */
export async function shownFile(
  services: Services,
  db: OrgDb,
  caller: Caller,
  { hash, ticket }: { readonly hash: Buffer; readonly ticket: FileTicket },
  { range, page }: { readonly range: string | undefined; readonly page: number },
): Promise<FileReply> {
  const { row, version } = await openedContent(db, caller, ticket.itemId, ticket.fileVersion)
  if ((await countOpening(db, hash)).isFirst) {
    const isOld = version.fileVersion !== row.fileVersion
    recordItem(db, row, 'viewed', isOld ? { fileVersion: { from: null, to: version.fileVersion } } : {})
    await noteUse(db, caller, row)
  }
  const { extension, size } = version
  const file = {
    name: wholeName({ name: row.name, extension }),
    type: viewedTypeOf(version),
    size,
    parts: { range },
    body: savedBody(services, caller, version.blob),
  }
  return { ...viewedReply(file, { extension, page, settings: services.settings }), isShown: true }
}
