import * as z from 'zod/mini'

import { id, requiredText, timestamp } from '#contract/kit/text.ts'
import { PlaybookSummary } from '#contract/playbooks/schema.ts'

export const CATEGORY_NAME_MIN = 3
export const CATEGORY_NAME_TOO_SHORT = `The category name must have at least ${CATEGORY_NAME_MIN} characters.`
export const CATEGORY_NAME_TAKEN = 'This category name is already in use.'

/** A category of playbooks (operations §3 "Playbook category"). */
export const PlaybookCategory = z.object({
  id,
  name: z.string(),
  /** Copy of `name`, for programs that expect this field. */
  categoryName: z.string(),
  playbooksCount: z.int(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  version: z.int(),
})
export type PlaybookCategory = z.infer<typeof PlaybookCategory>
/** A category in the list, with its playbooks if requested. */
export const ListedCategory = z.extend(PlaybookCategory, {
  playbooks: z.optional(z.array(PlaybookSummary)),
})
export type ListedCategory = z.infer<typeof ListedCategory>

const name = requiredText(CATEGORY_NAME_TOO_SHORT).check(
  z.minLength(CATEGORY_NAME_MIN, CATEGORY_NAME_TOO_SHORT),
)
export const NewCategory = z.object({ name })
export const CategoryChanges = z.object({ name, version: z.optional(z.int()) })
export type CategoryChanges = z.infer<typeof CategoryChanges>
