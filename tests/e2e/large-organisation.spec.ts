import { expect } from '@playwright/test'

import { addOrganisation, DEMO_PASSWORD, inDatabase, signIn as signInByHttp } from '../support/product.ts'
import { aBrowser, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const CODE = 'large'
const USERS = 10_000
const ROOMS = 2_000
const PLAYBOOKS = 2_000
/** Bytes of JSON that a page may load, regardless of the organisation's size. */
const MOST = 150_000

/**
 * An incident and a group of the same ten thousand recently active people, as many contacts in a list, a
 * notification to all of them, rooms and playbooks.
 */
async function fill(admin: string): Promise<{ incident: string; group: string; notification: string }> {
  const { call } = await signInByHttp(testServer.url, admin, DEMO_PASSWORD, CODE)
  const make = async (path: string, body: object) => (await call('POST', path, body)).body.id as string
  const incident = await make('/incident', { title: 'Power failure', fullText: '<p>No light.</p>' })
  const group = await make('/useradmin/group', { name: 'Everybody', userIds: [admin] })
  await inDatabase(testServer.dataDir, async (client) => {
    const of = `(select id from organisations where code = '${CODE}')`
    const others = `from users where organisation_id = ${of} and email <> '${admin}'`
    await client.query(
      `insert into users (organisation_id, email, first_name, last_name, role, type, create_timestamp, update_timestamp)
       select ${of}, 'person.' || n || '@large.example', 'Person', 'Number ' || n, 'USER', 'INTERNAL', now(), now()
       from generate_series(1, $1::integer) n`,
      [USERS],
    )
    await client.query(
      `insert into group_members (organisation_id, group_id, user_id) select ${of}, $1, id ${others}`,
      [group],
    )
    await client.query(
      `insert into check_ins (organisation_id, incident_id, user_id, timestamp) select ${of}, $1, id, now() ${others}`,
      [incident],
    )
    await client.query(
      `insert into user_activity (organisation_id, user_id, timestamp) select ${of}, id, now() ${others}`,
    )
    await client.query(
      `insert into contact_lists (organisation_id, name, name_key) values (${of}, 'Everybody', 'everybody')`,
    )
    await client.query(
      `with added as (
         insert into contacts (organisation_id, email, name, create_timestamp, update_timestamp)
         select ${of}, 'contact.' || n || '@large.example', 'Contact Number ' || n, now(), now()
         from generate_series(1, $1::integer) n returning id)
       insert into contact_list_members (organisation_id, list_id, contact_id)
       select ${of}, l.id, a.id from added a, contact_lists l where l.organisation_id = ${of}`,
      [USERS],
    )
    await client.query(
      `insert into rooms (organisation_id, kind, name, name_key, create_timestamp, update_timestamp,
         last_message_timestamp, change_sequence)
       select ${of}, 'WAR_ROOM', 'Room ' || n, 'room ' || n, now(), now(), now() - n * interval '1 minute', n
       from generate_series(1, $1::integer) n`,
      [ROOMS],
    )
    await client.query(
      `insert into room_members (organisation_id, room_id, user_id, role, create_timestamp, change_sequence)
       select ${of}, r.id, u.id, 'owner', now(), 1 from rooms r, users u
       where r.organisation_id = ${of} and not r.is_headquarters and u.organisation_id = ${of} and u.email = '${admin}'`,
    )
    await client.query(
      `insert into playbooks (organisation_id, name, description, activities, activities_count, words, created_by,
         create_timestamp, updated_by, update_timestamp)
       select ${of}, 'Playbook ' || n, 'What to do in case ' || n, '[]', 0,
         array_to_tsvector(array['playbook', n::text, ':' || ${of}]), 'somebody', now(), 'somebody', now()
       from generate_series(1, $1::integer) n`,
      [PLAYBOOKS],
    )
  })
  const words = { title: 'Storm', emailMessage: 'It storms.', types: ['EMAIL'] }
  const notification = await make('/massNotification', { ...words, contactListIds: ['Everybody'] })
  return { incident, group, notification }
}

test('no page loads more when an organisation has ten thousand people', async ({ browser }) => {
  const admin = await addOrganisation(testServer.dataDir, CODE, {
    multiIncident: true,
    groupsEnabled: true,
    contactsAndMassNotificationsEnabled: true,
    massNotifsMaxEvents: 2 * USERS,
    playbookMaxTemplates: 2 * PLAYBOOKS,
  })
  const { incident, group, notification } = await fill(admin)
  const page = await aBrowser(browser)
  await signIn(page, admin, CODE)

  const sizes: Promise<readonly [path: string, bytes: number]>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/')) return
    const size = response.body().then(
      ({ length }) => length,
      () => 0,
    )
    sizes.push(size.then((bytes) => [pathname, bytes]))
  })
  for (const path of [
    '/',
    '/incidents',
    '/incidents/create',
    `/incidents/${incident}`,
    `/incidents/${incident}/edit`,
    `/incidents/${incident}/post-incident-analysis`,
    '/mass-notifications',
    `/mass-notifications/history/${notification}`,
    '/mass-notifications/contacts',
    '/mass-notifications/contacts?list=Everybody',
    '/mass-notifications/contacts?filter={"q":"number"}',
    '/mass-notifications/templates',
    '/mass-notifications/send',
    '/user-admin',
    `/groups?show=${group}`,
    '/audit-log',
    '/settings/api-keys',
    '/settings/organisation',
    '/messaging-admin',
    '/chat',
    '/playbooks',
  ]) {
    sizes.length = 0
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
    await page.waitForLoadState('networkidle')
    const loaded = await Promise.all(sizes)
    const total = loaded.reduce((sum, [, bytes]) => sum + bytes, 0)
    const largest = loaded.toSorted(([, a], [, b]) => b - a).slice(0, 3)
    expect.soft(total, `${path}: ${JSON.stringify(largest)}`).toBeLessThan(MOST)
  }

  await test.step('and still finds and names everybody', async () => {
    await page.goto(`/groups?show=${group}`)
    await expect(page.getByRole('heading', { name: `Team Members (${USERS + 1})` })).toBeVisible()
    await expect(page.getByText('Show 100 more')).toBeVisible()
    await page.goto('/groups?create=1')
    await page.getByRole('combobox', { name: /Add people/ }).fill('number 9876')
    await expect(page.getByRole('option')).toHaveText(/Person Number 9876/)
  })
  await test.step('and whom it notified, whom it would and could, a page at a time', async () => {
    await page.goto(`/mass-notifications/history/${notification}`)
    await page.getByRole('button', { name: 'View All: Individual contacts notified' }).click()
    const notified = page.getByRole('dialog', { name: 'Individual contacts notified' })
    await expect(notified.getByText('Contact Number 1', { exact: true })).toBeVisible()
    await expect(notified.getByRole('button', { name: 'Show 100 more' })).toBeVisible()
    await page.goto('/mass-notifications/send')
    await page.getByRole('combobox', { name: /^Find contacts/ }).fill('number 9876')
    await expect(page.getByRole('option')).toHaveText(/Contact Number 9876/)
    await page.getByRole('checkbox', { name: /^Everybody 10000 contacts/ }).check()
    await expect(page.getByText('10,000 people')).toBeVisible()
  })
  await page.close()
})
