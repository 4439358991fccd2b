import * as z from 'zod/mini'

import {
  Priority,
  RECOVERY_TIME_MAX,
  saysSomething,
  SEVERITIES,
  Severity,
} from '#contract/incidents/schema.ts'
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
export const PLAYBOOK_ARCHIVED = 'This playbook is archived.'
export const NEVER_PUBLISHED = 'This playbook was never published. Delete it instead.'
export const APPROVAL_NOT_REQUESTED = 'This draft does not ask for approval.'
export const OWN_DRAFT = 'Somebody who did not write the draft has to approve it.'
export const REASON_REQUIRED = 'Please enter a reason.'
/** Days that a deleted playbook stays in the bin. */
export const PLAYBOOK_BIN_DAYS = 30
/** More items than any organisation's limit; a longer list is a mistake. */
export const PLAYBOOK_ITEMS_MAX = 10_000
/** Depth of the deepest heading: a Markdown file has its name and five levels of headings below. */
export const HEADING_LEVEL_MAX = 5
/** Characters of the condition of a heading, which completes “Only if …”. */
export const CONDITION_MAX = 200
/** Words, and people or groups, that a playbook names. More are a mistake. */
const NAMED_MAX = 50
/** Files of the playbook attached to one task. */
const FILES_PER_TASK = 50

export const PlaybookItemType = z.enum(['TASK', 'HEADING'])
export type PlaybookItemType = z.infer<typeof PlaybookItemType>

/** A heading or a task of a playbook (operations §3 "Playbook activity"). */
export const PlaybookActivity = z.object({
  id,
  type: PlaybookItemType,
  /** Text of a heading, title of a task. */
  title: z.string(),
  /** Plain text. A heading may have none. */
  description: z.string(),
  /** The description as sanitised HTML with the product's rich text; null for plain text. */
  formattedDescription: z.nullable(z.string()),
  /** Depth of a heading, from 1 at the top; 1 for a task. */
  level: z.int(),
  /** Completes “Only if …” of a heading: incidents ask whether its tasks apply. Null for none, and for a task. */
  condition: z.nullable(z.string()),
  priority: Priority,
  idealTitleToExecute: z.nullable(z.string()),
  /** Whole minutes. */
  expectedTimeToComplete: z.nullable(z.int()),
  /** Files of the playbook attached to the task. */
  attachedFileIds: z.array(id),
  /** Position from 0. */
  index: z.int(),
})
export type PlaybookActivity = z.infer<typeof PlaybookActivity>

/** `WAITING` asks for approval; `RETURNED` was sent back with a reason. */
export const DRAFT_STATES = ['DRAFT', 'WAITING', 'RETURNED'] as const
export const DraftState = z.enum(DRAFT_STATES)
export type DraftState = z.infer<typeof DraftState>
/** The unpublished changes of a playbook, without their content. */
export const DraftSummary = z.object({
  /** Id of the save. An act on the draft names it, so that nobody publishes what they have not seen. */
  revision: id,
  state: DraftState,
  /** Email of the last person to save it. */
  savedBy: z.string(),
  savedTimestamp: timestamp,
})
export type DraftSummary = z.infer<typeof DraftSummary>

export const PLAYBOOK_KINDS = ['INCIDENT', 'EXERCISE'] as const
export const PlaybookKind = z.enum(PLAYBOOK_KINDS)
export type PlaybookKind = z.infer<typeof PlaybookKind>
/** Incidents for which the form of declaring proposes a playbook. Empty parts fit every incident; without any part it is not proposed. */
export const PlaybookProposal = z.object({
  kinds: z.array(PlaybookKind),
  severities: z.array(Severity),
  /** Words in the title of the incident; one is enough. */
  words: z.array(z.string()),
})
export type PlaybookProposal = z.infer<typeof PlaybookProposal>
export const NO_PROPOSAL: PlaybookProposal = { kinds: [], severities: [], words: [] }

