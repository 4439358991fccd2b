import type { ImportedActivity, ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { cutText } from '#contract/playbook-imports/rules.ts'
import { CONDITION_MAX, HEADING_LEVEL_MAX, PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'

import { type Branch, CacaoPlaybook, Graph, labelOf, type Reference, Step } from './cacao-graph.content.ts'
import {
  finished,
  type Notebook,
  notebook,
  plainHeading,
  plainTask,
  TOO_MANY_STEPS,
  wrongFile,
} from './reading.content.ts'

const SPEC_VERSIONS: ReadonlySet<string> = new Set([
  'cacao-2.0',
  'cacao-1.1',
  'cacao-1.0',
  '2.0',
  '1.1',
  '1.0',
])
/** Nesting depth of branches. */
const DEPTH_MAX = 200
/** Names that a heading, or a note, lists. */
const NAMED = 3
/** Characters of a title within another title. */
const QUOTED_MAX = 80

/** True for a CACAO playbook of any version. */
export const isCacao = (file: unknown): file is Record<string, unknown> =>
  typeof file === 'object' &&
  file !== null &&
  'type' in file &&
  (file.type === 'playbook' || file.type === 'playbook-template') &&
  ('spec_version' in file || 'workflow' in file)

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')
const firstLine = (text: string): string => text.trim().split(/\r?\n/, 1)[0]!
const filled = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text?.trim() ? [text] : []))),
]

type Command = NonNullable<Step['commands']>[number]
/** The act of a person, or of a machine with its command as text. */
function commandText({
  type,
  description,
  command,
  command_b64,
  content,
  content_b64,
  headers,
}: Command): string {
  const texts = filled([
    description,
    command ?? decoded(command_b64 ?? ''),
    headers === undefined ? '' : JSON.stringify(headers),
    content ?? decoded(content_b64 ?? ''),
  ])
  return type === 'manual' ? texts.join('\n\n') : [`A machine would do this (${type}):`, ...texts].join('\n')
}

/** Names of agents and targets by id. */
type Names = ReadonlyMap<string, string>
/** The end of a way through the workflow: an end, a step that follows all branches, or one that was told before. */
interface Ending {
  readonly kind: 'end' | 'shared' | 'told'
  /** Null where no step follows. */
  readonly to: Reference | null
}
/** A step that another one leads to when it fails. */
interface Failure {
  readonly name: string
  readonly to: Reference
}
const NOTHING_MORE = 'nothing more is to be done here'

/** Tells the steps of a workflow in their order: each once, and shared ones after all branches that lead to them. */
class Teller {
  readonly activities: ImportedActivity[] = []
  readonly #graph: Graph
  readonly #names: Names
  /** Number of tasks before each step that was told. */
  readonly #told = new Map<string, number>()
  /** Steps that follow open branches, with how many branchings they follow. */
  readonly #stops = new Map<string, number>()
  /** Number of open branchings that go on when a branch has ended. */
  #returns = 0
  readonly #titles = new Map<string, number>()
  #tasks = 0
  /** Level of a heading for the next task, where branches have ended. */
  #afterwards: number | null = null

  constructor(graph: Graph, names: Names) {
    this.#graph = graph
    this.#names = names
  }

