import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { checkSync } from 'recheck'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const ROOMS = ['contract', 'server', 'providers', 'resources', 'src']

/** Patterns that the checker does not clear, with the reason to keep each. */
const REASONED: Readonly<Record<string, string>> = {
  '/^\\p{RGI_Emoji}$/v': 'the checker does not know the flag; the text has at most 40 characters',
  '/^<p>(?:\\p{RGI_Emoji}\\s?){1,3}<\\/p>$/v':
    'the checker does not know the flag; from the start to the end, at most three times',
  '/^(.{3,}?)\\1+$/': 'letters of a password, of which the contract takes 255 characters',
}

interface Pattern {
  readonly source: string
  readonly flags: string
  readonly place: string
}
const nameOf = ({ source, flags }: Pattern) => `/${source}/${flags}`

/** The text of a constant expression; each unknown part of a template counts as the letter x. */
function textOf(node: ESTree.Node, constants: ReadonlyMap<string, ESTree.Node>): string | undefined {
  if (node.type === 'Literal') return node.value === null ? undefined : String(node.value)
  if (node.type === 'Identifier') {
    const value = constants.get(node.name)
    return value && textOf(value, constants)
  }
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis
    .map(({ value }, n) => {
      const part = node.expressions[n]
      return value.cooked + (part ? (textOf(part, constants) ?? 'x') : '')
    })
    .join('')
}

function patternsOf(file: string): Pattern[] {
  const code = readFileSync(join(ROOT, file), 'utf8')
  const { program } = parseSync(file, code)
  const patterns: Pattern[] = []
  const constants = new Map<string, ESTree.Node>()
  const add = (source: string, flags: string, at: number) =>
    patterns.push({ source, flags, place: `${file}:${code.slice(0, at).split('\n').length}` })
  const construct = ({ callee, arguments: given, start }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    const [source, flags] = given.map((one) => textOf(one, constants))
    add(source ?? 'x', flags ?? '', start)
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init) constants.set(id.name, init)
    },
    Literal: (node) => {
      if ('regex' in node) add(node.regex.pattern, node.regex.flags, node.start)
    },
    NewExpression: construct,
    CallExpression: construct,
  }).visit(program)
  return patterns
}

const files = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(?:tsx?|mjs)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    ),
)
const patterns = new Map(files.flatMap(patternsOf).map((one) => [nameOf(one), one]))

/** Generous limits, so that a busy machine does not fail a safe pattern. */
const LIMITS = { timeout: 60_000, attackTimeout: 10_000, incubationTimeout: null, recallTimeout: -1 }
/** Reports a pattern that is not linear; undefined for a safe one. */
function problemOf(pattern: Pattern): string | undefined {
  const found = checkSync(pattern.source, pattern.flags, LIMITS)
  if (found.status === 'safe') return undefined
  const why = found.status === 'vulnerable' ? found.complexity.summary : found.error.kind
  return `${pattern.place} ${nameOf(pattern)}: ${why}`
}

test('no pattern takes more than linear time, whoever writes the text', { timeout: 900_000 }, () => {
  // The JavaScript build, in this thread: the others need Java or start a program for each pattern.
  process.env['RECHECK_SYNC_BACKEND'] = 'pure'
  const unchecked = [...patterns.values()].filter((one) => REASONED[nameOf(one)] === undefined)
  expect(unchecked.map(problemOf).filter(Boolean)).toEqual([])
})

test('every reason is of a pattern that there is', () => {
  expect(Object.keys(REASONED).filter((name) => !patterns.has(name))).toEqual([])
})

test('the checker finds what stopped the server', () => {
  process.env['RECHECK_SYNC_BACKEND'] = 'pure'
  const found = ['(?:[ \\t]*(?:[\\w-]+[ \\t]*:|#|- )[^\\n]*\\n|[ \\t]*\\n)*---', '[^\\S\\n]*\\n\\s*', '\\s+$']
  for (const source of found)
    expect(problemOf({ source, flags: 'g', place: '' })).toMatch(/exponential|polynomial/)
})
