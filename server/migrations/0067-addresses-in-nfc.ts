import { type Kysely, sql } from 'kysely'

/**
 * Addresses are compared in NFC (decision 061): one that was stored decomposed would be found by nobody who types it. Where an
 * organisation has it in both spellings, both stay as they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['users', 'contacts']) {
    const table = sql.table(name)
    await sql`alter table ${table} no force row level security`.execute(db)
    await sql`
      update ${table} one set email = normalize(email, NFC)
       where email is not nfc normalized and not exists (
         select from ${table} other
          where other.organisation_id = one.organisation_id and other.id <> one.id
            and normalize(other.email, NFC) = normalize(one.email, NFC))`.execute(db)
    await sql`alter table ${table} force row level security`.execute(db)
  }
}