  #push(activity: ImportedActivity): void {
    this.activities.push(activity)
    if (this.activities.length > PLAYBOOK_ITEMS_MAX) throw wrongFile(TOO_MANY_STEPS)
  }
  #addHeading(title: string, depth: number, description = '', condition: string | null = null): void {
    const count = (this.#titles.get(title) ?? 0) + 1
    this.#titles.set(title, count)
    this.#afterwards = null
    const unique = count === 1 ? title : `${title} (${count})`
    this.#push({
      ...plainHeading(unique, null, Math.min(depth, HEADING_LEVEL_MAX)),
      description,
      condition: condition === null ? null : cutText(condition, CONDITION_MAX),
    })
  }
  #addTask(title: string, description: string, role: string | null = null): void {
    if (this.#afterwards !== null) this.#addHeading('Afterwards', this.#afterwards)
    this.#tasks += 1
    this.#push({ ...plainTask(title, description || title, null), idealTitleToExecute: role })
  }
  #quoted(id: string): string {
    return `“${cutText(labelOf(id, this.#graph.step(id)), QUOTED_MAX)}”`
  }

  #addAction(id: string, step: Step): void {
    const { commands = [], description, agent, target, target_ids: ids = [], targets = [] } = step
    const texts = filled([description, ...commands.map(commandText)])
    const isManual = commands.every(({ type }) => type === 'manual')
    const by = this.#names.get(agent ?? target ?? '') ?? null
    const on = filled([...ids, ...targets].map((one) => this.#names.get(one) ?? one))
    const lines = filled([
      ...texts,
      isManual || by === null ? '' : `By: ${by}`,
      on.length > 0 ? `On: ${on.join(', ')}` : '',
    ])
    const title = step.name?.trim() || firstLine(texts[0] ?? '') || id
    this.#addTask(title, lines.join('\n\n'), isManual ? by : null)
  }
  #addStep(id: string, step: Step): void {
    const { type, name = '', description = '', playbook_id: playbook } = step
    if (type === 'action' || type === 'single') this.#addAction(id, step)
    else if (type === 'playbook-action' || type === 'playbook') {
      const title = name.trim() || `Carry out the playbook ${playbook ?? ''}`.trim()
      this.#addTask(title, filled([description, playbook && `Playbook: ${playbook}`]).join('\n\n'))
    } else if (description.trim() !== '') this.#addTask(name.trim() || firstLine(description), description)
  }

  /** Says in a task where to go on from here. */
  #addDirection(to: Reference | null, { lead, until }: Pick<Branch, 'lead' | 'until'>): void {
    const words = ((): string => {
      if (!to || this.#graph.step(to.id).type === 'end') return NOTHING_MORE
      const place = this.#told.get(to.id)
      if (place === undefined) return `go on with ${this.#quoted(to.id)}`
      const step = `step ${place + 1}, ${this.#quoted(to.id)}`
      if (!this.#graph.isBack(to.source, to.id)) return `go on with ${step}`
      return `go back to step ${place + 1} until ${until ?? 'this is no longer needed'}`
    })()
    const title = `${lead}${words}`
    this.#addTask(`${title[0]!.toUpperCase()}${title.slice(1)}`, '')
  }

  /** Tells a branch below a heading. One without steps of its own says where it goes. */
  #tellBranch(
    branch: Branch,
    depth: number,
    joins: ReadonlySet<string>,
    failures: Failure[],
    text = '',
  ): void {
    this.#addHeading(branch.title, depth, text, branch.condition)
    for (const start of branch.to) {
      const before = this.activities.length
      const { kind, to } = this.#tell(start, depth, failures)
      const isEmpty = this.activities.length === before
      const isJoined = kind === 'shared' && joins.has(to!.id)
      const endsEarly = kind === 'end' && to !== null && this.#stops.size > 0 && this.#returns === 0
      if (isEmpty || endsEarly || (kind !== 'end' && !isJoined))
        this.#addDirection(to, isEmpty ? branch : { ...branch, lead: '' })
    }
  }
  /** The steps that follow all branches of a step, in their order. */
  #followingAll(id: string): Reference[] {
    const { branches, next } = this.#graph.following(id)
    const found = this.#graph.join(branches)
    const join = found === null || this.#told.has(found) ? null : { id: found, source: id, from: '' }
    const isFirst = next && join && !this.#graph.leadsTo(next.id, join.id)
    return (isFirst ? [join, next] : [next ?? join]).filter((one) => one !== null)
  }
  /** Tells the branches of a step, and returns the steps that follow all of them. */
  #tellBranches(id: string, depth: number, failures: Failure[]): Reference[] {
    const { branches, next } = this.#graph.following(id)
    if (branches.length === 0) return next ? [next] : []
    const isLoop = this.#graph.step(id).type === 'while-condition'
    const returns = next || isLoop ? 1 : 0
    const after = this.#followingAll(id)
    const joins = new Set(after.map((one) => one.id))
    if (next) joins.add(next.id)
    if (isLoop) joins.add(id)
    const begin = this.#tasks
    for (const stop of joins) this.#hold(stop)
    this.#returns += returns
    for (const branch of branches) {
      this.#tellBranch(branch, depth + 1, joins, failures)
      if (isLoop) this.#addTask(`Go back to step ${begin + 1} until ${branch.until}`, '')
    }
    this.#returns -= returns
    for (const stop of joins) this.#release(stop)
    this.#afterwards = depth + 1
    return after
  }
  #hold(stop: string): void {
    this.#stops.set(stop, (this.#stops.get(stop) ?? 0) + 1)
  }
  #release(stop: string): void {
    const count = this.#stops.get(stop)! - 1
    if (count > 0) this.#stops.set(stop, count)
    else this.#stops.delete(stop)
  }

  /** Tells the steps from one on until they end or meet others. */
  #tell(start: Reference, depth: number, failures: Failure[]): Ending {
    if (depth > DEPTH_MAX) throw wrongFile(`${start.from}: branches are nested too deeply.`)
    for (let at = start; ;) {
      const { id } = at
      const step = this.#graph.step(id)
      if (step.type === 'end') return { kind: 'end', to: at }
      if (this.#stops.has(id)) return { kind: 'shared', to: at }
      if (this.#told.has(id)) return { kind: 'told', to: at }
      this.#told.set(id, this.#tasks)
      this.#addStep(id, step)
      const { failure } = this.#graph.following(id)
      if (failure) failures.push({ name: labelOf(id, step), to: failure })
      const [first, second] = this.#tellBranches(id, depth, failures)
      if (!first) return { kind: 'end', to: null }
      if (second) {
        this.#hold(second.id)
        const ending = this.#tell(first, depth, failures)
        this.#release(second.id)
        if (ending.kind !== 'end' && ending.to?.id !== second.id)
          this.#addDirection(ending.to, { lead: '', until: null })
      }
      at = second ?? first
    }
  }
  /** Tells what to do where steps fail, once for those that lead to the same step. */
  #tellFailures(failures: Failure[]): void {
    for (let n = 0; n < failures.length; n += 1) {
      const { to } = failures[n]!
      const names = failures.filter((one) => one.to.id === to.id).map(({ name }) => name)
      const isFirst = failures.findIndex((one) => one.to.id === to.id) === n
      if (!isFirst) continue
      const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
      const title = `If this does not succeed: ${names.slice(0, NAMED).join(', ')}${more}`
      const branch = { title, condition: null, lead: '', until: 'it succeeds', to: [to] }
      this.#tellBranch(branch, 1, NO_JOINS, failures, more === '' ? '' : names.join('\n'))
    }
  }

  /** Tells the whole workflow. */
  tellAll(start: Reference): void {
    const failures: Failure[] = []
    const { kind, to } = this.#tell(start, 0, failures)
    if (kind !== 'end') this.#addDirection(to, { lead: '', until: null })
    this.#tellFailures(failures)
  }
}
const NO_JOINS: ReadonlySet<string> = new Set()

