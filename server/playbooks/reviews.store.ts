import { sql } from 'kysely'

import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'

/** A playbook that is due for review, with its owner. */
export interface DuePlaybook {
  readonly id: string
  readonly name: string
  readonly reviewDate: string
  readonly ownerId: string
  readonly email: string
  readonly firstName: string
}

const DUE = sql`p.review_date is not null and p.reminded_date is distinct from p.review_date
  and p.is_published and p.archive_timestamp is null and p.delete_timestamp is null
  and u.id = p.owner_id and u.active and not u.banned`

/** Organisations with owners to remind of a review. */
export async function listDueOrganisations(db: ProviderDb, today: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct p.organisation_id as id from playbooks p join users u on u.id = p.owner_id
      join organisations o on o.id = p.organisation_id and not o.is_closed
     where ${DUE} and p.review_date <= ${today}::date`.execute(db)
  return rows.map(({ id }) => id)
}

/** Marks the owners of due playbooks as reminded and returns them. Each review date is returned once. */
export async function updateReminded(db: OrgDb, today: string): Promise<DuePlaybook[]> {
  const { rows } = await sql<DuePlaybook>`
    update playbooks p set reminded_date = p.review_date from users u
     where ${DUE} and p.review_date <= ${today}::date
    returning p.id, p.name, p.review_date::text as "reviewDate", u.id as "ownerId", u.email,
      u.first_name as "firstName"`.execute(db)
  return rows
}
