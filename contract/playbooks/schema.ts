import * as z from 'zod/mini'

import { Priority, RECOVERY_TIME_MAX } from '#contract/incidents/schema.ts'
import {
  email,
  id,
  isBlank,
  listOf,
  LONG_TEXT_MAX,
  MEDIUM_TEXT_MAX,
  optionalText,
  requiredText,
  SHORT_TEXT_MAX,
  text,
  timestamp,
} from '#contract/kit/text.ts'
import { NamedPerson } from '#contract/users/schema.ts'

export const PLAYBOOK_NAME_REQUIRED = 'Playbook name is required.'
export const PLAYBOOK_TASK_TITLE_REQUIRED = 'Title cannot be empty.'
export const PLAYBOOK_TASK_DESCRIPTION_REQUIRED = 'Description cannot be empty.'
export const HEADING_REQUIRED = 'Heading cannot be empty.'
export const ITEM_REQUIRED = 'Please include at least one heading or task.'
export const tooManyItems = (max: number) =>
  `The number of headings/tasks has exceeded the maximum of ${max}.`
export const PLAYBOOKS_LIMIT_REACHED = 'Maximum playbooks created.'
export const NO_SUCH_PLAYBOOK_FILE = 'This file does not belong to the playbook.'
export const NO_SUCH_PLAYBOOK = 'This playbook does not exist.'
export const NO_SUCH_CATEGORY = 'This category does not exist.'
export const UNKNOWN_OWNER = 'This is not an active user.'
/** More items than any limit of an organisation allows: beyond it a list is a mistake. */
export const PLAYBOOK_ITEMS_MAX = 10_000
/** Files of the playbook that one task refers to. */
const FILES_PER_TASK = 50

export const PlaybookItemType = z.enum(['TASK', 'HEADING'])
export type PlaybookItemType = z.infer<typeof PlaybookItemType>

/** A heading or a task of a playbook, in its place (operations §3 "Playbook activity"). */
export const PlaybookActivity = z.object({
  id,
  type: PlaybookItemType,
  /** The words of a heading, the title of a task. */
  title: z.string(),
  /** Plain text; empty for a heading. */
  description: z.string(),
  priority: Priority,
  idealTitleToExecute: z.nullable(z.string()),
  /** Whole minutes. */
  expectedTimeToComplete: z.nullable(z.int()),
  /** Files of the playbook that a task refers to. */
  attachedFileIds: z.array(id),
  /** From 0. */
  index: z.int(),
})
export type PlaybookActivity = z.infer<typeof PlaybookActivity>

