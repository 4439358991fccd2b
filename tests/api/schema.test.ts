import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'

import { migrate } from '#server/kit/database/migrate.ts'
import { explain } from '#server/kit/core/start-problems.ts'

import { fromTemplate, MIGRATIONS } from '../support/database.ts'

/** A database, with a way to bring it to the schema of a folder. */
async function aDatabase(source: 'muster_template' | 'template1') {
  const place = await fromTemplate(inject('template'), source)
  const client = new pg.Client(place.databaseUrl)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await place.remove()
  })
  const rows = async (text: string): Promise<unknown[]> => (await client.query(text)).rows
  return {
    client,
    rows,
    tables: async () => (await rows(`select from pg_tables where schemaname = 'public'`)).length,
    migrated: (folder = MIGRATIONS) =>
      migrate({ connectionString: place.databaseUrl }, folder).catch(explain),
  }
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(MIGRATIONS, folder, { recursive: true })
  return folder
}

/** Today's files without the migrations that came after version 1.14. */
async function aFolderOfVersion114(): Promise<string> {
  const folder = await aFolder()
  const later = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name) && name > '0021-row-counts.sql')
  for (const name of later) await rm(join(folder, name))
  return folder
}

const NAMES = `
  select conrelid::regclass::text as of, conname as name from pg_constraint where contype <> 'n'
  union all select tablename, indexname from pg_indexes where schemaname = 'public'
  union all select tgrelid::regclass::text, tgname from pg_trigger where not tgisinternal
  order by 1, 2`

/** Gives a database of today the names and triggers that version 1.14 left behind. */
async function asOfVersion114(client: pg.Client, last: string): Promise<void> {
  const renames = (await readFile(join(MIGRATIONS, 'from-1.14.sql'), 'utf8')).match(
    /^alter [^;]+ rename [^;]+;/gm,
  )!
  const back = renames.map((one) =>
    one.startsWith('alter index')
      ? one.replace(/index (\w+) rename to (\w+)/, 'index $2 rename to $1')
      : one.replace(/constraint (\w+) to (\w+)/, 'constraint $2 to $1'),
  )
  await client.query(`
    ${back.join('\n')}
    create trigger count_changed after update on contacts for each row execute function visibility.count_contacts();
    create trigger count_changed after update on mass_notifications
      for each row execute function visibility.count_mass_notifications();
    drop table schema_files;
    create table kysely_migration_lock (id text);
    create table kysely_migration (name text primary key);
    insert into kysely_migration values ('0001-kit'), ('${last}')`)
}

test('a database of version 1.14 is taken over with its data, and is like a new one', async () => {
  const today = await aDatabase('muster_template')
  const [names, files] = [
    await today.rows(NAMES),
    await today.rows('select * from schema_files order by name'),
  ]
  const { client, rows, migrated } = await aDatabase('template1')
  await migrated(await aFolderOfVersion114())
  await client.query(`insert into global_config values ('kept', '1')`)
  await asOfVersion114(client, '0080-notifications-after-commit')
  expect(await rows(NAMES)).not.toEqual(names)
  await migrated()
  expect(await rows(NAMES)).toEqual(names)
  expect(await rows('select * from schema_files order by name')).toEqual(files)
  expect(await rows('select key from global_config')).toEqual([{ key: 'kept' }])
  expect(await migrated()).toBeUndefined()
})

test('a database of an older version, or of a newer one, is refused with a sentence and left as it is', async () => {
  const older = await aDatabase('muster_template')
  await asOfVersion114(older.client, '0079-token-generations')
  const before = await older.rows(NAMES)
  expect(await older.migrated()).toBe(
    'The database is of a version of Muster before 1.14.10. Start version 1.14.10 with it once, then this one.',
  )
  expect(await older.rows(NAMES)).toEqual(before)

  const newer = await aDatabase('muster_template')
  await newer.client.query(`insert into schema_files values ('9999-later', '')`)
  expect(await newer.migrated()).toBe(
    'The database is of a newer version of Muster, which has the migration 9999-later. Start that version with it.',
  )
})

test('a function whose text has changed is replaced at the next start, and a new migration runs once', async () => {
  const { rows, migrated } = await aDatabase('muster_template')
  const folder = await aFolder()
  await appendFile(
    join(folder, 'functions/search.sql'),
    'create or replace function answer() returns text language sql as $$ select label from labels $$;',
  )
  await writeFile(
    join(folder, '9998-labels.sql'),
    `create table labels (label text); insert into labels values ('first');`,
  )
  expect(await migrated(folder)).toBeUndefined()
  expect(await rows('select answer()')).toEqual([{ answer: 'first' }])
  await appendFile(
    join(folder, 'functions/search.sql'),
    'create or replace function answer() returns text language sql as $$ select min(label) || count(*) from labels $$;',
  )
  expect(await migrated(folder)).toBeUndefined()
  expect(await rows('select answer()')).toEqual([{ answer: 'first1' }])
})

test('several processes that start on an empty database make the schema once', async () => {
  const { tables, migrated } = await aDatabase('template1')
  expect(await Promise.all([migrated(), migrated(), migrated()])).toEqual([undefined, undefined, undefined])
  expect(await tables()).toBeGreaterThan(50)
})

test('a migration that fails leaves nothing behind, and is named', async () => {
  const { tables, migrated } = await aDatabase('template1')
  const folder = await aFolder()
  await writeFile(join(folder, '9998-wrong.sql'), 'create table labels (label text); select nonsense;')
  expect(await migrated(folder)).toMatch(/9998-wrong\.sql: column "nonsense" does not exist/)
  expect(await tables()).toBe(0)
})