/** Acts that a playbook does by itself when an incident is declared with it. */
export const PlaybookStart = z.object({
  /** Creates the breakout room. */
  createRoom: z.boolean(),
  /** Emails of people and ids of groups who are added to the room, and to the incident where it is for selected people. */
  people: z.array(z.string()),
  groupIds: z.array(id),
  /** Plain text that is sent into the room; empty for none. */
  firstMessage: z.string(),
  /** The notification template that is offered, filled in, on the incident. It may be deleted since. */
  notificationTemplateId: z.nullable(id),
})
export type PlaybookStart = z.infer<typeof PlaybookStart>
export const NO_START: PlaybookStart = {
  createRoom: false,
  people: [],
  groupIds: [],
  firstMessage: '',
  notificationTemplateId: null,
}

/** A playbook in a list, without headings and tasks. */
export const PlaybookSummary = z.object({
  id,
  name: z.string(),
  /** Null means Uncategorized. */
  categoryId: z.nullable(id),
  /** The incident brief, as plain text. */
  description: z.string(),
  /** Id of the playbook's set of files, equal to its own id. Incidents get copies of them. */
  attachmentsFolderId: id,
  /** Number of headings and tasks. */
  activitiesCount: z.int(),
  /** Number of tasks alone. */
  tasksCount: z.int(),
  createdBy: z.string(),
  createTimestamp: timestamp,
  /** Email of the last person to save it, or name of the organisation that shared it. */
  updatedBy: z.string(),
  updateTimestamp: timestamp,
  /** Email of the person responsible for its content; null for nobody. */
  owner: z.nullable(z.string()),
  /** Day of the owner's next review, in the organisation's calendar. */
  reviewDate: z.nullable(z.iso.date()),
  /** Name of the organisation that shared it; null for an own playbook. */
  sharedBy: z.nullable(z.string()),
  /** Number of the publication, from 1; 0 for a playbook that is still a draft. Sent back, so that a stale save is refused. */
  version: z.int(),
  /** False for a new playbook that is still a draft: only people who write playbooks see it. */
  isPublished: z.boolean(),
  /** Null without a draft, and for callers who do not write playbooks. */
  draft: z.nullable(DraftSummary),
  archiveTimestamp: z.nullable(timestamp),
  /** Time at which an incident or exercise last took tasks from it. */
  lastUsedTimestamp: z.nullable(timestamp),
  /** Number of times that an incident or exercise took tasks from it. */
  usesCount: z.int(),
  proposal: PlaybookProposal,
})
export type PlaybookSummary = z.infer<typeof PlaybookSummary>

/** A playbook, the template of incidents (operations §3 "Playbook template"). */
export const PlaybookTemplate = z.extend(PlaybookSummary, {
  activities: z.array(PlaybookActivity),
  start: PlaybookStart,
})
export type PlaybookTemplate = z.infer<typeof PlaybookTemplate>
/** A playbook in a list: pages leave headings and tasks out, the whole list includes them. */
export const ListedPlaybook = z.extend(PlaybookSummary, { activities: z.optional(z.array(PlaybookActivity)) })
export type ListedPlaybook = z.infer<typeof ListedPlaybook>
/** A playbook with the names of the people whom it shows by email address. */
export const OpenedPlaybook = z.extend(PlaybookTemplate, { people: z.array(NamedPerson) })
export type OpenedPlaybook = z.infer<typeof OpenedPlaybook>

/** The missing fields of a heading or task, with their messages (operations §5 "Playbooks"). */
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