/** A playbook in a list: without its headings and tasks. */
export const PlaybookSummary = z.object({
  id,
  name: z.string(),
  /** Null means Uncategorized. */
  categoryId: z.nullable(id),
  /** The incident brief: plain text. */
  description: z.string(),
  /** Names the set of its files, of which an incident begins with copies. It is the playbook's own id. */
  attachmentsFolderId: id,
  /** Headings and tasks. */
  activitiesCount: z.int(),
  createdBy: z.string(),
  createTimestamp: timestamp,
  /** Who saved it last: an email, or the name of the organisation that shared it. */
  updatedBy: z.string(),
  updateTimestamp: timestamp,
  /** The email of the person who keeps it right; null for nobody. */
  owner: z.nullable(z.string()),
  /** The day on which the owner is to look through it again, in the organisation's own calendar. */
  reviewDate: z.nullable(z.iso.date()),
  /** The organisation that shared it; null for one that was made here. */
  sharedBy: z.nullable(z.string()),
  /** Counts its saves from 1. Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type PlaybookSummary = z.infer<typeof PlaybookSummary>

/** A playbook: what an incident can begin with (operations §3 "Playbook template"). */
export const PlaybookTemplate = z.extend(PlaybookSummary, { activities: z.array(PlaybookActivity) })
export type PlaybookTemplate = z.infer<typeof PlaybookTemplate>
/** A playbook in a list: a page of the list leaves its headings and tasks out, the whole list has them. */
export const ListedPlaybook = z.extend(PlaybookSummary, { activities: z.optional(z.array(PlaybookActivity)) })
export type ListedPlaybook = z.infer<typeof ListedPlaybook>
/** A playbook as it is opened: with the names of the people whom it shows by address. */
export const OpenedPlaybook = z.extend(PlaybookTemplate, { people: z.array(NamedPerson) })
export type OpenedPlaybook = z.infer<typeof OpenedPlaybook>

/** What a heading or a task lacks, by field (operations §5 "Playbooks"). */
export function missingInItem({
  type,
  title,
  description,
}: Pick<PlaybookActivity, 'type' | 'title' | 'description'>): {
  [field in 'title' | 'description']?: string
} {
  const isTask = type === 'TASK'
  return {
    ...(isBlank(title) ? { title: isTask ? PLAYBOOK_TASK_TITLE_REQUIRED : HEADING_REQUIRED } : {}),
    ...(isTask && isBlank(description) ? { description: PLAYBOOK_TASK_DESCRIPTION_REQUIRED } : {}),
  }
}

/** A heading or a task as it is saved; its place in the list is its `index`. */
export const NewPlaybookActivity = z
  .object({
    /** The id that it has had, so that versions tell a moved item from a new one. A new item has none. */
    id: z.optional(id),
    type: z._default(PlaybookItemType, 'TASK'),
    title: z._default(text(SHORT_TEXT_MAX), ''),
    description: z._default(text(LONG_TEXT_MAX), ''),
    priority: z._default(Priority, 'MEDIUM'),
    idealTitleToExecute: optionalText(SHORT_TEXT_MAX),
    expectedTimeToComplete: z._default(
      z.nullable(z.int().check(z.minimum(1), z.maximum(RECOVERY_TIME_MAX))),
      null,
    ),
    attachedFileIds: z._default(listOf(id, FILES_PER_TASK), []),
  })
  .check((context) => {
    for (const [path, message] of Object.entries(missingInItem(context.value)))
      context.issues.push({ code: 'custom', path: [path], message, input: context.value })
  })
export type NewPlaybookActivity = z.output<typeof NewPlaybookActivity>

const content = {
  name: requiredText(PLAYBOOK_NAME_REQUIRED),
  categoryId: z._default(z.nullable(id), null),
  description: z._default(text(MEDIUM_TEXT_MAX), ''),
  activities: listOf(NewPlaybookActivity, PLAYBOOK_ITEMS_MAX, { required: ITEM_REQUIRED }),
  /** The email of an active person of the organisation; nobody unless said. */
  owner: z._default(z.nullable(email), null),
  reviewDate: z._default(z.nullable(z.iso.date('Please enter a valid date.')), null),
}
/** The body of a new playbook. */
export const NewPlaybook = z.object({
  ...content,
  /** Begins with copies of a set of files, such as those of the playbook that is cloned; tasks may name these by their ids. */
  attachmentsFolderIdForDuplication: z.optional(z.nullable(id)),
})
export type NewPlaybook = z.output<typeof NewPlaybook>
/** The whole playbook as it is to be. Owner and review date stay as they are where they are left out. */
export const PlaybookChanges = z.object({
  ...content,
  owner: z.optional(z.nullable(email)),
  reviewDate: z.optional(z.nullable(z.iso.date('Please enter a valid date.'))),
  version: z.optional(z.int()),
})
export type PlaybookChanges = z.output<typeof PlaybookChanges>

/** One save of a playbook, newest first in lists. */
export const PlaybookVersion = z.object({
  version: z.int(),
  /** An email, the name of an API key, or the organisation that shared it. */
  savedBy: z.string(),
  savedTimestamp: timestamp,
  /** The version that was taken again by this save. */
  restoredFrom: z.nullable(z.int()),
})
export type PlaybookVersion = z.infer<typeof PlaybookVersion>

/** What a version keeps of a playbook. */
export const PlaybookContent = z.pick(PlaybookTemplate, {
  name: true,
  description: true,
  categoryId: true,
  activities: true,
})
export type PlaybookContent = z.infer<typeof PlaybookContent>
/** A version with its content. */
export const PlaybookVersionContent = z.extend(PlaybookVersion, {
  content: PlaybookContent,
  /** Names of the files that its tasks referred to, those deleted since included. */
  fileNames: z.record(id, z.string()),
})
export type PlaybookVersionContent = z.infer<typeof PlaybookVersionContent>

/** Somebody else who has the playbook open in an editor. */
export const PlaybookEditor = z.object({ email: z.string(), name: z.string(), sinceTimestamp: timestamp })
export type PlaybookEditor = z.infer<typeof PlaybookEditor>
/** An editor says every 20 s that it is open; after a minute of silence it counts as closed. */
export const EDITING_HEARTBEAT = 20_000
export const EDITING_TIMEOUT = 60_000

/** A playbook of the starter library, which becomes the organisation's own when it is saved. */
export const StarterPlaybook = z.object({
  /** Such as `ransomware`. */
  id: z.string(),
  name: z.string(),
  /** When to use it, in one sentence. */
  purpose: z.string(),
  description: z.string(),
  activities: z.array(z.omit(PlaybookActivity, { id: true, attachedFileIds: true, index: true })),
})
export type StarterPlaybook = z.infer<typeof StarterPlaybook>

/** The formats of a document (foundation §3 "Export format"). */
export const PLAYBOOK_DOCUMENT_TYPES = ['PDF', 'DOCX'] as const
export const PlaybookDocumentType = z.enum(PLAYBOOK_DOCUMENT_TYPES)
export type PlaybookDocumentType = z.infer<typeof PlaybookDocumentType>
/** The formats that can be imported again without loss. */
export const PLAYBOOK_SOURCE_TYPES = ['MARKDOWN', 'JSON'] as const
export const PlaybookSourceType = z.enum(PLAYBOOK_SOURCE_TYPES)
export type PlaybookSourceType = z.infer<typeof PlaybookSourceType>
/** Playbooks in one archive that is answered at once; more are made by a job. */
export const ARCHIVED_AT_ONCE = 20
