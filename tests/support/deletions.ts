import { sql } from 'kysely'

import { clock } from '#server/kit/core/clock.ts'
import { UNDO_SPAN } from '#server/kit/database/deletions.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'

import type { Organisation, TestServer } from './server.ts'

/** Moves all deletions of an organisation into the past, beyond the time in which they can be undone. */
export const ageDeletions = ({ inside }: Pick<TestServer, 'inside'>, organisation: Organisation) =>
  inside(organisation, (db) =>
    sql`update deletions set delete_timestamp = ${new Date(clock.now() - UNDO_SPAN - 1_000).toISOString()}`.execute(
      db,
    ),
  )

/** Deletes for good what can no longer be undone, with its bytes. */
export const dropDeletions = ({ services }: Pick<TestServer, 'services'>) =>
  chores(services).get('deletions')!.run()
