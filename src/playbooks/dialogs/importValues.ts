import { NewCategory } from '#contract/playbook-categories/schema.ts'
import type { ImportedPlaybook, ImportTable } from '#contract/playbook-imports/schema.ts'
import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'

/** Stands for a new category with the name in the file. */
export const NEW_CATEGORY = 'new'

/** A playbook as an import created it. */
export type CreatedPlaybook = Pick<PlaybookSummary, 'id' | 'categoryId' | 'version'>

/** A table whose columns are to be assigned. */
export interface TableEntry {
  readonly key: string
  /** Name of its file. */
  readonly source: string
  readonly fileName: string
  readonly content: string
  readonly table: ImportTable
}

/** A parsed playbook with its settings and result. */
export interface ImportEntry {
  readonly key: string
  /** Name of its file. */
  readonly source: string
  readonly playbook: ImportedPlaybook
  /** An id, null for none, or `NEW_CATEGORY`. */
  readonly categoryId: string | null
  readonly isChosen: boolean
  /** The created playbook; null before. */
  readonly created: CreatedPlaybook | null
  /** Error message of the creation; null for none. */
  readonly failure: string | null
}
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
/** Finds a category by name, ignoring case. */
export const categoryNamed = (categories: readonly Named[], name: string | null): Named | undefined =>
  name === null ? undefined : categories.find((one) => folded(one.name) === folded(name))

/** Name of the category that the file requests and that does not exist yet; undefined for none. */
export function newCategoryOf(
  { categoryName }: Pick<ImportedPlaybook, 'categoryName'>,
  categories: readonly Named[],
): string | undefined {
  const name = NewCategory.safeParse({ name: categoryName }).data?.name
  return name !== undefined && !categoryNamed(categories, name) ? name : undefined
}

/** The request's body for a new playbook. */
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
    ({
      type,
      title,
      description,
      formattedDescription,
      level,
      condition,
      priority,
      idealTitleToExecute,
      expectedTimeToComplete,
    }) => ({
      type,
      title,
      description,
      formattedDescription,
      level,
      condition,
      priority,
      idealTitleToExecute,
      expectedTimeToComplete,
    }),
  ),
})

/** Sentences shown of a refusal. */
const SENTENCES = 3
/** Message of a failed creation: the field errors, or the refusal's sentence. */
export function failureOf(error: unknown, fallback: string): string {
  const fields = error instanceof HttpProblem ? Object.values(error.body.fields ?? {}) : []
  const sentences = [...new Set(fields)].slice(0, SENTENCES)
  return sentences.length > 0 ? sentences.join(' ') : messageOf(error, fallback)
}
