import * as z from 'zod/mini'

import { wrongFile } from './reading.content.ts'

/** One step, or in version 1.1 several that follow each other. */
const Steps = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((ids) => (typeof ids === 'string' ? [ids] : ids)),
)
const Named = z.record(
  z.string(),
  z.looseObject({ type: z.optional(z.string()), name: z.optional(z.string()) }),
)

/** Parsed fields of a step (OASIS CACAO Security Playbooks 1.1 and 2.0, §4). */
export const Step = z.looseObject({
  type: z.string(),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  on_completion: z.optional(z.string()),
  on_success: z.optional(z.string()),
  on_failure: z.optional(z.string()),
  on_true: z.optional(Steps),
  on_false: z.optional(Steps),
  next_steps: z.optional(z.array(z.string())),
  condition: z.optional(z.string()),
  switch: z.optional(z.string()),
  cases: z.optional(z.record(z.string(), Steps)),
  commands: z.optional(
    z.array(
      z.looseObject({
        type: z.string(),
        command: z.optional(z.string()),
        command_b64: z.optional(z.string()),
        content: z.optional(z.string()),
        content_b64: z.optional(z.string()),
        description: z.optional(z.string()),
      }),
    ),
  ),
  agent: z.optional(z.string()),
  target: z.optional(z.string()),
  target_ids: z.optional(z.array(z.string())),
  targets: z.optional(z.array(z.string())),
  playbook_id: z.optional(z.string()),
})
export type Step = z.infer<typeof Step>
export const CacaoPlaybook = z.looseObject({
  spec_version: z.string(),
  name: z.string(),
  description: z._default(z.string(), ''),
  workflow_start: z.string(),
  workflow: z.record(z.string(), Step),
  agent_definitions: z._default(Named, {}),
  target_definitions: z._default(Named, {}),
  targets: z._default(Named, {}),
})
export type CacaoPlaybook = z.infer<typeof CacaoPlaybook>

const TYPES: ReadonlySet<string> = new Set([
  'start',
  'end',
  'action',
  'single',
  'playbook-action',
  'playbook',
  'parallel',
  'if-condition',
  'while-condition',
  'switch-condition',
])

/** A field that names a step. */
export interface Reference {
  readonly id: string
  /** The step that leads there; empty for the start. */
  readonly source: string
  /** For error messages, such as `workflow.action--1.on_completion`. */
  readonly from: string
}
/** Steps below a heading, before those that follow all branches. */
export interface Branch {
  readonly title: string
  /** Completes “Only if …”; null for a branch that everybody follows. */
  readonly condition: string | null
  /** First words of an empty branch, such as “Otherwise: ”. */
  readonly lead: string
  /** The condition at which a loop ends that this branch leads back to; null without one. */
  readonly until: string | null
  readonly to: readonly Reference[]
}
/** Everything that may follow a step. */
export interface Following {
  readonly branches: readonly Branch[]
  readonly next: Reference | null
  readonly failure: Reference | null
}

/** A name for a step, for people. */
export function labelOf(
  id: string,
  { type, name = '', condition = '', switch: value = '', description = '' }: Step,
): string {
  if (name.trim() !== '') return name.trim()
  if (condition.trim() !== '')
    return `${type === 'while-condition' ? 'As long as' : 'If'}: ${condition.trim()}`
  return value.trim() || description.trim().split(/\r?\n/, 1)[0]! || id
}

/** The steps that follow one, in the order in which they are told. */
export function followingOf(id: string, step: Step): Following {
  const at = (field: string) => `workflow.${id}.${field}`
  const reference = (field: string, to: string): Reference => ({ id: to, source: id, from: at(field) })
  const all = (field: string, ids: readonly string[] = []) => ids.map((to) => reference(field, to))
  const { name = '', condition = '', type } = step
  const about = condition.trim() || name.trim() || 'the condition holds'
  const branches = ((): Branch[] => {
    switch (type) {
      case 'if-condition':
        return [
          {
            title: `If: ${about}`,
            condition: about,
            lead: '',
            until: `not: ${about}`,
            to: all('on_true', step.on_true),
          },
          {
            title: `Otherwise (not: ${about})`,
            condition: `not: ${about}`,
            lead: 'Otherwise: ',
            until: about,
            to: all('on_false', step.on_false),
          },
        ]
      case 'while-condition':
        return [
          {
            title: `As long as: ${about}`,
            condition: null,
            lead: '',
            until: `not: ${about}`,
            to: all('on_true', step.on_true),
          },
        ]
      case 'switch-condition':
        return Object.entries(step.cases ?? {}).map(([value, to]) => ({
          title: `If ${step.switch?.trim() || name.trim() || 'the value'} is ${value}`,
          condition: `${step.switch?.trim() || name.trim() || 'the value'} is ${value}`,
          lead: '',
          until: `it is not ${value}`,
          to: all(`cases.${value}`, to),
        }))
      case 'parallel':
        return (step.next_steps ?? []).map((to, n, { length }) => ({
          title: `At the same time (${n + 1} of ${length})${name.trim() ? `: ${name.trim()}` : ''}`,
          condition: null,
          lead: '',
          until: null,
          to: [reference(`next_steps[${n}]`, to)],
        }))
      default:
        return []
    }
  })()
  const success = step.on_completion === undefined ? 'on_success' : 'on_completion'
  const next = step[success]
  // The steps after a loop are named either way.
  const [after] = type === 'while-condition' && next === undefined ? all('on_false', step.on_false) : []
  return {
    branches: branches.filter(({ to }) => to.length > 0),
    next: next === undefined ? (after ?? null) : reference(success, next),
    failure: step.on_failure === undefined ? null : reference('on_failure', step.on_failure),
  }
}

