import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** What a changed contract or server file asks for beyond the tests of its own name. */
const ALSO: readonly (readonly [changed: RegExp, tests: readonly string[]])[] = [
  [/^contract\/[^/]+\/api\.ts$/, ['access', 'openapi', 'refusals', 'lost-answers']],
  [/^contract\/(kit\/access|users\/rules)\.ts$/, ['access', 'permissions']],
  [/^server\/migrations\//, ['tenants', 'start']],
  [/^server\/kit\/http\//, ['refusals', 'idempotency']],
  [/^server\/kit\/database\//, ['tenants']],
  [/^server\/kit\/events\//, ['live', 'audit']],
]

const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Files that differ from the main branch of the remote, or from the last commit where there is none. */
function changedFiles(): string[] {
  const [base = 'HEAD~1'] = git('for-each-ref', '--format=%(refname)', 'refs/remotes/origin/main')
  const since = git('merge-base', 'HEAD', base)[0] ?? 'HEAD'
  const committed = git('diff', '--name-only', since)
  return [...committed, ...git('ls-files', '--others', '--exclude-standard')]
}

const apiTests = (): string[] =>
  ['server', 'tests/api'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  )

/** What the names of a file's tests begin with: its noun in the singular; in the kit its own name. */
function stemsOf(file: string): string[] {
  const [room, folder = ''] = file.split('/')
  if (room !== 'contract' && room !== 'server') return []
  return [folder === 'kit' ? basename(file).replace(/(\.test)?\.tsx?$/, '') : folder.replace(/s$/, '')]
}

/** The API tests that a change touches, by name. */
export function touchedApiTests(): string[] {
  const changed = changedFiles()
  const stems = new Set(changed.flatMap(stemsOf))
  for (const [pattern, tests] of ALSO)
    if (changed.some((file) => pattern.test(file))) for (const name of tests) stems.add(name)
  return apiTests().filter(
    (test) => changed.includes(test) || [...stems].some((stem) => basename(test).startsWith(stem)),
  )
}
