import { existsSync, readFileSync } from 'node:fs'

import pg from 'pg'

/*
 * Loaded into a product that a test starts (`--import`). While the file `KILL_POINT` exists, the process kills itself at the
 * moment that it names, once a statement that matches has been sent on a connection.
 */
export interface KillPoint {
  /** A regular expression of the statement. */
  readonly statement: string
  /** Before the statement, before the commit behind it, or once that is acknowledged and before anything is answered. */
  readonly moment: 'statement' | 'commit' | 'committed'
  /** Commits that are waited for: none of their requests is answered. */
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
