import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const DEPLOY = join(ROOT, 'deploy')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, {
    cwd: DEPLOY,
    encoding: 'utf8',
    env: { ...process.env, DOMAIN: 'muster.example' },
  })
const has = (command: string) => run(command, '--version').error === undefined

describe('the files of deploy/', () => {
  test('set only settings that the product has', () => {
    const [, product = ''] = /environment:\n((?: {6}\S.*\n)+)/.exec(read('deploy/compose.yml'))!
    const set = [
      ...product.matchAll(/^ {6}(\w+):/gm),
      ...read('deploy/Containerfile').matchAll(/(?<=^ENV.*)\b([A-Z_]+)=/gm),
      ...read('deploy/systemd/muster.service').matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm),
    ].map(([, name]) => name!)
    const documented = read('README.md')
    const ofNode = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE'])
    expect(set.length).toBeGreaterThan(15)
    expect(set.filter((name) => !ofNode.has(name) && !documented.includes(`\`${name}\``))).toEqual([])
  })

  test('ask for every value that the compose file takes', () => {
    const asked = [...read('deploy/compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)
    const given = [...read('deploy/compose.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
    expect([...new Set(asked)].toSorted()).toEqual(given.toSorted())
  })

  test.runIf(has('promtool'))('have alerts that do what they say', () => {
    expect(run('promtool', 'check', 'rules', 'prometheus/muster.rules.yml').stdout).toContain('SUCCESS')
    expect(run('promtool', 'test', 'rules', 'prometheus/muster.test.yml').stdout).toContain('SUCCESS')
  })

  test.runIf(has('systemd-analyze'))('have a unit that systemd reads and holds back', () => {
    const { stderr } = run('systemd-analyze', 'verify', 'systemd/muster.service')
    // The program is where an operator puts it.
    expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual(
      [],
    )
    const { stdout } = run(
      'systemd-analyze',
      'security',
      '--offline=true',
      '--threshold=30',
      'systemd/muster.service',
    )
    expect(stdout).toMatch(/Overall exposure level for muster.service: [0-2]\.\d/)
  })

  test.runIf(has('caddy'))('have a proxy that its program reads', () => {
    const { status, stderr } = run('caddy', 'validate', '--adapter', 'caddyfile', '--config', 'Caddyfile')
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('"level":"warn"')])
  })
})
