import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

/** What a new playbook begins with: a starter, or a playbook that was read from a file. */
export interface EditorDraft {
  readonly name: string
  readonly description: string
  readonly categoryId: string | null
  readonly activities: StarterPlaybook['activities']
}
