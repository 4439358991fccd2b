import { parse, type ParseError } from 'jsonc-parser'
import * as z from 'zod/mini'

import { Priority } from '#contract/incidents/schema.ts'
import { SOURCE_FORMAT, SOURCE_VERSION } from '#contract/playbook-imports/rules.ts'
import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { HEADING_LEVEL_MAX, PlaybookItemType } from '#contract/playbooks/schema.ts'

import { formattedOf } from './formatted.content.ts'
import { finished, PLAYBOOKS_PER_FILE, wrongFile, wrongLine } from './reading.content.ts'

const Activity = z.object({
  type: z._default(PlaybookItemType, 'TASK'),
  title: z.string(),
  description: z.optional(z.string()),
  formattedDescription: z._default(z.nullable(z.string()), null),
  level: z._default(z.int().check(z.minimum(1), z.maximum(HEADING_LEVEL_MAX)), 1),
  condition: z._default(z.nullable(z.string()), null),
  priority: z._default(Priority, 'MEDIUM'),
  idealTitleToExecute: z._default(z.nullable(z.string()), null),
  expectedTimeToComplete: z._default(z.nullable(z.int()), null),
})
const SourceFile = z.object({
  playbooks: z
    .array(
      z.object({
        name: z.string(),
        category: z._default(z.nullable(z.string()), null),
        description: z._default(z.string(), ''),
        activities: z.array(Activity).check(z.minLength(1, 'There are no headings or tasks.')),
      }),
    )
    .check(
      z.minLength(1, 'There are no playbooks.'),
      z.maxLength(PLAYBOOKS_PER_FILE, `There are more than ${PLAYBOOKS_PER_FILE} playbooks.`),
    ),
})

/** A place in a JSON file, such as `playbooks[0].name`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')

/** Offset of the first syntax error; the engine does not always report it. */
function errorOffset(content: string): number {
  const errors: ParseError[] = []
  try {
    parse(content, errors, { disallowComments: true })
  } catch {
    // Nested too deeply for this reader.
  }
  return errors[0]?.offset ?? 0
}

/**
 * Parses JSON.
 * @throws Refusal 400 that names the line
 */
export function parseJson(content: string): unknown {
  try {
    return JSON.parse(content) as unknown
  } catch {
    const line = content.slice(0, errorOffset(content)).split('\n').length
    throw wrongLine(line, 'this is not valid JSON.')
  }
}

/**
 * Reads the product's JSON format.
 * @throws Refusal 400 for another version, and for a field of another type, which is named
 */
export function readJson(file: object): ImportedPlaybook[] {
  if (!('version' in file) || file.version !== SOURCE_VERSION)
    throw wrongFile(`version: only version ${SOURCE_VERSION} of ${SOURCE_FORMAT} can be read.`)
  const { data, error } = SourceFile.safeParse(file)
  if (error) {
    const { path, message } = error.issues[0]!
    throw wrongFile(`${pathText(path)}: ${message}`)
  }
  return data.playbooks.map(({ name, category, description, activities }) =>
    finished({
      name,
      categoryName: category,
      description,
      activities: activities.map((activity) => ({
        ...activity,
        level: activity.type === 'TASK' ? 1 : activity.level,
        condition: activity.type === 'TASK' ? null : activity.condition,
        description: activity.description ?? (activity.type === 'TASK' ? activity.title : ''),
        formattedDescription: null,
        ...(activity.formattedDescription !== null && formattedOf(activity.formattedDescription, () => {})),
        line: null,
      })),
      notes: [],
    }),
  )
}
