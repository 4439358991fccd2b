import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['contract', 'server', 'providers', 'resources', 'src', 'tests']
const THIS_FILE = 'tests/words.test.ts'

/** Phrases that hide the subject of a sentence. A noun says more. */
const VAGUE =
  /\bwho(so)?ever\b|\bwhatever\b|\bso many\b|\bthe ones? that\b|\bthe same\b(?=\s*(?:[.,;:)*]|$|for\b|in\b|and\b|when\b|where\b))|\bsomething that\b|\bas it was\b|\bis there\b|\bon (?:its|their) way\b/i

/** Names that the field has a standard term for, with that term. */
const TERMS: Readonly<Record<string, string>> = {
  House: 'ServerContext',
  unhurried: 'outsideTransaction',
  Unhurried: 'OutsideTransaction',
  Letter: 'EmailMessage',
  Deed: 'MutationAction',
  Look: 'a noun such as DialogAction or StatusStyle',
  loud: 'filledSurface',
  onLoud: 'onFilledSurface',
  Place: 'a noun for one kind of place, such as Route',
  takeTurns: 'limitConcurrency',
  loadTexts: 'loadMessages',
  useMay: 'useCan',
  useAllowed: 'useCan',
}
/** Participles that name no thing, as names of types and components. */
const PARTICIPLES = ['Told', 'Asked', 'Given', 'Shown', 'Seen', 'Written', 'Heard', 'Wanted', 'Answered']
const termFor = (name: string): string | undefined =>
  Object.hasOwn(TERMS, name) ? TERMS[name] : PARTICIPLES.includes(name) ? 'a noun' : undefined

function sourceFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|css)$/.test(entry.name))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(ROOT.length + 1)
          .replaceAll('\\', '/'),
      ),
  ).filter((file) => file !== THIS_FILE)
}
const sources = sourceFiles().map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

/** Blocks, and neighbouring line comments as one. A `//` counts only at the start of a line or after a space. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*(?:\n\s*\/\/ .*)*/gm
const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

function vagueComments({ file, text }: { file: string; text: string }): string[] {
  return [...text.matchAll(COMMENT)].flatMap((match) => {
    const comment = match[0].replaceAll(/\n\s*(?:\/\/|\*(?!\/))/g, ' ').replaceAll(/\s+/g, ' ')
    const phrase = VAGUE.exec(comment)?.[0]
    return phrase === undefined ? [] : [`${file}:${lineOf(text, match.index)} "${phrase}"`]
  })
}

const DECLARED = /\b(?:const|let|function|class|interface|type)\s+(\w+)(?=\s*[=<({:]|\s+extends\b)/g
function outdatedNames({ file, text }: { file: string; text: string }): string[] {
  return [...text.matchAll(DECLARED)].flatMap(({ 1: name = '', index }) => {
    const term = termFor(name)
    return term === undefined ? [] : [`${file}:${lineOf(text, index)} ${name}: say ${term}`]
  })
}

test('comments name their subject', () => {
  expect(sources.flatMap(vagueComments)).toEqual([])
})

/** The measurements repeat the line above them on purpose. */
const DOCUMENTS = ['README.md', 'SECURITY.md', ...markdownIn('docs'), ...markdownIn('docs/decisions')].filter(
  (file) => file !== 'docs/benchmarks.md',
)
function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((file) =>
    file.endsWith('.md') ? [`${folder}/${file}`] : [],
  )
}
function vaguePhrases(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s/g, ' ')
  return [...text.matchAll(new RegExp(VAGUE, 'gi'))].map(
    ({ 0: phrase, index }) => `${file} "${text.slice(index - 30, index)}${phrase}"`,
  )
}

test('documents name their subject', () => {
  expect(DOCUMENTS.flatMap(vaguePhrases)).toEqual([])
})

test('declarations use the standard term', () => {
  expect(sources.flatMap(outdatedNames)).toEqual([])
})

test('an outdated name is found where it is declared, not where it is part of another', () => {
  const found = (text: string) => outdatedNames({ file: 'a.ts', text }).length
  expect(found('export interface House {')).toBe(1)
  expect(found('const loud = 1')).toBe(1)
  expect(found('interface PlaceholderProps {')).toBe(0)
})

test('a vague phrase is found across lines, and nowhere but in comments', () => {
  const found = (text: string) => vagueComments({ file: 'a.ts', text }).length
  expect(found('/**\n * Rows that are on\n * their way.\n */')).toBe(1)
  expect(found('const a = 1 // for whoever asks')).toBe(1)
  expect(found('// So\n// many rows.')).toBe(1)
  expect(found("const a = 'whoever asks'")).toBe(0)
  expect(found('// The same row again.')).toBe(0)
})
