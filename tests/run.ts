import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { touchedApiTests } from './touched.ts'

/** All checks before a change lands; the fastest to fail come first. */
const STEPS: readonly { name: string; command: readonly string[]; report?: 'vitest' | 'playwright' }[] = [
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'rules', command: ['vitest', 'run', '--project', 'rules'], report: 'vitest' },
  { name: 'api', command: ['vitest', 'run', '--project', 'api'], report: 'vitest' },
  { name: 'screens', command: ['vitest', 'run', '--project', 'screens'], report: 'vitest' },
  { name: 'build', command: ['vite', 'build', '--logLevel', 'warn'] },
  { name: 'size', command: ['node', 'tests/bench/size.ts'] },
  {
    name: 'e2e',
    command: ['playwright', 'test', '-c', 'tests/e2e', '--project=pages'],
    report: 'playwright',
  },
  // Run alone, because six people's pages must send heartbeats every few seconds.
  {
    name: 'calls',
    command: ['playwright', 'test', '-c', 'tests/e2e', '--project=calls'],
    report: 'playwright',
  },
]

/** `npm test -- quick`: the fast steps, with the API tests that the change touches. */
const QUICK: readonly string[] = ['types', 'lint', 'rules', 'api']

interface Counts {
  passed: number
  failed: number
}

/** The part of Playwright's report that is read. */
interface Suite {
  suites?: Suite[]
  specs?: { title: string; file: string; tests: { status: string }[] }[]
}

const reports = await mkdtemp(join(tmpdir(), 'muster-reports-'))

/** Adds a JSON report to the readable one, for the counts of the closing line. */
function withReport(
  command: readonly string[],
  report: string | undefined,
  file: string,
): { args: string[]; env: NodeJS.ProcessEnv } {
  const args = command.slice(1)
  if (report === 'vitest')
    args.push(
      '--reporter=default',
      '--reporter=./tests/support/closing-lines.ts',
      '--reporter=json',
      `--outputFile.json=${file}`,
    )
  if (report === 'playwright') args.push('--reporter=list,json')
  return {
    args,
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file, CLOSING_LINES: closingLinesFile(file) },
  }
}

const closingLinesFile = (file: string): string => `${file}.closing-lines`

const storyLines = ({ suites = [], specs = [] }: Suite): string[] => [
  ...specs.flatMap(({ file, title, tests }) => {
    const line = (words: string) => `${words}: tests/e2e/${file} > ${title}`
    if (tests.some(({ status }) => status === 'unexpected')) return [line('failed')]
    return tests.some(({ status }) => status === 'flaky') ? [line('needed a second try')] : []
  }),
  ...suites.flatMap(storyLines),
]

/** Lines about tests that failed or passed only at their second attempt, and about errors outside of tests. */
async function closingLinesOf(report: 'vitest' | 'playwright' | undefined, file: string): Promise<string[]> {
  if (report === 'playwright')
    return storyLines(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Suite)
  const lines = await readFile(closingLinesFile(file), 'utf8').catch(() => '')
  return lines.split('\n').filter(Boolean)
}

async function countsOf(report: 'vitest' | 'playwright' | undefined, file: string): Promise<Counts> {
  if (!report) return { passed: 0, failed: 0 }
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const json = JSON.parse(text) as {
    numPassedTests?: number
    numFailedTests?: number
    stats?: { expected: number; unexpected: number; flaky: number }
  }
  if (json.stats) return { passed: json.stats.expected + json.stats.flaky, failed: json.stats.unexpected }
  return { passed: json.numPassedTests ?? 0, failed: json.numFailedTests ?? 0 }
}

const run = (program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(join('node_modules/.bin', program), args, {
      stdio: 'inherit',
      env,
      shell: process.platform === 'win32',
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })

const requested = process.argv.slice(2)
const isQuick = requested.includes('quick')
const only = isQuick ? QUICK : requested
const total: Counts = { passed: 0, failed: 0 }
const broken: string[] = []
const closingLines: string[] = []
for (const { name, command, report } of STEPS) {
  if (only.length > 0 && !only.includes(name)) continue
  const files = isQuick && name === 'api' ? touchedApiTests() : []
  if (isQuick && name === 'api' && files.length === 0) continue
  const began = performance.now()
  console.log(`\n— ${name}`)
  const file = join(reports, `${name}.json`)
  const { args, env } = withReport([...command, ...files], report, file)
  const code = await run(command[0]!, args, env)
  const counts = await countsOf(report, file)
  total.passed += counts.passed
  total.failed += counts.failed
  closingLines.push(...(await closingLinesOf(report, file)))
  if (code !== 0) broken.push(name)
  console.log(
    `— ${name}: ${code === 0 ? 'holds' : 'BROKEN'} after ${((performance.now() - began) / 1_000).toFixed(1)} s`,
  )
}
await rm(reports, { recursive: true })
for (const line of closingLines) console.log(line)
if (broken.length > 0) console.log(`\nBroken: ${broken.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = broken.length > 0 ? 1 : 0
