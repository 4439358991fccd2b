import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

/** Initial contents of a new playbook: a starter, or a parsed file. */
export interface EditorDraft {
  readonly name: string
  readonly description: string
  readonly categoryId: string | null
  readonly activities: StarterPlaybook['activities']
}
