import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

type Item = StarterPlaybook['activities'][number]
interface Details {
  /** The suggested role, `idealTitleToExecute`. */
  readonly role?: string
  readonly minutes?: number
}

export const phase = (title: string): Item => ({
  type: 'HEADING',
  title,
  description: '',
  formattedDescription: null,
  level: 1,
  condition: null,
  priority: 'MEDIUM',
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
})
const taskOf =
  (priority: Item['priority']) =>
  (title: string, description: string, { role, minutes }: Details = {}): Item => ({
    type: 'TASK',
    title,
    description,
    formattedDescription: null,
    level: 1,
    condition: null,
    priority,
    idealTitleToExecute: role ?? null,
    expectedTimeToComplete: minutes ?? null,
  })
/** A task of high priority. */
export const first = taskOf('HIGH')
export const next = taskOf('MEDIUM')
/** A task of low priority. */
export const later = taskOf('LOW')
