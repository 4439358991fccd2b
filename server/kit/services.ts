import type { Attempts } from './attempts.ts'
import type { Blobs } from './blobs.ts'
import type { Database } from './db.ts'
import type { Jobs } from './jobs.ts'
import type { Post } from './mailer.ts'
import type { Origins } from './origins.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Tokens } from './tokens.ts'

/** What nouns' handlers and flows work with beside their transaction. */
export interface Services {
  readonly settings: Settings
  readonly database: Database
  readonly tokens: Tokens
  readonly secrets: Secrets
  readonly attempts: Attempts
  readonly blobs: Blobs
  readonly jobs: Jobs
  readonly post: Post
  /** Where people reach the product: links in messages begin with it. Known once the server listens. */
  readonly publicUrl: () => string
  readonly origins: Origins
  /** Opens `/outbox`. */
  readonly outboxKey: string
}