/** A workflow whose steps have an order, with the steps that each leads to. */
export class Graph {
  readonly #steps: ReadonlyMap<string, Step>
  readonly #following = new Map<string, Following>()
  /** Steps before those that they lead to, except by a back edge. */
  readonly #order: string[] = []
  readonly #places = new Map<string, number>()
  /** Steps that lead back, by the step that they lead to. */
  readonly #back = new Map<string, Set<string>>()
  /** Bits of the places that each step leads to, itself included, without failures. */
  readonly #reached: Uint32Array[] = []

  /** @throws Refusal 400 that names the field with a step that does not exist, or of an unknown type */
  constructor(steps: ReadonlyMap<string, Step>, start: Reference) {
    this.#steps = steps
    this.#sort(start)
    this.#order.reverse()
    for (const [place, id] of this.#order.entries()) this.#places.set(id, place)
    const words = Math.ceil(this.#order.length / 32)
    for (let place = this.#order.length - 1; place >= 0; place -= 1) {
      const id = this.#order[place]!
      const bits = new Uint32Array(words)
      bits[place >> 5]! |= 1 << (place & 31)
      const { branches, next } = this.following(id)
      for (const { id: to } of [...branches.flatMap((branch) => branch.to), ...(next ? [next] : [])])
        if (!this.isBack(id, to)) addBits(bits, this.#reached[this.#places.get(to)!]!)
      this.#reached[place] = bits
    }
  }
  get size(): number {
    return this.#order.length
  }
  has(id: string): boolean {
    return this.#places.has(id)
  }
  step(id: string): Step {
    return this.#steps.get(id)!
  }
  following(id: string): Following {
    return this.#following.get(id)!
  }
  isBack(from: string, to: string): boolean {
    return this.#back.get(to)?.has(from) ?? false
  }
  /** True for a step that leads to another one. */
  leadsTo(from: string, to: string): boolean {
    const place = this.#places.get(to)!
    return (this.#reached[this.#places.get(from)!]![place >> 5]! & (1 << (place & 31))) !== 0
  }
  /** The first step that all branches lead to, in the order of the workflow; null for none. */
  join(branches: readonly Branch[]): string | null {
    if (branches.length < 2) return null
    const shared = branches.map(({ to }) => {
      const bits = new Uint32Array(Math.ceil(this.#order.length / 32))
      for (const { id } of to) addBits(bits, this.#reached[this.#places.get(id)!]!)
      return bits
    })
    for (let word = 0; word < shared[0]!.length; word += 1) {
      let bits = shared.reduce((all, one) => all & one[word]!, -1)
      for (; bits !== 0; bits &= bits - 1) {
        const id = this.#order[word * 32 + (31 - Math.clz32(bits & -bits))]!
        if (this.step(id).type !== 'end') return id
      }
    }
    return null
  }

  #enter({ id, from }: Reference): void {
    const step = this.#steps.get(id)
    if (!step) throw wrongFile(`${from}: the step “${id}” does not exist.`)
    if (!TYPES.has(step.type)) throw wrongFile(`workflow.${id}.type: “${step.type}” is no type of a step.`)
    this.#following.set(id, followingOf(id, step))
  }
  /** Depth first, without recursion: a workflow may have thousands of steps in a row. */
  #sort(start: Reference): void {
    const open = new Set<string>()
    const path: { readonly id: string; readonly edges: Reference[] }[] = []
    const enter = (reference: Reference) => {
      this.#enter(reference)
      const { branches, next, failure } = this.following(reference.id)
      // The last edge is followed first, so that its steps come last.
      const edges = [failure, next, ...branches.flatMap(({ to }) => to).toReversed()].filter(
        (one) => one !== null,
      )
      open.add(reference.id)
      path.push({ id: reference.id, edges: edges.toReversed() })
    }
    enter(start)
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const edge = last.edges.pop()
      if (!edge) {
        open.delete(last.id)
        this.#order.push(last.id)
        path.pop()
      } else if (open.has(edge.id))
        this.#back.set(edge.id, (this.#back.get(edge.id) ?? new Set()).add(last.id))
      else if (!this.#following.has(edge.id)) enter(edge)
    }
  }
}
function addBits(bits: Uint32Array, others: Uint32Array): void {
  for (let word = 0; word < bits.length; word += 1) bits[word]! |= others[word]!
}
