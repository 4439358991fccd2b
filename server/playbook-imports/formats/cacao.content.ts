import * as z from 'zod/mini'

import type { ImportedActivity, ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'

import {
  finished,
  type Notebook,
  notebook,
  plainHeading,
  plainTask,
  TOO_MANY_STEPS,
  wrongFile,
} from './reading.content.ts'

/** Parsed fields of a CACAO 2.0 playbook (OASIS CACAO Security Playbooks 2.0, §3 and §4). */
const Step = z.object({
  type: z.string(),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  on_completion: z.optional(z.string()),
  on_success: z.optional(z.string()),
  on_failure: z.optional(z.string()),
  on_true: z.optional(z.string()),
  on_false: z.optional(z.string()),
  next_steps: z.optional(z.array(z.string())),
  condition: z.optional(z.string()),
  switch: z.optional(z.string()),
  cases: z.optional(z.record(z.string(), z.string())),
  commands: z.optional(
    z.array(
      z.object({
        type: z.string(),
        command: z.optional(z.string()),
        command_b64: z.optional(z.string()),
        description: z.optional(z.string()),
      }),
    ),
  ),
  agent: z.optional(z.string()),
  playbook_id: z.optional(z.string()),
})
type Step = z.infer<typeof Step>
const CacaoPlaybook = z.object({
  spec_version: z.string(),
  name: z.string(),
  description: z._default(z.string(), ''),
  workflow_start: z.string(),
  workflow: z.record(z.string(), Step),
  agent_definitions: z._default(z.record(z.string(), z.object({ name: z.optional(z.string()) })), {}),
})
type CacaoPlaybook = z.infer<typeof CacaoPlaybook>
const SPEC_VERSION = 'cacao-2.0'
/** Nesting depth of branches. */
const DEPTH_MAX = 50

/** True for a CACAO playbook of any version. */
export const isCacao = (file: unknown): file is Record<string, unknown> =>
  typeof file === 'object' &&
  file !== null &&
  'type' in file &&
  file.type === 'playbook' &&
  ('spec_version' in file || 'workflow' in file)

interface Walk {
  readonly steps: ReadonlyMap<string, Step>
  readonly agents: CacaoPlaybook['agent_definitions']
  readonly activities: ImportedActivity[]
  readonly notes: Notebook
  /** Steps that were read, so that a step on several branches is read once. */
  readonly done: Set<string>
  /** Steps from the start to the current one, to detect cycles. */
  readonly path: Set<string>
  /** True after a branch ended, so that the next task needs a heading of its own. */
  isAfterBranch: boolean
}
/** A field that names a step, for error messages. */
interface Reference {
  readonly id: string
  readonly from: string
}
const referenceOf = (from: string, id: string | undefined): Reference | null =>
  id === undefined ? null : { id, from }

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')
const firstLine = (text: string): string => text.trim().split(/\r?\n/, 1)[0]!

function add(walk: Walk, activity: ImportedActivity): void {
  if (walk.isAfterBranch && activity.type === 'TASK') walk.activities.push(plainHeading('Afterwards', null))
  walk.isAfterBranch = false
  walk.activities.push(activity)
  if (walk.activities.length > PLAYBOOK_ITEMS_MAX) throw wrongFile(TOO_MANY_STEPS)
}

/** The texts of an action's manual commands. Null where it has commands but no manual one. */
function manualTexts(walk: Walk, id: string, { name, commands = [] }: Step): string[] | null {
  const manual = commands.filter(({ type }) => type === 'manual')
  for (const { type } of commands)
    if (type !== 'manual')
      walk.notes.add(null, `workflow.${id}: a command of the type “${type}” was left out of “${name || id}”.`)
  if (commands.length > 0 && manual.length === 0) return null
  return manual.flatMap(({ description = '', command, command_b64: base64 = '' }) => [
    description,
    command ?? decoded(base64),
  ])
}
function roleOf({ agents }: Walk, { agent }: Step): string | null {
  if (agent === undefined || !Object.hasOwn(agents, agent)) return null
  return agents[agent]?.name?.trim() || null
}
/** Adds an action as a task; skips actions without a manual command. */
function addAction(walk: Walk, id: string, step: Step): void {
  const manual = manualTexts(walk, id, step)
  if (!manual) return
  const texts = [step.description ?? '', ...manual].filter((text) => text.trim() !== '')
  const title = step.name?.trim() || firstLine(texts[0] ?? '') || id
  const text = [...new Set(texts)].join('\n\n') || title
  add(walk, { ...plainTask(title, text, null), idealTitleToExecute: roleOf(walk, step) })
}

interface Branch {
  readonly title: string
  readonly to: Reference | null
}
/** The branches of a step, which precede its successor. */
function branchesOf(id: string, step: Step): Branch[] {
  const at = (field: string) => `workflow.${id}.${field}`
  const { name = '', condition = '' } = step
  const about = condition.trim() || name.trim() || 'the condition holds'
  switch (step.type) {
    case 'if-condition':
      return [
        { title: `If: ${about}`, to: referenceOf(at('on_true'), step.on_true) },
        { title: `Otherwise (not: ${about})`, to: referenceOf(at('on_false'), step.on_false) },
      ]
    case 'while-condition':
      return [{ title: `As long as: ${about}`, to: referenceOf(at('on_true'), step.on_true) }]
    case 'switch-condition':
      return Object.entries(step.cases ?? {}).map(([value, to]) => ({
        title: `If ${step.switch?.trim() || name.trim() || 'the value'} is ${value}`,
        to: referenceOf(at(`cases.${value}`), to),
      }))
    case 'parallel':
      return (step.next_steps ?? []).map((to, n, all) => ({
        title: `At the same time (${n + 1} of ${all.length})${name.trim() ? `: ${name.trim()}` : ''}`,
        to: referenceOf(at(`next_steps[${n}]`), to),
      }))
    default:
      return []
  }
}

function addStep(walk: Walk, id: string, step: Step): void {
  const { name = '', description = '', playbook_id: playbook } = step
  if (step.type === 'action') addAction(walk, id, step)
  else if (step.type === 'playbook-action') {
    const title = name.trim() || `Carry out the playbook ${playbook ?? ''}`.trim()
    const text = [description, playbook === undefined ? '' : `Playbook: ${playbook}`].filter(Boolean)
    add(walk, plainTask(title, text.join('\n\n') || title, null))
  } else if (description.trim() !== '') {
    const title = name.trim() || firstLine(description)
    add(walk, plainTask(title, description, null))
  }
}

function stepOf(walk: Walk, { id, from }: Reference): Step {
  const step = walk.steps.get(id)
  if (!step) throw wrongFile(`${from}: the step “${id}” does not exist.`)
  if (walk.path.has(id)) throw wrongFile(`${from}: it leads back to the step “${id}”, which comes before.`)
  if (!TYPES.has(step.type)) throw wrongFile(`workflow.${id}.type: “${step.type}” is no type of a step.`)
  return step
}
const TYPES: ReadonlySet<string> = new Set([
  'start',
  'end',
  'action',
  'playbook-action',
  'parallel',
  'if-condition',
  'while-condition',
  'switch-condition',
])

/** Adds a branch below a heading, unless it has no tasks. */
function followBranch(walk: Walk, { title, to }: Branch, depth: number): void {
  if (!to) return
  const start = walk.activities.length
  add(walk, plainHeading(title, null))
  follow(walk, to, depth)
  if (!walk.activities.slice(start).some(({ type }) => type === 'TASK')) walk.activities.length = start
  walk.isAfterBranch = true
}

/** Follows the steps to the end of a branch, and then the failure branch of each. */
function follow(walk: Walk, start: Reference, depth: number): void {
  if (depth > DEPTH_MAX) throw wrongFile(`${start.from}: branches are nested too deeply.`)
  const passed: { id: string; failed: Branch }[] = []
  for (let next: Reference | null = start; next;) {
    const id: string = next.id
    const step = stepOf(walk, next)
    if (walk.done.has(id)) break
    walk.path.add(id)
    walk.done.add(id)
    const at = (field: string) => `workflow.${id}.${field}`
    const failure = referenceOf(at('on_failure'), step.on_failure)
    passed.push({
      id,
      failed: { title: `If this does not succeed: ${step.name?.trim() || id}`, to: failure },
    })
    addStep(walk, id, step)
    for (const branch of branchesOf(id, step)) followBranch(walk, branch, depth + 1)
    next =
      referenceOf(at('on_completion'), step.on_completion) ?? referenceOf(at('on_success'), step.on_success)
  }
  // A failure branch may lead to later steps without being a cycle.
  for (const { id } of passed) walk.path.delete(id)
  for (const { id, failed } of passed) {
    walk.path.add(id)
    followBranch(walk, failed, depth + 1)
  }
  for (const { id } of passed) walk.path.delete(id)
}

/**
 * Reads the manual steps of a CACAO 2.0 playbook in the order of its workflow.
 * @throws Refusal 400 that names the field, such as `workflow.action--1.on_completion`
 */
export function readCacao(file: Record<string, unknown>): ImportedPlaybook {
  if (file['spec_version'] !== SPEC_VERSION)
    throw wrongFile(`spec_version: only ${SPEC_VERSION} can be read.`)
  const { data, error } = CacaoPlaybook.safeParse(file)
  if (error) {
    const { path, message } = error.issues[0]!
    throw wrongFile(`${path.map(String).join('.')}: ${message}`)
  }
  const walk: Walk = {
    steps: new Map(Object.entries(data.workflow)),
    agents: data.agent_definitions,
    activities: [],
    notes: notebook(),
    done: new Set(),
    path: new Set(),
    isAfterBranch: false,
  }
  follow(walk, { id: data.workflow_start, from: 'workflow_start' }, 0)
  const unread = walk.steps.size - walk.done.size
  if (unread > 0) walk.notes.add(null, `${unread} steps were left out because no other step leads to them.`)
  return finished({
    name: data.name,
    categoryName: null,
    description: data.description,
    activities: walk.activities,
    notes: walk.notes.all(),
  })
}