/** A heading or a task to save; its position in the list becomes its `index`. */
export const NewPlaybookActivity = z
  .object({
    /** The existing id, so that versions tell a moved item from a new one. Absent for a new item. */
    id: z.optional(id),
    type: z._default(PlaybookItemType, 'TASK'),
    title: z._default(text(SHORT_TEXT_MAX), ''),
    description: z._default(text(LONG_TEXT_MAX), ''),
    /**
     * Rich text as HTML, from which the description is derived. Null makes the description plain; so does a changed
     * description alone.
     */
    formattedDescription: z.optional(z.nullable(text(LONG_TEXT_MAX))),
    /** Level of a heading; ignored for a task. */
    level: z._default(z.int().check(z.minimum(1), z.maximum(HEADING_LEVEL_MAX)), 1),
    /** Condition of a heading; ignored for a task. */
    condition: optionalText(CONDITION_MAX),
    priority: z._default(Priority, 'MEDIUM'),
    idealTitleToExecute: optionalText(SHORT_TEXT_MAX),
    expectedTimeToComplete: z._default(
      z.nullable(z.int().check(z.minimum(1), z.maximum(RECOVERY_TIME_MAX))),
      null,
    ),
    attachedFileIds: z._default(listOf(id, FILES_PER_TASK), []),
  })
  .check((context) => {
    const { formattedDescription: html } = context.value
    const said = html && saysSomething(html) ? { description: html } : {}
    for (const [path, message] of Object.entries(missingInItem({ ...context.value, ...said })))
      context.issues.push({ code: 'custom', path: [path], message, input: context.value })
  })
export type NewPlaybookActivity = z.output<typeof NewPlaybookActivity>

const word = requiredText('Please enter a word.')
const proposal = z.object({
  kinds: z._default(listOf(PlaybookKind, PLAYBOOK_KINDS.length), []),
  severities: z._default(listOf(Severity, SEVERITIES.length), []),
  words: z._default(listOf(word, NAMED_MAX), []),
})
const start = z.object({
  createRoom: z._default(z.boolean(), false),
  people: z._default(listOf(email, NAMED_MAX), []),
  groupIds: z._default(listOf(id, NAMED_MAX), []),
  firstMessage: z._default(text(MEDIUM_TEXT_MAX), ''),
  notificationTemplateId: z._default(z.nullable(id), null),
})

const content = {
  name: requiredText(PLAYBOOK_NAME_REQUIRED),
  categoryId: z._default(z.nullable(id), null),
  description: z._default(text(MEDIUM_TEXT_MAX), ''),
  activities: listOf(NewPlaybookActivity, PLAYBOOK_ITEMS_MAX, { required: ITEM_REQUIRED }),
  /** Email of an active person of the organisation; nobody by default. */
  owner: z._default(z.nullable(email), null),
  reviewDate: z._default(z.nullable(z.iso.date('Please enter a valid date.')), null),
}
/** The body of a new playbook. */
export const NewPlaybook = z.object({
  ...content,
  proposal: z._default(proposal, NO_PROPOSAL),
  start: z._default(start, NO_START),
  /** Copies a set of files, such as those of a cloned playbook; tasks may refer to these by id. */
  attachmentsFolderIdForDuplication: z.optional(z.nullable(id)),
  /** Saves a draft instead of publishing. */
  asDraft: z.optional(z.boolean()),
})
export type NewPlaybook = z.output<typeof NewPlaybook>
/** The new content of a whole playbook. Owner, review date, proposal and start stay unchanged where they are not sent. */
export const PlaybookChanges = z.object({
  ...content,
  proposal: z.optional(proposal),
  start: z.optional(start),
  owner: z.optional(z.nullable(email)),
  reviewDate: z.optional(z.nullable(z.iso.date('Please enter a valid date.'))),
  version: z.optional(z.int()),
  /** Saves a draft instead of publishing. */
  asDraft: z.optional(z.boolean()),
  /** The draft that the changes were made to. It ends when they are published. */
  draftRevision: z.optional(id),
})
export type PlaybookChanges = z.output<typeof PlaybookChanges>

