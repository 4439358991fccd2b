import { sql } from 'kysely'

import type { PlaybookEditor } from '#contract/playbooks/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    playbook_editors: {
      playbook_id: string
      editor_id: string
      user_id: string
      since_timestamp: string
      seen_timestamp: string
    }
  }
}

interface Editor {
  readonly playbookId: string
  readonly editorId: string
  readonly userId: string
}

/** Stores an open editor. Returns whether it is new. */
export async function upsertEditor(
  db: OrgDb,
  { playbookId, editorId, userId }: Editor,
  at: string,
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into playbook_editors as e (playbook_id, editor_id, user_id, since_timestamp, seen_timestamp)
      values (${playbookId}, ${editorId}, ${userId}, ${at}, ${at})
      on conflict (playbook_id, editor_id) do update set seen_timestamp = excluded.seen_timestamp
        where e.user_id = excluded.user_id
      returning e.xmax = 0 as "isNew"`.execute(db)
  return rows[0]?.isNew ?? false
}

/** Deletes a person's editor; false where there is none. */
export async function deleteEditor(db: OrgDb, { playbookId, editorId, userId }: Editor): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('playbook_editors')
    .where('playbook_id', '=', playbookId)
    .where('editor_id', '=', editorId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the editors of a playbook that have been silent since a time. */
export async function deleteSilent(db: OrgDb, playbookId: string, since: string): Promise<void> {
  await db
    .deleteFrom('playbook_editors')
    .where('playbook_id', '=', playbookId)
    .where('seen_timestamp', '<', since)
    .execute()
}

/** Other people who have the playbook open, de-duplicated, in the order in which they opened it. */
export async function listOthers(db: OrgDb, playbookId: string, userId: string): Promise<PlaybookEditor[]> {
  const rows = await db
    .selectFrom('playbook_editors as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select(['u.email', 'u.first_name', 'u.last_name'])
    .select(sql<string>`min(e.since_timestamp)`.as('sinceTimestamp'))
    .where('e.playbook_id', '=', playbookId)
    .where('e.user_id', '<>', userId)
    .groupBy(['u.id', 'u.email', 'u.first_name', 'u.last_name'])
    .orderBy('sinceTimestamp')
    .orderBy('u.email')
    .execute()
  return rows.map(({ email, first_name, last_name, sinceTimestamp }) => ({
    email,
    name: `${first_name} ${last_name}`.trim(),
    sinceTimestamp,
  }))
}
