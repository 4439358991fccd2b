import { existsSync, readFileSync } from 'node:fs'

import pg from 'pg'

/*
 * Loaded into a product that a test starts (`--import`). While the file `KILL_POINT` exists, the process
 * kills itself at the given moment, once a matching statement has been sent on a connection.
 */
export interface KillPoint {
  /** Regular expression for the statement. */
  readonly statement: string
  /** Before the statement, before its commit, or after the commit and before the response. */
  readonly moment: 'statement' | 'commit' | 'committed'
  /** Commits to wait for, before any of their responses. */
  readonly commits?: number
}

const file = process.env['KILL_POINT']
const matched = new WeakSet<pg.Client>()
let commits = 0
const kill = () => process.kill(process.pid, 'SIGKILL')
const { query: original } = pg.Client.prototype as unknown as {
  query: (this: pg.Client, ...given: unknown[]) => unknown
}

function query(this: pg.Client, ...given: unknown[]): unknown {
  if (file === undefined || !existsSync(file)) return original.apply(this, given)
  const { statement, moment, commits: awaited = 1 } = JSON.parse(readFileSync(file, 'utf8')) as KillPoint
  const [first] = given as [string | { readonly text?: string }]
  const text = typeof first === 'string' ? first : (first.text ?? '')
  if (new RegExp(statement).test(text)) {
    matched.add(this)
    if (moment === 'statement') kill()
  }
  if (text !== 'commit' || !matched.has(this)) return original.apply(this, given)
  if (moment === 'commit') kill()
  return (original.apply(this, given) as Promise<unknown>).then(() => {
    commits += 1
    if (commits === awaited) kill()
    return new Promise(() => {})
  })
}
pg.Client.prototype.query = query as never
