import type { PlannedBackups } from './backup/plan.ts'
import type { Attempts } from './security/attempts.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { CallsPresence, ChatPublisher } from './live/feed.ts'
import type { Hints } from './live/hints.ts'
import type { Bus } from './events/bus.ts'
import type { Database } from './database/db.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Post } from './messages/mailer.ts'
import type { OwnLinks } from './messages/own-links.ts'
import type { Origins } from './http/origins.ts'
import type { Secrets } from './security/secrets.ts'
import type { Settings } from './core/settings.ts'
import type { Tokens } from './security/tokens.ts'

/** Dependencies of nouns' handlers and flows, beside their transaction. */
export interface Services {
  readonly settings: Settings
  readonly database: Database
  readonly bus: Bus
  readonly tokens: Tokens
  readonly secrets: Secrets
  readonly attempts: Attempts
  readonly blobs: Blobs
  readonly jobs: Jobs
  readonly post: Post
  readonly ownLinks: OwnLinks
  /** Public address of the product, for links in messages. Known once the server listens. */
  readonly publicUrl: () => string
  readonly origins: Origins
  /** Key of `/outbox`. */
  readonly outboxKey: string
  /** Publisher of chat changes. */
  readonly chat: ChatPublisher
  /** Publisher of changes without an event. */
  readonly hints: Hints
  /** Presence of people in calls. */
  readonly calls: CallsPresence
  /** State of planned backups. */
  readonly backups: Pick<PlannedBackups, 'state'>
}