/** Fields of a playbook that say nothing to those who carry it out. */
const TECHNICAL = new Set(
  (
    'type id spec_version name description workflow workflow_start workflow_exception agent_definitions target_definitions targets ' +
    'created modified created_by revoked extension_definitions playbook_extensions signatures markings data_marking_definitions ' +
    'authentication_info_definitions features'
  ).split(' '),
)
const STEP_FIELDS = new Set([...Object.keys(Step.shape), 'external_references', 'step_extensions'])
/** Says which fields are not part of the playbook. */
function noteFields(data: CacaoPlaybook, graph: Graph, notes: Notebook): void {
  const unread = Object.keys(data).filter((field) => !TECHNICAL.has(field))
  if (unread.length > 0) notes.add(null, `Left out: ${unread.join(', ')}.`)
  const ofSteps = new Map<string, number>()
  for (const [id, step] of Object.entries(data.workflow))
    if (graph.has(id))
      for (const field of Object.keys(step))
        if (!STEP_FIELDS.has(field)) ofSteps.set(field, (ofSteps.get(field) ?? 0) + 1)
  for (const [field, count] of ofSteps)
    notes.add(null, `Left out of ${count === 1 ? '1 step' : `${count} steps`}: ${field}.`)
  const unreached = Object.entries(data.workflow).filter(([id, { type }]) => !graph.has(id) && type !== 'end')
  for (const [id, step] of unreached)
    notes.add(
      null,
      `workflow.${id}: “${cutText(labelOf(id, step), QUOTED_MAX)}” was left out because no other step leads there.`,
    )
}

/**
 * Reads the steps of a CACAO playbook of version 1.1 or 2.0 in the order of its workflow.
 * @throws Refusal 400 that names the field, such as `workflow.action--1.on_completion`
 */
export function readCacao(file: Record<string, unknown>): ImportedPlaybook {
  if (!SPEC_VERSIONS.has(String(file['spec_version'])))
    throw wrongFile('spec_version: only cacao-2.0 and 1.1 can be read.')
  const { data, error } = CacaoPlaybook.safeParse(file)
  if (error) {
    const { path, message } = error.issues[0]!
    throw wrongFile(`${path.map(String).join('.')}: ${message}`)
  }
  const start: Reference = { id: data.workflow_start, source: '', from: 'workflow_start' }
  const graph = new Graph(new Map(Object.entries(data.workflow)), start)
  const definitions = Object.entries({
    ...data.targets,
    ...data.target_definitions,
    ...data.agent_definitions,
  })
  const named = definitions.flatMap(([id, { name }]) => (name?.trim() ? [[id, name.trim()] as const] : []))
  const teller = new Teller(graph, new Map(named))
  teller.tellAll(start)
  const notes = notebook()
  noteFields(data, graph, notes)
  return finished({
    name: data.name,
    categoryName: null,
    description: data.description,
    activities: teller.activities,
    notes: notes.all(),
  })
}
