import * as z from 'zod/mini'

import { itemId } from '#contract/files/schema.ts'
import { id, requiredText, SHORT_TEXT_MAX, text, timestamp } from '#contract/kit/text.ts'

export const LABEL_REQUIRED = 'Please say who the link is for.'
export const VISITOR_REQUIRED = 'Please enter your name.'
export const PASSCODE_MIN = 8
export const PASSCODE_MAX = 100
export const PASSCODE_TOO_SHORT = `A passcode has at least ${PASSCODE_MIN} characters.`
export const WRONG_PASSCODE = 'This passcode is not correct.'
export const LINKS_OFF = 'Links to files are switched off in this organization.'
export const LINK_NOT_YOURS = 'Only people who may change who can open this folder can make links for it.'
export const UP_NEEDS_OWN_FOLDER = 'Only administrators and whoever added a folder can have files sent to it.'
export const UP_NEEDS_FOLDER = 'Files can be sent to a folder only.'
/** Answer for a link that never was, has ended or was withdrawn alike. */
export const LINK_GONE =
  'This link is not valid, or no longer. Please ask the person who gave it to you for a new one.'
export const LINK_OVER = 'link_over'
export const VISIT_OVER = 'Please enter the passcode again.'
export const VISIT_OVER_CODE = 'visit_over'
/** Days that any organisation may allow. */
export const LINK_DAYS_MAX = 365
export const OPENINGS_MAX = 10_000
export const OPENINGS_RANGE = 'Please enter a whole number from 1 to 10,000.'
/** Items in one answer to a visitor. */
export const LINK_ITEMS_PER_PAGE = 100
/** Content type of a file that a visitor sends. */
export const LINK_UPLOAD_TYPE = 'application/octet-stream'
export const tooManyDays = (max: number) => `A link can be open for at most ${max} days.`

/** `DOWN` hands out a file or folder, `UP` takes in files for a folder. */
export const LinkDirection = z.enum(['DOWN', 'UP'])
export type LinkDirection = z.infer<typeof LinkDirection>
export const LinkState = z.enum(['OPEN', 'ENDED', 'WITHDRAWN'])

/** A link to a file or folder for people without an account. */
export const FileLink = z.object({
  id,
  itemId: z.int(),
  /** The item's name with its extension. */
  itemName: z.string(),
  isFolder: z.boolean(),
  direction: LinkDirection,
  /** The people whom it is for, in the maker's words. */
  label: z.string(),
  madeBy: z.string(),
  madeByName: z.string(),
  createTimestamp: timestamp,
  expireTimestamp: timestamp,
  openings: z.int(),
  /** Null for any number. */
  openingsMax: z.nullable(z.int()),
  lastOpenedTimestamp: z.nullable(timestamp),
  state: LinkState,
})
export type FileLink = z.infer<typeof FileLink>

export const NewFileLink = z.object({
  itemId: z.int().check(z.minimum(1)),
  direction: LinkDirection,
  label: requiredText(LABEL_REQUIRED),
  /** Days until it ends. */
  days: z.int('Please enter a number of days.').check(z.minimum(1), z.maximum(LINK_DAYS_MAX)),
  openingsMax: z._default(
    z.nullable(
      z.int(OPENINGS_RANGE).check(z.minimum(1, OPENINGS_RANGE), z.maximum(OPENINGS_MAX, OPENINGS_RANGE)),
    ),
    null,
  ),
  /** Without one the server makes one. */
  passcode: z.optional(text(PASSCODE_MAX).check(z.trim(), z.minLength(PASSCODE_MIN, PASSCODE_TOO_SHORT))),
})
export type NewFileLink = z.infer<typeof NewFileLink>
/** A new link. No other response has its token and its passcode. */
export const IssuedFileLink = z.extend(FileLink, { token: z.string(), passcode: z.string() })
export type IssuedFileLink = z.infer<typeof IssuedFileLink>

const TOKEN_MAX = 200
export const token = z.string().check(z.maxLength(TOKEN_MAX))
export const VisitHeaders = z.object({ 'link-visit': token })
/** A link before its passcode. */
export const LinkDoor = z.object({ organisation: z.string(), direction: LinkDirection })
export type LinkDoor = z.infer<typeof LinkDoor>
export const LinkOpening = z.object({
  token,
  passcode: z.string().check(z.maxLength(PASSCODE_MAX), z.trim()),
  /** The visitor's name, unverified. Needed for sending files. */
  visitor: z._default(text().check(z.trim()), ''),
})
export type LinkOpening = z.infer<typeof LinkOpening>

/** A file or folder as a visitor sees it. */
export const LinkItem = z.object({
  id: z.int(),
  name: z.string(),
  extension: z.string(),
  size: z.int(),
  isFolder: z.boolean(),
  updateTimestamp: timestamp,
})
export type LinkItem = z.infer<typeof LinkItem>
/** An opened link. */
export const LinkVisit = z.object({
  /** Sent as the header `Link-Visit` with everything that follows. */
  visit: z.string(),
  expireTimestamp: timestamp,
  direction: LinkDirection,
  organisation: z.string(),
  item: LinkItem,
  /** Limits of files that are sent. */
  maxFileSize: z.int(),
  allowedFileExtensions: z.array(z.string()),
})
export type LinkVisit = z.infer<typeof LinkVisit>
export const LinkItems = z.object({ items: z.array(LinkItem), total: z.int() })
export type LinkItems = z.infer<typeof LinkItems>

/** A file that a visitor sent, by the name that they sent. */
export const LinkUpload = z.object({ name: z.string(), size: z.int(), createTimestamp: timestamp })
export type LinkUpload = z.infer<typeof LinkUpload>
/** A header holds ASCII only, so that the name is percent-encoded. */
const encodedName = z.pipe(
  z.string().check(z.maxLength(9 * SHORT_TEXT_MAX)),
  z.pipe(
    z.transform((value: string, context) => {
      try {
        return decodeURIComponent(value)
      } catch {
        context.issues.push({ code: 'custom', message: 'The name cannot be read.', input: value })
        return z.NEVER
      }
    }),
    requiredText('The file has no name.'),
  ),
)
export const LinkUploadHeaders = z.extend(VisitHeaders, { 'file-name': encodedName })
export type LinkUploadHeaders = z.infer<typeof LinkUploadHeaders>
export const LinkItemsQuery = z.object({
  /** Without one the linked folder. */
  folder: z.optional(itemId),
  page: z._default(z.coerce.number().check(z.refine(Number.isInteger), z.minimum(1), z.maximum(10_000)), 1),
})
