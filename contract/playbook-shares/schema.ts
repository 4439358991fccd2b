import * as z from 'zod/mini'

import { id, listOf, timestamp } from '#contract/kit/text.ts'

export const SHARE_PLAYBOOKS_REQUIRED = 'Please select at least one playbook.'
export const SHARE_ORGANISATIONS_REQUIRED = 'Please select at least one organization.'
export const cannotReceive = (organisation: string, count: number) =>
  `The ${organisation} organization cannot receive ${count} playbooks.`
export const NO_SUCH_ORGANISATION = 'This is not a child organization.'
export const NO_LONGER_A_CHILD = 'This is no longer a child organization.'
export const FILE_NOT_READ = 'A file of this playbook could not be read.'
export const noRoomForFiles = (organisation: string) =>
  `The ${organisation} organization has no room for the files of this playbook.`
/** Copies of one share: playbooks times organisations. */
export const COPIES_AT_ONCE = 10_000
export const TOO_MANY_COPIES = 'Please share fewer playbooks at once, or with fewer organizations.'
export const SHARING_FAILED = 'Some errors occurred while sharing playbooks.'
/** Maximum of playbooks, and of organisations, in one share. */
export const SHARED_AT_ONCE = 1_000

/** The body of a share (operations §7). */
export const NewShare = z.object({
  playbookIds: listOf(id, SHARED_AT_ONCE, { required: SHARE_PLAYBOOKS_REQUIRED }),
  childEnterpriseIds: listOf(id, SHARED_AT_ONCE, { required: SHARE_ORGANISATIONS_REQUIRED }),
})
export type NewShare = z.infer<typeof NewShare>

/** The outcome for one playbook at one organisation. */
export const ShareResult = z.object({
  playbookId: id,
  playbookName: z.string(),
  enterpriseId: id,
  enterpriseName: z.string(),
  outcome: z.enum(['WAITING', 'SHARED', 'FAILED']),
  /** Error of a failed copy. */
  message: z.nullable(z.string()),
})
export type ShareResult = z.infer<typeof ShareResult>

/** The sharing of playbooks with child organisations. `FAILED` means that at least one copy failed. */
export const PlaybookShare = z.object({
  id,
  state: z.enum(['SHARING', 'DONE', 'FAILED']),
  /** Per cent. */
  progress: z.int(),
  createTimestamp: timestamp,
  results: z.array(ShareResult),
})
export type PlaybookShare = z.infer<typeof PlaybookShare>