/** One save of a playbook, newest first in lists. */
export const PlaybookVersion = z.object({
  version: z.int(),
  /** Email of a person, name of an API key, or of the organisation that shared it. */
  savedBy: z.string(),
  savedTimestamp: timestamp,
  /** The older version that this save restored. */
  restoredFrom: z.nullable(z.int()),
  /** Email of the person who approved the draft and thereby published it, where that is not an author of it. */
  approvedBy: z.nullable(z.string()),
})
export type PlaybookVersion = z.infer<typeof PlaybookVersion>

/** The content of a playbook that each version keeps. */
export const PlaybookContent = z.pick(PlaybookTemplate, {
  name: true,
  description: true,
  categoryId: true,
  activities: true,
  proposal: true,
  start: true,
})
export type PlaybookContent = z.infer<typeof PlaybookContent>
export const PlaybookVersionContent = z.extend(PlaybookVersion, {
  content: PlaybookContent,
  /** Names of the files attached to its tasks, including files deleted since. */
  fileNames: z.record(id, z.string()),
})
export type PlaybookVersionContent = z.infer<typeof PlaybookVersionContent>

/** A draft with its content. */
export const PlaybookDraft = z.extend(DraftSummary, {
  /** The published version that the draft was begun with; 0 before the first publication. */
  baseVersion: z.int(),
  content: PlaybookContent,
  owner: z.nullable(z.string()),
  reviewDate: z.nullable(z.iso.date()),
  /** Names of the files attached to its tasks. */
  fileNames: z.record(id, z.string()),
  /** True when the caller has saved the draft, and therefore cannot approve it. */
  isOwn: z.boolean(),
  returnedBy: z.nullable(z.string()),
  returnReason: z.nullable(z.string()),
  people: z.array(NamedPerson),
})
export type PlaybookDraft = z.infer<typeof PlaybookDraft>
/** The body that sends a draft back to its authors. */
export const ReturnedDraft = z.object({
  revision: id,
  reason: requiredText(REASON_REQUIRED, MEDIUM_TEXT_MAX),
})

/** A playbook in the bin. */
export const BinnedPlaybook = z.extend(PlaybookSummary, {
  deletedBy: z.string(),
  deleteTimestamp: timestamp,
  /** Time at which it is deleted for good. */
  expireTimestamp: timestamp,
})
export type BinnedPlaybook = z.infer<typeof BinnedPlaybook>

/** Another person who has the playbook open in an editor. */
export const PlaybookEditor = z.object({ email: z.string(), name: z.string(), sinceTimestamp: timestamp })
export type PlaybookEditor = z.infer<typeof PlaybookEditor>
/** Milliseconds between heartbeats of an open editor, and without one until it counts as closed. */
export const EDITING_HEARTBEAT = 20_000
export const EDITING_TIMEOUT = 60_000

/** A playbook of the starter library, which the organisation saves as its own. */
export const StarterPlaybook = z.object({
  /** Such as `ransomware`. */
  id: z.string(),
  name: z.string(),
  /** The situation to use it in, as one sentence. */
  purpose: z.string(),
  description: z.string(),
  activities: z.array(z.omit(PlaybookActivity, { id: true, attachedFileIds: true, index: true })),
})
export type StarterPlaybook = z.infer<typeof StarterPlaybook>

/** Formats of a document (foundation §3 "Export format"). */
export const PLAYBOOK_DOCUMENT_TYPES = ['PDF', 'DOCX'] as const
export const PlaybookDocumentType = z.enum(PLAYBOOK_DOCUMENT_TYPES)
export type PlaybookDocumentType = z.infer<typeof PlaybookDocumentType>
/** Formats that can be imported again without loss. */
export const PLAYBOOK_SOURCE_TYPES = ['MARKDOWN', 'JSON'] as const
export const PlaybookSourceType = z.enum(PLAYBOOK_SOURCE_TYPES)
export type PlaybookSourceType = z.infer<typeof PlaybookSourceType>
/** Playbooks of an immediate archive; larger ones are made by a job. */
export const ARCHIVED_AT_ONCE = 20
