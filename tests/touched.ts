import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Further tests for a changed contract or server file, besides those named after it. */
const ALSO: readonly (readonly [changed: RegExp, tests: readonly string[]])[] = [
  [/^contract\/[^/]+\/api\.ts$/, ['access', 'openapi', 'refusals', 'lost-answers']],
  [/^contract\/(kit\/access|users\/rules)\.ts$/, ['access', 'permissions']],
  [/^server\/migrations\//, ['schema', 'tenants', 'start']],
  [/^server\/kit\/http\//, ['refusals', 'idempotency']],
  [/^server\/kit\/database\//, ['tenants', 'local-database']],
  [/^server\/kit\/(events|live)\//, ['live', 'audit']],
  [/^server\/kit\/messages\//, ['messages', 'outbox', 'mass-notifications']],
  [/^server\/kit\/security\/attempts\.ts$/, ['lockouts', 'second-factor', 'sessions', 'forgot']],
  [/^server\/kit\/http\/plain-noun\.ts$/, ['tenants', 'groups', 'notification-templates', 'api-keys']],
  [/^server\/(kit\/)?[^/]+\.(ts|mjs)$/, ['start', 'site', 'origins', 'access', 'live']],
]

const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Files that differ from the remote's main branch, or from the last commit without a remote. */
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

/** Tests are named by their noun in singular or plural. */
const singular = (name: string): string => name.replace(/s$/, '')

/**
 * Prefixes of a file's tests: its noun and its part; in the kit the file's own name.
 * `server/incidents/activities.flows.ts` belongs to incidents and activities.
 */
function stemsOf(file: string): string[] {
  const [room, folder = '', ...below] = file.split('/')
  if ((room !== 'contract' && room !== 'server') || below.length === 0) return []
  const name = basename(file)
  if (folder === 'kit') return [name.replace(/(\.test)?\.tsx?$/, '')]
  const part = /^([a-z-]+)\.(store|flows|content)\.ts$/.exec(name)?.[1]
  return [singular(folder), ...(part === undefined ? [] : [singular(part)])]
}

/** Names of the API tests that a change of these files touches. */
export function touchedApiTests(changed: readonly string[] = changedFiles()): string[] {
  const stems = new Set(changed.flatMap(stemsOf))
  for (const [pattern, tests] of ALSO)
    if (changed.some((file) => pattern.test(file))) for (const name of tests) stems.add(name)
  return apiTests().filter(
    (test) => changed.includes(test) || [...stems].some((stem) => basename(test).startsWith(stem)),
  )
}
