import { expect, type Page } from '@playwright/test'

import { inDatabase, signIn as asClient } from '../support/product.ts'
import { aBrowser, doesNotOverflow, holdsAnywhere, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const command = (page: Page) => page.getByRole('region', { name: 'Command' })
const dialog = (page: Page) => page.getByRole('dialog')

/** Moves the declaration of an incident into the past, so that its next update is late. */
async function age(id: string, minutes: number): Promise<void> {
  await inDatabase(testServer.dataDir, async (client) => {
    await client.query(
      `update incidents set create_timestamp = now() - make_interval(secs => $2) where id = $1`,
      [id, minutes * 60],
    )
  })
}
const demandApproval = (isDemanded: boolean) =>
  inDatabase(testServer.dataDir, async (client) => {
    await client.query(
      `update organisations set config = config || jsonb_build_object('situationReportApproval', $1::boolean)
        where code = 'demo'`,
      [isDemanded],
    )
  })

test('a commander, a scribe, a board member and a stakeholder go through an incident that is reopened', async ({
  browser,
}) => {
  await demandApproval(true)
  const { call } = await asClient(testServer.url, 'admin@demo.example')
  const { body: incident } = await call('POST', '/incident/withActivities', {
    title: 'Loss of the booking servers at both sites',
    fullText: '<p>Nobody can book.</p>',
    severity: 'CRITICAL',
    activityCreateRequests: [
      { title: 'Decide about the ferries', description: 'Sail or not.', idealTitleToExecute: 'Commander' },
    ],
  })
  const maya = await aBrowser(browser)
  const phone = await aBrowser(browser, PHONE)
  const scribe = await aBrowser(browser, PHONE)
  try {
    await signIn(maya, 'admin@demo.example')
    await maya.goto(`/incidents/${incident.id}`)
    await expect(command(maya).getByText('No commander yet')).toBeVisible()
    await command(maya).getByRole('button', { name: 'Assign' }).click()
    await dialog(maya).getByRole('button', { name: 'Take it myself' }).click()
    await isAccessible(maya)
    await dialog(maya).getByRole('button', { name: 'Assign' }).click()
    await expect(command(maya).getByRole('button', { name: 'Commander: Maya Lindqvist' })).toBeVisible()
    await expect(maya.getByText('A task was assigned')).toHaveCount(0)

    // The other person sees it without a reload, on a phone.
    await signIn(phone, 'responder@demo.example')
    await phone.goto(`/incidents/${incident.id}`)
    await expect(command(phone).getByRole('button', { name: 'Commander: Maya Lindqvist' })).toBeVisible()
    await signIn(scribe, 'planner@demo.example')
    await scribe.goto(`/incidents/${incident.id}`)

    await command(maya).getByRole('button', { name: 'Commander: Maya Lindqvist' }).click()
    await expect(dialog(maya).getByText('Leads, and decides what is done.')).toBeVisible()
    await isAccessible(maya)
    await dialog(maya).getByRole('button', { name: 'Hand over' }).click()
    const responder = await asClient(testServer.url, 'responder@demo.example')
    const name = 'Tomas Okafor'
    await dialog(maya).getByRole('combobox', { name: 'Person' }).fill('Tomas')
    await maya.getByRole('option', { name }).click()
    await dialog(maya)
      .getByRole('textbox', { name: /^Statement/ })
      .fill('Feed B is down. Next: tell the ports.')
    await isAccessible(maya)
    await dialog(maya).getByRole('button', { name: 'Hand over' }).click()
    const held = command(phone).getByRole('button', { name: `Commander: ${name}` })
    await expect(held).toBeVisible()
    await held.click()
    await expect(dialog(phone).getByText('Feed B is down. Next: tell the ports.')).toBeVisible()
    await isAccessible(phone)
    await phone.keyboard.press('Escape')
    const { body: now } = await call('GET', `/incident/${incident.id}`)
    expect(now.activities[0].assignedTo.email).toBe('responder@demo.example')

    await test.step('a scribe takes the role, and writes down what was before', async () => {
      await command(scribe).getByRole('button', { name: 'Assign' }).click()
      await dialog(scribe).getByRole('combobox', { name: 'Role' }).click()
      await scribe.getByRole('option', { name: /^Scribe/ }).click()
      await dialog(scribe).getByRole('button', { name: 'Take it myself' }).click()
      await isAccessible(scribe)
      await dialog(scribe).getByRole('button', { name: 'Assign' }).click()
      await expect(command(maya).getByRole('button', { name: 'Scribe: Ingrid Bauer' })).toBeVisible()
      await scribe.getByRole('tab', { name: 'Timeline' }).click()
      await scribe.getByRole('textbox', { name: 'What happened?' }).fill('Feed A was shut down')
      await scribe.getByRole('textbox', { name: 'When it happened, if not now' }).fill('yesterday 14:05')
      await scribe.getByRole('button', { name: 'Add entry' }).click()
      const entry = scribe.getByRole('listitem').filter({ hasText: 'Feed A was shut down' })
      await expect(entry).toContainText(/2:05 PM|14:05/)
      await isAccessible(scribe)
    })

    await age(incident.id, 38.5)
    await call('PATCH', `/incident/${incident.id}`, { title: 'Loss of the booking servers' })
    await expect(command(maya).getByText('Next update 8 min late')).toBeVisible()
    await isAccessible(maya)
    await expect
      .poll(async () => JSON.stringify((await responder.call('GET', '/notifications')).body.data))
      .toContain('The next update is late')
    await doesNotOverflow(phone, 'the incident with a late update')
    await holdsAnywhere(maya, 'the incident with a late update')

    await maya.getByRole('tab', { name: 'Situation reports' }).click()
    await expect(maya.getByText('A situation report says in one page')).toBeVisible()
    await isAccessible(maya)
    await maya.getByRole('button', { name: 'Write report' }).click()
    const words = maya.getByRole('textbox', { name: 'Situation report' })
    await expect(words).toContainText('Critical severity. Ongoing since')
    await expect(words).toContainText(`Decide about the ferries – ${name}`)
    await isAccessible(maya)
    await words.press('Control+End')
    await words.pressSequentially(' The ports are told.')
    await maya.getByRole('button', { name: 'Ask for approval' }).click()
    await expect(maya.getByText('A second person approves it before it is published.')).toBeVisible()
    await isAccessible(maya)

    await phone.getByRole('tab', { name: 'Situation reports' }).click()
    await expect(phone.getByText('The ports are told.')).toBeVisible()
    await isAccessible(phone)
    await phone.getByRole('button', { name: 'Approve and publish' }).click()
    await expect(maya.getByRole('heading', { name: 'No. 1' })).toBeVisible()
    await expect(maya.getByText(`approved by ${name}`)).toBeVisible()
    await expect(command(maya).getByText(/^Next update in (29|30) min$/)).toBeVisible()
    await isAccessible(maya)
    await holdsAnywhere(maya, 'a published situation report')

    await maya.getByRole('button', { name: 'Make a page' }).click()
    await dialog(maya).getByRole('textbox', { name: 'For whom' }).fill('The board')
    await isAccessible(maya)
    await dialog(maya).getByRole('button', { name: 'Make a page' }).click()
    const address = await dialog(maya).getByRole('textbox', { name: 'Address' }).inputValue()
    const passcode = await dialog(maya).getByRole('textbox', { name: 'Passcode' }).inputValue()
    await isAccessible(maya)
    await dialog(maya).getByRole('button', { name: 'Done' }).click()
    await expect(maya.getByText(/not visited yet/)).toBeVisible()

    // Somebody without an account, and without scripts.
    const outside = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE.viewport })
    const board = await outside.newPage()
    await board.goto(address)
    await expect(board.getByRole('heading', { name: 'Situation reports' })).toBeVisible()
    await board.getByLabel('Passcode').fill('aaaa-aaaa-aaaa')
    await board.getByRole('button', { name: 'Open' }).click()
    await expect(board.getByText('This passcode is not correct.')).toBeVisible()
    await board.getByLabel('Passcode').fill(passcode)
    await board.getByRole('button', { name: 'Open' }).click()
    await expect(board.getByText('The ports are told.')).toBeVisible()
    await expect(board.getByRole('heading', { name: 'Situation report no. 1' })).toBeVisible()
    await doesNotOverflow(board, 'the page for stakeholders')
    await expect(maya.getByText(/1 visit/)).toBeVisible()

    await test.step('it is resolved and reopened, and who reads the page sees both', async () => {
      const member = await aBrowser(browser, PHONE)
      await signIn(member, 'board@demo.example')
      await member.goto(address)
      await member.getByLabel('Passcode').fill(passcode)
      await member.getByRole('button', { name: 'Open' }).click()
      await expect(member.getByText('Ongoing', { exact: true })).toBeVisible()
      await maya.getByRole('button', { name: 'Resolve', exact: true }).click()
      await dialog(maya).getByRole('button', { name: 'Resolve' }).click()
      // The analysis is asked for at once, and can wait.
      await expect(maya.getByRole('heading', { name: 'Post-Incident Analysis' })).toBeVisible()
      await maya.goto(`/incidents/${incident.id}`)
      await expect(maya.getByText('Resolved').first()).toBeVisible()
      await member.reload()
      await expect(member.getByText('Resolved', { exact: true })).toBeVisible()
      await maya.getByRole('button', { name: 'More actions' }).click()
      await maya.getByRole('menuitem', { name: 'Reopen' }).click()
      await dialog(maya)
        .getByRole('textbox', { name: /^Reason/ })
        .fill('The booking servers are gone again.')
      await dialog(maya).getByRole('button', { name: 'Reopen' }).click()
      await expect(command(maya).getByRole('button', { name: `Commander: ${name}` })).toBeVisible()
      await member.reload()
      await expect(member.getByText('Ongoing', { exact: true })).toBeVisible()
      await doesNotOverflow(member, 'the page for stakeholders')
      await member.close()
    })
    await maya.getByRole('tab', { name: 'Situation reports' }).click()
    await maya.getByRole('button', { name: 'Withdraw the page for The board' }).click()
    await dialog(maya).getByRole('button', { name: 'Withdraw' }).click()
    await expect(maya.getByText(/^Withdrawn/)).toBeVisible()
    await board.goto(address)
    await expect(board.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
    await outside.close()

    await maya.getByRole('link', { name: 'Send as notification' }).click()
    await expect(maya.getByRole('textbox', { name: /^Email subject/ })).toHaveValue(
      /^Situation report no\. 1: Loss of the booking servers/,
    )
    await expect(maya.getByRole('textbox', { name: /^Email message/ })).toHaveValue(/The ports are told\./)
  } finally {
    await call('PATCH', `/incident/${incident.id}`, { isActive: false })
    await demandApproval(false)
  }
  await maya.close()
  await phone.close()
  await scribe.close()
})
