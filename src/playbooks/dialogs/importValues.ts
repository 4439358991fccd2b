import { NewCategory } from '#contract/playbook-categories/schema.ts'
import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'

/** Stands for the category that the file names and the organisation does not have yet. */
export const NEW_CATEGORY = 'new'

/** A playbook that was read, with what somebody chose for it and what became of it. */
export interface ImportEntry {
  readonly key: string
  /** The name of its file. */
  readonly source: string
  readonly playbook: ImportedPlaybook
  /** An id, null for none, or `NEW_CATEGORY`. */
  readonly categoryId: string | null
  readonly isChosen: boolean
  /** Its id once it was created. */
  readonly createdId: string | null
  /** Why it was not created. */
  readonly failure: string | null
}
/** A file that cannot be imported. */
export interface RefusedFile {
  readonly key: string
  readonly source: string
  readonly message: string
}

interface Named {
  readonly id: string
  readonly name: string
}
const folded = (name: string) => name.trim().toLowerCase()
/** The category of a name, in any case. */
export const categoryNamed = (categories: readonly Named[], name: string | null): Named | undefined =>
  name === null ? undefined : categories.find((one) => folded(one.name) === folded(name))

/** The name of the category that can be made for a playbook: the file names it and there is none yet. */
export function newCategoryOf(
  { categoryName }: Pick<ImportedPlaybook, 'categoryName'>,
  categories: readonly Named[],
): string | undefined {
  const name = NewCategory.safeParse({ name: categoryName }).data?.name
  return name !== undefined && !categoryNamed(categories, name) ? name : undefined
}

/** The body of the new playbook. */
export const bodyOf = (
  { name, description, activities }: ImportedPlaybook,
  categoryId: string | null,
): {
  name: string
  description: string
  categoryId: string | null
  activities: Omit<ImportedPlaybook['activities'][number], 'line'>[]
} => ({
  name: name.trim(),
  description,
  categoryId,
  activities: activities.map(
    ({ type, title, description, priority, idealTitleToExecute, expectedTimeToComplete }) => ({
      type,
      title,
      description,
      priority,
      idealTitleToExecute,
      expectedTimeToComplete,
    }),
  ),
})

/** Sentences of a refusal that are shown. */
const SENTENCES = 3
/** Why a playbook was not created: the sentences at its fields, or that of the refusal. */
export function failureOf(error: unknown, fallback: string): string {
  const fields = error instanceof HttpProblem ? Object.values(error.body.fields ?? {}) : []
  const sentences = [...new Set(fields)].slice(0, SENTENCES)
  return sentences.length > 0 ? sentences.join(' ') : messageOf(error, fallback)
}
