import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { MUTATIONS, type Mutation } from './mutation-list.ts'

const ROOT = join(import.meta.dirname, '../..')
/**
 * Rules about text, not behaviour: documents and patterns, and the places of the mutations, which a mutated copy lacks.
 */
const RULES_OF_TEXT = ['asvs', 'patterns', 'bench/mutation-list'].flatMap((name) => [
  '--exclude',
  `tests/${name}.test.ts`,
])
const NOT_COPIED = new Set(['node_modules', 'dist', 'data', '.git', 'test-results'])

/** Runs a program of the copy; resolves with whether it succeeded. */
const succeeds = (
  folder: string,
  program: string,
  args: readonly string[],
  stdio: 'ignore' | 'inherit' = 'ignore',
): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(join(folder, 'node_modules/.bin', program), args, { cwd: folder, stdio })
    child.once('exit', (code) => resolve(code === 0))
  })

const nameOf = (path: string) => basename(path).replace(/\.test\.tsx?$/, '')
/** Names of the failing tests of the first project with failures; null when all pass. */
async function failing(folder: string, tests: readonly string[], stdio?: 'inherit'): Promise<string | null> {
  const byProject = Map.groupBy(tests, (path) => (path.startsWith('tests/api/') ? 'api' : 'screens'))
  for (const [project, files] of byProject)
    // oxlint-disable-next-line no-await-in-loop -- each takes all cores
    if (!(await succeeds(folder, 'vitest', ['run', '--project', project, '--bail=1', ...files], stdio)))
      return files.map(nameOf).join(', ')
  return null
}

/** The first failing check: compiler, rules, or tests; null when all pass. */
async function failure(folder: string, tests: readonly string[], stdio?: 'inherit'): Promise<string | null> {
  if (!(await succeeds(folder, 'tsc', ['-p', '.'], stdio))) return 'the compiler'
  if (!(await succeeds(folder, 'vitest', ['run', '--project', 'rules', ...RULES_OF_TEXT], stdio)))
    return 'the rules'
  return failing(folder, tests, stdio)
}

/**
 * A check that fails or cannot run without a mutation would seem to notice every one.
 * @throws Error naming the check that fails before any mutation
 */
async function demandGreen(folder: string, mutations: readonly Mutation[]): Promise<void> {
  // Some tests start the product, which builds a missing front end: longer than a test's time limit.
  await succeeds(folder, 'vite', ['build', '--logLevel', 'silent'])
  const by = await failure(folder, [...new Set(mutations.flatMap(({ tests }) => tests))], 'inherit')
  if (by !== null) throw new Error(`Fails before anything is broken: ${by}.`)
}

/**
 * Applies one mutation after the other to a copy of the code and prints which check notices it: widened access, a
 * removed check, an inverted condition, a field that is not stored, a noun that is not live, a browser store that mixes
 * up sessions.
 * @param args parts of names, to run only those
 */
export async function mutations(args: readonly string[]): Promise<void> {
  const wanted = MUTATIONS.filter(({ name }) => args.length === 0 || args.some((arg) => name.includes(arg)))
  const folder = await mkdtemp(join(tmpdir(), 'muster-mutations-'))
  let noticed = 0
  try {
    await cp(ROOT, folder, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) })
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await demandGreen(folder, wanted)
    for (const mutation of wanted) {
      const file = join(folder, mutation.file)
      const code = await readFile(file, 'utf8')
      if (code.split(mutation.from).length !== 2)
        throw new Error(`${mutation.name}: ${mutation.file} does not hold its text exactly once.`)
      await writeFile(
        file,
        code.replace(mutation.from, () => mutation.to),
      )
      const by = await failure(folder, mutation.tests)
      await writeFile(file, code)
      if (by) noticed++
      console.log(`${by ? 'noticed' : 'MISSED '}  ${mutation.name}${by ? `, by ${by}` : ''}`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  console.log(`\n${noticed} of ${wanted.length} noticed`)
}
