import { isMap, isNode, isScalar, parseDocument } from 'yaml'

import { cutText } from '#contract/playbook-imports/rules.ts'

import type { Notebook } from './reading.content.ts'

/** Characters of front matter; more is text. */
const LENGTH_MAX = 20_000
/** Characters of a value in a note. */
const VALUE_MAX = 200
/** Aliases of one value, which may stand for each other. */
const ALIASES_MAX = 20
const DASHES = /^---[ \t]*$/
const END = /^(---|\.\.\.)[ \t]*$/
const KEY = /^[\w-]+[ \t]*:/

/** Facts about a playbook before its text. */
export interface FrontMatter {
  readonly name: string | null
  readonly categoryName: string | null
  /** Number of lines, including the dashes. */
  readonly lines: number
}
const NOTHING: FrontMatter = { name: null, categoryName: null, lines: 0 }

/** The lines between two lines of dashes at the top; null where they are text. */
function linesBetween(lines: readonly string[]): string[] | null {
  if (!DASHES.test(lines[0]!)) return null
  let length = 0
  for (const [index, line] of lines.entries()) {
    if (index > 0 && END.test(line)) {
      const between = lines.slice(1, index)
      return between.some((one) => KEY.test(one)) ? between : null
    }
    length += line.length
    if (length > LENGTH_MAX) return null
  }
  return null
}

type Values = ReadonlyMap<string, string>
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  return Object.entries(value)
    .map(([key, one]) => `${key}: ${textOf(one)}`)
    .join(', ')
}
/** The values of a mapping as text by key; null for anything else. */
function valuesOf(source: string): Values | null {
  try {
    const document = parseDocument(source, { uniqueKeys: false, logLevel: 'silent' })
    if (document.errors.length > 0 || !isMap(document.contents)) return null
    const entries = document.contents.items.map(
      ({ key, value }) =>
        [
          isScalar(key) ? String(key.value) : String(key),
          isNode(value) ? textOf(value.toJS(document, { maxAliasCount: ALIASES_MAX })) : '',
        ] as const,
    )
    return new Map(entries)
  } catch {
    // Nested too deeply, or with aliases that would multiply.
    return null
  }
}
/** The values of single lines, where the whole is no YAML. */
function valuesOfLines(lines: readonly string[]): Values {
  const found = lines.flatMap((line) => {
    const [, key, value] = LINE.exec(line) ?? []
    return key === undefined ? [] : [[key, value!.split(/\s#/, 1)[0]!.trim().replace(QUOTED, '$2')] as const]
  })
  return new Map(found)
}
const LINE = /^([\w-]+)[ \t]*:(.*)$/
const QUOTED = /^\s*(['"])(.*)\1\s*$/

/**
 * Reads the YAML between two lines of dashes at the top. Everything but the name and the category is told in notes.
 * Lines that are no YAML are read one by one.
 */
export function readFrontMatter(lines: readonly string[], notes: Notebook): FrontMatter {
  const between = linesBetween(lines)
  if (!between) return NOTHING
  const whole = valuesOf(between.join('\n'))
  if (!whole) notes.add(1, 'The lines at the top are no valid YAML. They were read one by one.')
  const values = [...(whole ?? valuesOfLines(between))]
  const entryOf = (...names: readonly string[]) =>
    values.find(([key, text]) => names.includes(key.toLowerCase()) && text.trim() !== '')
  const [name, category] = [entryOf('name', 'title'), entryOf('category')]
  for (const entry of values) {
    const [key, text] = entry
    if (entry !== name && entry !== category && text.trim() !== '')
      notes.add(lineOf(key, between), `${key}: ${cutText(text, VALUE_MAX)}`)
  }
  return { name: name?.[1] ?? null, categoryName: category?.[1] ?? null, lines: between.length + 2 }
}
const lineOf = (key: string, between: readonly string[]): number =>
  between.findIndex((line) => line.startsWith(key)) + 2
